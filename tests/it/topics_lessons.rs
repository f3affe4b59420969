//! What the lessons on topics say: bars found by whom and when, what windows do to steps and to λ, guarded steps, bounds,
//! distances to the true topics, and means over draws. Numbers are compared in the digits told.

use sampler_lab::lda::{Elbo, Matching, Topics, bars_found};
use sampler_lab::math::Simd;
use sampler_lab::scenario::Lesson;
use sampler_lab::session::{ChainTopics, Frame, Session};

fn lesson(name: &str) -> Session {
    Session::new(Lesson::find(name).unwrap().scenario().unwrap()).unwrap()
}

/// The lesson after so many steps of every run that has as many.
fn after(session: &mut Session, step: u64) -> Frame {
    session.advance(step - session.frame().step);
    session.frame()
}

fn newest(frame: &Frame, run: usize) -> Vec<&ChainTopics> {
    frame.runs[run].topics.last().unwrap().chains.iter().map(AsRef::as_ref).collect()
}

fn truth(frame: &Frame) -> &Topics {
    frame.target.topics().unwrap().truth().unwrap()
}

/// Bars found by the chains of a run.
fn bars(frame: &Frame, run: usize) -> Vec<usize> {
    newest(frame, run).iter().map(|chain| bars_found(truth(frame), &chain.mean())).collect()
}

fn mean(values: &[usize]) -> f64 {
    values.iter().sum::<usize>() as f64 / values.len() as f64
}

/// The evidence lower bound per word of the first chain of a run.
fn elbo(frame: &Frame, run: usize) -> f64 {
    let model = frame.target.topics().unwrap();
    let training = &model.corpus.training;
    let mut local = model.local(Simd::widest());
    Elbo::at(&newest(frame, run)[0].parameters, &model.model, training, &mut local).total()
        / training.token_count() as f64
}

/// The mean distance of the first chain of a run to the true topics.
fn distance(frame: &Frame, run: usize) -> f64 {
    Matching::new(truth(frame), &newest(frame, run)[0].mean()).mean_distance().unwrap()
}

/// A number is told in its digits.
#[track_caller]
fn told(found: f64, claim: f64, digit: f64) {
    assert!((found - claim).abs() <= 0.5001 * digit, "{found} is not {claim}");
}

#[test]
fn small_first_batches_merge_bars_for_ever() {
    let mut session = lesson("ten-bars");
    let at_pause = after(&mut session, 8);
    told(mean(&bars(&at_pause, 1)), 2.0, 0.01);
    let at_pause = after(&mut session, 40);
    told(mean(&bars(&at_pause, 0)), 5.25, 0.01);
    let early = bars(&after(&mut session, 80), 0);
    told(mean(&early), 6.25, 0.01);
    let end = after(&mut session, 4000);
    assert_eq!(bars(&end, 0), early, "later steps find no more");
    for (run, found) in [(1, 9.0), (2, 10.0), (3, 8.5)] {
        told(mean(&bars(&end, run)), found, 0.01);
    }
    assert!((0..4).all(|run| newest(&end, run).iter().all(|chain| chain.documents == 40_000)));
    // Topics of two bars: a third of the probability and more on each of them.
    let (truth, found) = (truth(&end), newest(&end, 0)[0].mean());
    let on = |bar: usize, topic: usize| {
        truth.topic(bar).zip(found.topic(topic)).filter(|(share, _)| *share > 0.0).map(|(_, share)| share).sum::<f64>()
    };
    let merged = |topic: &usize| (0..10).filter(|bar| on(*bar, *topic) > 1.0 / 3.0).count() == 2;
    assert_eq!((0..10).filter(merged).count(), 2);
}

#[test]
fn averages_find_bars_later() {
    let mut session = lesson("calm-costs-time");
    for (step, claims) in [(50, [7.25, 4.25, 1.75]), (500, [7.25, 7.75, 6.5])] {
        let frame = after(&mut session, step);
        for (run, claim) in claims.into_iter().enumerate() {
            told(mean(&bars(&frame, run)), claim, 0.01);
        }
    }
}

