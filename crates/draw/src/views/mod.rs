//! Registry of plot tabs: one folder and one line here for each plot of the bottom panel.
//!
//! A tab owns the pictures that its plot keeps from one frame to the next. It reads a [`PlotContext`], with the options of
//! the plot (a logarithmic axis, for example), and returns a [`TabResponse`]: it changes nothing else. The window, the figures
//! and `render --view` take their lists of plots from [`TABS`].

mod applies;
mod bias_variance;
pub mod chain;
pub mod class_maps;
pub mod coefficients;
mod compare;
mod context;
mod controls;
mod convergence;
pub mod coverage;
mod cycles;
mod elbo;
mod error_parts;
pub mod functions;
pub mod gesture_list;
mod held_out;
mod noise;
pub mod pairs;
pub mod path;
pub mod predictive;
mod reliability;
mod response;
mod schedule;
mod seen;
mod spec;
mod step;
pub mod study_action;
pub mod study_choice;
pub mod sweep;
mod test_errors;
pub mod topics;
mod trace;
pub mod weights;

use egui::Context;

use crate::canvas::CanvasCache;
use crate::kit::identity::Identity;
use crate::theme::Theme;
use base::params::Settings;
use engine::session::Frame;
use models::targets::family_of;

use applies::{
    has_fit, has_functions, has_plane, has_quantities, has_responses, has_sampler, has_tests, has_topics, has_truth,
};
pub use context::{
    CoverageContext, PlotContext, PlotOptions, RangeContext, ReferenceContext, StepOf, StudyContext, SweepContext,
    SweepOptions, SweepPictures,
};
pub use response::{StageMove, TabAction, TabResponse};
pub use seen::Seen;
pub use spec::{PlotTab, StudyUse, Tab, TabSpec};
use spec::{no_coordinate, one_coordinate};

/// The tab of the newest step, with which its arrows are drawn.
pub const STEP: Tab = &step::TAB;

/// All tabs, in the order in which the window shows them.
pub static TABS: [Tab; 24] = [
    &schedule::TAB,
    &topics::TAB,
    &held_out::TAB,
    &functions::TAB,
    &class_maps::TAB,
    &reliability::TAB,
    &test_errors::TAB,
    &weights::TAB,
    &coefficients::TAB,
    &pairs::TAB,
    &predictive::TAB,
    &trace::TAB,
    &step::TAB,
    &noise::TAB,
    &elbo::TAB,
    &bias_variance::TAB,
    &convergence::TAB,
    &compare::TAB,
    &error_parts::TAB,
    &chain::TAB,
    &path::TAB,
    &coverage::TAB,
    &cycles::TAB,
    &sweep::TAB,
];

/// The tabs whose plots the whole sheet shows.
pub(super) const SCHEDULE: Tab = &schedule::TAB;
pub(super) const ELBO: Tab = &elbo::TAB;
pub(super) const CONVERGENCE: Tab = &convergence::TAB;

/// The tabs of functions and of maps, which the whole sheet shows too.
pub const OF_FUNCTIONS: [Tab; 2] = [&functions::TAB, &class_maps::TAB];

/// The tabs with several plots side by side, which take the whole width of a sheet.
pub const SIDE_BY_SIDE: [Tab; 1] = [&chain::TAB];

/// The tab of weight space, whose plot can take the place of the canvases beside those.
pub const WEIGHTS: Tab = &weights::TAB;

/// The tab of measures of topics over time, which alone can count seconds.
pub const HELD_OUT: Tab = &held_out::TAB;

/// The tab of the sweep of a scenario.
pub const MAP: Tab = &sweep::TAB;

/// The tab whose plot takes the place of the canvases; `None` where there are canvases.
#[must_use]
pub fn instead_of_canvases(frame: &Frame) -> Option<Tab> {
    frame.target.family().tabs.canvases.and_then(tab)
}

/// The tab whose plot is on the sheet of a family, whatever the methods; `None` if they decide.
pub(super) fn on_sheet(frame: &Frame) -> Option<Tab> {
    frame.target.family().tabs.sheet.and_then(tab)
}

/// Why the plot of a tab says nothing of a family of targets; `None` where it does, and where it gives the reason itself.
#[must_use]
pub fn silent(tab: Tab, frame: &Frame) -> Option<&'static str> {
    let silent = frame.target.family().tabs.silent.iter();
    silent.filter(|(keys, _)| keys.contains(&tab.spec.name)).map(|(_, reason)| *reason).next()
}

/// The tab with this key.
#[must_use]
pub fn tab(key: &str) -> Option<Tab> {
    TABS.into_iter().find(|tab| tab.spec.name == key)
}

