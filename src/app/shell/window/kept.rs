//! What a window keeps for the next start, and when that is written.

use egui::Context;

use super::App;
use crate::app::recovery::{Course, Session, work};
use crate::app::state::State;
use crate::app::tasks::{Done, Task};
use crate::platform::Instant;

impl App {
    /// What is kept for the next start.
    pub(super) fn session(&self) -> Session {
        let State { model, view, unsaved, .. } = &self.state;
        let mut window = work::present(model, view);
        if view.window.discarding {
            window = window.discarded();
        }
        let course = Course { path: view.window.path, playlist: view.playlist.clone() };
        let (unsaved, trials) = (unsaved.clone(), view.trials.notebook.clone());
        Session { window, start_page: view.window.start_page, unsaved, course, trials }
    }

    /// Has the session written by another thread when it is time for that.
    pub(super) fn keep(&mut self, context: &Context) {
        if self.state.recovery.keeper().is_none() {
            return;
        }
        let (session, playing) = (self.session(), self.playing());
        let (work, wait) = self.state.recovery.note(session, playing, Instant::now());
        if let Some(keeper) = work {
            self.state.tasks.start(Task::Keep, move || Done::Kept(keeper.write()));
        }
        if let Some(wait) = wait {
            context.request_repaint_after(wait);
        }
    }
}
