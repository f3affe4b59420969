//! The newest step of a run stage by stage: the lines of its algorithm one after the other, of a path along a momentum its leapfrog steps, and of
//! the No-U-Turn sampler the doublings of its tree.

use std::ops::Range;

use base::params::KindSpec;
use engine::session::{Frame, RunFrame};
use samplers::methods::{Algorithm, Phase, StepRecord, algorithm, algorithm_on_topics};

/// The method of a run at a step; `None` of a run that is not in the scenario of the frame.
#[must_use]
pub fn method_at(frame: &Frame, run: &RunFrame, step: u64) -> Option<&'static KindSpec> {
    let spec = frame.scenario.runs.iter().find(|spec| spec.name == run.plan.name)?;
    // An event at a step takes effect at the next one.
    Some(frame.scenario.settings_at(spec, step.saturating_sub(1)).kind)
}

/// The algorithm of the newest step of a run; `None` of a run that is not in the scenario of the frame.
#[must_use]
pub fn algorithm_of(frame: &Frame, run: &RunFrame) -> Option<&'static Algorithm> {
    let method = method_at(frame, run, run.step)?;
    Some(if frame.target.topics().is_some() { algorithm_on_topics(method) } else { algorithm(method) })
}

/// A stage of a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stage {
    /// The lines of the algorithm that are carried out, by number.
    pub lines: Range<usize>,
    /// How many doublings of the tree there are then; `None` without a tree, and for all of them.
    pub doublings: Option<usize>,
    /// How many leapfrog steps of the path there are then; `None` without a path, and for all of them.
    pub leaps: Option<usize>,
}

/// Stages of the leapfrog steps after the first one, at most: a long path grows by several in each.
const MOST_GROWTHS: usize = 8;

/// The stages of a step in order: a line each. The loop that builds a tree is gone through for each doubling; the lines of the loop within it, which
/// adds the points of the new half one by one, are one stage. A half that is dropped ends there. Of a path the first leapfrog step is gone through
/// line by line, and the others grow it. Lines that the step leaves out are no stages.
#[must_use]
pub fn stages(algorithm: &Algorithm, record: Option<&StepRecord>) -> Vec<Stage> {
    let lines = &algorithm.lines;
    let single = |line: usize, doublings| Stage { lines: line..line + 1, doublings, leaps: None };
    let path = record.filter(|record| record.follows_momentum()).map(|record| record.path.len() - 1);
    if let Some((leaps, grows)) = path.zip(growing(algorithm)) {
        return stages_of_path(algorithm, &grows, leaps);
    }
    let tree = record.and_then(|record| record.trajectory.as_deref());
    let Some((tree, grows)) = tree.zip(growing(algorithm)) else {
        let left_out: &[Phase] = record.map(|record| record.left_out).unwrap_or_default();
        let carried_out = (0..lines.len()).filter(|line| !left_out.contains(&lines[*line].phase));
        return carried_out.map(|line| single(line, None)).collect();
    };
    let inner = |line: &usize| lines[*line].loops > 1;
    let first = grows.clone().find(inner).unwrap_or(grows.end);
    let half = first..(first..grows.end).find(|line| !inner(line)).unwrap_or(grows.end);
    let mut stages: Vec<Stage> = (0..grows.start).map(|line| single(line, Some(0))).collect();
    for (number, doubling) in tree.doublings.iter().enumerate() {
        stages.extend((grows.start..half.start).map(|line| single(line, Some(number))));
        stages.push(Stage { lines: half.clone(), doublings: Some(number + 1), leaps: None });
        if doubling.finished {
            stages.extend((half.end..grows.end).map(|line| single(line, Some(number + 1))));
        }
    }
    stages.extend((grows.end..lines.len()).map(|line| single(line, None)));
    stages
}

/// The stages of a step along a path of so many leapfrog steps.
fn stages_of_path(algorithm: &Algorithm, grows: &Range<usize>, leaps: usize) -> Vec<Stage> {
    let lines = &algorithm.lines;
    let single = |line: usize, leaps| Stage { lines: line..line + 1, doublings: None, leaps };
    // The point moves at the line about the path.
    let moves = grows.clone().find(|line| lines[*line].phase == Phase::Path).unwrap_or(grows.start);
    let mut stages: Vec<Stage> = (0..grows.start).map(|line| single(line, Some(0))).collect();
    stages.extend(grows.clone().map(|line| single(line, Some(usize::from(line >= moves)))));
    let left = leaps.saturating_sub(1);
    let growths = left.min(MOST_GROWTHS);
    let grown =
        |growth: usize| Stage { lines: grows.clone(), doublings: None, leaps: Some(1 + left * growth / growths) };
    stages.extend((1..=growths).map(grown));
    stages.extend((grows.end..lines.len()).map(|line| single(line, None)));
    stages
}

/// The lines of the loop that builds a tree, or a path.
pub(super) fn growing(algorithm: &Algorithm) -> Option<Range<usize>> {
    let begin = algorithm.lines.iter().position(|line| line.loops > 0)?;
    let end = algorithm.lines.iter().rposition(|line| line.loops > 0)? + 1;
    Some(begin..end)
}