/// The mean over chains of the root mean square of the steps of E β, from one step to another, by run.
fn trembling(session: &mut Session, steps: std::ops::RangeInclusive<u64>) -> Vec<f64> {
    let mut before = after(session, steps.start() - 1);
    let mut squares: Vec<Vec<f64>> = (0..before.runs.len()).map(|run| vec![0.0; newest(&before, run).len()]).collect();
    let count = (steps.end() - steps.start() + 1) as f64;
    for step in steps {
        let now = after(session, step);
        for (run, squares) in squares.iter_mut().enumerate() {
            for (chain, (now, before)) in newest(&now, run).iter().zip(newest(&before, run)).enumerate() {
                let (now, before) = (now.mean(), before.mean());
                let moved = now.values().iter().zip(before.values());
                squares[chain] += moved.map(|(now, before)| (now - before).powi(2)).sum::<f64>();
            }
        }
        before = now;
    }
    let root =
        |squares: &Vec<f64>| squares.iter().map(|squares| (squares / count).sqrt()).sum::<f64>() / squares.len() as f64;
    squares.iter().map(root).collect()
}

#[test]
fn averages_tremble_less() {
    let found = trembling(&mut lesson("calm-costs-time"), 451..=500);
    for (found, claim) in found.into_iter().zip([0.0036, 0.0011, 0.0003]) {
        told(found, claim, 0.0001);
    }
    let mut session = lesson("smooth-lambda");
    let found = trembling(&mut session, 541..=600);
    told(found[0] / found[1], 3.5, 0.1);
    told(found[0] / found[2], 20.0, 1.0);
    for (run, claim) in [0.015, 0.015, 0.014].into_iter().enumerate() {
        told(distance(&session.frame(), run), claim, 0.001);
    }
}

/// The variance of λ over the steps from 301 on, and the mean square of its steps, relative to L = 1. One path of 300 steps
/// is some fifteen independent ones, of 250 parameters: the shares 0.82 and 0.21 of many paths are met within a third.
#[test]
fn a_smooth_step_is_not_a_smooth_parameter() {
    let mut session = lesson("smooth-lambda");
    after(&mut session, 300);
    let mut sums = vec![(vec![0.0; 250], vec![0.0; 250], 0.0); 3];
    let mut before: Vec<Vec<f64>> = Vec::new();
    for step in 301..=600 {
        let frame = after(&mut session, step);
        let now: Vec<Vec<f64>> = (0..3).map(|run| newest(&frame, run)[0].parameters.values().to_vec()).collect();
        for (run, (sum, squares, moved)) in sums.iter_mut().enumerate() {
            for (entry, value) in now[run].iter().enumerate() {
                sum[entry] += value;
                squares[entry] += value * value;
                *moved += before.get(run).map_or(0.0, |before: &Vec<f64>| (value - before[entry]).powi(2));
            }
        }
        before = now;
    }
    let variance = |(sum, squares, _): &(Vec<f64>, Vec<f64>, f64)| -> f64 {
        sum.iter().zip(squares).map(|(sum, squares)| squares / 300.0 - (sum / 300.0).powi(2)).sum()
    };
    let share = |run: usize| (variance(&sums[run]) / variance(&sums[0]), sums[run].2 / sums[0].2);
    let [(ten, step_ten), (hundred, step_hundred)] = [share(1), share(2)];
    assert!((ten / 0.82 - 1.0).abs() < 0.33 && (hundred / 0.21 - 1.0).abs() < 0.5, "λ: {ten}, {hundred}");
    assert!(step_ten < 0.2 && step_hundred < 0.05, "steps: {step_ten}, {step_hundred}");
}

