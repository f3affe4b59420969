//! A small picture of a cell of a sweep: some of its draws over the density of the target.

use crate::math::{Bounds, Point};
use crate::session::sweep::CellSample;

use super::density::DensityImage;

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
    /// The draws with the first seed.
    pub draws: Vec<Point>,
}

impl CellCloud {
    /// The picture of a cell whose sample has ended.
    #[must_use]
    pub fn of(cell: usize, sample: CellSample) -> Self {
        let target = sample.target();
        let info = target.info();
        let (bounds, flat) = (info.view, info.dimension == 1);
        let density = target.is_known().then(|| DensityImage::of(target.as_ref(), bounds, CELLS, CELLS));
        Self { cell, density, bounds, flat, draws: sample.into_draws() }
    }
}
