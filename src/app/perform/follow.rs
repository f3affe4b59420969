//! What the address of a page leads to, after a person has changed it or gone back.

use std::path::PathBuf;

use super::open::open;
use super::start_page::show_start_page;
use crate::app::files::link::in_path;
use crate::app::state::State;

/// Shows what an address leads to.
pub fn follow(state: &mut State, path: PathBuf) {
    let State { model, view, .. } = state;
    match in_path(&path) {
        None | Some("") => show_start_page(state),
        // It is there, behind the start page.
        Some(fragment) if view.window.start_page && model.origin().fragment().is_some_and(|own| own == fragment) => {
            view.window.start_page = false;
        }
        Some(_) => open(state, path),
    }
}
