//! What a figure says in words made of its numbers: a short text for those who do not see it, of what is seen, and a caption (`caption.rs`).
//! A target that is hidden is not named, and of measures only those are told that the figure may show.

use super::arrangement::{Shown, has_canvas, panels_of, shown};
use super::layout::{seeds, sheet_tab};
use super::{ExportOptions, Extras, Picture, Told, sight};
use crate::kit::warnings;
use crate::kit::written::plain_name_of;
use crate::readout::{self, BRACKETS, Row, Table, copy, leading};
use crate::sheet::pieces::shown_measures;
use crate::theme::Theme;
use crate::views::{self, Tab};
use crate::words::notation::Notation;
use crate::words::numbers;
use crate::words::prose;
use crate::words::settings::TARGET_HIDDEN;
use engine::diagnostics::source_of;
use engine::scenario::view::Arrangement;
use engine::session::Frame;
use figure::Spoken;

/// What a figure says in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Description {
    /// Its title.
    pub title: String,
    /// What it shows, in sentences.
    pub alt: String,
    /// Its caption, with keys of sources in brackets.
    pub caption: String,
    /// The same as LaTeX, with `\\cite`.
    pub latex: String,
    /// A caption of two sentences: what is shown; methods and seed.
    pub short: String,
    /// The same as LaTeX.
    pub short_latex: String,
}

/// A form of a caption.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CaptionForm {
    /// All of it as text, with keys of sources in brackets.
    Text,
    /// All of it as `\caption`.
    Latex,
    /// Two sentences as text.
    Short,
    /// Two sentences as `\caption`.
    ShortLatex,
    /// The alternative text, for those who do not see the figure.
    Alternative,
}

impl CaptionForm {
    /// All of them, each with its name.
    pub const ALL: [(Self, &'static str); 5] = [
        (Self::Text, "Caption"),
        (Self::Latex, "Caption for LaTeX"),
        (Self::Short, "Short caption"),
        (Self::ShortLatex, "Short caption for LaTeX"),
        (Self::Alternative, "Alternative text"),
    ];
}

/// A piece of a caption.
pub(super) enum Piece {
    Words(String),
    /// Sources by their keys in BibTeX.
    Cited(Vec<&'static str>),
}

impl Description {
    /// The words of a figure, which has told what is seen in it.
    #[must_use]
    pub fn of(frame: &Frame, options: &ExportOptions, extras: &Extras, told: &Told) -> Self {
        let teller = Teller::new(frame, options, extras, told);
        let (caption, short) = (teller.caption(), teller.short_caption());
        let title = if frame.scenario.title.is_empty() { teller.shows() } else { frame.scenario.title.clone() };
        let (latex_of_all, short_latex) = (latex(&caption), latex(&short));
        Self {
            alt: teller.alt(),
            caption: plain(&caption),
            latex: latex_of_all,
            short: plain(&short),
            short_latex,
            title,
        }
    }

    /// Title and alternative text.
    #[must_use]
    pub fn spoken(&self) -> Spoken<'_> {
        Spoken { title: &self.title, alt: &self.alt }
    }

    /// The caption in a form.
    #[must_use]
    pub fn worded(&self, form: CaptionForm) -> String {
        match form {
            CaptionForm::Text => self.caption.clone(),
            CaptionForm::Latex => format!("\\caption{{{}}}", self.latex),
            CaptionForm::Short => self.short.clone(),
            CaptionForm::ShortLatex => format!("\\caption{{{}}}", self.short_latex),
            CaptionForm::Alternative => self.alt.clone(),
        }
    }

    /// The file with the caption of the figure with a name: as text, for LaTeX, both in short, and the alternative text.
    #[must_use]
    pub fn file(&self, figure: &str) -> String {
        let [text, latex, short, short_latex, alternative] = CaptionForm::ALL.map(|(form, _)| self.worded(form));
        format!(
            "{CAPTION_FILE}{figure}, by {}\n\nText\n{text}\n\nLaTeX (the keys are those of sampler-lab cite)\n{latex}\n\nShort\n{short}\n\n\
             Short, LaTeX\n{short_latex}\n\nAlternative text\n{alternative}\n",
            Spoken::PROGRAM
        )
    }
}

/// How the file of a caption begins, by which it is known as ours.
pub const CAPTION_FILE: &str = "Caption of ";

/// What is told, and of what.
pub(super) struct Teller<'a> {
    pub(super) frame: &'a Frame,
    pub(super) options: &'a ExportOptions,
    pub(super) extras: &'a Extras,
    /// What is seen in the figure.
    pub(super) told: &'a Told,
    theme: Theme,
    pub(super) runs: Vec<usize>,
    /// The measures that may be told.
    pub(super) table: Table,
}

