//! The architecture as stated in ARCHITECTURE.md: who may import whom, what may compute a trajectory, and sizes that
//! keep files readable. The table of imports is read from that page.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use super::import_graph::{ImportGraph, SourceFile, circles, import_graph, in_words, reached};
use super::rust_source::{calls, imported, test_modules, without_tests};

/// Folders whose code a trajectory or a measure depends on.
const NUMBERS: [&str; 7] = ["math", "targets", "topics", "schedules", "methods", "diagnostics", "session"];

/// Functions of the platform's mathematical library, whose last bits differ between machines, and the fused
/// multiply-add, which rounds once instead of twice. Square roots and absolute values are exact everywhere.
#[rustfmt::skip]
const PLATFORM_ARITHMETIC: [&str; 30] = [
    "exp", "exp2", "exp_m1", "ln", "ln_1p", "log", "log2", "log10", "powf", "powi", "cbrt", "hypot",
    "sin", "cos", "sin_cos", "tan", "asin", "acos", "atan", "atan2", "sinh", "cosh", "tanh", "asinh", "acosh", "atanh",
    "gamma", "ln_gamma", "mul_add", "exp10",
];

/// Files of those folders that may call them all the same, and why no number depends on it.
const NOT_IN_A_NUMBER: [(&str, &str); 0] = [];

/// Modules whose files make no circle at all, also not with the `mod.rs` of their folder.
const WITHOUT_CIRCLES: [&str; 2] = ["draw", "app"];

/// Imports outside of those modules that close a circle, and why they stay. There a file may also import the head of its own
/// folder, which lists what the folder holds: `methods/mod.rs` has the trait and the registry of all methods.
#[rustfmt::skip]
const CLOSING_A_CIRCLE: [(&str, &str, &str); 42] = [
    ("cli/curves.rs", "cli/predicted.rs", "one list of files, of which those of predictions are tables too"),
    ("diagnostics/floor.rs", "diagnostics/truth/mod.rs", "a floor is made of the measures that are told with it"),
    ("diagnostics/ground_truth.rs", "diagnostics/prepared.rs", "a truth keeps what measures derive from it"),
    ("diagnostics/histogram.rs", "diagnostics/ground_truth.rs", "cells of draws are those of the truth, which pools them"),
    ("diagnostics/mode_map.rs", "diagnostics/places.rs", "a truth has the map that finds places on its grid"),
    ("diagnostics/predictions/input.rs", "diagnostics/predictions/known.rs", "what is known of a reference depends on the kind of predictions"),
    ("diagnostics/refutation.rs", "diagnostics/draw_counts.rs", "counts keep the far cells in which draws refute a truth"),
    ("diagnostics/refutation.rs", "diagnostics/truth/mod.rs", "a measure of a refuted truth has the same words"),
    ("methods/chunk.rs", "methods/gradient.rs", "one unit, says chunk.rs"),
    ("methods/chunk.rs", "methods/scratch.rs", "one unit, says chunk.rs"),
    ("methods/gaussian_vi.rs", "methods/vector_fits/gaussian_vi.rs", "the same method in the plane and in d dimensions"),
    ("methods/population.rs", "methods/topics/chain.rs", "the state of a population may be that of chains of topics"),
    ("methods/scratch.rs", "methods/adaptive_metropolis.rs", "scratch memory holds what each method needs"),
    ("methods/scratch.rs", "methods/expectation.rs", "scratch memory holds what each method needs"),
    ("methods/scratch.rs", "methods/gibbs.rs", "scratch memory holds what each method needs"),
    ("methods/scratch.rs", "methods/nuts/mod.rs", "scratch memory holds what each method needs"),
    ("methods/scratch.rs", "methods/stepwise.rs", "one unit, says chunk.rs"),
    ("methods/topics/mod.rs", "methods/svi/mod.rs", "SVI of topics is a choice of SVI, and averages as SVI does"),
    ("methods/vector_fits/laplace.rs", "methods/laplace.rs", "the same method in the plane and in d dimensions"),
    ("output/closing.rs", "output/staging.rs", "the end of the program removes what is staged, which is on its list"),
    ("params/named.rs", "params/settings.rs", "numbers with names are values, and look at the settings beside them"),
    ("scenario/assemble.rs", "scenario/segments.rs", "one unit, says segments.rs"),
    ("scenario/edit.rs", "scenario/adapt.rs", "an edited scenario is checked as a built one is"),
    ("scenario/edit.rs", "scenario/assemble.rs", "an edited scenario is checked as a built one is"),
    ("scenario/events.rs", "scenario/read.rs", "events are read with the reader of the scenario around them"),
    ("scenario/read.rs", "scenario/assemble.rs", "what was read is completed and built in the same pass"),
    ("scenario/read.rs", "scenario/caption.rs", "a caption is read with the reader of the scenario around it"),
    ("scene/topics/spread.rs", "scene/topics/picture.rs", "a picture has a spread, by its places"),
    ("session/frame.rs", "session/analysis.rs", "an analysis is made of a frame, and later frames show it"),
    ("session/frame.rs", "session/clock.rs", "a frame shows the time, which counts what runs have spent"),
    ("session/predictions.rs", "session/analysis.rs", "an analysis has measures of predictions, with its words for none"),
    ("session/run/counting.rs", "session/run/stretches.rs", "counts follow the chunks in which steps are taken"),
    ("session/warnings.rs", "session/frame.rs", "a warning is computed from a frame, which shows it"),
    ("targets/bivariate_mixture/sums.rs", "targets/bivariate_mixture/posterior.rs", "kernels of one posterior"),
    ("targets/density.rs", "targets/model.rs", "every density is a model, says model.rs"),
    ("targets/formula/pieces.rs", "targets/formula/survey.rs", "two results agree to the same digits"),
    ("targets/formula/plane.rs", "targets/formula/integral.rs", "integrals along one axis of integrals along the other"),
    ("targets/model.rs", "targets/network/mod.rs", "a model says whether it is a network, for methods of networks"),
    ("targets/network/choices.rs", "targets/network/labelled.rs", "a choice of data reads columns as all choices do"),
    ("targets/network/choices.rs", "targets/network/measured.rs", "a choice of data reads columns as all choices do"),
    ("targets/network/error.rs", "targets/network/layout.rs", "an error names the largest layout"),
    ("targets/network/predictions.rs", "targets/network/target.rs", "one posterior, and what its weights predict"),
];

