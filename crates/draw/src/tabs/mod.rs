//! Registry of plot tabs: one file and one line here for each plot of the bottom panel.
//!
//! A tab owns the pictures that its plot keeps from one frame to the next. It reads a [`PlotContext`], with the options of
//! the plot (a logarithmic axis, for example), and returns a [`TabResponse`]: it changes nothing else. The window, the figures
//! and `render --view` take their lists of plots from [`TABS`].

mod beside_tools;
mod bias_variance;
mod chain;
mod compare;
mod context;
mod convergence;
mod coverage;
mod elbo;
mod functions;
mod held_out;
mod map;
mod maps;
mod noise;
mod path;
mod reference_tools;
mod reliability;
mod response;
mod schedule;
mod seen;
mod study_tools;
mod test_errors;
mod time_axis;
mod topics;
mod trace;
mod weights;

use std::fmt;

use egui::{Context, Ui};

use super::plots::canvas::{CanvasCache, CanvasResponse};
use super::plots::identity::Identity;
use super::plots::reliability as reliability_plot;
use super::theme::Theme;
use base::params::Settings;
use engine::session::Frame;
use models::targets::is_topics;

pub use context::{
    CoverageContext, PlotContext, PlotOptions, RangeContext, ReferenceContext, StudyContext, SweepContext,
    SweepOptions, SweepPictures,
};
pub use response::{TabAction, TabResponse};
pub use seen::Seen;

/// All tabs, in the order in which the window shows them.
pub static TABS: [Tab; 18] = [
    &schedule::TAB,
    &topics::TAB,
    &held_out::TAB,
    &functions::TAB,
    &maps::TAB,
    &reliability::TAB,
    &test_errors::TAB,
    &weights::TAB,
    &trace::TAB,
    &noise::TAB,
    &elbo::TAB,
    &bias_variance::TAB,
    &convergence::TAB,
    &compare::TAB,
    &chain::TAB,
    &path::TAB,
    &coverage::TAB,
    &map::TAB,
];

/// An entry of [`TABS`].
pub type Tab = &'static TabSpec;

/// The tabs whose plots the whole sheet shows.
pub(super) const SCHEDULE: Tab = &schedule::TAB;
pub(super) const ELBO: Tab = &elbo::TAB;

/// The tabs of functions and of maps, which the whole sheet shows too.
pub const OF_FUNCTIONS: [Tab; 2] = [&functions::TAB, &maps::TAB];

/// The tab of weight space, whose plot can take the place of the canvases beside those.
pub const WEIGHTS: Tab = &weights::TAB;

/// The tab of measures of topics over time, which alone can count seconds.
pub const HELD_OUT: Tab = &held_out::TAB;

/// The tab of the sweep of a scenario.
pub const MAP: Tab = &map::TAB;

/// The tab whose plot takes the place of the canvases, of targets with topics.
pub const TOPICS: Tab = &topics::TAB;

/// Whether the canvases of a frame are the plot of the tab of topics.
#[must_use]
pub fn shows_topics(frame: &Frame) -> bool {
    (TOPICS.applies)(frame)
}

/// Tabs whose plots are of distributions in the plane.
const IN_THE_PLANE: [Tab; 9] = [
    &trace::TAB,
    &noise::TAB,
    &elbo::TAB,
    &convergence::TAB,
    &compare::TAB,
    &chain::TAB,
    &path::TAB,
    &coverage::TAB,
    &map::TAB,
];

/// Why the plot of a tab says nothing of a frame with topics; `None` where it does, and where it gives the reason itself.
#[must_use]
pub fn missing_on_topics(tab: Tab, frame: &Frame) -> Option<&'static str> {
    let missing = shows_topics(frame) && IN_THE_PLANE.contains(&tab);
    missing.then_some(match tab {
        tab if tab == ELBO => "The ELBO of topics is in the Held-out tab, as ELBO per word (curve = \"elbo\").",
        _ => {
            "This plot is of a distribution in the plane. Topics have plots of their own: Topics, Held-out, Bias and variance, Schedule."
        }
    })
}

/// What is known of a tab before it is open.
pub struct TabSpec {
    /// Its value of `render --view` and its part of file names. It never changes.
    pub key: &'static str,
    /// Its name in the window.
    pub label: &'static str,
    /// What its plot shows, in one phrase.
    pub help: &'static str,
    /// Whether its plot shows one coordinate at a time. Figures show all coordinates, one plot below the other, unless one is chosen.
    pub by_coordinate: fn(&PlotOptions) -> bool,
    /// What its plot needs of repeats of the scenario.
    pub study: StudyUse,
    /// Whether its plot stands beside the canvases, as large as they are, and not below them.
    pub beside: bool,
    /// Whether its plot shows anything of the runs of a frame. The window offers only such tabs.
    pub applies: fn(&Frame) -> bool,
    /// Makes the tab without pictures.
    pub make: fn() -> Box<dyn PlotTab>,
}

