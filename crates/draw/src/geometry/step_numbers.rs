//! The numbers of a step: what a term of its formula, or a line of its algorithm, comes to for one chain.

use crate::words::numbers;
use base::math::Point;
use engine::session::RunFrame;
use samplers::methods::{Algorithm, Line, Phase, StepRecord, Stop};

/// Digits of numbers.
const DIGITS: usize = 4;

/// What stands beside a line that the step had no need of.
const LEFT_OUT: &str = "not in this step";

/// What the newest step of a chain has for a phase, as a line of text; `None` where nothing is known of it.
#[must_use]
pub fn numbers_of(
    algorithm: &Algorithm,
    (run, chain, dimension): (&RunFrame, usize, usize),
    phase: Phase,
) -> Option<String> {
    let record = run.records.get(chain);
    let term = term(algorithm, phase);
    let named = |at: Point| Some(format!("{term} = {}", point(at, dimension)));
    if record.is_some_and(|record| record.left_out.contains(&phase)) {
        return Some(LEFT_OUT.to_owned());
    }
    match phase {
        Phase::Position => named(record?.from),
        // The record of a fit has the way of the mean, not its parts.
        Phase::Gradient | Phase::Noise | Phase::Carried if run.fits.is_some() => None,
        Phase::Gradient => {
            let [full, error] = record?.terms().gradient.filter(|[full, error]| full + error != Point::zeros())?;
            let noise =
                (error != Point::zeros()).then(|| format!(", of which {} is gradient noise", point(error, dimension)));
            Some(format!("{term} = {}{}", point(full + error, dimension), noise.unwrap_or_default()))
        }
        Phase::Noise => named(record?.terms().noise.filter(|noise| *noise != Point::zeros())?),
        Phase::Carried => named(record?.terms().carried.filter(|carried| *carried != Point::zeros())?),
        Phase::Path => path(record?),
        Phase::Proposal => named(record?.proposal?.at),
        Phase::Ratio => {
            let proposal = record?.proposal?;
            let (ratio, probability) = (short(proposal.log_ratio), short(proposal.probability));
            Some(format!("log ratio = {ratio}, probability {probability}"))
        }
        Phase::Decision => decision(record?),
        Phase::Exchange => {
            let rungs = &record.filter(|record| !record.rungs.is_empty())?.rungs;
            let swapped = rungs.iter().filter(|rung| rung.swapped == Some(true)).count();
            let proposed = rungs.iter().filter(|rung| rung.swapped.is_some()).count();
            Some(format!("{swapped} of {proposed} proposed exchanges"))
        }
        Phase::Fit | Phase::Estimate => fit(run, chain, dimension, phase),
        Phase::Adapt => adapted(record),
        Phase::Data => None,
        Phase::Move => Some(format!("new θ = {}", point(record?.to, dimension))),
    }
}

/// The term of a formula that is about a phase, or a word in its place.
fn term(algorithm: &Algorithm, phase: Phase) -> &'static str {
    let of_phase = algorithm.formulas.iter().flatten().find(|piece| piece.phase == Some(phase));
    of_phase.map_or(phase.name(), |piece| piece.text)
}

fn path(record: &StepRecord) -> Option<String> {
    let counted = |count: usize, what: &str| numbers::counted(count as u64, what);
    let Some(tree) = record.trajectory.as_deref() else {
        let steps = record.follows_momentum().then(|| record.path.len() - 1)?;
        return Some(counted(steps, "leapfrog step"));
    };
    let [back, forth] = tree.products.map(short);
    Some(format!(
        "{}, {}; ρ·r⁻ = {back}, ρ·r⁺ = {forth}; stopped: {}",
        counted(tree.depth(), "doubling"),
        counted(tree.leapfrog_steps(), "leapfrog step"),
        why_stopped(tree.stop)
    ))
}

/// Whether what a phase comes to stands beside line `number` of an algorithm: once, where it begins. What a tree comes to, and which of its
/// points is drawn, is known where it ends.
#[must_use]
pub fn tells_numbers(algorithm: &Algorithm, record: Option<&StepRecord>, number: usize) -> bool {
    let Some(line) = algorithm.lines.get(number) else { return false };
    let is_same = |other: &Line| other.phase == line.phase;
    let has_tree = record.is_some_and(|record| record.trajectory.is_some());
    if has_tree && matches!(line.phase, Phase::Path | Phase::Decision) {
        !algorithm.lines[number + 1..].iter().any(is_same)
    } else {
        !algorithm.lines[..number].iter().any(is_same)
    }
}