/// Each module with the modules that it may import.
type ImportTable = Vec<(String, Vec<String>)>;

/// The table under "Who may import whom" in ARCHITECTURE.md. Each row is `` | `module` | `a`, `b` | `` or
/// `` | `module` | nothing | ``; anything else in a row is an error.
fn import_table(page: &str) -> ImportTable {
    let heading = "## Who may import whom";
    let section = page.split(heading).nth(1).unwrap_or_else(|| panic!("no heading {heading:?}"));
    let section = section.split("\n## ").next().unwrap();
    let rows = section.lines().filter(|line| line.starts_with("| `"));
    let name = |cell: &str| {
        let name = cell.trim().strip_prefix('`').and_then(|cell| cell.strip_suffix('`'));
        name.unwrap_or_else(|| panic!("{cell:?} is not a module in backticks")).to_owned()
    };
    rows.map(|row| {
        let cells: Vec<&str> = row.trim_matches('|').split('|').map(str::trim).collect();
        let [module, imports] = cells[..] else { panic!("not two columns: {row}") };
        let imports = if imports == "nothing" { Vec::new() } else { imports.split(',').map(name).collect() };
        (name(module), imports)
    })
    .collect()
}

fn read_import_table() -> ImportTable {
    import_table(&fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap())
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn source() -> PathBuf {
    root().join("src")
}

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
    files.sort();
    files
}

/// The folder where the modules lie that a file declares: src/session for src/session.rs and src/session/mod.rs.
fn folder_of_modules(file: &Path) -> PathBuf {
    match file.file_stem().unwrap().to_str().unwrap() {
        "mod" | "lib" | "main" => file.parent().unwrap().to_owned(),
        _ => file.with_extension(""),
    }
}

/// Each file of the source with its text, without those that some `#[cfg(test)] mod x;` declares.
fn files_of_the_program() -> Vec<(PathBuf, String)> {
    let read = |file: PathBuf| {
        let text = fs::read_to_string(&file).unwrap();
        (file, text)
    };
    let all: Vec<(PathBuf, String)> = rust_files(&source()).into_iter().map(read).collect();
    let tests: Vec<PathBuf> = all
        .iter()
        .flat_map(|(file, text)| test_modules(text).into_iter().map(|name| folder_of_modules(file).join(name)))
        .collect();
    let only_tests = |file: &Path| tests.iter().any(|test| file.with_extension("") == *test || file.starts_with(test));
    all.into_iter().filter(|(file, _)| !only_tests(file)).collect()
}

