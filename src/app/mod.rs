//! Window: panels, dialogs, keys, background tasks and the transport (play, pause, seek, speed) around what [`crate::draw`] draws.
//!
//! A frame of the window has four parts. First the results of tasks are taken in ([`task_results`]). Then the newest status of
//! the worker is read ([`model`]). Then keys, panels and dialogs run: they change how the window looks ([`view`]), and ask
//! for everything else with [`action::Action`]s. Last, the actions are carried out in one place ([`perform`]). Panels get
//! [`state::Ctx`]: the model is read-only there.
//!
//! Imports point down in this list, and no two files import each other:
//!
//! 1. `launch` (opens the window), `window` (one frame)
//! 2. `task_results`, `dialogs`
//! 3. `perform`, `panels`, `input` (keys, dropped files); `panels` shows `start_page`
//! 4. `state` (what may change, and what panels may touch)
//! 5. `work` (the experiment as it is kept)
//! 6. `view`, `convergence_study`, `range_study`
//! 7. `open_dialog`, `model`, `tasks`, `controls`
//! 8. `locks`, `recovery`
//! 9. `unsaved`
//! 10. `action`, `param_edit`, `prefs`, `messages`, `gallery`, `files`, `undo`, `origin`, `speeds`
//! 11. `folding`

mod action;
mod controls;
mod convergence_study;
mod dialogs;
pub mod files;
mod folding;
mod gallery;
mod input;
mod launch;
mod locks;
mod messages;
mod model;
mod open_dialog;
mod origin;
mod panels;
mod param_edit;
mod perform;
mod prefs;
#[cfg(test)]
mod random_actions;
mod range_study;
mod recovery;
mod speeds;
mod start_page;
mod state;
mod task_results;
mod tasks;
mod undo;
mod unsaved;
mod view;
mod window;
mod work;

pub use launch::{LaunchError, run};
pub use window::App;
