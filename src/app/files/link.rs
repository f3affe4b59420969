//! Links: an experiment in the fragment of an address, which browsers keep to themselves.
//!
//! `https://…/#authors-code` names a lesson. `https://…/#1.` and more is a scenario file with its `[view]`, step and mode: version 1, the
//! text deflated (RFC 1951), in the alphabet of base64 for addresses (RFC 4648, section 5) without padding. `#1p.` and more is a playlist
//! in the same way.

use std::path::Path;

use thiserror::Error;

use base::params::excerpt;
use engine::scenario::packed::{pack, unpack};
use engine::scenario::{LESSONS, Lesson, Playlist, Scenario, ScenarioErrors, read, write_open};

/// The longest fragment that is made, in characters: mail, chats and QR codes cut longer addresses.
pub const LONGEST: usize = 8000;

/// Version of the format, of a scenario and of a playlist.
const VERSION: &str = "1";
const PLAYLIST: &str = "1p";

/// Why there is no link, or no scenario in one.
#[derive(Debug, Error)]
pub enum LinkError {
    /// The experiment is too large.
    #[error("the experiment is too large for a link: {0} characters, at most {LONGEST}; save it, and send the file")]
    TooLong(usize),
    /// The fragment is neither a lesson nor a scenario.
    #[error("the link shows nothing: {} is not a lesson; allowed after #: the name of a lesson, or 1. and a scenario", excerpt(.0))]
    Unknown(String),
    /// A newer program has made the link.
    #[error("the link has version {}, this program reads version {VERSION}; use the newest one", excerpt(.0))]
    Newer(String),
    /// The link is not complete, or was changed.
    #[error("the link is damaged: it ends too early, or letters are wrong; copy it again, as a whole")]
    Damaged,
    /// The link leads to a playlist, which is read here.
    #[error("this link leads to a playlist of {} items, and to no scenario", .0.items.len())]
    Playlist(Box<Playlist>),
    /// What is in the link is not valid.
    #[error(transparent)]
    Invalid(#[from] ScenarioErrors),
}

/// The fragment of a link, without `#`: the name of a lesson, if the scenario is that and nothing else, or the scenario itself.
///
/// # Errors
/// If it would be longer than [`LONGEST`].
pub fn fragment(scenario: &Scenario) -> Result<String, LinkError> {
    if let Some(number) = Lesson::exactly(scenario) {
        return Ok(LESSONS[number].name.to_owned());
    }
    deflated(VERSION, &write_open(scenario))
}

/// The fragment of a link to a playlist. Files of its items are not in it.
///
/// # Errors
/// If it would be longer than [`LONGEST`].
pub fn playlist_fragment(playlist: &Playlist) -> Result<String, LinkError> {
    deflated(PLAYLIST, &playlist.write())
}

/// A text in a fragment of a version.
fn deflated(version: &str, text: &str) -> Result<String, LinkError> {
    let text = format!("{version}.{}", pack(text));
    if text.len() > LONGEST { Err(LinkError::TooLong(text.len())) } else { Ok(text) }
}

/// The fragment of a link, if the text is one: an address with `#`.
#[must_use]
pub fn fragment_of(address: &str) -> Option<&str> {
    let (page, fragment) = address.trim().split_once('#')?;
    ["http://", "https://"].iter().any(|start| page.starts_with(start)).then_some(fragment)
}

/// The same for a path, as people name files.
#[must_use]
pub fn in_path(path: &Path) -> Option<&str> {
    path.to_str().and_then(fragment_of)
}

/// The scenario in the fragment of a link.
///
/// # Errors
/// If there is none, if it is not valid, or if the link leads to a playlist, which is then in the error.
pub fn scenario(fragment: &str) -> Result<Scenario, LinkError> {
    let Some((version, data)) = fragment.split_once('.') else {
        let lesson = Lesson::find(fragment).ok_or_else(|| LinkError::Unknown(fragment.to_owned()))?;
        return Ok(lesson.scenario()?);
    };
    if version != VERSION && version != PLAYLIST {
        let number = !version.is_empty() && version.bytes().all(|byte| byte.is_ascii_digit());
        let text = version.to_owned();
        return Err(if number { LinkError::Newer(text) } else { LinkError::Unknown(text) });
    }
    let text = unpack(data).ok_or(LinkError::Damaged)?;
    if version == PLAYLIST {
        return Err(LinkError::Playlist(Box::new(Playlist::read(&text, "link", ".")?)));
    }
    let mut scenario = read(&text, "link", Path::new("."))?;
    // A link is packed, and so is the file that is saved of a hand-out.
    scenario.view.packed = scenario.view.hides_target();
    Ok(scenario)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_lesson_comes_back_from_its_link() {
        for lesson in LESSONS {
            let known = lesson.scenario().unwrap();
            assert_eq!(fragment(&known).unwrap(), lesson.name);
            assert_eq!(scenario(lesson.name).unwrap(), known);
            let changed = Scenario { seed: known.seed + 1, ..known };
            let text = fragment(&changed).unwrap();
            let address = format!("https://example.org/lab/#{text}");
            assert_eq!(fragment_of(&address), Some(&*text));
            assert_eq!(write_open(&scenario(&text).unwrap()), write_open(&changed), "{}", lesson.name);
            assert!(text.len() < LONGEST / 2, "{}: {}", lesson.name, text.len());
        }
    }

    #[test]
    fn only_addresses_have_fragments() {
        assert_eq!(fragment_of(" http://localhost:8080/#welling-teh\n"), Some("welling-teh"));
        assert_eq!(fragment_of("http://localhost:8080/"), None);
        assert_eq!(fragment_of("results/#1.toml"), None);
    }

    #[test]
    fn what_is_wrong_with_a_link_is_told() {
        let told = |text: &str| scenario(text).unwrap_err().to_string();
        assert!(told("no-such-lesson").contains("no-such-lesson is not a lesson"));
        assert!(told("").contains("allowed after #"));
        assert!(told("2.AAAA").contains("version 2"));
        assert!(told("1.").contains("damaged"));
        assert!(told("1.%%%").contains("damaged"));
        let whole =
            fragment(&Scenario { seed: 7, ..Lesson::find("welling-teh").unwrap().scenario().unwrap() }).unwrap();
        for end in 2..whole.len() {
            assert!(matches!(scenario(&whole[..end]), Err(LinkError::Damaged | LinkError::Invalid(_))), "{end}");
        }
    }

    #[test]
    fn a_playlist_comes_back_from_its_link() {
        let text = "format = 1\ntitle = \"An hour\"\n[[item]]\nlesson = \"laplace\"\nnotes = \"Ask first.\"\n";
        let playlist = Playlist::read(text, "list", ".").unwrap();
        let fragment = playlist_fragment(&playlist).unwrap();
        assert!(fragment.starts_with("1p."), "{fragment}");
        match scenario(&fragment) {
            Err(LinkError::Playlist(read)) => assert_eq!(*read, playlist),
            other => panic!("{other:?}"),
        }
        for end in 3..fragment.len() {
            assert!(matches!(scenario(&fragment[..end]), Err(LinkError::Damaged | LinkError::Invalid(_))), "{end}");
        }
    }

    /// What a few bytes become is bounded.
    #[test]
    fn a_link_that_grows_without_end_is_refused() {
        let text = format!("1.{}", pack(&"#".repeat(64 << 20)));
        assert!(matches!(scenario(&text), Err(LinkError::Invalid(_))));
    }

    #[test]
    fn an_experiment_that_is_too_large_says_so() {
        let mut large = LESSONS[0].scenario().unwrap();
        // Text that does not repeat itself.
        large.title = (0..9000_u32).map(|index| char::from_u32(0x4E00 + index * 7919 % 20_000).unwrap()).collect();
        assert!(matches!(fragment(&large), Err(LinkError::TooLong(_))));
    }
}
