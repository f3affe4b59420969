//! The playlist that is open: what Page Down goes through, and what its dialog changes.

use std::path::{Path, PathBuf};

use crate::app::experiment::model::Model;
use engine::scenario::{Lesson, Playlist, PlaylistItem, Scenario, Shows};

/// A playlist in the window.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct OpenPlaylist {
    /// The playlist.
    pub playlist: Playlist,
    /// Its file, if it has one.
    pub file: Option<PathBuf>,
    /// The item that was shown last, from 0.
    pub position: Option<usize>,
    /// Whether it was changed since it was opened or saved.
    pub changed: bool,
    /// The item that was taken out last, with its position.
    pub removed: Option<(usize, PlaylistItem)>,
}

impl OpenPlaylist {
    /// A playlist as it was read.
    #[must_use]
    pub fn of(playlist: Playlist, file: Option<PathBuf>) -> Self {
        Self { playlist, file, ..Self::default() }
    }

    /// Its title; of one without a title what it is.
    #[must_use]
    pub fn title(&self) -> &str {
        if self.playlist.title.trim().is_empty() { "Playlist" } else { &self.playlist.title }
    }

    /// The item that was shown last.
    #[must_use]
    pub fn item(&self) -> Option<&PlaylistItem> {
        self.playlist.items.get(self.position?)
    }

    /// The position so many items after the one that was shown last; the first item if none was.
    #[must_use]
    pub fn neighbour(&self, steps: isize) -> Option<usize> {
        let next = match self.position {
            Some(position) => position.checked_add_signed(steps)?,
            None if steps > 0 => 0,
            None => return None,
        };
        (next < self.playlist.items.len()).then_some(next)
    }

    /// Whether the window shows the item that was shown last, changed or not. Of a figure only its playlist knows.
    #[must_use]
    pub fn is_shown(&self, model: &Model) -> bool {
        self.item().is_some_and(|item| match &item.shows {
            Shows::Lesson(number) => model.lesson().is_some_and(|(shown, _)| shown == *number),
            Shows::File(path) => model.file().is_none_or(|file| *file == self.playlist.path_of(path)),
            Shows::Scenario(_) => model.scenario().title == item.title(),
        })
    }

    /// Whether a scenario that is opened, from a `file` or not, is the item that was shown last, and waits at step 0.
    #[must_use]
    pub fn waits(&self, scenario: &Scenario, file: Option<&Path>) -> bool {
        self.item().filter(|item| item.paused).is_some_and(|item| match &item.shows {
            Shows::Lesson(number) => Lesson::exactly(scenario) == Some(*number),
            Shows::File(path) => file.is_none_or(|file| *file == *self.playlist.path_of(path)),
            Shows::Scenario(_) => scenario.title == item.title(),
        })
    }

    /// Adds an item at the end.
    pub fn add(&mut self, item: PlaylistItem) {
        self.playlist.items.push(item);
        self.changed = true;
    }

    /// Takes an item out. It can be put back until another one is taken out.
    pub fn remove(&mut self, index: usize) {
        if index < self.playlist.items.len() {
            self.removed = Some((index, self.playlist.items.remove(index)));
            self.position = self.position.filter(|position| *position != index);
            self.position = self.position.map(|position| position - usize::from(position > index));
            self.changed = true;
        }
    }

    /// Puts the item back that was taken out last.
    pub fn put_back(&mut self) {
        if let Some((index, item)) = self.removed.take() {
            let index = index.min(self.playlist.items.len());
            self.playlist.items.insert(index, item);
            self.position = self.position.map(|position| position + usize::from(position >= index));
        }
    }

    /// Exchanges an item with the one after it.
    pub fn swap(&mut self, index: usize) {
        if index + 1 < self.playlist.items.len() {
            self.playlist.items.swap(index, index + 1);
            self.position = self.position.map(|position| match position {
                position if position == index => index + 1,
                position if position == index + 1 => index,
                position => position,
            });
            self.changed = true;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(count: usize) -> OpenPlaylist {
        let items = (0..count).map(|number| PlaylistItem::new(Shows::Lesson(number))).collect();
        OpenPlaylist::of(Playlist { items, ..Playlist::default() }, None)
    }

    fn lessons(list: &OpenPlaylist) -> Vec<usize> {
        let number = |item: &PlaylistItem| if let Shows::Lesson(number) = item.shows { number } else { usize::MAX };
        list.playlist.items.iter().map(number).collect()
    }

    #[test]
    fn a_playlist_begins_at_its_first_item_and_ends_after_its_last() {
        let mut list = list(2);
        assert_eq!((list.neighbour(1), list.neighbour(-1)), (Some(0), None));
        list.position = Some(0);
        assert_eq!((list.neighbour(1), list.neighbour(-1)), (Some(1), None));
        list.position = Some(1);
        assert_eq!((list.neighbour(1), list.neighbour(-1)), (None, Some(0)));
    }

    /// Whatever is taken out, put back and exchanged, the item that is shown stays the one that is shown.
    #[test]
    fn the_shown_item_stays_the_shown_item() {
        for shown in 0..4 {
            for index in 0..4 {
                let mut list = list(4);
                list.position = Some(shown);
                list.swap(index);
                assert_eq!(list.item().unwrap().shows, Shows::Lesson(shown), "{shown} {index}");
                let before = lessons(&list);
                let was = list.position;
                list.remove(index);
                assert_eq!(
                    list.item().map(|item| item.shows.clone()),
                    (was != Some(index)).then_some(Shows::Lesson(shown))
                );
                list.put_back();
                assert_eq!(lessons(&list), before);
                assert!(list.removed.is_none() && list.changed);
                if was != Some(index) {
                    assert_eq!(list.position, was);
                }
            }
        }
    }
}
