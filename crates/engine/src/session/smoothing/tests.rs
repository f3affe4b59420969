//! Smoothing along the paths of runs: against sums taken afresh, and where it is known beforehand.

use std::path::Path as Folder;

use super::*;
use crate::session::Session;
use base::platform::now;

fn session(target: &str, run: &str, rest: &str) -> Session {
    let text = format!("format = 1\nseed = 3\n[target]\n{target}\n[[run]]\nname = \"fit\"\n{run}\n{rest}");
    Session::new(crate::scenario::read(&text, "test.toml", Folder::new(".")).unwrap()).unwrap()
}

/// A coin, with L changed on the way, and then what is averaged.
fn eventful() -> Session {
    session(
        "kind = \"beta-posterior\"",
        "method = \"svi\"\nsteps = 400\nwindow = 5\ngradient = { kind = \"minibatch\", size = 10 }\n\
         step_size = { kind = \"constant\", value = 0.1 }",
        "[[event]]\nrun = \"fit\"\nstep = 120\nset = { window = 40 }\n\
         [[event]]\nrun = \"fit\"\nstep = 220\nset = { window = 7 }\n\
         [[event]]\nrun = \"fit\"\nstep = 300\nset = { average = \"average-gradient\" }",
    )
}

/// Everything once more, from definitions: λ, λ* and the trace of the covariance of every step.
fn afresh(frame: &Frame, run: &RunFrame) -> Vec<(Natural, Natural, f64)> {
    let trace = &run.fits.as_ref().unwrap().trace;
    let target = frame.target.open();
    let mut oracle = Oracle::default();
    let one = |step: u64| {
        let segment = run.plan.segment_of(step);
        let problem = Problem::new(&target, &segment.gradient, Simd::widest());
        let distribution = trace.record(usize::try_from(step).unwrap() - 1, 0).distribution.unwrap();
        let known =
            oracle.at(&problem, segment.method.averaging().unwrap().expectations.unwrap(), &distribution).unwrap();
        (natural_of(target.info().dimension, &distribution), known.mean, known.variance.sum())
    };
    (1..=run.step).map(one).collect()
}

/// Squared bias and variance of an average over the last `length` of the given steps.
fn by_definition(steps: &[(Natural, Natural, f64)], length: usize, gradients: bool) -> (f64, f64) {
    let last = &steps[steps.len() - length.min(steps.len())..];
    let count = last.len() as f64;
    let direction = |step: &(Natural, Natural, f64)| if gradients { step.1 - step.0 } else { step.1 };
    let mean = last.iter().map(direction).sum::<Natural>() / count;
    let bias = mean - direction(&steps[steps.len() - 1]);
    (bias.norm_squared(), last.iter().map(|step| step.2).sum::<f64>() / (count * count))
}

#[test]
fn curves_are_those_of_the_definitions_through_all_events() {
    let mut session = eventful();
    session.advance(400);
    let frame = session.frame();
    let run = &frame.runs[0];
    let (found, steps) = (smoothing(&frame, run).unwrap(), afresh(&frame, run));
    assert_eq!(found.steps, (1..=400).collect::<Vec<u64>>());
    assert_eq!((found.average, found.window, found.complete), (Average::Gradients, 7, true));
    let own = found.own.unwrap();
    for row in 0..400 {
        // The length grows by one per step up to what holds, shrinks at once, and starts again with another average.
        let length = match row + 1 {
            step @ 1..=120 => step.min(5),
            step @ 121..=220 => (step - 120 + 5).min(40),
            221..=300 => 7,
            step => (step - 300).min(7),
        };
        let so_far = &steps[..=row];
        let close = |curve: &Curve, (bias, variance): (f64, f64), what: &str| {
            // Sums of 100 numbers at most round off some 1e-13 of the largest, which is below 1000.
            let far = (curve.squared_bias[row].sqrt() - bias.sqrt()).abs();
            assert!(far < 1e-9, "{what} {row}: {} {bias}", curve.squared_bias[row]);
            assert!((curve.variance[row] / variance - 1.0).abs() < 1e-10, "{what} {row}");
            let sum = curve.squared_bias[row] + curve.variance[row];
            assert_eq!(curve.squared_error[row].to_bits(), sum.to_bits());
        };
        close(&own, by_definition(so_far, length, row >= 300), "own");
        for (index, length) in WINDOWS.into_iter().enumerate() {
            assert_eq!((found.windows[index].0, found.gradients[index].0), (length, length));
            close(&found.windows[index].1, by_definition(so_far, length, false), "windows");
            close(&found.gradients[index].1, by_definition(so_far, length, true), "gradients");
        }
    }
}