/// The tab that is open first with a target.
#[must_use]
pub fn first_tab(target: &Settings) -> Tab {
    family_of(target.kind).tabs.first.and_then(tab).unwrap_or_default()
}

/// The tab that is shown where `chosen` is open: the same, or the first that applies.
#[must_use]
pub fn applying(chosen: Tab, frame: &Frame) -> Tab {
    let first = || TABS.into_iter().find(|tab| (tab.applies)(frame));
    if (chosen.applies)(frame) { chosen } else { first().unwrap_or(chosen) }
}

impl Default for Tab {
    /// The tab that is open first.
    fn default() -> Self {
        TABS[0]
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
    use crate::testing::{Fake, Recipe, approximation, frame, topics_frame};
    use models::families::{FAMILIES, Leading, Tabs};
    use samplers::methods::FitRecord;

    #[test]
    fn keys_and_labels_are_unique_and_keys_fit_into_file_names() {
        let keys: BTreeSet<_> = TABS.iter().map(|tab| tab.spec.name).collect();
        let labels: BTreeSet<_> = TABS.iter().map(|tab| tab.spec.label).collect();
        assert_eq!((keys.len(), labels.len()), (TABS.len(), TABS.len()));
        assert!(keys.iter().all(|key| key.chars().all(|letter| letter.is_ascii_lowercase() || letter == '-')));
        for spec in TABS {
            assert_eq!(tab(spec.spec.name), Some(spec));
            assert!(!spec.spec.help.is_empty());
        }
        assert_eq!(tab("toy"), None);
    }

    #[test]
    fn a_scenario_file_knows_the_tabs() {
        assert!(engine::scenario::view::TABS.iter().eq(TABS.iter().map(|tab| tab.spec)));
    }

    /// Other tabs give their reasons themselves.
    #[test]
    fn a_tab_shows_something_of_topics_or_says_why_not() {
        let topics = topics_frame("corpus = { kind = \"bars\", side = 4, documents = 60 }");
        let unsaid = |tab: &Tab| !(tab.applies)(&topics) && silent(tab, &topics).is_none();
        let unsaid: Vec<&str> = TABS.into_iter().filter(unsaid).map(|tab| tab.spec.name).collect();
        assert_eq!(
            unsaid,
            ["functions", "maps", "reliability", "test-errors", "weights", "coefficients", "pairs", "predictive"]
        );
        assert!(TABS.into_iter().all(|tab| !(tab.applies)(&topics) || silent(tab, &topics).is_none()));
        assert!(silent(ELBO, &topics).unwrap().contains("Held-out"));
        let recipe = Recipe { name: "SGLD", chains: 2, steps: 30, total: 100, alpha: 0.004, cycle: 0 };
        assert_eq!(silent(&trace::TAB, &frame(Fake::grid(), &[recipe])), None);
    }

    #[test]
    fn families_name_tabs_and_measures_that_there_are() {
        let measures: Vec<&str> = engine::scenario::view::measure_keys().collect();
        for family in FAMILIES {
            let Tabs { first, canvases, sheet, silent, .. } = family.tabs;
            let silent = silent.iter().flat_map(|(keys, _)| keys.iter().copied());
            let tabs = [first, canvases, sheet].into_iter().flatten().chain(silent);
            tabs.for_each(|key| assert!(tab(key).is_some(), "{key}"));
            let Leading { modes, single, fits } = family.leading;
            [modes, single, fits].concat().into_iter().for_each(|key| assert!(measures.contains(&key), "{key}"));
        }
    }

    #[test]
    fn only_tabs_that_show_something_apply_and_another_takes_the_place_of_one_that_does_not() {
        let recipe = Recipe { name: "SGLD", chains: 2, steps: 30, total: 100, alpha: 0.004, cycle: 0 };
        let keys = |frame: &Frame| -> Vec<&str> {
            TABS.into_iter().filter(|tab| (tab.applies)(frame)).map(|tab| tab.spec.name).collect()
        };
        let mut frame = frame(Fake::grid(), &[recipe]);
        assert!(!keys(&frame).contains(&"elbo") && keys(&frame).contains(&"noise"));
        assert_eq!(applying(&elbo::TAB, &frame), applying(TABS[0], &frame));
        approximation(&mut frame.runs[0], 2, |_, _| FitRecord::default());
        assert!(keys(&frame).contains(&"elbo") && !keys(&frame).contains(&"noise"));
        assert_eq!(applying(&elbo::TAB, &frame), &elbo::TAB);
    }
}
