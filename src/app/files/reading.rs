//! Files that are being read: a scenario that is opened, with the documents of its target and all that is found out about it.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use crate::platform::Instant;
use base::params::printable;
use draw::words::numbers;
use engine::scenario::{Folder, Scenario};
use models::targets::Target;

/// Reading that takes no longer is not shown.
const SHORT: Duration = Duration::from_millis(300);

/// Time between two looks at how far it is.
const LOOK: Duration = Duration::from_millis(100);

/// What takes long.
#[derive(Clone, Debug, PartialEq)]
enum Slow {
    /// Reading documents, of which this share is read, from 0 to 1.
    Documents(f32),
    /// Reading the file with this name, or once it `is_read` making its scenario, for so many seconds.
    Scenario { name: String, is_read: bool, seconds: u64 },
}

/// What the window knows of it.
#[derive(Debug, Default)]
pub struct Reading {
    /// The folder of the file that is being opened, and the name of the file.
    opening: Option<(Folder, String)>,
    since: Option<Instant>,
    /// What takes long, once it is shown.
    shown: Option<Slow>,
    /// What was said last about a target.
    told: Option<String>,
}

impl Reading {
    /// Begins to open a file, whose folder this is; an earlier one is no longer wanted.
    pub fn begin(&mut self, folder: Folder, file: &Path) {
        let name = file.file_name().unwrap_or(file.as_os_str()).to_string_lossy().into_owned();
        if let Some((earlier, _)) = self.opening.replace((folder, name)) {
            earlier.stop_reading();
        }
        self.since = None;
    }

    /// Takes note that the file in this folder was read. Returns whether it is still wanted.
    pub fn finish(&mut self, folder: &Folder) -> bool {
        self.opening.take_if(|(opening, _)| opening.is(folder)).is_some()
    }

    /// Whether a file is being opened, and wanted.
    #[must_use]
    pub fn is_opening(&self) -> bool {
        self.opening.is_some()
    }

    /// Stops what is shown: opening a file, or else reading documents of the scenario in the window.
    pub fn stop(&mut self, scenario: &Scenario) {
        match self.opening.take() {
            Some((opening, _)) => opening.stop_reading(),
            None if scenario.folder.reading().is_some() => scenario.folder.stop_reading(),
            None => {}
        }
    }

    /// Looks how far reading is, and says when to look again.
    pub fn look(&mut self, scenario: &Scenario) -> Option<Duration> {
        let folder = self.opening.as_ref().map_or(&scenario.folder, |(folder, _)| folder);
        let documents = folder.reading().map(Slow::Documents);
        if documents.is_none() && self.opening.is_none() {
            (self.since, self.shown) = (None, None);
            return None;
        }
        let time = self.since.get_or_insert_with(Instant::now).elapsed();
        let opened = |(folder, name): &(Folder, String)| Slow::Scenario {
            name: name.clone(),
            is_read: folder.file_is_read(),
            seconds: time.as_secs(),
        };
        let file = || self.opening.as_ref().map(opened);
        self.shown = documents.or_else(file).filter(|_| time >= SHORT);
        Some(LOOK)
    }

    /// What takes long, and how far it is.
    #[must_use]
    pub fn in_words(&self) -> Option<String> {
        Some(match self.shown.as_ref()? {
            Slow::Documents(share) => format!("Reading documents: {}", numbers::percent(f64::from(*share))),
            Slow::Scenario { name, is_read, seconds } => {
                let what =
                    if *is_read { "making its target and finding out the truth about it" } else { "reading the file" };
                format!("Opening {}: {what}, {seconds} s so far", printable(name))
            }
        })
    }

