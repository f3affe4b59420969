//! Which file of the source imports which, and circles of such imports.
//!
//! A file imports another one if a path in it leads to an item that the other one defines. A name that a file only passes on
//! (`pub use child::Item`) is followed to the file that defines it, so that a facade neither makes a circle nor hides one. A path
//! that ends at a module is no import; what is reached through it is. Tests, comments, strings and `mod x;` do not count, and
//! neither do methods, which need no path.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use super::rust_source::{Token, behind_bracket, code, is_path_word, tokens};

/// For each file, the files that it imports, each with a path by which it does.
pub type ImportGraph = BTreeMap<String, BTreeMap<String, String>>;

/// A module as the names on the way to it: `session`, `run` for crates/engine/src/session/run.rs.
type Module = Vec<String>;

/// A path as it is written, with the module in which it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Written {
    path: Vec<String>,
    from: Module,
}

/// What a file says of names.
#[derive(Debug, Default)]
struct Names {
    module: Module,
    /// Names of the items that it defines, those of its inline modules included.
    defined: BTreeSet<String>,
    /// Names that it takes from elsewhere by `use`.
    bound: BTreeMap<String, Written>,
    /// Those of them that it passes on without naming them otherwise.
    passed_on: BTreeSet<String>,
    /// Modules whose names it takes all, by `use a::*`, and whether it only passes them on.
    all_of: Vec<(Written, bool)>,
    /// Paths outside of `use`.
    inline: Vec<Written>,
}

/// A file of the program: its path below the source folder, its module, and its text.
pub struct SourceFile<'a> {
    pub path: &'a str,
    pub module: Vec<String>,
    pub text: &'a str,
}

