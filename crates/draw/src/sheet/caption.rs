//! The caption of a figure, as a paper has it: what each panel shows, what lines and marks mean, by which methods with which settings, how
//! good the draws are, and what is wrong.

use super::arrangement::{Shown, shown};
use super::description::{Piece, Teller, listed};
use super::{Picture, layout};
use crate::geometry::REGIONS;
use crate::readout::leading;
use crate::views::{self, Tab};
use crate::words::citations::PROGRAM_KEY;
use crate::words::method_prose::{clauses, kind_with_clauses};
use crate::words::numbers;
use base::params::Settings;
use base::sources::Source;
use figure::Spoken;
use samplers::methods::sources_of;

/// A target in words.
type OfTarget = fn(&Settings) -> String;

/// A run as a caption tells it.
struct Run {
    name: String,
    /// The label of its method.
    method: &'static str,
    /// The keys of the sources of the method.
    keys: Vec<&'static str>,
    /// Its settings.
    clauses: Vec<String>,
}

impl Teller<'_> {
    /// The caption, with citations where their subjects are named.
    pub(super) fn caption(&self) -> Vec<Piece> {
        let words = |text: String| Piece::Words(text);
        let shows = self.parts_in_words(kind_with_clauses);
        // The target is named with the draws on it, else in a sentence of its own.
        let target = self.target(kind_with_clauses).filter(|of| !shows.contains(of.as_str()));
        let target = target.map_or_else(String::new, |of| format!(" Target: {of}."));
        let mut pieces = vec![words(format!("{}.{target}", first_upper(&shows)))];
        pieces.extend(self.lines().into_iter().map(|sentence| words(format!(" {sentence}"))));
        pieces.extend(methods(&self.runs_told()));
        let rows = leading(&self.table, self.frame, self.extras.view.measures.as_deref());
        let values: Vec<Piece> = self.runs.iter().flat_map(|run| self.values(*run, &rows)).collect();
        if !values.is_empty() {
            pieces.extend(values);
            pieces.extend(self.brackets(&rows).map(|told| words(format!(" {told}"))));
        }
        pieces.extend(self.wrong().into_iter().map(|warning| words(format!(" {warning}"))));
        pieces.push(words(format!(" {}. Made with {}", first_upper(&self.seed()), Spoken::PROGRAM)));
        pieces.extend([Piece::Cited(vec![PROGRAM_KEY]), words(".".to_owned())]);
        pieces
    }

    /// A caption of two sentences: what is shown, and by which methods from which seed.
    pub(super) fn short_caption(&self) -> Vec<Piece> {
        let of_target: OfTarget = |settings| settings.kind.label.to_owned();
        let shows = self.parts_in_words(of_target);
        let target = self.target(of_target).filter(|of| !shows.contains(of.as_str()));
        let target = target.map_or_else(String::new, |of| format!(", on the target {of}"));
        let (mut pieces, left) = with_methods(&format!("{}{target}", first_upper(&shows)), self.runs_told());
        if left.is_empty() {
            pieces.push(Piece::Words(format!(". {}.", first_upper(&self.seed()))));
            return pieces;
        }
        pieces.push(Piece::Words(". ".to_owned()));
        pieces.extend(methods_in_short(&left));
        pieces.push(Piece::Words(format!("; {}.", self.seed())));
        pieces
    }

    /// What the parts of the figure show, with the letters that they have.
    fn parts_in_words(&self, of_target: OfTarget) -> String {
        let (frame, extras) = (self.frame, self.extras);
        let all = || vec![self.names()];
        match self.options.picture {
            Picture::Canvas(_) => self.of_canvases(&all(), of_target),
            Picture::Sheet => {
                let tab = layout::sheet_tab(frame, extras);
                format!("{}; {}", self.of_canvases(&all(), of_target), self.subject(tab))
            }
            Picture::Readout => format!("measures of the draws of {}", self.names()),
            Picture::Plot(tab) => format!("{}, for {}", self.subject(tab), self.names()),
            Picture::Panels => {
                let panels = shown(&extras.view, &frame.scenario, &self.options.size);
                let lettered = |panel: &Shown, words: &str| {
                    panel.letter.as_ref().map_or_else(|| words.to_owned(), |letter| format!("{letter} {words}"))
                };
                let canvases: Vec<String> =
                    panels.iter().filter_map(|panel| panel.canvas_of.as_ref().map(|of| lettered(panel, of))).collect();
                let others = panels.iter().filter(|panel| panel.canvas_of.is_none()).map(|panel| {
                    let words = panel.tab.map_or_else(|| "measures of the draws".to_owned(), |tab| self.subject(tab));
                    lettered(panel, &words)
                });
                let canvases = (!canvases.is_empty()).then(|| self.of_canvases(&canvases, of_target));
                canvases.into_iter().chain(others).collect::<Vec<_>>().join("; ")
            }
        }
    }

    /// What canvases of runs show.
    fn of_canvases(&self, runs: &[String], of_target: OfTarget) -> String {
        match views::instead_of_canvases(self.frame) {
            Some(tab) => format!("{}, for {}", self.subject(tab), listed(runs)),
            None => {
                let target = self.target(of_target);
                let target = target.map_or_else(String::new, |of| format!(" on the target {of}"));
                format!("draws of {}{target}", listed(runs))
            }
        }
    }

    /// What the plot of a tab shows, without a capital.
    fn subject(&self, tab: Tab) -> String {
        let seen = &self.extras.seen;
        if tab == views::CONVERGENCE {
            let repeats = match self.extras.repeats.len() {
                0 => String::new(),
                repeats => format!(", over {}", numbers::counted(repeats as u64, "repeat")),
            };
            return format!("{} as the runs proceed{repeats}", seen.choice.spec.label);
        }
        if tab == views::HELD_OUT {
            return format!("{} over the run", seen.options.curve.spec().label);
        }
        // What follows a semicolon is about the window.
        first_lower(tab.spec.help.split(';').next().unwrap_or_default())
    }

    /// What the lines and marks mean that are seen on canvases and among step sizes, a sentence each.
    fn lines(&self) -> Vec<String> {
        let seen = &self.told.seen;
        let mut sentences = Vec::new();
        let shares: Vec<String> = seen
            .regions
            .iter()
            .filter_map(|region| Some(numbers::significant(100.0 * REGIONS.get(*region)?, 2)))
            .collect();
        let contours = match &shares[..] {
            [] => None,
            [one] => Some(format!("the contour of the target holds {one} % of it")),
            several => Some(format!("contours of the target hold {} % of it", listed(several))),
        };
        let modes = seen.crosses.then(|| "crosses are its modes".to_owned());
        let both: Vec<String> = contours.into_iter().chain(modes).collect();
        sentences.extend((!both.is_empty()).then(|| format!("{}.", first_upper(&both.join("; ")))));
        let known = [
            (seen.limits, "Dashed lines among step sizes are the limits of stability."),
            (
                seen.variances,
                "The scale at their right, variance ×, says by which factor steps of a size widen the variance of draws.",
            ),
            (
                seen.strip,
                "The strip below step sizes has a mark for each cycle, filled if it ended at a mode where no earlier one had, hollow if not.",
            ),
        ];
        sentences.extend(known.into_iter().filter(|(is_seen, _)| *is_seen).map(|(_, sentence)| sentence.to_owned()));
        sentences.extend(seen.beyond.iter().map(|sentence| format!("{sentence}.")));
        sentences
    }

    /// The runs with their settings at the step that is shown.
    fn runs_told(&self) -> Vec<Run> {
        let scenario = &self.frame.scenario;
        let one = |run: &usize| {
            let settings = scenario.settings_at(scenario.runs.get(*run)?, self.frame.step);
            let keys = sources_of(settings.kind).iter().map(|source: &Source| source.key).collect();
            Some(Run { name: self.name(*run), method: settings.kind.label, keys, clauses: clauses(&settings) })
        };
        self.runs.iter().filter_map(one).collect()
    }

    /// The seed or seeds, changes during the run, and the step if it is not the last one.
    fn seed(&self) -> String {
        let (frame, seed) = (self.frame, self.seeds_and_changes());
        if frame.step >= frame.total {
            return seed;
        }
        format!("{seed}, at step {} of {}", numbers::count(frame.step), numbers::count(frame.total))
    }
}

