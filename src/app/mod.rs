//! Window: panels, dialogs, keys, tasks and transport around what [`crate::draw`] draws.
//!
//! A frame of the window has four parts. First the results of tasks are taken in ([`task_results`]). Then the newest status of
//! the worker is read ([`model`]). Then keys, panels and dialogs run: they change how the window looks ([`view`]), and ask
//! for everything else with [`action::Action`]s. Last, the actions are carried out in one place ([`perform`]). Panels get
//! [`state::Ctx`]: the model is read-only there.
//!
//! Imports point down in this list; no two files import each other:
//!
//! 1. `launch` (opens the system's window), `window` (one frame)
//! 2. `panels`, `dialogs`, `input` (keys, dropped files); beside them `perform` and `task_results`
//! 3. `state` (what may be changed, and by whom)
//! 4. `view`, `prefs`, `model`, `gallery`, `convergence_study`, `controls`
//! 5. `action`, `open_dialog`, `messages`, `tasks`, `undo`
//! 6. `param_edit`, `files`

pub mod action;
pub mod controls;
mod convergence_study;
mod dialogs;
pub mod files;
mod gallery;
mod input;
mod launch;
mod messages;
mod model;
mod open_dialog;
mod panels;
pub mod param_edit;
mod perform;
mod prefs;
mod state;
mod task_results;
mod tasks;
mod undo;
mod view;
mod window;

pub use launch::{LaunchError, run};
pub use window::App;
