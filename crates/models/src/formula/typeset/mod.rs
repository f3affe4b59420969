//! Typeset formulas: what was understood, as text and lines at their positions, with fractions, raised powers and roots.
//!
//! A part of a formula is a box with a baseline; larger boxes are made of smaller ones (Knuth 1986, *The TeXbook*, appendix G, of which
//! this keeps the idea and a few distances). Sums, products and lists of arguments that are too wide go on in a next line. All
//! lengths are in sizes of the text (em), y grows downwards. Nothing is drawn here: widths of text come from outside.

mod expression;
mod names;
#[cfg(test)]
mod tests;

use self::expression::Setter;
use super::{Form, Formula};

/// A piece of text, or a line.
#[derive(Clone, Debug, PartialEq)]
pub enum Mark {
    /// A text.
    Text {
        /// What it says.
        text: String,
        /// Whether it is slanted, as variables are.
        slanted: bool,
        /// Its size, in sizes of the text of the whole.
        size: f32,
        /// The left end of its baseline.
        at: [f32; 2],
    },
    /// A line through points: a bar, a root, a bracket.
    Line {
        /// The points.
        points: Vec<[f32; 2]>,
        /// Its width.
        width: f32,
    },
}

/// A formula whose marks have their positions, from (0, 0) at the upper left to `size`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Typeset {
    /// Width and height.
    pub size: [f32; 2],
    /// Everything to be drawn.
    pub marks: Vec<Mark>,
}

/// The width of a text of size 1, upright or slanted.
pub type Measure<'a> = &'a dyn Fn(&str, bool) -> f32;

impl Formula {
    /// What was understood, a line for each abbreviation and one for the value, which the formula gives in this form. Lines are
    /// at most `width` wide if they can be broken.
    #[must_use]
    pub fn typeset(&self, form: Form, width: f32, measure: Measure<'_>) -> Typeset {
        let part = Setter::new(&self.read, measure).formula(form, width);
        let marks = part.marks.into_iter().map(|mark| mark.moved([0.0, part.above])).collect();
        Typeset { size: [part.width, part.above + part.below], marks }
    }
}

/// Height of text above its baseline, and depth below it.
const TEXT: [f32; 2] = [0.76, 0.22];

/// Height of the middle of signs and of the bars of fractions above the baseline.
const AXIS: f32 = 0.3;

/// Width of bars and of brackets.
const LINE: f32 = 0.06;

/// Distance of a bar from what is above and below it.
const CLEARANCE: f32 = 0.14;

/// What a fraction is wider than its wider part.
const FRACTION_MARGINS: f32 = 0.48;

/// Distance between two lines.
const LEADING: f32 = 0.35;

/// By how much a line that goes on is shifted.
const INDENT: f32 = 1.0;

/// A box whose marks have their positions, from the left end of its baseline.
#[derive(Clone, Debug, Default)]
struct MarkBox {
    width: f32,
    /// Height above the baseline.
    above: f32,
    /// Depth below it.
    below: f32,
    marks: Vec<Mark>,
}

impl Mark {
    fn moved(mut self, [right, down]: [f32; 2]) -> Self {
        let shift = |at: &mut [f32; 2]| *at = [at[0] + right, at[1] + down];
        match &mut self {
            Self::Text { at, .. } => shift(at),
            Self::Line { points, .. } => points.iter_mut().for_each(shift),
        }
        self
    }
}

impl MarkBox {
    fn space(width: f32) -> Self {
        Self { width, ..Self::default() }
    }

    fn text(text: impl Into<String>, slanted: bool, size: f32, measure: Measure<'_>) -> Self {
        let text = text.into();
        let width = size * measure(&text, slanted);
        let [above, below] = TEXT.map(|height| size * height);
        Self { width, above, below, marks: vec![Mark::Text { text, slanted, size, at: [0.0; 2] }] }
    }

    /// Puts a part into this one, its baseline so far from the left and down.
    fn put(&mut self, part: Self, [right, down]: [f32; 2]) {
        self.width = self.width.max(right + part.width);
        self.above = self.above.max(part.above - down);
        self.below = self.below.max(part.below + down);
        self.marks.extend(part.marks.into_iter().map(|mark| mark.moved([right, down])));
    }

    fn line(&mut self, points: impl Into<Vec<[f32; 2]>>, width: f32) {
        self.marks.push(Mark::Line { points: points.into(), width });
    }

    /// Parts side by side on one baseline.
    fn row(parts: impl IntoIterator<Item = Self>) -> Self {
        let mut row = Self::default();
        for part in parts {
            let right = row.width;
            row.put(part, [right, 0.0]);
        }
        row
    }

