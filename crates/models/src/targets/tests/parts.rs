//! Contributions of the prior and of each datum to a log density, and their sum.

use std::sync::Arc;

use super::super::{Density, Derivatives, Support, TARGETS, open_density, sampling_density};
use super::derivatives::assert_derivative;
use super::{cases, points, smallest_scale, target};
use base::math::Point;
use base::params::{ParamType, Value};

/// Posteriors in all coordinates of chains and distributions: θ, those of samplers, and those without boundary.
fn posteriors() -> Vec<(String, Arc<dyn Density>)> {
    let mut posteriors: Vec<(String, Arc<dyn Density>)> =
        cases().into_iter().map(|(name, target)| (name.to_owned(), target)).collect();
    for kind in &TARGETS {
        let boundaries = kind.param("boundary").map(|param| param.ty);
        let Some(ParamType::Choice(choices)) = boundaries else { continue };
        for choice in choices {
            let target = target(kind.name, &[("boundary", Value::Choice(choice.name))]);
            posteriors.push((format!("{} for samplers, {}", kind.name, choice.name), sampling_density(&target)));
            posteriors.push((format!("{}, {}", kind.name, choice.name), target));
        }
    }
    let open = |(name, target): &(String, Arc<dyn Density>)| (format!("{name}, open"), open_density(target));
    let opened: Vec<_> = posteriors.iter().map(open).collect();
    posteriors.extend(opened);
    posteriors.retain(|(_, target)| target.data().is_some());
    posteriors
}

/// The largest number among the derivatives of one order, order by order.
fn sizes(of: &Derivatives) -> [f64; 3] {
    [of.log_density.abs(), of.gradient.amax(), of.hessian.amax()]
}

#[test]
fn prior_and_data_add_up() {
    let posteriors = posteriors();
    assert!(posteriors.len() > 40, "{}", posteriors.len());
    for (name, target) in posteriors {
        let Some(data) = target.data() else { continue };
        for at in points(target.as_ref(), target.info().view, 40, 21) {
            let prior = data.prior(at);
            let whole = Derivatives {
                log_density: target.log_density(at),
                gradient: target.gradient(at),
                hessian: target.hessian(at),
            };
            let (mut sum, mut size) = (prior, sizes(&whole));
            for index in 0..data.len() {
                let datum = data.datum(at, index);
                sum = sum + datum;
                // A datum may be a difference of two priors.
                (0..3).for_each(|order| size[order] += sizes(&datum)[order] + 2.0 * sizes(&prior)[order]);
                let gap = (datum.gradient - data.datum_gradient(at, index)).amax();
                let tolerance = 32.0 * f64::EPSILON * (sizes(&datum)[1] + sizes(&prior)[1] + 1.0);
                assert!(gap <= tolerance, "{name}: datum {index} at {at}: {gap}");
            }
            let gap = sizes(&(sum + whole * -1.0));
            for order in 0..3 {
                // Each of the terms is rounded a few times, and so is the sum after each of them.
                let tolerance = 16.0 * f64::EPSILON * (size[order] + 1.0);
                assert!(gap[order] <= tolerance, "{name}, order {order} at {at}: {} above {tolerance}", gap[order]);
            }
            let gap = (prior.gradient - data.prior_gradient(at)).amax();
            assert!(gap <= 16.0 * f64::EPSILON * (sizes(&prior)[1] + 1.0), "{name}: prior at {at}: {gap}");
        }
    }
}

/// Distances that differences may cover, along both axes: a small share of the narrowest width and of the distance to
/// the boundary.
fn longest_difference(target: &dyn Density, at: Point) -> f64 {
    let Support { min, max } = target.info().support;
    let edge = (0..target.info().dimension).map(|axis| (at[axis] - min[axis]).min(max[axis] - at[axis]));
    2e-3 * edge.fold(smallest_scale(target), f64::min)
}

#[test]
fn each_part_has_the_stated_derivatives() {
    for (name, target) in posteriors() {
        let Some(data) = target.data() else { continue };
        let scale = smallest_scale(target.as_ref());
        let chosen = [None, Some(0), Some(data.len() / 2), Some(data.len() - 1)];
        for at in points(target.as_ref(), target.info().view, 10, 22) {
            let h = longest_difference(target.as_ref(), at);
            for part in chosen {
                let evaluated = |at: Point| part.map_or_else(|| data.prior(at), |index| data.datum(at, index));
                let here = evaluated(at);
                let size = sizes(&data.prior(at));
                for axis in 0..target.info().dimension {
                    let shifted = |by: f64| evaluated(at + Point::ith(axis, by));
                    let what = format!("{name}, {part:?}, axis {axis} at {at}");
                    let along = |by: f64| shifted(by).log_density;
                    let rounded = here.log_density.abs() + size[0] + 100.0;
                    assert_derivative(&what, here.gradient[axis], &along, h, rounded, 1.0 / scale);
                    for other in 0..target.info().dimension {
                        let along = |by: f64| shifted(by).gradient[other];
                        let rounded = here.gradient.amax() + size[1] + 10.0 / scale;
                        let unit = 1.0 / (scale * scale);
                        assert_derivative(&what, here.hessian[(axis, other)], &along, h, rounded, unit);
                    }
                }
            }
        }
    }
}
