//! Handles of every kind: from a value to a spot and back, legal values wherever they are dragged.

use super::*;
use crate::schedules::SCHEDULES;
use base::params::find_kind;

fn course(kind: &str, values: &[(&str, Value)], steps: u64, from: u64) -> Course {
    let mut settings = Settings::defaults(find_kind(&SCHEDULES, kind).unwrap());
    for (key, value) in values {
        settings.set(key, value.clone()).unwrap();
    }
    Course { settings, steps, from }
}

fn number(value: f64) -> Value {
    Value::Number(value)
}

/// Courses of every kind in both conventions, at the start and under way, with short and with long runs.
fn courses() -> Vec<Course> {
    let mut all = Vec::new();
    let epsilon = ("convention", Value::Choice("welling-teh"));
    let knots = |list: &[[f64; 2]]| ("knots", Value::Points(list.to_vec()));
    let mut kinds: Vec<(&str, Vec<(&str, Value)>)> = vec![("custom", vec![])];
    kinds.push(("custom", vec![knots(&[[1.0, 0.5], [2.0, 0.25], [40.0, 1e-4], [700.0, 0.3]])]));
    kinds.push(("custom", vec![knots(&[[5.0, 0.02]])]));
    for alpha in [1e-6, 0.00317, 0.5, 12.0] {
        kinds.push(("constant", vec![("value", number(alpha))]));
        for (b, gamma, hold) in [(0.0, 0.55, 0.0), (3.0, 1.0, 10.0), (231.0, 0.33, 40.0), (0.5, 1.2, 3.0)] {
            let values = vec![("b", number(b)), ("gamma", number(gamma)), ("hold", number(hold))];
            kinds.push(("polynomial", [vec![("a", number(alpha))], values].concat()));
            let ends = vec![("first", number(alpha)), ("last", number(alpha / 100.0))];
            let rest = vec![("gamma", number(gamma)), ("hold", number(hold))];
            kinds.push(("polynomial", [ends, rest].concat()));
        }
        for (cycles, share) in [(1.0, 0.25), (3.0, 0.0), (7.0, 0.8), (30.0, 0.111)] {
            for rounding in ["ceil", "exact"] {
                let values =
                    vec![("initial", number(alpha)), ("cycles", number(cycles)), ("rounding", Value::Choice(rounding))];
                kinds.push(("cyclical", [values.clone(), vec![("exploration", number(share))]].concat()));
                kinds.push(("cyclical", [values.clone(), vec![("exploration_steps", number(2.0))]].concat()));
                let uneven = [("growth", number(1.02)), ("minimum", number(alpha / 50.0)), ("warm_up", number(5.0))];
                kinds.push(("cyclical", [values.clone(), uneven.to_vec()].concat()));
                let falling = [("peaks", number(0.9)), ("exploration_steps", number(2.0))];
                kinds.push(("cyclical", [values, falling.to_vec()].concat()));
            }
        }
    }
    for (kind, values) in kinds {
        for (steps, from) in [(100, 0), (100, 37), (1000, 0), (50_000, 0), (50_000, 20_011)] {
            let with = |extra: Vec<(&str, Value)>| course(kind, &[values.clone(), extra].concat(), steps, from);
            all.extend([with(vec![]), with(vec![epsilon.clone()])]);
        }
    }
    all
}

/// A handle dragged to its own spot changes nothing, for values of three digits.
#[test]
fn from_the_value_to_the_place_and_back_is_the_identity() {
    let mut looked_at = std::collections::BTreeMap::<&str, usize>::new();
    for course in courses() {
        for handle in course.handles() {
            *looked_at.entry(handle.spec.key).or_default() += 1;
            let back = (handle.spec.value)(&course, handle.index, handle.spot).unwrap();
            let now = course.settings.get(handle.spec.key);
            // Knots that are left out have values all the same.
            if let Some(now) = now {
                let values: Vec<_> = course.settings.iter().map(|(spec, value)| (spec.key, value)).collect();
                let of = (values, course.steps, course.from);
                assert_eq!(back, *now, "{} at {:?} of {of:?}", handle.spec.key, handle.spot);
            }
        }
    }
    let keys = [
        "a",
        "b",
        "cycles",
        "exploration",
        "exploration_steps",
        "first",
        "gamma",
        "hold",
        "initial",
        "knots",
        "minimum",
    ];
    assert!(keys.iter().all(|key| looked_at[key] > 10), "{looked_at:?}");
    assert!(looked_at["last"] > 10 && looked_at["value"] > 10);
}

/// The spot of the value that a handle is dragged to is the spot that it was dragged to, if it can be there.
#[test]
fn a_handle_follows_the_pointer_along_its_direction() {
    let mut moves = 0;
    for course in courses() {
        for handle in course.handles() {
            for factor in [0.71, 0.97, 1.09, 1.4] {
                let to = Spot { step: handle.spot.step, alpha: handle.spot.alpha * factor };
                if handle.spec.moves == Moves::Along {
                    continue;
                }
                let Some(value) = handle.moved(&course, to) else { continue };
                let after = course.with(handle.spec.key, &value).unwrap();
                let Some(spot) = (handle.spec.spot)(&after, handle.index) else { continue };
                // Three digits; the exponent at the end of the curve is amplified by the logarithm of the steps.
                let limits = (spot.alpha / to.alpha - 1.0).abs() < 0.06 || handle.spec.key == "gamma";
                assert!(limits, "{} to {to:?}, is at {spot:?}, {}", handle.spec.key, course.steps);
                moves += 1;
            }
        }
    }
    assert!(moves > 500, "{moves}");
}

