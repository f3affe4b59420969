//! The architecture as stated in ARCHITECTURE.md: who may import whom, and sizes that keep the house tidy.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Each module with the modules it may name. `egui` stands for egui, eframe and egui_plot.
const MAY_IMPORT: &[(&str, &[&str])] = &[
    ("params", &[]),
    ("math", &[]),
    ("targets", &["math", "params"]),
    ("schedules", &["math", "params"]),
    ("methods", &["math", "params", "targets", "schedules"]),
    ("diagnostics", &["math", "targets"]),
    ("scenario", &["math", "params", "targets", "schedules", "methods", "diagnostics"]),
    ("session", &["math", "params", "targets", "schedules", "methods", "diagnostics", "scenario"]),
    ("worker", &["params", "scenario", "session"]),
    ("scene", &["math", "targets", "diagnostics", "session"]),
    ("figure", &["egui"]),
    (
        "draw",
        &[
            "math",
            "params",
            "targets",
            "schedules",
            "methods",
            "diagnostics",
            "scenario",
            "session",
            "scene",
            "figure",
            "egui",
        ],
    ),
    (
        "app",
        &[
            "math",
            "params",
            "targets",
            "schedules",
            "methods",
            "diagnostics",
            "scenario",
            "session",
            "worker",
            "scene",
            "figure",
            "draw",
            "egui",
        ],
    ),
    (
        "cli",
        &[
            "math",
            "params",
            "targets",
            "schedules",
            "methods",
            "diagnostics",
            "scenario",
            "session",
            "figure",
            "draw",
            "app",
        ],
    ),
    ("lib", &[]),
    ("main", &["cli"]),
];

fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files.extend(rust_files(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    files
}

/// Files that hold nothing but tests.
fn is_test(file: &Path) -> bool {
    file.components().any(|part| part.as_os_str() == "tests" || part.as_os_str() == "tests.rs")
}

fn source() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}

/// The top-level module a file belongs to: `session` for src/session/run.rs, `worker` for src/worker.rs.
fn module_of(file: &Path) -> String {
    let relative = file.strip_prefix(source()).unwrap();
    relative.components().next().unwrap().as_os_str().to_str().unwrap().trim_end_matches(".rs").to_owned()
}

/// The text without its tests and without comments: both may name anything.
fn code(file: &Path) -> String {
    let text = fs::read_to_string(file).unwrap();
    let code = text.split("#[cfg(test)]\nmod ").next().unwrap();
    code.lines().filter(|line| !line.trim_start().starts_with("//")).collect::<Vec<_>>().join("\n")
}

/// Words that follow `crate::`, also inside braces: `use crate::{math::Point, params::Value}`.
fn imported(code: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let word = |text: &str| text.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect::<String>();
    for start in ["crate::", "sampler_lab::"] {
        for (index, _) in code.match_indices(start) {
            let rest = &code[index + start.len()..];
            if let Some(group) = rest.strip_prefix('{') {
                let group = &group[..group.find("};").unwrap_or(group.len())];
                found.extend(group.split(',').map(|item| word(item.trim())));
            } else {
                found.insert(word(rest));
            }
        }
    }
    if ["egui::", "eframe::", "egui_plot::"].iter().any(|name| code.contains(name)) {
        found.insert("egui".to_owned());
    }
    found
}

#[test]
fn modules_import_only_what_the_table_allows() {
    let mut violations = Vec::new();
    for file in rust_files(&source()).into_iter().filter(|file| !is_test(file)) {
        let module = module_of(&file);
        let (_, allowed) = MAY_IMPORT
            .iter()
            .find(|(name, _)| *name == module)
            .unwrap_or_else(|| panic!("{module} is not in the table"));
        for name in imported(&code(&file)) {
            let known = name == "egui" || MAY_IMPORT.iter().any(|(other, _)| *other == name);
            if known && name != module && !allowed.contains(&name.as_str()) {
                violations.push(format!("{} imports {name}", file.display()));
            }
        }
    }
    assert!(violations.is_empty(), "{}", violations.join("\n"));
}

#[test]
fn the_table_finds_a_forbidden_import() {
    assert!(imported("use crate::{math::Point, session::Frame};").contains("session"));
    assert!(imported("fn f(ui: &mut egui::Ui) {}").contains("egui"));
    assert!(imported("let x = crate::worker::Worker::start();").contains("worker"));
}

#[test]
fn files_are_short_and_say_what_they_are() {
    for file in rust_files(&source()) {
        let text = fs::read_to_string(&file).unwrap();
        assert!(text.starts_with("//!"), "{} does not say what it is", file.display());
        let lines = text.split("#[cfg(test)]\nmod ").next().unwrap().lines().count();
        assert!(lines <= 400 || is_test(&file), "{} has {lines} lines without its tests", file.display());
    }
    let main = fs::read_to_string(source().join("main.rs")).unwrap();
    assert!(main.lines().count() <= 60);
}