/// What a plot needs of repeats of the scenario with other seeds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StudyUse {
    /// No repeats.
    Nothing,
    /// The measure that is chosen for the study.
    ChosenMeasure,
    /// All measures against the truth.
    TruthMeasures,
}

/// The tab with this key.
#[must_use]
pub fn tab(key: &str) -> Option<Tab> {
    TABS.into_iter().find(|tab| tab.key == key)
}

/// The tab that is open first with a target.
#[must_use]
pub fn first_tab(target: &Settings) -> Tab {
    if is_topics(target.kind) { TOPICS } else { Tab::default() }
}

/// The tab that is shown where `chosen` is open: the same, or the first that applies.
#[must_use]
pub fn applying(chosen: Tab, frame: &Frame) -> Tab {
    let first = || TABS.into_iter().find(|tab| (tab.applies)(frame));
    if (chosen.applies)(frame) { chosen } else { first().unwrap_or(chosen) }
}

/// For plots of one coordinate at a time, and for all others.
fn one_coordinate(_: &PlotOptions) -> bool {
    true
}

fn no_coordinate(_: &PlotOptions) -> bool {
    false
}

/// For plots of draws or fits in the plane.
fn has_plane(frame: &Frame) -> bool {
    !shows_topics(frame)
}

/// For plots that compare with the truth.
fn has_truth(frame: &Frame) -> bool {
    frame.truth.is_known()
}

/// For plots of draws in their order.
fn has_sampler(frame: &Frame) -> bool {
    has_plane(frame) && frame.runs.iter().any(|run| run.fits.is_none())
}

/// For plots of functions behind the draws.
fn has_functions(frame: &Frame) -> bool {
    frame.target.regression().is_some()
}

/// For plots of predictions of test data.
fn has_tests(frame: &Frame) -> bool {
    reliability_plot::has_tests(frame.target.as_ref())
}

/// For plots of fitted distributions.
fn has_fit(frame: &Frame) -> bool {
    has_plane(frame) && frame.runs.iter().any(|run| run.fits.is_some())
}

impl PartialEq for TabSpec {
    fn eq(&self, other: &Self) -> bool {
        self.key == other.key
    }
}

impl Eq for TabSpec {}

impl fmt::Debug for TabSpec {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_tuple("Tab").field(&self.key).finish()
    }
}

impl Default for Tab {
    /// The tab that is open first.
    fn default() -> Self {
        TABS[0]
    }
}

/// A plot of the bottom panel with its kept pictures.
pub trait PlotTab: fmt::Debug {
    /// Draws the plot into the space there is.
    fn show(&mut self, ui: &mut Ui, cx: &PlotContext<'_>, theme: &Theme) -> TabResponse;

    /// Whether what the tab keeps stays when the target changes: it belongs to its target by itself, or to none. Otherwise it is gone.
    fn outlasts_target(&self) -> bool {
        false
    }

    /// Adds the controls of the plot to the row of tabs.
    fn tools(&mut self, _ui: &mut Ui, _cx: &PlotContext<'_>, _theme: &Theme) -> TabResponse {
        TabResponse::default()
    }

    /// Paints over the canvas of `runs` while the tab is open.
    fn over_canvas(
        &mut self,
        _ui: &Ui,
        _cx: &PlotContext<'_>,
        (_runs, _canvas): (&[usize], &CanvasResponse),
        _theme: &Theme,
    ) -> TabResponse {
        TabResponse::default()
    }
}

/// All tabs and canvases with what they keep from one frame to the next. That can be reached only with the identity of what is drawn, and
/// what was kept of another one is gone.
#[derive(Debug, Default)]
pub struct Plots {
    of: Option<Identity>,
    plots: PlotsOf,
}

impl Plots {
    /// The plots of what has an identity.
    pub fn of(&mut self, identity: &Identity) -> &mut PlotsOf {
        match &self.of {
            Some(known) if known == identity => {}
            Some(known) if known.has_runs_of(identity) => self.plots.forget_target(),
            _ => self.plots.forget(),
        }
        if self.of.as_ref() != Some(identity) {
            self.of = Some(identity.clone());
        }
        &mut self.plots
    }

