//! Sizes of figures with names: of screens, papers, slides and posters.

use super::size::{Dimensions, SCREEN, Unit};
use engine::scenario::figures::{Place, VENUES};

/// A size with a name.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Preset {
    /// Its value of `render --preset`. It never changes.
    pub key: &'static str,
    /// Its name in the window.
    pub label: &'static str,
    /// The size.
    pub size: Dimensions,
    /// What it is for.
    pub group: Group,
}

/// What presets are for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Group {
    /// Screens and web pages.
    Screens,
    /// Papers.
    Papers,
    /// Slides.
    Slides,
    /// Posters.
    Posters,
}

impl Group {
    /// All of them, in their order.
    pub const ALL: [Self; 4] = [Self::Papers, Self::Slides, Self::Posters, Self::Screens];

    /// Its name.
    #[must_use]
    pub const fn label(self) -> &'static str {
        match self {
            Self::Screens => "Screens",
            Self::Papers => "Papers",
            Self::Slides => "Slides",
            Self::Posters => "Posters",
        }
    }

    const fn of(place: Place) -> Self {
        match place {
            Place::Paper => Self::Papers,
            Place::Slide => Self::Slides,
            Place::Poster => Self::Posters,
        }
    }
}

const fn preset(
    (key, label, group): (&'static str, &'static str, Group),
    sides: [f64; 2],
    unit: Unit,
    dpi: f64,
    text: f64,
) -> Preset {
    Preset { key, label, size: Dimensions { sides, unit, dpi, text }, group }
}

impl Preset {
    /// All of them; the first is that of a new window.
    pub const ALL: [Self; 8] = [
        Self { key: "screen", label: "Screen, twice as sharp", size: SCREEN, group: Group::Screens },
        preset(("slide", "Slide 16:9", Group::Slides), [1920.0, 1080.0], Unit::Pixels, 144.0, 20.0),
        preset(
            ("column", "Paper column, 85 mm at 300 dpi", Group::Papers),
            [85.0, 64.0],
            Unit::Millimetres,
            300.0,
            8.0,
        ),
        preset(
            ("column-600", "Paper column, 85 mm at 600 dpi", Group::Papers),
            [85.0, 64.0],
            Unit::Millimetres,
            600.0,
            8.0,
        ),
        preset(
            ("page", "Paper width, 180 mm at 300 dpi", Group::Papers),
            [180.0, 110.0],
            Unit::Millimetres,
            300.0,
            8.0,
        ),
        preset(
            ("page-600", "Paper width, 180 mm at 600 dpi", Group::Papers),
            [180.0, 110.0],
            Unit::Millimetres,
            600.0,
            8.0,
        ),
        preset(("square", "Square", Group::Screens), [1200.0, 1200.0], Unit::Pixels, 144.0, 14.0),
        preset(("poster", "Poster, A1 at 150 dpi", Group::Posters), [841.0, 594.0], Unit::Millimetres, 150.0, 32.0),
    ];

    /// All of them, then those of papers and slides, at 300 pixels per inch.
    pub fn all() -> impl Iterator<Item = Self> {
        Self::for_rows(1)
    }

    /// All of them for figures with so many rows of panels.
    pub fn for_rows(rows: usize) -> impl Iterator<Item = Self> {
        Self::ALL.into_iter().chain(VENUES.iter().map(move |venue| Self {
            key: venue.choice.name,
            label: venue.choice.label,
            size: Dimensions::of_venue(venue, rows),
            group: Group::of(venue.place),
        }))
    }

    /// The preset of a key.
    #[must_use]
    pub fn of(key: &str) -> Option<Self> {
        Self::all().find(|preset| preset.key == key)
    }
}
