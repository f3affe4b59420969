//! Size of a figure: sides in pixels, millimetres or inches, pixels per inch, and the size of its text.

use std::fmt::{Display, Formatter};
use std::ops::RangeInclusive;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::words::numbers;
use base::params::{Settings, Value};
use engine::scenario::figures::{MOST_IN_LINE, Place, VENUES, Venue, given, row_count, venue};
use figure::{FigureError, FigureSize};

use thiserror::Error;

/// Millimetres in an inch.
const MILLIMETRES: f64 = 25.4;

/// Millimetres that rounding may take or add.
const ROUNDING: f64 = 0.051;

/// Points of printers in an inch: the unit of the size of text.
const POINTS: f64 = 72.0;

/// Size of the text of plots in the layout (see `Theme::text`).
const BODY: f64 = 14.0;

/// The height of a figure of which only the width is known, as a share of that.
const SHAPE: f64 = 0.75;

/// Allowed sides of the layout, in sizes of its text: below, text has no space; above, it cannot be read.
pub const SIDES: RangeInclusive<f64> = 10.0..=600.0;

/// Allowed pixels per inch.
pub const RESOLUTIONS: RangeInclusive<f64> = 36.0..=1200.0;

/// Allowed sizes of text, in points of 1/72 inch.
pub const TEXTS: RangeInclusive<f64> = 4.0..=72.0;

/// Unit of the sides of a figure.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Eq, Serialize)]
pub enum Unit {
    /// Pixels.
    #[default]
    Pixels,
    /// Millimetres.
    Millimetres,
    /// Inches.
    Inches,
}

impl Unit {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Pixels, Self::Millimetres, Self::Inches];

    /// Its abbreviation.
    #[must_use]
    pub const fn symbol(self) -> &'static str {
        match self {
            Self::Pixels => "px",
            Self::Millimetres => "mm",
            Self::Inches => "in",
        }
    }

    /// How many of it are an inch.
    fn per_inch(self, dpi: f64) -> f64 {
        match self {
            Self::Pixels => dpi,
            Self::Millimetres => MILLIMETRES,
            Self::Inches => 1.0,
        }
    }
}

/// Size of a figure.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Serialize)]
pub struct Dimensions {
    /// Width and height.
    pub sides: [f64; 2],
    /// Their unit.
    pub unit: Unit,
    /// Pixels per inch.
    pub dpi: f64,
    /// Size of the text of plots, in points of 1/72 inch. Titles are larger and ticks smaller, in the same proportion as on the screen.
    pub text: f64,
}

/// The size of a new window's figures.
pub(super) const SCREEN: Dimensions =
    Dimensions { sides: [3200.0, 2000.0], unit: Unit::Pixels, dpi: 192.0, text: 10.5 };

impl Default for Dimensions {
    fn default() -> Self {
        SCREEN
    }
}

impl Dimensions {
    /// A figure laid out like a window of so many points, with `scale` pixels for each.
    #[must_use]
    pub fn of_points(sides: [f64; 2], scale: f64) -> Self {
        let dpi = f64::from(figure::POINTS_PER_INCH) * scale;
        let text = BODY * POINTS / f64::from(figure::POINTS_PER_INCH);
        Self { sides: sides.map(|side| (side * scale).round()), unit: Unit::Pixels, dpi, text }
    }

    /// The size of a venue for so many rows of panels, at 300 pixels per inch.
    #[must_use]
    pub fn of_venue(venue: &Venue, rows: usize) -> Self {
        let sides = [venue.sides[0], venue.height(rows)];
        Self { sides, unit: Unit::Millimetres, dpi: 300.0, text: venue.text }
    }