impl<'a> Teller<'a> {
    fn new(frame: &'a Frame, options: &'a ExportOptions, extras: &'a Extras, told: &'a Told) -> Self {
        let theme = extras.theme(options, &frame.scenario);
        let runs = match options.picture {
            Picture::Canvas(run) => vec![run],
            _ => extras.runs(frame),
        };
        // Whoever is asked for a measure finds it out from the picture.
        let asks = frame.scenario.challenges.iter().any(|challenge| challenge.task.is_question());
        let mut table = shown_measures(frame, extras);
        if asks && options.picture != Picture::Readout {
            table.sections.clear();
        }
        Self { frame, options, extras, told, theme, runs, table }
    }

    pub(super) fn name(&self, run: usize) -> String {
        self.frame.runs.get(run).map_or_else(String::new, |shown| plain_name_of(&self.theme, run, &shown.plan.name))
    }

    pub(super) fn names(&self) -> String {
        listed(&self.runs.iter().map(|run| self.name(*run)).collect::<Vec<_>>())
    }

    /// What the figure shows: canvases of which runs, plots, measures.
    fn shows(&self) -> String {
        let (frame, extras, names) = (self.frame, self.extras, self.names());
        match self.options.picture {
            Picture::Sheet => {
                let plot = sheet_tab(frame, extras).spec.label;
                match views::instead_of_canvases(frame) {
                    Some(tab) => format!("{} of {names}, with the plot {plot}", tab.spec.label),
                    None => format!("{}, with the plot {plot}", self.canvases()),
                }
            }
            Picture::Canvas(_) => match views::instead_of_canvases(frame) {
                Some(tab) => format!("{} of {names}", tab.spec.label),
                None => self.canvases(),
            },
            Picture::Readout => format!("Table of measures of {names}"),
            Picture::Plot(tab) => format!("Plot {} of {names}", tab.spec.label),
            Picture::Panels => {
                let one = |Shown { letter, name, .. }: Shown| {
                    letter.map_or(name.clone(), |letter| format!("{letter} {name}"))
                };
                let panels: Vec<String> =
                    shown(&extras.view, &frame.scenario, &self.options.size).into_iter().map(one).collect();
                format!("Panels {}", listed(&panels))
            }
        }
    }

    fn canvases(&self) -> String {
        // Of more dimensions only draws are shown.
        let density = self.extras.layers.truth && self.frame.target.info().dimension <= 2;
        let density = if density { " over the density of the target" } else { "" };
        let overlaid = self.extras.view.layout == Some(Arrangement::Overlaid);
        let canvas = if self.runs.len() > 1 && !overlaid { "Canvases" } else { "Canvas" };
        format!("{canvas} with the draws of {}{density}", self.names())
    }

    pub(super) fn target(&self, words: fn(&base::params::Settings) -> String) -> Option<String> {
        // Without a density there is no layer of it that would show the target.
        let shown = self.extras.layers.truth && self.frame.target.density().is_some();
        let hidden = !shown && self.extras.view.hides_target();
        (!hidden).then(|| words(self.frame.scenario.target_at(self.frame.step)))
    }

    /// The values of a run in a few measures, with errors and floors, each with the source of its measure.
    pub(super) fn values(&self, run: usize, rows: &[&Row]) -> Vec<Piece> {
        let value = |row: &&Row| {
            let cell = row.cells.get(run)?;
            let told = cell.value.is_some() || cell.reason == readout::DIVERGED;
            let words = format!("{} {}", row.spec.label, copy::words(row, cell).replace("– ", ""));
            told.then(|| (words, source_of(row.spec.key).map(|source| source.key)))
        };
        let mut pieces = Vec::new();
        for (number, (words, source)) in rows.iter().filter_map(value).enumerate() {
            let before = if number == 0 { format!(" {}: ", self.name(run)) } else { ", ".to_owned() };
            pieces.extend([Piece::Words(before + &words), Piece::Cited(source.into_iter().collect())]);
        }
        if !pieces.is_empty() {
            pieces.push(Piece::Words(".".to_owned()));
        }
        pieces
    }

    pub(super) fn brackets(&self, rows: &[&Row]) -> Option<String> {
        let floors = rows.iter().flat_map(|row| &row.cells).any(|cell| cell.floor.is_some() && cell.error.is_none());
        floors.then(|| BRACKETS.to_owned())
    }

    /// The tabs whose plots the figure has, and whether it has canvases.
    fn parts(&self) -> (Vec<Tab>, bool) {
        let Self { frame, options, extras, .. } = self;
        let canvases = views::instead_of_canvases(frame).is_none();
        match options.picture {
            Picture::Sheet => (vec![sheet_tab(frame, extras)], canvases),
            Picture::Canvas(_) => (Vec::new(), canvases),
            Picture::Plot(tab) => (vec![tab], false),
            Picture::Panels => (
                panels_of(&extras.view, &frame.scenario, &options.size),
                has_canvas(&extras.view, &frame.scenario, &options.size),
            ),
            Picture::Readout => (Vec::new(), false),
        }
    }

