//! Tests of answers against frames.

use std::path::Path;
use std::sync::Arc;

use approx::assert_relative_eq;

use super::*;
use crate::diagnostics::Measure;
use crate::scenario::read;
use crate::session::Session;

/// Two runs of exact draws, one with a bias, for three steps.
fn frame(challenges: &str) -> Frame {
    let text = format!(
        "format = 1\nseed = 5\n[target]\nkind = \"gaussian\"\n[[run]]\nname = \"A\"\nmethod = \"sgld\"\nsteps = 60\nchains = 2\n\
         step_size = {{ kind = \"constant\", value = 0.1 }}\n[[run]]\nname = \"B\"\nmethod = \"sgld\"\nsteps = 60\nchains = 2\n\
         step_size = {{ kind = \"constant\", value = 0.1 }}\n{challenges}"
    );
    let mut session = Session::new(read(&text, "s", Path::new("")).unwrap()).unwrap();
    session.advance(60);
    while session.refresh_measures() {}
    session.frame()
}

/// The frame with these values of a measure of its runs.
fn with_values(mut frame: Frame, key: &'static str, values: &[Option<f64>]) -> Frame {
    for (run, value) in frame.runs.iter_mut().zip(values) {
        let mut measures: Vec<Measure> = run.measures.to_vec();
        for measure in measures.iter_mut().filter(|measure| measure.key == key) {
            (measure.value, measure.reason) = (*value, if value.is_some() { "" } else { "too few" });
        }
        run.measures = Arc::new(measures);
    }
    frame
}

fn keyed(frame: &Frame) -> Key {
    key(frame, &frame.scenario.challenges[0]).unwrap()
}

fn scored(frame: &Frame, answer: &Answer) -> Option<Score> {
    score(&frame.scenario.challenges[0], &keyed(frame), answer)
}

#[test]
fn a_number_is_right_within_its_tolerance_and_its_error_has_a_sign() {
    let challenge = "[[challenge]]\nkind = \"number\"\nrun = \"B\"\nmeasure = \"modes_covered\"\ntolerance = 2\n";
    let frame = with_values(frame(challenge), "modes_covered", &[Some(3.0), Some(18.0)]);
    assert_eq!(keyed(&frame), Key::Number(18.0));
    for (number, right, error) in [(18.0, true, 0.0), (16.0, true, -2.0), (20.0, true, 2.0), (15.5, false, -2.5)] {
        assert_eq!(scored(&frame, &Answer::Number(number)), Some(Score { right, value: error }));
    }
    assert_eq!(scored(&frame, &Answer::Runs(vec![1])), None, "an answer to another question");
    let without = with_values(frame, "modes_covered", &[Some(3.0), None]);
    assert_eq!(key(&without, &without.scenario.challenges[0]), Err("too few"));
}

#[test]
fn the_run_with_the_extreme_value_is_the_right_one_and_equal_runs_both_are() {
    for (find, values, right) in
        [("smallest", [0.2, 0.1], vec![1]), ("largest", [0.2, 0.1], vec![0]), ("smallest", [0.1, 0.1], vec![0, 1])]
    {
        let challenge = format!("[[challenge]]\nkind = \"choice\"\nmeasure = \"tv\"\nfind = \"{find}\"\n");
        let frame = with_values(frame(&challenge), "tv", &values.map(Some));
        for run in 0..2 {
            let score = scored(&frame, &Answer::Runs(vec![run])).unwrap();
            assert_eq!(score.right, right.contains(&run), "{find} {values:?}");
        }
        assert!(!scored(&frame, &Answer::Runs(vec![])).unwrap().right, "one is asked for");
    }
    let challenge = "[[challenge]]\nkind = \"choice\"\nmeasure = \"tv\"\nfind = \"smallest\"\n";
    let frame = with_values(frame(challenge), "tv", &[None, Some(0.3)]);
    assert!(scored(&frame, &Answer::Runs(vec![1])).unwrap().right, "a run without a value is not the best");
    let without = with_values(frame, "tv", &[None, None]);
    assert_eq!(key(&without, &without.scenario.challenges[0]), Err("too few"));
}

#[test]
fn runs_within_a_bound_are_told_one_by_one() {
    let challenge = "[[challenge]]\nkind = \"choice\"\nmeasure = \"tv\"\nat_most = 0.2\n";
    let frame = with_values(frame(challenge), "tv", &[Some(0.2), Some(0.3)]);
    let Key::Runs { right, values } = keyed(&frame) else { panic!() };
    assert_eq!((right, values), (vec![0], vec![Ok(0.2), Ok(0.3)]));
    for (runs, right, value) in
        [(vec![0], true, 1.0), (vec![], false, 0.5), (vec![0, 1], false, 0.5), (vec![1], false, 0.0)]
    {
        assert_eq!(scored(&frame, &Answer::Runs(runs)), Some(Score { right, value }));
    }
    let none = with_values(frame, "tv", &[Some(0.4), Some(0.3)]);
    assert!(scored(&none, &Answer::Runs(vec![])).unwrap().right, "none can be right");
}