    /// The venue whose size for so many rows of panels this is, if there is one.
    #[must_use]
    pub fn venue(&self, rows: usize) -> Option<&'static Venue> {
        let sides = self.inches().map(|inches| inches * MILLIMETRES);
        let is = |venue: &&Venue| {
            let Self { sides: own, text, .. } = Self::of_venue(venue, rows);
            own.iter().zip(sides).all(|(own, side)| (own - side).abs() < ROUNDING) && (text - self.text).abs() < 1e-9
        };
        VENUES.iter().find(is)
    }

    /// The venue whose size this is with some number of rows.
    #[must_use]
    pub fn any_venue(&self) -> Option<&'static Venue> {
        (1..=MOST_IN_LINE).find_map(|rows| self.venue(rows))
    }

    /// Which sides the place of the figure gives: the width of the text or of the slide, whatever its rows, and the height of a slide.
    #[must_use]
    pub fn fixed(&self) -> [bool; 2] {
        let sides = self.inches().map(|inches| inches * MILLIMETRES);
        let same = |own: f64, side: f64| (own - side).abs() < ROUNDING;
        let is_as_wide = |venue: &&Venue| same(venue.sides[0], sides[0]);
        let is_slide = |venue: &Venue| venue.place == Place::Slide && same(venue.sides[1], sides[1]);
        let mut places = VENUES.iter().filter(is_as_wide).peekable();
        [places.peek().is_some(), places.any(is_slide)]
    }

    /// The size of the same venue for another number of rows of panels; any other size as it is.
    #[must_use]
    pub fn with_rows(self, before: usize, after: usize) -> Self {
        let Some(venue) = self.venue(before).filter(|_| before != after) else { return self };
        let size = Self { dpi: self.dpi, ..Self::of_venue(venue, after) };
        if self.unit == size.unit { size } else { size.in_unit(self.unit) }
    }

    /// The size that the `[figure]` of a scenario has with so many rows of panels, if it has one.
    #[must_use]
    pub fn of_figure(figure: &Settings, rows: usize) -> Option<Self> {
        let own = figure.optional_number("width");
        let mut size = match (given(figure, "size").and_then(venue), own) {
            (Some(venue), _) => Self::of_venue(venue, rows),
            (None, Some(width)) => {
                Self { sides: [width, SHAPE * width], unit: Unit::Millimetres, dpi: 300.0, text: 8.0 }
            }
            (None, None) => return None,
        };
        let given = [own, figure.optional_number("height")];
        size.sides.iter_mut().zip(given).for_each(|(side, own)| *side = own.unwrap_or(*side));
        size.text = figure.optional_number("text").unwrap_or(size.text);
        Some(size)
    }

    /// Writes the size into the `[figure]` of a scenario: as the place that has it, or as what differs from the place there.
    pub fn put_into(self, figure: &mut Settings) {
        // Millimetres are as they were typed.
        let size = if self.unit == Unit::Millimetres { self } else { self.in_unit(Unit::Millimetres) };
        let rows = row_count(Some(figure));
        ["width", "height", "text"].into_iter().for_each(|key| figure.clear(key));
        if let Some(venue) = size.venue(rows) {
            figure.set("size", Value::Choice(venue.choice.name)).ok();
            return;
        }
        let usual = Self::of_figure(figure, rows);
        for (side, key) in ["width", "height"].into_iter().enumerate() {
            if usual.is_none_or(|usual| (usual.sides[side] - size.sides[side]).abs() > 1e-9) {
                figure.set(key, Value::Number(size.sides[side])).ok();
            }
        }
        if usual.is_none_or(|usual| (usual.text - size.text).abs() > 1e-9) {
            figure.set("text", Value::Number(size.text)).ok();
        }
    }

    /// Width and height in pixels.
    #[must_use]
    #[expect(clippy::cast_sign_loss, reason = "the cast saturates at both ends")]
    pub fn pixels(&self) -> [u32; 2] {
        self.inches().map(|inches| (inches * self.dpi).round() as u32)
    }

    /// Pixels per point of the layout.
    #[must_use]
    pub fn scale(&self) -> f64 {
        self.text / POINTS * self.dpi / BODY
    }

    fn inches(&self) -> [f64; 2] {
        self.sides.map(|side| side / self.unit.per_inch(self.dpi))
    }

    /// Width and height in sizes of text.
    #[must_use]
    pub fn in_text(&self) -> [f64; 2] {
        self.inches().map(|inches| inches * POINTS / self.text)
    }

    /// The same size in inches, however many pixels an inch has.
    #[must_use]
    pub fn in_inches(self) -> Self {
        Self { sides: self.inches(), unit: Unit::Inches, ..self }
    }

    /// The same size in another unit, rounded as people write it.
    #[must_use]
    pub fn in_unit(self, unit: Unit) -> Self {
        let scale = if unit == Unit::Inches { 1000.0 } else { 10.0 };
        let rounded = |side: f64| if unit == Unit::Pixels { side.round() } else { (side * scale).round() / scale };
        Self { sides: self.inches().map(|inches| rounded(inches * unit.per_inch(self.dpi))), unit, ..self }
    }

    /// The same size with as many pixels per inch as are possible where there would be too many: figures of lines and text need none.
    #[must_use]
    pub fn with_possible_pixels(self) -> Self {
        /// Fifths of the pixels that go, at most.
        const STEPS: usize = 12;
        let in_inches = |dpi: f64| Self { dpi: dpi.max(*RESOLUTIONS.start()), ..self.in_inches() };
        let possible = |size: &Self| !matches!(size.figure(), Err(SizeError::Pixels(_)));
        if self.unit == Unit::Pixels || possible(&self) {
            return self;
        }
        let fewer = std::iter::successors(Some(0.8 * self.dpi), |dpi| Some(0.8 * dpi)).take(STEPS);
        let dpi = fewer.map(in_inches).find(possible).map_or(self.dpi, |size| size.dpi.floor());
        Self { dpi, ..self }
    }

    /// The size of a figure that moves: on paper, with no more pixels than a slide shows, as each of its pictures has them all.
    #[must_use]
    pub fn moving(self) -> Self {
        let longer = self.pixels().into_iter().max().map_or(0.0, f64::from);
        if self.unit == Unit::Pixels || longer <= MOVING {
            return self;
        }
        let dpi = (self.dpi * MOVING / longer).floor().max(*RESOLUTIONS.start());
        Self { dpi, ..self.in_inches() }
    }

    /// What is to be said of letters that are small on their page, if they are.
    #[must_use]
    pub fn small_letters(&self) -> Option<String> {
        /// Sizes of text along the longer side of a page of paper from which on its letters are small (chosen by eye: A4 with 8 points has 105).
        const MANY: f64 = 200.0;
        let longer = self.in_text().into_iter().fold(0.0, f64::max);
        (self.unit != Unit::Pixels && longer > MANY).then(|| {
            let large = numbers::exact((self.text * longer / (0.5 * MANY)).round());
            let text = numbers::exact(self.text);
            format!("Letters of {text} pt are small on a page of {self}: there is space for {large} pt")
        })
    }

    /// The size for the drawing.
    ///
    /// # Errors
    /// If a side, the resolution or the size of the text is out of range.
    pub fn figure(&self) -> Result<FigureSize, SizeError> {
        if !RESOLUTIONS.contains(&self.dpi) {
            return Err(SizeError::Resolution(self.dpi));
        }
        if !TEXTS.contains(&self.text) {
            return Err(SizeError::Text(self.text));
        }
        let lines = self.in_text();
        if let Some(wrong) = (0..2).find(|side| !SIDES.contains(&lines[*side])) {
            let unit = self.text / POINTS * self.unit.per_inch(self.dpi);
            let allowed = [SIDES.start(), SIDES.end()].map(|lines| lines * unit);
            return Err(SizeError::Side { side: self.sides[wrong], unit: self.unit, text: self.text, allowed });
        }
        Ok(FigureSize::of_pixels(self.pixels(), self.scale() as f32, self.dpi as f32)?)
    }
}

