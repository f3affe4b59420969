//! Parameters by name: their labels and paths, and the one whose control is to have the focus.

use std::cell::Cell;
use std::time::Duration;

use egui::{FocusDirection, Rect, Ui};

use super::Level;
use crate::app::locks::Locks;
use crate::platform::Instant;
use base::params::{ParamSpec, Settings, Value};
use samplers::schedules::{self, ALPHA};

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

/// All parameters as the controls show them: label, path and entry of the table.
#[must_use]
pub fn parameters(settings: &Settings, hidden: &[&str]) -> Vec<(String, String, &'static ParamSpec)> {
    let mut found = Vec::new();
    collect(
        settings,
        Level { prefix: "", symbol: ALPHA, hidden, locks: Locks::NONE, aim: None, columns: &[], browsed: None },
        &mut found,
    );
    found
}

fn collect(settings: &Settings, level: Level<'_>, found: &mut Vec<(String, String, &'static ParamSpec)>) {
    for spec in settings.kind.params {
        let path = level.path(spec);
        if level.hides(settings, spec, &path) {
            continue;
        }
        let label = schedules::label(settings, spec).replace(ALPHA, level.symbol);
        match (spec.ty, settings.get(spec.key)) {
            (base::params::ParamType::Group(kinds), Some(Value::Group(group))) => {
                if kinds.len() > 1 {
                    found.push((label, path.clone(), spec));
                }
                collect(group, Level { prefix: &path, symbol: schedules::symbol(spec), ..level }, found);
            }
            _ => found.push((label, path, spec)),
        }
    }
}
