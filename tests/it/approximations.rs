//! Approximations in a session: they take steps, go back, change during a run and are measured like samplers.

use std::path::Path;

use sampler_lab::math::{Distribution, Point, Simd};
use sampler_lab::params::{Settings, Value, find_kind};
use sampler_lab::scenario::{self, Edit, Lesson, METHOD, Scenario};
use sampler_lab::session::{Command, RunFrame, Session};
use sampler_lab::targets::TARGETS;

const SCENARIO: &str = r#"
format = 1
seed = 5
[target]
kind = "bivariate-mixture"
[[run]]
name = "VI"
method = "gaussian-vi"
chains = 3
steps = 1500
gradient = { kind = "minibatch", size = 7, order = "shuffled" }
expectations = { kind = "monte-carlo", draws = 3 }
[[run]]
name = "SVI"
method = "svi"
steps = 1500
window = 20
gradient = { kind = "minibatch", size = 7 }
expectations = { kind = "monte-carlo", draws = 2 }
step_size = { kind = "constant", value = 0.05 }
[[run]]
name = "Laplace"
method = "laplace"
steps = 1500
[[run]]
name = "CAVI"
method = "cavi"
steps = 1500
[[run]]
name = "SGLD"
method = "sgld"
chains = 2
steps = 1500
step_size = { kind = "constant", value = 0.002 }
"#;

fn read(text: &str) -> Scenario {
    scenario::read(text, "approximations.toml", Path::new(".")).unwrap()
}

fn session() -> Session {
    Session::new(read(SCENARIO)).unwrap()
}

/// Everything in a frame about the distributions of its runs.
fn distributions(session: &Session) -> Vec<String> {
    let run = |run: &RunFrame| {
        let fits = run.fits.as_ref();
        let trace = fits.map(|fits| {
            (0..fits.trace.chains()).map(|c| fits.trace.of_chain(c).collect::<Vec<_>>()).collect::<Vec<_>>()
        });
        format!("{:?} {:?} {trace:?} {:?}", run.positions, fits.map(|fits| &fits.records), run.gradient_evaluations)
    };
    session.frame().runs.iter().map(run).collect()
}

#[test]
fn distributions_have_the_same_bits_in_other_chunks_on_other_machines_and_after_going_back() {
    let mut whole = session();
    whole.advance(1500);
    let expected = distributions(&whole);
    let mut cut = Session::with_simd(read(SCENARIO), Simd::BASELINE).unwrap();
    for steps in [1, 2, 300, 7, 555, 635] {
        cut.advance(steps);
    }
    assert_eq!(distributions(&cut), expected);
    for step in [1499, 3, 0, 1000, 1001, 700, 1500] {
        cut.apply(Command::Seek(step)).unwrap();
        let rows: Vec<usize> =
            cut.frame().runs.iter().filter_map(|run| Some(run.fits.as_ref()?.trace.rows())).collect();
        assert_eq!(rows, [usize::try_from(step).unwrap() + 1; 4]);
    }
    assert_eq!(distributions(&cut), expected);
}

#[test]
fn the_method_can_change_between_sampling_and_fitting_and_is_replayed() {
    let mut session = session();
    session.advance(400);
    let choose = |run, method| Edit::Set { run, path: METHOD.to_owned(), value: Value::Choice(method) };
    let before = session.frame().runs[4].positions.clone();
    session.edit(choose(4, "svi")).unwrap();
    session.edit(choose(2, "gaussian-vi")).unwrap();
    session.edit(choose(1, "sgld")).unwrap();
    session.advance(1);
    let frame = session.frame();
    let fits = frame.runs[4].fits.as_ref().expect("the sampler fits now");
    assert_eq!((fits.records.len(), fits.trace.step(0)), (2, 401));
    let moved = (frame.runs[4].positions[0] - before[0]).norm();
    assert!(moved > 0.0 && moved.is_finite());
    let distribution = frame.runs[2].fits.as_ref().unwrap().records[0].distribution.unwrap();
    let laplace = distribution.covariance();
    assert!(laplace.m11 > 0.25 && laplace.m11 < 0.33, "VI starts at the Laplace approximation: {laplace}");
    assert!(frame.runs[1].fits.is_none(), "the approximation samples now");
    session.advance(300);
    assert_eq!(session.frame().runs[1].collected, 301);
    let text = scenario::write(session.scenario());
    let mut replayed = Session::new(read(&text)).unwrap();
    replayed.apply(Command::Seek(session.step())).unwrap();
    assert_eq!(distributions(&replayed), distributions(&session));
    session.apply(Command::Seek(100)).unwrap();
    assert!(session.frame().runs[4].fits.is_none() && session.frame().runs[1].fits.is_some());
}

