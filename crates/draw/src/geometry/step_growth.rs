//! The numbers of a step while its tree or its path grows: what each line of the loop comes to in the doubling, or in the leapfrog step, that is shown.

use super::step_stages::{Stage, growing};
use super::step_words::{point, short, term, why_stopped};
use crate::words::numbers::counted;
use samplers::methods::{Algorithm, Phase, StepRecord, Stop, Trajectory};

/// What a line of the loop that builds a tree does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Role {
    /// Chooses the direction.
    Coin,
    /// Takes leapfrog steps.
    Leap,
    /// Compares energies.
    Energy,
    /// Chooses among the points of the new half.
    Candidate,
    /// Looks for turns within the new half.
    Parts,
    /// Moves the draw.
    Draw,
    /// Joins the halves.
    Join,
}

/// The role of a line.
fn role(algorithm: &Algorithm, number: usize) -> Option<Role> {
    let grows = growing(algorithm).filter(|grows| grows.contains(&number))?;
    let line = &algorithm.lines[number];
    let mut before = algorithm.lines[grows.start..number].iter();
    let again = before.any(|other| (other.phase, other.loops) == (line.phase, line.loops));
    Some(match (line.phase, line.loops > 1, again) {
        (Phase::Path, false, false) => Role::Coin,
        (Phase::Gradient, true, _) => Role::Leap,
        (Phase::Ratio, true, false) => Role::Energy,
        (Phase::Decision, true, _) => Role::Candidate,
        (Phase::Ratio, true, true) => Role::Parts,
        (Phase::Decision, false, _) => Role::Draw,
        (Phase::Path, false, true) => Role::Join,
        _ => return None,
    })
}

/// Whether a line tells something of its own at a stage: it is of the loop that builds a tree or a path, which is not whole yet.
pub(super) fn tells(algorithm: &Algorithm, record: &StepRecord, (number, stage): (usize, &Stage)) -> bool {
    let in_loop = growing(algorithm).is_some_and(|grows| grows.contains(&number));
    let grows = stage.doublings.is_some() && record.trajectory.is_some() || stage.leaps.is_some();
    in_loop && grows
}

/// What line `number` of the loop comes to at a stage; nothing before it is carried out there. `usual` is what it comes to in a whole step.
pub(super) fn numbers(
    algorithm: &Algorithm,
    record: &StepRecord,
    (number, stage): (usize, &Stage),
    dimension: usize,
    usual: impl FnOnce() -> Option<String>,
) -> Option<String> {
    if number >= stage.lines.end {
        return None;
    }
    if let Some(leaps) = stage.leaps {
        // The slope is that of the first leapfrog step.
        return match algorithm.lines[number].phase {
            Phase::Path => of_path(algorithm, record, leaps, dimension),
            _ if leaps > 1 => None,
            _ => usual(),
        };
    }
    let tree = record.trajectory.as_deref()?;
    let begins = growing(algorithm)?.start == stage.lines.start;
    let newest = if begins { stage.doublings? } else { stage.doublings?.checked_sub(1)? };
    of_tree(tree, newest, role(algorithm, number)?, dimension)
}

/// Where a path has come to.
fn of_path(algorithm: &Algorithm, record: &StepRecord, leaps: usize, dimension: usize) -> Option<String> {
    let at = record.path.get(leaps).filter(|_| leaps > 0)?;
    let (name, all) = (term(algorithm, Phase::Proposal), record.path.len() - 1);
    Some(format!("{name} = {}, leapfrog step {leaps} of {all}", point(*at, dimension)))
}

