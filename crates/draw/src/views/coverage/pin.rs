//! Pins: points of the coverage plot that the window keeps from one use to the next, with their scenarios.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::kit::warnings;
use crate::words::numbers;
use crate::words::settings::{differences, settings as settings_in_words};
use base::params::{Settings, Value};
use engine::scenario::{Caption, Folder, Scenario, ViewSpec, read, write};
use engine::session::{Frame, RunFrame};
use samplers::schedules::label;

/// Pins kept, at most; the oldest are dropped.
pub const MOST_PINS: usize = 200;

/// Bytes of a scenario that are kept with a pin, at most: some hold a million data.
const MOST_TEXT: usize = 50_000;

/// A kept point of the coverage plot.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
#[serde(default)]
pub struct Pin {
    /// Name of the run.
    pub name: String,
    /// Number of the run, which decides its colour and marker.
    pub style: usize,
    /// KL of mode weights, and KL within modes, in nats.
    pub at: [f64; 2],
    /// Method, chains, steps, step sizes.
    pub words: String,
    /// Seed of the scenario.
    pub seed: u64,
    /// The target in words.
    pub target: String,
    /// Identity of the target.
    pub identity: String,
    /// The scenario as in a file; empty if it was too long.
    pub scenario: String,
    /// The folder of relative paths in the scenario.
    pub folder: PathBuf,
}

impl Pin {
    /// A pin at the point of run number `run`.
    #[must_use]
    pub fn of(frame: &Frame, run: usize, at: [f64; 2]) -> Option<Self> {
        let scenario = &frame.scenario;
        let text = write(scenario);
        Some(Self {
            name: frame.runs.get(run)?.plan.name.clone(),
            style: run,
            at,
            words: in_words(frame, run),
            seed: scenario.seed,
            target: settings_in_words(scenario.target_at(frame.step)),
            identity: identity(scenario, frame.step),
            scenario: if text.len() <= MOST_TEXT { text } else { String::new() },
            folder: scenario.folder.to_path_buf(),
        })
    }
}

/// What differs between a pin and the present run that it is compared with.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison {
    /// The name of the run.
    pub run: String,
    /// Parameters and measures that differ, from the pin to the run.
    pub words: String,
}

impl Pin {
    /// The run of a frame that the pin is compared with: the one of its name, else the one with its colour.
    #[must_use]
    pub fn run_in(&self, frame: &Frame) -> Option<usize> {
        let named = frame.runs.iter().position(|run| run.plan.name == self.name);
        named.or((self.style < frame.runs.len()).then_some(self.style))
    }

    /// What differs from the present run: parameters, seed, and both measures. `None` if the scenario of the pin was not kept.
    #[must_use]
    pub fn compared(&self, frame: &Frame, now: Option<[f64; 2]>) -> Option<Comparison> {
        let before = read(&self.scenario, &self.name, &self.folder).ok()?;
        let run = frame.runs.get(self.run_in(frame)?)?;
        let [old, new] = [(&before, &self.name), (frame.scenario.as_ref(), &run.plan.name)].map(|(scenario, name)| {
            let spec = scenario.runs.iter().find(|spec| spec.name == *name)?;
            Some(scenario.settings_at(spec, u64::MAX))
        });
        let mut words = differences(&old?, &new?);
        if before.seed != frame.scenario.seed {
            words.push(format!("seed {} → {}", before.seed, frame.scenario.seed));
        }
        let measures = ["mode-weight KL", "within modes"].into_iter().enumerate();
        words.extend(measures.filter_map(|(axis, name)| {
            let [old, new] = [self.at[axis], now?[axis]].map(|value| numbers::significant(value, 3));
            (old != new).then(|| format!("{name} {old} → {new}"))
        }));
        let words = if words.is_empty() { "nothing differs".to_owned() } else { words.join(" · ") };
        Some(Comparison { run: run.plan.name.clone(), words })
    }
}

/// Adds pins that are not in the list yet.
pub fn add(pins: &mut Vec<Pin>, new: impl IntoIterator<Item = Pin>) {
    for pin in new {
        if !pins.contains(&pin) {
            pins.push(pin);
        }
    }
    pins.drain(..pins.len().saturating_sub(MOST_PINS));
}

