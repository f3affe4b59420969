//! Sizes of figures in papers and on slides: the widths of text of venues with the size and the family of their text.
//!
//! Widths are those of the authors' kits: two columns of ICML and AISTATS have 3.25 in with 6.75 in together; the text of NeurIPS and ICLR
//! has 5.5 in, of JMLR 6 in, of TMLR 6.5 in; IEEE has columns of 3.5 in and pages of 7.16 in; Springer's journals 84 and 174 mm; manuscripts
//! for JASA have letter paper with margins of an inch. Heights of figures with one row of panels are widths by the golden ratio, or less over
//! two columns. Only slides have a height of their own: elsewhere each further row makes a figure higher.

use base::params::Choice;

/// A family of letters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Typeface {
    /// Inter, that of the window.
    #[default]
    Inter,
    /// TeX Gyre Termes, in the shape of Times.
    Serif,
    /// TeX Gyre Heros, in the shape of Helvetica.
    Sans,
}

impl Typeface {
    /// The family with a word of a file.
    #[must_use]
    pub fn of(word: &str) -> Self {
        match word {
            "serif" => Self::Serif,
            "sans" => Self::Sans,
            _ => Self::Inter,
        }
    }
}

/// What a figure stands in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// A column or a page of a paper, which has any height.
    Paper,
    /// A slide.
    Slide,
    /// A column of a poster, which has any height.
    Poster,
}

/// A size of figures.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Venue {
    /// Its word in files, its name in the window, and where the figure stands.
    pub choice: Choice,
    /// Width in millimetres, and the height with one row of panels.
    pub sides: [f64; 2],
    /// What the figure stands in.
    pub place: Place,
    /// Size of text in points of 1/72 inch.
    pub text: f64,
    /// The family of its text.
    pub typeface: Typeface,
}

impl Venue {
    /// The height of a figure with so many rows of panels, in millimetres.
    #[must_use]
    pub fn height(&self, rows: usize) -> f64 {
        /// What each further row adds, as a share of the height with one.
        const ROW: f64 = 0.6;
        let further = if self.place == Place::Slide { 0 } else { rows.clamp(1, super::MOST_IN_LINE) - 1 };
        let height = self.sides[1] * (1.0 + ROW * further as f64);
        if further == 0 { height } else { (10.0 * height).round() / 10.0 }
    }
}

const fn of(
    name: &'static str,
    label: &'static str,
    help: &'static str,
    sides: [f64; 2],
    (text, typeface): (f64, Typeface),
) -> Venue {
    Venue { choice: Choice { name, label, help }, sides, place: Place::Paper, text, typeface }
}

const fn in_place(place: Place, venue: Venue) -> Venue {
    Venue { place, ..venue }
}

const TIMES_8: (f64, Typeface) = (8.0, Typeface::Serif);
const TIMES_9: (f64, Typeface) = (9.0, Typeface::Serif);
const SANS_8: (f64, Typeface) = (8.0, Typeface::Sans);

/// All of them.
pub const VENUES: [Venue; 17] = [
    of("icml", "ICML, column", "A column of two, 3.25 in", [82.55, 51.0], TIMES_8),
    of("icml-wide", "ICML, two columns", "Both columns, 6.75 in", [171.45, 70.0], TIMES_8),
    of("neurips", "NeurIPS", "The width of the text, 5.5 in", [139.7, 86.3], TIMES_9),
    of("iclr", "ICLR", "The width of the text, 5.5 in", [139.7, 86.3], TIMES_9),
    of("aistats", "AISTATS, column", "A column of two, 3.25 in", [82.55, 51.0], TIMES_8),
    of("aistats-wide", "AISTATS, two columns", "Both columns, 6.75 in", [171.45, 70.0], TIMES_8),
    of("jmlr", "JMLR", "The width of the text, 6 in", [152.4, 94.2], TIMES_9),
    of("tmlr", "TMLR", "The width of the text, 6.5 in", [165.1, 102.0], TIMES_9),
    of("jasa", "JASA", "The width of a manuscript, 6.5 in", [165.1, 102.0], TIMES_9),
    of("springer", "Springer, column", "A column of two, 84 mm", [84.0, 51.9], SANS_8),
    of("springer-wide", "Springer, page", "Both columns, 174 mm", [174.0, 80.0], SANS_8),
    of("ieee", "IEEE, column", "A column of two, 3.5 in", [88.9, 54.9], TIMES_8),
    of("ieee-wide", "IEEE, page", "Both columns, 7.16 in", [181.86, 80.0], TIMES_8),
    of("a4", "A4, text", "A page with margins of 25 mm", [160.0, 98.9], (10.0, Typeface::Serif)),
    in_place(
        Place::Slide,
        of(
            "beamer",
            "Beamer 16:9",
            "The text of a slide of 160 × 90 mm, without its head",
            [140.0, 68.0],
            (9.0, Typeface::Sans),
        ),
    ),
    in_place(
        Place::Slide,
        of("beamer-half", "Beamer 16:9, half", "Half of the text of a slide", [67.0, 62.0], (9.0, Typeface::Sans)),
    ),
    in_place(
        Place::Poster,
        of(
            "poster-a0",
            "Poster, column of A0",
            "A third of an A0 poster's width",
            [250.0, 154.5],
            (24.0, Typeface::Sans),
        ),
    ),
];

/// Their words, for files and lists.
pub(super) const CHOICES: [Choice; VENUES.len()] = {
    let mut choices = [VENUES[0].choice; VENUES.len()];
    let mut number = 0;
    while number < VENUES.len() {
        choices[number] = VENUES[number].choice;
        number += 1;
    }
    choices
};

/// The size with a word of a file.
#[must_use]
pub fn venue(word: &str) -> Option<&'static Venue> {
    VENUES.iter().find(|venue| venue.choice.name == word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_in_papers_grow_with_their_rows_and_slides_do_not() {
        let height = |name: &str, rows: usize| venue(name).unwrap().height(rows);
        assert_eq!([1, 2, 3].map(|rows| format!("{:.1}", height("icml", rows))), ["51.0", "81.6", "112.2"]);
        assert_eq!([1, 2, 3].map(|rows| format!("{:.1}", height("beamer", rows))), ["68.0"; 3]);
    }

    /// The gallery of figures has a picture of each place.
    #[test]
    fn the_gallery_has_all_places() {
        let docs = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs");
        let page = std::fs::read_to_string(docs.join("figures.md")).unwrap();
        for venue in VENUES {
            let picture = format!("figures/{}.png", venue.choice.name);
            assert!(page.contains(&picture) && docs.join(&picture).exists(), "{picture}");
        }
    }
}
