//! Input and response of a canvas: which runs and layers it shows, and what a person did on it.

use std::sync::Arc;

use egui::Response;
use egui_plot::PlotTransform;

use crate::geometry::{Reveal, algorithm_of};
use crate::kit::background::Computing;
use base::math::{Bounds, Point};
use engine::distributions::Followed;
use engine::session::{Frame, RunFrame};
use models::targets::Target;
use samplers::methods::Phase;

/// Input of a canvas.
#[derive(Clone, Copy, Debug)]
pub struct CanvasInput<'a> {
    /// Number of the canvas, different for each.
    pub id: usize,
    /// The frame.
    pub frame: &'a Frame,
    /// The runs drawn, by number: one, or several over each other; none for the target alone.
    pub runs: &'a [usize],
    /// The part of the plane that must be visible.
    pub view: Bounds,
    /// The layers drawn.
    pub layers: Layers,
    /// Whether there is a strip for warnings below the header: if this canvas or one beside it has a warning.
    pub strip: bool,
    /// A density that is shown in the place of the target's: that of a painting under the brush.
    pub sketch: Option<&'a Arc<Target>>,
    /// When expensive pictures are made.
    pub computing: Computing,
}

#[cfg(test)]
impl<'a> CanvasInput<'a> {
    /// The only canvas, with runs and layers, in a figure.
    pub fn of_figure(frame: &'a Frame, runs: &'a [usize], layers: Layers) -> Self {
        let (view, computing) = (frame.target.info().view, Computing::Now);
        Self { id: 0, frame, runs, view, layers, strip: false, sketch: None, computing }
    }
}

impl CanvasInput<'_> {
    /// Whether the frame has no other run that a chain could be taken for.
    pub(super) fn has_one_run(&self) -> bool {
        self.frame.runs.len() == 1
    }
}

/// Layers of a canvas.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layers {
    /// Whether the truth is shown: density, contours, modes, exact marginals.
    pub truth: bool,
    /// Whether nothing is said of what is under the pointer: chips are placed there, or an audience looks.
    pub quiet: bool,
    /// The density as shades.
    pub heat: bool,
    /// The outlines of the highest-density regions.
    pub contours: bool,
    /// The modes of the target.
    pub modes: bool,
    /// The collected draws.
    pub draws: Draws,
    /// The exact distribution of each run; `None` for none.
    pub exact: Option<Followed>,
    /// The newest steps of the chains, and their positions.
    pub trail: bool,
    /// The parts of the newest step: momentum, drift, gradient noise, injected noise, proposals and paths.
    pub arrows: bool,
    /// The stage of the newest step until which it is drawn, by number; `None` for the whole step.
    pub stage: Option<usize>,
    /// Whether other numbers are those after the step before, since this one is not over for all runs.
    pub waits: bool,
    /// The phase of the newest step that a pointer is at.
    pub phase: Option<Phase>,
    /// The divergent transitions of methods along Hamiltonian dynamics.
    pub divergences: bool,
    /// Where a cycle ends that begins in a mode, as arrows between modes.
    pub between_modes: bool,
    /// The fitted distributions of approximations, and the path of their means.
    pub fits: bool,
    /// The Gaussian with the draws' mean and covariance, at 1, 2 and 3 standard deviations.
    pub ellipses: bool,
    /// The marginals along the edges of a large enough canvas.
    pub marginals: bool,
    /// Whether the view fills the canvas, so that x and y may have different scales.
    pub free_scales: bool,
}

impl Default for Layers {
    fn default() -> Self {
        Self {
            truth: true,
            quiet: false,
            heat: true,
            contours: true,
            modes: true,
            draws: Draws::Auto,
            exact: None,
            trail: true,
            arrows: false,
            stage: None,
            waits: false,
            phase: None,
            divergences: true,
            between_modes: false,
            fits: true,
            ellipses: false,
            marginals: true,
            free_scales: false,
        }
    }
}

impl Layers {
    /// What is drawn of the newest step of a chain of a run, and what of it is lit.
    pub(crate) fn reveal(&self, frame: &Frame, run: &RunFrame, chain: usize) -> Reveal {
        if self.stage.is_none() && self.phase.is_none() {
            return Reveal::default();
        }
        Reveal::of(algorithm_of(frame, run), run.records.get(chain), self.stage, self.phase)
    }

    /// The layers that are painted of a frame: none of the density and of the truth while they are hidden. A density can be shown where
    /// the truth about it is not known, but not its modes and marginals, which may be others.
    #[must_use]
    pub fn on(self, frame: &Frame) -> Self {
        let Self { truth, heat, contours, modes, exact, between_modes, marginals, .. } = self;
        let truth = truth && frame.target.density().is_some();
        let known = truth && frame.truth.is_known();
        Self {
            truth,
            heat: truth && heat,
            contours: truth && contours,
            modes: known && modes,
            exact: exact.filter(|_| truth),
            between_modes: known && between_modes && frame.target.info().dimension == 2,
            marginals: known && marginals,
            ..self
        }
    }

    /// Shows an exact distribution, or none if it is shown already.
    pub fn toggle_exact(&mut self, exact: Option<Followed>) {
        self.exact = exact.filter(|_| self.exact != exact);
    }

    /// Switches to a way of drawing the draws, or back to the default if it is on already.
    pub fn toggle(&mut self, draws: Draws) {
        self.draws = if self.draws == draws { Draws::default() } else { draws };
    }
}

/// Ways of drawing the collected draws.
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
    /// As points, pale at the start of the run and full at its end.
    ByStep,
    /// Not the draws but the positions of all chains at the newest step, as a density image.
    Ensemble,
}

/// Largest number of draws shown one by one.
pub const MOST_POINTS: usize = 4000;

/// Response of a canvas.
#[must_use]
#[derive(Clone, Debug)]
pub struct CanvasResponse {
    /// The position of the pointer in θ.
    pub hovered: Option<Point>,
    /// The change of the view.
    pub view: ViewChange,
    /// Whether a picture is still being made; its end requests a repaint.
    pub pending: bool,
    /// The plot itself, for clicks and menus.
    pub response: Response,
    /// From the plane to the screen, for painting over the canvas.
    pub transform: PlotTransform,
}

/// Change of a view.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ViewChange {
    /// No change.
    Unchanged,
    /// Pan or zoom to this part.
    To(Bounds),
    /// Back to the view of the target.
    Reset,
}
