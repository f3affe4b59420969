//! How entries of the table of commands are made.

use egui::Context;

use super::conditions::experiment;
use super::{Command, Deed, Group, KeySpec, Sign, Spec};
use crate::app::action::Action;
use crate::app::experiment::model::Model;
use crate::app::state::Ctx;

/// A command that can be used while an experiment is shown.
const fn command(command: Command, group: Group, name: &'static str, help: &'static str, deed: Deed) -> Spec {
    Spec { command, group, name, help, keys: &[], sign: Sign::Button, on: |_, _| false, able: experiment, deed }
}

/// A command that asks for an action.
pub(super) const fn ask(
    id: Command,
    group: Group,
    name: &'static str,
    help: &'static str,
    action: fn() -> Action,
) -> Spec {
    command(id, group, name, help, Deed::Ask(action))
}

/// A command that asks for an action that depends on the experiment.
pub(super) const fn ask_of(
    id: Command,
    group: Group,
    name: &'static str,
    help: &'static str,
    action: fn(&Model) -> Action,
) -> Spec {
    command(id, group, name, help, Deed::AskOf(action))
}

/// A command that changes how the window looks.
pub(super) const fn show(
    id: Command,
    group: Group,
    name: &'static str,
    help: &'static str,
    change: fn(&mut Ctx<'_>, &Context),
) -> Spec {
    command(id, group, name, help, Deed::Show(change))
}

impl Spec {
    pub(super) const fn keys(self, keys: &'static [KeySpec]) -> Self {
        Self { keys, ..self }
    }

    pub(super) const fn while_(self, able: fn(&Ctx<'_>) -> bool) -> Self {
        Self { able, ..self }
    }

    pub(super) const fn check(self, on: fn(&Ctx<'_>, &Context) -> bool) -> Self {
        Self { sign: Sign::Check, on, ..self }
    }

    pub(super) const fn radio(self, on: fn(&Ctx<'_>, &Context) -> bool) -> Self {
        Self { sign: Sign::Radio, on, ..self }
    }
}
