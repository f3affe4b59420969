//! Methods whose chains have replicas or depend on each other, in sessions: their lessons keep what they say, chunks and instruction
//! sets change no bit, and a run that is under way cannot become one of them.

use std::path::Path;

use sampler_lab::math::{Point, Simd};
use sampler_lab::params::ParamErrors;
use sampler_lab::scenario::{self, LESSONS, Lesson, RunSpec, Scenario};
use sampler_lab::session::{Frame, RunFrame, Session};

/// A lesson at its end, with all measures.
fn finished(name: &str) -> Frame {
    let mut session = Session::new(Lesson::find(name).unwrap().scenario().unwrap()).unwrap();
    session.advance(u64::MAX);
    session.measure_exactly();
    session.analyse();
    session.frame()
}

fn measure(run: &RunFrame, key: &str) -> f64 {
    let all = run.measures.iter().chain(&run.analysis.measures);
    all.filter(|measure| measure.key == key).find_map(|measure| measure.value).unwrap()
}

/// Checks values of the runs of a lesson that its caption quotes, to the digits there.
fn quotes(frame: &Frame, quoted: &[(usize, &str, f64, f64)]) {
    for (run, key, expected, digit) in quoted {
        let found = measure(&frame.runs[*run], key);
        assert!(
            (found - expected).abs() <= 0.5 * digit,
            "{} {key}: {found}, not {expected}",
            frame.runs[*run].plan.name
        );
    }
}

#[test]
fn lessons_on_populations_keep_their_promises() {
    let frame = finished("tempering");
    let covered = [(0, "modes_covered", 25.0, 1.0), (1, "modes_covered", 1.0, 1.0), (0, "mode_switches", 6478.0, 1.0)];
    quotes(&frame, &covered);
    quotes(&frame, &[(0, "tv", 0.17, 0.01), (1, "tv", 0.96, 0.01)]);
    let rates: Vec<f64> = frame.runs[0].swaps.iter().map(|swaps| swaps.rate().unwrap()).collect();
    assert_eq!(rates.len(), 7);
    let (low, high) = (rates.iter().copied().fold(1.0, f64::min), rates.iter().copied().fold(0.0, f64::max));
    assert!((low - 0.68).abs() < 0.005 && (high - 0.84).abs() < 0.005, "{rates:?}");
    let costs = frame.runs.iter().map(|run| run.density_evaluations.round());
    assert_eq!(costs.collect::<Vec<_>>(), [160_000.0; 2], "a step of both costs the same");

    let frame = finished("differences");
    quotes(&frame, &[(0, "acceptance", 0.50, 0.01), (1, "acceptance", 0.37, 0.01)]);
    quotes(&frame, &[(0, "ess_bulk", 281.0, 1.0), (1, "ess_bulk", 19_822.0, 1.0)]);

    let frame = finished("unit-speed");
    quotes(&frame, &[(0, "ess_bulk", 1488.0, 1.0), (1, "ess_bulk", 12_220.0, 1.0), (2, "ess_bulk", 27_381.0, 1.0)]);
    quotes(&frame, &[(1, "covariance_error", 0.03, 0.01), (2, "covariance_error", 0.24, 0.01)]);

    let frame = finished("particles");
    quotes(&frame, &[(0, "covariance_error", 0.18, 0.01), (1, "covariance_error", 1.78, 0.01)]);
    quotes(&frame, &[(0, "ksd", 0.046, 0.001), (1, "ksd", 1.28, 0.01)]);
    let variances = frame.runs[0].moments.as_ref().unwrap().covariance;
    assert!((variances.m11 - 0.9).abs() < 0.005 && (variances.m22 - 0.9).abs() < 0.005, "{variances}");
    let rhat = frame.runs[0].analysis.measures.iter().find(|measure| measure.key == "rhat").unwrap();
    assert!(rhat.value.is_none() && rhat.reason.contains("depend"), "{rhat:?}");
}