    /// What is worth a warning about a target, once for each: documents that were left out, and what of a formula changes nothing, unless its
    /// panel is shown, which says so.
    pub fn warnings(&mut self, target: &Arc<Target>, panel: bool) -> Option<String> {
        let mut now = target.warnings();
        now.retain(|words| !(panel && target.remarks().contains(words)));
        let now = Some(now.join("\n")).filter(|words| !words.is_empty());
        let news = now.clone().filter(|_| now != self.told);
        self.told = now;
        news
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::scenario::{LESSONS, read};

    #[test]
    fn a_file_that_is_opened_later_takes_the_place_of_an_earlier_one() {
        let mut reading = Reading::default();
        let (one, two) = (Folder::from("a"), Folder::from("a"));
        reading.begin(one.clone(), Path::new("one.toml"));
        reading.begin(two.clone(), Path::new("two.toml"));
        assert!(!reading.finish(&one) && reading.finish(&two) && !reading.finish(&two));
    }

    #[test]
    fn documents_that_are_left_out_are_told_once() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("counts.txt"), "4\n2\n3\n1 1 2\n4 2 1\n4 1 1\n").unwrap();
        std::fs::write(folder.path().join("words.txt"), "wolf\nlamb\n").unwrap();
        let text = "format = 1\n[target]\nkind = \"topics\"\ntopics = 2\nholdout_every = 0\n\
                    corpus = { kind = \"uci\", docword = \"counts.txt\", vocab = \"words.txt\" }\n\
                    [[run]]\nname = \"A\"\nmethod = \"cavi\"\n";
        let target = |text: &str| {
            let scenario = read(text, "test", folder.path()).unwrap();
            scenario.build().unwrap().spans[0].target.clone()
        };
        let mut reading = Reading::default();
        let told = "2 documents are left out: 2 without words, 0 with none of the words that stay";
        assert_eq!(reading.warnings(&target(text), true).as_deref(), Some(told));
        assert_eq!(reading.warnings(&target(&text.replace("topics = 2", "topics = 3")), true), None);
        let none = "format = 1\n[target]\nkind = \"banana\"\n[[run]]\nname = \"A\"\nmethod = \"sgld\"\n";
        assert_eq!(reading.warnings(&target(none), true), None);
        assert_eq!(reading.warnings(&target(text), true).as_deref(), Some(told));
        let formula = "format = 1\n[target]\nkind = \"formula\"\ndensity = \"r = x\\n-x^2\"\nparameters = {}\n\
                       [[run]]\nname = \"A\"\nmethod = \"sgld\"\n";
        assert_eq!(reading.warnings(&target(formula), true), None, "the panel says so");
        let told = "the formula does not use its line \"r\"";
        assert_eq!(reading.warnings(&target(formula), false).as_deref(), Some(told));
    }

    #[test]
    fn short_reading_is_not_shown_and_a_cancelled_file_is_not_wanted() {
        let scenario = LESSONS[0].scenario().unwrap();
        let mut reading = Reading::default();
        assert_eq!((reading.look(&scenario), reading.in_words()), (None, None));
        let folder = Folder::from("a");
        reading.begin(folder.clone(), Path::new("a/slow.toml"));
        assert_eq!((reading.look(&scenario), reading.in_words()), (Some(LOOK), None));
        reading.since = reading.since.map(|since| since - SHORT);
        reading.look(&scenario);
        assert_eq!(reading.in_words().as_deref(), Some("Opening slow.toml: reading the file, 0 s so far"));
        folder.note_file_read();
        reading.look(&scenario);
        let making = "Opening slow.toml: making its target and finding out the truth about it, 0 s so far";
        assert_eq!(reading.in_words().as_deref(), Some(making), "no documents are read");
        assert!(reading.is_opening());
        reading.stop(&scenario);
        assert!(!reading.is_opening());
        assert!(!reading.finish(&folder));
        assert_eq!((reading.look(&scenario), reading.in_words()), (None, None));
    }

    #[test]
    fn documents_are_told_with_their_share() {
        let reading = Reading { shown: Some(Slow::Documents(0.25)), ..Reading::default() };
        assert_eq!(reading.in_words().as_deref(), Some("Reading documents: 25 %"));
    }
}
