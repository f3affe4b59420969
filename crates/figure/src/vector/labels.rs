//! Texts as labels: the pieces of a row in one, and the point at which it is held, so that it stays where it belongs in letters of
//! other widths: numbers beside an upright axis at their right end, what stands below a plot or along it in its middle, all else at its left.

use egui::{Color32, Pos2, Rect, Vec2};

use super::{File, Mark, Page, Piece};

/// How far pieces of a row are apart, in sizes of the font, at most.
const GAP: f32 = 0.6;

/// How far below a plot its ticks and the name of its axis are, in sizes of the font, at most.
const BELOW: f32 = 3.1;

/// How far below a plot its ticks are, in sizes of the font, at most.
pub(crate) const TICKS: f32 = 1.7;

/// How far beside a plot its ticks are, in sizes of the font, at most.
const BESIDE: f32 = 1.5;

/// A distance after which a space was cut off at the end of a piece, in sizes of the font.
const SPACE: f32 = 0.15;

/// A distance between digits where a thin space was, in sizes of the font.
const THIN: std::ops::Range<f32> = 0.02..0.22;

/// How far letters that hang on others are above or below their line, in sizes of the letters of the line: at least and at most.
const HANGS: std::ops::Range<f32> = 0.05..0.7;

/// The size of such letters to that of the line, at most.
const SMALLER: f32 = 0.9;

/// Where letters stand in their row.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Script {
    /// On the line.
    #[default]
    Line,
    /// Raised and smaller.
    Raised,
    /// Lowered and smaller.
    Lowered,
}

/// Letters of a label with one size and one colour, whatever their font.
#[derive(Clone, Debug, PartialEq)]
pub struct Part {
    /// The letters.
    pub text: String,
    /// Where they stand.
    pub script: Script,
    /// Their size in points.
    pub size: f32,
    /// Their colour.
    pub colour: Color32,
    /// Whether they are bold.
    pub bold: bool,
}

/// A row of text.
#[derive(Clone, Debug, PartialEq)]
pub struct Label {
    /// What it says, from left to right; at least one.
    pub parts: Vec<Part>,
    /// Where its baseline begins.
    pub start: Pos2,
    /// The angle of its baseline in radians, clockwise.
    pub angle: f32,
    /// Its length along the baseline in points.
    pub width: f32,
    /// The share of its length at which it is held: 0 at the left, 1 at the right.
    pub anchor: f32,
    /// The plot that it is a tick or an axis of, by number.
    pub axis: Option<(usize, Side)>,
}

/// A side of a plot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// Below it.
    Below,
    /// At its left.
    Left,
}

impl Label {
    fn of(piece: &Piece, (width, bold): (f32, bool)) -> Self {
        let Piece { text, size, colour, start, angle, .. } = piece;
        let part = Part { text: text.clone(), script: Script::Line, size: *size, colour: *colour, bold };
        Self { parts: vec![part], start: *start, angle: *angle, width, anchor: 0.0, axis: None }
    }

    /// Adds a piece that goes on where this ends.
    fn add(&mut self, piece: &Piece, script: Script, (width, bold): (f32, bool)) {
        let ahead = (piece.start - self.start).dot(Vec2::angled(self.angle));
        let away = (ahead - self.width) / piece.size;
        let digits = |letter: Option<char>| letter.is_some_and(|letter| letter.is_ascii_digit());
        let within_number = script == Script::Line
            && digits(piece.text.chars().next())
            && self
                .parts
                .last()
                .is_some_and(|part| part.script == Script::Line && digits(part.text.chars().next_back()));
        let space = match away {
            // The space between thousands, which may be of another font than the digits.
            away if within_number && THIN.contains(&away) => "\u{202f}",
            away if away > SPACE => " ",
            _ => "",
        };
        let text = format!("{space}{}", piece.text);
        self.width = self.width.max(ahead + width);
        let alike = |last: &&mut Part| {
            last.colour == piece.colour && last.script == script && last.size.to_bits() == piece.size.to_bits()
        };
        match self.parts.last_mut().filter(alike) {
            // Letters that a bold font does not have are of one that is not.
            Some(last) => {
                last.text.push_str(&text);
                last.bold |= bold;
            }
            None => self.parts.push(Part { text, script, size: piece.size, colour: piece.colour, bold }),
        }
    }

    /// The size of its first letters in points.
    #[must_use]
    pub fn size(&self) -> f32 {
        self.parts.first().map_or(0.0, |part| part.size)
    }

    /// The colour of its first letters.
    #[must_use]
    pub fn colour(&self) -> Color32 {
        self.parts.first().map_or(Color32::BLACK, |part| part.colour)
    }

    /// A position on its baseline, at a share of its length.
    #[must_use]
    pub fn at(&self, share: f32) -> Pos2 {
        self.start + Vec2::angled(self.angle) * (share * self.width)
    }