/// The trace of distributions survives a part of the run with a sampler, and a distribution has no noise floor although
/// the run had draws before.
#[test]
fn the_trace_of_distributions_survives_a_part_with_a_sampler() {
    let text = "format = 1\nseed = 3\n[target]\nkind = \"gaussian\"\n[[run]]\nname = \"one\"\nmethod = \"gaussian-vi\"\nsteps = 4000\n\
                [[event]]\nrun = \"one\"\nstep = 1500\nset = { method = \"langevin\" }\n\
                [[event]]\nrun = \"one\"\nstep = 2500\nset = { method = \"svi\" }\n";
    let mut session = Session::new(read(text)).unwrap();
    let mut first = Vec::new();
    for step in [1200, 4000, 1200, 3000] {
        session.apply(Command::Seek(step)).unwrap();
        let trace = session.frame().runs[0].fits.as_ref().unwrap().trace.clone();
        first.push((trace.step(0), trace.rows()));
    }
    assert_eq!(first, [(0, 1201), (2501, 1500), (0, 1201), (2501, 500)]);
    session.refresh_measures();
    let frame = session.frame();
    assert!(frame.runs[0].measures.iter().any(|measure| measure.value.is_some()));
    assert!(frame.runs[0].measures.iter().all(|measure| measure.floor.is_none()));
    assert_eq!(frame.runs[0].fits.as_ref().unwrap().records[0].log_evidence, None);
}

#[test]
fn distributions_are_kept_when_the_target_changes() {
    let text = "format = 1\nseed = 1\n[target]\nkind = \"gaussian\"\ncorrelation = 0.5\n[[run]]\nname = \"CAVI\"\n\
                method = \"cavi\"\nsteps = 200\n[[run]]\nname = \"Full\"\nmethod = \"gaussian-vi\"\nfamily = \"full-rank\"\nsteps = 3000\n\
                expectations = { kind = \"quadrature\", nodes = 4 }\n";
    let mut session = Session::new(read(text)).unwrap();
    session.advance(100);
    let mut steeper = session.scenario().target.clone();
    steeper.set("correlation", Value::Number(0.9)).unwrap();
    session.edit(Edit::target(steeper)).unwrap();
    session.advance(100);
    let variance = |run: usize| {
        session.frame().runs[run].fits.as_ref().unwrap().fit.as_ref().unwrap().moments().unwrap().covariance.m11
    };
    assert!((variance(0) - 0.19).abs() < 1e-12, "1 − ρ²: {}", variance(0));
    session.advance(5000);
    let covariance = session.frame().runs[1].fits.as_ref().unwrap().fit.as_ref().unwrap().moments().unwrap().covariance;
    assert!((covariance.m12 - 0.9).abs() < 1e-3 && (covariance.m11 - 1.0).abs() < 1e-3, "{covariance}");
    let other = Settings::defaults(find_kind(&TARGETS, "banana").unwrap());
    let errors = session.edit(Edit::target(other)).unwrap_err();
    assert!(errors.iter().any(|error| error.to_string().contains("normal-gamma")), "{errors:?}");
}

#[test]
fn a_fit_is_measured_by_its_density() {
    let mut session = session();
    session.advance(1500);
    session.measure_exactly();
    session.analyse();
    let frame = session.frame();
    for run in &frame.runs[..4] {
        let value = |key: &str| run.measures.iter().find(|measure| measure.key == key).unwrap();
        assert_eq!(run.collected, 0);
        assert!(value("tv").value.is_some_and(|tv| tv > 0.0 && tv < 1.0) && value("tv").floor.is_none());
        assert!(value("modes_covered").value.is_none());
        let fit = &run.analysis.fit;
        let of_fit = |key: &str| fit.measures.iter().find(|measure| measure.key == key).unwrap().value;
        let (elbo, kl) = (of_fit("elbo").unwrap(), of_fit("kl_qp").unwrap());
        // The gap between the ELBO and log Z is the divergence.
        assert!((frame.target.info().log_normaliser - elbo - kl).abs() < 1e-9);
        assert!(of_fit("kl_pq").unwrap() > 0.0);
        assert_eq!(of_fit("evidence").is_some(), run.plan.name == "Laplace");
        // Binning can only make the divergence smaller.
        assert!(value("kl").value.unwrap() <= kl + 1e-3);
    }
    let sampler = &frame.runs[4];
    assert!(sampler.analysis.fit.measures.is_empty() && sampler.measures.iter().any(|measure| measure.floor.is_some()));
}

