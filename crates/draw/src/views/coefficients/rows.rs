//! Rows of coefficients: a name, the reference as a band, and every run with its mean and intervals.

use egui::{Align2, Color32, Painter, Pos2, Rect, Shape, Stroke, pos2, vec2};

use super::geometry::{Interval, Rows, seen};
use crate::kit::run_marker;
use crate::theme::Theme;

/// Opacities of the interval with 90 % of a reference, and of that with 50 % (chosen by eye).
const OUTER: f32 = 0.13;
const INNER: f32 = 0.2;

/// Width of the line over the interval with 50 %, in widths of a curve.
const THICK: f32 = 2.4;

/// Radius of a marker, in units of the theme, and as a share of the distance of lanes at most.
const RADIUS: f32 = 1.35;
const OF_LANE: f32 = 0.55;

/// Radius of the ring of an estimate by data alone, in units of the theme.
const RING: f32 = 1.0;

/// Length and half the width of the head of an arrow at an end of the axis, in units of the theme.
const HEAD: [f32; 2] = [1.6, 0.9];

/// Where rows are drawn.
pub(super) struct Canvas<'a> {
    /// Painter of everything.
    pub(super) painter: &'a Painter,
    /// Colours and strokes.
    pub(super) theme: &'a Theme,
    /// The rows, the first with its top at that of `list`.
    pub(super) rows: Rows,
    /// Names and axis.
    pub(super) list: Rect,
    /// Ends of the axis on the screen.
    pub(super) ends: [f32; 2],
    /// Ends of the axis.
    pub(super) axis: [f64; 2],
}

/// The colour of the band of a reference in a legend.
pub(super) fn band(theme: &Theme) -> Color32 {
    theme.exact.gamma_multiply(OUTER + INNER)
}

impl Canvas<'_> {
    fn x(&self, at: f64) -> f32 {
        let share = (at - self.axis[0]) / (self.axis[1] - self.axis[0]);
        self.ends[0] + share as f32 * (self.ends[1] - self.ends[0])
    }

    /// The name of a row, cut where it is too long, and the line below it.
    pub(super) fn name(&self, row: usize, name: &str, lines: bool) {
        let Self { theme, rows, list, .. } = self;
        let middle = list.top() + rows.middle(row);
        let font = if rows.height < theme.text.body * 1.3 { theme.small() } else { theme.body() };
        let width = self.ends[0] - list.left() - theme.space(2.0);
        let mut job = egui::text::LayoutJob::simple_singleline(name.to_owned(), font, theme.ink);
        job.wrap = egui::text::TextWrapping::truncate_at_width(width.max(1.0));
        let galley = self.painter.layout_job(job);
        let rect = Align2::RIGHT_CENTER.anchor_size(pos2(self.ends[0] - theme.space(2.0), middle), galley.size());
        self.painter.galley(rect.min, galley, theme.ink);
        if lines && row + 1 < rows.count {
            let y = list.top() + rows.height * (row as f32 + 1.0);
            self.painter.hline(list.left()..=self.ends[1], y, Stroke::new(1.0, theme.grid));
        }
    }

    /// Numbers behind the end of the axis.
    pub(super) fn beside(&self, row: usize, numbers: &str) {
        let at = pos2(self.list.right(), self.list.top() + self.rows.middle(row));
        self.painter.text(at, Align2::RIGHT_CENTER, numbers, self.theme.small(), self.theme.ink);
    }

    /// The band of a reference, with a line at its mean.
    pub(super) fn reference(&self, row: usize, interval: &Interval) {
        let Self { theme, rows, .. } = self;
        let middle = self.list.top() + rows.middle(row);
        let half = (rows.half() + theme.space(0.75)).min(0.46 * rows.height);
        let (top, bottom) = (middle - half, middle + half);
        for (ends, opacity) in [(interval.outer, OUTER), (interval.inner, INNER)] {
            if let Some((ends, cut)) = seen(ends, self.axis) {
                let [left, right] = ends.map(|end| self.x(end));
                let rect = Rect::from_min_max(pos2(left, top), pos2(right, bottom));
                self.painter.rect_filled(rect, 0.0, theme.exact.gamma_multiply(opacity));
                for (end, cut) in [left, right].into_iter().zip(cut) {
                    if !cut {
                        self.painter.vline(end, top..=bottom, Stroke::new(theme.thin(), theme.edge));
                    }
                }
            }
        }
        if let Some(([at, _], _)) = seen([interval.middle; 2], self.axis) {
            self.painter.vline(self.x(at), top..=bottom, Stroke::new(theme.line(), theme.exact));
        }
    }

    /// The mean of a run in its lane, over its intervals. What is beyond an end of the axis is an arrow there.
    pub(super) fn run(&self, (row, lane): (usize, usize), interval: &Interval, run: usize) {
        let Self { theme, rows, painter, .. } = self;
        let y = self.list.top() + rows.lane(row, lane);
        let style = theme.run(run);
        for (ends, width) in [(interval.outer, theme.line()), (interval.inner, THICK * theme.line())] {
            let width = width.min(0.6 * rows.apart);
            if let Some((ends, cut)) = seen(ends, self.axis) {
                let [left, right] = ends.map(|end| self.x(end));
                painter.hline(left..=right, y, Stroke::new(width, style.colour));
                for (end, sign) in [(cut[0].then_some(left), -1.0), (cut[1].then_some(right), 1.0)] {
                    end.into_iter().for_each(|end| self.head(pos2(end, y), sign, style.colour));
                }
            }
        }
        let radius = theme.space(RADIUS).min(OF_LANE * rows.apart);
        if interval.middle < self.axis[0] || interval.middle > self.axis[1] {
            let (end, sign) = if interval.middle < self.axis[0] { (self.ends[0], -1.0) } else { (self.ends[1], 1.0) };
            return self.head(pos2(end, y), sign, style.colour);
        }
        if interval.middle.is_finite() {
            let at = pos2(self.x(interval.middle), y);
            painter.circle_filled(at, radius + theme.space(0.3), theme.paper);
            run_marker::paint(painter, at, radius, style);
        }
    }

    /// What the data of a group say by themselves, in the lane below those of the runs, with a line to the mean to which the other groups pull it.
    pub(super) fn data(&self, row: usize, interval: &Interval, mean: Option<(f32, f64)>) {
        let Self { theme, rows, painter, axis, .. } = self;
        let y = self.list.top() + rows.lane(row, rows.lanes.saturating_sub(1));
        let stroke = Stroke::new(theme.thin(), theme.soft);
        if let Some((ends, _)) = seen(interval.outer, *axis) {
            let [left, right] = ends.map(|end| self.x(end));
            painter.hline(left..=right, y, stroke);
        }
        if seen([interval.middle; 2], *axis).is_none() {
            return;
        }
        let at = pos2(self.x(interval.middle), y);
        if let Some((height, mean)) = mean.filter(|(_, mean)| seen([*mean; 2], *axis).is_some()) {
            painter.line_segment([at, pos2(self.x(mean), self.list.top() + height)], stroke);
        }
        painter.circle(at, theme.space(RING).min(OF_LANE * rows.apart), theme.paper, stroke);
    }

    /// The head of an arrow with its tip at an end of the axis.
    fn head(&self, tip: Pos2, sign: f32, colour: Color32) {
        let [length, half] = HEAD.map(|units| self.theme.space(units).min(self.rows.apart));
        let back = tip - vec2(sign * length, 0.0);
        let corners = vec![tip, back + vec2(0.0, half), back - vec2(0.0, half)];
        self.painter.add(Shape::convex_polygon(corners, colour, Stroke::NONE));
    }
}