    /// Parts below each other, with the baseline of the first; each after the first is shifted to the right.
    fn column(parts: impl IntoIterator<Item = Self>, size: f32, shift: f32) -> Self {
        let mut column: Option<Self> = None;
        for part in parts {
            column = Some(match column {
                None => part,
                Some(mut column) => {
                    let down = column.below + LEADING * size + part.above;
                    column.put(part, [shift, down]);
                    column
                }
            });
        }
        column.unwrap_or_default()
    }

    /// Parts side by side, in as many lines as are needed.
    fn wrapped(parts: Vec<Self>, size: f32, width: f32) -> Self {
        let mut lines: Vec<Vec<Self>> = vec![Vec::new()];
        let mut used = 0.0;
        for part in parts {
            let is_full = used + part.width > width && lines.last().is_some_and(|line| !line.is_empty());
            if is_full {
                lines.push(Vec::new());
                used = INDENT * size;
            }
            used += part.width;
            if let Some(line) = lines.last_mut() {
                line.push(part);
            }
        }
        Self::column(lines.into_iter().map(Self::row), size, INDENT * size)
    }

    fn fraction(above: Self, below: Self, size: f32) -> Self {
        let (margin, clear) = (0.25 * FRACTION_MARGINS * size, CLEARANCE * size);
        let width = above.width.max(below.width) + 2.0 * margin;
        let outer = width + 2.0 * margin;
        let axis = -AXIS * size;
        let mut fraction = Self::space(outer);
        fraction.line([[margin, axis], [margin + width, axis]], LINE * size);
        let (left, up) = (0.5 * (outer - above.width), axis - clear - above.below);
        fraction.put(above, [left, up]);
        let (left, down) = (0.5 * (outer - below.width), axis + clear + below.above);
        fraction.put(below, [left, down]);
        fraction.width = outer;
        fraction
    }

    /// A power: the second part raised.
    fn raised(self, power: Self, size: f32) -> Self {
        let up = (0.4 * size).max(self.above - 0.45 * size).max(self.above - power.above + 0.25 * size);
        let mut raised = self;
        let right = raised.width + 0.04 * size;
        raised.put(power, [right, -up]);
        raised
    }

    /// A name with a second part below its baseline.
    fn lowered(mut self, index: Self, size: f32) -> Self {
        let right = self.width + 0.02 * size;
        self.put(index, [right, 0.2 * size]);
        self
    }

    fn root(self, size: f32) -> Self {
        let (sign, clear) = (0.55 * size, CLEARANCE * size);
        let (top, bottom) = (-(self.above + clear), self.below);
        let mut root = Self::space(0.0);
        let right = sign + self.width + 0.08 * size;
        let half = 0.5 * (top + bottom);
        root.line(
            [
                [0.04 * size, half + 0.1 * size],
                [0.14 * size, half + 0.03 * size],
                [0.3 * size, bottom],
                [0.48 * size, top],
                [right, top],
            ],
            LINE * size,
        );
        root.put(self, [sign, 0.0]);
        root.width = right + 0.05 * size;
        root.above = root.above.max(-top + LINE * size);
        root
    }

    /// Whether brackets of the height of a text go around it.
    fn is_low(&self, size: f32) -> bool {
        self.above < 1.05 * size && self.below < 0.32 * size
    }

    /// Round brackets around it.
    fn bracketed(self, size: f32, measure: Measure<'_>) -> Self {
        if self.is_low(size) {
            return Self::row([Self::text("(", false, size, measure), self, Self::text(")", false, size, measure)]);
        }
        let (top, bottom) = (-self.above - 0.04 * size, self.below + 0.04 * size);
        let (bow, margin) = (0.22 * size, 0.08 * size);
        let inner = self.width;
        // A parabola through both ends, with as much of a bow as the size of the text has.
        let arc = |from: f32, bow: f32| -> Vec<[f32; 2]> {
            let share = |step: u8| f32::from(step) / 12.0;
            (0..=12).map(share).map(|t| [from - bow * 4.0 * t * (1.0 - t), top + (bottom - top) * t]).collect()
        };
        let mut bracketed = Self::space(0.0);
        bracketed.line(arc(margin + bow, bow), LINE * size);
        bracketed.put(self, [2.0 * margin + bow, 0.0]);
        bracketed.line(arc(3.0 * margin + bow + inner, -bow), LINE * size);
        bracketed.width = 4.0 * margin + 2.0 * bow + inner;
        bracketed.above = -top + LINE * size;
        bracketed.below = bottom + LINE * size;
        bracketed
    }

    /// Bars on both sides.
    fn between_bars(self, size: f32) -> Self {
        let margin = 0.14 * size;
        let (top, bottom) = (-self.above - 0.02 * size, self.below + 0.02 * size);
        let right = 3.0 * margin + self.width;
        let mut barred = Self::space(0.0);
        barred.line([[margin, top], [margin, bottom]], LINE * size);
        barred.put(self, [2.0 * margin, 0.0]);
        barred.line([[right, top], [right, bottom]], LINE * size);
        barred.width = right + margin;
        barred
    }
}
