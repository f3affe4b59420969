//! Playlists: written and read again, told from scenarios, and what is wrong with them.

use std::path::{Path, PathBuf};

use proptest::prelude::*;

use crate::scenario::*;

/// Any playlist: titles and notes with any letters, lessons, files and scenarios.
fn playlists() -> impl Strategy<Value = Playlist> {
    let shows = prop_oneof![
        (0..LESSONS.len()).prop_map(Shows::Lesson),
        "[^\0-\u{1f}]{1,20}".prop_map(|path| Shows::File(PathBuf::from(path))),
        (0..LESSONS.len(), any::<u64>()).prop_map(|(number, seed)| {
            let scenario = Scenario { seed, ..LESSONS[number].unbuilt().unwrap() };
            Shows::Scenario(write(&scenario))
        }),
    ];
    let item = (shows, any::<String>(), any::<bool>());
    let item = item.prop_map(|(shows, notes, paused)| PlaylistItem { shows, notes, paused });
    let items = prop::collection::vec(item, 1..6);
    (any::<String>(), any::<String>(), items).prop_map(|(title, about, items)| Playlist {
        title,
        about,
        items,
        folder: PathBuf::from("lecture"),
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn what_is_written_is_read_again(playlist in playlists()) {
        let text = playlist.write();
        prop_assert!(is_playlist(&text), "{text}");
        prop_assert_eq!(Playlist::read(&text, "list.toml", "lecture"), Ok(playlist));
    }
}

#[test]
fn no_scenario_is_taken_for_a_playlist() {
    for lesson in LESSONS {
        assert!(!is_playlist(lesson.text), "{}", lesson.name);
    }
    let quotes = "format = 1\ntitle = \"\"\"\n[[item]]\nlesson = \"laplace\"\n\"\"\"\n[target]\nkind = \"banana\"\n";
    assert!(!is_playlist(quotes));
}

#[test]
fn what_is_wrong_with_a_playlist_is_told_with_its_line() {
    let told = |text: &str| Playlist::read(text, "list.toml", ".").unwrap_err().to_string();
    let item = |lines: &str| told(&format!("format = 1\n[[item]]\n{lines}\n"));
    assert!(told("format = 1\ntitle = \"A\"\n").contains("item: is missing; allowed: one or more [[item]] tables"));
    let nothing = item("notes = \"n\"");
    assert!(
        nothing.contains("list.toml:2:1: item[0]: shows nothing; allowed: one of lesson, file and scenario"),
        "{nothing}"
    );
    assert!(item("lesson = \"laplace\"\nfile = \"a.toml\"").contains("item[0]: has lesson and file"));
    let unknown = item("lesson = \"laplas\"");
    assert!(
        unknown.contains("list.toml:3:10: item[0].lesson: unknown lesson \"laplas\", did you mean \"laplace\"?"),
        "{unknown}"
    );
    assert!(item("file = 3").contains("item[0].file"));
    assert!(item("file = \"\"").contains("names no file"));
    assert!(item("scenario = \"format = 1\"").contains("item[0].scenario: is not valid"));
    assert!(item("lesson = \"laplace\"\nnote = \"n\"").contains("item[0].note"));
    let many = "[[item]]\nlesson = \"laplace\"\n".repeat(MAX_ITEMS + 1);
    assert!(told(&format!("format = 1\n{many}")).contains(&format!("at most {MAX_ITEMS}")));
    assert!(told("format = 2\n[[item]]\nlesson = \"laplace\"\n").contains("newer than this version"));
}

#[test]
fn a_file_with_a_playlist_is_read_where_a_scenario_was_looked_for() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("list.toml");
    std::fs::write(&path, "format = 1\n[[item]]\nfile = \"own.toml\"\n").unwrap();
    let Err(LoadError::Playlist { path: found, text }) = load(&path) else { panic!("it is a playlist") };
    let playlist = Playlist::read(&text, "list.toml", folder_of(&found).to_path_buf()).unwrap();
    assert_eq!(playlist.path_of(Path::new("own.toml")), folder.path().join("own.toml"));
}

#[test]
fn a_lesson_goes_in_by_name_and_what_was_changed_as_it_is() {
    let lesson = LESSONS[3].scenario().unwrap();
    assert_eq!(Shows::of(&lesson), Shows::Lesson(3));
    let changed = Scenario { seed: lesson.seed + 1, ..lesson };
    let Shows::Scenario(text) = Shows::of(&changed) else { panic!("it is no lesson") };
    assert_eq!(read(&text, "item", Path::new(".")).unwrap(), changed);
    assert_eq!(PlaylistItem::new(Shows::Scenario(text)).title(), changed.title);
}
