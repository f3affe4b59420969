//! Tests of every registered method, and of the groups of parameters that they share.

use std::sync::Arc;

use super::super::{
    BATCHLESS_GRADIENTS, BatchOrder, COLLECTIONS, GRADIENTS, Gradient, METHODS, PLAIN_GRADIENTS, STARTS, TopicStart,
    build, is_for, step,
};
use super::{Normal, Numbers, Population, close, init, one_step, plan, plane, stream};
use crate::schedules;
use base::math::{Coords, Point};
use base::params::{DefaultValue, KindSpec, ParamType, Settings, Value, find_kind};
use models::families::FAMILIES;
use models::targets::{Target, path_choice};

#[test]
fn every_method_builds_from_its_defaults() {
    for kind in &METHODS {
        let settings = Settings::defaults(kind);
        assert_eq!(settings.missing().count(), 0, "{}", kind.name);
        assert!(build(&settings).is_ok(), "{}", kind.name);
        if let Some(step_size) = settings.group("step_size") {
            assert!(schedules::build(step_size, settings.count("steps")).is_ok(), "{}", kind.name);
        }
    }
}

#[test]
fn every_method_with_a_step_size_says_its_step_and_its_noise() {
    for kind in &METHODS {
        let symbol = kind.param("step_size").map(schedules::symbol);
        assert_eq!(step(kind).map(|step| step.scale.symbol()), symbol, "{}", kind.name);
        let Some((symbol, step)) = symbol.zip(step(kind)) else { continue };
        assert!(
            [step.formula, step.noise.unwrap_or("")].concat().contains(symbol),
            "{} does not say {symbol}",
            kind.name
        );
    }
}

#[test]
fn families_of_targets_name_methods_starts_and_parameters_that_there_are() {
    let settings = |kind| Settings::defaults(kind);
    let known = |path: &str| {
        let (first, rest) = path.split_once('.').unwrap_or((path, ""));
        METHODS.iter().filter_map(|kind| kind.param(first)).any(|spec| match spec.ty {
            ParamType::Group(kinds) if !rest.is_empty() => {
                kinds.iter().any(|kind| kind.name == rest || kind.param(rest).is_some())
            }
            _ => rest.is_empty(),
        })
    };
    for family in FAMILIES.iter().copied() {
        let target = models::targets::TARGETS.iter().find(|kind| models::targets::family_of(kind) == family);
        let built = target.map(|kind| models::targets::build(&settings(kind), ".").unwrap());
        let method = find_kind(&METHODS, family.substitute.method).unwrap();
        assert!(built.is_none_or(|target| is_for(method, target.space())), "{}", family.name);
        assert!(family.start.is_none_or(|start| TopicStart::of_kind(start).is_some()), "{}", family.name);
        family.hidden().into_iter().for_each(|path| assert!(known(path), "{path}"));
    }
}

/// A text might be the path of a file (`models::targets::named_files`): only that of a list of step sizes is one.
#[test]
fn every_text_of_a_method_is_known_to_be_a_path_or_none() {
    fn check(kinds: &[KindSpec]) {
        for spec in kinds.iter().flat_map(|kind| kind.params) {
            match spec.ty {
                ParamType::Text if path_choice(spec).is_some() => assert_eq!(spec.key, "path"),
                ParamType::Text => {
                    let known = ["values", "column", "sha256", "formula"];
                    assert!(known.contains(&spec.key), "is {} the path of a file?", spec.key);
                }
                ParamType::Group(kinds) => check(kinds),
                ParamType::List(kind) => check(std::slice::from_ref(kind)),
                _ => {}
            }
        }
    }
    check(&METHODS);
}