/// The imports among some files.
pub fn import_graph(files: &[SourceFile<'_>]) -> ImportGraph {
    let all: BTreeMap<Module, (String, Names)> = files
        .iter()
        .map(|file| (file.module.clone(), (file.path.to_owned(), names(file.text, &file.module))))
        .collect();
    let imports_of = |names: &Names, path: &str| {
        let bound = names.bound.iter().filter(|(name, _)| !names.passed_on.contains(*name)).map(|(_, written)| written);
        let all_of = names.all_of.iter().filter(|(_, passed_on)| !passed_on).map(|(written, _)| (written, true));
        let written = bound.chain(&names.inline).map(|written| (written, false)).chain(all_of);
        let found = written.filter_map(|(written, whole)| {
            let found = resolve(&all, names, written, &[], &mut Vec::new())?;
            (found.path != path && (whole || !found.is_module)).then(|| (found.path, written.path.join("::")))
        });
        found.collect::<BTreeMap<String, String>>()
    };
    all.values().map(|(path, names)| (path.clone(), imports_of(names, path))).collect()
}

/// The file to which a path leads, and whether it ends at the module of that file.
struct Found {
    path: String,
    is_module: bool,
}

type Files = BTreeMap<Module, (String, Names)>;

/// Follows a path that stands in a file, with more names behind it. `None` for paths that leave the crate.
fn resolve(
    files: &Files,
    names: &Names,
    written: &Written,
    behind: &[String],
    tried: &mut Vec<(Module, Vec<String>)>,
) -> Option<Found> {
    let (first, rest) = written.path.split_first()?;
    let with_more = |rest: &[String]| -> Vec<String> { rest.iter().chain(behind).cloned().collect() };
    match first.as_str() {
        "crate" | "sampler_lab" => look_up(files, Vec::new(), &with_more(rest), tried),
        "self" | "super" => {
            let mut module = written.from.clone();
            let steps = written.path.iter().take_while(|word| ["self", "super"].contains(&word.as_str())).count();
            let up = written.path[..steps].iter().filter(|word| *word == "super").count();
            module.truncate(module.len().saturating_sub(up));
            look_up(files, module, &with_more(&written.path[steps..]), tried)
        }
        name => {
            let child: Module = names.module.iter().chain([first]).cloned().collect();
            if files.contains_key(&child) {
                return look_up(files, child, &with_more(rest), tried);
            }
            let bound = names.bound.get(name).filter(|bound| *bound != written)?;
            resolve(files, names, bound, &with_more(rest), tried)
        }
    }
}

/// Follows names that are seen from a module.
fn look_up(
    files: &Files,
    mut module: Module,
    names: &[String],
    tried: &mut Vec<(Module, Vec<String>)>,
) -> Option<Found> {
    let attempt = (module.clone(), names.to_vec());
    if tried.contains(&attempt) {
        return None;
    }
    tried.push(attempt);
    let child = names.first().map(|name| -> Module { module.iter().chain([name]).cloned().collect() });
    if let Some(child) = child.filter(|child| files.contains_key(child)) {
        return look_up(files, child, &names[1..], tried);
    }
    // An inline module lies in the file of the module around it.
    while !files.contains_key(&module) && module.pop().is_some() {}
    let (path, file) = files.get(&module)?;
    let Some((name, rest)) = names.split_first() else {
        return Some(Found { path: path.clone(), is_module: true });
    };
    if let Some(written) = file.bound.get(name).filter(|_| !file.defined.contains(name)) {
        return resolve(files, file, written, rest, tried);
    }
    let mut from_all = file.all_of.iter().filter(|_| !file.defined.contains(name));
    let passed_on = from_all.find_map(|(written, _)| resolve(files, file, written, names, tried));
    // What is not found is made by a macro of the file.
    passed_on.or(Some(Found { path: path.clone(), is_module: false }))
}

/// Reads what a file says of names.
fn names(text: &str, module: &[String]) -> Names {
    const ITEMS: [&str; 10] =
        ["fn", "struct", "enum", "union", "trait", "type", "const", "static", "mod", "macro_rules"];
    let code = code(text);
    let tokens = tokens(&code);
    let text = |index: usize| tokens.get(index).map_or("", |token| token.text);
    let mut names = Names { module: module.to_vec(), ..Names::default() };
    let (mut inner, mut depth): (Vec<(usize, String)>, usize) = (Vec::new(), 0);
    let (mut words, mut public): (BTreeSet<&str>, BTreeSet<String>) = (BTreeSet::new(), BTreeSet::new());
    let mut at = 0;
    while at < tokens.len() {
        match text(at) {
            "{" => depth += 1,
            "}" => {
                depth = depth.saturating_sub(1);
                inner.retain(|(opened, _)| *opened < depth);
            }
            "mod" if text(at + 2) == "{" => inner.push((depth, text(at + 1).to_owned())),
            _ => {}
        }
        let here = || -> Module { module.iter().chain(inner.iter().map(|(_, name)| name)).cloned().collect() };
        // `use<'a>` in a type is no import.
        if text(at) == "use" && text(at + 1) != "<" {
            let (mut found, passed_on) = (Vec::new(), is_public(&tokens, at));
            at = use_tree(&tokens, at + 1, &[], &mut found);
            for (path, name) in found {
                let written = Written { path, from: here() };
                match name.as_str() {
                    "*" => names.all_of.push((written, passed_on)),
                    "_" => names.inline.push(written),
                    _ => {
                        public.extend(passed_on.then(|| name.clone()));
                        names.bound.insert(name, written);
                    }
                }
            }
            continue;
        }
        let in_a_module = depth == inner.len() || text(at) == "mod" && depth + 1 == inner.len();
        if ITEMS.contains(&text(at)) && in_a_module {
            let skipped = ["!", "mut", "fn", "unsafe", "async", "extern"];
            let name = (at + 1..tokens.len()).map(text).find(|word| !skipped.contains(word));
            names.defined.extend(name.filter(|_| text(at) != "mod" || text(at + 2) == "{").map(str::to_owned));
        }
        let word = is_path_word(text(at)) && text(at) != ">";
        let inside = at > 0 && text(at - 1) == "::" && (at < 2 || is_path_word(text(at - 2)));
        // Names of modules, functions, methods and fields are not those that `use` takes.
        let other = at > 0 && ["mod", "fn", "."].contains(&text(at - 1)) || inside;
        if word && !other {
            words.insert(text(at));
        }
        if word && !inside && text(at + 1) == "::" {
            let mut path = vec![text(at).to_owned()];
            let mut end = at + 1;
            while text(end) == "::" && is_path_word(text(end + 1)) && text(end + 1) != ">" {
                path.push(text(end + 1).to_owned());
                end += 2;
            }
            names.inline.push(Written { path, from: here() });
        }
        at += 1;
    }
    names.passed_on = public.into_iter().filter(|name| !words.contains(name.as_str())).collect();
    names
}

/// Whether a `use` at an index passes its names on: `pub use`, `pub(super) use`.
fn is_public(tokens: &[Token<'_>], at: usize) -> bool {
    let mut before = tokens[..at].iter().rev().map(|token| token.text);
    match before.next() {
        Some("pub") => true,
        Some(")") => before.find(|word| *word == "(").is_some() && before.next() == Some("pub"),
        _ => false,
    }
}

/// The paths of a tree of `use`, each with the name that it gets; answers the index behind it.
fn use_tree(tokens: &[Token<'_>], mut at: usize, before: &[String], found: &mut Vec<(Vec<String>, String)>) -> usize {
    let text = |index: usize| tokens.get(index).map_or("", |token| token.text);
    let mut path = before.to_vec();
    loop {
        match text(at) {
            "{" => {
                let end = behind_bracket(tokens, at);
                at += 1;
                while at + 1 < end {
                    at = use_tree(tokens, at, &path, found).max(at + 1);
                    at += usize::from(text(at) == ",");
                }
                return end;
            }
            "*" => {
                found.push((path, "*".to_owned()));
                return at + 1;
            }
            "::" => {
                at += 1;
                continue;
            }
            word => path.push(word.to_owned()),
        }
        at += 1;
        if text(at) != "::" {
            break;
        }
        at += 1;
    }
    if path.len() > 1 && path.last().is_some_and(|last| last == "self") {
        path.pop();
    }
    let renamed = text(at) == "as";
    let name = if renamed { text(at + 1).to_owned() } else { path.last().cloned().unwrap_or_default() };
    found.push((path, name));
    if renamed { at + 2 } else { at }
}

/// The shortest circle through each group of files that can reach each other, as the files on its way.
pub fn circles(graph: &ImportGraph) -> Vec<Vec<String>> {
    let mut grouped: BTreeSet<&str> = BTreeSet::new();
    let mut circles = Vec::new();
    let all: BTreeMap<&str, BTreeSet<&str>> = graph.keys().map(|file| (file.as_str(), reached(graph, file))).collect();
    for (&file, reached) in &all {
        if grouped.contains(file) {
            continue;
        }
        let back = |other: &&str| all.get(other).is_some_and(|reached| reached.contains(file));
        let group: BTreeSet<&str> = reached.iter().copied().filter(back).collect();
        let shortest = group.iter().filter_map(|start| circle_through(graph, start)).min_by_key(Vec::len);
        circles.extend(shortest);
        grouped.extend(group);
    }
    circles
}

/// The files that a file imports, and those that these import, and so on.
pub fn reached<'a>(graph: &'a ImportGraph, file: &str) -> BTreeSet<&'a str> {
    let imports = |file: &str| graph.get(file).into_iter().flat_map(BTreeMap::keys).map(String::as_str);
    let mut found = BTreeSet::new();
    let mut waiting: Vec<&str> = imports(file).collect();
    while let Some(next) = waiting.pop() {
        if found.insert(next) {
            waiting.extend(imports(next));
        }
    }
    found
}

/// A shortest circle through a file: its files from this one on.
fn circle_through(graph: &ImportGraph, start: &str) -> Option<Vec<String>> {
    let mut before: BTreeMap<&str, &str> = BTreeMap::new();
    let (start, _) = graph.get_key_value(start)?;
    let mut waiting: VecDeque<&str> = VecDeque::from([start.as_str()]);
    while let Some(file) = waiting.pop_front() {
        for next in graph.get(file).into_iter().flat_map(BTreeMap::keys) {
            if next == start {
                let mut way = vec![file.to_owned()];
                while let Some(earlier) = way.last().and_then(|last| before.get(last.as_str())) {
                    way.push((*earlier).to_owned());
                }
                way.reverse();
                return Some(way);
            }
            if !before.contains_key(next.as_str()) {
                before.insert(next, file);
                waiting.push_back(next);
            }
        }
    }
    None
}

/// A circle in words: each file with the path by which it imports the next one.
pub fn in_words(graph: &ImportGraph, circle: &[String]) -> String {
    let next = circle.iter().cycle().skip(1);
    let steps = circle.iter().zip(next).map(|(file, next)| {
        let path = graph.get(file).and_then(|imports| imports.get(next)).map_or("", String::as_str);
        format!("{file} imports {next} by {path}")
    });
    steps.collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The graph of made-up files.
    fn graph(files: &[(&str, &str)]) -> ImportGraph {
        let module = |path: &str| -> Module {
            let path = path.trim_end_matches(".rs").trim_end_matches("/mod");
            path.split('/').filter(|name| *name != "lib").map(str::to_owned).collect()
        };
        let files: Vec<SourceFile<'_>> =
            files.iter().map(|(path, text)| SourceFile { path, module: module(path), text }).collect();
        import_graph(&files)
    }

    fn imports(graph: &ImportGraph, file: &str) -> Vec<String> {
        graph[file].keys().cloned().collect()
    }

    #[test]
    fn imports_lead_to_the_file_that_defines_an_item() {
        let rest: [(&str, &str); 4] = [
            ("lib.rs", "pub mod low;\npub mod high;"),
            (
                "low/mod.rs",
                "mod point;\npub use point::Point as Place;\npub fn own() {}\nmod inner { pub fn deep() {} }",
            ),
            ("low/point.rs", "pub struct Point;\npub const ORIGIN: Point = Point;"),
            ("high.rs", "pub fn other() {}"),
        ];
        for (text, expected) in [
            ("use crate::low::point::Point;", "low/point.rs"),
            ("use crate::low::Place;", "low/point.rs"),
            ("use super::low::{own, Place as There};", "low/mod.rs low/point.rs"),
            ("fn f() { crate::low::inner::deep(); }", "low/mod.rs"),
            ("use crate::low::point;\nfn f() { point::ORIGIN; }", "low/point.rs"),
            ("use crate::low::{self as down, own as _};\nfn f(a: down::point::Point) {}", "low/mod.rs low/point.rs"),
            ("fn f() { sampler_lab::high::other() }", "high.rs"),
            ("fn f<A: Into<super::high::MadeByAMacro>>() {}", "high.rs"),
            ("use crate::low::*;", "low/mod.rs"),
            ("use crate::low::point;", ""),
            ("mod child;\nuse egui::Ui;\nuse self::Nothing;", ""),
            ("pub use crate::low::own;", ""),
            ("pub use crate::low::own;\nfn f() { own(); }", "low/mod.rs"),
            ("pub(in crate::low) fn f() {}\n// use crate::high::other;\n#[cfg(test)]\nuse crate::high::other;", ""),
            ("mod inner {\n    use super::super::high::other;\n}", "high.rs"),
        ] {
            let files: Vec<(&str, &str)> = rest.into_iter().chain([("read.rs", text)]).collect();
            assert_eq!(imports(&graph(&files), "read.rs").join(" "), expected, "{text}");
        }
    }

    #[test]
    fn a_circle_is_found_through_a_facade_and_named_with_its_paths() {
        let files = [
            ("draw/mod.rs", "mod plot;\nmod list;\nmod axis;\npub use plot::show;"),
            ("draw/plot.rs", "use super::list::ALL;\nuse super::axis::ticks;\npub fn show() {}"),
            ("draw/list.rs", "pub const ALL: [fn(); 1] = [super::show];"),
            ("draw/axis.rs", "pub fn ticks() {}"),
        ];
        let graph = graph(&files);
        let found = circles(&graph);
        assert_eq!(found, [["draw/list.rs", "draw/plot.rs"]]);
        assert_eq!(
            in_words(&graph, &found[0]),
            "draw/list.rs imports draw/plot.rs by super::show, draw/plot.rs imports draw/list.rs by super::list::ALL"
        );
    }

    #[test]
    fn the_shortest_circle_of_each_group_is_told() {
        let files = [
            ("a.rs", "use crate::b::f;\npub fn f() {}"),
            ("b.rs", "use crate::c::f as g;\npub fn f() {}"),
            ("c.rs", "use crate::a::f as g;\nuse crate::b::f as h;\npub fn f() {}"),
            ("d/mod.rs", "mod e;\npub struct Input;\npub fn show() { e::show() }"),
            ("d/e.rs", "use super::Input;\npub fn show() {}"),
            ("f.rs", "use crate::a::f;\nuse crate::d::show;"),
        ];
        assert_eq!(circles(&graph(&files)), [["b.rs", "c.rs"], ["d/e.rs", "d/mod.rs"]]);
    }

    #[test]
    fn a_folder_that_only_passes_names_on_is_in_no_circle() {
        let files = [
            ("d/mod.rs", "mod e;\nmod input;\npub use e::show;\npub use input::Input;"),
            ("d/e.rs", "use super::Input;\npub fn show() {}"),
            ("d/input.rs", "pub struct Input;"),
        ];
        assert!(circles(&graph(&files)).is_empty());
    }
}
