//! The theme of a figure: what a `[figure]` says of colours, markers, names and lines takes the place of what the window has.

use egui::Color32;
use egui_plot::MarkerShape;

use super::{Dash, LegendPlace, Look, Spines, Theme, hex, opaque};
use base::params::{Settings, Value};
use engine::scenario::figures::{Typeface, colour_of, given, venue};

/// Palettes by their words in files: Okabe and Ito (2008), Tol (2021), ColorBrewer, and greys from black.
const PALETTES: [(&str, &[u32]); 8] = [
    ("okabe-ito", &[0xD55E00, 0x0072B2, 0x009E73, 0xCC79A7, 0xE69F00, 0x56B4E9, 0x000000, 0xF0E442]),
    ("tol-bright", &[0x4477AA, 0xEE6677, 0x228833, 0xCCBB44, 0x66CCEE, 0xAA3377, 0xBBBBBB]),
    ("tol-high-contrast", &[0x004488, 0xBB5566, 0xDDAA33]),
    ("dark2", &[0x1B9E77, 0xD95F02, 0x7570B3, 0xE7298A, 0x66A61E, 0xE6AB02, 0xA6761D, 0x666666]),
    ("viridis", &[0x440154, 0x414487, 0x2A788E, 0x22A884, 0x7AD151]),
    ("plasma", &[0x0D0887, 0x6A00A8, 0xB12A90, 0xE16462, 0xFCA636]),
    ("cividis", &[0x00224E, 0x35456C, 0x666970, 0x948E77, 0xC8B866]),
    ("greys", &[0x000000, 0x6E6E6E, 0x9C9C9C, 0x3C3C3C]),
];

/// Palettes from dark to light, of which few runs have colours that are far apart.
const ORDERED: [&str; 3] = ["viridis", "plasma", "cividis"];

/// The colour of one of so many runs among those of an ordered palette; of two runs none is so light as to be pale on paper.
fn spread(run: usize, runs: usize, colours: usize) -> usize {
    match runs {
        0 | 1 => run,
        2 if run < 2 => run * colours.saturating_sub(2),
        _ if runs > colours => run,
        _ => (2 * run * (colours - 1) + runs - 1) / (2 * (runs - 1)),
    }
}

/// Markers by their words in files.
const MARKERS: [(&str, MarkerShape); 8] = [
    ("circle", MarkerShape::Circle),
    ("square", MarkerShape::Square),
    ("diamond", MarkerShape::Diamond),
    ("up", MarkerShape::Up),
    ("down", MarkerShape::Down),
    ("plus", MarkerShape::Plus),
    ("cross", MarkerShape::Cross),
    ("asterisk", MarkerShape::Asterisk),
];

fn spines(word: &str) -> Spines {
    match word {
        "left-bottom" => Spines::LeftBottom,
        "box" => Spines::Box,
        _ => Spines::None,
    }
}

fn legend(word: &str) -> LegendPlace {
    match word {
        "top-left" => LegendPlace::Inside { right: false, bottom: false },
        "top-right" => LegendPlace::Inside { right: true, bottom: false },
        "bottom-left" => LegendPlace::Inside { right: false, bottom: true },
        "bottom-right" => LegendPlace::Inside { right: true, bottom: true },
        "right" => LegendPlace::Right,
        "ends" => LegendPlace::Ends,
        "once" => LegendPlace::Once,
        "none" => LegendPlace::None,
        _ => LegendPlace::Above,
    }
}

impl Theme {
    /// Whether it is that of a figure, at which nobody points.
    #[must_use]
    pub fn is_figure(&self) -> bool {
        self.look.panel.is_some() || self.labels.whole
    }

    /// Whether the lines of some run are broken, so that names of runs have samples of lines beside their markers.
    #[must_use]
    pub fn has_dashes(&self) -> bool {
        self.runs.iter().any(|style| style.dash != Dash::Solid)
    }