#[test]
fn growing_with_a_run_comes_to_the_same_as_at_once() {
    let (mut session, mut smoother) = (eventful(), Smoother::default());
    let mut grown = Err("");
    for steps in [1, 0, 130, 200, 69] {
        session.advance(steps);
        let frame = session.frame();
        grown = now(smoother.update(&frame, &frame.runs[0], 100));
        while grown.as_ref().is_ok_and(|found| !found.complete) {
            grown = now(smoother.update(&frame, &frame.runs[0], 100));
        }
    }
    let frame = session.frame();
    assert_eq!(grown, smoothing(&frame, &frame.runs[0]));
    // Back in time it forgets what has not happened yet.
    session.apply(crate::session::Command::Seek(50)).unwrap();
    let frame = session.frame();
    let back = now(smoother.update(&frame, &frame.runs[0], usize::MAX));
    assert_eq!(back.as_ref().unwrap().steps.len(), 50);
    assert_eq!(back, smoothing(&frame, &frame.runs[0]));
}

/// Where λ* does not depend on λ there is no bias but rounding, and n equal variances are divided by n.
#[test]
fn a_gaussian_has_no_bias_whatever_the_window() {
    let mut session = session(
        "kind = \"gaussian\"\ncorrelation = 0.6",
        "method = \"svi\"\nsteps = 300\nwindow = 20\nexpectations = { kind = \"quadrature\", nodes = 4 }\n\
         gradient = { kind = \"noisy\", variance = 2.0 }\nstep_size = { kind = \"constant\", value = 0.1 }",
        "",
    );
    session.advance(300);
    let frame = session.frame();
    let found = smoothing(&frame, &frame.runs[0]).unwrap();
    for (length, curve) in &found.windows {
        // Targets of size 2 with some twenty roundings each.
        assert!(curve.squared_bias.iter().all(|bias| *bias < 1e-26), "{length}: {:?}", curve.squared_bias);
        for (row, variance) in curve.variance.iter().enumerate() {
            let expected = curve.variance[0] / (row + 1).min(*length) as f64;
            assert!((variance / expected - 1.0).abs() < 1e-12, "{length} {row}: {variance} {expected}");
        }
    }
    // Lagging parameters are a bias of averaged gradients.
    let lagging = &found.gradients[3].1.squared_bias;
    assert!(lagging[5..].iter().all(|bias| *bias > 1e-6), "{lagging:?}");
}

/// A target of 1e20 among the first, as of a distribution that is much too wide, is forgotten with the step that leaves
/// the window: what comes later has the errors that it has without it. Sums from the first step on would be off by 1e4
/// for good.
#[test]
fn a_huge_target_leaves_nothing_behind() {
    let step = |number: f64| {
        let from = Natural::new(0.3, -0.1, 1.0 + 0.01 * number, 0.2, 2.0);
        let variance = Natural::repeat(1.0 + 0.1 * number);
        (from, IntermediateEstimate { mean: from * 1.5 + Natural::repeat(0.03 * number), variance })
    };
    let huge =
        (Natural::repeat(1e18), IntermediateEstimate { mean: Natural::repeat(1e20), variance: Natural::repeat(1e40) });
    for length in WINDOWS {
        let (mut means, mut known) = (Means::default(), Vec::new());
        known.push((huge.0, huge.1.mean, huge.1.variance.sum()));
        means.push(huge.0, &huge.1, length);
        for number in 0..250 {
            let (from, noisy) = step(f64::from(number));
            known.push((from, noisy.mean, noisy.variance.sum()));
            let found = means.push(from, &noisy, length);
            if known.len() <= length {
                continue;
            }
            for (gradients, (bias, variance)) in [false, true].into_iter().zip(found) {
                let (expected_bias, expected_variance) = by_definition(&known, length, gradients);
                // 100 additions of numbers below 20.
                assert!(
                    (bias.sqrt() - expected_bias.sqrt()).abs() < 1e-12,
                    "{length} {number}: {bias} {expected_bias}"
                );
                assert!((variance / expected_variance - 1.0).abs() < 1e-12, "{length} {number}");
            }
        }
    }
}

