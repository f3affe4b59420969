//! Columns of the readout: how wide they are, and the rectangle of each value.

use egui::{Align, Layout, Rect, Ui, UiBuilder, pos2, vec2};

use crate::theme::{STALE, Theme};

/// Where a table is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Medium {
    /// In a window.
    Screen,
    /// In a figure, at which nobody points.
    Paper,
}

/// Widths of the columns, in sizes of their text: labels, and values with their floors, at least and at most.
const LABELS: f32 = 11.8;
const WIDE_LABELS: f32 = 17.0;
const VALUES: f32 = 7.7;
const WIDE_VALUES: f32 = 14.0;

/// Width in which every value has space with its floor, in sizes of the text.
pub(super) const SURE_VALUES: f32 = 11.0;

/// Gap between two columns, in sizes of their text.
const GAP: f32 = 0.4;

/// Width of values without their floors.
const BARE_VALUES: f32 = 5.0;

/// Smallest width of a column of labels, as a share of the usual one.
const NARROW_LABELS: f32 = 0.75;

/// Where floors are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Floors {
    /// Beside their values.
    Beside,
    /// Below their values, in small type.
    Below,
}

/// Arrangement of the table in a width. Nothing in it depends on the values, so that nothing moves when they change.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Columns {
    pub(super) floors: Floors,
    /// Width of the labels in points; `None` where they are above the values, in a panel too narrow for columns.
    pub(super) labels: Option<f32>,
    /// Width of a value in points, with the gap behind it.
    pub(super) values: f32,
    /// Size of the text in points.
    pub(super) text: f32,
    /// Values in a line.
    pub(super) in_line: usize,
}

impl Columns {
    /// The arrangement for this number of runs within this width. On paper every floor has space.
    #[must_use]
    #[expect(clippy::cast_sign_loss, reason = "a few runs")]
    pub fn fitting(width: f32, theme: &Theme, runs: usize, medium: Medium) -> Self {
        let (labels, size, count) = (LABELS * theme.text.body, theme.text.body, runs.max(1) as f32);
        let marker = size + theme.space(1.0);
        let beside = if medium == Medium::Paper { SURE_VALUES } else { VALUES };
        if width >= labels + beside * size * count {
            let values = ((width - labels) / count).min(WIDE_VALUES * size);
            let labels = (width - values * count).min(WIDE_LABELS * size);
            return Self { floors: Floors::Beside, labels: Some(labels), values, text: size, in_line: runs };
        }
        if width >= NARROW_LABELS * labels + BARE_VALUES * size * count {
            let labels = (width - BARE_VALUES * size * count).min(labels);
            let values = (width - labels) / count;
            return Self { floors: Floors::Below, labels: Some(labels), values, text: size, in_line: runs };
        }
        let in_line = (width / (beside * size + marker)).floor().clamp(1.0, count);
        let values = width / in_line;
        Self { floors: Floors::Beside, labels: None, values, text: size, in_line: in_line as usize }
    }

    /// The gap between two columns.
    pub(super) fn gap(self) -> f32 {
        GAP * self.text
    }

    /// Lines of values below each label, or one beside it.
    pub(super) fn lines(self, runs: usize) -> usize {
        if self.labels.is_some() { 1 } else { runs.div_ceil(self.in_line) + 1 }
    }
}

/// Height of a line of the table, in points.
pub(super) fn line_height(ui: &Ui) -> f32 {
    ui.spacing().interact_size.y
}

/// The rectangle of value number `index` beside the label.
pub(super) fn cell(row: Rect, columns: Columns, labels: f32, index: usize) -> Rect {
    let left = row.left() + labels + columns.values * index as f32;
    Rect::from_min_size(pos2(left, row.top()), vec2(columns.values - columns.gap(), row.height()))
}

/// Shows something in a cell, from its left end on.
pub(super) fn within<R>(ui: &mut Ui, rect: Rect, contents: impl FnOnce(&mut Ui) -> R) -> R {
    let layout = Layout::left_to_right(Align::Center);
    let builder = UiBuilder::new().max_rect(rect).layout(layout);
    ui.scope_builder(builder, |ui| {
        ui.spacing_mut().item_spacing.x = ui.spacing().icon_spacing * 0.7;
        contents(ui)
    })
    .inner
}

/// Makes what follows pale, of a run that the window does not show.
pub(super) fn fade(ui: &mut Ui, pale: bool) {
    if pale {
        ui.set_opacity(STALE);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_fit_into_their_width() {
        let theme = Theme::default();
        for width in [150.0, 184.0, 216.0, 300.0, 500.0, 900.0_f32] {
            for (runs, medium) in (1..=4).flat_map(|runs| [(runs, Medium::Screen), (runs, Medium::Paper)]) {
                let columns = Columns::fitting(width, &theme, runs, medium);
                // Floors have space beside values, or a line of their own.
                let sure = columns.values >= SURE_VALUES * columns.text || columns.labels.is_none();
                assert!(medium == Medium::Screen || columns.floors == Floors::Below || sure, "{columns:?} in {width}");
                let beside = columns.labels.map_or(0.0, |labels| labels);
                assert!(beside + columns.values * columns.in_line as f32 <= width + 0.01, "{columns:?} in {width}");
                assert!(columns.in_line >= 1 && columns.in_line <= runs);
                assert!(columns.values >= BARE_VALUES * theme.text.body);
            }
        }
        assert_eq!(Columns::fitting(900.0, &theme, 4, Medium::Screen).floors, Floors::Beside);
        // What is left of a wide area goes to the values, until each has space with its floor.
        let values = |width| Columns::fitting(width, &theme, 3, Medium::Screen).values / theme.text.body;
        let [wide, wider] = [900.0, 2000.0].map(values);
        assert!(wide > SURE_VALUES && wide <= wider && wider <= WIDE_VALUES, "{wide}, {wider}");
        assert_eq!(Columns::fitting(184.0, &theme, 4, Medium::Screen).labels, None);
    }
}
