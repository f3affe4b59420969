//! The numbers of a step: what a term of its formula, or a line of its algorithm, comes to for one chain.

use super::step_growth;
use super::step_stages::Stage;
use super::step_words::{point, short, term, why_stopped};
use crate::words::numbers;
use base::math::Point;
use engine::session::RunFrame;
use samplers::methods::{Algorithm, Line, NamedTerm, Phase, StepRecord, TermValue};

/// What stands beside a line that the step had no need of.
const LEFT_OUT: &str = "not in this step";

/// What distinguishes the vectors of a list.
const NUMBERED: [&str; 2] = ["₁", "₂"];

/// What stands beside line `number` of an algorithm: what its phase comes to, where that is told there; and beside the first line where the chain
/// is, if no line is about that. While a tree or a path grows, until some stage, each line tells what it comes to there.
#[must_use]
pub fn numbers_of_line(
    algorithm: &Algorithm,
    (run, chain, dimension): (&RunFrame, usize, usize),
    (number, stage): (usize, Option<&Stage>),
) -> Option<String> {
    let record = run.records.get(chain);
    let phase = algorithm.lines.get(number)?.phase;
    let has_position = algorithm.lines.iter().any(|line| line.phase == Phase::Position);
    let begin = record.filter(|_| number == 0 && !has_position);
    let begin = begin.map(|record| format!("{} = {}", position(algorithm), point(record.from, dimension)));
    let usual = || {
        let numbers = numbers_of(algorithm, (run, chain, dimension), phase);
        numbers.filter(|_| tells_numbers(algorithm, record, number))
    };
    let growth = stage.zip(record).filter(|(stage, record)| step_growth::tells(algorithm, record, (number, *stage)));
    let numbers = match growth {
        Some((stage, record)) => step_growth::numbers(algorithm, record, (number, stage), dimension, usual),
        None => usual(),
    };
    let parts: Vec<String> = begin.into_iter().chain(numbers).collect();
    (!parts.is_empty()).then(|| parts.join("; "))
}

/// The symbol of where the chain is.
fn position(algorithm: &Algorithm) -> &'static str {
    let of_phase = algorithm.symbols.iter().find(|symbol| symbol.phase == Some(Phase::Position));
    of_phase.map_or("θ", |symbol| symbol.name)
}

/// What the newest step of a chain has for a phase, as a line of text; `None` where nothing is known of it.
#[must_use]
pub fn numbers_of(
    algorithm: &Algorithm,
    (run, chain, dimension): (&RunFrame, usize, usize),
    phase: Phase,
) -> Option<String> {
    let record = run.records.get(chain);
    if let Some(told) = record.and_then(|record| told(record, phase, dimension)) {
        let in_theta = fit(run, chain, dimension)
            .filter(|_| phase == Phase::Fit && record.is_some_and(|record| record.told_in_open));
        return Some(told + &in_theta.map(|fit| format!("; in θ: {fit}")).unwrap_or_default());
    }
    let term = term(algorithm, phase);
    let named = |at: Point| Some(format!("{term} = {}", point(at, dimension)));
    if record.is_some_and(|record| record.left_out.contains(&phase)) {
        return Some(LEFT_OUT.to_owned());
    }
    match phase {
        Phase::Position => named(record?.from),
        Phase::Gradient => {
            let [full, error] = record?.terms().gradient?;
            let noise =
                (error != Point::zeros()).then(|| format!(", of which {} is gradient noise", point(error, dimension)));
            Some(format!("{term} = {}{}", point(full + error, dimension), noise.unwrap_or_default()))
        }
        Phase::Noise => named(record?.terms().noise?),
        Phase::Carried => named(record?.terms().carried?),
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
        Phase::Fit => fit(run, chain, dimension),
        Phase::Adapt => adapted(record),
        Phase::Data | Phase::Estimate => None,
        Phase::Move => Some(format!("new θ = {}", point(record?.to, dimension))),
    }
}

fn path(record: &StepRecord) -> Option<String> {
    let counted = |count: usize, what: &str| numbers::counted(count as u64, what);
    let Some(tree) = record.trajectory.as_deref() else {
        let steps = record.follows_momentum().then(|| record.path.len() - 1)?;
        return Some(counted(steps, "leapfrog step"));
    };
    let [back, forth] = tree.products.map(short);
    Some(format!(
        "{}, {}; ρ·r₋ = {back}, ρ·r₊ = {forth}; stopped: {}",
        counted(tree.depth(), "doubling"),
        counted(tree.leapfrog_steps(), "leapfrog step"),
        why_stopped(tree.stop)
    ))
}

