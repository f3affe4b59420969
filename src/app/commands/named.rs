//! Tests: what documents and lessons say of menus and keys, held against the table: every menu has the command that is named in it, and
//! every key that is to be pressed does something.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use super::{FILE_MENUS, Group, TABLE, key_words};
use crate::app::controls::parameters;
use engine::scenario::LESSONS;

/// The menus of the bar that a text can name, and the groups in them.
const MENUS: [(&str, &[Group]); 7] = [
    ("File", &[Group::File]),
    ("Edit", &[Group::Edit]),
    ("Run", &[Group::Run]),
    ("View", &[Group::Colours, Group::Panels, Group::View]),
    ("Help", &[Group::Help]),
    ("Layers", &[Group::Layers, Group::Draws, Group::Exact]),
    ("Fit", &[Group::Fit]),
];

/// An entry of the File menu that is a menu itself.
const RECENT: &str = "Open recent";

/// README, documents and lessons, with their names.
fn texts() -> Vec<(PathBuf, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let in_folder = |folder: &str, ending: &str| -> Vec<PathBuf> {
        let all = fs::read_dir(root.join(folder)).unwrap().map(|entry| entry.unwrap().path());
        all.filter(|path| path.extension().is_some_and(|found| found == ending)).collect()
    };
    let lessons =
        ["lessons", "experiments"].into_iter().flat_map(|folder| in_folder(&format!("assets/{folder}"), "toml"));
    let mut paths: Vec<PathBuf> = in_folder("docs", "md").into_iter().chain(lessons).collect();
    paths.push(root.join("README.md"));
    paths.into_iter().map(|path| (path.clone(), fs::read_to_string(path).unwrap())).collect()
}

/// Menus with the text that follows them: after `▸`, and after a comma in words that are set apart by stars.
fn menu_paths(text: &str) -> Vec<(&str, &str)> {
    let arrows = text.match_indices(" ▸ ").filter_map(|(at, sign)| {
        let menu = text[..at].rsplit(|c: char| !c.is_alphanumeric()).next()?;
        Some((menu, &text[at + sign.len()..]))
    });
    let commas = MENUS.iter().flat_map(|(menu, _)| {
        text.match_indices(&format!("*{menu}, "))
            .map(|(at, found)| (*menu, &text[at + found.len()..]))
            .collect::<Vec<_>>()
    });
    arrows.chain(commas).collect()
}

/// Whether a menu has a command whose name a text begins with, or a menu. What is in a menu of the File menu has that before it.
fn has(menu: &str, text: &str) -> bool {
    let in_file = |command| FILE_MENUS.iter().any(|(_, commands)| commands.contains(&command));
    if let Some((_, commands)) = FILE_MENUS.iter().find(|(name, _)| *name == menu) {
        return TABLE
            .iter()
            .any(|spec| commands.contains(&spec.command) && text.starts_with(spec.name.trim_end_matches('…')));
    }
    let Some((_, groups)) = MENUS.iter().find(|(name, _)| *name == menu) else { return false };
    let named = |name: &str| text.starts_with(name) || text.starts_with(name.trim_end_matches('…'));
    let commands = TABLE.iter().filter(|spec| groups.contains(&spec.group) && !in_file(spec.command));
    let menus = FILE_MENUS.iter().map(|(name, _)| *name).chain([RECENT]);
    commands.map(|spec| spec.name).any(named) || (menu == "File" && menus.into_iter().any(named))
}

/// Keys that a text names: a letter or F key that is pressed, or that follows Ctrl or Shift. Ctrl-C with a hyphen is a signal.
fn keys(text: &str) -> Vec<String> {
    let words: Vec<&str> =
        text.split(|c: char| !c.is_alphanumeric() && c != '-').filter(|word| !word.is_empty()).collect();
    let is_key = |word: &str| {
        let function = word.strip_prefix('F').is_some_and(|number| number.parse::<u8>().is_ok());
        function || (word.len() == 1 && word.starts_with(|c: char| c.is_ascii_uppercase()))
    };
    let mut found = Vec::new();
    for number in 0..words.len() {
        let modifiers = ["Ctrl", "Shift"];
        let held: Vec<&str> = words[number..].iter().copied().take_while(|word| modifiers.contains(word)).collect();
        let before = number.checked_sub(1).map_or("", |before| words[before]);
        let begins = (!held.is_empty() && !modifiers.contains(&before)) || before.eq_ignore_ascii_case("press");
        let key = words.get(number + held.len()).copied().unwrap_or_default();
        if begins && is_key(key) {
            found.push(held.into_iter().chain([key]).collect::<Vec<_>>().join(" "));
        }
    }
    found
}