/// The path of the module in a file: `session`, `run` for src/session/run.rs and src/session/run/mod.rs; nothing for
/// src/lib.rs.
fn module_path(file: &Path) -> Vec<String> {
    let relative = file.strip_prefix(source()).unwrap().with_extension("");
    let mut path: Vec<String> = relative.iter().map(|part| part.to_str().unwrap().to_owned()).collect();
    if path.last().is_some_and(|last| last == "mod") || path == ["lib"] {
        path.pop();
    }
    path
}

/// What a file imports and may not.
fn forbidden_imports(table: &ImportTable, file: &Path, text: &str) -> Vec<String> {
    let path = module_path(file);
    let module = path.first().map_or("lib", String::as_str);
    let Some((_, allowed)) = table.iter().find(|(name, _)| name == module) else {
        return vec![format!("{module} is not in the table")];
    };
    let path: Vec<&str> = path.iter().map(String::as_str).collect();
    let mut found = imported(text, &path);
    found.remove(module);
    found
        .into_iter()
        .filter(|name| !allowed.contains(name))
        .map(|name| format!("{} imports {name}", file.display()))
        .collect()
}

#[test]
fn modules_import_only_what_the_table_allows() {
    let table = read_import_table();
    let violations: Vec<String> =
        files_of_the_program().iter().flat_map(|(file, text)| forbidden_imports(&table, file, text)).collect();
    assert!(violations.is_empty(), "{}", violations.join("\n"));
}

#[test]
fn the_table_has_no_circle_and_names_only_its_own_modules() {
    let table = read_import_table();
    let mut known: BTreeSet<String> = BTreeSet::from(["egui".to_owned()]);
    let mut rest = table.clone();
    while !rest.is_empty() {
        let (ready, waiting): (ImportTable, ImportTable) =
            rest.into_iter().partition(|(_, imports)| imports.iter().all(|import| known.contains(import)));
        assert!(!ready.is_empty(), "a circle, or a module without a row: {waiting:?}");
        known.extend(ready.into_iter().map(|(module, _)| module));
        rest = waiting;
    }
    assert!(table.len() > 10, "{table:?}");
}

/// Files with `#[cfg(test)] mod …;` near their top: all that follows belongs to the program and is checked.
#[test]
fn a_forbidden_import_is_found_behind_the_declaration_of_tests() {
    let table = read_import_table();
    let files: Vec<(PathBuf, String)> =
        files_of_the_program().into_iter().filter(|(_, text)| !test_modules(text).is_empty()).collect();
    for name in
        ["targets/mod.rs", "worker/mod.rs", "coverage/mod.rs", "diagnostics/chain/mod.rs", "math/kernels/mod.rs"]
    {
        assert!(files.iter().any(|(file, _)| file.ends_with(name)), "{name} declares no tests");
    }
    for (file, text) in files {
        assert_eq!(forbidden_imports(&table, &file, &text), [""; 0]);
        if file.components().any(|part| part.as_os_str() == "cli") {
            continue;
        }
        for import in
            ["use crate::cli::main;", "use crate::{\n    params::{self, Value},\n    cli::{list::{self}},\n};"]
        {
            let inserted = format!("#[cfg(test)]\nmod first;\n{text}\n{import}\n#[cfg(test)]\nmod last {{}}\n");
            let found = forbidden_imports(&table, &file, &inserted);
            assert!(found.contains(&format!("{} imports cli", file.display())), "{} {found:?}", file.display());
        }
        let in_tests = format!("{text}\n#[cfg(test)]\nmod last {{\n    use crate::cli::main;\n}}\n");
        assert_eq!(forbidden_imports(&table, &file, &in_tests), [""; 0]);
    }
}

/// The imports among the files of the program, by their paths below `src`.
fn imports() -> ImportGraph {
    let files: Vec<(String, Vec<String>, String)> = files_of_the_program()
        .into_iter()
        .map(|(file, text)| {
            let name = file.strip_prefix(source()).unwrap().to_str().unwrap().replace('\\', "/");
            (name, module_path(&file), text)
        })
        .collect();
    let files: Vec<SourceFile<'_>> =
        files.iter().map(|(path, module, text)| SourceFile { path, module: module.clone(), text }).collect();
    import_graph(&files)
}

