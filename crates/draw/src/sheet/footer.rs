//! Footer of a figure: the settings that reproduce it.

use crate::words::numbers;
use crate::words::settings::{TARGET_HIDDEN, settings, settings_in_full};
use engine::session::Frame;

/// Target, if it may be named, and methods of some runs at the step shown, events and seed; the title as well where the figure does not show it. From the
/// longest to the shortest: with all numbers, with what is not at its default, and without settings, which the file has. The picture is of so
/// many `seeds`, of which that of the scenario is the first.
#[must_use]
pub fn texts(frame: &Frame, (runs, seeds): (&[usize], u64), (title, names_target): (bool, bool)) -> [String; 3] {
    let scenario = &frame.scenario;
    let words = [settings_in_full, settings].map(|words| {
        let target = if names_target { words(scenario.target_at(frame.step)) } else { TARGET_HIDDEN.to_owned() };
        let first = if title { with_title(&scenario.title, &target) } else { target };
        let shown = runs.iter().filter_map(|run| scenario.runs.get(*run));
        let of_runs = shown.map(|run| format!("{}: {}", run.name, words(&scenario.settings_at(run, frame.step))));
        [first].into_iter().chain(of_runs).collect::<Vec<_>>().join("\n")
    });
    let events = match scenario.events.len() {
        0 => String::new(),
        1 => " · 1 change during the run".to_owned(),
        several => format!(" · {several} changes during the run"),
    };
    let seed = match seeds {
        0 | 1 => format!("seed {}", scenario.seed),
        _ => format!("seeds {} to {}", scenario.seed, scenario.seed.wrapping_add(seeds - 1)),
    };
    let (step, total) = (numbers::count(frame.step), numbers::count(frame.total));
    let last = format!("{seed} · step {step} of {total}{events} · Sampler Lab {}", env!("CARGO_PKG_VERSION"));
    let [full, changed] = words.map(|words| format!("{words}\n{last}"));
    [full, changed, if title { with_title(&scenario.title, &last) } else { last }]
}

fn with_title(title: &str, text: &str) -> String {
    if title.is_empty() { text.to_owned() } else { format!("{title} · {text}") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::scenario::LESSONS;
    use engine::session::Session;

    #[test]
    fn numbers_at_their_defaults_are_told_while_there_is_space() {
        let scenario = LESSONS.iter().find(|lesson| lesson.name == "four-chains-or-one-schedule").unwrap().scenario();
        let frame = Session::new(scenario.unwrap()).unwrap().frame();
        let [full, changed, last] = texts(&frame, (&[1], 1), (true, true));
        assert!(full.contains("thinning 1") && !changed.contains("thinning 1"), "{full}\n{changed}");
        assert!(full.contains("\ncSGLD, one chain: ") && !full.contains("\nSGLD, four chains: "), "{full}");
        assert!(full.contains("cycles 30"), "{full}");
        assert!(last.contains("seed") && !last.contains('\n'), "{last}");
        let target = frame.scenario.target.kind.label;
        assert!(full.contains(target) && changed.contains(target));
        let hidden = texts(&frame, (&[1], 1), (true, false));
        assert!(hidden.iter().all(|text| !text.contains(target)) && hidden[0].contains(TARGET_HIDDEN), "{hidden:?}");
        let several = texts(&frame, (&[1], 4), (true, true));
        let first = frame.scenario.seed;
        assert!(several.iter().all(|text| text.contains(&format!("seeds {first} to {} ·", first + 3))), "{several:?}");
        assert!(full.len() > changed.len() && changed.len() > last.len());
    }
}
