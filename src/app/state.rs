//! State of the window, which actions and results of tasks change, and the part of it that panels may touch.

use std::sync::Arc;

use super::controls::locks::{Knobs, Locks};
use super::experiment::model::Model;
use super::recovery::Recovery;
use super::recovery::unsaved::UnsavedWork;
use super::tasks::{Task, Tasks};
use super::thumbnails::Gallery;
use super::view::View;
use super::view::folding::{Folded, Side, WindowSize};
use super::view::prefs::{Prefs, ThemeChoice};
use draw::readout::Table;
use draw::theme::{STALE, Theme};
use draw::views::{Plots, PlotsOf, STEP, applying};
use draw::words::numbers;
use engine::scenario::METHOD;
use engine::session::Frame;

/// Everything that actions and results of tasks can change.
#[derive(Debug)]
pub struct State {
    /// The experiment.
    pub model: Model,
    /// How the window looks at present.
    pub view: View,
    /// What the window keeps from one start to the next.
    pub prefs: Prefs,
    /// The pictures of all targets.
    pub gallery: Gallery,
    /// The running tasks.
    pub tasks: Tasks,
    /// What was changed and not saved when another scenario took its place.
    pub unsaved: UnsavedWork,
    /// What keeps the session for the next start.
    pub recovery: Recovery,
}

impl State {
    /// What panels get in a frame.
    pub fn ctx<'a>(&'a mut self, theme: &'a Theme, plots: &'a mut Plots) -> Ctx<'a> {
        let Self { model, view, prefs, gallery, tasks, unsaved, recovery } = self;
        let plots = plots.of(&model.identity());
        let task = tasks.current(view.files.reading.is_opening());
        Ctx { model, view, prefs, plots, gallery, theme, unsaved, task, keeps: recovery.keeps() }
    }
}

/// What panels, dialogs and keys may touch. They read the model, change how the window looks, and ask for everything
/// else with an [`super::action::Action`]. Actions are a parameter of their own: a function without it asks for nothing. Fields without
/// words are those of [`State`].
#[derive(Debug)]
pub struct Ctx<'a> {
    pub model: &'a Model,
    pub view: &'a mut View,
    pub prefs: &'a mut Prefs,
    /// The pictures that plots keep of what the frame shows.
    pub plots: &'a mut PlotsOf,
    pub gallery: &'a mut Gallery,
    /// Colours, sizes and fonts.
    pub theme: &'a Theme,
    pub unsaved: &'a UnsavedWork,
    /// Whether what is in the window comes back at the next start.
    pub keeps: bool,
    /// The running task that the transport mentions.
    pub task: Option<Task>,
}

