//! Window: panels, dialogs, keys, background tasks and the transport (play, pause, seek, speed) around what [`draw`] draws.
//!
//! A frame of the window has four parts. First the results of tasks are taken in ([`task_results`]). Then the newest status of
//! the worker is read ([`model`]). Then keys, panels and dialogs run: they change how the window looks ([`view`]), and ask
//! for everything else with [`action::Action`]s. Last, the actions are carried out in one place ([`perform`]). Panels get
//! [`state::Ctx`]: the model is read-only there.
//!
//! Imports point down in this list, and no two files import each other:
//!
//! 1. `launch` (opens the window), `page` (the same in a browser), `window` (one frame)
//! 2. `task_results`, `dialogs`
//! 3. `perform`, `panels`, `input` (keys, dropped files), `palette`; `panels` shows `start_page`
//! 4. `commands` (what has a name, with its keys)
//! 5. `state` (what may change, and what panels may touch)
//! 6. `work` (the experiment as it is kept)
//! 7. `view`, `challenge_study`, `convergence_study`, `range_study`, `reference_study`, `sweep_study`
//! 8. `open_dialog`, `model`, `tasks`, `controls`, `saving`
//! 9. `locks`, `recovery`
//! 10. `unsaved`, `place` (the address of a page)
//! 11. `action`, `param_edit`, `prefs`, `messages`, `gallery`, `files`, `link`, `qr`, `undo`, `origin`, `speeds`
//! 12. `folding`, `glossary`, `search`, `focus_ring`, `slices` (long work piece by piece)

mod action;
mod awaited;
mod challenge_study;
mod commands;
mod controls;
mod convergence_study;
mod dialogs;
mod drawing;
mod draws;
mod figures;
pub mod files;
mod focus_ring;
mod folding;
mod gallery;
mod glossary;
mod input;
#[cfg(not(target_arch = "wasm32"))]
mod launch;
pub mod link;
mod locks;
mod messages;
mod model;
mod open_dialog;
mod origin;
#[cfg(target_arch = "wasm32")]
pub mod page;
mod painter;
mod palette;
mod panels;
mod param_edit;
mod perform;
mod place;
mod prefs;
mod preview;
pub mod qr;
#[cfg(test)]
mod random_actions;
mod range_study;
mod reading;
mod recovery;
mod reference_study;
mod saving;
mod search;
mod slices;
mod speeds;
mod start_page;
mod state;
mod sweep_news;
mod sweep_study;
mod task_results;
mod tasks;
mod typed;
mod undo;
mod unsaved;
mod view;
mod window;
mod work;

pub use awaited::Awaited;
#[cfg(not(target_arch = "wasm32"))]
pub use launch::{LaunchError, has_display, run};
pub use window::{App, Named};
