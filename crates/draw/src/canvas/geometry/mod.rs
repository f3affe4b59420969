//! Geometry of the canvases, without egui: clouds of draws, what lies beyond the view, ensembles, outlines of approximations and of exact distributions, arrows of
//! a step (drift, gradient noise, injected noise), divergences, handles of mixtures, and strokes of a brush over a picture.

mod approximations;
mod beyond;
mod cloud;
mod details;
mod divergences;
mod ensemble;
pub mod exact;
pub mod handles;
pub mod painting;
mod step_arrows;

pub use approximations::{DistributionPicture, FitPicture, density};
pub use beyond::{Beyond, Side, beyond};
pub use cloud::cloud_image;
pub use details::Details;
pub use divergences::divergences;
pub use ensemble::Ensemble;
pub use step_arrows::{Piece, enlarged, magnification, tip_to_tail, usual_length};
