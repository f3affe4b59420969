//! Tests of every registered method that fits distributions.

use std::sync::Arc;

use super::super::super::{FitRecord, FitState, METHODS, Method};
use super::{Driven, built, in_space, method, target};
use base::math::{Point, Purpose, Stream};
use base::params::{ParamType, Value, find_kind};
use models::targets::{Coordinates, Density, Space, TARGETS};

/// Every approximation at its defaults, and with every other value of every choice.
fn approximations() -> Vec<(String, Arc<dyn Method>)> {
    let mut found = Vec::new();
    for kind in METHODS.iter().filter(|kind| method(kind.name, &[]).fitting().is_some()) {
        found.push((kind.name.to_owned(), method(kind.name, &[])));
        for param in kind.params {
            let ParamType::Choice(choices) = param.ty else { continue };
            for choice in choices.iter().skip(1) {
                let name = format!("{}, {} {}", kind.name, param.key, choice.name);
                found.push((name, method(kind.name, &[(param.key, Value::Choice(choice.name))])));
            }
        }
    }
    found
}

/// All densities in the plane, at their defaults and with every other boundary.
fn gallery() -> Vec<(String, Arc<dyn Density>)> {
    let mut found: Vec<_> = TARGETS.iter().map(|kind| (kind.name.to_owned(), built(kind.name, &[]))).collect();
    for kind in &TARGETS {
        let Some(ParamType::Choice(choices)) = kind.param("boundary").map(|param| param.ty) else { continue };
        for choice in choices {
            let other = built(kind.name, &[("boundary", Value::Choice(choice.name))]);
            found.push((format!("{}, {}", kind.name, choice.name), other));
        }
    }
    found.into_iter().filter_map(|(name, target)| Some((name, target.in_plane()?.clone()))).collect()
}

/// Points in the coordinates of a target: its start, some in view, some a thousand times as far out; none outside the
/// support.
fn points(target: &dyn Density) -> Vec<Point> {
    let info = target.info();
    let middle = (info.view.min + info.view.max) * 0.5;
    let mut stream = Stream::derive(31, Purpose::Data, 0, 0);
    let mut points = vec![info.start];
    for factor in [1.0, 1.0, 1.0, 30.0, 1e3, 1e3] {
        let point = Point::new(stream.uniform() - 0.5, stream.uniform() - 0.5).component_mul(&info.view.size());
        points.push(middle + point * factor);
    }
    let flat = |point: Point| if info.dimension == 1 { Point::new(point.x, 0.0) } else { point };
    let inside = |point: &Point| {
        (0..info.dimension).all(|axis| point[axis] > info.support.min[axis] && point[axis] < info.support.max[axis])
    };
    points.into_iter().filter(inside).map(flat).collect()
}

/// Calls `check` for every approximation on every target that suits it.
fn each(check: impl Fn(&str, &dyn Method, &dyn Density)) {
    for (method_name, method) in approximations() {
        for (target_name, target) in gallery() {
            if method.on(&Space::Plane(target.clone())).is_ok() {
                let space = in_space(method.as_ref(), &target);
                check(&format!("{method_name} on {target_name}"), method.as_ref(), space.as_ref());
            }
        }
    }
}

/// Whether the numbers of a record besides the distribution are finite. Far out the squares of log densities overflow,
/// and with them the standard error of an estimate.
fn finite(record: &FitRecord, far: bool) -> bool {
    let numbers = [record.elbo.map(|elbo| elbo.value), record.log_evidence, Some(record.evaluations)];
    let error = record.elbo.map_or(0.0, |elbo| elbo.standard_error);
    numbers.into_iter().flatten().all(f64::is_finite) && error >= 0.0 && (far || error.is_finite())
}

/// From every point of the support: one record per step, sound distributions, the chain at the mean of its
/// distribution, y = 0 on the line, and evaluations that only grow. From within the view no fit diverges; from far out
/// it may, with the state diverged.
#[test]
fn distributions_are_sound_from_every_start() {
    const STEPS: usize = 60;
    each(|name, method, target| {
        let starts = points(target);
        let mut driven = Driven::new(method, target, 0, &starts);
        driven.advance(STEPS, starts.len());
        for (chain, start) in starts.iter().enumerate() {
            let fit = &driven.chains.fits[chain];
            assert_eq!(fit.trail.len(), STEPS, "{name} from {start}");
            assert_eq!(fit.trail.last(), Some(&fit.record), "{name} from {start}");
            let mut evaluations = 0.0;
            let view = target.info().view;
            let away = (start - (view.min + view.max) * 0.5).component_div(&view.size());
            let far = (0..target.info().dimension).any(|axis| away[axis].abs() > 0.5);
            for (step, record) in fit.trail.iter().enumerate() {
                let at = driven.path[step * starts.len() + chain];
                let what = format!("{name} from {start}, step {step}: {record:?}");
                assert!(
                    record.distribution.is_none_or(|distribution| distribution.is_sound())
                        && at.iter().all(|coordinate| coordinate.is_finite()),
                    "{what}"
                );
                assert!(finite(record, far) || record.state == FitState::Diverged, "{what}");
                assert!(target.info().dimension == 2 || at.y.to_bits() == 0, "{what}");
                assert!(record.evaluations >= evaluations, "{what}");
                assert!(record.distribution.is_none_or(|distribution| distribution.mean() == at), "{what} at {at}");
                // Steps of SGD of one size are too long for some targets.
                let may_diverge = far || name.starts_with("swag");
                assert!(may_diverge || record.state != FitState::Diverged, "{what}");
                evaluations = record.evaluations;
            }
            let record = &driven.records[chain];
            assert_eq!(record.to - record.from, record.drift, "{name}");
            assert_eq!(record.to, driven.chains.position(chain), "{name}");
        }
    });
}

