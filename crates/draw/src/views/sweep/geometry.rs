//! A small picture of a cell of a sweep: some of its draws over the density of the target.

use crate::geometry::DensityImage;
use base::math::{Bounds, Point};
use engine::session::sweep::CellSample;

/// Width and height of the density, in pixels.
const CELLS: usize = 64;

/// Some draws of a cell, over the density of its target.
#[derive(Clone, Debug, PartialEq)]
pub struct CellCloud {
    /// The number of the cell.
    pub cell: usize,
    /// The density; `None` where it is not known in the plane.
    pub density: Option<DensityImage>,
    /// The part of the plane.
    pub bounds: Bounds,
    /// Whether the target is a density of x alone.
    pub flat: bool,
    /// Draws with the first seed, which count alike; those outside of the bounds are at their edge.
    pub draws: Vec<Point>,
    /// The share of the draws that lies outside of the bounds.
    pub outside: f64,
}

impl CellCloud {
    /// The picture of a cell whose sample has ended.
    #[must_use]
    pub fn of(cell: usize, sample: CellSample) -> Self {
        let target = sample.target();
        let info = target.info();
        let (bounds, flat) = (info.view, info.dimension == 1);
        let density = target.density().map(|density| DensityImage::of(density.as_ref(), bounds, CELLS, CELLS));
        let (draws, outside) = within(bounds, flat, sample.into_draws());
        Self { cell, density, bounds, flat, draws, outside }
    }
}

/// Draws, with those outside of the bounds moved to their edge, and the share of these. On the line y does not count.
fn within(Bounds { min, max }: Bounds, flat: bool, mut draws: Vec<Point>) -> (Vec<Point>, f64) {
    let mut moved = 0;
    for draw in &mut draws {
        let at = Point::new(draw.x.clamp(min.x, max.x), if flat { draw.y } else { draw.y.clamp(min.y, max.y) });
        moved += usize::from(at != *draw);
        *draw = at;
    }
    let share = moved as f64 / draws.len().max(1) as f64;
    (draws, share)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn draws_outside_are_at_the_edge() {
        let bounds = Bounds::new((-1.0, 1.0), (0.0, 2.0));
        let draws = || vec![Point::new(0.5, 1.0), Point::new(-7.0, 1.5), Point::new(0.0, -3.0), Point::new(9.0, 9.0)];
        let (found, share) = within(bounds, false, draws());
        let expected = [[0.5, 1.0], [-1.0, 1.5], [0.0, 0.0], [1.0, 2.0]].map(Point::from);
        assert_eq!((found, share.to_bits()), (expected.to_vec(), 0.75_f64.to_bits()));
        let (found, share) = within(bounds, true, draws());
        assert_eq!((found[1].x, found[2].y, share.to_bits()), (-1.0, -3.0, 0.5_f64.to_bits()));
    }
}
