//! Playlists: lessons and experiments of one's own in an order, with notes, as TOML.
//!
//! ```toml
//! format = 1
//! title = "MCMC versus VI, first hour"
//!
//! [[item]]
//! lesson = "bias-on-a-switch"
//! notes = "Ask first: which of the two is right?"
//! paused = true
//!
//! [[item]]
//! file = "two-peaks.toml"
//! ```
//!
//! An item is a built-in lesson by name, a file (relative paths are looked up in the folder of the playlist), or a scenario as text, as in
//! links, which carry everything that they need. One that is `paused` waits at step 0 until it is played: there is something to be asked before.

use std::path::{Path, PathBuf};

use toml::de::DeTable;

use super::errors::ScenarioErrors;
use super::lessons::{LESSONS, Lesson};
use super::near::suggestion;
use super::read::{read_document, read_switch, read_tables, read_text};
use super::table_reader::{TableReader, TextRange};
use super::write::{line, quote};
use super::{FORMAT, Folder, Scenario, read_unbuilt, write};
use base::params::{ParamError, excerpt};

/// Most items of a playlist.
pub const MAX_ITEMS: usize = 200;

/// The keys at the top of a playlist, and of an item.
const TOP: [&str; 4] = ["format", "title", "about", "item"];
const OF_ITEM: [&str; 5] = ["lesson", "file", "scenario", "notes", "paused"];

/// What is allowed where an item should be named.
const ONE_OF: &str = "one of lesson, file and scenario";

/// Lessons and experiments in an order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Playlist {
    /// Its title.
    pub title: String,
    /// What it is for, in a sentence or two.
    pub about: String,
    /// What it leads through.
    pub items: Vec<PlaylistItem>,
    /// Where relative paths of its files are looked up.
    pub folder: PathBuf,
}

/// A stop of a playlist.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlaylistItem {
    /// What it shows.
    pub shows: Shows,
    /// Notes of the person who leads through it.
    pub notes: String,
    /// Whether its runs wait at step 0 when it is opened.
    pub paused: bool,
}

/// What an item shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Shows {
    /// The built-in lesson with this number, from 0.
    Lesson(usize),
    /// A file with a scenario, or a figure that contains one.
    File(PathBuf),
    /// A scenario as the text of its file.
    Scenario(String),
}

impl PlaylistItem {
    /// An item without notes.
    #[must_use]
    pub fn new(shows: Shows) -> Self {
        Self { shows, notes: String::new(), paused: false }
    }

    /// Its title: of a file its name.
    #[must_use]
    pub fn title(&self) -> String {
        match &self.shows {
            Shows::Lesson(number) => LESSONS.get(*number).map(|lesson| lesson.words().0).unwrap_or_default(),
            Shows::File(path) => path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned(),
            Shows::Scenario(text) => title_in(text).unwrap_or_default(),
        }
    }

    /// Its minutes, where they are known: those of a lesson.
    #[must_use]
    pub fn minutes(&self) -> Option<u32> {
        match self.shows {
            Shows::Lesson(number) => LESSONS.get(number).map(|lesson: &Lesson| lesson.minutes),
            Shows::File(_) | Shows::Scenario(_) => None,
        }
    }
}

impl Playlist {
    /// Minutes of all items for which they are known.
    #[must_use]
    pub fn minutes(&self) -> u32 {
        self.items.iter().filter_map(PlaylistItem::minutes).sum()
    }

    /// The path of a file of this playlist, in its folder if it is relative.
    #[must_use]
    pub fn path_of(&self, file: &Path) -> PathBuf {
        self.folder.join(file)
    }

    /// The text of its file. [`Playlist::read`] gives the playlist back.
    #[must_use]
    pub fn write(&self) -> String {
        let mut text = format!("format = {FORMAT}\n");
        line(&mut text, "title", &quote(&self.title));
        if !self.about.is_empty() {
            line(&mut text, "about", &quote(&self.about));
        }
        for item in &self.items {
            text.push_str("\n[[item]]\n");
            match &item.shows {
                Shows::Lesson(number) => {
                    line(&mut text, "lesson", &quote(LESSONS.get(*number).map_or("", |lesson| lesson.name)));
                }
                Shows::File(path) => line(&mut text, "file", &quote(&path.to_string_lossy())),
                Shows::Scenario(scenario) => line(&mut text, "scenario", &quote(scenario)),
            }
            if !item.notes.is_empty() {
                line(&mut text, "notes", &quote(&item.notes));
            }
            if item.paused {
                line(&mut text, "paused", "true");
            }
        }
        text
    }