/// What is drawn of a step, and what of it is lit.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reveal {
    /// The phases that are done; `None` for all of a whole step.
    done: Option<Vec<Phase>>,
    /// The phases that are lit; none if nothing is.
    lit: Vec<Phase>,
    /// The stage; `None` for the whole step.
    pub stage: Option<Stage>,
}

impl Reveal {
    /// A step as far as a stage; `None` for the whole of it. `pointed` is lit in the place of what the stage does.
    #[must_use]
    pub fn of(
        algorithm: Option<&Algorithm>,
        record: Option<&StepRecord>,
        stage: Option<usize>,
        pointed: Option<Phase>,
    ) -> Self {
        let staged = algorithm.zip(stage).and_then(|(algorithm, number)| {
            let mut stages = stages(algorithm, record);
            let last = stages.len().checked_sub(1)?;
            let stage = stages.swap_remove(number.min(last));
            Some((algorithm, stage, number >= last))
        });
        let Some((algorithm, stage, ends)) = staged else {
            return Self { lit: pointed.into_iter().collect(), ..Self::default() };
        };
        let lines = &algorithm.lines;
        let phases = |of: Range<usize>| lines[of].iter().map(|line| line.phase).collect::<Vec<_>>();
        // What a tree comes to is not decided while it grows.
        let open = |phase: &Phase| stage.doublings.is_some() && matches!(phase, Phase::Path | Phase::Decision);
        // After the first doubling all lines of the loop have been carried out.
        let loops = stage.doublings.is_some_and(|doublings| doublings > 0);
        let end = growing(algorithm).filter(|_| loops).map_or(0, |grows| grows.end).max(stage.lines.end);
        let mut done = (!ends).then(|| phases(0..end));
        let left_out = |phase: &Phase| record.is_some_and(|record| record.left_out.contains(phase));
        done.iter_mut().for_each(|done| done.retain(|phase| !open(phase) && !left_out(phase)));
        let lit = pointed.map_or_else(|| phases(stage.lines.clone()), |phase| vec![phase]);
        Self { done, lit, stage: Some(stage) }
    }

    /// Whether this phase is done. One that the algorithm does not name is part of its end.
    #[must_use]
    pub fn shows(&self, phase: Phase) -> bool {
        self.done.as_ref().is_none_or(|done| done.contains(&phase))
    }

    /// Whether what line `number` of the algorithm comes to is known by now: its phase is done, or it is done in this doubling of a tree.
    #[must_use]
    pub fn tells(&self, number: usize, phase: Phase) -> bool {
        let grows = |stage: &Stage| stage.doublings.is_some() && number < stage.lines.end;
        self.shows(phase) || self.stage.as_ref().is_some_and(grows)
    }

    /// Whether a line of the algorithm is lit.
    #[must_use]
    pub fn lights_line(&self, number: usize, phase: Phase) -> bool {
        match &self.stage {
            Some(stage) if stage.lines.contains(&number) => true,
            _ => self.stage.is_none() && self.lights(phase),
        }
    }

    /// Whether a phase is lit.
    #[must_use]
    pub fn lights(&self, phase: Phase) -> bool {
        self.lit.contains(&phase)
    }

    /// Whether what is drawn of a phase steps back behind what is lit.
    #[must_use]
    pub fn is_faint(&self, phase: Phase) -> bool {
        let drawn = |lit: &Phase| match lit {
            Phase::Ratio | Phase::Decision => Some(Phase::Proposal),
            Phase::Gradient | Phase::Noise | Phase::Carried | Phase::Path | Phase::Proposal | Phase::Exchange => {
                Some(*lit)
            }
            _ => None,
        };
        let mut lit = self.lit.iter().filter_map(drawn).peekable();
        lit.peek().is_some() && lit.all(|lit| lit != phase)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::math::Point;
    use samplers::methods::{Doubling, METHODS, Trajectory};

    const FINISHED: Doubling = Doubling {
        forward: true,
        first: 1,
        finished: true,
        taken: false,
        chosen: 0,
        velocities: [Point::new(0.0, 0.0); 2],
        products: [1.0; 2],
    };

    fn of(name: &str) -> &'static Algorithm {
        algorithm(METHODS.iter().find(|method| method.name == name).unwrap())
    }

    #[test]
    fn parts_come_one_after_the_other_and_the_end_shows_all() {
        let sgld = of("sgld");
        let at = |stage| Reveal::of(Some(sgld), None, Some(stage), None);
        assert!(at(0).shows(Phase::Gradient) && !at(0).shows(Phase::Noise) && !at(0).shows(Phase::Move));
        assert!(at(1).shows(Phase::Gradient) && at(1).shows(Phase::Noise));
        assert!(at(1).is_faint(Phase::Gradient) && !at(1).is_faint(Phase::Noise));
        for whole in [at(2), at(7), Reveal::default()] {
            assert!(Phase::ALL.into_iter().all(|phase| whole.shows(phase) && !whole.is_faint(phase)));
        }
        assert!(at(0).lights_line(0, Phase::Gradient) && !at(0).lights_line(1, Phase::Noise));
    }

