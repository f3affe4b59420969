//! The papers behind a scenario: the program, its methods, and the measures that it shows.

use base::sources::{Printed, Source};
use engine::diagnostics::source_of;
use engine::scenario::{RunSpec, Scenario};
use models::targets::Target;
use samplers::methods::{MethodGroup, group, sources_of};

/// The key of the program in BibTeX.
pub const PROGRAM_KEY: &str = "samplerlab2026";

/// The program.
const PROGRAM: Source = Source {
    key: PROGRAM_KEY,
    authors: &["{The Sampler Lab authors}"],
    title: concat!("Sampler Lab ", env!("CARGO_PKG_VERSION")),
    printed: Printed::Program,
    year: 2026,
    arxiv: "",
};

/// A source, and what it is cited for: names of methods, keys of measures.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cited {
    /// The source.
    pub source: Source,
    /// What for, at least one.
    pub of: Vec<String>,
}

/// The sources of a scenario with these targets, each once.
#[must_use]
pub fn cited<'a>(scenario: &Scenario, targets: impl Iterator<Item = &'a Target>) -> Vec<Cited> {
    let mut cited = vec![Cited { source: PROGRAM, of: vec!["the program".to_owned()] }];
    let mut add = |source: Source, what: &str| match cited.iter_mut().find(|known| known.source.key == source.key) {
        Some(Cited { of, .. }) if of.iter().any(|known| known == what) => {}
        Some(Cited { of, .. }) => of.push(what.to_owned()),
        None => cited.push(Cited { source, of: vec![what.to_owned()] }),
    };
    for run in &scenario.runs {
        for step in std::iter::once(1).chain(scenario.events.iter().map(|event| event.step + 1)) {
            let kind = scenario.settings_at(run, step).kind;
            sources_of(kind).iter().for_each(|source| add(*source, kind.label));
        }
    }
    let is_fit = |run: &RunSpec| group(run.settings.kind) == MethodGroup::Approximations;
    let fits = scenario.runs.iter().all(is_fit);
    let leading = |target: &Target| target.family().leading.keys(fits, target.info().modes.len());
    let shown = scenario.view.measures.iter().flatten().map(String::as_str);
    let swept = scenario.sweep.iter().flat_map(|sweep| sweep.measures.iter().copied());
    for key in shown.chain(swept).chain(targets.flat_map(|target| leading(target).iter().copied())) {
        if let Some(source) = source_of(key) {
            add(*source, key);
        }
    }
    cited
}

/// Entries of BibTeX, each below a comment that says what it is cited for.
#[must_use]
pub fn bibtex(cited: &[Cited]) -> String {
    let one = |Cited { source, of }: &Cited| format!("% {}\n{}", of.join(", "), source.bibtex());
    cited.iter().map(one).collect::<Vec<_>>().join("\n\n")
}

/// A line for each.
#[must_use]
pub fn text(cited: &[Cited]) -> String {
    let one = |Cited { source, of }: &Cited| format!("{}: {}", of.join(", "), source.text());
    cited.iter().map(one).collect::<Vec<_>>().join("\n")
}