    /// What is wrong with the runs.
    pub(super) fn wrong(&self) -> Vec<String> {
        let of_run = |run: &usize| {
            let warnings = warnings::of(self.frame, *run, self.extras.layers.truth);
            warnings.into_iter().map(|warning| format!("{}: {warning}.", self.name(*run))).collect::<Vec<_>>()
        };
        self.runs.iter().flat_map(of_run).collect()
    }

    /// Step, seed or seeds, and changes during the run.
    fn moment(&self) -> String {
        let frame = self.frame;
        let seeds = self.seeds_and_changes();
        format!("Step {} of {}, {seeds}.", numbers::count(frame.step), numbers::count(frame.total))
    }

    /// Seed or seeds, and changes during the run.
    pub(super) fn seeds_and_changes(&self) -> String {
        let Self { frame, options, extras, .. } = self;
        let scenario = &frame.scenario;
        let seed = match seeds(options, extras) {
            0 | 1 => format!("seed {}", scenario.seed),
            several => format!("seeds {} to {}", scenario.seed, scenario.seed.wrapping_add(several - 1)),
        };
        let changes = match scenario.events.len() {
            0 => String::new(),
            1 => ", 1 change during the run".to_owned(),
            several => format!(", {several} changes during the run"),
        };
        seed + &changes
    }

    /// What is seen, in a few sentences: those that come first say most.
    fn alt(&self) -> String {
        /// Characters, about: screen readers read all of it in one go.
        const MOST: usize = 800;
        /// Measures of each run, which are of all runs or of none.
        const MEASURES: usize = 2;
        let (frame, target) = (self.frame, self.target(|settings| settings.kind.label.to_owned()));
        let target = target.map_or_else(|| TARGET_HIDDEN.to_owned(), |of| format!("Target: {of}"));
        let (tabs, canvases) = self.parts();
        let letters = shown(&self.extras.view, &frame.scenario, &self.options.size);
        let letter = |panel: usize| letters.get(panel).and_then(|shown| shown.letter.clone()).unwrap_or_default();
        let runs = || self.runs.iter().filter_map(|run| Some((frame.runs.get(*run)?, self.name(*run))));
        // What is told of several runs is told of all of them or of none.
        let together =
            |of: &mut dyn Iterator<Item = String>| of.map(|one| one.trim().to_owned()).collect::<Vec<_>>().join(" ");
        let mut sentences = vec![format!("{}. {target}.", self.shows())];
        sentences.extend(self.wrong());
        sentences.extend(sight::axes(&self.told.spots, letter));
        if canvases && frame.target.info().dimension > 1 {
            sentences.push(together(&mut runs().filter_map(|(run, name)| sight::draws(run, &name))));
        }
        if tabs.contains(&views::SCHEDULE) {
            sentences.push(together(&mut runs().filter_map(|(run, name)| sight::steps(frame, run, &name))));
        }
        let rows = leading(&self.table, frame, self.extras.view.measures.as_deref());
        let rows = &rows[..rows.len().min(MEASURES)];
        sentences.push(together(&mut self.runs.iter().map(|run| without_sources(&self.values(*run, rows)))));
        let end = format!("{} Made with {}.", self.moment(), Spoken::PROGRAM);
        let mut text = String::new();
        for sentence in sentences.iter().map(|sentence| sentence.trim()).filter(|sentence| !sentence.is_empty()) {
            let length = |text: &str| text.chars().count();
            if text.is_empty() || length(&text) + length(sentence) + length(&end) < MOST {
                text = format!("{text} {sentence}");
            }
        }
        format!("{} {end}", text.trim())
    }
}

/// Names in a list: `A, B and C`.
pub(super) fn listed(names: &[String]) -> String {
    match names {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

/// Pieces without their sources.
fn without_sources(pieces: &[Piece]) -> String {
    pieces.iter().map(|piece| if let Piece::Words(words) = piece { words.as_str() } else { "" }).collect()
}

/// A caption with keys in brackets.
fn plain(pieces: &[Piece]) -> String {
    let one = |piece: &Piece| match piece {
        Piece::Words(words) => words.clone(),
        Piece::Cited(keys) if keys.is_empty() => String::new(),
        Piece::Cited(keys) => format!(" [{}]", unique(keys).join(", ")),
    };
    pieces.iter().map(one).collect()
}

/// A caption as LaTeX: `of \cite` reads well with numbers in brackets, and with the authors in the text.
fn latex(pieces: &[Piece]) -> String {
    let one = |piece: &Piece| match piece {
        Piece::Words(words) => prose::written(words, Notation::Latex),
        Piece::Cited(keys) if keys.is_empty() => String::new(),
        Piece::Cited(keys) => format!(" of~\\cite{{{}}}", unique(keys).join(",")),
    };
    pieces.iter().map(one).collect()
}

fn unique(keys: &[&'static str]) -> Vec<&'static str> {
    let mut found: Vec<&'static str> = Vec::new();
    keys.iter().for_each(|key| {
        if !found.contains(key) {
            found.push(key);
        }
    });
    found
}