    /// The theme of a figure of a scenario with runs of these names.
    #[must_use]
    pub fn of_figure(mut self, figure: &Settings, runs: &[&str]) -> Self {
        if let Some((_, colours)) = PALETTES.iter().find(|(word, _)| *word == figure.word("palette")) {
            let is_ordered = ORDERED.contains(&figure.word("palette"));
            for (run, style) in self.runs.iter_mut().enumerate() {
                let place = if is_ordered { spread(run, runs.len(), colours.len()) } else { run };
                style.colour = hex(colours[place % colours.len()]);
            }
        }
        let mut labels = vec![None; runs.len()];
        for own in figure.list("run") {
            let Some(run) = runs.iter().position(|name| *name == own.word("name")) else { continue };
            labels[run] = given(own, "label").map(str::to_owned);
            let Some(style) = self.runs.get_mut(run) else { continue };
            if let Some(colour) = given(own, "colour").and_then(colour_of) {
                style.colour = opaque(colour);
            }
            if let Some((_, marker)) = MARKERS.iter().find(|(word, _)| *word == own.word("marker")) {
                style.marker = *marker;
            }
            if let Some((_, dash)) = Dash::WORDS.iter().find(|(word, _)| *word == own.word("dash")) {
                style.dash = *dash;
            }
        }
        if !figure.flag("grid") {
            self.grid = Color32::TRANSPARENT;
        }
        let of_venue = given(figure, "size").and_then(venue).map(|venue| venue.typeface).unwrap_or_default();
        self.look = Look {
            typeface: given(figure, "typeface").map_or(of_venue, Typeface::of),
            line: figure.number("line") as f32,
            axes: ["x", "y"].map(|key| given(figure, key).map(str::to_owned)),
            runs: labels,
            marker: figure.number("marker") as f32,
            spines: spines(figure.word("spines")),
            legend: legend(figure.word("legend")),
            panel: None,
            letter: None,
            cursor: figure.get("cursor") != Some(&Value::Flag(false)),
            stability: figure.flag("stability"),
            variance: figure.flag("variance"),
            strip: figure.flag("strip"),
            floors: figure.flag("floors"),
            outside: figure.flag("outside"),
            details: figure.flag("details"),
            contours: figure.flag("contours"),
            modes: figure.flag("modes"),
        };
        self
    }

    /// What a figure calls a run, in the markup of names, if it has a name for it.
    pub(crate) fn own_name(&self, run: usize) -> Option<&str> {
        self.look.runs.get(run).and_then(Option::as_deref)
    }

    /// The names of the axes of the plane.
    pub(crate) fn axes<'a>(&'a self, [x, y]: [&'a str; 2]) -> [&'a str; 2] {
        let own = |axis: usize| self.look.axes[axis].as_deref();
        [own(0).unwrap_or(x), own(1).unwrap_or(y)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::theme::{Appearance, Scale};
    use engine::scenario::figures::FIGURE;

    /// Every palette and marker that a file can name is one.
    #[test]
    fn all_words_of_files_have_a_meaning() {
        let words = |kind: &base::params::KindSpec, key: &str| {
            kind.param(key).unwrap().choices().iter().map(|choice| choice.name).collect::<Vec<_>>()
        };
        for palette in words(&FIGURE, "palette") {
            assert!(palette == "own" || PALETTES.iter().any(|(word, _)| *word == palette), "{palette}");
        }
        let base::params::ParamType::List(run) = FIGURE.param("run").unwrap().ty else { panic!("a list of runs") };
        for marker in words(run, "marker") {
            assert!(MARKERS.iter().any(|(word, _)| *word == marker), "{marker}");
        }
        assert_eq!(words(run, "dash"), Dash::WORDS.map(|(word, _)| word));
    }

    /// Few runs have colours from all of an ordered palette, each its own; of an unordered one they have the first.
    #[test]
    fn ordered_palettes_are_spread_over_few_runs() {
        let places = |runs: usize| (0..runs).map(|run| spread(run, runs, 5)).collect::<Vec<_>>();
        assert_eq!(
            [1, 2, 3, 4, 5].map(places),
            [vec![0], vec![0, 3], vec![0, 2, 4], vec![0, 1, 3, 4], vec![0, 1, 2, 3, 4]]
        );
        let mut figure = Settings::defaults(&FIGURE);
        figure.set("palette", Value::Choice("viridis")).unwrap();
        let theme = Theme::new(Appearance::Light, Scale::Screen).of_figure(&figure, &["A", "B"]);
        assert_eq!([0, 1].map(|run| theme.run(run).colour), [hex(0x440154), hex(0x22A884)]);
    }

    #[test]
    fn runs_have_the_look_that_a_file_gives_them() {
        let usual = Theme::new(Appearance::Light, Scale::Screen);
        let mut figure = Settings::defaults(&FIGURE);
        assert_eq!(usual.clone().of_figure(&figure, &["A", "B"]).run(1), usual.run(1));
        figure.set("palette", Value::Choice("okabe-ito")).unwrap();
        let base::params::ParamType::List(kind) = FIGURE.param("run").unwrap().ty else { panic!("a list of runs") };
        let mut run = Settings::defaults(kind);
        for (key, value) in [("name", "B"), ("label", "ours"), ("colour", "#102030")] {
            run.set(key, Value::Text(value.to_owned())).unwrap();
        }
        run.set("marker", Value::Choice("plus")).unwrap();
        run.set("dash", Value::Choice("dotted")).unwrap();
        figure.set("run", Value::List(vec![run])).unwrap();
        let theme = usual.of_figure(&figure, &["A", "B"]);
        assert_eq!((theme.run(0).colour, theme.run(0).dash), (hex(0xD55E00), Dash::Solid));
        assert!(theme.run(1).dash == Dash::Dotted && theme.has_dashes());
        assert_eq!((theme.run(1).colour, theme.run(1).marker), (Color32::from_rgb(16, 32, 48), MarkerShape::Plus));
        assert_eq!((theme.own_name(0), theme.own_name(1)), (None, Some("ours")));
    }
}