/// What came about agrees with what was to be expected, on average over 3000 steps: the mean difference of 30 chunks of
/// 100 steps, which a window of 10 makes nearly independent, is within 5 of its standard errors (Student's t, 29
/// degrees of freedom: one false alarm in 40 000).
#[test]
fn realised_errors_are_what_was_expected_on_average() {
    let mut session = session(
        "kind = \"beta-posterior\"",
        "method = \"svi\"\nsteps = 3100\nwindow = 10\ngradient = { kind = \"minibatch\", size = 20 }\n\
         step_size = { kind = \"constant\", value = 0.02 }",
        "",
    );
    session.advance(3100);
    let frame = session.frame();
    let mut smoother = Smoother::default();
    let found = now(smoother.update(&frame, &frame.runs[0], usize::MAX)).unwrap();
    assert_eq!((found.steps.len(), found.steps.last()), (1550, Some(&3100)));
    assert_eq!((found.steps[0], found.steps[1]), (2, 4));
    let of = |row: usize| {
        let (bias, variance) = smoother.steps[row].own;
        smoother.steps[row].realised.unwrap() / (bias + variance) - 1.0
    };
    let ratios: Vec<f64> = (100..3100).map(of).collect();
    let means: Vec<f64> = ratios.chunks(100).map(|part| part.iter().sum::<f64>() / 100.0).collect();
    let mean = means.iter().sum::<f64>() / 30.0;
    let error = (means.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / 29.0 / 30.0).sqrt();
    assert!(mean.abs() < 5.0 * error && error < 0.1, "{mean} ± {error}");
}

#[test]
fn what_cannot_be_known_is_said() {
    let reason = |run: &str, rest: &str| {
        let mut session = session("kind = \"beta-posterior\"", run, rest);
        session.advance(50);
        let frame = session.frame();
        smoothing(&frame, &frame.runs[0])
    };
    assert_eq!(reason("method = \"sgld\"\nsteps = 50", ""), Err(NOT_SMOOTHED));
    assert_eq!(reason("method = \"gaussian-vi\"\nsteps = 50", ""), Err(NOT_SMOOTHED));
    let sag = "method = \"svi\"\nsteps = 50\naverage = \"sag\"\ngradient = { kind = \"minibatch\", size = 10 }";
    let found = reason(sag, "").unwrap();
    assert!(found.own.is_none() && found.realised.iter().any(Option::is_some) && found.windows.len() == 5);
    // And so it is after an event, but not once other steps have come between.
    let batches = |order: &str| format!("gradient = {{ kind = \"minibatch\", size = 10, order = \"{order}\" }}");
    let run = |order: &str| format!("method = \"svi\"\nsteps = 50\n{}", batches(order));
    let event = |step: u64, set: &str| format!("[[event]]\nrun = \"fit\"\nstep = {step}\nset = {{ {set} }}\n");
    let (cyclic, random) = (event(20, &batches("cyclic")), event(20, &batches("random")));
    assert_eq!(reason(&run("cyclic"), ""), Err(NOT_RANDOM));
    assert_eq!(reason(&run("shuffled"), &cyclic), Err(NOT_RANDOM));
    assert_eq!(reason(&run("cyclic"), &random), Err(NOT_RANDOM));
    assert!(reason(&run("shuffled"), "").is_ok());
    let between = event(10, "method = \"gaussian-vi\"") + &random + &event(30, "method = \"svi\"");
    assert_eq!(reason(&run("cyclic"), &between).unwrap().steps.first(), Some(&31));
    let unmoved = session("kind = \"beta-posterior\"", "method = \"svi\"", "");
    let frame = unmoved.frame();
    assert_eq!(smoothing(&frame, &frame.runs[0]), Err(NO_STEP));
}