#[test]
fn the_average_of_gradients_is_guarded_and_falls() {
    let mut session = lesson("left-the-simplex");
    let mut bounds = [Vec::new(), Vec::new()];
    for step in 1..=60 {
        let frame = after(&mut session, step);
        for (run, bounds) in bounds.iter_mut().enumerate() {
            bounds.push(elbo(&frame, run));
        }
    }
    assert!(bounds[0].windows(2).all(|pair| pair[1] > pair[0]), "Window rises at every step");
    assert!(bounds[1][4..10].windows(2).all(|pair| pair[1] < pair[0]));
    told(bounds[1][4], -2.991, 0.001);
    told(bounds[1][9], -2.999, 0.001);
    told(bounds[0][59], -2.853, 0.001);
    told(bounds[1][59], -2.847, 0.001);
    let guarded = |run: usize| newest(&session.frame(), run)[0].guarded;
    assert_eq!([guarded(0), guarded(1)], [0, 10]);
}

#[test]
fn kept_local_steps_are_stuck() {
    let mut session = lesson("upward-and-stuck");
    for (step, kept, fresh) in [(1, -3.078, -3.078), (5, -2.965, -2.872), (40, -2.963, -2.774)] {
        let frame = after(&mut session, step);
        told(elbo(&frame, 0), kept, 0.001);
        told(elbo(&frame, 1), fresh, 0.001);
    }
    let frame = session.frame();
    assert_eq!((bars(&frame, 0), bars(&frame, 1)), (vec![0], vec![8]));
}

#[test]
fn variational_topics_leave_the_truth_while_the_bound_rises() {
    let mut session = lesson("sure-and-wrong");
    let mut bound = f64::NEG_INFINITY;
    for (step, of_vi) in [(10, 0.011), (30, 0.048), (400, 0.132)] {
        let frame = after(&mut session, step);
        told(distance(&frame, 0), of_vi, 0.001);
        assert!(elbo(&frame, 0) > bound);
        bound = elbo(&frame, 0);
        match step {
            10 => {
                told(bound, -0.8592, 0.0001);
                told(distance(&frame, 1), 0.0235, 0.001);
            }
            400 => told(bound, -0.8576, 0.0001),
            _ => {}
        }
    }
    // The third word in the first topic, whose true probability is 0.05.
    let frame = session.frame();
    let first = |chain: &ChainTopics| Matching::new(truth(&frame), &chain.mean()).found[0].unwrap();
    told(truth(&frame).get(0, 2), 0.05, 0.01);
    let vi = newest(&frame, 0)[0];
    told(vi.mean().get(first(vi), 2), 0.0004, 0.0001);
    told(vi.sd().unwrap().get(first(vi), 2), 0.0003, 0.0001);
    let draws =
        frame.runs[1].topics.iter().filter(|at| frame.runs[1].collects(at.step)).map(|at| at.chains[0].as_ref());
    let draws: Vec<f64> = draws.map(|draw| draw.mean().get(first(draw), 2)).collect();
    let mean = draws.iter().sum::<f64>() / draws.len() as f64;
    let sd = (draws.iter().map(|draw| (draw - mean).powi(2)).sum::<f64>() / draws.len() as f64).sqrt();
    assert!((mean - 0.058).abs() < 0.004 && (sd - 0.010).abs() < 0.003, "{mean} ± {sd}");
}

#[test]
fn two_inner_sweeps_are_a_bias() {
    let mut session = lesson("inner-sweeps");
    session.advance(u64::MAX);
    let frame = session.frame();
    for (run, claims) in [[0.823, 0.800], [0.805, 0.776], [0.800, 0.772]].into_iter().enumerate() {
        let (run, history) = (&frame.runs[run], &frame.runs[run].history);
        let rows = (0..history.rows()).filter(|row| run.collects(history.step(*row)));
        let places: Vec<_> = rows.filter_map(|row| history.position(row, 0)).collect();
        for (coordinate, claim) in claims.into_iter().enumerate() {
            let mean = places.iter().map(|at| at[coordinate]).sum::<f64>() / places.len() as f64;
            told(mean, claim, 0.001);
        }
    }
}