    /// All of its letters in one line: numbers that hang on others as characters of Unicode, and an underline or a caret before the rest.
    #[must_use]
    pub fn text(&self) -> String {
        const RAISED: [&str; 2] = ["⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻ⁿⁱ", "0123456789+−ni"];
        const LOWERED: [&str; 2] = ["₀₁₂₃₄₅₆₇₈₉₊₋ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓ", "0123456789+−aehijklmnoprstuvx"];
        let one = |part: &Part| {
            let ([hanging, plain], sign) = match part.script {
                Script::Line => return part.text.clone(),
                Script::Raised => (RAISED, '^'),
                Script::Lowered => (LOWERED, '_'),
            };
            let hung = |letter: char| hanging.chars().nth(plain.chars().position(|known| known == letter)?);
            part.text.chars().map(hung).collect::<Option<String>>().unwrap_or_else(|| format!("{sign}{}", part.text))
        };
        self.parts.iter().map(one).collect()
    }

    /// The label in another language: parts of one look, each with its letters as `written` there; what hangs on them is in the same formula.
    /// `quoted` are letters of a word within a formula, and `nothing` what a script hangs on that hangs on no letter.
    #[must_use]
    pub fn with_formulas(
        &self,
        written: &dyn Fn(&str) -> String,
        quoted: &dyn Fn(&str) -> String,
        [open, close, nothing]: [&str; 3],
    ) -> Vec<Part> {
        let mut found: Vec<Part> = Vec::new();
        for (number, part) in self.parts.iter().enumerate() {
            let sign = match part.script {
                Script::Line => {
                    let text = match self.variable(number) {
                        Some((before, letter)) => format!("{}${letter}$", written(before)),
                        None => written(&part.text),
                    };
                    found.push(Part { text, ..part.clone() });
                    continue;
                }
                Script::Raised => '^',
                Script::Lowered => '_',
            };
            let letters = part.text.trim();
            let is_plain = letters.bytes().all(|byte| byte.is_ascii_digit()) || letters.len() == 1;
            let set = written(letters);
            // A formula needs no dollars within another one.
            let formula =
                set.strip_prefix('$').and_then(|rest| rest.strip_suffix('$')).filter(|inside| !inside.contains('$'));
            let inside = match formula {
                Some(formula) => formula.to_owned(),
                None if is_plain && letters.bytes().all(|byte| byte.is_ascii_alphanumeric()) => letters.to_owned(),
                None => quoted(letters),
            };
            let hung = format!("{sign}{open}{inside}{close}$");
            match found.last_mut().filter(|last| last.colour == part.colour && !part.bold) {
                Some(last) if last.text.ends_with('$') && !last.text.ends_with("\\$") => {
                    last.text.pop();
                    last.text.push_str(&hung);
                }
                Some(last) => last.text.push_str(&format!("${nothing}{hung}")),
                None => found.push(Part { text: format!("${nothing}{hung}"), size: self.size(), ..part.clone() }),
            }
        }
        found
    }
}

impl Label {
    /// The Latin letter by itself at the end of a part, and what is before it, where it is a variable: something hangs on it, or it is all that an
    /// axis is called. Others are signs anyway.
    fn variable(&self, number: usize) -> Option<(&str, char)> {
        let part = self.parts.get(number).filter(|part| !part.bold)?;
        let letter = part.text.chars().next_back().filter(char::is_ascii_alphabetic)?;
        let before = &part.text[..part.text.len() - 1];
        let is_alone = before.chars().next_back().is_none_or(|before| !before.is_alphanumeric());
        let is_hung_on = self.parts.get(number + 1).is_some_and(|next| next.script != Script::Line);
        let is_name = self.axis.is_some() && self.parts.len() == 1 && before.is_empty();
        (is_alone && (is_hung_on || is_name)).then_some((before, letter))
    }
}

/// Something drawn, with rows of text as labels.
#[derive(Debug)]
pub enum Drawn<'a> {
    /// A path or an image.
    Mark(&'a Mark),
    /// A row of text.
    Label(Label),
}