/// Why a tree of NUTS grows no further.
#[must_use]
pub fn why_stopped(stop: Stop) -> &'static str {
    match stop {
        Stop::Turn => "the ends turn towards each other",
        Stop::TurnWithin => "the ends of a part of the newest subtree turn towards each other",
        Stop::Divergence => "the energy error is above 1000",
        Stop::Depth => "the tree has its largest depth",
    }
}

fn decision(record: &StepRecord) -> Option<String> {
    if let Some(tree) = record.trajectory.as_deref() {
        return Some(match tree.chosen {
            0 => "the point where the path begins".to_owned(),
            chosen => format!("point {chosen} of {}", tree.leapfrog_steps()),
        });
    }
    let proposal = record.proposal?;
    let (uniform, probability) = (short(proposal.uniform), short(proposal.probability));
    let (sign, word) = if proposal.accepted { ("<", "accepted") } else { ("≥", "rejected") };
    Some(format!("u = {uniform} {sign} {probability}: {word}"))
}

/// What NUTS adapts.
fn adapted(record: Option<&StepRecord>) -> Option<String> {
    let tree = record?.trajectory.as_deref()?;
    let left = tree.warm_up_left.map(|left| format!(", {left} steps of the warm-up left")).unwrap_or_default();
    Some(format!("h = {}{left}", short(tree.step_size)))
}

/// The fitted distribution after the step, in θ.
fn fit(run: &RunFrame, chain: usize, dimension: usize, phase: Phase) -> Option<String> {
    let fits = run.fits.as_ref()?;
    if phase == Phase::Estimate {
        return fits.records.get(chain)?.elbo.map(|elbo| format!("ELBO {}", short(elbo.value)));
    }
    let moments = fits.moments.as_ref()?;
    let covariance = moments.covariance;
    let sd = |axis: usize| covariance[(axis, axis)].max(0.0).sqrt();
    let mean = point(moments.mean, dimension);
    Some(format!("mean {mean}, sd {}", point(Point::new(sd(0), sd(1)), dimension)))
}

fn point(at: Point, dimension: usize) -> String {
    if dimension == 1 { short(at.x) } else { format!("({}, {})", short(at.x), short(at.y)) }
}

