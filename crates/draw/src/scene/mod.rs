//! Geometry of plots, without a window: numbers and pixels for density images, contours, point clouds, traces, histograms, arrows
//! of a step (drift, gradient noise, injected noise), rank plots, outlines of approximations, functions of a regression, maps of a
//! classification, weight space in planes, topics, and colour maps.
//!
//! Nothing here uses egui. A plot asks for a region of the plane on a number of cells, gets numbers or RGBA bytes, and
//! puts them on the screen.

mod approximations;
mod beyond;
mod cell_cloud;
mod cloud;
mod colormap;
mod contour;
mod convergence;
mod density;
mod divergences;
mod elbo;
mod ensemble;
mod functions;
pub mod handles;
mod histogram;
mod maps;
mod mixing;
mod named_draws;
pub mod painting;
mod polyline;
mod step_arrows;
mod step_parts;
pub mod stroke;
mod thinning;
mod topics;
mod trace;
mod vectors;
mod view;
mod weights;

pub use approximations::{DistributionPicture, FitPicture, density};
pub use beyond::{Beyond, Side, beyond};
pub use cell_cloud::CellCloud;
pub use cloud::cloud_image;
pub use colormap::{Ramp, Rgb, lightness};
pub use contour::{Contour, contours};
pub use convergence::{At, TAIL, convergence};
pub use density::{DensityImage, Portrait, REGIONS};
pub use divergences::divergences;
pub use elbo::{Column as ElboColumn, ElboTrace, interesting};
pub use ensemble::Ensemble;
pub use functions::{FunctionMoments, exact_functions, places, values};
pub use histogram::{Curve, Histogram, density_curve};
pub use maps::{ClassMap, MAP_CELLS, MapQuantity, PredictionSums, boundary, is_drawable, map_grid, middles};
pub use mixing::{ChainPicture, Correlation, Ranks, ranks};
pub use named_draws::{DrawName, NamedDraw, named_draws, place_of_draw, weights_of};
pub use polyline::{decimated, simplified};
pub use step_arrows::{Piece, enlarged, magnification, tip_to_tail, usual_length};
pub use step_parts::{Expected, Extension, Part, averaged, magnitudes, turns};
pub use thinning::{Draw, route, thinned, trail};
pub use topics::{
    CORNERS, DocumentShares, Relevance, Spread, TokenTopics, TopicsPicture, TopicsQuantity, collected_draws, columns,
    document_shares, is_draw, outline, place_of, ranked, token_topics, topics_by_place, word_shares,
};
pub use trace::{Columns, Extent, Trace};
pub use vectors::{KeptVector, thinned_vectors};
pub use view::{fitted, followed, zoomed};
pub use weights::{
    Components, Loss, Plane, Scale, WeightPicture, apart, function_vectors, network_of, principal_components, spread,
    test_data, whitened,
};