#[test]
fn lessons_on_gibbs_and_contour_sgld_keep_their_promises() {
    let frame = finished("one-coordinate");
    quotes(&frame, &[(0, "ess_bulk", 452.0, 1.0), (1, "ess_bulk", 249.0, 1.0), (2, "ess_bulk", 1685.0, 1.0)]);
    let costs = frame.runs.iter().map(|run| run.evaluations().round());
    assert_eq!(costs.collect::<Vec<_>>(), [20_000.0; 3]);
    assert!(frame.runs[0].acceptance.rate().is_none() && frame.runs[0].density_evaluations > 0.0);
    // The closed form, whose estimate has an error of some 10 %.
    let (rho, steps) = (0.95_f64, 10_000.0);
    let expected = steps * (1.0 - rho * rho) / (1.0 + rho * rho);
    assert!((expected - 512.0).abs() < 0.5 && (measure(&frame.runs[0], "ess_bulk") / expected - 1.0).abs() < 0.3);

    let frame = finished("flat-energies");
    quotes(&frame, &[(0, "modes_covered", 20.0, 1.0), (0, "modes_visited", 25.0, 1.0), (1, "modes_covered", 1.0, 1.0)]);
    quotes(&frame, &[(0, "tv", 0.25, 0.01), (1, "tv", 0.96, 0.01), (0, "mode_switches", 1231.0, 1.0)]);
    quotes(&frame, &[(0, "weight_ess", 11_046.0, 1.0), (1, "weight_ess", 40_000.0, 1.0)]);
    // The series and files of draws have the weights of the counts.
    let (run, total) = (&frame.runs[0], |values: &[f64]| values.iter().sum::<f64>());
    let series = run.series();
    let (x, weights) = (series.coordinate(0)[0], series.weights());
    let mean = x.iter().zip(weights).map(|(x, weight)| x * weight).sum::<f64>() / total(weights);
    assert!((mean - run.moments.as_ref().unwrap().mean.x).abs() < 1e-9, "{mean}");
}

/// Lessons on chains by themselves keep what their captions say.
#[test]
fn lessons_on_exact_samplers_keep_their_promises() {
    let frame = finished("no-u-turn");
    quotes(&frame, &[(0, "ess_bulk", 277.0, 1.0), (1, "ess_bulk", 510.0, 1.0), (2, "ess_bulk", 298.0, 1.0)]);
    // Across the ridge all of them have its variance, ½(1 − 0.99)·2 of (x − y)/√2, within a fifth.
    for run in &frame.runs {
        let covariance = run.moments.as_ref().unwrap().covariance;
        let across = 0.5 * (covariance[(0, 0)] + covariance[(1, 1)]) - covariance[(0, 1)];
        assert!((across - 0.01).abs() < 0.002, "{}: {across}", run.plan.name);
    }
    let costs: Vec<f64> = frame.runs.iter().map(|run| run.gradient_evaluations.round()).collect();
    assert!(costs[..2].iter().all(|cost| (cost - 20_000.0).abs() < 100.0), "{costs:?}");
    assert!((costs[2] - 21_030.0).abs() < 0.5, "{costs:?}");

    let frame = finished("too-long-for-mala");
    quotes(&frame, &[(0, "acceptance", 0.005, 0.001), (1, "acceptance", 0.39, 0.01), (2, "acceptance", 0.25, 0.01)]);
    quotes(&frame, &[(0, "rhat", 2.57, 0.01)]);

    let frame = finished("learning-from-the-past");
    quotes(&frame, &[(0, "ess_bulk", 26.0, 1.0), (1, "ess_bulk", 2279.0, 1.0)]);
    quotes(&frame, &[(0, "mean_error", 0.07, 0.01), (1, "mean_error", 0.01, 0.01)]);
    quotes(&frame, &[(0, "acceptance", 0.49, 0.01), (1, "acceptance", 0.36, 0.01)]);
    assert!(frame.runs.iter().all(|run| run.collected == 17_000));
}