fn short(number: f64) -> String {
    numbers::significant(number, DIGITS)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::geometry::algorithm_of;
    use engine::scenario::read;
    use engine::session::{Frame, Session};
    use samplers::methods::{METHODS, fits};

    /// A run after some steps, on a round Gaussian: the slope of its log density at θ is −θ.
    fn after(method: &str, lines: &str, steps: u64) -> Frame {
        let text = format!(
            "format = 1\ntitle = \"Step\"\nseed = 5\n[target]\nkind = \"gaussian\"\nsd = [1.0, 1.0]\ncorrelation = 0.0\n[[run]]\nname = \"A\"\n\
             method = \"{method}\"\nsteps = 1000\nstart = {{ kind = \"point\", x = 2.0, y = -1.0 }}\n{lines}"
        );
        let mut session = Session::new(read(&text, "test", Path::new(".")).unwrap()).unwrap();
        session.advance(steps);
        session.frame()
    }

    /// The two numbers that are printed beside a term.
    fn printed(frame: &Frame, phase: Phase) -> Point {
        let run = &frame.runs[0];
        let text = numbers_of(algorithm_of(frame, run).unwrap(), (run, 0, 2), phase).unwrap();
        let inside = text.split_once("= (").unwrap().1.split_once(')').unwrap().0;
        let [x, y] = [0, 1].map(|axis: usize| numbers::parse(inside.split(", ").nth(axis).unwrap()).unwrap());
        Point::new(x, y)
    }

    /// Four digits are printed of each number.
    fn agree(printed: Point, expected: Point, what: &str) {
        for axis in 0..2 {
            let (printed, expected) = (printed[axis], expected[axis]);
            assert!((printed - expected).abs() <= 6e-4 * expected.abs() + 1e-12, "{what}: {printed} and {expected}");
        }
    }

    const STEP: &str = "step_size = { kind = \"constant\", value = 0.1 }\n";

    /// What stands beside a term is the term, not the displacement by it: recomputed from the positions before and after.
    #[test]
    fn numbers_are_those_of_the_terms() {
        let slope = |at: Point| -at;
        for (method, share) in
            [("gradient-descent", 0.1), ("langevin", 0.1), ("mala", 0.1), ("sghmc", 0.1), ("sgnht", 0.1)]
        {
            for steps in 1..4 {
                let frame = after(method, STEP, steps);
                let from = frame.runs[0].records[0].from;
                agree(printed(&frame, Phase::Gradient), share * slope(from), &format!("{method}, step {steps}"));
            }
        }
        for (method, reach) in [("sghmc", 1.0), ("sgnht", 0.1)] {
            let frame = after(method, STEP, 3);
            let record = &frame.runs[0].records[0];
            let all = [Phase::Carried, Phase::Gradient, Phase::Noise].map(|phase| printed(&frame, phase));
            let momentum = (record.to - record.from) / reach;
            assert!((all.iter().sum::<Point>() - momentum).norm() < 1e-3 * momentum.norm(), "{method}: {all:?}");
        }
        let frame = after("adam", "step_size = { kind = \"constant\", value = 0.01 }\n", 1);
        agree(printed(&frame, Phase::Gradient), 0.1 * slope(frame.runs[0].records[0].from), "adam");
    }

    #[test]
    fn numbers_of_paths_are_those_of_their_first_leapfrog_step() {
        let adapts = "adapt_step_size = true\nmass = \"unit\"\nwarm_up = 50\ncollect = { burn_in = 50 }\n";
        for lines in [STEP.to_owned() + "leapfrog_steps = 5\n", STEP.to_owned() + adapts] {
            let frame = after("hmc", &lines, 60);
            let record = &frame.runs[0].records[0];
            let h = record.step_size.unwrap_or(0.1);
            let kick = -0.5 * h * record.from;
            agree(printed(&frame, Phase::Gradient), kick, "hmc");
            agree(printed(&frame, Phase::Noise), (record.path[1] - record.from) / h - kick, "hmc");
        }
        let mut other = false;
        for steps in 60..64 {
            let frame = after("nuts", &(STEP.to_owned() + adapts), steps);
            let record = &frame.runs[0].records[0];
            let tree = record.trajectory.as_deref().unwrap();
            let h = record.step_size.unwrap();
            other |= (h - 0.1).abs() > 1e-3;
            let time = if tree.doublings[0].forward { h } else { -h };
            agree(printed(&frame, Phase::Gradient), -0.5 * h * record.from, "nuts");
            let momentum = (tree.leaves[1].at - record.from) / time + 0.5 * time * record.from;
            agree(printed(&frame, Phase::Noise), momentum, "nuts");
        }
        assert!(other, "a step size that is adapted is another one");
    }

    /// Barker's gradient term is a probability, and Gibbs draws say nothing of a displacement.
    #[test]
    fn terms_that_are_no_displacements_say_what_they_are() {
        let frame = after("barker", STEP, 3);
        let record = &frame.runs[0].records[0];
        let z = printed(&frame, Phase::Noise);
        let way = record.proposal.unwrap().at - record.from;
        agree(z.map(f64::abs), way.map(f64::abs), "barker");
        let chance = |axis: usize| 1.0 / (1.0 + (z[axis] * record.from[axis]).exp());
        agree(printed(&frame, Phase::Gradient), Point::new(chance(0), chance(1)), "barker");
        let frame = after("gibbs", "", 3);
        let run = &frame.runs[0];
        assert_eq!(numbers_of(algorithm_of(&frame, run).unwrap(), (run, 0, 2), Phase::Noise), None);
    }

    /// A Gaussian has closed conditionals, so that a step has no slices, nor a path that is integrated; on a banana y has one, x has none.
    #[test]
    fn a_step_of_gibbs_sampling_says_what_it_leaves_out() {
        let told = |frame: &Frame, phase| {
            let run = &frame.runs[0];
            numbers_of(algorithm_of(frame, run).unwrap(), (run, 0, 2), phase)
        };
        let closed = after("gibbs", "", 3);
        for phase in [Phase::Ratio, Phase::Path, Phase::Proposal] {
            assert_eq!(told(&closed, phase).as_deref(), Some(LEFT_OUT), "{phase}");
        }
        assert!(told(&closed, Phase::Move).unwrap().starts_with("new θ = "));
        let text = "format = 1\ntitle = \"Step\"\nseed = 5\n[target]\nkind = \"formula\"\ndensity = \"−x² − y²\"\nparameters = {}\n[[run]]\nname = \"A\"\n\
                    method = \"gibbs\"\nsteps = 100\n";
        let mut session = Session::new(read(text, "test", Path::new(".")).unwrap()).unwrap();
        session.advance(3);
        let sliced = session.frame();
        assert_eq!(told(&sliced, Phase::Noise).as_deref(), Some(LEFT_OUT));
        assert_eq!(told(&sliced, Phase::Path), None, "an interval is no path of leapfrog steps");
    }

    /// Of every sampler and optimiser whose parts are displacements: what is shown is what was recorded, to the last digit that is shown, and
    /// leads from the position before the step to the one after it, or to what is proposed.
    #[test]
    fn the_numbers_that_are_shown_add_up_to_the_step() {
        /// Half a unit of the last of four digits, as a share of the number, and a little for what is recorded.
        const UNIT: f64 = 5.01e-4;
        let made = |method: &str, steps: u64| {
            let text = format!(
                "format = 1\ntitle = \"Step\"\nseed = 5\n[target]\nkind = \"gaussian\"\n[[run]]\nname = \"A\"\nmethod = \"{method}\"\n"
            );
            let mut session = Session::new(read(&text, "test", Path::new(".")).ok()?).ok()?;
            session.advance(steps);
            Some(session.frame())
        };
        let mut methods = Vec::new();
        for kind in METHODS.iter().filter(|kind| !fits(kind)) {
            for steps in [1, 2, 3, 9] {
                let Some(frame) = made(kind.name, steps) else { continue };
                let run = &frame.runs[0];
                let (algorithm, record) = (algorithm_of(&frame, run).unwrap(), &run.records[0]);
                let told = |phase| numbers_of(algorithm, (run, 0, 2), phase);
                let (to, case) = (format!("new θ = {}", point(record.to, 2)), format!("{}, step {steps}", kind.name));
                assert_eq!(told(Phase::Move), Some(to), "{case}");
                if let Some(proposal) = record.proposal.filter(|_| told(Phase::Proposal).as_deref() != Some(LEFT_OUT)) {
                    assert!(told(Phase::Proposal).unwrap().ends_with(&point(proposal.at, 2)), "{case}");
                }
                if record.terms.is_some() || record.trajectory.is_some() || run.fits.is_some() {
                    continue;
                }
                let parts = [
                    (Phase::Carried, record.carried),
                    (Phase::Gradient, record.drift + record.gradient_noise),
                    (Phase::Noise, record.injected_noise),
                ];
                let (mut tip, mut rounding) = (record.from, Point::repeat(1e-12));
                for (phase, part) in parts {
                    let shown = told(phase).map_or(Point::zeros(), |_| printed(&frame, phase));
                    assert_eq!(told(phase).is_some(), part != Point::zeros(), "{case}: {phase}");
                    assert!(told(phase).is_none_or(|text| text.contains(&point(part, 2))), "{case}: {phase}");
                    tip += shown;
                    rounding += UNIT * part.abs();
                }
                let whole = record.proposal.map_or(record.to, |proposal| proposal.at);
                let away = (tip - whole).abs();
                assert!(away.x <= rounding.x && away.y <= rounding.y, "{case}: {away:?} above {rounding:?}");
                methods.push(kind.name);
            }
        }
        methods.dedup();
        assert!(methods.len() >= 9, "{methods:?}");
    }

    /// Of the No-U-Turn sampler the tree is told where its halves are joined, and the point where the draw moves; the noise at the first line.
    #[test]
    fn what_a_tree_comes_to_stands_where_it_ends() {
        let frame = after("nuts", STEP, 3);
        let run = &frame.runs[0];
        let algorithm = algorithm_of(&frame, run).unwrap();
        let told = |record| {
            let lines = algorithm.lines.iter().enumerate();
            lines
                .filter(|(number, _)| tells_numbers(algorithm, record, *number))
                .map(|(_, line)| line)
                .collect::<Vec<_>>()
        };
        let with_tree = told(run.records.first());
        let of = |phase: Phase| with_tree.iter().find(|line| line.phase == phase).unwrap().words;
        assert!(of(Phase::Path).starts_with("Join the two halves") && of(Phase::Decision).starts_with("Move the draw"));
        assert_eq!(with_tree.len(), told(None).len());
        let path = numbers_of(algorithm, (run, 0, 2), Phase::Path).unwrap();
        let tree = run.records[0].trajectory.as_deref().unwrap();
        assert!(
            path.ends_with(&format!("; stopped: {}", why_stopped(tree.stop))) && !path.contains("1 doublings"),
            "{path}"
        );
    }
}