#[test]
fn chains_stay_finite_and_on_the_line() {
    for kind in &METHODS {
        let method = build(&Settings::defaults(kind)).unwrap();
        if method.fitting().is_some() {
            continue;
        }
        for gradient in [Gradient::Exact, Gradient::Noisy { variance: 2.0, compensate: true }] {
            let target = Normal::new(3.0, 1);
            if method.on(&plane(&target)).is_err() {
                continue;
            }
            let mut chains = init(method.as_ref(), &[Point::new(0.5, 0.0), Point::new(-2.0, 0.0)], 0.1, [&[0.0; 2]; 2]);
            for index in 0..100 {
                let numbers = Numbers::for_steps(&mut stream(index), method.as_ref(), &gradient, 1, 2);
                one_step(method.as_ref(), &target, &gradient, &plan(0.1), &numbers, &mut chains);
            }
            assert!(chains.positions.axis(0).iter().all(|x| x.is_finite() && *x != 0.0), "{}", kind.name);
            assert!(
                chains.positions.axis(1).iter().all(|y| y.to_bits() == 0),
                "{}: {:?}",
                kind.name,
                chains.positions.axis(1)
            );
        }
    }
}

#[test]
fn methods_differ_in_their_usual_schedule() {
    let schedule = |method| {
        let settings = Settings::defaults(find_kind(&METHODS, method).unwrap());
        settings.group("step_size").unwrap().kind.name
    };
    assert_eq!(schedule("sgld"), "polynomial");
    assert_eq!(schedule("csgld"), "cyclical");
}

#[test]
fn an_unknown_method_is_rejected_by_name() {
    let errors = build(&Settings::defaults(&STARTS[0])).unwrap_err();
    assert_eq!(errors[0].path, "method");
    assert!(errors[0].problem.contains("point") && errors[0].allowed.contains("sgld"));
}

fn described(kind: &KindSpec) {
    assert!(!kind.label.is_empty() && kind.help.len() > 10, "{}", kind.name);
    for param in kind.params {
        assert!(!param.label.is_empty() && param.help.len() > 10, "{}.{}", kind.name, param.key);
        if let ParamType::Number { legal, slider, log } | ParamType::Integer { legal, slider, log } = param.ty {
            assert!(slider.0 < slider.1 && legal.contains(slider.0) && legal.contains(slider.1), "{}", param.key);
            assert!(!log || slider.0 > 0.0, "{}", param.key);
        }
        if let (ParamType::Number { legal, .. } | ParamType::Integer { legal, .. }, DefaultValue::Number(default)) =
            (param.ty, param.default)
        {
            assert!(legal.contains(default), "{}.{}", kind.name, param.key);
        }
    }
}

#[test]
fn everything_is_described() {
    let gradients = GRADIENTS.iter().chain(&PLAIN_GRADIENTS).chain(&BATCHLESS_GRADIENTS);
    METHODS.iter().chain(gradients).chain(&STARTS).chain(&COLLECTIONS).for_each(described);
}

#[test]
fn gradients_are_read_from_settings() {
    let read = |kind: usize, values: &[(&str, Value)]| {
        let mut settings = Settings::defaults(&GRADIENTS[kind]);
        for (key, value) in values {
            settings.set(key, value.clone()).unwrap();
        }
        Gradient::from_settings(&settings)
    };
    assert_eq!(read(0, &[]), Gradient::Exact);
    assert_eq!(read(1, &[]), Gradient::Noisy { variance: 1.0, compensate: false });
    let values = [("variance", Value::Number(3.0)), ("compensate", Value::Flag(true))];
    assert_eq!(read(1, &values), Gradient::Noisy { variance: 3.0, compensate: true });
    let orders = [("random", BatchOrder::Random), ("shuffled", BatchOrder::Shuffled), ("cyclic", BatchOrder::Cyclic)];
    for (word, order) in orders {
        let values = [("order", Value::Choice(word)), ("size", Value::Number(7.0))];
        assert_eq!(read(2, &values), Gradient::minibatch(7, order));
    }
}