    /// Of Gibbs sampling: lines 3 to 5 where the conditional is known, line 2 where it is not, and all where one is and the other is not.
    #[test]
    fn lines_that_a_step_leaves_out_are_not_gone_through() {
        let gibbs = of("gibbs");
        let lit = |left_out| {
            let record = StepRecord { left_out, ..StepRecord::default() };
            stages(gibbs, Some(&record)).into_iter().map(|stage| stage.lines.start).collect::<Vec<_>>()
        };
        assert_eq!(lit(&[Phase::Ratio, Phase::Path, Phase::Proposal]), [0, 1, 5]);
        assert_eq!(lit(&[Phase::Noise]), [0, 2, 3, 4, 5]);
        assert_eq!(lit(&[]), [0, 1, 2, 3, 4, 5]);
        let sliced = StepRecord { left_out: &[Phase::Noise], ..StepRecord::default() };
        let at = |stage| Reveal::of(Some(gibbs), Some(&sliced), Some(stage), None);
        assert!(at(1).shows(Phase::Ratio) && !at(1).shows(Phase::Noise) && !at(1).shows(Phase::Move));
        assert!(at(4).shows(Phase::Move));
    }

    #[test]
    fn what_is_pointed_at_is_lit() {
        let pointed = Reveal::of(Some(of("random-walk")), None, None, Some(Phase::Ratio));
        assert!(!pointed.is_faint(Phase::Proposal) && pointed.is_faint(Phase::Noise), "the ratio is of the proposal");
        assert!(pointed.lights(Phase::Ratio) && pointed.shows(Phase::Move));
    }

    #[test]
    fn the_draw_of_a_tree_is_not_decided_while_it_grows() {
        let tree = Trajectory { doublings: vec![FINISHED; 2], ..Trajectory::default() };
        let record = StepRecord { trajectory: Some(Box::new(tree)), ..StepRecord::default() };
        let nuts = of("nuts");
        let last = stages(nuts, Some(&record)).len() - 1;
        let at = |stage| Reveal::of(Some(nuts), Some(&record), Some(stage), None);
        assert!((0..last).all(|stage| !at(stage).shows(Phase::Decision) && !at(stage).shows(Phase::Path)));
        assert!(at(last).shows(Phase::Decision) && at(last - 1).shows(Phase::Gradient));
    }

    /// Of a path of 22 leapfrog steps the first is gone through line by line; then it grows, and nothing is proposed before it is whole.
    #[test]
    fn a_path_grows_with_its_leapfrog_steps() {
        let (hmc, one) = (of("hmc"), Point::new(1.0, 0.0));
        let of_length = |leaps: u8| StepRecord {
            path: (0..=leaps).map(|leap| f64::from(leap) * one).collect(),
            momentum: Some(one),
            ..StepRecord::default()
        };
        let record = of_length(22);
        let all = stages(hmc, Some(&record));
        let grown: Vec<usize> = all.iter().filter_map(|stage| stage.leaps).collect();
        assert_eq!(grown, [0, 0, 0, 1, 1, 3, 6, 8, 11, 14, 16, 19, 22]);
        let at = |stage| Reveal::of(Some(hmc), Some(&record), Some(stage), None);
        assert!(
            (0..grown.len()).all(|stage| !at(stage).shows(Phase::Proposal)),
            "the end is proposed when it is there"
        );
        assert!(at(grown.len()).shows(Phase::Proposal) && at(all.len() - 1).shows(Phase::Move));
        let leaps = |leaps| stages(hmc, Some(&of_length(leaps))).iter().filter_map(|stage| stage.leaps).max();
        assert_eq!([1, 2, 9, 10].map(leaps), [1, 2, 9, 10].map(Some));
    }

    #[test]
    fn a_tree_grows_doubling_by_doubling() {
        let doublings = vec![FINISHED, FINISHED, Doubling::default()];
        let tree = Trajectory { doublings, ..Trajectory::default() };
        let record = StepRecord { trajectory: Some(Box::new(tree)), ..StepRecord::default() };
        let nuts = of("nuts");
        let lit: Vec<_> = stages(nuts, Some(&record))
            .into_iter()
            .map(|stage| (stage.lines.start, stage.lines.end, stage.doublings))
            .collect();
        let doubling =
            |number| [(2, 3, Some(number - 1)), (3, 7, Some(number)), (7, 8, Some(number)), (8, 9, Some(number))];
        let mut expected = vec![(0, 1, Some(0)), (1, 2, Some(0))];
        expected.extend(doubling(1).into_iter().chain(doubling(2)));
        // The third half is dropped.
        expected.extend([(2, 3, Some(2)), (3, 7, Some(3)), (9, 10, None)]);
        assert_eq!(lit, expected);
    }
}
