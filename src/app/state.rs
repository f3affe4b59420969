//! State of the window, which actions and results of tasks change, and the part of it that panels may touch.

use super::folding::{Folded, Room, Side};
use super::gallery::Gallery;
use super::model::Model;
use super::prefs::Prefs;
use super::tasks::{Task, Tasks};
use super::view::View;
use crate::draw::tabs::Plots;
use crate::draw::theme::{STALE, Theme};

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
}

impl State {
    /// What panels get in a frame.
    pub fn ctx<'a>(&'a mut self, theme: &'a Theme, plots: &'a mut Plots) -> Ctx<'a> {
        let Self { model, view, prefs, gallery, tasks } = self;
        Ctx { model, view, prefs, plots, gallery, theme, task: tasks.current() }
    }
}

/// What panels, dialogs and keys may touch. They read the model, change how the window looks, and ask for everything
/// else with an [`super::action::Action`]. Actions are a parameter of their own: a function without it asks for nothing.
#[derive(Debug)]
pub struct Ctx<'a> {
    /// The experiment.
    pub model: &'a Model,
    /// How the window looks at present.
    pub view: &'a mut View,
    /// What the window keeps from one start to the next.
    pub prefs: &'a mut Prefs,
    /// The pictures that plots cache.
    pub plots: &'a mut Plots,
    /// The pictures of all targets.
    pub gallery: &'a mut Gallery,
    /// Colours, sizes and fonts.
    pub theme: &'a Theme,
    /// The running task that the transport mentions.
    pub task: Option<Task>,
}

impl Ctx<'_> {
    /// Whether a panel is folded.
    #[must_use]
    pub fn folded(&self, side: Side, context: &egui::Context) -> bool {
        let room = self.room(context);
        let chosen = if room.present { &self.view.folded_presenting } else { &self.prefs.folded };
        chosen.is(side, room)
    }

    /// Folds a panel, or unfolds it. While presenting that lasts until the end.
    pub fn toggle_folded(&mut self, side: Side, context: &egui::Context) {
        let room = self.room(context);
        let chosen = if room.present { &mut self.view.folded_presenting } else { &mut self.prefs.folded };
        chosen.toggle(side, room);
    }

    /// Begins or ends presenting.
    pub fn toggle_present(&mut self) {
        self.prefs.present = !self.prefs.present;
        self.view.folded_presenting = Folded::default();
    }

    fn room(&self, context: &egui::Context) -> Room {
        Room { size: context.content_rect().size(), present: self.prefs.present }
    }

    /// Fades the content of a panel while it shows an older run than the one that is being computed.
    pub fn fade_if_stale(&self, ui: &mut egui::Ui) {
        if self.model.stale() {
            ui.set_opacity(STALE);
        }
    }
}
