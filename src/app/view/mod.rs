//! View: how the window looks at present, in parts by what they are about, each with what resets it. What of it is a choice about what is
//! seen, a scenario file may name, and Save writes it: [`spec`] has both conversions. What a person prefers in every file is in [`prefs`].

mod canvases;
mod files;
pub mod folding;
pub mod forms;
pub mod hand_out;
pub mod in_sight;
pub mod messages;
pub mod painter;
pub mod pen;
pub mod playlist;
mod plots;
pub mod prefs;
mod spec;
pub mod taken_apart;
mod window;

use std::ops::Range;
use std::sync::Arc;

use base::math::Bounds;
use draw::canvas::{Layers, extent_of_step};
use draw::kit::identity::Identity;
use draw::readout::Table;
use draw::views::coverage::Trail;
use draw::views::{STEP, applying};
use engine::scenario::{Pacing, Scenario, Speed, ViewSpec};
use engine::session::Frame;

use super::experiment::model::Model;
use super::studies::Studies;
use super::trials::look::Trials;
use canvases::Shown;
use files::FileView;
use forms::Forms;
use messages::Messages;
use pen::Pen;
use playlist::OpenPlaylist;
use plots::PlotView;
pub use window::Wanted;
use window::WindowView;

/// How the runs are played, if the file or the person has chosen since it was loaded.
#[derive(Debug, Default)]
pub struct Transport {
    /// Watch or Instant.
    pub pace: Option<Pacing>,
    /// The speed.
    pub speed: Option<Speed>,
}

/// Bounds of the canvases, and the steps that plots show.
type Extent = (Option<Bounds>, Option<Range<f64>>);

/// How the window looks at present.
#[derive(Debug, Default)]
pub struct View {
    /// What canvases show.
    pub shown: Shown,
    /// What plots and the readout show.
    pub plots: PlotView,
    /// How the runs are played.
    pub transport: Transport,
    /// What the window shows around them.
    pub window: WindowView,
    /// What is asked and typed.
    pub forms: Forms,
    /// What is drawn on top of the window.
    pub pen: Pen,
    /// The playlist that is open.
    pub playlist: Option<Arc<OpenPlaylist>>,
    /// The playlist that was left, which can be brought back.
    pub left_playlist: Option<Arc<OpenPlaylist>>,
    /// What is read and written.
    pub files: FileView,
    /// What is computed or asked beside the runs.
    pub studies: Studies,
    /// The trials that are kept.
    pub trials: Trials,
    /// The messages that are shown.
    pub messages: Messages,
    /// Bounds and range of a scenario whose first frame has not come yet.
    home: Option<Extent>,
    /// What the frame is of that was shown last.
    of: Option<Identity>,
    /// Generation of the frame that is shown, while bounds and range are to be reset with the next one.
    reset_after: Option<u64>,
    /// The view when the scenario was loaded or saved, if its file says one.
    kept: Option<ViewSpec>,
}

impl View {
    /// Whether a view that its file says has been changed since it was loaded or saved.
    #[must_use]
    pub fn changed(&self, scenario: &Scenario) -> bool {
        self.kept.as_ref().is_some_and(|kept| self.spec(scenario).without_moment() != *kept)
    }

    /// Notes that the view was saved with a scenario.
    pub fn mark_saved(&mut self, scenario: &Scenario) {
        self.kept = (scenario.view != ViewSpec::default()).then(|| self.spec(scenario).without_moment());
    }

    /// Bounds and range, or those that come with the next frame.
    fn extent(&self) -> Extent {
        self.home.clone().unwrap_or_else(|| (self.shown.lasting_bounds(), self.plots.range.clone()))
    }

    /// Takes the bounds and the range of the scenario at once: its first frame is there.
    pub fn arrive(&mut self) {
        (self.shown.bounds, self.plots.range) = self.home.take().unwrap_or_default();
    }

    /// Resets the bounds of canvases and the range of plots, or takes those of a new scenario, once a frame follows the one of `generation`.
    pub fn reset_after(&mut self, generation: u64) {
        self.reset_after = Some(generation);
    }

    /// Whether the next frame resets bounds and range.
    #[must_use]
    pub fn resets(&self) -> bool {
        self.reset_after.is_some()
    }

    /// The layers of the canvases. The arrows of the newest step are there while the tab about it is open.
    #[must_use]
    pub fn layers(&self, frame: &Frame) -> Layers {
        let Layers { arrows, .. } = self.shown.layers;
        let explained = applying(self.plots.tab, frame) == STEP;
        let phase = self.shown.pointing.shown().phase;
        let waits = !self.shown.ends_step(frame);
        Layers { arrows: arrows || explained, phase, waits, ..self.shown.layers }
    }

    /// The part of the plane with the newest steps of the runs that are shown; of one run alone where its step is explained part by part, or
    /// before an audience, where it has the canvas.
    #[must_use]
    pub fn around_step(&self, frame: &Frame, presents: bool) -> Option<Bounds> {
        let shown = self.shown.runs(frame.runs.len());
        let explained = applying(self.plots.tab, frame) == STEP;
        let is_alone = explained && (presents || self.shown.layers.stage.is_some());
        let alone = self.plots.step_of.alone.filter(|run| is_alone && shown.contains(run));
        extent_of_step(frame, &alone.map_or(shown, |run| vec![run]), !self.shown.layers.free_scales)
    }

    /// Follows the frame that is shown. What was made of another scenario, of other runs or of another target is gone.
    pub fn follow(&mut self, model: &Model) {
        self.note_frame(model.frame().generation);
        let identity = model.identity();
        if self.of.as_ref() != Some(&identity) {
            self.studies.range_test.close();
            self.plots.path.pick_on_canvas(self.plots.path.picking());
            if self.of.as_ref().is_none_or(|of| of.load() != identity.load()) {
                self.plots.coverage.trail = Trail::default();
                self.shown.painter.forget();
                self.files.preview.close();
            }
            self.of = Some(identity.clone());
        }
        self.studies.convergence.outdate(model.scenario());
        self.studies.convergence.note(&model.frame().scenario, &identity);
        self.studies.challenge.follow(model.scenario());
        if model.opening().is_none() {
            self.plots.coverage.trail.note(model.frame());
            self.studies.challenge.note(model.frame());
            self.complete_trial(model.frame());
        }
    }

    /// Takes the measures of the newest trial that were still being computed when it was kept.
    fn complete_trial(&mut self, frame: &Frame) {
        if self.trials.notebook.is_unfinished() {
            self.trials.notebook.complete(frame, &Table::seen(frame, self.shown.layers.truth));
        }
    }

    /// Whether the target must not be named: the file hides the truth, and nobody has revealed it.
    #[must_use]
    pub fn hides_target(&self, scenario: &Scenario) -> bool {
        scenario.view.hides_target() && !self.shown.layers.truth
    }

    /// Notes that the frame of `generation` is shown.
    fn note_frame(&mut self, generation: u64) {
        if self.reset_after.take_if(|before| *before != generation).is_some() {
            self.arrive();
        }
    }

    /// Forgets choices that belong to removed runs.
    pub fn forget_removed(&mut self, runs: usize) {
        self.shown.forget_removed(runs);
        self.files.export.choose(self.files.export.picture.fit(runs), None);
    }
}