impl Ctx<'_> {
    /// Whether a panel is folded: as the file says, as the person has chosen, or by itself.
    #[must_use]
    pub fn folded(&self, side: Side, context: &egui::Context) -> bool {
        let window = self.window_size(context);
        self.view.window.one_side.folds(side, window).unwrap_or_else(|| self.chosen(window).is(side, window))
    }

    /// Whether the window is so small that a panel folds by itself.
    #[must_use]
    pub fn folds(&self, side: Side, context: &egui::Context) -> bool {
        self.window_size(context).folds(side)
    }

    /// Whether the window is so narrow that one panel at most is open at its sides.
    #[must_use]
    pub fn is_narrow(&self, context: &egui::Context) -> bool {
        self.window_size(context).is_narrow()
    }

    /// Whether a panel is shown.
    #[must_use]
    pub fn shows_panel(&self, side: Side, context: &egui::Context) -> bool {
        !self.view.window.start_page && self.offers_side(side) && !self.folded(side, context)
    }

    /// Folds a panel, or unfolds it. While presenting that lasts until the end; in a narrow window until the next scenario.
    pub fn toggle_folded(&mut self, side: Side, context: &egui::Context) {
        let window = self.window_size(context);
        if self.view.window.one_side.toggle(side, window) {
            return;
        }
        let chosen = match &mut self.view.window.folded {
            _ if window.present => &mut self.view.window.folded_presenting,
            Some(folded) => folded,
            None => &mut self.prefs.folded,
        };
        chosen.toggle(side, window);
    }

    /// Unfolds a panel if it is folded.
    pub fn unfold(&mut self, side: Side, context: &egui::Context) {
        if self.folded(side, context) {
            self.toggle_folded(side, context);
        }
    }

    /// Begins or ends presenting.
    pub fn toggle_present(&mut self) {
        self.prefs.present = !self.prefs.present;
        self.view.window.folded_presenting = Folded::presenting(self.model.scenario());
        self.view.forms.notes = None;
    }

    /// Whether the item of the playlist that is shown has notes.
    #[must_use]
    pub fn has_notes(&self) -> bool {
        let open = self.view.playlist.as_ref().filter(|open| open.is_shown(self.model));
        open.and_then(|open| open.item()).is_some_and(|item| !item.notes.trim().is_empty())
    }

    /// Shows the notes of the playlist, or hides them. Without notes it says so.
    pub fn toggle_notes(&mut self) {
        if !self.has_notes() {
            let text = match &self.view.playlist {
                Some(open) => {
                    format!("There are no notes to what is shown. Write them in the dialog of “{}”.", open.title())
                }
                None => "There are no notes: they are written to the items of a playlist.".to_owned(),
            };
            return self.view.messages.news(text);
        }
        self.view.forms.notes = Some(!self.shows_notes());
    }

    /// Whether the notes of the playlist are shown: as a person has chosen since presenting began or ended, else not before an audience.
    #[must_use]
    pub fn shows_notes(&self) -> bool {
        self.view.forms.notes.unwrap_or(!self.prefs.present)
    }

    /// Whether the window offers a panel: the file does not hide it.
    #[must_use]
    pub fn offers(&self, panel: &str) -> bool {
        !self.model.scenario().view.hidden.iter().any(|hidden| hidden == panel)
    }

    /// Whether the window offers anything on a side.
    #[must_use]
    pub fn offers_side(&self, side: Side) -> bool {
        match side {
            Side::Left => self.offers("target-and-runs"),
            Side::Right => self.offers("readout") || self.offers("lesson"),
            Side::Bottom => self.offers("plots"),
        }
    }

    /// Whether a step stands beside the canvases while presenting: text is large before an audience, and below the canvases it would leave
    /// them a strip.
    #[must_use]
    pub fn presents_step(&self, context: &egui::Context) -> bool {
        let wide = self.prefs.present && context.content_rect().aspect_ratio() > 1.0;
        wide && applying(self.view.plots.tab, self.model.frame()) == STEP && self.shows_panel(Side::Bottom, context)
    }

    /// Whether the plot of the open tab stands beside the canvases: one that wants to, unless a person has folded the plots.
    #[must_use]
    pub fn shows_beside(&self, context: &egui::Context) -> bool {
        let tab = applying(self.view.plots.tab, self.model.frame());
        if self.presents_step(context) {
            return true;
        }
        tab.beside && self.offers_side(Side::Bottom) && self.chosen(self.window_size(context)).bottom != Some(true)
    }

    /// The frame whose measures are shown: that before the newest step, while the end of this is not shown.
    #[must_use]
    pub fn counted(&self) -> &Arc<Frame> {
        self.view.shown.counted(self.model.frame())
    }

    /// Up to which step measures count, while the end of the newest step is not shown; `None` where there is nothing to say.
    #[must_use]
    pub fn counted_words(&self) -> Option<String> {
        let (counted, frame) = (self.counted(), self.model.frame());
        let words = if Arc::ptr_eq(counted, frame) { "step" } else { "after step" };
        (frame.step > 0 && !self.view.shown.ends_step(frame))
            .then(|| format!("{words} {}", numbers::count(counted.step)))
    }

    /// The measures that may be seen; those of hidden runs are pale.
    #[must_use]
    pub fn measures(&self) -> Table {
        let frame = self.counted();
        Table::seen(frame, self.view.shown.layers.truth).among(&self.view.shown.runs(frame.runs.len()))
    }

    /// Whether the file locks a thing that is no parameter of a run.
    #[must_use]
    pub fn locks(&self, path: &str) -> bool {
        self.model.scenario().view.locks(None, path)
    }

    /// The parameters of runs and target that are locked, and how many are not. A target that is hidden has none to be seen.
    #[must_use]
    pub fn knobs(&self) -> Knobs {
        let scenario = self.model.scenario();
        if scenario.view.locked.is_empty() {
            return Knobs { free: usize::MAX, ..Knobs::default() };
        }
        let (mut knobs, hidden) = (Knobs::default(), self.model.hidden());
        for run in &scenario.runs {
            let locks = Locks::of_run(&scenario.view, &run.name);
            let settings = self.model.settings(run);
            if locks.hold(METHOD) {
                knobs.fixed.push(format!("{}: method {}", run.name, settings.kind.label));
            } else {
                knobs.free += 1;
            }
            knobs.add(&run.name, &settings, (locks, &hidden));
        }
        if !self.view.hides_target(scenario) {
            knobs.add("target", self.model.target(), (Locks::of_target(&scenario.view), &[]));
        }
        knobs
    }

    /// Chooses the colours of the window, in place of those that the file asks for.
    pub fn choose_theme(&mut self, theme: ThemeChoice) {
        self.prefs.theme = theme;
        self.view.window.theme = None;
    }

    /// What a person has folded: while presenting, in the file, or in every file.
    fn chosen(&self, window: WindowSize) -> &Folded {
        match &self.view.window.folded {
            _ if window.present => &self.view.window.folded_presenting,
            Some(folded) => folded,
            None => &self.prefs.folded,
        }
    }

    fn window_size(&self, context: &egui::Context) -> WindowSize {
        WindowSize { size: context.content_rect().size(), present: self.prefs.present }
    }

    /// Fades the content of a panel while it shows an older run than the one that is being computed.
    pub fn fade_if_stale(&self, ui: &mut egui::Ui) {
        if self.model.stale() {
            ui.set_opacity(STALE);
        }
    }
}