/// Whether a file lies in the folder that another one is the head of: `methods/sgld.rs` in that of `methods/mod.rs`.
fn is_in_the_folder_of(file: &str, head: &str) -> bool {
    let (file, head) = (module_path(&source().join(file)), module_path(&source().join(head)));
    file.len() > head.len() && file.starts_with(&head)
}

fn is_without_circles(file: &str) -> bool {
    WITHOUT_CIRCLES.iter().any(|module| file.starts_with(&format!("{module}/")))
}

#[test]
fn files_of_draw_and_app_make_no_circle() {
    let mut graph = imports();
    graph.retain(|file, _| is_without_circles(file));
    assert!(graph.len() > 250 && graph.values().any(|imports| imports.len() > 20), "imports are no longer found");
    let found: Vec<String> = circles(&graph).iter().map(|circle| in_words(&graph, circle)).collect();
    assert!(found.is_empty(), "circles of imports:\n{}", found.join("\n"));
}

#[test]
fn files_of_the_engine_make_no_circle_but_those_that_are_listed() {
    let mut graph = imports();
    graph.retain(|file, _| !is_without_circles(file));
    for (file, imports) in &mut graph {
        imports.retain(|other, _| !is_in_the_folder_of(file, other));
    }
    let mut without = graph.clone();
    for (file, other, _) in CLOSING_A_CIRCLE {
        let known = without.get_mut(file).and_then(|imports| imports.remove(other));
        assert!(known.is_some(), "no longer needed: {file} does not import {other}");
    }
    let found: Vec<String> = circles(&without).iter().map(|circle| in_words(&without, circle)).collect();
    assert!(found.is_empty(), "new circles of imports:\n{}", found.join("\n"));
    for (file, other, reason) in CLOSING_A_CIRCLE {
        assert!(reached(&without, other).contains(file), "no longer needed: {file} imports {other}, {reason}");
    }
}

#[test]
fn no_platform_arithmetic_in_trajectories_and_measures() {
    let mut found = Vec::new();
    let mut exceptions: BTreeSet<&str> = NOT_IN_A_NUMBER.iter().map(|(file, _)| *file).collect();
    for (file, text) in files_of_the_program() {
        let name = file.strip_prefix(source()).unwrap().to_str().unwrap().replace('\\', "/");
        if !NUMBERS.iter().any(|folder| name.starts_with(&format!("{folder}/"))) {
            continue;
        }
        let calls = calls(&text, &PLATFORM_ARITHMETIC);
        if !calls.is_empty() && exceptions.remove(name.as_str()) {
            continue;
        }
        found.extend(calls.into_iter().map(|call| format!("src/{name}:{call}")));
    }
    assert!(found.is_empty(), "use math::kernels or libm, or say why no number depends on it:\n{}", found.join("\n"));
    assert!(exceptions.is_empty(), "no longer needed: {exceptions:?}");
}

#[test]
fn only_output_makes_moves_and_removes_files() {
    let changes = [
        "fs::write",
        "fs::rename",
        "fs::copy",
        "fs::remove_",
        "fs::create_dir",
        "File::create",
        "OpenOptions",
        "tempfile",
    ];
    let mut seen = false;
    for (file, text) in files_of_the_program() {
        let text = without_tests(&text);
        let found: Vec<&str> = changes.into_iter().filter(|change| text.contains(change)).collect();
        if file.starts_with(source().join("output")) {
            seen |= !found.is_empty();
        } else {
            assert!(found.is_empty(), "{}: {found:?}; use output::Staging", file.display());
        }
    }
    assert!(seen, "the names of these calls are no longer used");
}

#[test]
fn files_are_short_and_say_what_they_are() {
    for file in rust_files(&source()) {
        let text = fs::read_to_string(&file).unwrap();
        assert!(text.starts_with("//!"), "{} does not say what it is", file.display());
    }
    for (file, text) in files_of_the_program() {
        let lines = without_tests(&text).trim_end().lines().count();
        assert!(lines <= 400, "{} has {lines} lines without its tests", file.display());
    }
    let main = fs::read_to_string(source().join("main.rs")).unwrap();
    assert!(main.lines().count() <= 60);
}