impl Page {
    /// What is drawn in painting order, each with the rectangle that cuts it off and with its number among the marks.
    #[must_use]
    pub fn drawn(&self) -> Vec<(Rect, usize, Drawn<'_>)> {
        let files = self.faces.files();
        let width = |piece: &Piece| {
            let last = piece.text.chars().next_back().map(String::from).unwrap_or_default();
            let wide = files.get(piece.face).and_then(|file| file.advances(&last).pop()).unwrap_or(0.5);
            piece.advances.last().copied().unwrap_or_default() + wide * piece.size
        };
        let mut found: Vec<(Rect, usize, Drawn<'_>)> = Vec::new();
        for (number, marked) in self.marks.iter().enumerate() {
            let Mark::Text(piece) = &marked.mark else {
                found.push((marked.clip, number, Drawn::Mark(&marked.mark)));
                continue;
            };
            let bold = files.get(piece.face).is_some_and(File::is_bold);
            let wide = (width(piece), bold);
            match found.last_mut() {
                Some((clip, _, Drawn::Label(label)))
                    if *clip == marked.clip
                        && let Some(script) = goes_on(label, piece) =>
                {
                    label.add(piece, script, wide);
                }
                _ => found.push((marked.clip, number, Drawn::Label(Label::of(piece, wide)))),
            }
        }
        for (_, _, drawn) in &mut found {
            if let Drawn::Label(label) = drawn {
                (label.anchor, label.axis) = self.held(label);
            }
        }
        found
    }

    /// Where a label is held, and the axis that it belongs to.
    fn held(&self, label: &Label) -> (f32, Option<(usize, Side)>) {
        let near = |side: Side| {
            let away = self.plots.iter().map(|plot| distance(plot.rect, label, side)).enumerate();
            let near = away.filter_map(|(number, away)| Some((number, away?)));
            near.min_by(|one, other| one.1.total_cmp(&other.1)).map(|(number, _)| (number, side))
        };
        if label.angle.abs() > 0.1 {
            return (0.5, near(Side::Left));
        }
        match (near(Side::Left), near(Side::Below)) {
            (Some(left), _) => (1.0, Some(left)),
            (None, Some(below)) => (0.5, Some(below)),
            (None, None) => (0.0, None),
        }
    }
}

/// How far a label is from a side of a plot, if it stands there.
fn distance(plot: Rect, label: &Label, side: Side) -> Option<f32> {
    let (middle, end, size) = (label.at(0.5), label.at(1.0), label.size());
    match side {
        Side::Left if label.angle.abs() > 0.1 => {
            let away = plot.left() - middle.x;
            (away > 0.0 && plot.y_range().contains(middle.y)).then_some(away)
        }
        Side::Left => {
            let away = plot.left() - end.x;
            let beside = plot.y_range().expand(size).contains(middle.y - 0.35 * size);
            (away > -0.1 * size && away < BESIDE * size && beside).then_some(away)
        }
        Side::Below => {
            let away = middle.y - plot.bottom();
            let below = plot.x_range().expand(size).contains(middle.x) && label.width < plot.width() + 2.0 * size;
            // The name of an axis stands in its middle, which tells it from what belongs to the plot below.
            let centred = (middle.x - plot.center().x).abs() < size;
            (away > 0.5 * size && away < BELOW * size && below && (away < TICKS * size || centred)).then_some(away)
        }
    }
}

/// Where a piece stands that goes on where a label ends; `None` if it does not go on there.
fn goes_on(label: &Label, piece: &Piece) -> Option<Script> {
    let along = Vec2::angled(label.angle);
    let from = piece.start - label.start;
    // Downwards for a row that is not turned.
    let (ahead, below) = (from.dot(along), along.x * from.y - along.y * from.x);
    let goes_on = (label.angle - piece.angle).abs() < 1e-3 && (ahead - label.width).abs() < GAP * piece.size;
    let size = label.size();
    // A mark above a high letter is above the line.
    let marks = piece.text.chars().all(|letter| ('\u{300}'..='\u{36f}').contains(&letter));
    let script = if marks || below.abs() < HANGS.start * piece.size {
        Script::Line
    } else if piece.size > SMALLER * size || !(HANGS.start * size..HANGS.end * size).contains(&below.abs()) {
        return None;
    } else if below > 0.0 {
        Script::Lowered
    } else {
        Script::Raised
    };
    goes_on.then_some(script)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Variables of LaTeX and Typst are formulas: letters by themselves on axes, and letters on which something hangs; words and bold names are not.
    #[test]
    fn letters_by_themselves_are_variables() {
        let set = |parts: &[(&str, Script)], axis: bool, bold: bool| {
            let part = |(text, script): &(&str, Script)| Part {
                text: (*text).to_owned(),
                script: *script,
                size: 10.0,
                colour: Color32::BLACK,
                bold,
            };
            let label = Label {
                parts: parts.iter().map(part).collect(),
                start: Pos2::ZERO,
                angle: 0.0,
                width: 10.0,
                anchor: 0.5,
                axis: axis.then_some((0, Side::Below)),
            };
            let written = label.with_formulas(&str::to_owned, &str::to_owned, ["{", "}", "{}"]);
            written.into_iter().map(|part| part.text).collect::<String>()
        };
        let line = Script::Line;
        assert_eq!(set(&[("x", line)], true, false), "$x$");
        assert_eq!(set(&[("x", line)], false, false), "x");
        assert_eq!(set(&[("A", line)], true, true), "A");
        assert_eq!(set(&[("step", line)], true, false), "step");
        assert_eq!(set(&[("of x", line), ("1", Script::Lowered)], false, false), "of $x_{1}$");
        assert_eq!(set(&[("max", line), ("1", Script::Lowered)], false, false), "max${}_{1}$");
    }
}
