//! Saving: what has changed of a scenario is changed in its file; one without a scenario is written anew, below the comment at its head. Called by tasks, never by a frame.

use std::path::Path;

use super::{Purpose, SaveError, write_whole};
use crate::platform::files as disk;
use engine::scenario::{Comments, Scenario, read_unbuilt, write, write_into};

/// What is known of the file that is there already.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Before {
    /// It is replaced if a person has said so, whatever is in it.
    Other {
        /// Whether it may be replaced.
        replace: bool,
    },
    /// The scenario was read from it, or written to it.
    Own {
        /// Whether comments after the head may be lost.
        drop_comments: bool,
    },
}

/// Writes a scenario.
///
/// # Errors
/// If the path does not suit a scenario, comments would be lost, the file may not be replaced, or the system refuses.
pub fn save(path: &Path, scenario: &Scenario, before: Before) -> Result<(), SaveError> {
    Purpose::Save.check_extension(path)?;
    let (head, replace) = match before {
        Before::Other { replace } => (String::new(), replace),
        Before::Own { drop_comments } => {
            // A file that cannot be read has no comments that could be kept.
            let bytes = disk::metadata(path).ok().filter(|about| about.is_file()).and_then(|_| disk::read(path).ok());
            let text = String::from_utf8_lossy(&bytes.unwrap_or_default()).into_owned();
            if let Some(changed) = in_its_layout(&text, scenario) {
                return write_whole(path, changed.as_bytes(), true);
            }
            let Comments { head, others } = Comments::of(&text);
            if others > 0 && !drop_comments {
                return Err(SaveError::Comments { path: path.to_owned(), count: others });
            }
            // A packed file has a comment of its own.
            (if scenario.view.packed { String::new() } else { head }, true)
        }
    };
    write_whole(path, format!("{head}{}", write(scenario)).as_bytes(), replace)
}

/// The text of the file with what has changed in it, if it has a scenario.
fn in_its_layout(text: &str, scenario: &Scenario) -> Option<String> {
    let old = read_unbuilt(text, "the file", scenario.folder.clone()).ok()?;
    write_into(text, &old, scenario)
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::scenario::{LESSONS, load};

    #[test]
    fn comments_order_and_layout_of_a_file_stay() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.toml");
        let scenario = LESSONS[0].scenario().unwrap();
        let text = format!("# what it is for\n\n{}# a note\n", LESSONS[0].text);
        std::fs::write(&path, &text).unwrap();
        let own = |scenario: &Scenario| save(&path, scenario, Before::Own { drop_comments: false });
        own(&scenario).unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), text, "nothing has changed");
        let changed = Scenario { seed: scenario.seed + 1, ..scenario.clone() };
        own(&changed).unwrap();
        let before = format!("seed = {}", scenario.seed);
        assert_eq!(std::fs::read_to_string(&path).unwrap(), text.replace(&before, &format!("seed = {}", changed.seed)));
        assert!(load(&path).unwrap().same_but_view(&changed));
    }

    #[test]
    fn what_has_no_scenario_loses_its_comments_only_when_a_person_says_so() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.toml");
        let scenario = LESSONS[0].scenario().unwrap();
        let text = format!("# what it is for\n\n{}# a note\nnot = \n", write(&scenario));
        std::fs::write(&path, &text).unwrap();
        let own = |drop_comments| save(&path, &scenario, Before::Own { drop_comments });
        assert!(matches!(own(false), Err(SaveError::Comments { count: 1, .. })));
        assert_eq!(std::fs::read_to_string(&path).unwrap(), text, "nothing was written");
        own(true).unwrap();
        let expected = format!("# what it is for\n\n{}", write(&scenario));
        assert_eq!(std::fs::read_to_string(&path).unwrap(), expected);
        assert!(load(&path).unwrap().same_but_view(&scenario));
        assert!(matches!(save(&path, &scenario, Before::Other { replace: false }), Err(SaveError::Exists(_))));
        save(&path, &scenario, Before::Other { replace: true }).unwrap();
        assert_eq!(
            std::fs::read_to_string(&path).unwrap(),
            write(&scenario),
            "the comment of another file goes with it"
        );
    }
}