/// What is shown, with the methods of the runs and their sources at the names of the runs, and the runs that are not named. Where all have one
/// method of another name than theirs, it is left to a sentence of its own.
fn with_methods(shows: &str, runs: Vec<Run>) -> (Vec<Piece>, Vec<Run>) {
    let same = runs.iter().all(|run| run.method == runs[0].method && run.name != run.method);
    let is_letter = |letter: Option<char>| letter.is_some_and(char::is_alphanumeric);
    let whole = |at: usize, name: &str| {
        let after = shows[at + name.len()..].chars().next();
        !is_letter(shows[..at].chars().next_back()) && !is_letter(after)
    };
    let found = |run: &Run| {
        let places = shows.match_indices(&run.name).map(|(at, _)| at);
        places.filter(|_| !same && !run.name.is_empty()).find(|at| whole(*at, &run.name))
    };
    let (mut named, mut left) = (Vec::new(), Vec::new());
    for run in runs {
        match found(&run) {
            Some(at) => named.push((at + run.name.len(), run)),
            None => left.push(run),
        }
    }
    named.sort_by_key(|(end, _)| *end);
    let (mut pieces, mut from) = (Vec::new(), 0);
    for (end, run) in named {
        let method = if run.name == run.method { String::new() } else { format!(" ({}", run.method) };
        let close = !method.is_empty();
        pieces.extend([Piece::Words(format!("{}{method}", &shows[from..end])), Piece::Cited(run.keys)]);
        pieces.extend(close.then(|| Piece::Words(")".to_owned())));
        from = end;
    }
    pieces.push(Piece::Words(shows[from..].to_owned()));
    (pieces, left)
}

