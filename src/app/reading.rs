//! Files that are being read: a scenario that is opened, and the documents of its target.

use std::sync::Arc;
use std::time::Duration;

use crate::platform::Instant;
use crate::scenario::{Folder, Scenario};
use crate::targets::Target;

/// Reading that takes no longer is not shown.
const SHORT: Duration = Duration::from_millis(300);

/// Time between two looks at how far it is.
const LOOK: Duration = Duration::from_millis(100);

/// What the window knows of it.
#[derive(Debug, Default)]
pub struct Reading {
    /// The folder of the file that is being opened.
    opening: Option<Folder>,
    since: Option<Instant>,
    /// The share that is read, once it is shown.
    shown: Option<f32>,
    /// What was said last about documents that are left out.
    told: Option<String>,
}

impl Reading {
    /// Begins to open a file in a folder; an earlier one is no longer wanted.
    pub fn begin(&mut self, folder: Folder) {
        if let Some(earlier) = self.opening.replace(folder) {
            earlier.stop_reading();
        }
    }

    /// Takes note that the file in this folder was read. Returns whether it is still wanted.
    pub fn finish(&mut self, folder: &Folder) -> bool {
        self.opening.take_if(|opening| opening.is(folder)).is_some()
    }

    /// Stops what is shown: opening a file, or else reading documents of the scenario in the window.
    pub fn stop(&mut self, scenario: &Scenario) {
        match self.opening.take() {
            Some(opening) => opening.stop_reading(),
            None if scenario.folder.reading().is_some() => scenario.folder.stop_reading(),
            None => {}
        }
    }

    /// Looks how far reading is, and says when to look again.
    pub fn look(&mut self, scenario: &Scenario) -> Option<Duration> {
        let share = match &self.opening {
            Some(opening) => Some(opening.reading().unwrap_or(0.0)),
            None => scenario.folder.reading(),
        };
        let Some(share) = share else {
            (self.since, self.shown) = (None, None);
            return None;
        };
        let since = *self.since.get_or_insert_with(Instant::now);
        self.shown = (since.elapsed() >= SHORT).then_some(share);
        Some(LOOK)
    }

    /// The share that is read, from 0 to 1, of what takes long.
    #[must_use]
    pub fn share(&self) -> Option<f32> {
        self.shown
    }

    /// What there is to say about documents that were left out, once for each corpus.
    pub fn left_out(&mut self, target: &Arc<dyn Target>) -> Option<String> {
        let now = target.topics().and_then(|model| model.corpus.dropped.in_words());
        let news = now.clone().filter(|_| now != self.told);
        self.told = now;
        news
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenario::{LESSONS, read};

    #[test]
    fn a_file_that_is_opened_later_takes_the_place_of_an_earlier_one() {
        let mut reading = Reading::default();
        let (one, two) = (Folder::from("a"), Folder::from("a"));
        reading.begin(one.clone());
        reading.begin(two.clone());
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
        assert_eq!(reading.left_out(&target(text)).as_deref(), Some(told));
        assert_eq!(reading.left_out(&target(&text.replace("topics = 2", "topics = 3"))), None);
        let none = "format = 1\n[target]\nkind = \"banana\"\n[[run]]\nname = \"A\"\nmethod = \"sgld\"\n";
        assert_eq!(reading.left_out(&target(none)), None);
        assert_eq!(reading.left_out(&target(text)).as_deref(), Some(told));
    }

    #[test]
    fn short_reading_is_not_shown_and_a_cancelled_file_is_not_wanted() {
        let scenario = LESSONS[0].scenario().unwrap();
        let mut reading = Reading::default();
        assert_eq!((reading.look(&scenario), reading.share()), (None, None));
        let folder = Folder::from("a");
        reading.begin(folder.clone());
        assert_eq!((reading.look(&scenario), reading.share()), (Some(LOOK), None));
        reading.since = reading.since.map(|since| since - SHORT);
        reading.look(&scenario);
        assert_eq!(reading.share(), Some(0.0));
        reading.stop(&scenario);
        assert!(!reading.finish(&folder));
        assert_eq!((reading.look(&scenario), reading.share()), (None, None));
    }
}
