//! Rust source as text: comments and strings blanked, test items removed, paths and calls found. No parser; enough for
//! the checks in `architecture.rs`, which says in its tests what is recognised.

use std::collections::BTreeSet;
use std::ops::Range;

/// The text with comments and the contents of strings and characters replaced by spaces. Bytes keep their places, and
/// lines stay lines.
pub fn blanked(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut out = bytes.to_vec();
    let mut at = 0;
    while at < bytes.len() {
        let end = literal_or_comment(bytes, at);
        if end == at {
            at += 1;
            continue;
        }
        for byte in &mut out[at..end] {
            if *byte != b'\n' {
                *byte = b' ';
            }
        }
        at = end;
    }
    String::from_utf8(out).unwrap()
}

/// The end of the comment, string or character that starts at a place, or the place itself when none does.
fn literal_or_comment(bytes: &[u8], at: usize) -> usize {
    let rest = &bytes[at..];
    let in_word = at > 0 && is_word(bytes[at - 1]);
    if rest.starts_with(b"//") {
        return at + rest.iter().position(|byte| *byte == b'\n').unwrap_or(rest.len());
    }
    if rest.starts_with(b"/*") {
        return at + block_comment(rest);
    }
    match rest[0] {
        b'"' => at + quoted(rest),
        b'\'' => at + character(rest),
        b'r' if !in_word || matches!(bytes[at - 1], b'b' | b'c') => at + raw_string(rest),
        _ => at,
    }
}

/// Length of a comment between `/*` and `*/`, which may hold others.
fn block_comment(text: &[u8]) -> usize {
    let (mut depth, mut at) = (0, 0);
    while at < text.len() {
        match &text[at..] {
            [b'/', b'*', ..] => (depth, at) = (depth + 1, at + 2),
            [b'*', b'/', ..] => (depth, at) = (depth - 1, at + 2),
            _ => at += 1,
        }
        if depth == 0 {
            return at;
        }
    }
    text.len()
}

/// Length of a string in quotes, with its escapes.
fn quoted(text: &[u8]) -> usize {
    let mut at = 1;
    while at < text.len() && text[at] != b'"' {
        at += if text[at] == b'\\' { 2 } else { 1 };
    }
    (at + 1).min(text.len())
}

/// Length of a raw string from its `r`, or 0: `r"…"`, `r##"…"##`; `r#type` is a word.
fn raw_string(text: &[u8]) -> usize {
    let hashes = text[1..].iter().take_while(|byte| **byte == b'#').count();
    if text.get(1 + hashes) != Some(&b'"') {
        return 0;
    }
    let close: Vec<u8> = [b'"'].into_iter().chain([b'#'].repeat(hashes)).collect();
    let body = &text[hashes + 2..];
    let end = body.windows(close.len()).position(|window| window == close);
    hashes + 2 + end.map_or(body.len(), |end| end + close.len())
}

/// Length of a character in quotes, or 0 for a lifetime.
fn character(text: &[u8]) -> usize {
    if text.get(1) == Some(&b'\\') {
        let close = text.iter().skip(3).position(|byte| *byte == b'\'');
        return close.map_or(text.len(), |close| close + 4);
    }
    let width = match text.get(1) {
        Some(0..0x80) | None => 1,
        Some(0x80..0xe0) => 2,
        Some(0xe0..0xf0) => 3,
        Some(0xf0..) => 4,
    };
    if text.get(1 + width) == Some(&b'\'') { width + 2 } else { 0 }
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}

/// A word or a single sign of blanked text, with its place.
#[derive(Clone, Debug)]
pub struct Token<'a> {
    pub text: &'a str,
    place: Range<usize>,
}

/// Words and signs of blanked text; `::` is one sign.
pub fn tokens(blanked: &str) -> Vec<Token<'_>> {
    let bytes = blanked.as_bytes();
    let mut tokens = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let length = match bytes[at] {
            byte if is_word(byte) => bytes[at..].iter().take_while(|byte| is_word(**byte)).count(),
            b':' if bytes.get(at + 1) == Some(&b':') => 2,
            _ => 1,
        };
        if !bytes[at].is_ascii_whitespace() {
            tokens.push(Token { text: &blanked[at..at + length], place: at..at + length });
        }
        at += length;
    }
    tokens
}