/// Methods with their sources alone, in a list. One that all runs have is told once; names of runs that are not those of their methods stand
/// before them.
fn methods_in_short(runs: &[Run]) -> Vec<Piece> {
    let same = runs.first().is_some_and(|first| runs.iter().all(|run| run.method == first.method));
    let told = if same { &runs[..1] } else { runs };
    let mut pieces = Vec::new();
    for (number, run) in told.iter().enumerate() {
        let before = match number {
            0 => "",
            last if last + 1 == told.len() => " and ",
            _ => ", ",
        };
        let name = if same || run.name == run.method { String::new() } else { format!("{}: ", run.name) };
        pieces.extend([Piece::Words(format!("{before}{name}{}", run.method)), Piece::Cited(run.keys.clone())]);
    }
    pieces
}

/// Methods with their sources and settings. What all runs have in common is told once.
fn methods(runs: &[Run]) -> Vec<Piece> {
    let words = |text: String| Piece::Words(text);
    let common = common_clauses(runs);
    let own = |run: &Run| {
        let clauses = run.clauses.iter().filter(|clause| !common.contains(clause));
        clauses.cloned().collect::<Vec<_>>().join(", ")
    };
    let with = |words: &str| if words.is_empty() { String::new() } else { format!(" with {words}") };
    let shared = common.join(", ");
    let mut pieces = Vec::new();
    if let [first, _, ..] = runs
        && runs.iter().all(|run| run.method == first.method)
    {
        pieces.extend([words(format!(" {}", first.method)), Piece::Cited(first.keys.clone()), words(with(&shared))]);
        let told = runs.iter().map(|run| (&run.name, own(run))).filter(|(_, own)| !own.is_empty());
        pieces.extend(told.map(|(name, own)| words(format!("; {name}: {own}"))));
        pieces.push(words(".".to_owned()));
        return pieces;
    }
    for run in runs {
        let name = if run.name == run.method { String::new() } else { format!("{}: ", run.name) };
        pieces.extend([
            words(format!(" {name}{}", run.method)),
            Piece::Cited(run.keys.clone()),
            words(format!("{}.", with(&own(run)))),
        ]);
    }
    if !shared.is_empty() {
        pieces.push(words(format!(" Each with {shared}.")));
    }
    pieces
}