impl Display for Dimensions {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        let [width, height] = self.sides.map(numbers::exact);
        write!(f, "{width} × {height} {}", self.unit.symbol())
    }
}

/// Why a figure cannot have a size.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum SizeError {
    /// A side is too short or too long.
    #[error(
        "a side cannot be {} {unit}; allowed: {} to {} {unit} where text has {} pt",
        numbers::exact(*.side), numbers::exact(.allowed[0].ceil()), numbers::exact(.allowed[1].floor()),
        numbers::exact(*.text), unit = .unit.symbol()
    )]
    Side {
        /// The side.
        side: f64,
        /// Its unit.
        unit: Unit,
        /// The size of the text in points.
        text: f64,
        /// The shortest and the longest.
        allowed: [f64; 2],
    },
    /// The resolution is too low or too high.
    #[error(
        "the resolution cannot be {} dpi; allowed: {} to {} dpi",
        numbers::exact(*.0), RESOLUTIONS.start(), RESOLUTIONS.end()
    )]
    Resolution(f64),
    /// Text is too small or too large.
    #[error("text cannot have {} pt; allowed: {} to {} pt", numbers::exact(*.0), TEXTS.start(), TEXTS.end())]
    Text(f64),
    /// There are too many pixels.
    #[error("{0}; on paper, fewer dpi are fewer pixels")]
    Pixels(#[from] FigureError),
}

