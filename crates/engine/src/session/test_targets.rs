//! Targets that no scenario makes, and sessions on them: one of which a part is not known, and one that breaks down.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::{Session, history};
use crate::scenario::read;
use base::math::{Matrix, Point, Simd};
use models::targets::{Density, Target, TargetInfo};

/// A density with what is known of a part of it.
#[derive(Debug)]
struct PartlyKnown {
    whole: Arc<dyn Density>,
    part: Arc<dyn Density>,
}

impl Density for PartlyKnown {
    fn info(&self) -> &TargetInfo {
        self.part.info()
    }

    fn log_density(&self, at: Point) -> f64 {
        self.whole.log_density(at)
    }

    fn gradient(&self, at: Point) -> Point {
        self.whole.gradient(at)
    }

    fn hessian(&self, at: Point) -> Matrix {
        self.whole.hessian(at)
    }

    fn is_searched(&self) -> bool {
        true
    }
}

/// A density whose gradients are there only so many times.
#[derive(Debug)]
struct Fragile {
    whole: Arc<dyn Density>,
    left: AtomicU64,
}

impl Density for Fragile {
    fn info(&self) -> &TargetInfo {
        self.whole.info()
    }

    fn log_density(&self, at: Point) -> f64 {
        self.whole.log_density(at)
    }

    fn gradient(&self, at: Point) -> Point {
        let left = self.left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1));
        assert!(left.is_ok(), "no gradient is left");
        self.whole.gradient(at)
    }

    fn hessian(&self, at: Point) -> Matrix {
        self.whole.hessian(at)
    }
}

/// A session on the target that `change` makes of that of a scenario.
fn changed(text: &str, change: impl Fn(Arc<dyn Density>) -> Arc<dyn Density>) -> Session {
    let scenario = read(text, "test", Path::new(".")).unwrap();
    let mut experiment = scenario.build().unwrap();
    for span in &mut experiment.spans {
        let density = span.target.in_plane().unwrap().clone();
        span.target = Target::plane(change(density)).into();
    }
    Session::of(experiment, scenario, (Simd::widest(), history::pool()), None)
}

/// A session on the target of `text` of which nothing is known but what is known of the target of `part`.
pub(crate) fn knowing_a_part(text: &str, part: &str) -> Session {
    let part = read(part, "test", Path::new(".")).unwrap().build().unwrap().spans[0].target.in_plane().unwrap().clone();
    changed(text, |whole| Arc::new(PartlyKnown { whole, part: part.clone() }))
}

/// A session that breaks down after so many gradients.
pub(crate) fn breaking_after(gradients: u64, text: &str) -> Session {
    changed(text, |whole| Arc::new(Fragile { whole, left: AtomicU64::new(gradients) }))
}