#[test]
fn every_menu_that_a_text_names_has_the_command() {
    let mut count = 0;
    for (path, text) in texts() {
        for (menu, rest) in menu_paths(&text) {
            let named: String = rest.chars().take(30).collect();
            assert!(has(menu, rest), "{}: {menu} has no {named:?}", path.display());
            count += 1;
        }
    }
    assert!(count >= 5, "only {count} menus are named: is the search broken?");
}

#[test]
fn every_key_that_a_text_names_does_something() {
    // What is pasted comes as a text, not as a key.
    let pasted = std::iter::once("Ctrl V".to_owned());
    let known: BTreeSet<String> =
        TABLE.iter().flat_map(|spec| spec.keys).map(|key| key_words(*key)).chain(pasted).collect();
    let mut count = 0;
    for (path, text) in texts() {
        for key in keys(&text) {
            assert!(known.contains(&key), "{}: {key} does nothing", path.display());
            count += 1;
        }
    }
    assert!(count >= 20, "only {count} keys are named: is the search broken?");
}

#[test]
fn keys_and_menus_are_found_in_a_text() {
    let text = "Press N for others, or Shift+A; Ctrl+Shift+S saves, Ctrl-C ends. Shift it. *Run ▸ Sweep…* or *File, Copy ▸ Copy link…* do.";
    assert_eq!(keys(text), ["N", "Shift A", "Ctrl Shift S"]);
    let found: Vec<&str> = menu_paths(text).into_iter().map(|(menu, _)| menu).collect();
    assert_eq!(found, ["Run", "Copy", "File"]);
    assert!(
        has("Run", "Sweep…* does")
            && has("File", "Copy ▸ Copy link…")
            && has("Copy", "Copy link…")
            && !has("File", "Report…")
            && !has("View", "Sweep…")
    );
}

/// What a sentence asks to be set: `Halve the step size of the first run` asks for the step size.
fn set_in(sentence: &str) -> Option<&str> {
    const VERBS: [&str; 7] = ["Set", "Raise", "Lower", "Halve", "Double", "Divide", "Change"];
    const ENDS: [&str; 9] = [" of ", " to ", " until ", " below ", " during ", " by ", " in ", " and ", ","];
    let rest = VERBS.iter().find_map(|verb| sentence.strip_prefix(verb)?.strip_prefix(" the "))?;
    let rest = ["number of ", "share of "].iter().find_map(|what| rest.strip_prefix(what)).unwrap_or(rest);
    let end = ENDS.iter().filter_map(|end| rest.find(end)).min().unwrap_or(rest.len());
    Some(rest[..end].trim_end_matches(['.', ':', '?']))
}

/// The names in "Try" are those on the screen: labels of the target and of a run of the lesson.
#[test]
fn every_parameter_that_a_lesson_asks_to_be_set_is_on_the_screen() {
    let mut count = 0;
    for lesson in LESSONS {
        let scenario = lesson.scenario().unwrap();
        let settings = scenario.runs.iter().map(|run| &run.settings).chain([&scenario.target]);
        let of = settings.flat_map(|settings| parameters(settings, &[]));
        let labels: Vec<String> = of.map(|(label, ..)| label.to_lowercase()).collect();
        for sentence in scenario.caption.tries.iter().flat_map(|text| text.split(". ")) {
            let Some(asked) = set_in(sentence) else { continue };
            let known = labels.iter().any(|label| label.starts_with(&asked.to_lowercase()));
            assert!(known, "{}: {asked:?} of {sentence:?} is none of {labels:?}", lesson.name);
            count += 1;
        }
    }
    assert!(count >= 20, "only {count} parameters are named: is the search broken?");
}

#[test]
fn what_is_to_be_set_is_found_in_a_sentence() {
    assert_eq!(set_in("Halve the step size of the first run."), Some("step size"));
    assert_eq!(set_in("Set the number of chains to 1: could you tell?"), Some("chains"));
    assert_eq!(set_in("Press Space."), None);
}

/// No word of the code, and nothing that is called in two ways.
#[test]
fn lessons_use_the_words_of_the_screen() {
    for lesson in LESSONS {
        let (title, caption) = lesson.words();
        for text in caption.texts().chain([title.as_str()]) {
            for word in ["playhead", "time slider", "worth", "account for", "sorted order", "datum"] {
                assert!(!text.to_lowercase().contains(word), "{}: {word} in {text:?}", lesson.name);
            }
        }
    }
}
