//! Input and response of a canvas: which runs and layers it shows, and what a person did on it.

use egui::Response;
use egui_plot::PlotTransform;

use crate::draw::plots::Computing;
use crate::math::{Bounds, Point};
use crate::session::Frame;

/// What a canvas shows.
#[derive(Clone, Copy, Debug)]
pub struct CanvasInput<'a> {
    /// Tells canvases apart: a number of its own for each.
    pub id: usize,
    /// The moment.
    pub frame: &'a Frame,
    /// The runs drawn, by number: one, or several over each other. None: the target alone.
    pub runs: &'a [usize],
    /// The part of the world that must be seen.
    pub view: Bounds,
    /// What is drawn.
    pub layers: Layers,
    /// When pictures are made.
    pub computing: Computing,
}

/// What is drawn on a canvas.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layers {
    /// The density as shades.
    pub heat: bool,
    /// The outlines of the highest-density regions.
    pub contours: bool,
    /// The modes of the target.
    pub modes: bool,
    /// The collected draws.
    pub draws: Draws,
    /// The newest steps of the chains, and where they are.
    pub trail: bool,
    /// What made up the newest step: momentum, drift, gradient noise, injected noise, proposals and paths.
    pub arrows: bool,
    /// The distributions that approximations have fitted, and the way they have gone.
    pub fits: bool,
    /// The Gaussian with the draws' mean and covariance, at 1, 2 and 3 standard deviations.
    pub ellipses: bool,
    /// The marginals along the edges, where the canvas is large enough.
    pub marginals: bool,
}

impl Default for Layers {
    fn default() -> Self {
        Self {
            heat: true,
            contours: true,
            modes: true,
            draws: Draws::Auto,
            trail: true,
            arrows: false,
            fits: true,
            ellipses: false,
            marginals: true,
        }
    }
}

impl Layers {
    /// Draws the draws in a way, or as at first if they are drawn in it already.
    pub fn toggle(&mut self, draws: Draws) {
        self.draws = if self.draws == draws { Draws::default() } else { draws };
    }
}

/// How the collected draws are drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Draws {
    /// Not at all.
    Hidden,
    /// As points while there are few, as a density image later.
    #[default]
    Auto,
    /// As points, at most [`MOST_POINTS`] spread evenly over the run.
    Points,
    /// As a density image of all of them.
    Density,
    /// As points coloured by chain.
    ByChain,
    /// As points coloured by cycle.
    ByCycle,
    /// As points, pale at the beginning of the run and full at its end.
    ByStep,
    /// Not the draws: where all chains are at the newest step, as a density image.
    Ensemble,
}

/// Draws shown one by one.
pub const MOST_POINTS: usize = 4000;

/// What happened on a canvas.
#[must_use]
#[derive(Clone, Debug)]
pub struct CanvasResponse {
    /// Where the pointer is, in θ.
    pub hovered: Option<Point>,
    /// What became of the view.
    pub view: ViewChange,
    /// Whether a picture is still being made; a repaint is asked for when it is done.
    pub pending: bool,
    /// The plot itself, for clicks and menus.
    pub response: Response,
    /// From the world to the screen, for what is painted over it.
    pub transform: PlotTransform,
}

/// What became of a view.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ViewChange {
    /// Nothing.
    Unchanged,
    /// It was panned or zoomed.
    To(Bounds),
    /// It shall be the target's own again.
    Reset,
}