/// Identity of the target of a scenario after `step` steps: its settings as in a file, and the folder if they name a file in it.
#[must_use]
pub fn identity(scenario: &Scenario, step: u64) -> String {
    let (title, caption, seed, view) = (String::new(), Caption::default(), 0, ViewSpec::default());
    let (target, folder) = (scenario.target_at(step).clone(), Folder::default());
    let bare = Scenario {
        title,
        caption,
        seed,
        budget: None,
        target,
        runs: Vec::new(),
        events: Vec::new(),
        challenges: Vec::new(),
        sweep: None,
        view,
        folder,
    };
    let text = write(&bare);
    let named = names_text(scenario.target_at(step));
    let folder = if named { format!("\n{}", scenario.folder.display()) } else { String::new() };
    let text = format!("{}{folder}", text.split("[target]").nth(1).unwrap_or("").trim());
    if text.len() <= MOST_TEXT { text } else { format!("{} bytes, {:016x}", text.len(), checksum(&text)) }
}

/// Whether free text is among the settings: a path, for example.
fn names_text(settings: &Settings) -> bool {
    settings.iter().any(|(_, value)| matches!(value, Value::Text(text) if !text.is_empty()))
}

/// FNV-1a (Fowler, Noll and Vo): the same in every version of the program.
fn checksum(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |sum, byte| (sum ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

/// A run in words: method, chains, steps, and all parameters of its step size, with defaults.
#[must_use]
pub fn in_words(frame: &Frame, run: usize) -> String {
    let Some(RunFrame { plan, step, .. }) = frame.runs.get(run) else { return String::new() };
    let chains = if plan.chains == 1 { "1 chain".to_owned() } else { format!("{} chains", plan.chains) };
    let made = format!("{chains} × {} steps", numbers::count(plan.steps));
    let Some(spec) = frame.scenario.runs.iter().find(|spec| spec.name == plan.name) else { return made };
    let settings = frame.scenario.settings_at(spec, *step);
    let mut parts = vec![settings.kind.label.to_owned(), made];
    if let Some(schedule) = settings.group("step_size") {
        parts.push(format!("{} step size ({})", schedule.kind.label.to_lowercase(), step_sizes(schedule)));
    }
    if let Some(gradient) = settings.group("gradient") {
        parts.push(format!("{} gradient", gradient.kind.label.to_lowercase()));
    }
    parts.extend(warnings::of(frame, run, !frame.scenario.view.hides_target()));
    parts.join(" · ")
}

/// The numbers of a schedule that take effect, and its choices that are not at their defaults.
fn step_sizes(schedule: &Settings) -> String {
    let defaults = Settings::defaults(schedule.kind);
    // A number of exploration steps replaces a share.
    let replaced = schedule.get("exploration_steps").map(|_| "exploration");
    let changed = schedule.iter().filter_map(|(spec, value)| {
        let value = match value {
            Value::Number(number) if Some(spec.key) != replaced => numbers::exact(*number),
            Value::Choice(word) if defaults.get(spec.key) != Some(value) => (*word).to_owned(),
            _ => return None,
        };
        Some(format!("{} {value}", label(schedule, spec)))
    });
    changed.collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use engine::scenario::{Lesson, read};
    use engine::session::Session;

    fn frame(text: &str) -> Frame {
        let mut session = Session::new(read(text, "pins", Path::new("here")).unwrap()).unwrap();
        session.advance(3);
        session.frame()
    }

    fn lesson() -> Frame {
        frame(Lesson::find("authors-code").unwrap().text)
    }

    #[test]
    fn a_pin_survives_being_written_and_read() {
        let pin = Pin::of(&lesson(), 1, [0.25, 1.0 / 3.0]).unwrap();
        let text = serde_json::to_string(&vec![pin.clone()]).unwrap();
        assert_eq!(serde_json::from_str::<Vec<Pin>>(&text).unwrap(), std::slice::from_ref(&pin));
        let again = read(&pin.scenario, &pin.name, &pin.folder).unwrap();
        assert_eq!(again, *lesson().scenario);
        assert_eq!(Pin::of(&lesson(), 9, [0.0, 0.0]), None);
    }

    #[test]
    fn fields_missing_in_an_older_file_have_defaults() {
        let pin: Pin = serde_json::from_str(r#"{ "name": "SGLD", "at": [1.0, 2.0] }"#).unwrap();
        assert_eq!(pin, Pin { name: "SGLD".to_owned(), at: [1.0, 2.0], ..Pin::default() });
    }

    #[test]
    fn identity_depends_on_the_target_only() {
        let identity = |scenario: &Scenario| super::identity(scenario, 0);
        let one = lesson().scenario.as_ref().clone();
        let same = Scenario { seed: 99, title: "Other".to_owned(), runs: one.runs[..1].to_vec(), ..one.clone() };
        assert_eq!(identity(&one), identity(&same));
        let mut target = one.target.clone();
        target.set("variance", Value::Number(0.04)).unwrap();
        let wider = one.with_whole_target(target.clone());
        assert_ne!(identity(&one), identity(&wider));
        let later = one.with_target_event(30, target);
        assert_eq!((super::identity(&later, 29), super::identity(&later, 30)), (identity(&one), identity(&wider)));
        assert_eq!(identity(&Scenario { folder: "elsewhere".into(), ..one.clone() }), identity(&one));
        assert!(!identity(&one).contains("Gaussians: SGLD"), "{}", identity(&one));
    }

    #[test]
    fn the_same_pin_is_kept_once_and_the_oldest_are_dropped() {
        let pin = |number: u64| Pin { seed: number, ..Pin::default() };
        let mut pins = Vec::new();
        add(&mut pins, [pin(1), pin(1), pin(2)]);
        assert_eq!(pins.len(), 2);
        add(&mut pins, (3..=300).map(pin));
        assert_eq!((pins.len(), pins[0].seed, pins[MOST_PINS - 1].seed), (MOST_PINS, 101, 300));
    }

    #[test]
    fn the_description_names_the_step_size_even_at_its_default() {
        let text = "format = 1\n[target]\nkind = \"gaussian-grid\"\n[[run]]\nname = \"one\"\nmethod = \"csgld\"\nsteps = 5000\n";
        let words = in_words(&frame(text), 0);
        for part in ["1 chain × 5000 steps", "α₀ 0.09", "cycles 30"] {
            assert!(words.contains(part), "{words}");
        }
        assert_eq!(
            in_words(&lesson(), 1),
            "cSGLD · 1 chain × 50\u{202f}000 steps · cyclical step size (initial step size α₀ 0.07, cycles 30, rounding exact, exploration steps D 50) · noisy gradient"
        );
        assert_eq!(in_words(&lesson(), 7), "");
    }

    #[test]
    fn a_pin_says_what_differs_from_the_present_run() {
        let text = "format = 1\nseed = 4\n[target]\nkind = \"gaussian-grid\"\n[[run]]\nname = \"one\"\nmethod = \"csgld\"\n\
                    steps = 500\nstep_size = { kind = \"cyclical\", cycles = 5 }\n";
        let before = frame(text);
        let pin = Pin::of(&before, 0, [0.25, 0.5]).unwrap();
        let same = pin.compared(&before, Some([0.25, 0.5])).unwrap();
        assert_eq!(same, Comparison { run: "one".to_owned(), words: "nothing differs".to_owned() });
        let now = frame(&text.replace("cycles = 5", "cycles = 8, initial = 0.07").replace("seed = 4", "seed = 5"));
        let words = pin.compared(&now, Some([0.1, 0.5])).unwrap().words;
        assert_eq!(words, "initial step size α₀ 0.09 → 0.07 · cycles 5 → 8 · seed 4 → 5 · mode-weight KL 0.25 → 0.1");
        let other = frame(
            &text
                .replace("\"one\"", "\"two\"")
                .replace("csgld", "sgld")
                .replace("cyclical\", cycles = 5", "constant\""),
        );
        let words = pin.compared(&other, None).unwrap().words;
        assert!(words.starts_with("cSGLD (") && words.contains("→ SGLD"), "{words}");
        assert_eq!(Pin { scenario: String::new(), ..pin }.compared(&now, None), None);
    }

    #[test]
    fn the_checksum_is_the_published_one() {
        assert_eq!(checksum(""), 0xcbf2_9ce4_8422_2325);
        assert_eq!(checksum("a"), 0xaf63_dc4c_8601_ec8c);
    }
}
