//! Tests of `cite`: the papers behind a scenario.

use sampler_lab::scenario::LESSONS;

use super::cli::{call, folder_with};

/// The entries of BibTeX in a text: each is closed, in ASCII, and has a key of its own.
fn keys(text: &str) -> Vec<String> {
    assert!(text.is_ascii(), "{text}");
    let entries: Vec<&str> = text.split("\n\n").collect();
    let key = |entry: &&str| {
        let (comment, rest) = entry.split_once('\n').unwrap();
        assert!(comment.starts_with("% ") && rest.starts_with('@') && rest.trim_end().ends_with("\n}"), "{entry}");
        let depth = rest.chars().fold(0_i32, |depth, letter| match letter {
            '{' => depth + 1,
            '}' => depth - 1,
            _ => depth,
        });
        assert_eq!(depth, 0, "{entry}");
        for field in ["author", "title", "year"] {
            assert!(rest.contains(&format!("\n  {field} = {{")), "{field}: {entry}");
        }
        rest.split_once('{').unwrap().1.split_once(',').unwrap().0.to_owned()
    };
    let keys: Vec<String> = entries.iter().map(key).collect();
    assert!(keys.iter().enumerate().all(|(at, key)| !keys[..at].contains(key)), "{keys:?}");
    keys
}

#[test]
fn the_papers_of_methods_and_measures_are_listed_once() {
    let text = "format = 1\n[target]\nkind = \"gaussian-grid\"\n[[run]]\nname = \"A\"\nmethod = \"csgld\"\nsteps = 100\n[[run]]\nname = \"B\"\nmethod = \"csghmc\"\n\
                steps = 100\n[view]\nmeasures = [\"rhat\", \"ess_bulk\", \"tv\"]\n";
    let folder = folder_with("a.toml", text);
    let (code, out, err) = call(&folder, &["cite", "a.toml"]);
    assert_eq!((code, err.as_str()), (0, ""));
    assert_eq!(keys(&out), ["samplerlab2026", "zhang2020", "chen2014", "vehtari2021"]);
    assert!(out.contains("% cSGLD, cSGHMC\n@inproceedings{zhang2020,") && out.contains("B{\\\"u}rkner"), "{out}");
    let (code, out, _) = call(&folder, &["cite", "a.toml", "--as", "text"]);
    assert!(
        code == 0 && out.contains("rhat, ess_bulk: Vehtari, Gelman, Simpson, Carpenter and Bürkner (2021), “"),
        "{out}"
    );
    assert_eq!(call(&folder, &["cite", "b.toml"]).0, 2);
}

#[test]
fn every_lesson_has_papers() {
    let folder = folder_with("unused.toml", "");
    for lesson in LESSONS.iter().step_by(3) {
        let (code, out, err) = call(&folder, &["cite", lesson.name]);
        assert_eq!((code, err.as_str()), (0, ""), "{}", lesson.name);
        assert!(keys(&out).len() > 1, "{}: {out}", lesson.name);
    }
}
