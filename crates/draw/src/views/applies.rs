//! What a frame has, by which plots apply to it.

use super::reliability;
use engine::session::Frame;

/// For plots of topics.
pub(super) fn has_topics(frame: &Frame) -> bool {
    frame.target.topics().is_some()
}

/// For plots of draws or fits in the plane.
pub(super) fn has_plane(frame: &Frame) -> bool {
    frame.target.family().no_positions.is_none()
}

/// For plots that compare with the truth.
pub(super) fn has_truth(frame: &Frame) -> bool {
    frame.truth.is_known()
}

/// For plots of draws in their order.
pub(super) fn has_sampler(frame: &Frame) -> bool {
    has_plane(frame) && frame.runs.iter().any(|run| run.fits.is_none())
}

/// For plots of functions behind the draws.
pub(super) fn has_functions(frame: &Frame) -> bool {
    frame.target.regression().is_some()
}

/// For plots of coefficients and other quantities that have names.
pub(super) fn has_quantities(frame: &Frame) -> bool {
    frame.target.quantities().is_some()
}

/// For plots of data and of those that the model makes.
pub(super) fn has_responses(frame: &Frame) -> bool {
    frame.target.model().is_some_and(|model| !model.responses().is_empty())
}

/// For plots of predictions of test data.
pub(super) fn has_tests(frame: &Frame) -> bool {
    reliability::has_tests(frame.target.as_ref())
}

/// For plots of fitted distributions.
pub(super) fn has_fit(frame: &Frame) -> bool {
    has_plane(frame) && frame.runs.iter().any(|run| run.fits.is_some())
}
