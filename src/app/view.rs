//! View: how the window looks at present (canvases, plots, dialog, messages), and the pictures that plots cache.
//! Nothing of it is saved; what is saved is in [`super::prefs`].

use std::ops::Range;

use super::convergence_study::ConvergenceStudy;
use super::messages::Messages;
use super::open_dialog::Dialog;
use super::range_study::RangeStudy;
use crate::draw::plots::canvas::Layers;
use crate::draw::plots::coverage::Trail;
use crate::draw::plots::coverage::pin::Pin;
use crate::draw::plots::path::PathChoice;
use crate::draw::sheet::ExportOptions;
use crate::draw::tabs::Tab;
use crate::math::Bounds;

/// Name of the target whose components have handles on the canvases.
pub const MIXTURE: &str = "gaussian-mixture";

/// Title and caption while they are edited.
#[derive(Clone, Debug, Default)]
pub struct Draft {
    /// The title as typed so far.
    pub title: String,
    /// The caption as typed so far.
    pub caption: String,
}

/// State of the coverage plot.
#[derive(Debug, Default)]
pub struct CoverageView {
    /// Points of finished runs.
    pub trail: Trail,
    /// The pin that is selected, by number.
    pub selected: Option<usize>,
    /// The pins that were removed last; they can be restored.
    pub removed: Vec<Pin>,
}

/// How the window looks at present.
#[derive(Debug, Default)]
pub struct View {
    /// The run that is shown alone.
    pub solo: Option<usize>,
    /// Whether all runs share one canvas.
    pub overlay: bool,
    /// Bounds of all canvases; `None` for those of the target.
    pub bounds: Option<Bounds>,
    /// Generation of the frame that is shown, while bounds and range are to be reset with the next one.
    reset_after: Option<u64>,
    /// What canvases show.
    pub layers: Layers,
    /// The tab that is open in the bottom panel.
    pub tab: Tab,
    /// The steps that plots show; `None` for all.
    pub range: Option<Range<f64>>,
    /// The coordinate in plots of one coordinate: 0 or 1.
    pub coordinate: usize,
    /// The lines in the path plot.
    pub path: PathChoice,
    /// State of the coverage plot.
    pub coverage: CoverageView,
    /// Whether canvases show the handles of a mixture.
    pub editing: bool,
    /// The dialog that is open.
    pub dialog: Option<Dialog>,
    /// The messages that are shown.
    pub messages: Messages,
    /// Number of the newest refusal for which there was a message.
    pub refusals_shown: u64,
    /// Title and caption while they are edited.
    pub draft: Option<Draft>,
    /// How many times the system was asked for a path.
    pub tickets: u64,
    /// The convergence study.
    pub study: ConvergenceStudy,
    /// The range test.
    pub range_study: RangeStudy,
    /// Options of the exported figure.
    pub export: ExportOptions,
    /// Whether the window closes without asking about unsaved changes.
    pub quitting: bool,
    /// The present title of the window.
    pub title: String,
}

impl View {
    /// Shows one run alone, or all runs again.
    pub fn toggle_solo(&mut self, run: usize, runs: usize) {
        self.solo = if self.solo == Some(run) || run >= runs { None } else { Some(run) };
    }

    /// The runs that plots show: the one that is shown alone, or all.
    #[must_use]
    pub fn shown_runs(&self, runs: usize) -> Vec<usize> {
        self.solo.map_or_else(|| (0..runs).collect(), |run| vec![run])
    }

    /// Resets the bounds of canvases and the range of plots once a frame follows the one of `generation`.
    pub fn reset_after(&mut self, generation: u64) {
        self.reset_after = Some(generation);
    }

    /// Whether the next frame resets bounds and range.
    #[must_use]
    pub fn resets(&self) -> bool {
        self.reset_after.is_some()
    }

    /// Notes that the frame of `generation` is shown.
    pub fn note_frame(&mut self, generation: u64) {
        if self.reset_after.take_if(|before| *before != generation).is_some() {
            (self.bounds, self.range) = (None, None);
        }
    }

    /// Forgets choices that belong to removed runs.
    pub fn forget_removed(&mut self, runs: usize) {
        self.solo = self.solo.filter(|run| *run < runs);
        self.export.picture = self.export.picture.fit(runs);
    }
}