/// The log evidence of a Laplace approximation is cleared by the first step of the next method.
#[test]
fn log_evidence_of_another_method_is_cleared() {
    let (laplace, target) = (method("laplace", &[]), target("gaussian", &[]));
    for (name, next) in approximations().iter().filter(|(name, _)| !name.starts_with("laplace")) {
        if next.on(&Space::Plane(target.clone())).is_err() || name.contains("sag") {
            continue;
        }
        let mut driven = Driven::new(laplace.as_ref(), target.as_ref(), 0, &[Point::new(0.3, -0.2)]);
        driven.advance(20, 1);
        assert!(driven.record().log_evidence.is_some(), "{name}");
        driven.method = next.as_ref();
        driven.advance(1, 1);
        assert_eq!(driven.record().log_evidence, None, "{name}");
    }
}

/// A chain outside the support, or at NaN, gets no distribution and causes no panic.
#[test]
fn chains_outside_the_support_get_no_distribution() {
    each(|name, method, target| {
        for coordinate in [f64::NAN, f64::INFINITY, 1e300] {
            let mut driven = Driven::new(method, target, 0, &[Point::new(coordinate, -coordinate)]);
            driven.advance(5, 1);
            let fit = &driven.chains.fits[0];
            assert_eq!(fit.trail.len(), 5, "{name}");
            let sound = |record: &FitRecord| record.distribution.is_none_or(|distribution| distribution.is_sound());
            assert!(fit.trail.iter().all(sound), "{name}: {:?}", fit.trail);
        }
    });
}

/// All records and positions, for given blocks and chunks.
fn everything(method: &dyn Method, target: &dyn Density, blocks: &[usize], chunks: &[usize]) -> Vec<String> {
    let starts: Vec<Point> = points(target).into_iter().take(5).collect();
    let mut offset = 0;
    let mut found = Vec::new();
    for &size in blocks {
        let size = size.min(starts.len() - offset);
        let mut driven = Driven::new(method, target, offset, &starts[offset..offset + size]);
        for &length in chunks {
            driven.advance(length, if length > 1 { size } else { 0 });
        }
        for chain in 0..size {
            let path = driven.path.iter().skip(chain).step_by(size).collect::<Vec<_>>();
            found.push(format!("{path:?} {:?}", driven.chains.fits[chain]));
        }
        offset += size;
    }
    found
}

#[test]
fn blocks_and_chunks_leave_the_bits_alone() {
    each(|name, method, target| {
        let whole = everything(method, target, &[5], &[24]);
        for (blocks, chunks) in [(&[5][..], &[1; 24][..]), (&[2, 3], &[7, 1, 16]), (&[1; 5], &[24])] {
            assert_eq!(everything(method, target, blocks, chunks), whole, "{name}, {blocks:?}, {chunks:?}");
        }
    });
}

/// A method names what it needs of a target, with a remedy; every method applies to some target.
#[test]
fn unsuitable_targets_give_an_error() {
    for (name, method) in approximations() {
        let mut suits = 0;
        for (_, target) in gallery() {
            match method.on(&Space::Plane(target)) {
                Ok(_) => suits += 1,
                Err(error) => {
                    let known = error.path == "method" || METHODS.iter().any(|kind| kind.param(&error.path).is_some());
                    assert!(known && !error.problem.is_empty() && !error.allowed.is_empty(), "{name}: {error}");
                }
            }
        }
        // Some are for targets in many dimensions, or for topics.
        let many = ["linear-regression", "network", "topics"].map(|name| built(name, &[]));
        suits += many.iter().filter(|target| method.on(target.space()).is_ok()).count();
        assert!(suits > 0, "{name}");
    }
}

/// In the coordinates of samplers, a distribution is one of θ if the target declares no other coordinates.
#[test]
fn distributions_are_in_the_coordinates_of_the_method() {
    let logs = target("normal-gamma", &[("boundary", Value::Choice("log"))]);
    assert!(!Coordinates::of(logs.info()).is_identity());
    assert!(Arc::ptr_eq(&in_space(method("cavi", &[]).as_ref(), &logs), &logs));
    assert!(!Arc::ptr_eq(&in_space(method("laplace", &[]).as_ref(), &logs), &logs));
    assert!(find_kind(&METHODS, "laplace").unwrap().param("chains").is_none());
}
