//! Names of draws in weight space: run, chain and step in words, and letters of those that are chosen.

use super::made::Made;
use crate::geometry::DrawName;
use crate::kit::legend::{Entry, Sample};
use crate::words::numbers;
use engine::session::{Frame, RunFrame};

/// Names of the draws that span a plane, or are the ends of a path.
pub(super) const ENDS: [&str; 3] = ["a", "b", "c"];

/// The draws with letters, as remarks of a legend.
pub(super) fn ends(frame: &Frame, made: &Made) -> impl Iterator<Item = Entry> {
    let words = move |(end, letter): (&usize, &str)| format!("{letter}: {}", name(frame, made.names[*end]));
    made.ends.iter().zip(ENDS).map(move |end| Entry::new(Sample::None, words(end)))
}

/// Run, chain and step of a draw in words.
pub(super) fn name(frame: &Frame, name: DrawName) -> String {
    let of = |run: &RunFrame| {
        let step = numbers::count(name.step);
        let run = if frame.runs.len() > 1 { format!("{}, ", run.plan.name) } else { String::new() };
        let number = numbers::count(name.chain as u64 + 1);
        if name.fitted { format!("{run}draw {number} of the fit") } else { format!("{run}chain {number}, step {step}") }
    };
    frame.runs.get(name.run).map(of).unwrap_or_default()
}
