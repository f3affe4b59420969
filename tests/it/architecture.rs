//! The architecture as stated in ARCHITECTURE.md: who may import whom, and sizes that keep files readable. The compiler sees
//! to it that crates use only those below them; the order of the modules in a crate is read from the table of that page. What
//! a crate may not call is in its `clippy.toml`.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use super::import_graph::{ImportGraph, SourceFile, circles, import_graph, in_words, reached};
use super::rust_source::{imported, test_modules, without_tests};

/// Folders whose files make no circle at all, also not with the `mod.rs` of their folder.
const WITHOUT_CIRCLES: [&str; 2] = ["crates/draw/src/", "src/app/"];

/// The name of folders and files of `draw` with geometry, of one view or of several.
const GEOMETRY: &str = "geometry";

/// Imports outside of those modules that close a circle, and why they stay. There a file may also import the head of its own
/// folder, which lists what the folder holds: `methods/mod.rs` has the trait and the registry of all methods.
#[rustfmt::skip]
const CLOSING_A_CIRCLE: &[(&str, &str, &str)] = &[
    ("src/cli/curves.rs", "src/cli/predicted.rs", "one list of files, of which those of predictions are tables too"),
    ("crates/engine/src/diagnostics/noise_floor/mod.rs", "crates/engine/src/diagnostics/against_truth/mod.rs", "a floor is made of the measures that are told with it"),
    ("crates/engine/src/diagnostics/ground_truth.rs", "crates/engine/src/diagnostics/prepared.rs", "a truth keeps what measures derive from it"),
    ("crates/engine/src/diagnostics/histogram.rs", "crates/engine/src/diagnostics/ground_truth.rs", "cells of draws are those of the truth, which pools them"),
    ("crates/engine/src/diagnostics/mode_map.rs", "crates/engine/src/diagnostics/cell_lookup.rs", "a truth has the map that finds places on its grid"),
    ("crates/engine/src/diagnostics/predictions/input.rs", "crates/engine/src/diagnostics/predictions/known.rs", "what is known of a reference depends on the kind of predictions"),
    ("crates/engine/src/diagnostics/refutation.rs", "crates/engine/src/diagnostics/draw_counts.rs", "counts keep the far cells in which draws refute a truth"),
    ("crates/engine/src/diagnostics/refutation.rs", "crates/engine/src/diagnostics/against_truth/mod.rs", "a measure of a refuted truth has the same words"),
    ("crates/samplers/src/methods/kit/chunk.rs", "crates/samplers/src/methods/kit/gradient.rs", "one unit, says chunk.rs"),
    ("crates/samplers/src/methods/kit/chunk.rs", "crates/samplers/src/methods/kit/scratch.rs", "one unit, says chunk.rs"),
    ("crates/samplers/src/methods/approximations/gaussian_vi.rs", "crates/samplers/src/methods/approximations/in_d_dimensions/gaussian_vi.rs", "the same method in the plane and in d dimensions"),
    ("crates/samplers/src/methods/kit/population.rs", "crates/samplers/src/methods/topics/chain.rs", "the state of a population may be that of chains of topics"),
    ("crates/samplers/src/methods/kit/scratch.rs", "crates/samplers/src/methods/gradient_free/adaptive_metropolis.rs", "scratch memory holds what each method needs"),
    ("crates/samplers/src/methods/kit/scratch.rs", "crates/samplers/src/methods/approximations/expectation.rs", "scratch memory holds what each method needs"),
    ("crates/samplers/src/methods/kit/scratch.rs", "crates/samplers/src/methods/gradient_free/gibbs.rs", "scratch memory holds what each method needs"),
    ("crates/samplers/src/methods/kit/scratch.rs", "crates/samplers/src/methods/hamiltonian/nuts/mod.rs", "scratch memory holds what each method needs"),
    ("crates/samplers/src/methods/kit/scratch.rs", "crates/samplers/src/methods/kit/stepwise.rs", "one unit, says chunk.rs"),
    ("crates/samplers/src/methods/topics/mod.rs", "crates/samplers/src/methods/approximations/svi/mod.rs", "SVI of topics is a choice of SVI, and averages as SVI does"),
    ("crates/samplers/src/methods/approximations/in_d_dimensions/laplace.rs", "crates/samplers/src/methods/approximations/laplace/mod.rs", "the same method in the plane and in d dimensions"),
    ("src/output/closing.rs", "src/output/staging.rs", "the end of the program removes what is staged, which is on its list"),
    ("crates/base/src/params/named.rs", "crates/base/src/params/settings.rs", "numbers with names are values, and look at the settings beside them"),
    ("crates/engine/src/scenario/assemble.rs", "crates/engine/src/scenario/segments.rs", "one unit, says segments.rs"),
    ("crates/engine/src/scenario/edit.rs", "crates/engine/src/scenario/adapt.rs", "an edited scenario is checked as a built one is"),
    ("crates/engine/src/scenario/edit.rs", "crates/engine/src/scenario/assemble.rs", "an edited scenario is checked as a built one is"),
    ("crates/engine/src/scenario/events.rs", "crates/engine/src/scenario/read.rs", "events are read with the reader of the scenario around them"),
    ("crates/engine/src/scenario/read.rs", "crates/engine/src/scenario/assemble.rs", "what was read is completed and built in the same pass"),
    ("crates/engine/src/scenario/read_run.rs", "crates/engine/src/scenario/read.rs", "a run is read with the reader of the scenario around it"),
    ("crates/engine/src/scenario/read.rs", "crates/engine/src/scenario/caption.rs", "a caption is read with the reader of the scenario around it"),
    ("crates/engine/src/session/frame.rs", "crates/engine/src/session/analysis.rs", "an analysis is made of a frame, and later frames show it"),
    ("crates/engine/src/session/frame.rs", "crates/engine/src/session/clock.rs", "a frame shows the time, which counts what runs have spent"),
    ("crates/engine/src/session/predictions.rs", "crates/engine/src/session/analysis.rs", "an analysis has measures of predictions, with its words for none"),
    ("crates/engine/src/session/run/counting.rs", "crates/engine/src/session/run/step_ranges.rs", "counts follow the chunks in which steps are taken"),
    ("crates/engine/src/session/warnings.rs", "crates/engine/src/session/frame.rs", "a warning is computed from a frame, which shows it"),
    ("crates/models/src/targets/posteriors/bivariate_mixture/sums.rs", "crates/models/src/targets/posteriors/bivariate_mixture/posterior.rs", "kernels of one posterior"),
    ("crates/models/src/targets/density.rs", "crates/models/src/targets/model.rs", "every density is a model, says model.rs"),
    ("crates/models/src/targets/formula/pieces.rs", "crates/models/src/targets/formula/survey.rs", "two results agree to the same digits"),
    ("crates/models/src/targets/formula/plane.rs", "crates/models/src/targets/formula/integral.rs", "integrals along one axis of integrals along the other"),
    ("crates/models/src/targets/model.rs", "crates/models/src/targets/network/mod.rs", "a model says whether it is a network, for methods of networks"),
    ("crates/models/src/targets/network/choices.rs", "crates/models/src/targets/network/labelled.rs", "a choice of data reads columns as all choices do"),
    ("crates/models/src/targets/network/choices.rs", "crates/models/src/targets/network/measured.rs", "a choice of data reads columns as all choices do"),
    ("crates/models/src/targets/network/error.rs", "crates/models/src/targets/network/layout.rs", "an error names the largest layout"),
    ("crates/models/src/targets/network/predictions.rs", "crates/models/src/targets/network/target.rs", "one posterior, and what its weights predict"),
];

