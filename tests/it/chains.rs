//! What is counted while chains run, against the exported draws: switches between modes, and chains that diverge.

use std::path::Path;

use sampler_lab::math::Point;
use sampler_lab::scenario::{RunPlan, read};
use sampler_lab::session::{Command, History, Session};
use sampler_lab::targets::Mode;

fn session(text: &str) -> Session {
    let text = format!("format = 1\ntitle = \"Test\"\nseed = 3\n{text}");
    Session::new(read(&text, "test", Path::new(".")).unwrap()).unwrap()
}

/// The value of a measure of chains of run 0, with all slow measures computed.
fn measured(session: &mut Session, key: &str) -> Option<f64> {
    session.analyse();
    let frame = session.frame();
    frame.runs[0].analysis.measures.iter().find(|measure| measure.key == key).unwrap().value
}

/// Draws, switches and chains with draws, counted from the positions that are exported.
struct Counted<'a> {
    modes: &'a [Mode],
    last: Vec<Option<usize>>,
    draws: u64,
    switches: u64,
}

impl<'a> Counted<'a> {
    fn new(modes: &'a [Mode], chains: usize) -> Self {
        Self { modes, last: vec![None; chains], draws: 0, switches: 0 }
    }

    fn add(&mut self, path: &History, plan: &RunPlan) {
        let since = plan.target_since(u64::MAX);
        assert_eq!(path.stride(), 1, "every step is there");
        for row in (0..path.rows()).filter(|&row| path.step(row) > since && plan.collects(path.step(row))) {
            for (chain, last) in self.last.iter_mut().enumerate() {
                let Some(at) = path.position(row, chain) else { continue };
                let distance = |mode: &Mode| (mode.at - at).norm_squared();
                let nearer = |a: &usize, b: &usize| distance(&self.modes[*a]).total_cmp(&distance(&self.modes[*b]));
                let mode = (0..self.modes.len()).min_by(nearer);
                self.switches += u64::from(last.is_some() && *last != mode);
                self.draws += 1;
                *last = mode;
            }
        }
    }

    fn residence(&self) -> f64 {
        let chains = self.last.iter().flatten().count() as u64;
        self.draws as f64 / (self.switches + chains) as f64
    }
}

/// Takes all steps, some at a time as `run` does, and counts.
fn counted<'a>(session: &mut Session, modes: &'a [Mode]) -> Counted<'a> {
    let plan = session.frame().runs[0].plan.clone();
    let mut counted = Counted::new(modes, plan.chains);
    while !session.finished() {
        session.advance(4321);
        counted.add(&session.take_history(0), &plan);
    }
    counted
}

/// Hot enough for a switch every few draws, and far more draws than a series holds.
#[test]
fn switches_and_residence_are_those_of_all_five_million_draws() {
    let text = "[target]\nkind = \"gaussian-grid\"\n[[run]]\nname = \"A\"\nmethod = \"langevin\"\nchains = 64\n\
                steps = 80000\nstep_size = { kind = \"constant\", value = 0.06 }";
    let mut session = session(text);
    let target = session.frame().target;
    let counted = counted(&mut session, &target.info().modes);
    assert_eq!((counted.draws, session.frame().runs[0].collected), (5_120_000, 5_120_000));
    assert!(counted.switches > 100_000, "{}", counted.switches);
    assert_eq!(measured(&mut session, "mode_switches"), Some(counted.switches as f64));
    assert_eq!(measured(&mut session, "residence"), Some(counted.residence()));
}