/// A path of HMC that is a whole number of turns long in some direction never leaves the line where it starts, with all proposals accepted and
/// many effective draws: no lesson has one. Of a chain that hardly moves nothing can be said.
#[test]
fn draws_of_paths_fill_the_plane() {
    let has_paths = |spec: &RunSpec| spec.settings.kind.param("leapfrog_steps").is_some();
    let mut looked = 0;
    for lesson in LESSONS.iter().filter(|lesson| lesson.unbuilt().unwrap().runs.iter().any(has_paths)) {
        let mut session = Session::new(lesson.scenario().unwrap()).unwrap();
        session.advance(2000);
        let frame = session.frame();
        let runs = frame.runs.iter().zip(&frame.scenario.runs).filter(|(_, spec)| has_paths(spec));
        for (run, _) in runs.filter(|(run, _)| run.acceptance.rate().is_none_or(|rate| rate > 0.05)) {
            let covariance = run.moments.as_ref().unwrap().covariance;
            let [x, y, both] = [covariance[(0, 0)], covariance[(1, 1)], covariance[(0, 1)]];
            let share = (x * y - both * both) / (0.5 * (x + y)).powi(2);
            assert!(share > 1e-6, "{}, {}: {covariance}", lesson.name, run.plan.name);
            looked += 1;
        }
    }
    assert!(looked >= 4, "{looked} runs");
}

fn scenario(method: &str, chains: usize, more: &str) -> Result<Scenario, String> {
    let text = format!(
        "format = 1\ntitle = \"x\"\nseed = 4\n[target]\nkind = \"gaussian-mixture\"\n[[run]]\nname = \"A\"\nmethod = \"{method}\"\n\
         chains = {chains}\nsteps = 300\nstart = {{ kind = \"uniform\", low = -2.0, high = 2.0 }}\n{more}"
    );
    scenario::read(&text, "x.toml", Path::new(".")).map_err(|errors| errors.to_string())
}

/// The bits of all positions at the end.
fn bits(method: &str, chains: usize, simd: Simd, cut: u64) -> Vec<[u64; 2]> {
    let mut session = Session::with_simd(scenario(method, chains, "").unwrap(), simd).unwrap();
    while !session.finished() {
        session.advance(cut);
    }
    let positions = session.frame().runs[0].positions.clone();
    positions.iter().map(|at: &Point| [at.x.to_bits(), at.y.to_bits()]).collect()
}

#[test]
fn chunks_and_instruction_sets_change_no_bit() {
    for (method, chains) in [("parallel-tempering", 40), ("demcz", 40), ("svgd", 128), ("mclmc", 40)] {
        let whole = bits(method, chains, Simd::BASELINE, u64::MAX);
        for simd in Simd::available() {
            for cut in [1, 7, 100] {
                assert_eq!(bits(method, chains, simd, cut), whole, "{method} {simd:?} {cut}");
            }
        }
        assert!(whole.windows(2).all(|pair| pair[0] != pair[1]), "{method}: chains differ");
    }
}

/// Particles of a run are one population also where other chains would be cut into blocks: the last of 40 moves in another way if the
/// first is left out.
#[test]
fn chains_that_depend_on_each_other_are_in_one_block() {
    for method in ["svgd", "demcz"] {
        let few = bits(method, 39, Simd::BASELINE, u64::MAX);
        let all = bits(method, 40, Simd::BASELINE, u64::MAX);
        assert!(few.iter().zip(&all).all(|(few, all)| few != all), "{method}: a particle more moves all others");
    }
    let few = bits("parallel-tempering", 39, Simd::BASELINE, u64::MAX);
    let all = bits("parallel-tempering", 40, Simd::BASELINE, u64::MAX);
    assert_eq!(few, all[..39], "chains with replicas are independent");
}

#[test]
fn errors_name_the_place_and_the_remedy() {
    for method in ["svgd", "demcz"] {
        let error = scenario(method, 129, "").unwrap_err();
        assert!(error.contains("chains") && error.contains("128"), "{error}");
        let event = format!("[[event]]\nstep = 100\nrun = \"A\"\nset = {{ method = \"{method}\" }}\n");
        let later = scenario("sgld", 4, &event).map(|scenario| scenario.build());
        let error = match later {
            Err(error) => error,
            Ok(built) => ParamErrors(built.unwrap_err()).to_string(),
        };
        assert!(error.contains("depend on each other"), "{error}");
    }
    let line = "format = 1\ntitle = \"x\"\nseed = 4\n[target]\nkind = \"double-well\"\n[[run]]\nname = \"A\"\nmethod = \"mclmc\"\n";
    let built = scenario::read(line, "x.toml", Path::new(".")).map(|scenario| scenario.build());
    let error = match built {
        Err(error) => error.to_string(),
        Ok(built) => ParamErrors(built.unwrap_err()).to_string(),
    };
    assert!(error.contains("on a line a direction cannot turn"), "{error}");
}
