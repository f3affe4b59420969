//! Plots over the run that stand below each other: what each has along its horizontal axis. It is known once a plot was drawn, and those with the
//! same can have it once.

use std::ops::Range;

use egui::{Id, Ui};

use super::axis_spec::Ticks;
use super::time_axis::TimeAxis;
use crate::theme::Theme;

/// What a plot over the run has along its horizontal axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Along {
    label: &'static str,
    ticks: Ticks,
    /// The ends, as bits.
    ends: [u64; 2],
}

impl Along {
    pub(crate) fn of(axis: TimeAxis, positions: &Range<f64>) -> Self {
        let ends = [positions.start, positions.end].map(f64::to_bits);
        Self { label: axis.label(), ticks: axis.ticks(), ends }
    }
}

fn id(panel: usize) -> Id {
    Id::unique(("horizontal axis of a panel", panel))
}

/// Notes what the plot of a panel has along its axis.
pub(super) fn note(ui: &Ui, theme: &Theme, along: Along) {
    if let Some(panel) = &theme.look.panel {
        ui.data_mut(|data| data.insert_temp(id(panel.number), along));
    }
}

/// What the plot of a panel had along its axis when it was drawn before, if it was one over the run.
pub fn known(ui: &Ui, panel: usize) -> Option<Along> {
    ui.data(|data| data.get_temp(id(panel)))
}