/// Burn-in, thinning, stages, weights, chains of several blocks, of which some diverge, and a step back.
#[test]
fn only_collected_draws_make_switches() {
    let run = |method: &str, chains: u32, rest: &str| {
        let head = format!("[target]\nkind = \"three-modes\"\n[[run]]\nname = \"A\"\nmethod = \"{method}\"\n");
        format!("{head}chains = {chains}\nsteps = 6000\n{rest}")
    };
    let uniform = "start = { kind = \"uniform\", low = -40.0, high = 40.0 }\n";
    for text in [
        run(
            "random-walk",
            3,
            "step_size = { kind = \"constant\", value = 0.5 }\ncollect = { burn_in = 777, thin = 7 }",
        ),
        run(
            "csgld",
            1,
            "step_size = { kind = \"cyclical\", initial = 0.5, cycles = 20 }\ncollect = { weighted = true }",
        ),
        run("csgld", 20, "step_size = { kind = \"cyclical\", initial = 0.7, cycles = 20 }\ncollect = { thin = 3 }"),
        run("langevin", 40, &format!("{uniform}step_size = {{ kind = \"constant\", value = 0.9 }}")),
    ] {
        let mut all = session(&text);
        let target = all.frame().target;
        let counted = counted(&mut all, &target.info().modes);
        assert!(counted.switches > 10, "{} switches: {text}", counted.switches);
        assert_eq!(all.frame().runs[0].collected, counted.draws, "{text}");
        assert_eq!(measured(&mut all, "mode_switches"), Some(counted.switches as f64), "{text}");
        assert_eq!(measured(&mut all, "residence"), Some(counted.residence()), "{text}");
        let (mut back, mut there) = (session(&text), session(&text));
        back.advance(6000);
        back.apply(Command::Seek(3210)).unwrap();
        there.advance(3210);
        assert_eq!(back.frame().runs[0].totals, there.frame().runs[0].totals, "{text}");
    }
}

/// αλ is far above 2: every chain jumps between ±10¹⁵⁰ and more, at finite positions.
#[test]
fn the_divergence_of_langevin_on_the_double_well_is_told() {
    let text = "[target]\nkind = \"double-well\"\n[[run]]\nname = \"A\"\nmethod = \"langevin\"\nchains = 8\n\
                steps = 2000\nstep_size = { kind = \"constant\", value = 0.6 }";
    let mut whole = session(text);
    whole.advance(2000);
    let run = whole.frame().runs[0].clone();
    assert_eq!(run.diverged.len(), 8, "{:?}", run.diverged);
    assert!(run.positions.iter().all(|at| at.norm() < 1e7), "drawn where they last were: {:?}", run.positions);
    for &(chain, step) in &run.diverged {
        let path = |step: u64| run.history.position(run.history.row_from(step), chain);
        assert_eq!(path(step - 1), Some(run.positions[chain]), "chain {chain}, step {step}");
        assert!((step..=2000).all(|step| path(step).is_none()), "chain {chain}, step {step}");
    }
    let draws: u64 = run.diverged.iter().map(|&(_, step)| step - 1).sum();
    assert_eq!(run.collected, draws, "what comes later is no draw");
    assert_eq!(measured(&mut whole, "chains_left"), Some(8.0));
    let moments = run.moments.unwrap();
    assert!(moments.mean.x.is_finite() && moments.covariance[(0, 0)] < 1e14, "{moments:?}");
    // The step that is told does not depend on how steps are taken.
    for budget in [1, 7, 100] {
        let mut parts = session(text);
        (0..2000_u64.div_ceil(budget)).for_each(|_| parts.advance(budget));
        assert_eq!(parts.frame().runs[0].diverged, run.diverged, "{budget} steps at a time");
    }
}

/// Chains of heavy tails go far: on the funnel to thousands, from far starts back again.
#[test]
fn far_but_legal_chains_have_not_diverged() {
    for (target, method, alpha) in [
        ("funnel", "mala", 0.1),
        ("funnel", "random-walk", 100.0),
        ("banana", "mala", 1.0),
        ("banana", "langevin", 0.01),
    ] {
        let text = format!(
            "[target]\nkind = \"{target}\"\n[[run]]\nname = \"A\"\nmethod = \"{method}\"\nchains = 8\nsteps = 20000\n\
             start = {{ kind = \"target\" }}\nstep_size = {{ kind = \"constant\", value = {alpha:?} }}"
        );
        let mut session = session(&text);
        session.advance(20_000);
        let run = &session.frame().runs[0];
        assert!(run.diverged.is_empty(), "{target}, {method}: {:?}", run.diverged);
        let farthest = |far: f64, at: &Point| far.max(at.norm());
        assert!(run.positions.iter().fold(0.0, farthest) < 1e6, "{target}, {method}");
        assert_eq!(run.collected, 160_000);
    }
}