/// From the moment that another method hands the distribution over.
#[test]
fn a_run_that_becomes_one_is_known_from_there_on() {
    let mut session = session(
        "kind = \"beta-posterior\"",
        "method = \"gaussian-vi\"\nsteps = 60",
        "[[event]]\nrun = \"fit\"\nstep = 20\nset = { method = \"svi\" }",
    );
    session.advance(60);
    let frame = session.frame();
    let found = smoothing(&frame, &frame.runs[0]).unwrap();
    assert_eq!((found.steps.first(), found.steps.last()), (Some(&21), Some(&60)));
}

/// On bars with random batches of 10 and ρ = (t + 1)^−0.7, in units of 10⁶, the figures of an independent program at step 10, means of
/// four paths: variance 57.9 of one batch and 6.1 of ten, squared bias 4.6 of ten. The variance of single paths differs by a few
/// per cent, the squared bias by a factor of 0.9 to 1.9 (eight paths in numpy): a mean of eight is compared.
#[test]
fn errors_on_topics_are_those_of_an_independent_program() {
    let path = |seed: u64| {
        let text = format!(
            "format = 1\nseed = {seed}\n[target]\nkind = \"topics\"\n[[run]]\nname = \"fit\"\nmethod = \"svi\"\nsteps = 12\n\
             gradient = {{ kind = \"minibatch\", size = 10, order = \"random\" }}\n\
             step_size = {{ kind = \"polynomial\", a = 1.0, b = 1.0, gamma = 0.7 }}"
        );
        let mut session = Session::new(crate::scenario::read(&text, "test.toml", Folder::new(".")).unwrap()).unwrap();
        session.advance(12);
        session.frame()
    };
    let mut means = [0.0; 3];
    for seed in 1..=8 {
        let frame = path(seed);
        let found = smoothing(&frame, &frame.runs[0]).unwrap();
        let (own, (length, ten)) = (found.own.as_ref().unwrap(), &found.windows[2]);
        assert_eq!(*length, 10);
        let ratios = [own.variance[9] / 57.9e6, ten.variance[9] / 6.1e6, ten.squared_bias[9] / 4.6e6];
        means.iter_mut().zip(ratios).for_each(|(mean, ratio)| *mean += ratio / 8.0);
    }
    let [one, ten, bias] = means;
    assert!((one - 1.0).abs() < 0.08 && (ten - 1.0).abs() < 0.08 && (bias - 1.0).abs() < 0.5, "{means:?}");
    let frame = path(3);
    let found = smoothing(&frame, &frame.runs[0]).unwrap();
    assert_eq!((found.steps.len(), found.window, found.complete), (12, 1, true));
    let own = found.own.as_ref().unwrap();
    assert!(own.squared_bias.iter().all(|bias| *bias < 1e-6), "a single estimate has no bias");
    // What came about is on average what is expected.
    let realised: f64 = found.realised.iter().map(|error| error.unwrap()).sum();
    let expected: f64 = own.squared_error.iter().sum();
    assert!((0.6..1.6).contains(&(realised / expected)), "{realised} {expected}");
    // Computed in several calls it is the same.
    let (mut smoother, mut calls) = (Smoother::default(), 0);
    let last = loop {
        calls += 1;
        let part = now(smoother.update(&frame, &frame.runs[0], 5)).unwrap();
        if part.complete {
            break part;
        }
    };
    assert_eq!((last, calls), (found, 3));
}
