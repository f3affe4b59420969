//! Geometry that several plots share, without a window: numbers and pixels for density images, contours, histograms, lines, parts of
//! a step, draws with names, and colour maps.
//!
//! Nothing here uses egui, nor do the other modules of this name, which belong to the canvases or to one view. A plot asks for a region
//! of the plane on a number of cells, gets numbers or RGBA bytes, and puts them on the screen.

mod colormap;
mod contour;
mod density;
mod ends;
mod histogram;
mod named_draws;
mod polyline;
mod step_growth;
mod step_numbers;
mod step_parts;
mod step_stages;
mod step_symbols;
mod step_words;
mod thinning;
mod topics_quantity;
mod vectors;
mod view;

pub use colormap::{Ramp, Rgb, lightness, linear, luma};
pub use contour::{Contour, contours};
pub use density::{DensityImage, Portrait, REGIONS};
pub use ends::independent_ends;
pub use histogram::{Curve, Histogram, density_curve};
pub use named_draws::{DrawName, NamedDraw, named_draws, point_of_draw, weights_of};
pub use polyline::{decimated, simplified, without_reversals};
pub use step_numbers::{numbers_of, numbers_of_line};
pub use step_parts::{Expected, Extension, Part, averaged, magnitudes, turns};
pub use step_stages::{Reveal, Stage, algorithm_of, method_at, stages};
pub use step_symbols::symbols_in;
pub use step_words::why_stopped;
pub use thinning::{Draw, route, thinned, trail};
pub use topics_quantity::TopicsQuantity;
pub use vectors::{KeptVector, is_drawable, thinned_vectors};
pub use view::{fitted, followed, zoomed};
