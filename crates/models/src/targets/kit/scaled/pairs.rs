//! The density of two coordinates of a posterior that is Gaussian given s: a mixture of Gaussians, or of one coordinate with s.

use std::sync::Arc;

use super::mixture::{Exact, GivenScale, Kind};
use super::plane::{Mixture, PlaneDensity, Shown, Surface};
use crate::targets::Density;
use crate::targets::kit::lanewise::saturated;
use base::math::elementary::ln;
use base::math::{Matrix, Point};

impl<G: GivenScale + 'static> Exact<G> {
    /// The density in the plane of two coordinates; `None` if it cannot be computed.
    pub(in crate::targets) fn plane(self: &Arc<Self>, shown: Shown) -> Option<Arc<dyn Density>> {
        let kinds = shown.numbers.map(|number| self.named.kinds[number]);
        Some(match kinds {
            [Kind::Gaussian(j), Kind::Gaussian(k)] => {
                let parts = self.nodes.weights.iter().zip(&self.states).map(|(weight, at)| {
                    let means = [j, k].map(|k| self.given.mean(at, k));
                    (*weight, means, [[j, j], [j, k], [k, k]].map(|pair| self.given.covariance(at, pair)))
                });
                let mixture = Mixture::new(&parts.collect::<Vec<_>>())?;
                Arc::new(PlaneDensity::new(mixture, shown, self.clone())?)
            }
            [Kind::Gaussian(k), _] => {
                Arc::new(PlaneDensity::new(WithScale::new(self.clone(), k, false), shown, self.clone())?)
            }
            [_, Kind::Gaussian(k)] => {
                Arc::new(PlaneDensity::new(WithScale::new(self.clone(), k, true), shown, self.clone())?)
            }
            _ => return None,
        })
    }
}

/// The largest |s| of which eˢ is a number that can be squared.
const FARTHEST: f64 = 150.0;

/// A coordinate that is Gaussian given s, with s.
#[derive(Debug)]
pub(in crate::targets) struct WithScale<G: GivenScale> {
    exact: Arc<Exact<G>>,
    number: usize,
    /// Whether s is along x.
    first: bool,
}

impl<G: GivenScale> WithScale<G> {
    /// Of the Gaussian of this number; s is along x if it is the first.
    pub(in crate::targets) fn new(exact: Arc<Exact<G>>, number: usize, first: bool) -> Self {
        Self { exact, number, first }
    }
}

impl<G: GivenScale + 'static> Surface for WithScale<G> {
    fn at(&self, at: Point) -> (f64, Point, Matrix) {
        let (beta, given) = if self.first { (at.y, at.x) } else { (at.x, at.y) };
        // Farther out eˢ is no number: the log density goes on as a straight line.
        let s = given.clamp(-FARTHEST, FARTHEST);
        let [mean, spread] = self.exact.along(self.number, s);
        let log_of_s = self.exact.log_of_s(s);
        let gap = beta - mean[0];
        let (v, scaled) = (spread[0], saturated(gap / spread[0]));
        let log = log_of_s[0] - 0.5 * (gap * scaled + ln(v) + ln(std::f64::consts::TAU));
        // With r = v′/v: ∂ₛ = −½ r + u m′ + ½ u² v′, u = gap/v, u′ = −m′/v − u r.
        let ratio = spread[1] / v;
        let by_beta = -scaled;
        let by_s = log_of_s[1] - 0.5 * ratio + scaled * mean[1] + 0.5 * scaled * scaled * spread[1];
        // Farther out it falls on either side.
        let beyond = given - s;
        let by_s = if beyond > 0.0 {
            by_s.min(0.0)
        } else if beyond < 0.0 {
            by_s.max(0.0)
        } else {
            by_s
        };
        let log = log + by_s * beyond;
        let change = -mean[1] / v - scaled * ratio;
        let beta_s = -change;
        let s_s = log_of_s[2] - 0.5 * (spread[2] / v - ratio * ratio)
            + change * mean[1]
            + scaled * mean[2]
            + scaled * change * spread[1]
            + 0.5 * scaled * scaled * spread[2];
        let (gradient, hessian) = (Point::new(by_beta, by_s), Matrix::new(-1.0 / v, beta_s, beta_s, s_s));
        if self.first {
            let swapped = Matrix::new(s_s, beta_s, beta_s, -1.0 / v);
            return (log, Point::new(by_s, by_beta), swapped);
        }
        (log, gradient, hessian)
    }
}