/// A row of the table: a crate, what all of it may import of other crates, and its modules with what else each may import.
#[derive(Clone, Debug)]
struct Row {
    name: String,
    crates: Vec<String>,
    modules: Vec<(String, Vec<String>)>,
}

/// Stands for all modules that a row does not name; they may import each other.
const OTHERS: &str = "others";

/// The table under "Who may import whom" in ARCHITECTURE.md. Each row is a crate in backticks, crates or nothing, and modules:
/// `` `one`; `other`: `one`; others: `one`, `other` ``. Anything else in a row is an error.
fn import_table(page: &str) -> Vec<Row> {
    let heading = "## Who may import whom";
    let section = page.split(heading).nth(1).unwrap_or_else(|| panic!("no heading {heading:?}"));
    let section = section.split("\n## ").next().unwrap();
    let rows = section.lines().filter(|line| line.starts_with("| `"));
    let name = |cell: &str| {
        let name = cell.trim().strip_prefix('`').and_then(|cell| cell.strip_suffix('`'));
        name.unwrap_or_else(|| panic!("{cell:?} is not a name in backticks")).to_owned()
    };
    let names = |cell: &str| match cell.trim() {
        "nothing" => Vec::new(),
        cell => cell.split(',').map(name).collect(),
    };
    let module = |cell: &str| {
        let (module, imports) = cell.split_once(':').unwrap_or((cell, "nothing"));
        (if module.trim() == OTHERS { OTHERS.to_owned() } else { name(module) }, names(imports))
    };
    rows.map(|row| {
        let cells: Vec<&str> = row.trim_matches('|').split('|').map(str::trim).collect();
        let [one, crates, modules] = cells[..] else { panic!("not three columns: {row}") };
        Row { name: name(one), crates: names(crates), modules: modules.split(';').map(module).collect() }
    })
    .collect()
}

