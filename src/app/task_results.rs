//! What tasks have done, taken in: the other half of [`super::actions`].

use std::path::PathBuf;

use super::App;
use super::actions::{in_words, with_extension};
use super::dialogs::Dialog;
use super::files::SaveError;
use super::study::TASK;
use super::tasks::Done;

/// A dialog that ends without a path sooner than this was never there: no person is that quick, in seconds.
const NO_DIALOG: f64 = 0.7;

impl App {
    /// Takes in what tasks have done.
    pub(super) fn finish(&mut self, done: Done) {
        match done {
            Done::Thumbnail(thumbnail) => self.gallery.add(thumbnail),
            Done::Opened { path, scenario: Ok(scenario) } => {
                self.view.messages.news(format!("Opened {}", path.display()));
                let is_scenario = path.extension().is_none_or(|extension| !extension.eq_ignore_ascii_case("png"));
                self.load(*scenario, is_scenario.then_some(path));
            }
            Done::Opened { scenario: Err(problem), .. } => self.view.messages.problem(problem),
            Done::Saved { path, scenario, result } => {
                let written = result.map(|()| {
                    self.model.mark_saved(scenario, path.clone());
                    format!("Saved {}", path.display())
                });
                self.written(written);
            }
            Done::Exported { path, result } => {
                let written =
                    result.map(|[width, height]| format!("Exported {width} × {height} pixels to {}", path.display()));
                self.written(written);
            }
            Done::Picked { ticket, path, after } => self.picked(ticket, path, after.as_secs_f64()),
            Done::Restarted(Ok(worker)) => {
                self.model.replace_worker(worker);
                self.view.refusals_told = 0;
            }
            Done::Restarted(Err(errors)) => self.view.messages.problem(in_words(&errors)),
            Done::Repeated { ticket, repeat } => {
                if let Err(problem) = self.view.study.take(ticket, repeat) {
                    self.view.messages.problem(problem);
                }
            }
            Done::Failed { what, reason } => {
                if what == TASK {
                    self.view.study.fail();
                }
                self.view.messages.problem(format!("Something went wrong while {what}: {reason}"));
            }
        }
    }

    /// A file was written, or not: an open path dialog closes, or asks whether to replace.
    fn written(&mut self, written: Result<String, SaveError>) {
        match (written, &mut self.view.dialog) {
            (Ok(news), dialog) => {
                if matches!(dialog, Some(Dialog::Path(_))) {
                    *dialog = None;
                }
                self.view.messages.news(news);
            }
            (Err(SaveError::Exists(_)), Some(Dialog::Path(dialog))) => dialog.exists = true,
            (Err(error), Some(Dialog::Path(dialog))) => dialog.problem = Some(error.to_string()),
            (Err(error), _) => self.view.messages.problem(error.to_string()),
        }
    }

    fn picked(&mut self, ticket: u64, path: Option<PathBuf>, after: f64) {
        let Some(Dialog::Path(dialog)) = &mut self.view.dialog else { return };
        if dialog.ticket != ticket {
            return;
        }
        match path {
            // The system's own dialog has asked whether to replace.
            Some(path) => {
                let purpose = dialog.purpose;
                self.chosen(purpose, with_extension(purpose, path), true);
            }
            None if after < NO_DIALOG => dialog.no_service = true,
            None => self.view.dialog = None,
        }
    }
}