/// For the coin the distribution is defined on the logit, whatever samplers do at the boundaries, and its draws lie in
/// (0, 1).
#[test]
fn distributions_of_bounded_targets_use_unbounded_coordinates() {
    for boundary in ["reflect", "logit", "none"] {
        let text = format!(
            "format = 1\nseed = 1\n[target]\nkind = \"beta-posterior\"\nboundary = \"{boundary}\"\n[[run]]\nname = \"q\"\n\
             method = \"gaussian-vi\"\nsteps = 2000\nexpectations = {{ kind = \"quadrature\", nodes = 16 }}\n\
             [[run]]\nname = \"p\"\nmethod = \"sgld\"\nsteps = 100\nstep_size = {{ kind = \"constant\", value = 1e-4 }}\n"
        );
        let mut session = Session::new(read(&text)).unwrap();
        session.advance(2000);
        session.analyse();
        let frame = session.frame();
        let fits = frame.runs[0].fits.as_ref().unwrap();
        assert!(matches!(fits.records[0].distribution, Some(Distribution::Line { .. })));
        assert!(fits.draws.len() > 100 && fits.draws.iter().all(|at| at.x > 0.0 && at.x < 1.0));
        let (moments, info) = (fits.fit.as_ref().unwrap().moments().unwrap(), frame.target.info());
        assert!((moments.mean.x - info.mean.x).abs() < 1e-3, "{boundary}: {}", moments.mean.x);
        assert!((moments.covariance.m11 / info.covariance.m11 - 1.0).abs() < 0.02);
        let divergence = frame.runs[0].analysis.fit.measures[2].value.unwrap();
        assert!(
            divergence > 0.0 && divergence < 1e-3,
            "the logit of a beta distribution is nearly normal: {divergence}"
        );
    }
}

