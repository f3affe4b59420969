//! What a window shows, for programs that drive it.

use base::math::Bounds;
use engine::scenario::Scenario;
use engine::session::Frame;
use engine::worker::Status;

use super::App;

impl App {
    /// The newest frame of the session, for tests and benchmarks.
    #[must_use]
    pub fn frame(&self) -> &Frame {
        self.state.model.frame()
    }

    /// The scenario in the window, with edits that the frame does not show yet.
    #[must_use]
    pub fn scenario(&self) -> &Scenario {
        self.state.model.scenario()
    }

    /// Whether runs advance step by step.
    #[must_use]
    pub fn playing(&self) -> bool {
        self.status().playing
    }

    /// The part of the plane that the canvases show, for tests.
    #[must_use]
    pub fn shown_bounds(&self) -> Bounds {
        self.state.view.shown.bounds.unwrap_or_else(|| self.frame().target.info().view)
    }

    /// The status of the worker, with the frame that is shown.
    #[must_use]
    pub fn status(&self) -> &Status {
        self.state.model.status()
    }
}