#[test]
fn floors_are_those_of_each_run() {
    let challenge = "[[challenge]]\nkind = \"choice\"\nmeasure = \"tv\"\nfloors = 1.5\n";
    let frame = frame(challenge);
    let floors: Vec<f64> = frame
        .runs
        .iter()
        .map(|run| run.measures.iter().find(|measure| measure.key == "tv").unwrap().floor.unwrap().mean)
        .collect();
    let frame = with_values(frame, "tv", &[Some(1.49 * floors[0]), Some(1.51 * floors[1])]);
    assert!(matches!(keyed(&frame), Key::Runs { right, .. } if right == [0]));
}

#[test]
fn a_goal_is_met_within_bound_and_cost_and_better_attempts_are_nearer_or_cheaper() {
    let goal = |within: &str| {
        frame(&format!(
            "[[challenge]]\nkind = \"goal\"\nrun = \"A\"\nmeasure = \"modes_covered\"\nat_least = 25\n{within}"
        ))
    };
    let attempt = |frame: &Frame| match keyed(frame) {
        Key::Goal(attempt) => attempt,
        other => panic!("{other:?}"),
    };
    // Two chains take 60 steps each.
    let met = |frame: &Frame, value: f64| attempt(&with_values(frame.clone(), "modes_covered", &[Some(value), None]));
    let (free, enough, tight) = (goal(""), goal("within = 120\n"), goal("within = 119\n"));
    assert_relative_eq!(met(&free, 25.0).evaluations, 120.0);
    assert!(met(&free, 25.0).is_met() && met(&enough, 26.0).is_met());
    assert!(!met(&enough, 24.0).is_met() && !met(&tight, 25.0).is_met());
    assert_relative_eq!(met(&free, 23.0).margin, -2.0);
    let made =
        |value: f64, evaluations: f64, affordable| Attempt { value, margin: value - 25.0, evaluations, affordable };
    let ascending = [
        made(25.0, 200.0, false),
        made(10.0, 90.0, true),
        made(24.0, 100.0, true),
        made(25.0, 100.0, true),
        made(25.0, 80.0, true),
    ];
    for (index, worse) in ascending.iter().enumerate() {
        for better in &ascending[index + 1..] {
            assert!(better.beats(worse) && !worse.beats(better), "{better:?} {worse:?}");
        }
        assert!(!worse.beats(worse));
    }
    assert_eq!(scored(&free, &Answer::Number(25.0)), None);
}

#[test]
fn chips_are_scored_by_the_mass_that_they_account_for() {
    let frame = frame(
        "[[challenge]]\nkind = \"mass\"\nchips = 4\nat_least = 0.5\n[[challenge]]\nkind = \"mass\"\nrun = \"A\"\nchips = 4\n",
    );
    for challenge in &frame.scenario.challenges {
        let Key::Mass { mass, chips, share } = key(&frame, challenge).unwrap() else { panic!() };
        assert_eq!(chips.len(), 4);
        assert!((0.5..=1.0).contains(&share), "{share}");
        let scored = |chips: Vec<Point>| {
            score(challenge, &Key::Mass { mass: mass.clone(), chips: vec![], share }, &Answer::Chips(chips)).unwrap()
        };
        let good = scored(chips.clone());
        assert!(good.right);
        assert_relative_eq!(good.value, share);
        let far = scored(vec![Point::new(1e3, 0.0); 4]);
        assert_eq!((far.right, far.value), (false, 0.0));
        assert!(scored(chips[..2].to_vec()).value <= 0.5 + 1e-9, "two of four chips");
    }
}

#[test]
fn before_the_first_draw_there_is_nothing_to_compare_with() {
    let text = "format = 1\n[target]\nkind = \"gaussian\"\n[[run]]\nname = \"A\"\nmethod = \"sgld\"\nsteps = 9\n\
                [[challenge]]\nkind = \"mass\"\nrun = \"A\"\n[[challenge]]\nkind = \"number\"\nmeasure = \"rhat\"\n";
    let session = Session::new(read(text, "s", Path::new("")).unwrap()).unwrap();
    let frame = session.frame();
    assert_eq!(key(&frame, &frame.scenario.challenges[0]), Err(NO_DRAWS));
    assert!(key(&frame, &frame.scenario.challenges[1]).is_err());
}

#[test]
fn draws_from_an_approximation_are_a_mass() {
    let text = "format = 1\n[target]\nkind = \"gaussian\"\n[[run]]\nname = \"A\"\nmethod = \"laplace\"\n\
                [[challenge]]\nkind = \"mass\"\nrun = \"A\"\n[[challenge]]\nkind = \"mass\"\n";
    let mut session = Session::new(read(text, "s", Path::new("")).unwrap()).unwrap();
    session.advance(session.total());
    let frame = session.frame();
    let shares: Vec<f64> = frame
        .scenario
        .challenges
        .iter()
        .map(|challenge| match key(&frame, challenge).unwrap() {
            Key::Mass { share, .. } => share,
            other => panic!("{other:?}"),
        })
        .collect();
    // The Laplace approximation of a Gaussian is the Gaussian.
    assert_relative_eq!(shares[0], shares[1], epsilon = 0.05);
}
