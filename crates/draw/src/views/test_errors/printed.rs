//! The table of errors in a figure, where nothing scrolls: a row for each run and number of chains, a column for each measure.
//! It takes the largest text with which everything has space, in parts beside each other if it is long. What has no space even in
//! small text is named.

use std::ops::Range;
use std::sync::Arc;

use egui::{FontId, Galley, Rect, Sense, Ui, vec2};

use super::values::{of, value};
use crate::kit::run_marker;
use crate::theme::{Theme, strong_family};
use crate::words::numbers;
use engine::diagnostics::MeasureSpec;
use engine::session::RunFrame;

/// Largest width of a name, and least width of a measure, in sizes of the text.
const NAME: f32 = 9.0;
const MEASURE: f32 = 3.0;

/// Gaps between columns, between parts, above a row and above a run, in sizes of the text.
const COLUMNS: f32 = 0.9;
const PARTS: f32 = 2.5;
const ROWS: f32 = 0.1;
const RUNS: f32 = 0.35;

/// Gap between a mean and the spread beside it, in sizes of the text.
const BESIDE: f32 = 0.35;

/// What "±" means.
const NOTE: &str = "±: standard deviation over pools of as many chains";

/// What a run scores with a number of chains.
struct Row<'a> {
    /// The run, and whether this is its first row.
    run: (usize, &'a str, bool),
    /// The number of chains, in words.
    pool: String,
    /// For each measure the mean and, below it, its spread.
    cells: Vec<[String; 2]>,
}

/// The rows of some runs.
fn rows<'a>(runs: &[(usize, &'a RunFrame)], specs: &[&MeasureSpec]) -> Vec<Row<'a>> {
    let mut rows = Vec::new();
    for (index, run) in runs {
        let some = |errors: &&_| specs.iter().any(|spec| of(errors, spec).is_some());
        for (number, errors) in run.analysis.predicted.errors.iter().filter(some).enumerate() {
            let pool = match errors.chains {
                _ if run.fits.is_some() => "fit".to_owned(),
                1 => "1 chain".to_owned(),
                chains => format!("{} chains", numbers::count(chains as u64)),
            };
            let cell = |spec: &&MeasureSpec| match of(errors, spec) {
                Some(error) => [value(error.mean), error.sd.map_or_else(String::new, |sd| format!("± {}", value(sd)))],
                None => ["–".to_owned(), String::new()],
            };
            let cells = specs.iter().map(cell).collect();
            rows.push(Row { run: (*index, &run.plan.name, number == 0), pool, cells });
        }
    }
    rows
}

/// How the table is laid out.
#[derive(Clone, Copy, Debug)]
struct Form {
    /// Size of the text.
    size: f32,
    /// Whether spreads stand beside the means, not below them.
    inline: bool,
    /// The width of the area, if the heads may use all of it.
    spare: Option<f32>,
}

impl Form {
    /// The forms in an area of some width, the best first.
    fn all(theme: &Theme, width: f32) -> impl Iterator<Item = Self> {
        let [body, small] = [theme.text.body, theme.text.small];
        let of = move |size: f32| {
            let form = |(inline, spare): (bool, bool)| Self { size, inline, spare: spare.then_some(width) };
            [(true, true), (false, true), (false, false)].map(form)
        };
        [body, 0.5 * (body + small), small].into_iter().flat_map(of)
    }
}

/// The name, the number of chains, and the values with their spreads.
type LaidRow = (Arc<Galley>, Arc<Galley>, Vec<[Arc<Galley>; 2]>);

/// The table in text of one size.
struct Laid {
    size: f32,
    inline: bool,
    heads: Vec<Arc<Galley>>,
    rows: Vec<LaidRow>,
    /// Heights of the rows, with the space above them.
    heights: Vec<f32>,
    /// Widths of names, numbers of chains and measures.
    widths: Vec<f32>,
    /// Of the width of each measure, that of the spreads beside the means.
    spreads: Vec<f32>,
}