#[test]
fn lessons_on_approximations_keep_their_promises() {
    let finished = |name: &str| {
        let mut session = Session::new(Lesson::find(name).unwrap().scenario().unwrap()).unwrap();
        session.advance(u64::MAX);
        session.measure_exactly();
        session.analyse();
        session.frame()
    };
    let of_fit =
        |run: &RunFrame, key: &str| run.analysis.fit.measures.iter().find(|measure| measure.key == key).unwrap().value;

    let frame = finished("laplace");
    let everywhere = &frame.runs[1];
    assert!((of_fit(everywhere, "evidence").unwrap() + 184.2914).abs() < 5e-5);
    let overlap = everywhere.analysis.fit.overlap.unwrap();
    assert!((overlap.excess.unwrap() - 0.856).abs() < 5e-4, "{overlap:?}");

    let frame = finished("mean-field");
    for run in [0, 2] {
        let divergence = of_fit(&frame.runs[run], "kl_qp").unwrap();
        assert!((divergence + 0.5 * (1.0 - 0.99_f64.powi(2)).ln()).abs() < 1e-6, "{divergence}");
    }

    let frame = finished("one-mode-of-twenty-five");
    let laplace = of_fit(&frame.runs[0], "kl_qp").unwrap();
    assert!((laplace - 25.0_f64.ln()).abs() < 1e-6, "{laplace}");
    let covered =
        |run: usize| frame.runs[run].measures.iter().find(|measure| measure.key == "modes_covered").unwrap().value;
    assert!(covered(3).unwrap() > 20.0 && covered(0).is_none());

    let frame = finished("coordinate-ascent");
    assert!((of_fit(&frame.runs[0], "elbo").unwrap() + 13.778_344_81).abs() < 5e-9);
    let trace = &frame.runs[0].fits.as_ref().unwrap().trace;
    let bounds: Vec<f64> = trace.of_chain(0).filter_map(|(_, record)| Some(record.elbo?.value)).collect();
    assert!(bounds.windows(2).all(|pair| pair[1] >= pair[0] - 1e-12), "{bounds:?}");

    let frame = finished("fisher");
    let variance = |run: usize| frame.runs[run].fits.as_ref().unwrap().moments.unwrap().covariance.m11;
    assert!(variance(2) > 1.3 * variance(1), "Fisher {} and Hessian {}", variance(2), variance(1));

    // Figures by quadrature and by minimising KL(q‖p) elsewhere.
    let frame = finished("few-data");
    for (run, divergence, sds) in
        [(1, 1.241_48, [0.982_96, 4.567_75]), (2, 0.364_32, [0.771_97, 3.267_42]), (3, 0.145_77, [0.943_88, 3.849_15])]
    {
        assert!((of_fit(&frame.runs[run], "kl_qp").unwrap() - divergence).abs() < 2e-3, "{run}");
        let spread = frame.runs[run].fits.as_ref().unwrap().moments.unwrap().covariance;
        let found = [spread.m11.sqrt(), spread.m22.sqrt()];
        assert!(found.iter().zip(sds).all(|(found, sd)| (found / sd - 1.0).abs() < 5e-3), "{run}: {found:?}");
    }
    assert!((of_fit(&frame.runs[1], "evidence").unwrap() + 10.295_13).abs() < 5e-5);
    let info = frame.target.info();
    assert!(
        (info.mean - Point::new(1.215_30, 10.897_91)).amax() < 1e-5 && (info.log_normaliser + 10.227_24).abs() < 1e-5
    );

    let frame = finished("ridge");
    assert!((of_fit(&frame.runs[1], "kl_qp").unwrap() - 1.504_867_7).abs() < 1e-6);
    let spread = frame.runs[1].fits.as_ref().unwrap().moments.unwrap().covariance;
    assert!((spread.m11 - 0.106).abs() < 5e-4 && (spread.m22 - 0.070).abs() < 5e-4, "{spread}");
    // The mean and standard deviation of f at 0.5 and at 3, by a thousand draws of each fit.
    let function = |run: usize, x: f64| {
        let (regression, fits) = (frame.target.regression().unwrap(), frame.runs[run].fits.as_ref().unwrap());
        let values: Vec<f64> = fits.draws.iter().map(|at| regression.value(at.as_slice(), x)).collect();
        let mean = values.iter().sum::<f64>() / values.len() as f64;
        let variance = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / values.len() as f64;
        (mean, variance.sqrt())
    };
    // Five standard errors of a mean over 1000 draws, and of a standard deviation: 0.16 and 0.11 of the latter.
    for (run, x, mean, sd) in [(0, 0.5, 0.3568, 0.3381), (1, 0.5, 0.5401, 0.1869), (1, 3.0, 1.0346, 0.2657)] {
        let found = function(run, x);
        assert!((found.0 - mean).abs() < 0.16 * sd && (found.1 / sd - 1.0).abs() < 0.12, "{run}, {x}: {found:?}");
    }

    let frame = finished("zero-forcing");
    let weights = [0, 1].map(|run| (-of_fit(&frame.runs[run], "kl_qp").unwrap()).exp());
    assert!((weights[0] - 0.5).abs() < 0.01 && (weights[1] - 0.2).abs() < 0.01, "one mode each: {weights:?}");
    assert!(frame.runs[2].fits.as_ref().unwrap().records.len() == 16);

    let frame = finished("smoothed-gradients");
    let wander = |run: usize| {
        let history = &frame.runs[run].history;
        let places = (500..history.rows()).filter_map(|row| history.position(row, 0));
        let steps = places.clone().zip(places.skip(1)).map(|(one, next)| (next - one).norm()).sum::<f64>();
        steps / 500.0
    };
    assert!(wander(0) > 2.0 * wander(1) && wander(1) > 2.0 * wander(2), "{:?}", [0, 1, 2].map(wander));

    let frame = finished("equal-cost");
    let cost: Vec<f64> = frame.runs.iter().map(|run| run.gradient_evaluations).collect();
    assert!(cost.iter().all(|cost| (cost - 4000.0).abs() < 1.0), "{cost:?}");
    let kl = |run: usize| frame.runs[run].measures.iter().find(|measure| measure.key == "kl").unwrap().value.unwrap();
    assert!(kl(3) < 0.1 && (kl(2) - 1.3).abs() < 0.05 && kl(0) < 0.5, "{:?}", [0, 1, 2, 3].map(kl));
}
