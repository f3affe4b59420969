//! What is drawn, in world units and without a window: density images, contours, clouds of draws,
//! traces, histograms, the parts of steps, pictures of how chains mix, and colour maps.
//!
//! Nothing here knows egui. A plot asks for a picture of a part of the world at a number of cells, gets
//! plain numbers or RGBA bytes, and puts them on the screen.

mod chain;
mod cloud;
mod colormap;
mod contour;
mod convergence;
mod density;
mod elbo;
mod ensemble;
mod fit;
pub mod handles;
mod histogram;
mod noise;
mod reduce;
mod step;
mod thin;
mod trace;
mod view;

pub use chain::{ChainPicture, Correlation, Ranks};
pub use cloud::cloud_image;
pub use colormap::{Ramp, Rgb, lightness};
pub use contour::{Contour, contours};
pub use convergence::{Against, At, TAIL, convergence};
pub use density::{DensityImage, Portrait, REGIONS};
pub use elbo::{Column as ElboColumn, ElboTrace, interesting};
pub use ensemble::Ensemble;
pub use fit::{DistributionPicture, FitPicture, density};
pub use histogram::{Curve, Histogram, exact_curve};
pub use noise::{Expected, Extension, Part, averaged, magnitudes, turns};
pub use reduce::{decimated, simplified};
pub use step::{Piece, enlarged, magnification, tip_to_tail, usual_length};
pub use thin::{Draw, route, thinned, trail};
pub use trace::{Columns, Extent, Trace};
pub use view::{fitted, followed, zoomed};

#[cfg(test)]
pub(crate) mod testing;
