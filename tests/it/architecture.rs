//! The architecture as stated in ARCHITECTURE.md: who may import whom, what may compute a trajectory, and sizes that
//! keep files readable. The table of imports is read from that page.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

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
