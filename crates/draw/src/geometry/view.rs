//! View of a canvas: the part of the plane that it shows, with the same scale along both axes.
//!
//! A *view* is the requested part of the plane. The part *shown* is the view widened to the shape of the canvas.
//! Canvases of different shapes can share one view.

use base::math::{Bounds, Point};

/// The smallest window around `view` with the aspect ratio `aspect` (width to height), with the same centre.
#[must_use]
pub fn fitted(view: Bounds, aspect: f64) -> Bounds {
    let size = view.size();
    let height = size.y.max(size.x / aspect);
    let width = size.x.max(size.y * aspect);
    around(centre(view), Point::new(width, height))
}

/// `window` enlarged by `factor` about the point `fixed`.
#[must_use]
pub fn zoomed(window: Bounds, fixed: Point, factor: f64) -> Bounds {
    Bounds { min: fixed + (window.min - fixed) * factor, max: fixed + (window.max - fixed) * factor }
}

/// The view, panned and zoomed in the same way as the part that is shown.
#[must_use]
pub fn followed(view: Bounds, shown_before: Bounds, shown_now: Bounds) -> Bounds {
    let factor = shown_now.size().x / shown_before.size().x;
    around(centre(shown_now), view.size() * factor)
}

fn centre(window: Bounds) -> Point {
    (window.min + window.max) / 2.0
}

fn around(centre: Point, size: Point) -> Bounds {
    Bounds { min: centre - size / 2.0, max: centre + size / 2.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn view() -> Bounds {
        Bounds::new((-1.0, 3.0), (0.0, 2.0))
    }

    fn close(a: Bounds, b: Bounds) -> bool {
        (a.min - b.min).norm() + (a.max - b.max).norm() < 1e-12
    }

    #[test]
    fn fitting_widens_and_never_cuts() {
        for aspect in [0.3, 1.0, 2.0, 5.0] {
            let shown = fitted(view(), aspect);
            assert!((shown.size().x / shown.size().y - aspect).abs() < 1e-12);
            assert!(shown.contains(view().min) && shown.contains(view().max));
        }
    }

    #[test]
    fn a_view_follows_panning_and_zooming_without_growing() {
        let before = fitted(view(), 0.7);
        assert!(close(followed(view(), before, before), view()));
        let now = zoomed(before, Point::new(1.0, 1.0), 0.5);
        assert!(close(fitted(followed(view(), before, now), 0.7), now));
    }

    #[test]
    fn zooming_keeps_the_fixed_point() {
        let fixed = Point::new(0.0, 0.5);
        let now = zoomed(view(), fixed, 2.0);
        assert!(close(now, Bounds::new((-2.0, 6.0), (-0.5, 3.5))));
        assert!(close(zoomed(now, fixed, 0.5), view()));
    }
}