    /// Reads a playlist. `file` is its name in messages; relative paths in it are looked up in `folder`. Files are not opened.
    ///
    /// # Errors
    /// Everything that is wrong with the text: an item without or with more than one of `lesson`, `file` and `scenario`, a lesson that does
    /// not exist, a scenario that is not valid, no item or more than [`MAX_ITEMS`].
    pub fn read(text: &str, file: &str, folder: impl Into<PathBuf>) -> Result<Self, ScenarioErrors> {
        read_document(text, file, |table, reader| {
            for (key, _) in table.iter().filter(|(key, _)| !TOP.contains(&key.get_ref().as_ref())) {
                reader.unknown_key(&key.span(), key.get_ref(), key.get_ref(), TOP.into_iter());
            }
            let title = read_text(table, "title", "title", reader).unwrap_or_default();
            let about = read_text(table, "about", "about", reader).unwrap_or_default();
            let tables = read_tables(table, "item", MAX_ITEMS, reader);
            if tables.is_empty() {
                reader.fault(&(0..0), ParamError::new("item", "is missing", "one or more [[item]] tables"));
            }
            let items = tables.into_iter().enumerate();
            let items = items
                .filter_map(|(index, (item, at))| read_item(item, &at, &format!("item[{index}]"), reader))
                .collect();
            Some(Self { title, about, items, folder: folder.into() })
        })
    }
}

/// Whether the text is that of a playlist: it has a list of items and no target.
#[must_use]
pub fn is_playlist(text: &str) -> bool {
    // Most scenarios are told apart without being parsed.
    let may_be = text.lines().any(|line| line.trim_start().starts_with("[[item]]") || line.starts_with("item"));
    let is = |table: &DeTable<'_>| table.contains_key("item") && !table.contains_key("target");
    may_be && DeTable::parse(text).is_ok_and(|table| is(table.get_ref()))
}

fn read_item(table: &DeTable<'_>, at: &TextRange, path: &str, reader: &mut TableReader) -> Option<PlaylistItem> {
    for (key, _) in table.iter().filter(|(key, _)| !OF_ITEM.contains(&key.get_ref().as_ref())) {
        reader.unknown_key(&key.span(), &format!("{path}.{}", key.get_ref()), key.get_ref(), OF_ITEM.into_iter());
    }
    let notes = read_text(table, "notes", &format!("{path}.notes"), reader).unwrap_or_default();
    let paused = read_switch(table, "paused", &format!("{path}.paused"), reader).unwrap_or(false);
    let named: Vec<&str> = OF_ITEM[..3].iter().copied().filter(|key| table.contains_key(*key)).collect();
    let [key] = named[..] else {
        let problem =
            if named.is_empty() { "shows nothing".to_owned() } else { format!("has {}", named.join(" and ")) };
        reader.fault(at, ParamError::new(path, problem, ONE_OF));
        return None;
    };
    let place = format!("{path}.{key}");
    let at = table.get(key).map_or(at.clone(), toml::Spanned::span);
    let text = read_text(table, key, &place, reader)?;
    let shows = match key {
        "lesson" => Shows::Lesson(lesson(&text, &at, &place, reader)?),
        "file" if text.is_empty() => {
            reader.fault(&at, ParamError::new(place, "names no file", "the path of a scenario or of a figure"));
            return None;
        }
        "file" => Shows::File(PathBuf::from(text)),
        _ => {
            if let Err(errors) = read_unbuilt(&text, "scenario", Folder::from(".")) {
                let problem = format!("is not valid: {errors}");
                reader.fault(&at, ParamError::new(place, problem, "the text of a scenario file"));
                return None;
            }
            Shows::Scenario(text)
        }
    };
    Some(PlaylistItem { shows, notes, paused })
}

/// The number of the lesson with a name.
fn lesson(name: &str, at: &TextRange, path: &str, reader: &mut TableReader) -> Option<usize> {
    let number = LESSONS.iter().position(|lesson| lesson.name == name);
    if number.is_none() {
        let names = || LESSONS.iter().map(|lesson| lesson.name);
        let problem = format!("unknown lesson \"{}\"{}", excerpt(name), suggestion(name, names()));
        reader.fault(at, ParamError::new(path, problem, "the name of a lesson, as `list lessons` prints them"));
    }
    number
}

/// The title in the text of a scenario.
fn title_in(text: &str) -> Option<String> {
    let table = DeTable::parse(text).ok()?;
    read_text(table.get_ref(), "title", "title", &mut TableReader::default())
}

impl Shows {
    /// The lesson or the scenario as it is.
    #[must_use]
    pub fn of(scenario: &Scenario) -> Self {
        Lesson::exactly(scenario).map_or_else(|| Self::Scenario(write(scenario)), Self::Lesson)
    }
}
