//! Plots and readout as they are seen: the open tab, its range and its options.

use std::ops::Range;

use draw::views::coverage::Trail;
use draw::views::coverage::pin::Pin;
use draw::views::path::PathChoice;
use draw::views::{PlotOptions, STEP, Seen, StepOf, Tab};
use engine::scenario::view::Axis;
use engine::session::Frame;

/// What plots and the readout show. A file may say tab, range, coordinate, options and measures; the range goes back to all steps with another
/// target, and points of coverage are gone with another scenario.
#[derive(Debug, Default)]
pub struct PlotView {
    /// The tab that is open in the bottom panel.
    pub tab: Tab,
    /// The tab that was open before that of the step.
    pub before_step: Tab,
    /// Whose step the Step tab shows, where there is no space for those of all runs.
    pub step_of: StepOf,
    /// The steps, evaluations or seconds that plots show; `None` for all.
    pub range: Option<Range<f64>>,
    /// The coordinate in plots of one coordinate, 0 or 1, where a person or a file has chosen it.
    pub coordinate: Option<usize>,
    /// Options of single plots.
    pub options: PlotOptions,
    /// The lines in the path plot.
    pub path: PathChoice,
    /// State of the coverage plot.
    pub coverage: CoverageView,
    /// The measures of the readout, by key; the first is the headline. `None` for the usual ones.
    pub measures: Option<Vec<String>>,
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

impl PlotView {
    /// The range that plots of a frame show. The one of a lesson with pauses is left once its runs have passed it: people follow them.
    #[must_use]
    pub fn range_at(&self, frame: &Frame) -> Option<Range<f64>> {
        let spec = &frame.scenario.view;
        let shown = self.range.clone()?;
        let passed = !spec.pause.is_empty() && frame.step as f64 > shown.end;
        (!passed || Seen::of_file(spec).range.as_ref() != Some(&shown)).then_some(shown)
    }

    /// Opens a tab. One tab alone can count seconds, and a range of them means nothing to others.
    pub fn open_tab(&mut self, tab: Tab) {
        if tab != self.tab && self.options.axis == Some(Axis::Seconds) {
            self.range = None;
        }
        if tab == STEP && self.tab != STEP {
            self.before_step = self.tab;
        }
        self.tab = tab;
    }

    /// Chooses options of plots; on another axis the range is another.
    pub fn set_options(&mut self, options: PlotOptions) {
        if options.axis != self.options.axis {
            self.range = None;
        }
        self.options = options;
    }
}