impl Laid {
    fn new(ui: &Ui, theme: &Theme, (rows, specs): (&[Row<'_>], &[&MeasureSpec]), form: Form) -> Self {
        let Form { size, inline, spare } = form;
        let wrapped =
            |text: &str, font: FontId, colour, width| ui.painter().layout(text.to_owned(), font, colour, width);
        let of = |text: &str, font: FontId, colour| wrapped(text, font, colour, f32::INFINITY);
        let (plain, strong) = (FontId::proportional(size), FontId::new(size, strong_family()));
        let small = FontId::proportional(size * theme.text.small / theme.text.body);
        let laid: Vec<_> = rows
            .iter()
            .map(|row| {
                let cell = |[mean, spread]: &[String; 2]| {
                    [of(mean, plain.clone(), theme.ink), of(spread, small.clone(), theme.soft)]
                };
                let name = wrapped(row.run.1, plain.clone(), theme.ink, NAME * size);
                (name, of(&row.pool, small.clone(), theme.soft), row.cells.iter().map(cell).collect::<Vec<_>>())
            })
            .collect();
        let widest = |widths: &mut dyn Iterator<Item = f32>| widths.fold(0.0, f32::max);
        let marker = 1.4 * size;
        let mut widths = vec![
            marker + widest(&mut laid.iter().map(|(name, ..)| name.size().x)),
            widest(&mut laid.iter().map(|(_, pool, _)| pool.size().x)),
        ];
        // Rounding must not break a word.
        let length = |text: &str| of(text, strong.clone(), theme.ink).size().x.ceil() + 1.0;
        let mut spreads = Vec::new();
        for (number, spec) in specs.iter().enumerate() {
            let cells = || laid.iter().map(|(.., cells)| &cells[number]);
            let words = widest(&mut spec.label.split_whitespace().map(length));
            let mean = widest(&mut cells().map(|[mean, _]| mean.size().x));
            let spread = widest(&mut cells().map(|[_, spread]| spread.size().x));
            let beside = if inline && spread > 0.0 { spread + BESIDE * size } else { 0.0 };
            let values = if inline { mean + beside } else { mean.max(spread) };
            spreads.push(beside);
            widths.push(values.max(words).max(MEASURE * size));
        }
        let missing: Vec<f32> =
            specs.iter().zip(&widths[2..]).map(|(spec, width)| (length(spec.label) - width).max(0.0)).collect();
        let all: f32 = missing.iter().sum();
        let used = total(&widths, size);
        let share = spare.map_or(0.0, |spare| ((spare - used) / all.max(1.0)).clamp(0.0, 1.0));
        widths[2..].iter_mut().zip(missing).for_each(|(width, missing)| *width += share * missing);
        let head = |(spec, width): (&&MeasureSpec, &f32)| wrapped(spec.label, strong.clone(), theme.ink, *width);
        let heads = specs.iter().zip(&widths[2..]).map(head).collect();
        let height = |(row, (name, pool, cells)): (&Row<'_>, &LaidRow)| {
            let tall = |[mean, spread]: &[Arc<Galley>; 2]| {
                mean.size().y + if inline || spread.text().is_empty() { 0.0 } else { spread.size().y }
            };
            let (name, above) = if row.run.2 { (name.size().y, RUNS) } else { (0.0, ROWS) };
            widest(&mut cells.iter().map(tall).chain([name, pool.size().y])) + above * size
        };
        let heights = rows.iter().zip(&laid).map(height).collect();
        Self { size, inline, heads, rows: laid, heights, widths, spreads }
    }

    /// Width of the table, and height of its heads.
    fn width(&self) -> f32 {
        total(&self.widths, self.size)
    }

    fn head(&self) -> f32 {
        self.heads.iter().map(|head| head.size().y).fold(0.0, f32::max)
    }

    /// The numbers of parts that have space beside each other.
    #[expect(clippy::cast_sign_loss, reason = "a few parts")]
    fn beside(&self, width: f32) -> usize {
        let gap = PARTS * self.size;
        ((width + gap) / (self.width() + gap)).floor().max(0.0) as usize
    }

    /// Paints some rows below their heads.
    fn paint(&self, ui: &Ui, theme: &Theme, (rows, range): (&[Row<'_>], Range<usize>), area: Rect) {
        let (gap, painter) = (COLUMNS * self.size, ui.painter());
        let mut left = area.left() + self.widths[0] + gap;
        let pools = left;
        let rights: Vec<f32> = self.widths[1..]
            .iter()
            .map(|width| {
                left += width + gap;
                left - gap
            })
            .collect();
        let right = |galley: &Arc<Galley>, edge: f32, y: f32| {
            painter.galley(egui::pos2(edge - galley.size().x, y), galley.clone(), theme.ink);
        };
        let mut y = area.top() + self.head();
        for (head, edge) in self.heads.iter().zip(&rights[1..]) {
            right_lines(ui, head, (*edge, y - head.size().y), theme);
        }
        let first = range.start;
        for number in range {
            let (row, (name, pool, cells)) = (&rows[number], &self.rows[number]);
            let top = y + self.size * if row.run.2 { RUNS } else { ROWS };
            // At the head of a part the name of the run comes again.
            if row.run.2 || number == first {
                let middle = top + 0.5 * pool.size().y.max(1.1 * self.size);
                let at = egui::pos2(area.left() + 0.5 * self.size, middle);
                run_marker::paint(painter, at, 0.45 * self.size, theme.run(row.run.0));
                painter.galley(egui::pos2(area.left() + 1.4 * self.size, top), name.clone(), theme.ink);
            }
            let values = cells.first().map_or(0.0, |[mean, _]| mean.size().y);
            painter.galley(egui::pos2(pools, top + 0.5 * (values - pool.size().y).max(0.0)), pool.clone(), theme.soft);
            for (([mean, spread], edge), beside) in cells.iter().zip(&rights[1..]).zip(&self.spreads) {
                right(mean, edge - beside, top);
                let below = if self.inline { 0.5 * (mean.size().y - spread.size().y) } else { mean.size().y };
                right(spread, *edge, top + below);
            }
            y += self.heights[number];
        }
    }
}

/// Width of columns with the gaps between them.
fn total(widths: &[f32], size: f32) -> f32 {
    widths.iter().sum::<f32>() + COLUMNS * size * (widths.len() - 1) as f32
}

/// Paints the lines of a head, each up to the right edge of its column.
fn right_lines(ui: &Ui, head: &Arc<Galley>, (right, top): (f32, f32), theme: &Theme) {
    for line in &head.rows {
        let text = line.text();
        let font = head.job.sections[0].format.font_id.clone();
        let galley = ui.painter().layout_no_wrap(text.trim_end().to_owned(), font, theme.ink);
        let at = egui::pos2(right - galley.size().x, top + line.min_y());
        ui.painter().galley(at, galley, theme.ink);
    }
}

/// The rows of each part, all of which fit below each other into a height.
fn parts(heights: &[f32], available: f32) -> Vec<Range<usize>> {
    let mut parts: Vec<Range<usize>> = Vec::new();
    let mut used = 0.0;
    for (number, height) in heights.iter().enumerate() {
        match parts.last_mut() {
            Some(part) if used + height <= available => part.end = number + 1,
            _ => {
                parts.push(number..number + 1);
                used = 0.0;
            }
        }
        used += height;
    }
    parts
}

/// Draws the table into the available space.
pub(super) fn show(ui: &mut Ui, theme: &Theme, runs: &[(usize, &RunFrame)], specs: &[&MeasureSpec]) {
    let (area, _) = ui.allocate_exact_size(ui.available_size(), Sense::hover());
    let line = 1.3 * theme.text.small;
    let all = rows(runs, specs);
    let noted = all.iter().flat_map(|row| &row.cells).any(|[_, spread]| !spread.is_empty());
    let below = if noted { line + 0.5 * theme.text.small } else { 0.0 };
    let height = |laid: &Laid, below: f32| area.height() - laid.head() - below;
    let laid = |form| Laid::new(ui, theme, (&all, specs), form);
    let fits = |laid: &Laid| {
        let parts = parts(&laid.heights, height(laid, below));
        parts.iter().all(|part| laid.heights[part.clone()].iter().sum::<f32>() <= height(laid, below))
            && parts.len() <= laid.beside(area.width())
    };
    let small = theme.text.small;
    let least = Form { size: small, inline: false, spare: Some(area.width()) };
    let mut notes: Vec<String> = noted.then(|| NOTE.to_owned()).into_iter().collect();
    let (rows, laid, parts) = if let Some(laid) = Form::all(theme, area.width()).map(laid).find(&fits) {
        let parts = parts(&laid.heights, height(&laid, below));
        (all, laid, parts)
    } else {
        // As many measures as have space, and as many rows.
        let fitting = (1..=specs.len()).rev().find(|count| {
            Laid::new(ui, theme, (&rows(runs, &specs[..*count]), &specs[..*count]), least).beside(area.width()) > 0
        });
        let (shown, others) = specs.split_at(fitting.unwrap_or(1));
        let rows = rows(runs, shown);
        let laid = Laid::new(ui, theme, (&rows, shown), least);
        let lines = below + if noted { line } else { line + 0.5 * small };
        let mut parts = parts(&laid.heights, height(&laid, lines));
        parts.truncate(laid.beside(area.width()).max(1));
        let missing = rows.len() - parts.last().map_or(0, |part| part.end);
        let more = [
            (!others.is_empty()).then(|| others.iter().map(|spec| spec.label).collect::<Vec<_>>().join(", ")),
            (missing > 0).then(|| format!("{} more rows", numbers::count(missing as u64))),
        ];
        let more: Vec<String> = more.into_iter().flatten().collect();
        if !more.is_empty() {
            notes.push(format!("no room for {}", more.join(" and for ")));
        }
        (rows, laid, parts)
    };
    let gap = PARTS * laid.size;
    let mut left = area.left();
    let mut bottom = area.top();
    for part in parts {
        let own: f32 = laid.heights[part.clone()].iter().sum();
        bottom = bottom.max(area.top() + laid.head() + own);
        laid.paint(ui, theme, (&rows, part), area.with_min_x(left));
        left += laid.width() + gap;
    }
    let mut at = egui::pos2(area.left(), bottom + 0.5 * theme.text.small);
    for note in notes {
        let galley = ui.painter().layout_no_wrap(note, theme.small(), theme.soft);
        ui.painter().galley(at, galley, theme.soft);
        at += vec2(0.0, line);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_that_have_no_space_begin_a_new_part() {
        assert_eq!(parts(&[2.0, 1.0, 1.0, 2.0, 1.0], 4.0), [0..3, 3..5]);
        assert_eq!(parts(&[2.0, 1.0], 3.0).last(), Some(&(0..2)));
        assert_eq!(parts(&[5.0, 5.0], 3.0), [0..1, 1..2]);
        assert!(parts(&[], 3.0).is_empty());
    }
}
