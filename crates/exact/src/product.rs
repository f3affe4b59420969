//! Products of two densities on the line, whose coordinates are independent chains.
//!
//! With isotropic noise and log p = a(x) + b(y), a product of distributions stays a product: μ_k = μx ⊗ μy. Two lines replace a plane.
//! Kernels with one acceptance for both coordinates and minibatches that coordinates share do not factorise.

use std::sync::Arc;

use base::math::{Bounds, Point};
use models::targets::Density;

use crate::line::Section;

/// Points along an axis at which a density is compared with the product.
const LOOKS: usize = 9;

/// Error of log p, relative to its size there.
const ROUNDING: f64 = 1e-10;

/// The two factors of a density in the plane, if it is a product in this box: log p(x, y) + log p(x₀, y₀) = log p(x, y₀) + log p(x₀, y) at
/// points of a lattice, and no mixed second derivative there.
#[must_use]
pub fn factors(density: &Arc<dyn Density>, bounds: Bounds) -> Option<[Section; 2]> {
    let info = density.info();
    if info.dimension != 2 {
        return None;
    }
    let through = info.modes.first().map_or(info.start, |mode| mode.at);
    let log = |x: f64, y: f64| density.log_density(Point::new(x, y));
    for index in 0..LOOKS * LOOKS {
        // Off the lattice of round numbers, on which symmetries could hide a dependence.
        let share = |number: usize| (number as f64 + 0.381_966) / LOOKS as f64;
        let size = bounds.size();
        let at = bounds.min + Point::new(share(index % LOOKS) * size.x, share(index / LOOKS) * size.y);
        let terms = [log(at.x, at.y), log(through.x, through.y), -log(at.x, through.y), -log(through.x, at.y)];
        let scale: f64 = terms.iter().map(|term| term.abs()).sum::<f64>() + 1.0;
        let hessian = density.hessian(at);
        let mixed = hessian.m12.abs() <= ROUNDING * (hessian.m11.abs() + hessian.m22.abs());
        if !(mixed && terms.iter().sum::<f64>().abs() <= ROUNDING * scale) {
            return None;
        }
    }
    Some([0, 1].map(|axis| Section::new(Arc::clone(density), axis, through)))
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use base::params::{Settings, Value, find_kind};
    use models::targets::{self, TARGETS};

    use super::*;

    #[test]
    fn products_are_found() {
        for (kind, correlation, is_product) in [
            ("gaussian-grid", None, true),
            ("gaussian", Some(0.0), true),
            ("gaussian", Some(0.3), false),
            ("three-modes", None, false),
            ("banana", None, false),
            ("donut", None, false),
            ("double-well", None, false),
        ] {
            let mut settings = Settings::defaults(find_kind(&TARGETS, kind).unwrap());
            if let Some(correlation) = correlation {
                settings.set("correlation", Value::Number(correlation)).unwrap();
            }
            let target = targets::build(&settings, Path::new(".")).unwrap();
            let density = target.density().unwrap();
            assert_eq!(factors(density, density.info().view).is_some(), is_product, "{kind}");
        }
    }
}