#[test]
fn gradients_are_checked_against_the_target() {
    let bare = Target::plane(Arc::new(Normal::new(1.0, 2)));
    let of_data = |count| Target::plane(Arc::new(Normal::posterior(1.0, 2, vec![Point::zeros(); count])));
    let data = of_data(5);
    let batch = |size| Gradient::minibatch(size, BatchOrder::Random);
    assert_eq!(Gradient::Exact.check(&bare, 4), Ok(()));
    assert_eq!(batch(5).check(&data, 4), Ok(()));
    assert_eq!(batch(1).check(&bare, 4).unwrap_err().path, "kind");
    let error = batch(6).check(&data, 4).unwrap_err();
    assert_eq!((error.path.as_str(), error.allowed.as_str()), ("size", "from 1 to 5"));
    // 2²⁶ indices at most: 2¹² chains with 2¹⁴ data each.
    let many = of_data((1 << 14) + 1);
    let of = |size, order, shared| Gradient::Minibatch { size, order, shared, compensate: false };
    assert_eq!(of(1 << 14, BatchOrder::Random, false).check(&many, 4096), Ok(()));
    assert_eq!(of(1 << 14, BatchOrder::Shuffled, true).check(&many, 4096), Ok(()));
    assert_eq!(of((1 << 14) + 1, BatchOrder::Random, false).check(&many, 4096).unwrap_err().path, "batches");
    let error = of(1, BatchOrder::Shuffled, false).check(&many, 4096).unwrap_err();
    assert_eq!((error.path.as_str(), error.allowed.as_str()), ("batches", "shared, or at most 16384 data"));
}

#[test]
fn steps_count_their_gradient_evaluations() {
    use crate::schedules::Stage;
    let method = build(&Settings::defaults(find_kind(&METHODS, "sgld").unwrap())).unwrap();
    let batch = |compensate| Gradient::Minibatch { size: 5, order: BatchOrder::Random, shared: false, compensate };
    let silent = Stage::Exploration { noise: false };
    let cases = [
        (Gradient::Exact, Stage::Sampling, 1.0),
        (Gradient::Noisy { variance: 1.0, compensate: true }, Stage::Sampling, 1.0),
        (batch(false), Stage::Sampling, 0.05),
        (batch(true), Stage::Sampling, 1.05),
        (batch(true), Stage::Exploration { noise: true }, 1.05),
        (batch(true), silent, 0.05),
    ];
    for (gradient, stage, expected) in cases {
        close(method.evaluations(&gradient, 100, stage), expected, super::ROUNDING);
    }
}

#[test]
fn populations_start_at_the_given_points() {
    let starts = [Point::new(1.0, 2.0), Point::new(3.0, 4.0)];
    let chains = Population::at(Coords::of_points(&starts));
    assert_eq!((chains.len(), chains.position(0), chains.position(1)), (2, starts[0], starts[1]));
}

/// A run that changes its method keeps its gradient estimate, as far as the new method supports it: without subtraction
/// of gradient noise, or with exact gradients instead of minibatches.
#[test]
fn gradients_follow_a_run_from_method_to_method() {
    let kind = |name| find_kind(&METHODS, name).unwrap();
    let mut sgld = Settings::defaults(kind("sgld"));
    let mut noisy = Settings::defaults(&GRADIENTS[1]);
    noisy.set("variance", Value::Number(3.0)).unwrap();
    noisy.set("compensate", Value::Flag(true)).unwrap();
    sgld.set("gradient", Value::Group(noisy)).unwrap();
    for name in ["sghmc", "sgd", "hmc"] {
        let other = sgld.converted(kind(name));
        let group = other.group("gradient").unwrap();
        assert!(group.kind.param("compensate").is_none() && group.get("compensate").is_none(), "{name}");
        assert_eq!(Gradient::from_settings(group), Gradient::Noisy { variance: 3.0, compensate: false }, "{name}");
        let back = other.converted(kind("csgld"));
        assert!(back.group("gradient").unwrap().kind.param("compensate").is_some(), "{name}");
    }
    sgld.set("gradient", Value::Group(Settings::defaults(&GRADIENTS[2]))).unwrap();
    assert_eq!(Gradient::from_settings(sgld.converted(kind("hmc")).group("gradient").unwrap()), Gradient::Exact);
}