#[test]
fn values_are_legal_and_short_wherever_a_handle_is_dragged() {
    for course in courses() {
        for handle in course.handles() {
            for step in [-50.0, 0.0, 1.0, 33.4, course.steps as f64, 1e9] {
                for alpha in [1e-12, 0.0123456, 40.0] {
                    let Some(value) = handle.moved(&course, Spot { step, alpha }) else { continue };
                    let moved = course.with(handle.spec.key, &value).unwrap();
                    assert!(build(&moved.settings, moved.steps).is_ok());
                    if let (Value::Number(number), false) =
                        (&value, ["cycles", "hold", "exploration_steps"].contains(&handle.spec.key))
                    {
                        assert!(
                            (three_digits(*number) - number).abs() <= 1e-9 * number,
                            "{} {number}",
                            handle.spec.key
                        );
                    }
                }
            }
            for times in [-1.0, 1.0, 10.0] {
                let legal = |value: Value| course.with(handle.spec.key, &value).is_some();
                assert!(handle.nudged(&course, times).is_none_or(legal));
                assert!(handle.shifted(&course, times).is_none_or(legal));
            }
        }
    }
}

/// The curve goes through the handles of step sizes, wherever the run is.
#[test]
fn handles_are_on_the_curve() {
    for course in courses() {
        let schedule = build(&course.settings, course.steps).unwrap();
        for handle in course.handles().iter().filter(|handle| handle.spec.key != "cycles") {
            let step = handle.spot.step.max(1.0);
            #[expect(clippy::cast_sign_loss, reason = "at least 1")]
            let (below, above) = (step.floor() as u64, step.ceil() as u64 + 1);
            let values = [below, above].map(|step| schedule.step_size(step));
            let (low, high) = (values[0].min(values[1]), values[0].max(values[1]));
            let near = low * (1.0 - 1e-9) <= handle.spot.alpha && handle.spot.alpha <= high * (1.0 + 1e-9);
            // Between end points, the first step is the one before the run; b below 1 and a cycle begin between two steps.
            let jump = ["first", "hold", "b", "initial", "exploration", "exploration_steps"].contains(&handle.spec.key);
            assert!(near || jump, "{} at {:?}, {values:?}: {course:?}", handle.spec.key, handle.spot);
        }
    }
}

#[test]
fn the_end_of_a_cycle_sets_the_number_of_cycles() {
    let course = course("cyclical", &[("cycles", number(10.0))], 1000, 0);
    let handle = course.handles().into_iter().find(|handle| handle.spec.key == "cycles").unwrap();
    assert!((handle.spot.step - 100.0).abs() < 1e-9);
    let to = |step: f64| handle.moved(&course, Spot { step, alpha: 0.01 });
    assert_eq!(to(200.0), Some(number(5.0)));
    assert_eq!(to(5000.0), Some(number(1.0)));
    assert_eq!(to(52.0), Some(number(20.0)), "20 cycles are nearest to 52 steps");
}

#[test]
fn under_way_the_next_cycle_has_the_handles() {
    let course = course("cyclical", &[("cycles", number(10.0))], 1000, 420);
    let steps: Vec<f64> = course.handles().iter().map(|handle| handle.spot.step).collect();
    assert_eq!(steps, [501.0, 500.0, 626.0]);
}

#[test]
fn knots_are_added_and_removed_but_one_stays() {
    let knots = |list: &[[f64; 2]]| Value::Points(list.to_vec());
    let course = course("custom", &[("knots", knots(&[[10.0, 0.1], [90.0, 0.01]]))], 100, 0);
    let add = |step, alpha| course.added(Spot { step, alpha });
    assert_eq!(add(50.2, 0.03333), Some(("knots", knots(&[[10.0, 0.1], [50.0, 0.0333], [90.0, 0.01]]))));
    assert_eq!(add(10.3, 0.03), None, "there is a knot already");
    let handles = course.handles();
    let remove = |index: usize| handles[index].spec.removed.and_then(|removed| removed(&course, index));
    assert_eq!(remove(0), Some(knots(&[[90.0, 0.01]])));
    let single = course.with("knots", &knots(&[[90.0, 0.01]])).unwrap();
    assert_eq!(handles[0].spec.removed.and_then(|removed| removed(&single, 0)), None);
    let beyond = handles[0].moved(&course, Spot { step: 500.0, alpha: 0.1 });
    assert_eq!(beyond, Some(knots(&[[89.0, 0.1], [90.0, 0.01]])), "knots stay in order");
}

#[test]
fn keys_move_by_the_second_digit_or_by_one() {
    let cyclical = course("cyclical", &[("initial", number(0.07)), ("cycles", number(30.0))], 1000, 0);
    let find = |key: &str| cyclical.handles().into_iter().find(|handle| handle.spec.key == key).unwrap();
    assert_eq!(find("initial").nudged(&cyclical, 1.0), Some(number(0.071)));
    assert_eq!(find("initial").nudged(&cyclical, -10.0), Some(number(0.06)));
    assert_eq!(find("cycles").nudged(&cyclical, 1.0), Some(number(31.0)));
    let custom = course("custom", &[("knots", Value::Points(vec![[10.0, 0.1], [90.0, 0.01]]))], 1000, 0);
    let knot = custom.handles()[1];
    assert_eq!(knot.shifted(&custom, 1.0), Some(Value::Points(vec![[10.0, 0.1], [100.0, 0.01]])));
    assert_eq!(knot.nudged(&custom, 1.0), Some(Value::Points(vec![[10.0, 0.1], [90.0, 0.011]])));
}