/// Pixels along the longer side of a figure that moves, at most, where its size is one of paper.
const MOVING: f64 = 1280.0;

/// Two sides, written `85x60`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sides(pub [f64; 2]);

impl FromStr for Sides {
    type Err = SidesError;

    fn from_str(text: &str) -> Result<Self, SidesError> {
        let (width, height) = text.split_once(['x', '×']).ok_or(SidesError)?;
        let side = |side: &str| side.trim().parse().ok().filter(|side: &f64| side.is_finite() && *side > 0.0);
        Ok(Self([side(width).ok_or(SidesError)?, side(height).ok_or(SidesError)?]))
    }
}

/// A text is no two sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("write it as WIDTHxHEIGHT, two numbers above 0")]
pub struct SidesError;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sheet::Preset;

    #[test]
    fn every_preset_is_possible_and_has_a_key_of_its_own() {
        let keys: std::collections::BTreeSet<&str> = Preset::all().map(|preset| preset.key).collect();
        assert_eq!(keys.len(), Preset::all().count());
        for preset in Preset::all() {
            preset.size.figure().unwrap();
            assert_eq!(Preset::of(preset.key), Some(preset));
        }
    }

    /// What is written into a figure is read from it: the places by their names, all else by width, height and text.
    #[test]
    fn a_size_is_the_same_after_it_was_written_into_a_figure() {
        let own = Dimensions { sides: [85.0, 80.0], unit: Unit::Millimetres, dpi: 300.0, text: 7.5 };
        for before in [None, Some("icml"), Some("beamer")] {
            let mut figure = Settings::defaults(&engine::scenario::figures::FIGURE);
            if let Some(place) = before {
                figure.set("size", Value::Choice(place)).unwrap();
            }
            for size in Preset::for_rows(2).map(|preset| preset.size).chain([own]) {
                size.put_into(&mut figure);
                let [read, size] =
                    [Dimensions::of_figure(&figure, 2).unwrap(), size].map(|size| size.in_unit(Unit::Millimetres));
                assert!(read.sides.iter().zip(size.sides).all(|(a, b)| (a - b).abs() < 0.011), "{read} {size}");
                assert!((read.text - size.text).abs() < 1e-9, "{read:?} {size:?}");
            }
        }
        let mut figure = Settings::defaults(&engine::scenario::figures::FIGURE);
        Preset::of("icml").unwrap().size.with_rows(1, 2).put_into(&mut figure);
        assert_eq!((figure.word("size"), figure.optional_number("width")), ("icml", None));
        own.put_into(&mut figure);
        assert_eq!((figure.word("size"), figure.optional_number("width")), ("icml", Some(85.0)));
    }

    #[test]
    fn paper_of_85_by_64_mm_at_300_dpi_has_1004_by_756_pixels() {
        let column = Preset::of("column").unwrap().size;
        let figure = column.figure().unwrap();
        assert_eq!(figure.pixels(), [1004, 756]);
        // Text of 8 points is 33.3 pixels high, and 14 points of the layout.
        assert!((figure.scale() - 300.0 * 8.0 / 72.0 / 14.0).abs() < 1e-6);
        let fine = Preset::of("column-600").unwrap().size.figure().unwrap();
        let points = |figure: FigureSize| figure.pixels().map(|side| side as f32 / figure.scale());
        for (coarse, fine) in points(figure).into_iter().zip(points(fine)) {
            assert!((coarse - fine).abs() < 0.5, "the same layout at any resolution: {coarse} and {fine}");
        }
    }

    #[test]
    fn points_of_a_window_have_their_scale_and_96_of_them_are_an_inch() {
        for scale in [0.5, 1.0, 2.0, 4.0] {
            let size = Dimensions::of_points([1600.0, 1000.0], scale);
            assert!((size.scale() - scale).abs() < 1e-12);
            assert_eq!(size.to_string(), Dimensions { sides: size.pixels().map(f64::from), ..size }.to_string());
            assert!((f64::from(size.pixels()[0]) / scale - 1600.0).abs() < 1e-9);
        }
        assert_eq!(Dimensions::of_points([1600.0, 1000.0], 2.0), Dimensions::default());
    }

    /// A venue is known whatever its unit and its resolution, and keeps both with other rows.
    #[test]
    fn venues_are_known_by_their_size() {
        let size = Dimensions { dpi: 600.0, ..Preset::of("icml").unwrap().size };
        let two = size.with_rows(1, 2);
        assert_eq!((two.to_string().as_str(), two.text), ("82.55 × 81.6 mm", 8.0));
        assert!((two.dpi - 600.0).abs() < 1e-9 && two.venue(2).is_some() && two.venue(1).is_none());
        assert_eq!(two.any_venue().map(|venue| venue.choice.name), Some("icml"));
        let pixels = size.in_unit(Unit::Pixels).with_rows(1, 2);
        assert_eq!((pixels.unit, pixels.venue(2).map(|venue| venue.choice.name)), (Unit::Pixels, Some("icml")));
        let column = Preset::of("column").unwrap().size;
        assert_eq!((column.with_rows(1, 2), column.any_venue()), (column, None));
    }

    #[test]
    fn pages_of_lines_have_no_most_pixels_and_small_letters_are_told() {
        let size = Dimensions { sides: [841.0, 1189.0], unit: Unit::Millimetres, dpi: 300.0, text: 8.0 };
        assert!(size.figure().is_err());
        let possible = size.with_possible_pixels();
        possible.figure().unwrap();
        assert!(possible.to_string() == size.to_string() && possible.dpi < 300.0);
        let told = size.small_letters().unwrap();
        assert_eq!(told, "Letters of 8 pt are small on a page of 841 × 1189 mm: there is space for 34 pt");
        assert!(Preset::all().all(|preset| preset.size.small_letters().is_none()));
    }

    #[test]
    fn figures_that_move_have_no_more_pixels_than_a_slide() {
        let page = Preset::of("page").unwrap().size;
        let moving = page.moving();
        assert!((1270..=1280).contains(&moving.pixels()[0]) && moving.dpi < 181.0, "{moving:?}");
        assert!((moving.in_text()[0] - page.in_text()[0]).abs() < 1e-9, "the same layout");
        let column = Preset::of("column").unwrap().size;
        assert_eq!((column.moving(), Dimensions::default().moving()), (column, Dimensions::default()));
    }

    #[test]
    fn units_are_converted() {
        let column = Preset::of("column").unwrap().size;
        let inches = column.in_unit(Unit::Inches);
        assert_eq!(inches.to_string(), "3.346 × 2.52 in");
        assert_eq!(column.in_unit(Unit::Pixels).to_string(), "1004 × 756 px");
        assert_eq!(inches.in_unit(Unit::Millimetres).to_string(), column.to_string());
    }

    #[test]
    fn what_is_out_of_range_is_told_in_the_unit_of_the_sides() {
        let column = Preset::of("column").unwrap().size;
        let told = |size: Dimensions| size.figure().unwrap_err().to_string();
        let side = told(Dimensions { sides: [85.0, 5.0], ..column });
        assert_eq!(side, "a side cannot be 5 mm; allowed: 29 to 1693 mm where text has 8 pt");
        assert_eq!(told(Dimensions { dpi: 5.0, ..column }), "the resolution cannot be 5 dpi; allowed: 36 to 1200 dpi");
        assert_eq!(told(Dimensions { text: f64::NAN, ..column }), "text cannot have – pt; allowed: 4 to 72 pt");
        assert!(told(Dimensions { sides: [1000.0, 1000.0], ..column }).contains("pixels"));
    }

    #[test]
    fn sides_are_two_numbers() {
        assert_eq!("85x60.5".parse(), Ok(Sides([85.0, 60.5])));
        for wrong in ["85", "85x", "x60", "85x-1", "0x60", "nanx60", "infx60", ""] {
            assert!(wrong.parse::<Sides>().is_err(), "{wrong}");
        }
    }
}