/// What a line comes to in doubling number `newest`, from 0.
fn of_tree(tree: &Trajectory, newest: usize, role: Role, dimension: usize) -> Option<String> {
    let doubling = tree.doublings.get(newest)?;
    let until = tree.doublings.get(newest + 1).map_or(tree.leaves.len(), |next| next.first);
    let half = tree.leaves.get(doubling.first..until)?;
    let weights = |of: &[samplers::methods::Leaf]| of.iter().map(|leaf| leaf.log_weight.exp()).sum::<f64>();
    let diverged = !doubling.finished && tree.stop == Stop::Divergence;
    Some(match role {
        Role::Coin => {
            let end = if doubling.forward { "end" } else { "start" };
            format!("doubling {}: at its {end}, {}", newest + 1, counted(1 << newest, "point"))
        }
        Role::Leap => {
            let last = half.last()?;
            format!("{}, to {}", counted(half.len() as u64, "leapfrog step"), point(last.at, dimension))
        }
        Role::Energy if diverged => "H′ − H above 1000: the half does not count".to_owned(),
        Role::Energy => {
            let largest = half.iter().map(|leaf| -leaf.log_weight).fold(f64::NEG_INFINITY, f64::max);
            format!("H′ − H at most {}", short(largest))
        }
        Role::Candidate => format!("weight of the new half {}", short(weights(half))),
        Role::Parts if diverged => return None,
        Role::Parts if doubling.finished => "no part turns back".to_owned(),
        Role::Parts => "a part turns back: the half does not count".to_owned(),
        Role::Draw => {
            let probability = (weights(half) / weights(tree.leaves.get(..doubling.first)?)).min(1.0);
            let moves = if doubling.taken { format!("moves to point {}", doubling.chosen) } else { "stays".to_owned() };
            format!("probability {}: the draw {moves}", short(probability))
        }
        Role::Join => {
            let [back, forth] = doubling.products.map(short);
            let goes = if newest + 1 < tree.doublings.len() { "the path goes on" } else { why_stopped(tree.stop) };
            format!("ρ·r₋ = {back}, ρ·r₊ = {forth}: {goes}")
        }
    })
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::geometry::{algorithm_of, numbers_of_line, stages};
    use engine::scenario::read;
    use engine::session::{Frame, Session};

    fn after(method: &str, steps: u64) -> Frame {
        let text = format!(
            "format = 1\ntitle = \"Step\"\nseed = 5\n[target]\nkind = \"gaussian\"\n[[run]]\nname = \"A\"\nmethod = \"{method}\"\nsteps = 1000\n\
             step_size = {{ kind = \"constant\", value = 0.1 }}\n"
        );
        let mut session = Session::new(read(&text, "test", Path::new(".")).unwrap()).unwrap();
        session.advance(steps);
        session.frame()
    }

    /// What stands beside the lines at every stage, by the numbers of the lines.
    fn told(frame: &Frame) -> Vec<(Stage, Vec<Option<String>>)> {
        let run = &frame.runs[0];
        let algorithm = algorithm_of(frame, run).unwrap();
        let at = |stage: &Stage| {
            let line = |number| numbers_of_line(algorithm, (run, 0, 2), (number, Some(stage)));
            (0..algorithm.lines.len()).map(line).collect()
        };
        stages(algorithm, run.records.first()).into_iter().map(|stage| (stage.clone(), at(&stage))).collect()
    }

    /// Each doubling tells its numbers at the lines that make them, and no line before it is carried out.
    #[test]
    fn every_line_of_the_loop_tells_its_number_in_each_doubling() {
        let frame = after("nuts", 4);
        let run = &frame.runs[0];
        let algorithm = algorithm_of(&frame, run).unwrap();
        let tree = run.records[0].trajectory.as_deref().unwrap();
        let grows = growing(algorithm).unwrap();
        let roles: Vec<Role> = grows.clone().filter_map(|number| role(algorithm, number)).collect();
        let expected = [Role::Coin, Role::Leap, Role::Energy, Role::Candidate, Role::Parts, Role::Draw, Role::Join];
        assert_eq!(roles, expected);
        let mut coins = 0;
        for (stage, lines) in told(&frame).iter().filter(|(stage, _)| stage.doublings.is_some()) {
            for number in grows.clone() {
                let done = stage.lines.start >= grows.start && number < stage.lines.end;
                let may_be_silent = matches!(role(algorithm, number), Some(Role::Parts));
                assert!(
                    lines[number].is_some() == done || done && may_be_silent,
                    "{stage:?}, line {number}: {lines:?}"
                );
            }
            coins += usize::from(stage.lines.start == grows.start);
        }
        assert_eq!(coins, tree.doublings.len());
        let all: Vec<String> = told(&frame).into_iter().flat_map(|(_, lines)| lines).flatten().collect();
        let says = |text: &str| all.iter().any(|line| line.contains(text));
        assert!(says("doubling 1: at its ") && says("1 leapfrog step, to (") && says("probability "), "{all:?}");
        let products = tree.doublings[0].products.map(short);
        assert!(says(&format!("ρ·r₋ = {}, ρ·r₊ = {}", products[0], products[1])), "{all:?}");
    }

    /// A path tells where it has come to, and the slope only while that is the first one.
    #[test]
    fn a_path_says_where_it_has_come_to() {
        let frame = after("hmc", 2);
        let record = &frame.runs[0].records[0];
        let leaps = record.path.len() - 1;
        for (stage, lines) in told(&frame) {
            let texts: Vec<String> = lines.into_iter().flatten().collect();
            let here = texts.iter().filter(|text| text.contains("leapfrog step ") && text.starts_with("θ′ = "));
            match stage.leaps {
                Some(leap) if leap > 0 => {
                    let expected = format!("θ′ = {}, leapfrog step {leap} of {leaps}", point(record.path[leap], 2));
                    assert_eq!(here.collect::<Vec<_>>(), [&expected]);
                }
                _ => assert_eq!(here.count(), 0, "{stage:?}: {texts:?}"),
            }
        }
    }
}