fn read_import_table() -> Vec<Row> {
    import_table(&fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap())
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The name of the crate at the root of the project.
const PROGRAM: &str = "sampler-lab";

/// The folder of a crate.
fn folder_of(name: &str) -> PathBuf {
    if name == PROGRAM { root().to_owned() } else { root().join("crates").join(name) }
}

/// The sources of all crates.
fn sources() -> Vec<PathBuf> {
    let crates = fs::read_dir(root().join("crates")).unwrap().map(|entry| entry.unwrap().path());
    let mut sources: Vec<PathBuf> = crates.map(|folder| folder.join("src")).filter(|source| source.is_dir()).collect();
    sources.push(root().join("src"));
    sources.sort();
    sources
}

/// The path of a file below the root of the project, with `/` between its parts.
fn place(file: &Path) -> String {
    file.strip_prefix(root()).unwrap().to_str().unwrap().replace('\\', "/")
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

/// The folder where the modules lie that a file declares: app/model for app/model.rs and app/model/mod.rs.
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
    let all: Vec<(PathBuf, String)> = sources().iter().flat_map(|source| rust_files(source)).map(read).collect();
    let tests: Vec<PathBuf> = all
        .iter()
        .flat_map(|(file, text)| test_modules(text).into_iter().map(|name| folder_of_modules(file).join(name)))
        .collect();
    let only_tests = |file: &Path| tests.iter().any(|test| file.with_extension("") == *test || file.starts_with(test));
    all.into_iter().filter(|(file, _)| !only_tests(file)).collect()
}

/// The crate of a file, and the path of its module: `session`, `run` for crates/engine/src/session/run.rs and
/// crates/engine/src/session/run/mod.rs; nothing for src/lib.rs.
fn module_path(file: &Path) -> (String, Vec<String>) {
    let relative = file.strip_prefix(root()).unwrap().with_extension("");
    let mut path: Vec<String> = relative.iter().map(|part| part.to_str().unwrap().to_owned()).collect();
    let name = if path[0] == "crates" { path.drain(..2).nth(1).unwrap() } else { PROGRAM.to_owned() };
    path.remove(0);
    if path.last().is_some_and(|last| last == "mod") || path == ["lib"] {
        path.pop();
    }
    (name, path)
}

/// What a file imports and may not.
fn forbidden_imports(table: &[Row], file: &Path, text: &str) -> Vec<String> {
    let (name, path) = module_path(file);
    let Some(row) = table.iter().find(|row| row.name == name) else {
        return vec![format!("{name} is not in the table")];
    };
    // The root of a crate names its modules, and `main` what it calls.
    let Some(module) = path.first().filter(|module| *module != "main") else { return Vec::new() };
    let named = |module: &str| row.modules.iter().find(|(name, _)| name == module);
    let Some((_, allowed)) = named(module).or_else(|| named(OTHERS)) else {
        return vec![format!("{module} is not in the table")];
    };
    let path: Vec<&str> = path.iter().map(String::as_str).collect();
    let mut found = imported(text, &path);
    found.remove(module);
    found.remove(&name);
    let exists = |import: &str| {
        let place = folder_of(&name).join("src").join(import);
        place.is_dir() || place.with_extension("rs").exists()
    };
    // Types and constants at the root of a crate are no modules.
    let own = |import: &str| named(import).is_none() && (exists(import) || import.starts_with(char::is_uppercase));
    let others = named(module).is_none();
    found
        .into_iter()
        .filter(|import| !(allowed.contains(import) || row.crates.contains(import) || others && own(import)))
        .map(|import| format!("{} imports {import}", place(file)))
        .collect()
}

#[test]
fn modules_import_only_what_the_table_allows() {
    let table = read_import_table();
    let violations: Vec<String> =
        files_of_the_program().iter().flat_map(|(file, text)| forbidden_imports(&table, file, text)).collect();
    assert!(violations.is_empty(), "{}", violations.join("\n"));
}

/// Geometry is numbers and pixels: it knows nothing of egui, and of `draw` only other geometry and words.
#[test]
fn geometry_of_plots_needs_no_window() {
    let is_geometry = |file: &str| {
        let (name, path) = module_path(&root().join(file));
        name == "draw" && path.iter().any(|part| part == GEOMETRY)
    };
    let is_words = |file: &str| file.starts_with("crates/draw/src/words/");
    let (graph, mut seen) = (imports(), 0);
    for (file, text) in files_of_the_program().iter().filter(|(file, _)| is_geometry(&place(file))) {
        let path = module_path(file).1;
        let outside = imported(text, &path.iter().map(String::as_str).collect::<Vec<_>>());
        assert!(["egui", "figure"].iter().all(|window| !outside.contains(*window)), "{}: {outside:?}", place(file));
        let others: Vec<&String> =
            graph[&place(file)].keys().filter(|other| !(is_geometry(other) || is_words(other))).collect();
        assert!(others.is_empty(), "{} imports {others:?}", place(file));
        seen += 1;
    }
    assert!(seen > 30, "geometry is no longer found");
}

/// Our own crates among the dependencies of a crate, by its manifest.
fn own_dependencies(name: &str, known: &BTreeSet<String>) -> BTreeSet<String> {
    let manifest = fs::read_to_string(folder_of(name).join("Cargo.toml")).unwrap();
    let section = manifest.split("\n[dependencies]\n").nth(1).unwrap_or_default();
    let section = section.split("\n[").next().unwrap();
    let names = section.lines().filter_map(|line| line.split(['.', ' ']).next());
    names.filter(|name| known.contains(*name)).map(str::to_owned).collect()
}

#[test]
fn the_table_has_no_circle_and_is_that_of_the_manifests() {
    let table = read_import_table();
    let all: BTreeSet<String> = table.iter().map(|row| row.name.clone()).collect();
    let mut known = BTreeSet::new();
    for row in &table {
        let mut used: BTreeSet<String> = row.crates.iter().cloned().collect();
        let mut modules = BTreeSet::new();
        for (module, imports) in &row.modules {
            for import in imports.iter().filter(|import| *import != "egui" && !modules.contains(*import)) {
                assert!(all.contains(import), "{}: {import} does not stand before {module}", row.name);
                used.insert(import.clone());
            }
            let place = folder_of(&row.name).join("src").join(module);
            assert!(module == OTHERS || place.is_dir() || place.with_extension("rs").exists(), "there is no {module}");
            modules.insert(module.clone());
        }
        assert!(used.is_subset(&known), "{} uses a crate that does not stand before it: {used:?}", row.name);
        assert_eq!(used, own_dependencies(&row.name, &all), "{}", row.name);
        known.insert(row.name.clone());
    }
    assert_eq!(table.len(), sources().len(), "{table:?}");
}

/// Files with `#[cfg(test)] mod …;` near their top: all that follows belongs to the program and is checked.
#[test]
fn a_forbidden_import_is_found_behind_the_declaration_of_tests() {
    let table = read_import_table();
    let files: Vec<(PathBuf, String)> =
        files_of_the_program().into_iter().filter(|(_, text)| !test_modules(text).is_empty()).collect();
    for name in
        ["targets/mod.rs", "worker/mod.rs", "coverage/mod.rs", "diagnostics/chain/mod.rs", "math/elementary/mod.rs"]
    {
        assert!(files.iter().any(|(file, _)| file.ends_with(name)), "{name} declares no tests");
    }
    for (file, text) in files {
        assert_eq!(forbidden_imports(&table, &file, &text), [""; 0]);
        if module_path(&file).1.is_empty() {
            continue;
        }
        for import in [
            "use crate::elsewhere::main;",
            "use crate::{\n    params::{self, Value},\n    elsewhere::{list::{self}},\n};",
        ] {
            let inserted = format!("#[cfg(test)]\nmod first;\n{text}\n{import}\n#[cfg(test)]\nmod last {{}}\n");
            let found = forbidden_imports(&table, &file, &inserted);
            assert!(found.contains(&format!("{} imports elsewhere", place(&file))), "{} {found:?}", file.display());
        }
        let in_tests = format!("{text}\n#[cfg(test)]\nmod last {{\n    use crate::elsewhere::main;\n}}\n");
        assert_eq!(forbidden_imports(&table, &file, &in_tests), [""; 0]);
    }
}

/// The imports among the files of each crate; between crates the compiler allows no circle.
fn imports() -> ImportGraph {
    let files = files_of_the_program();
    let places: Vec<String> = files.iter().map(|(file, _)| place(file)).collect();
    let mut crates: BTreeMap<String, Vec<SourceFile<'_>>> = BTreeMap::new();
    for ((file, text), path) in files.iter().zip(&places) {
        let (name, module) = module_path(file);
        crates.entry(name).or_default().push(SourceFile { path, module, text });
    }
    crates.values().flat_map(|files| import_graph(files)).collect()
}

/// Whether a file lies in the folder that another one is the head of: `methods/langevin_dynamics/sgld.rs` in that of `methods/mod.rs`.
fn is_in_the_folder_of(file: &str, head: &str) -> bool {
    let (file, head) = (module_path(&root().join(file)).1, module_path(&root().join(head)).1);
    file.len() > head.len() && file.starts_with(&head)
}

fn is_without_circles(file: &str) -> bool {
    WITHOUT_CIRCLES.iter().any(|folder| file.starts_with(folder))
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
    for &(file, other, _) in CLOSING_A_CIRCLE {
        let known = without.get_mut(file).and_then(|imports| imports.remove(other));
        assert!(known.is_some(), "no longer needed: {file} does not import {other}");
    }
    let found: Vec<String> = circles(&without).iter().map(|circle| in_words(&without, circle)).collect();
    assert!(found.is_empty(), "new circles of imports:\n{}", found.join("\n"));
    for &(file, other, reason) in CLOSING_A_CIRCLE {
        assert!(reached(&without, other).contains(file), "no longer needed: {file} imports {other}, {reason}");
    }
}

/// A module is a file, or a folder with its `mod.rs`: no file has a folder of its name beside it.
#[test]
fn a_module_with_a_folder_is_in_it() {
    for file in sources().iter().flat_map(|source| rust_files(source)) {
        assert!(!file.with_extension("").is_dir(), "{} belongs into the folder of its name, as mod.rs", place(&file));
    }
}

/// Where the guide says how long an example is, it is so long.
#[test]
fn examples_are_as_long_as_the_guide_says() {
    let guide = fs::read_to_string(root().join("CONTRIBUTING.md")).unwrap();
    let examples = guide.lines().filter_map(|line| line.strip_prefix("Example: `")?.split_once('`'));
    let mut told = 0;
    for (path, rest) in examples {
        let Some((count, _)) = rest.strip_prefix(", ").and_then(|rest| rest.split_once(" lines")) else { continue };
        let lines = fs::read_to_string(root().join(path)).unwrap().lines().count();
        assert_eq!(count.parse::<usize>().unwrap(), lines, "{path}");
        told += 1;
    }
    assert!(told > 2, "{told} examples");
}

#[test]
fn files_are_short_and_say_what_they_are() {
    for file in sources().iter().flat_map(|source| rust_files(source)) {
        let text = fs::read_to_string(&file).unwrap();
        assert!(text.starts_with("//!"), "{} does not say what it is", file.display());
    }
    for (file, text) in files_of_the_program() {
        let lines = without_tests(&text).trim_end().lines().count();
        assert!(lines <= 400, "{} has {lines} lines without its tests", file.display());
    }
    let main = fs::read_to_string(root().join("src/main.rs")).unwrap();
    assert!(main.lines().count() <= 60);
}
