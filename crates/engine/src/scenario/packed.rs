//! Packed scenarios: a file whose experiment is compressed, so that nobody reads by accident what a hand-out hides. It keeps no secret:
//! this program unpacks it for everyone. Links are packed in the same way.
//!
//! The text is deflated (RFC 1951), in the alphabet of base64 for addresses (RFC 4648, section 5) without padding.

use std::io::{Read, Write};

use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use flate2::Compression;
use flate2::read::DeflateDecoder;
use flate2::write::DeflateEncoder;
use serde::Deserialize;

use super::errors::{ScenarioError, ScenarioErrors};
use super::{FORMAT, MAX_BYTES};

/// What a packed file says to a person who opens it in an editor.
const COMMENT: &str = "# A hand-out: the experiment is packed, so that this file does not tell what is to be found out.\n\
                       # Sampler Lab opens it as any other file.\n";

/// The key of the packed text.
const KEY: &str = "packed";

/// A packed file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    format: u64,
    packed: String,
}

/// The letters of a packed text.
#[must_use]
pub fn pack(text: &str) -> String {
    let mut deflated = DeflateEncoder::new(Vec::new(), Compression::best());
    // Writing to memory cannot fail.
    let bytes = deflated.write_all(text.as_bytes()).and_then(|()| deflated.finish()).unwrap_or_default();
    BASE64_URL_SAFE_NO_PAD.encode(bytes)
}

/// The text in the letters of a packed one, at most one byte more than [`MAX_BYTES`]: a few bytes can become very many. `None` if it is
/// damaged.
#[must_use]
pub fn unpack(letters: &str) -> Option<String> {
    let bytes = BASE64_URL_SAFE_NO_PAD.decode(letters).ok()?;
    let mut text = String::new();
    DeflateDecoder::new(&bytes[..]).take(MAX_BYTES as u64 + 1).read_to_string(&mut text).ok()?;
    Some(text)
}

/// A file with a text packed in it.
pub(super) fn file(text: &str) -> String {
    format!("{COMMENT}format = {FORMAT}\n{KEY} = \"{}\"\n", pack(text))
}

/// The text that is packed in a file; `None` of a file that is not packed, which is read as it is.
pub(super) fn inside(text: &str, name: &str) -> Option<Result<String, ScenarioErrors>> {
    let line = text.lines().position(|line| line.starts_with(KEY))?;
    let file: File = toml::from_str(text).ok().filter(|file: &File| file.format == FORMAT)?;
    let damaged = || ScenarioErrors {
        errors: vec![ScenarioError {
            file: name.to_owned(),
            line: line + 1,
            column: 1,
            key: KEY.to_owned(),
            problem: "the packed experiment is damaged: it ends too early, or letters are wrong".to_owned(),
            allowed: "the file as it was written, as a whole".to_owned(),
        }],
        more: 0,
    };
    Some(unpack(&file.packed).ok_or_else(damaged))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenario::{LESSONS, Lesson, Scenario, ViewSpec, read, write};

    fn packed(scenario: Scenario) -> Scenario {
        let view = ViewSpec { packed: true, ..scenario.view };
        Scenario { view, ..scenario }
    }

    #[test]
    fn a_packed_lesson_comes_back_and_its_file_has_none_of_its_words() {
        for lesson in LESSONS.iter().step_by(7) {
            let scenario = packed(lesson.unbuilt().unwrap());
            let text = write(&scenario);
            let names = scenario.runs.iter().map(|run| &run.name).chain([&scenario.title]);
            assert!(names.filter(|name| name.len() > 4).all(|name| !text.contains(name.as_str())), "{text}");
            assert!(!text.contains(&format!("\"{}\"", scenario.target.kind.name)) && text.starts_with("# A hand-out"));
            let back = read(&text, "packed", ".").unwrap();
            assert!(back.view.packed && back.same_but_view(&scenario), "{}", lesson.name);
            assert_eq!(write(&back), text);
        }
    }

    #[test]
    fn what_is_wrong_with_a_packed_file_is_told() {
        let whole = write(&packed(Lesson::find("laplace").unwrap().unbuilt().unwrap()));
        let told = |text: &str| read(text, "a.toml", ".").unwrap_err().to_string();
        assert!(
            told(&whole.replace("packed = \"", "packed = \"%"))
                .starts_with("a.toml:4:1: packed: the packed experiment is damaged")
        );
        let short = format!("format = 1\npacked = \"{}\"\n", &pack("format = 1\n")[..6]);
        assert!(told(&short).contains("damaged") || told(&short).contains("target"));
        // What is inside is read as any other text.
        assert!(told(&file("format = 1\ncolour = 2\n")).contains("colour"));
        assert!(told(&file(&whole)).contains("packed"), "it is packed once");
        assert!(told(&whole.replace("format = 1", "format = 2")).contains("format"));
        assert!(told(&format!("{whole}title = \"A\"\n")).contains("packed"));
    }

    #[test]
    fn a_text_that_grows_without_end_is_refused() {
        let large = "#".repeat(MAX_BYTES + 10);
        assert!(read(&file(&large), "a.toml", ".").unwrap_err().to_string().contains("too many"));
    }
}