/// Whether what a phase comes to stands beside line `number` of an algorithm: once, where it begins. What a tree comes to, and which of its
/// points is drawn, is known where it ends.
fn tells_numbers(algorithm: &Algorithm, record: Option<&StepRecord>, number: usize) -> bool {
    let Some(line) = algorithm.lines.get(number) else { return false };
    let is_same = |other: &Line| other.phase == line.phase;
    let has_tree = record.is_some_and(|record| record.trajectory.is_some());
    if has_tree && matches!(line.phase, Phase::Path | Phase::Decision) {
        !algorithm.lines[number + 1..].iter().any(is_same)
    } else {
        !algorithm.lines[..number].iter().any(is_same)
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

/// What the method tells by name of a phase; `None` if it tells nothing of it.
fn told(record: &StepRecord, phase: Phase, dimension: usize) -> Option<String> {
    let terms = record.told.iter().filter(|term| term.phase == phase);
    let mut parts: Vec<String> = terms.map(|term| named_term(term, dimension)).collect();
    if parts.is_empty() {
        return None;
    }
    if phase == Phase::Position && record.told_in_open {
        parts.push("of log θ or logit θ".to_owned());
    }
    Some(parts.join(", "))
}

fn named_term(NamedTerm { name, value, .. }: &NamedTerm, dimension: usize) -> String {
    let listed = |numbers: &[f64]| numbers.iter().copied().map(short).collect::<Vec<_>>().join(", ");
    let text = match value {
        TermValue::Words(words) => return (*words).to_owned(),
        TermValue::Vectors(first, count) => {
            let named = |(number, at): (&str, &Point)| format!("{name}{number} = {}", point(*at, dimension));
            let all = NUMBERED.into_iter().zip(first).map(named).collect::<Vec<_>>().join(", ");
            return if *count > first.len() { format!("{all} and so on, {count} in all") } else { all };
        }
        TermValue::Number(number) => short(*number),
        TermValue::Count(count) => numbers::count(*count),
        TermValue::Vector(at) => point(*at, dimension),
        TermValue::Matrix(matrix) if dimension == 1 => short(matrix.m11),
        TermValue::Matrix(matrix) => {
            format!("({}; {})", listed(&[matrix.m11, matrix.m12]), listed(&[matrix.m21, matrix.m22]))
        }
        TermValue::Indices(first, [count, of]) => {
            let first = first.iter().map(u32::to_string).collect::<Vec<_>>().join(", ");
            format!("{first} ({count} of {of})")
        }
        TermValue::Numbers(numbers) => format!("({})", listed(numbers)),
    };
    format!("{name} = {text}")
}

/// The fitted distribution after the step, in θ.
fn fit(run: &RunFrame, chain: usize, dimension: usize) -> Option<String> {
    let fits = run.fits.as_ref().filter(|fits| chain < fits.records.len())?;
    let moments = fits.moments.as_ref()?;
    let covariance = moments.covariance;
    let sd = |axis: usize| covariance[(axis, axis)].max(0.0).sqrt();
    let mean = point(moments.mean, dimension);
    Some(format!("mean {mean}, sd {}", point(Point::new(sd(0), sd(1)), dimension)))
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::geometry::{Part, algorithm_of};
    use base::math::Matrix;
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
                    assert!(told(phase).is_some() || part == Point::zeros(), "{case}: {phase}");
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

    /// A run on a target after some steps.
    fn on(target: &str, method: &str, lines: &str, steps: u64) -> Frame {
        let text = format!(
            "format = 1\ntitle = \"Step\"\nseed = 5\n[target]\n{target}\n[[run]]\nname = \"A\"\nmethod = \"{method}\"\nsteps = 1000\n{lines}"
        );
        let mut session = Session::new(read(&text, "test", Path::new(".")).unwrap()).unwrap();
        session.advance(steps);
        session.frame()
    }

    const SLANTED: &str = "kind = \"gaussian\"\nsd = [1.0, 0.8]\ncorrelation = 0.6";
    const BANANA: &str = "kind = \"banana\"";
    const AWAY: &str = "start = { kind = \"point\", x = 1.5, y = -1.0 }\n";

    /// What a method has told of a symbol of the newest step.
    fn value(frame: &Frame, phase: Phase, name: &str) -> TermValue {
        let told = &frame.runs[0].records[0].told;
        let found = told.iter().find(|term| term.phase == phase && term.name == name);
        found.unwrap_or_else(|| panic!("nothing is told of {name}: {told:?}")).value.clone()
    }

    fn number(frame: &Frame, phase: Phase, name: &str) -> f64 {
        let TermValue::Number(number) = value(frame, phase, name) else { panic!("{name} is no number") };
        number
    }

    fn vector(frame: &Frame, phase: Phase, name: &str) -> Point {
        let TermValue::Vector(vector) = value(frame, phase, name) else { panic!("{name} is no vector") };
        vector
    }

    fn matrix(frame: &Frame, phase: Phase, name: &str) -> Matrix {
        let TermValue::Matrix(matrix) = value(frame, phase, name) else { panic!("{name} is no matrix") };
        matrix
    }

    /// To the bit: θ and the share s of δ are the next θ. To rounding: δ solves H δ = g where it is whole, and the covariance is the inverse of
    /// the curvature from which the next step is made.
    #[test]
    fn numbers_of_laplace_add_up_to_the_next_iterate() {
        let mut whole = 0;
        for (target, steps) in [(SLANTED, 1..3), (BANANA, 1..9)] {
            for step in steps {
                let frame = on(target, "laplace", AWAY, step);
                let record = &frame.runs[0].records[0];
                let (delta, share) = (vector(&frame, Phase::Proposal, "δ"), number(&frame, Phase::Decision, "s"));
                assert_eq!(record.from + delta * share, record.to, "{target}, step {step}");
                let (slope, curvature) = (vector(&frame, Phase::Gradient, "g"), matrix(&frame, Phase::Estimate, "H"));
                assert_eq!(slope, frame.target.density().unwrap().gradient(record.from));
                let shortened = record.told.iter().filter(|term| term.phase == Phase::Proposal).count() > 1;
                if !shortened {
                    whole += 1;
                    assert!((curvature * delta - slope).norm() <= 1e-10 * slope.norm(), "{target}, step {step}");
                }
                if record.told.iter().any(|term| term.name == "H⁻¹") {
                    let covariance = matrix(&frame, Phase::Fit, "H⁻¹");
                    let next = on(target, "laplace", AWAY, step + 1);
                    let one = covariance * matrix(&next, Phase::Estimate, "H");
                    assert!((one - Matrix::identity()).amax() < 1e-9, "{target}, step {step}: {one}");
                    assert_eq!(vector(&frame, Phase::Fit, "mean"), record.to);
                }
            }
        }
        assert!(whole > 1, "{whole} steps are whole");
    }

    /// To the bit: (1 − ρ) λ + ρ λ̂ is the new λ, and λ̂ is made of the slope and the curvature.
    #[test]
    fn numbers_of_svi_add_up_to_the_new_parameters() {
        for (target, lines, smoothed) in [
            (SLANTED, "", false),
            (BANANA, "", false),
            (SLANTED, "window = 3\n", true),
            (SLANTED, "expectations = { kind = \"quadrature\", nodes = 6 }\n", false),
        ] {
            for step in 2..6 {
                let frame = on(target, "svi", &format!("{AWAY}{lines}"), step);
                let case = format!("{target} {lines} step {step}");
                let names = ["ḡ + Λ̂ m", "Λ̂"];
                let estimate = (vector(&frame, Phase::Estimate, names[0]), matrix(&frame, Phase::Estimate, names[1]));
                let curvature = matrix(&frame, Phase::Gradient, "Λ̂");
                let slope = vector(&frame, Phase::Gradient, "ḡ");
                assert_eq!(slope + curvature * vector(&frame, Phase::Position, "m"), estimate.0, "{case}");
                let averaged = if smoothed {
                    let names = ["smoothed ḡ + Λ̂ m", "smoothed Λ̂"];
                    (vector(&frame, Phase::Estimate, names[0]), matrix(&frame, Phase::Estimate, names[1]))
                } else {
                    estimate
                };
                let rho = number(&frame, Phase::Adapt, "ρ");
                let before = (vector(&frame, Phase::Position, "Λm"), matrix(&frame, Phase::Position, "Λ"));
                let after = (vector(&frame, Phase::Fit, "Λm"), matrix(&frame, Phase::Fit, "Λ"));
                assert_eq!(before.0 * (1.0 - rho) + averaged.0 * rho, after.0, "{case}");
                assert_eq!(before.1 * (1.0 - rho) + averaged.1 * rho, after.1, "{case}");
                assert_eq!(vector(&frame, Phase::Move, "new m"), frame.runs[0].records[0].to, "{case}");
            }
        }
    }

    /// To the bit: the step of Adam leads from the parameters to the new ones; the gradient of the mean is the mean of the slopes.
    #[test]
    fn numbers_of_gaussian_vi_add_up_to_the_new_parameters() {
        let draws = "expectations = { kind = \"monte-carlo\", draws = 2 }\n";
        for family in ["mean-field", "full-rank"] {
            for step in 1..5 {
                let frame = on(SLANTED, "gaussian-vi", &format!("{AWAY}{draws}family = \"{family}\"\n"), step);
                let eta = number(&frame, Phase::Fit, "η");
                let moved = |before: f64, average: f64, square: f64| before + eta * average / (square.sqrt() + 1e-8);
                for (name, average, square) in [("μ", "m̂ of μ", "v̂ of μ"), ("log σ", "m̂ of log σ", "v̂ of log σ")]
                {
                    let before = vector(&frame, Phase::Position, name);
                    let [average, square] = [average, square].map(|name| vector(&frame, Phase::Adapt, name));
                    let expected = [0, 1].map(|axis: usize| moved(before[axis], average[axis], square[axis]));
                    assert_eq!(
                        Point::from(expected),
                        vector(&frame, Phase::Fit, name),
                        "{family}, {name}, step {step}"
                    );
                }
                if family == "full-rank" {
                    let [average, square] = ["m̂ of c", "v̂ of c"].map(|name| number(&frame, Phase::Adapt, name));
                    let expected = moved(number(&frame, Phase::Position, "c"), average, square);
                    assert_eq!(expected.to_bits(), number(&frame, Phase::Fit, "c").to_bits());
                }
                let TermValue::Vectors(slopes, 2) = value(&frame, Phase::Gradient, "g") else { panic!() };
                let mean = (slopes[0] + slopes[1]) * 0.5;
                assert!((vector(&frame, Phase::Estimate, "u by μ") - mean).norm() <= 1e-12 * (1.0 + mean.norm()));
                assert_eq!(vector(&frame, Phase::Move, "new μ"), frame.runs[0].records[0].to);
            }
        }
    }

    /// The new mean has the top of the average along one axis, and along the other the mean that stays; the axes take turns.
    #[test]
    fn numbers_of_coordinate_ascent_say_whose_turn_it_is() {
        for (target, kinds) in
            [(SLANTED, ["top at", "top at"]), ("kind = \"normal-gamma\"", ["top at", "factor of log θ₂"])]
        {
            for step in 1..5 {
                let frame = on(target, "cavi", "", step);
                let run = &frame.runs[0];
                let (record, axis) = (&run.records[0], (step as usize + 1) % 2);
                let text = numbers_of(algorithm_of(&frame, run).unwrap(), (run, 0, 2), Phase::Position).unwrap();
                // A few turns are enough on a Gaussian; then nothing moves.
                if step > 2 && text.starts_with("both") {
                    continue;
                }
                assert!(text.starts_with(["the turn of θ₁", "the turn of θ₂"][axis]), "{step}: {text}");
                let mean = vector(&frame, Phase::Move, "new mean");
                assert_eq!(mean, record.to);
                let found = number(&frame, Phase::Estimate, kinds[axis]);
                if kinds[axis] == "top at" {
                    assert_eq!(found.to_bits(), mean[axis].to_bits());
                    let sd = number(&frame, Phase::Fit, "sd");
                    let curvature = number(&frame, Phase::Estimate, "curvature");
                    assert!((sd * sd * curvature - 1.0).abs() < 1e-14);
                } else {
                    let (shape, rate) = (number(&frame, Phase::Fit, "shape"), number(&frame, Phase::Fit, "rate"));
                    assert!(
                        (shape / rate).to_bits() == mean[axis].to_bits() && (shape - 1.0).to_bits() == found.to_bits()
                    );
                }
                let elbo = run.fits.as_ref().unwrap().records[0].elbo.unwrap();
                assert_eq!(number(&frame, Phase::Fit, "ELBO").to_bits(), elbo.value.to_bits());
            }
        }
    }

    /// Every line of the approximations has its numbers, and what moves the mean has a term in the formula.
    #[test]
    fn every_line_of_an_approximation_has_its_numbers() {
        for method in ["laplace", "gaussian-vi", "svi", "cavi"] {
            for (target, dimension) in [(SLANTED, 2), ("kind = \"normal-gamma\"", 2), ("kind = \"double-well\"", 1)] {
                if method == "cavi" && dimension == 1 {
                    continue;
                }
                let frame = on(target, method, "", 2);
                let run = &frame.runs[0];
                let algorithm = algorithm_of(&frame, run).unwrap();
                for line in &algorithm.lines {
                    let text = numbers_of(algorithm, (run, 0, dimension), line.phase);
                    assert!(text.is_some_and(|text| !text.contains("NaN")), "{method} on {target}: {}", line.words);
                }
                let phase = Part::Drift.phase(&run.records[0]);
                let mut terms = algorithm.formulas.iter().flatten();
                assert!(phase != Phase::Gradient && terms.any(|piece| piece.phase == Some(phase)), "{method}");
            }
        }
        let swag = on(SLANTED, "swag", "burn_in = 2\nevery = 1\n", 6);
        assert_eq!(Part::Drift.phase(&swag.runs[0].records[0]), Phase::Estimate);
        assert_eq!(value(&swag, Phase::Data, "collected"), TermValue::Count(4));
    }

    /// Numbers of a fit are in the coordinates in which it is made, which is said, and its distribution is told in θ too.
    #[test]
    fn numbers_in_other_coordinates_say_so_and_minibatches_are_told() {
        let lines = "gradient = { kind = \"minibatch\", size = 3 }\n";
        let frame = on("kind = \"normal-gamma\"", "svi", lines, 3);
        let run = &frame.runs[0];
        let text = |phase| numbers_of(algorithm_of(&frame, run).unwrap(), (run, 0, 2), phase).unwrap();
        assert!(text(Phase::Position).ends_with("of log θ or logit θ"), "{}", text(Phase::Position));
        assert!(text(Phase::Fit).contains("; in θ: mean ("), "{}", text(Phase::Fit));
        assert!(text(Phase::Gradient).contains("(3 of 10)"), "{}", text(Phase::Gradient));
        assert!(text(Phase::Noise).contains("ξ₁ = (") && text(Phase::Noise).ends_with("10 in all"));
        let plain = on(SLANTED, "svi", "", 3);
        let run = &plain.runs[0];
        let text = numbers_of(algorithm_of(&plain, run).unwrap(), (run, 0, 2), Phase::Position).unwrap();
        assert!(!text.contains("log"), "{text}");
    }

    /// On topics a method has the step that it takes there. To the bit, (1 − ρ) λ + ρ λ̂ is the new λ of the entries that are drawn.
    #[test]
    fn numbers_of_topics_add_up_to_the_new_weights() {
        let target = "kind = \"topics\"\ncorpus = { kind = \"bars\", side = 4, documents = 40, length = 20 }";
        let name = "λ_kw along x and y";
        for step in 1..4 {
            let frame = on(target, "svi", "gradient = { kind = \"minibatch\", size = 5 }\n", step);
            let rho = number(&frame, Phase::Fit, "ρ");
            let estimate = vector(&frame, Phase::Estimate, "λ̂_kw along x and y");
            let before = vector(&frame, Phase::Position, name);
            assert_eq!(before * (1.0 - rho) + estimate * rho, vector(&frame, Phase::Fit, name), "step {step}");
            assert!(
                matches!(value(&frame, Phase::Data, "batch"), TermValue::Indices(first, [5, 40]) if first.len() == 5)
            );
        }
        for method in ["svi", "cavi"] {
            let frame = on(target, method, "", 2);
            let run = &frame.runs[0];
            let algorithm = algorithm_of(&frame, run).unwrap();
            assert!(algorithm.formula().contains("λ_kw"), "{method}: {}", algorithm.formula());
            for line in &algorithm.lines {
                assert!(numbers_of(algorithm, (run, 0, 2), line.phase).is_some(), "{method}: {}", line.words);
            }
            assert_eq!(Part::Drift.phase(&run.records[0]), Phase::Fit, "{method}");
        }
    }

    /// At a mode the slope is 0, which is a number like others.
    #[test]
    fn a_term_that_is_0_is_told() {
        let start = "start = { kind = \"point\", x = 0.0, y = 0.0 }\n";
        let round = "kind = \"gaussian\"\nsd = [1.0, 1.0]\ncorrelation = 0.0";
        let frame = on(round, "gradient-descent", &format!("{start}{STEP}"), 2);
        assert_eq!(printed(&frame, Phase::Gradient), Point::zeros());
    }

    /// Where no line is about the position, the first one says where the chain is; it is said once.
    #[test]
    fn every_step_says_where_it_begins() {
        for method in ["gradient-descent", "sgld", "langevin", "mala", "hmc", "nuts", "random-walk", "laplace"] {
            let frame = after(method, if method == "laplace" { "" } else { STEP }, 2);
            let run = &frame.runs[0];
            let algorithm = algorithm_of(&frame, run).unwrap();
            let from = format!("θ = {}", point(run.records[0].from, 2));
            let told = |number| numbers_of_line(algorithm, (run, 0, 2), (number, None));
            let with = (0..algorithm.lines.len())
                .filter(|number| told(*number).is_some_and(|text| text.split("; ").any(|part| part == from)));
            assert_eq!(with.collect::<Vec<_>>(), [0], "{method}");
        }
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