/// Index behind the bracket that closes the one at an index.
pub fn behind_bracket(tokens: &[Token<'_>], open: usize) -> usize {
    let mut depth = 0;
    for (index, token) in tokens.iter().enumerate().skip(open) {
        match token.text {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return index + 1;
        }
    }
    tokens.len()
}

/// Whether tokens begin with `#[cfg(…)]` whose condition asks for tests: `test`, `all(…)` with it, or `any(test, feature = "testing")`, which
/// stands before what tests of other crates use as well; here its string is blank.
fn is_test_attribute(tokens: &[Token<'_>]) -> bool {
    let text: Vec<&str> = tokens.iter().take(8).map(|token| token.text).collect();
    match text.as_slice() {
        ["#", "[", "cfg", "(", "test", ")", "]", ..] => true,
        ["#", "[", "cfg", "(", "any", "(", "test", ","] => {
            let rest: Vec<&str> = tokens.iter().skip(8).take(3).map(|token| token.text).collect();
            rest == ["feature", "=", ")"]
        }
        ["#", "[", "cfg", "(", "all", "(", ..] => {
            let condition = &tokens[4..behind_bracket(tokens, 3)];
            condition.iter().any(|token| token.text == "test") && !condition.iter().any(|token| token.text == "not")
        }
        _ => false,
    }
}

/// Index behind the item, statement or field that starts at an index, its other attributes included.
fn behind_item(tokens: &[Token<'_>], start: usize) -> usize {
    const UP_TO_SEMICOLON: [&str; 5] = ["use", "const", "static", "type", "let"];
    const UP_TO_BRACE: [&str; 9] = ["fn", "mod", "struct", "enum", "union", "trait", "impl", "unsafe", "async"];
    let text = |index: usize| tokens.get(index).map_or("", |token| token.text);
    let mut at = start;
    while text(at) == "#" {
        at = behind_bracket(tokens, at + 1);
    }
    if text(at) == "pub" {
        at = if text(at + 1) == "(" { behind_bracket(tokens, at + 1) } else { at + 1 };
    }
    let function = text(at) == "const" && ["fn", "unsafe", "async", "extern"].contains(&text(at + 1));
    let semicolon = UP_TO_SEMICOLON.contains(&text(at)) && !function;
    let comma = !semicolon && !function && !UP_TO_BRACE.contains(&text(at));
    while at < tokens.len() {
        match text(at) {
            ";" => return at + 1,
            "," if comma => return at + 1,
            ")" | "]" | "}" => return at,
            "{" => {
                at = behind_bracket(tokens, at);
                if !semicolon {
                    return at;
                }
            }
            "(" | "[" => at = behind_bracket(tokens, at),
            _ => at += 1,
        }
    }
    at
}

/// Places of items under `#[cfg(test)]`, and the names of modules among them that have a file of their own.
fn test_items(blanked: &str) -> (Vec<Range<usize>>, Vec<String>) {
    let tokens = tokens(blanked);
    let (mut places, mut files) = (Vec::new(), Vec::new());
    let mut at = 0;
    while at < tokens.len() {
        if !is_test_attribute(&tokens[at..]) {
            at += 1;
            continue;
        }
        let end = behind_item(&tokens, behind_bracket(&tokens, at + 1));
        places.push(tokens[at].place.start..tokens[end - 1].place.end);
        if let [.., module, name, semicolon] = &tokens[at..end]
            && (module.text, semicolon.text) == ("mod", ";")
        {
            files.push(name.text.to_owned());
        }
        at = end;
    }
    (places, files)
}

/// Names of the modules of a file that hold only tests and have a file of their own: `#[cfg(test)] mod tests;`.
pub fn test_modules(text: &str) -> Vec<String> {
    test_items(&blanked(text)).1
}

/// The text without its items under `#[cfg(test)]`, and without the lines they end in; comments stay.
pub fn without_tests(text: &str) -> String {
    let mut rest = text.to_owned();
    for place in test_items(&blanked(text)).0.into_iter().rev() {
        let line_end = usize::from(rest[place.end..].starts_with('\n'));
        rest.replace_range(place.start..place.end + line_end, "");
    }
    rest
}

/// What the compiler sees without tests: no test items, no comments, no strings.
pub fn code(text: &str) -> String {
    blanked(&without_tests(text))
}

/// Top-level modules that a file names, by `crate::`, `sampler_lab::` and `super::`, in nested groups as well, and our other crates. `egui`
/// stands for egui, its parts and its relatives; `crate` for the whole crate under another name or by `*`, behind which
/// any module may hide. `module` is the path of the file's own module, `["session", "run"]` for the file session/run.rs of a crate.
pub fn imported(text: &str, module: &[&str]) -> BTreeSet<String> {
    let code = code(text);
    let tokens = tokens(&code);
    let text = |index: usize| tokens.get(index).map_or("", |token| token.text);
    let mut found = BTreeSet::new();
    let mut inline: Vec<(usize, String)> = Vec::new();
    let mut depth = 0;
    for at in 0..tokens.len() {
        match text(at) {
            "{" => depth += 1,
            "}" => {
                depth -= 1;
                inline.retain(|(opened, _)| *opened < depth);
            }
            "mod" if text(at + 2) == "{" => inline.push((depth, text(at + 1).to_owned())),
            _ => {}
        }
        if text(at) == "extern" && text(at + 1) == "crate" && text(at + 2) == "self" {
            found.insert("crate".to_owned());
        }
        if is_egui(text(at)) && (text(at + 1) == "::" || text(at + 1) == "as" || text(at.wrapping_sub(1)) == "use") {
            found.insert("egui".to_owned());
        }
        let inside_a_path = at > 0 && text(at - 1) == "::" && (at < 2 || is_path_word(text(at - 2)));
        let named = text(at + 1) == "::" || at > 0 && text(at - 1) == "use";
        if CRATES.contains(&text(at)) && !inside_a_path && named {
            found.insert(text(at).to_owned());
        }
        let root = ["crate", "sampler_lab", "super", "self"].contains(&text(at));
        if root && !inside_a_path && (text(at + 1) == "::" || text(at + 1) == "as" && text(at) != "self") {
            let here: Vec<&str> = module.iter().copied().chain(inline.iter().map(|(_, name)| name.as_str())).collect();
            let start = if ["crate", "sampler_lab"].contains(&text(at)) { Vec::new() } else { here };
            follow(&tokens, at, &start, &mut found);
        }
    }
    found
}

/// The words that may stand before `::` inside a path.
pub fn is_path_word(text: &str) -> bool {
    text.bytes().all(is_word) && !["use", "in", "as", "return", "mut", "dyn", "impl", "ref"].contains(&text)
        || text == ">"
}

/// Our crates below the window, by the names that the code has for them.
const CRATES: [&str; 6] = ["base", "models", "samplers", "engine", "figure", "draw"];

fn is_egui(word: &str) -> bool {
    ["egui", "eframe", "epaint", "emath", "ecolor"].contains(&word) || word.starts_with("egui_")
}

/// Follows one path, or one tree of `use`, from the word at an index in the module `from`, and notes the first segment
/// of every path in it. Answers the index behind it.
fn follow(tokens: &[Token<'_>], mut at: usize, from: &[&str], found: &mut BTreeSet<String>) -> usize {
    let text = |index: usize| tokens.get(index).map_or("", |token| token.text);
    let mut path = from.to_vec();
    loop {
        match text(at) {
            "crate" | "sampler_lab" | "self" => {}
            "super" => {
                path.pop();
            }
            "{" => {
                let end = behind_bracket(tokens, at);
                at += 1;
                while at + 1 < end {
                    at = follow(tokens, at, &path, found).max(at + 1);
                    at += usize::from(text(at) == ",");
                }
                return end;
            }
            "*" => {
                found.insert(path.first().map_or("crate", |first| first).to_owned());
                return at + 1;
            }
            word => path.push(word),
        }
        at += 1;
        if text(at) != "::" || text(at + 1) == "<" {
            break;
        }
        at += 1;
    }
    found.insert(path.first().map_or("crate", |first| first).to_owned());
    if text(at) == "as" { at + 2 } else { at }
}

#[test]
fn comments_strings_and_characters_are_blank() {
    for (text, expected) in [
        ("a // b\nc", "a     \nc"),
        ("a /* b /* c */ d */ e", "a                   e"),
        (r#"f("a\"b") g"#, "f(      ) g"),
        ("r#\"a \" b\"# c", "           c"),
        ("let c = '\"'; 'a: loop {}", "let c =    ; 'a: loop {}"),
        (r"('\'', '\u{1F600}', 'ε') x", "(    ,            ,     ) x"),
        ("r#type", "r#type"),
    ] {
        let found = blanked(text);
        assert_eq!(found.len(), text.len());
        assert_eq!(found, expected.to_owned(), "{text}");
    }
}

#[test]
fn only_test_items_are_removed() {
    for (text, expected) in [
        ("#[cfg(test)]\nmod tests;\nuse a;", "use a;"),
        ("#[cfg(test)]\nmod tests { fn f() { \"}\" } }\nuse a;", "use a;"),
        ("#[cfg(test)] #[path = \"x.rs\"] pub(in crate::a) mod tests;\nuse a;", "use a;"),
        ("#[cfg(test)]\nuse a::{b, c};\nuse d;", "use d;"),
        ("#[cfg(test)]\npub const fn f(x: [u8; 3]) -> u8 { 1 }\nuse a;", "use a;"),
        ("#[cfg(test)]\nconst X: S = S { a: 1 };\nuse a;", "use a;"),
        ("#[cfg(test)]\nimpl A<B, C> for D {}\nuse a;", "use a;"),
        ("struct S {\n#[cfg(test)]\na: u8,\nb: u8 }", "struct S {\nb: u8 }"),
        ("match a {\n#[cfg(test)]\nA => b(1, 2),\nB => c, }", "match a {\nB => c, }"),
        ("fn f() {\n#[cfg(test)]\nlet a = { 1 };\nb }", "fn f() {\nb }"),
        ("#[cfg(all(test, unix))]\nmod a {}\nuse a;", "use a;"),
        ("#[cfg(any(test, feature = \"testing\"))]\nmod a {}\nuse a;", "use a;"),
        ("#[cfg(any(test, unix))]\nmod a {}", "#[cfg(any(test, unix))]\nmod a {}"),
        ("#[cfg(not(test))]\nmod a {}", "#[cfg(not(test))]\nmod a {}"),
        ("// #[cfg(test)]\nmod a {}", "// #[cfg(test)]\nmod a {}"),
    ] {
        assert_eq!(without_tests(text), expected, "{text}");
    }
    assert_eq!(test_modules("#[cfg(test)]\npub(crate) mod a;\n#[cfg(test)]\nmod b {}\nmod c;"), ["a"]);
}

#[test]
fn imports_are_found_however_they_are_written() {
    let here = ["session", "run"];
    for (text, expected) in [
        ("use crate::{math::Point, session::Frame};", "math session"),
        (
            "use crate::{\n    math::{self, kernels::{exp, ln}},\n    worker::{\n        Status,\n    },\n    cli,\n};",
            "cli math worker",
        ),
        ("use {crate::math, crate::worker::{self as w}};", "math worker"),
        ("let x = crate::worker::Worker::<crate::math::Point>::start();", "math worker"),
        ("use sampler_lab::cli;", "cli"),
        ("use ::sampler_lab::cli;", "cli"),
        ("use super::super::worker::Worker;", "worker"),
        ("use super::super::{worker, math::Point};", "math worker"),
        ("use self::super::super::worker;", "worker"),
        ("use super::Session;", "session"),
        ("use self::parts::Part;", "session"),
        ("mod inner {\n    use super::super::super::worker;\n}\nuse super::super::math;", "math worker"),
        ("use crate as all;", "crate"),
        ("use crate::{self as all};", "crate"),
        ("use crate::*;", "crate"),
        ("use super::super::*;", "crate"),
        ("extern crate self as all;", "crate"),
        ("macro_rules! m { () => { $crate::worker::f() } }", "worker"),
        ("pub(crate) fn f() {} pub(super) fn g() {} pub(in crate::session) fn h() {}", "session"),
        ("fn f(ui: &mut egui::Ui) {}", "egui"),
        ("use egui_plot as plot;", "egui"),
        ("use {epaint::Mesh};", "egui"),
        ("use draw::theme;", "draw"),
        ("let point = base::math::Point::zeros();", "base"),
        ("use draw as plots;", "draw"),
        ("use crate::parts::draw::Pen;", "parts"),
        ("let number = draw(figure, draw as u64);", ""),
        ("// use crate::worker;\nlet a = \"crate::worker\";", ""),
        ("#[cfg(test)]\nmod tests;\nuse crate::worker;", "worker"),
        ("#[cfg(test)]\nmod tests { use crate::cli; }\nuse crate::worker;", "worker"),
    ] {
        let found: Vec<String> = imported(text, &here).into_iter().collect();
        assert_eq!(found.join(" "), expected, "{text}");
    }
}
