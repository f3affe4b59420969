//! Playlists leave the window: in a file, and in a link that needs no other.

use std::path::Path;

use super::link::playlist_fragment;
use super::new_file::{NewFile, SaveError};
use super::{Purpose, read_scenario};
use engine::scenario::{Playlist, Shows, folder_of};

/// Writes a playlist to a file. Paths within the folder of the file become relative, so that they can be moved together.
///
/// # Errors
/// As [`NewFile`]; and if the path looks like a picture or a report.
pub fn save(path: &Path, playlist: &Playlist, replace: bool) -> Result<Playlist, SaveError> {
    Purpose::Playlist.check_extension(path)?;
    let mut moved = playlist.clone();
    moved.folder = folder_of(path).to_path_buf();
    for item in &mut moved.items {
        if let Shows::File(file) = &mut item.shows {
            let whole = playlist.path_of(file);
            *file = whole.strip_prefix(&moved.folder).map(Path::to_owned).unwrap_or(whole);
        }
    }
    NewFile::at(path, replace)?.write(moved.write().as_bytes())?;
    Ok(moved)
}

/// The fragment of a link to a playlist, with the scenarios of its files in it.
///
/// # Errors
/// If a file cannot be read, names data that a link does not carry, or if the link would be too long; in words.
pub fn fragment(playlist: &Playlist) -> Result<String, String> {
    let mut whole = playlist.clone();
    for item in &mut whole.items {
        let Shows::File(file) = &item.shows else { continue };
        let path = playlist.path_of(file);
        let scenario = read_scenario(&path, &folder_of(&path)).map_err(|error| error.to_string())?;
        if let Some(data) = scenario.named_files().first() {
            return Err(format!(
                "{}: the link would not carry its file {data}; save the playlist, and send the files",
                item.title()
            ));
        }
        item.shows = Shows::of(&scenario);
    }
    playlist_fragment(&whole).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::super::link::{LinkError, scenario};
    use super::*;
    use engine::scenario::{LESSONS, PlaylistItem, Scenario, write};

    /// A playlist with a lesson and with a file beside it.
    fn list(folder: &Path) -> Playlist {
        let own = Scenario { seed: 7, ..LESSONS[2].scenario().unwrap() };
        std::fs::write(folder.join("own.toml"), write(&own)).unwrap();
        let items = [Shows::Lesson(0), Shows::File("own.toml".into())].map(PlaylistItem::new).to_vec();
        Playlist { title: "An hour".to_owned(), items, folder: folder.to_owned(), ..Playlist::default() }
    }

    #[test]
    fn a_link_carries_files() {
        let folder = tempfile::tempdir().unwrap();
        let Err(LinkError::Playlist(read)) = scenario(&fragment(&list(folder.path())).unwrap()) else { panic!() };
        assert_eq!(read.items[0].shows, Shows::Lesson(0));
        let Shows::Scenario(text) = &read.items[1].shows else { panic!("a link has no files beside it") };
        assert!(text.contains("seed = 7"));
        std::fs::remove_file(folder.path().join("own.toml")).unwrap();
        assert!(fragment(&list_without(folder.path())).unwrap_err().contains("there is no such file"));
    }

    fn list_without(folder: &Path) -> Playlist {
        Playlist {
            items: vec![PlaylistItem::new(Shows::File("own.toml".into()))],
            folder: folder.to_owned(),
            ..Playlist::default()
        }
    }

    /// Saved beside its files a playlist names them by short paths, elsewhere by whole ones; either way it finds them.
    #[test]
    fn a_playlist_finds_its_files_wherever_it_is_saved() {
        let (folder, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let playlist = list(folder.path());
        let path = |playlist: &Playlist| match &playlist.items[1].shows {
            Shows::File(file) => (file.is_relative(), playlist.path_of(file)),
            other => panic!("{other:?}"),
        };
        let here = save(&folder.path().join("list.toml"), &playlist, false).unwrap();
        assert_eq!(path(&here), (true, folder.path().join("own.toml")));
        let there = save(&other.path().join("list.toml"), &playlist, false).unwrap();
        assert_eq!(path(&there), (false, folder.path().join("own.toml")));
        assert!(matches!(save(&other.path().join("list.toml"), &playlist, false), Err(SaveError::Exists(_))));
        assert!(matches!(save(&other.path().join("list.png"), &playlist, false), Err(SaveError::Extension { .. })));
    }
}
