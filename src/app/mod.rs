//! Window: panels, dialogs, keys, background tasks and the transport (play, pause, seek, speed) around what [`draw`] draws.
//!
//! A frame of the window has four parts. First the results of tasks are taken in ([`shell::task_results`]). Then the newest status of
//! the worker is read ([`experiment::model`]). Then keys, panels and dialogs run: they change how the window looks ([`view`]), and ask
//! for everything else with [`action::Action`]s. Last, the actions are carried out in one place ([`perform`]). Panels get
//! [`state::Ctx`]: the model is read-only there.
//!
//! No two files import each other. The folders, about from the top down:
//!
//! | folder | contents |
//! |---|---|
//! | `shell` | the window and its frames, how it is opened, keys, what becomes of the results of tasks |
//! | `panels`, `dialogs` | what is drawn: it reads the model, changes the view and pushes actions |
//! | `commands` | everything that has a name: the table of commands with their keys, the palette, the search |
//! | `perform` | where actions are carried out |
//! | `state` | what actions and results of tasks may change, and what panels may touch |
//! | `view` | how the window looks: what is shown, folded, painted, told and preferred |
//! | `studies` | what is computed or asked beside the runs |
//! | `trials` | the notebook of what was tried: rows as data, columns, CSV and Markdown |
//! | `recovery` | work that is kept: from one start to the next, and when another scenario takes its place |
//! | `documents` | the report and the worksheet: blocks of text, written as HTML, Markdown and pages of PDF |
//! | `files` | what enters and leaves the window: scenarios, figures, draws, links |
//! | `thumbnails` | pictures of targets and lessons |
//! | `controls` | sliders, choices and lists of parameters, and what a file locks |
//! | `tasks` | work in threads of its own, slice by slice |
//! | `experiment` | the model: worker, scenario, undo, origin |
//! | `action` | what a person asks for, as data |

mod action;
mod commands;
mod controls;
mod dialogs;
pub mod documents;
mod experiment;
pub mod files;
mod panels;
mod perform;
mod recovery;
mod shell;
mod state;
mod studies;
mod tasks;
mod thumbnails;
mod trials;
mod view;

pub use shell::awaited::Awaited;
#[cfg(not(target_arch = "wasm32"))]
pub use shell::launch::{LaunchError, has_display, run};
#[cfg(target_arch = "wasm32")]
pub use shell::page;
pub use shell::window::{App, Named};