    /// Prepares the density of another frame that is to be shown, see [`CanvasCache::foresee`].
    pub fn foresee(&mut self, context: &Context, frame: &Frame, whole: bool, theme: &Theme) -> bool {
        self.plots.canvases.foresee(context, frame, whole, theme)
    }
}

/// All tabs and canvases of what has one identity.
#[derive(Debug)]
pub struct PlotsOf {
    /// The pictures of the canvases.
    pub canvases: CanvasCache,
    tabs: [(Tab, Box<dyn PlotTab>); TABS.len()],
}

impl Default for PlotsOf {
    fn default() -> Self {
        Self { canvases: CanvasCache::default(), tabs: TABS.map(|tab| (tab, (tab.make)())) }
    }
}

impl PlotsOf {
    /// The plot of a tab; the first one for a tab that is not registered.
    pub fn tab(&mut self, tab: Tab) -> &mut dyn PlotTab {
        let index = self.tabs.iter().position(|(known, _)| *known == tab).unwrap_or(0);
        self.tabs[index].1.as_mut()
    }

    /// Forgets everything but densities, which belong to their targets.
    fn forget(&mut self) {
        self.canvases.forget_runs();
        self.tabs = TABS.map(|tab| (tab, (tab.make)()));
    }

    /// Forgets what belongs to the target.
    fn forget_target(&mut self) {
        for (tab, plot) in self.tabs.iter_mut().filter(|(_, plot)| !plot.outlasts_target()) {
            *plot = (tab.make)();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::plots::testing::{Fake, Recipe, approximation, frame, topics_frame};
    use samplers::methods::FitRecord;

    #[test]
    fn keys_and_labels_are_unique_and_keys_fit_into_file_names() {
        let keys: BTreeSet<_> = TABS.iter().map(|tab| tab.key).collect();
        let labels: BTreeSet<_> = TABS.iter().map(|tab| tab.label).collect();
        assert_eq!((keys.len(), labels.len()), (TABS.len(), TABS.len()));
        assert!(keys.iter().all(|key| key.chars().all(|letter| letter.is_ascii_lowercase() || letter == '-')));
        for spec in TABS {
            assert_eq!(tab(spec.key), Some(spec));
            assert!(!spec.help.is_empty());
        }
        assert_eq!(tab("toy"), None);
    }

    #[test]
    fn a_scenario_file_knows_the_tabs_with_their_labels() {
        let known = engine::scenario::view::TABS.iter().map(|kind| (kind.name, kind.label));
        assert!(known.eq(TABS.iter().map(|tab| (tab.key, tab.label))));
    }

    /// Other tabs give their reasons themselves.
    #[test]
    fn a_tab_shows_something_of_topics_or_says_why_not() {
        let topics = topics_frame("corpus = { kind = \"bars\", side = 4, documents = 60 }");
        let silent = |tab: &Tab| !(tab.applies)(&topics) && missing_on_topics(tab, &topics).is_none();
        let silent: Vec<&str> = TABS.into_iter().filter(silent).map(|tab| tab.key).collect();
        assert_eq!(silent, ["functions", "maps", "reliability", "test-errors", "weights"]);
        assert!(TABS.into_iter().all(|tab| !(tab.applies)(&topics) || missing_on_topics(tab, &topics).is_none()));
        assert!(missing_on_topics(ELBO, &topics).unwrap().contains("Held-out"));
        let recipe = Recipe { name: "SGLD", chains: 2, steps: 30, total: 100, alpha: 0.004, cycle: 0 };
        assert_eq!(missing_on_topics(&trace::TAB, &frame(Fake::grid(), &[recipe])), None);
    }

    #[test]
    fn only_tabs_that_show_something_apply_and_another_takes_the_place_of_one_that_does_not() {
        let recipe = Recipe { name: "SGLD", chains: 2, steps: 30, total: 100, alpha: 0.004, cycle: 0 };
        let keys = |frame: &Frame| -> Vec<&str> {
            TABS.into_iter().filter(|tab| (tab.applies)(frame)).map(|tab| tab.key).collect()
        };
        let mut frame = frame(Fake::grid(), &[recipe]);
        assert!(!keys(&frame).contains(&"elbo") && keys(&frame).contains(&"noise"));
        assert_eq!(applying(&elbo::TAB, &frame), applying(TABS[0], &frame));
        approximation(&mut frame.runs[0], 2, |_, _| FitRecord::default());
        assert!(keys(&frame).contains(&"elbo") && !keys(&frame).contains(&"noise"));
        assert_eq!(applying(&elbo::TAB, &frame), &elbo::TAB);
    }
}
