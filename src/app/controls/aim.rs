//! The parameter whose control is to have the focus.

use std::cell::Cell;
use std::time::Duration;

use egui::{FocusDirection, Rect, Ui};

use crate::platform::Instant;

/// How long a parameter is brought into sight: while panels and folded parts open.
const PATIENCE: Duration = Duration::from_millis(600);

/// The parameter whose control is to have the focus.
#[derive(Debug)]
pub struct Aim {
    path: String,
    /// Whether its row was shown.
    shown: Cell<bool>,
    /// Whether its control has had the focus.
    focused: Cell<bool>,
    until: Instant,
}

impl Aim {
    /// The parameter at a dotted path.
    #[must_use]
    pub fn at(path: String) -> Self {
        let until = Instant::now() + PATIENCE;
        Self { path, shown: Cell::new(false), focused: Cell::new(false), until }
    }

    /// Whether nothing is left to do.
    #[must_use]
    pub fn over(&self) -> bool {
        self.until < Instant::now()
    }

    /// Whether its row is not among those shown so far.
    pub(super) fn is_hidden(&self) -> bool {
        !self.shown.get()
    }
}

/// Shows the controls of the parameter at a path. The first of them gets the focus if it is the one aimed at.
pub fn aimed<R>(ui: &mut Ui, aim: Option<&Aim>, path: &str, controls: impl FnOnce(&mut Ui) -> R) -> R {
    let Some(aim) = aim.filter(|aim| aim.path == path) else { return controls(ui) };
    aim.shown.set(true);
    ui.scroll_to_rect(Rect::from_min_size(ui.cursor().min, ui.spacing().interact_size), None);
    if aim.focused.get() {
        return controls(ui);
    }
    // As if nothing had the focus and Tab was pressed: the next control takes it.
    ui.memory_mut(|memory| {
        if let Some(other) = memory.focused() {
            memory.surrender_focus(other);
        }
        memory.move_focus(FocusDirection::Next);
    });
    let result = controls(ui);
    aim.focused.set(ui.memory(|memory| memory.focused().is_some()));
    ui.memory_mut(|memory| memory.move_focus(FocusDirection::None));
    result
}
