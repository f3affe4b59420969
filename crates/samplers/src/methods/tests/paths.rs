//! Paths of leapfrog steps: each point of a recorded path or tree is one step from the point before it, to the bit.

use super::super::{Adaptation, Gradient, Hmc, Method, Nuts, StepRecord};
use super::{Normal, Numbers, init, one_step, plan, stream};
use base::math::Point;
use models::targets::Density;

const H: f64 = 0.3;

/// A point of a path with its momentum.
#[derive(Clone, Copy, Debug)]
struct State {
    at: Point,
    momentum: Point,
}

impl State {
    /// Where the slope has pulled the momentum for a time.
    fn kicked(self, target: &Normal, time: f64) -> Self {
        Self { momentum: self.momentum + target.gradient(self.at) * time, ..self }
    }

    /// Where it has moved along the momentum for a time.
    fn moved(self, time: f64) -> Self {
        Self { at: self.at + self.momentum * time, ..self }
    }
}

/// Where the path of a record begins: with the momentum that is told as noise.
fn begin(record: &StepRecord) -> State {
    State { at: record.from, momentum: record.terms().noise.unwrap() }
}

/// The records of the steps of some chains with a method, on the line and in the plane.
fn records(method: &dyn Method) -> Vec<(Normal, StepRecord)> {
    let mut found = Vec::new();
    for dimension in [1, 2] {
        let target = Normal::new(4.0, dimension);
        let second = |y: f64| if dimension == 1 { 0.0 } else { y };
        let starts = [Point::new(0.3, second(-0.2)), Point::new(-0.6, second(0.1)), Point::new(0.05, second(0.7))];
        let mut chains = init(method, &starts, H, [&[0.0; 3], &[0.0; 3]]);
        for index in 0..20 {
            let numbers = Numbers::for_steps(&mut stream(index), method, &Gradient::Exact, 1, starts.len());
            let records = one_step(method, &target, &Gradient::Exact, &plan(H), &numbers, &mut chains);
            found.extend(records.into_iter().map(|record| (target.clone(), record)));
        }
    }
    found
}

/// Two half pulls at one point are a whole one.
#[test]
fn every_point_of_a_path_is_a_leapfrog_step_from_the_one_before() {
    for (leapfrog_steps, metropolis) in [(1, true), (2, false), (5, true), (9, true)] {
        let method = Hmc { leapfrog_steps, metropolis, adaptation: Adaptation::default() };
        for (target, record) in records(&method) {
            let mut state = begin(&record).kicked(&target, 0.5 * H);
            assert_eq!(record.path.len(), leapfrog_steps + 1);
            assert_eq!(record.path[0], record.from);
            for (number, point) in record.path.iter().enumerate().skip(1) {
                state = state.moved(H);
                assert_eq!(*point, state.at, "{method:?}, leapfrog step {number}: {record:?}");
                state = state.kicked(&target, if number < leapfrog_steps { H } else { 0.5 * H });
            }
            let accepted = record.proposal.is_none_or(|proposal| proposal.accepted);
            assert_eq!(record.proposal.map_or(record.to, |proposal| proposal.at), state.at);
            let [to, momentum] =
                if accepted { [state.at, state.momentum] } else { [record.from, begin(&record).momentum] };
            assert_eq!((record.to, record.momentum), (to, Some(momentum)), "{record:?}");
        }
    }
}

/// Each doubling goes on from the end of the tree in its direction of time; one that is not finished leaves the ends as they are.
#[test]
fn every_leaf_of_a_tree_is_a_leapfrog_step_from_the_one_before() {
    let method = Nuts { max_depth: 4, ..Nuts::default() };
    let mut leaves = 0;
    for (target, record) in records(&method) {
        let tree = record.trajectory.as_deref().unwrap();
        assert_eq!(tree.leaves[0].at, record.from);
        let mut ends = [begin(&record); 2];
        for (number, doubling) in tree.doublings.iter().enumerate() {
            let end = usize::from(doubling.forward);
            let time = if doubling.forward { H } else { -H };
            let last = tree.doublings.get(number + 1).map_or(tree.leaves.len(), |next| next.first);
            let mut state = ends[end];
            for leaf in &tree.leaves[doubling.first..last] {
                state = state.kicked(&target, 0.5 * time).moved(time).kicked(&target, 0.5 * time);
                assert_eq!(leaf.at, state.at, "doubling {number}: {record:?}");
                leaves += 1;
            }
            if doubling.finished {
                ends[end] = state;
            }
        }
        assert_eq!(tree.ends, ends.map(|end| end.at));
        assert_eq!(record.to, tree.leaves[tree.chosen].at);
    }
    assert!(leaves > 150, "{leaves} leaves");
}