/// The settings that several runs have in common, in their order.
fn common_clauses(runs: &[Run]) -> Vec<String> {
    let [first, others @ ..] = runs else { return Vec::new() };
    let in_all = |clause: &&String| !others.is_empty() && others.iter().all(|run| run.clauses.contains(clause));
    first.clauses.iter().filter(in_all).cloned().collect()
}

fn first_upper(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

fn first_lower(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_lowercase().chain(letters).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(name: &str, method: &'static str, clauses: &[&str]) -> Run {
        let clauses = clauses.iter().map(|clause| (*clause).to_owned()).collect();
        Run { name: name.to_owned(), method, keys: Vec::new(), clauses }
    }

    fn told(runs: &[Run]) -> String {
        let words = |piece: &Piece| if let Piece::Words(words) = piece { words.clone() } else { String::new() };
        methods(runs).iter().map(words).collect()
    }

    #[test]
    fn a_short_caption_names_each_method_once() {
        let told = |runs: &[Run]| {
            let words = |piece: &Piece| if let Piece::Words(words) = piece { words.clone() } else { String::new() };
            methods_in_short(runs).iter().map(words).collect::<String>()
        };
        let [small, large] = ["Small", "Large"].map(|name| run(name, "SGLD", &["α"]));
        let (other, third) = (run("B", "MALA", &["β"]), run("HMC", "HMC", &[]));
        assert_eq!(told(&[small, large]), "SGLD");
        assert_eq!(told(&[run("SGLD", "SGLD", &["α"]), other, third]), "SGLD, B: MALA and HMC");
    }

    /// Each name stands once: its method and sources are beside it, and not within other words.
    #[test]
    fn a_short_caption_has_each_name_once() {
        let told = |shows: &str, runs: Vec<Run>| {
            let words =
                |piece: &Piece| if let Piece::Words(words) = piece { words.clone() } else { "[…]".to_owned() };
            let (pieces, left) = with_methods(shows, runs);
            (pieces.iter().map(words).collect::<String>(), left.len())
        };
        let shows = "Draws of (a) cSGLD and (b) SGLD; (c) step sizes";
        let runs = || vec![run("SGLD", "SGLD", &[]), run("cSGLD", "Cyclical SGLD", &[])];
        assert_eq!(
            told(shows, runs()),
            ("Draws of (a) cSGLD (Cyclical SGLD[…]) and (b) SGLD[…]; (c) step sizes".to_owned(), 0)
        );
        let alike = vec![run("Small", "SGLD", &[]), run("Large", "SGLD", &[])];
        assert_eq!(told("Draws of Small and Large", alike), ("Draws of Small and Large".to_owned(), 2));
        assert_eq!(told("Step sizes", runs()), ("Step sizes".to_owned(), 2));
        assert_eq!(told("Step sizes", Vec::new()), ("Step sizes".to_owned(), 0));
    }

    #[test]
    fn what_runs_have_in_common_is_told_once() {
        let length = "2 chains of 300 steps";
        assert_eq!(told(&[run("SGLD", "SGLD", &[length, "α"])]), " SGLD with 2 chains of 300 steps, α.");
        assert_eq!(
            told(&[run("Small", "SGLD", &[length, "α"]), run("Large", "SGLD", &[length, "β"])]),
            " SGLD with 2 chains of 300 steps; Small: α; Large: β."
        );
        assert_eq!(
            told(&[run("SGLD", "SGLD", &[length, "α"]), run("B", "MALA", &[length, "β"])]),
            " SGLD with α. B: MALA with β. Each with 2 chains of 300 steps."
        );
        assert_eq!(told(&[run("SGLD", "SGLD", &[]), run("B", "MALA", &["β"])]), " SGLD. B: MALA with β.");
    }
}
