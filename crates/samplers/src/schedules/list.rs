//! A list of step sizes, one for each step: α_k is entry k. After the end of the list its last entry stays.
//!
//! The list is in the settings (`values`) or in a file (`path`), at most 10⁶ entries. Files are read by `models::targets::step_sizes`.

use std::sync::Arc;

use super::export::{self, Formula};
use super::{CONVENTION, Folder, Parts, Schedule, alpha_per_unit};
use base::params::{DefaultValue, Entry, KindSpec, ParamError, ParamSpec, ParamType, Settings, Value, excerpt};
use models::targets::{STEP_FILE, step_sizes};

/// The parameter for a list in the scenario itself.
const VALUES: ParamSpec = ParamSpec::of(
    "values",
    "step sizes",
    ParamType::Text,
    DefaultValue::Word("0.05, 0.04, 0.03, 0.02, 0.01"),
    "The step sizes from the first step on, with commas, spaces or line breaks between them. After the last entry it stays.",
);

const PARAMS: [ParamSpec; 6] = [VALUES, STEP_FILE[0], STEP_FILE[1], STEP_FILE[2], STEP_FILE[3], CONVENTION];

pub(super) const ENTRY: Entry<Parts> = Entry {
    spec: KindSpec {
        name: "list",
        label: "List",
        help: "A list of step sizes, one for each step, typed or pasted here or in a file.",
        params: &PARAMS,
    },
    build: Parts { make: build, handles: &[], idle },
};

/// Largest number of step sizes in the settings, and of those that are told in a text for another program.
const MOST_TYPED: usize = 10_000;

/// Largest step size, as in a file.
const LARGEST: f64 = 1e6;

/// Entries for the first steps; the last one stays.
#[derive(Clone, Debug, PartialEq)]
struct List {
    entries: Arc<[f64]>,
    /// The α of an entry 1.
    unit: f64,
    /// Steps of the run.
    steps: u64,
}

/// Where the list is in a file, the one in the settings means nothing, and the other way round.
fn idle(settings: &Settings) -> &'static [&'static str] {
    match settings.get("path") {
        // A column can be named before its file, which is refused without it.
        None => &["decimal", "sha256"],
        Some(_) => &["values"],
    }
}

fn build(settings: &Settings, steps: u64, folder: Option<&Folder>) -> Result<Arc<dyn Schedule>, Vec<ParamError>> {
    let has_values = settings.get("values") != Settings::defaults(settings.kind).get("values");
    let entries = match (settings.word("path"), folder) {
        ("", _) if settings.get("path").is_some() => {
            let allowed = "the path of a file with step sizes, or no path, and values";
            return Err(vec![ParamError::new("path", "no file is named", allowed)]);
        }
        ("", _) => typed(settings.word("values")).map_err(|error| vec![error])?,
        (path, _) if has_values => {
            let problem = format!("a list is given together with the file {}", excerpt(path));
            return Err(vec![ParamError::new("values", problem, "either values or path")]);
        }
        (_, Some(folder)) => step_sizes(settings, folder)?,
        (path, None) => {
            let problem = format!("{} is a file, which is read with its scenario", excerpt(path));
            return Err(vec![ParamError::new("path", problem, "a list in values")]);
        }
    };
    Ok(Arc::new(List { entries, unit: alpha_per_unit(settings), steps }))
}

/// The settings with a file in the place of the list.
pub(super) fn with_text(settings: &Settings, key: &str, text: &str) -> Option<Settings> {
    if key != "path" {
        return None;
    }
    let mut changed = settings.clone();
    changed.set("values", Settings::defaults(settings.kind).get("values")?.clone()).ok()?;
    changed.set("path", Value::Text(text.to_owned())).ok()?;
    Some(changed)
}

/// The list in a text.
fn typed(text: &str) -> Result<Arc<[f64]>, ParamError> {
    let is_between = |letter: char| letter.is_whitespace() || ",;[]()".contains(letter);
    let allowed =
        || format!("step sizes from 0 to {LARGEST} with commas between them, at most {MOST_TYPED}; more in a file");
    let mut entries = Vec::new();
    for (line, row) in (1..).zip(text.lines()) {
        for word in row.split(is_between).filter(|word| !word.is_empty()) {
            let number = entries.len() + 1;
            let at =
                if text.contains('\n') { format!("line {line}, number {number}") } else { format!("number {number}") };
            let wrong =
                |problem: &str| ParamError::new("values", format!("{at}: \"{}\" {problem}", excerpt(word)), allowed());
            // What follows a decimal comma begins so.
            let is_rest = word.len() > 1 && word.bytes().all(|digit| digit.is_ascii_digit()) && word.starts_with('0');
            if is_rest {
                let error = wrong("may be what follows a decimal comma");
                return Err(ParamError { allowed: "decimals after a point: 0.05".to_owned(), ..error });
            }
            let size: f64 = word.parse().map_err(|_| wrong("is not a number"))?;
            if !(0.0..=LARGEST).contains(&size) {
                return Err(wrong("is not allowed"));
            }
            if entries.len() == MOST_TYPED {
                let problem = format!("there are more than {MOST_TYPED} step sizes");
                return Err(ParamError::new("values", problem, allowed()));
            }
            entries.push(size);
        }
    }
    if entries.is_empty() {
        return Err(ParamError::new("values", "the list is empty", allowed()));
    }
    Ok(entries.into())
}

impl List {
    fn count(&self) -> u64 {
        self.entries.len() as u64
    }

    /// α of the step with so many steps before it.
    fn after(&self, steps: u64) -> f64 {
        let known = usize::try_from(steps).ok().and_then(|index| self.entries.get(index));
        known.or(self.entries.last()).map_or(0.0, |entry| entry * self.unit)
    }
}

impl Schedule for List {
    fn step_size(&self, k: u64) -> f64 {
        self.after(k.saturating_sub(1))
    }

    fn largest(&self, steps: u64) -> f64 {
        (0..steps.min(self.count())).map(|index| self.after(index)).fold(0.0, f64::max)
    }

    fn formula(&self) -> Option<Formula> {
        let last = self.entries.len().min(usize::try_from(self.steps).unwrap_or(usize::MAX));
        if last > MOST_TYPED {
            return None;
        }
        let sizes = export::list(self.entries[..last].iter().map(|entry| entry * self.unit));
        Some(Formula::new(
            vec![("sizes", sizes)],
            &["return sizes[min(k, len(sizes)) - 1]"],
            &["return jnp.array(sizes)[jnp.minimum(k, len(sizes)) - 1]"],
        ))
    }

    fn remarks(&self) -> Vec<String> {
        let (count, steps) = (self.count(), self.steps);
        let remark = match count {
            _ if count == steps => return Vec::new(),
            1 => format!("the list has one step size for {steps} steps: all of them have it"),
            _ if count < steps => {
                let last = self.after(count - 1);
                format!(
                    "the list has {count} step sizes for {steps} steps: from step {count} on the last one stays, α = {last}"
                )
            }
            _ => format!("the list has {count} step sizes, and the run takes the first {steps} of them"),
        };
        vec![remark]
    }
}
