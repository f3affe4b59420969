//! Locks of a view: what a file does not let a person change in the window, and entries that mean nothing here.

use super::{TABS, ViewSpec};
use crate::scenario::near::suggestion;
use crate::scenario::{METHOD, RunSpec, Scenario};
use base::params::Settings;

/// Whatever can be locked besides parameters.
const OTHERS: [&str; 5] = ["*", "seed", "target", "runs", "caption"];

/// Whether a dotted path is another one, or below it.
fn within(path: &str, outer: &str) -> bool {
    path.strip_prefix(outer).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

impl ViewSpec {
    /// Whether the file locks something: a parameter by its dotted path, of a run if one is named; or `target.…`, `seed`,
    /// `runs` (which there are, and their names), `caption`. A part of something locked is locked, and so is a whole with
    /// a locked part, since a change of the whole replaces the part.
    #[must_use]
    pub fn locks(&self, run: Option<&str>, path: &str) -> bool {
        let covers = |entry: &String| {
            let own = own(entry, run);
            own == "*" || own.is_empty() || within(path, own)
        };
        let part = |entry: &String| within(own(entry, run), path);
        self.locked.iter().any(|entry| covers(entry) || part(entry)) && !self.unlocked.iter().any(covers)
    }
}

/// What an entry says of a run's parameters: the path after its name, nothing for the name alone, or the whole entry.
fn own<'e>(entry: &'e str, run: Option<&str>) -> &'e str {
    match run.and_then(|run| entry.strip_prefix(run)) {
        Some("") => "",
        Some(rest) => rest.strip_prefix('.').unwrap_or(entry),
        None => entry,
    }
}

impl Scenario {
    /// What a file says that has no effect here, each in a sentence: entries of `[view]` that this version does not know, locks of
    /// nothing, and parameters without effect.
    #[must_use]
    pub fn warnings(&self) -> Vec<String> {
        let view = &self.view;
        let keys = super::read::KEYS.into_iter();
        let entries =
            view.unknown.iter().map(|entry| unknown(&entry.key, &format!("view.{}", entry.key), keys.clone()));
        let tab = view.tab.as_ref().map_or(&TABS[0], |tab| tab.kind);
        let options = tab.params.iter().map(|param| param.key);
        let options = view
            .unknown_options
            .iter()
            .map(|entry| unknown(&entry.key, &format!("view.options.{}", entry.key), options.clone()));
        let mut warnings: Vec<String> = entries.chain(options).collect();
        for (key, entries) in [("locked", &view.locked), ("unlocked", &view.unlocked)] {
            let idle = entries.iter().filter(|entry| !self.can_be_locked(entry));
            warnings.extend(idle.map(|entry| format!("view.{key}: nothing here is called \"{entry}\"")));
        }
        warnings.extend(self.idle());
        warnings
    }

    /// Parameters of runs that have no effect, each in a sentence.
    #[must_use]
    pub fn idle(&self) -> Vec<String> {
        let of_run = |run: &RunSpec| run.idle().map(|words| format!("{}.{words}", run.name)).collect::<Vec<_>>();
        self.runs.iter().flat_map(of_run).collect()
    }

    fn can_be_locked(&self, entry: &str) -> bool {
        let of = |settings: &Settings, path: &str| path == METHOD || settings.spec_at(path).is_some();
        OTHERS.contains(&entry)
            || entry.strip_prefix("target.").is_some_and(|path| self.target.spec_at(path).is_some())
            || self.runs.iter().any(|run| of(&run.settings, entry))
            || self.runs.iter().any(|run| match entry.strip_prefix(run.name.as_str()) {
                Some("") => true,
                Some(rest) => rest.strip_prefix('.').is_some_and(|path| of(&run.settings, path)),
                None => false,
            })
    }
}

impl RunSpec {
    /// Its parameters that have no effect, each in a sentence without the name of the run.
    pub fn idle(&self) -> impl Iterator<Item = String> {
        self.settings.idle().map(|spec| format!("{}: it has no effect without {}", spec.key, spec.with.join(" or ")))
    }
}

fn unknown(key: &str, path: &str, keys: impl Iterator<Item = &'static str>) -> String {
    format!("{path}: this version does not know the entry, and keeps it{}", suggestion(key, keys))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn view(locked: &[&str], unlocked: &[&str]) -> ViewSpec {
        let own = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
        ViewSpec { locked: own(locked), unlocked: own(unlocked), ..ViewSpec::default() }
    }

    #[test]
    fn a_path_locks_itself_what_is_below_and_the_change_of_the_whole() {
        let view = view(&["step_size.initial", "A.gradient", "B", "target.variance"], &[]);
        for (run, path, locked) in [
            (Some("A"), "step_size.initial", true),
            (Some("C"), "step_size", true),
            (Some("C"), "step_size.cycles", false),
            (Some("C"), "step_size.initials", false),
            (Some("A"), "gradient.size", true),
            (Some("C"), "gradient", false),
            (Some("B"), "steps", true),
            (Some("B"), "method", true),
            (None, "target", true),
            (None, "target.variance", true),
            (None, "target.rows", false),
            (None, "seed", false),
        ] {
            assert_eq!(view.locks(run, path), locked, "{run:?} {path}");
        }
    }

    #[test]
    fn one_knob_is_left_of_all() {
        let view = view(&["*"], &["A.step_size.initial"]);
        assert!(!view.locks(Some("A"), "step_size.initial"));
        for (run, path) in [(Some("B"), "step_size.initial"), (Some("A"), "step_size"), (None, "seed"), (None, "runs")]
        {
            assert!(view.locks(run, path), "{run:?} {path}");
        }
        assert!(!ViewSpec::default().locks(Some("A"), "steps"));
    }
}
