//! What a figure tells beside its picture: names that were left out, and where its plots are.
//!
//! Plots note it while they are drawn, in the memory of their context; the figure takes it once they are laid out.

use std::collections::BTreeSet;

use egui::{Context, Id, Rect, Ui};

use super::axis_spec::{place_of, value_at};
use crate::theme::Theme;

/// A plot of a figure: where it is, and what it shows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spot {
    /// The number of its panel, from 0.
    pub panel: usize,
    /// The area inside of its axes, in points of the layout.
    pub area: Rect,
    /// The values at its lower left corner; of a logarithmic axis their logarithms to base 10.
    pub min: [f64; 2],
    /// Those at its upper right corner.
    pub max: [f64; 2],
    /// Which axes are logarithmic.
    pub log: [bool; 2],
    /// Which axes have labels; others have those of a panel beside or below.
    pub labelled: [bool; 2],
}

impl Spot {
    /// Where numbers of the ticks are in the layout; `None` for a number that a logarithmic axis does not have.
    #[must_use]
    pub fn position(&self, at: [f64; 2]) -> Option<egui::Pos2> {
        let share = |axis: usize| {
            let value = place_of(at[axis], self.log[axis]);
            let share = (value - self.min[axis]) / (self.max[axis] - self.min[axis]);
            share.is_finite().then_some(share as f32)
        };
        let (x, y) = (share(0)?, share(1)?);
        Some(egui::pos2(self.area.left() + x * self.area.width(), self.area.bottom() - y * self.area.height()))
    }

    /// The numbers of the ticks at a position of the layout.
    #[must_use]
    pub fn numbers(&self, at: egui::Pos2) -> [f64; 2] {
        let shares = [
            f64::from((at.x - self.area.left()) / self.area.width()),
            f64::from((self.area.bottom() - at.y) / self.area.height()),
        ];
        std::array::from_fn(|axis| {
            value_at(self.min[axis] + shares[axis] * (self.max[axis] - self.min[axis]), self.log[axis])
        })
    }
}

/// What a figure tells.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Told {
    /// What was left out, does not fit or cannot be told apart, a sentence each.
    pub warnings: Vec<String>,
    /// Its plots that have axes; of a panel with several, the first.
    pub spots: Vec<Spot>,
    /// The areas inside of the axes of plots that are in no panel, in points of the layout.
    pub plots: Vec<Rect>,
    /// The notes that the figure has placed, by their numbers from 0, and where their middles are, in the numbers of the ticks.
    pub placed: Vec<(usize, [f64; 2])>,
    /// What is seen on them that a caption explains.
    pub seen: Seen,
}

/// What is seen on the plots of a figure beside the curves and the draws.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Seen {
    /// The regions of the target that have a contour on some canvas, by their numbers.
    pub regions: BTreeSet<usize>,
    /// Whether there are crosses at modes.
    pub crosses: bool,
    /// Whether there are lines at limits of stability.
    pub limits: bool,
    /// Whether there is the strip of cycles.
    pub strip: bool,
    /// Whether there is the scale of variances.
    pub variances: bool,
    /// How many draws and chains are beyond axes, in sentences without their stop, where the canvas does not say it.
    pub beyond: Vec<String>,
}

fn id() -> Id {
    Id::unique("told by a figure")
}

/// Begins a figure, of which nothing is known yet.
pub fn begin(ui: &Ui) {
    ui.data_mut(|data| data.insert_temp(id(), Told::default()));
}

/// What was told since the figure began.
#[must_use]
pub fn taken(context: &Context) -> Told {
    context.data(|data| data.get_temp(id())).unwrap_or_default()
}

fn add(ui: &Ui, change: impl FnOnce(&mut Told)) {
    ui.data_mut(|data| change(data.get_temp_mut_or_default(id())));
}

/// Notes a warning, as that something is left out.
pub fn warn(ui: &Ui, sentence: String) {
    add(ui, |told| {
        if !told.warnings.contains(&sentence) {
            told.warnings.push(sentence);
        }
    });
}

/// Notes what is seen on a plot. On a screen nobody asks for it.
pub fn see(ui: &Ui, theme: &Theme, note: impl FnOnce(&mut Seen)) {
    if theme.labels.whole {
        add(ui, |told| note(&mut told.seen));
    }
}

/// Notes where a note of the figure has been placed.
pub fn place(ui: &Ui, note: usize, at: [f64; 2]) {
    add(ui, |told| told.placed.push((note, at)));
}

/// Notes where a plot is that is in no panel.
pub fn note_plot(ui: &Ui, area: Rect) {
    add(ui, |told| told.plots.push(area));
}

/// Notes a plot, unless its panel has one; returns whether it is the first.
pub fn note(ui: &Ui, spot: Spot) -> bool {
    let mut first = false;
    add(ui, |told| {
        first = told.spots.iter().all(|other| other.panel != spot.panel);
        told.spots.extend(first.then_some(spot));
    });
    first
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui::pos2;

    /// A position and back, on linear and logarithmic axes.
    #[test]
    fn numbers_and_positions_of_a_plot_agree() {
        let area = Rect::from_min_max(pos2(10.0, 20.0), pos2(110.0, 70.0));
        let spot = Spot { panel: 0, area, min: [0.0, -2.0], max: [4.0, 2.0], log: [false, true], labelled: [true; 2] };
        let at = spot.position([1.0, 0.1]).unwrap();
        assert!((at - pos2(35.0, 57.5)).length() < 1e-4, "{at:?}");
        let back = spot.numbers(at);
        assert!((back[0] - 1.0).abs() < 1e-6 && (back[1] - 0.1).abs() < 1e-6, "{back:?}");
        assert_eq!(spot.position([1.0, -1.0]), None);
    }
}
