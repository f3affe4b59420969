//! Saving: a scenario is written to its file, with the comment at the head of that file. Called by tasks, never by a frame.

use std::path::Path;

use super::{Purpose, SaveError, write_whole};
use crate::platform::files as disk;
use engine::scenario::{Comments, Scenario, write};

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
            let Comments { head, others } = Comments::of(&String::from_utf8_lossy(&bytes.unwrap_or_default()));
            if others > 0 && !drop_comments {
                return Err(SaveError::Comments { path: path.to_owned(), count: others });
            }
            // A packed file has a comment of its own.
            (if scenario.view.packed { String::new() } else { head }, true)
        }
    };
    write_whole(path, format!("{head}{}", write(scenario)).as_bytes(), replace)
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::scenario::{LESSONS, load};

    #[test]
    fn the_head_stays_and_other_comments_are_lost_only_when_a_person_says_so() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.toml");
        let scenario = LESSONS[0].scenario().unwrap();
        let text = format!("# what it is for\n# by whom\n\n{}# a note\n", write(&scenario));
        std::fs::write(&path, &text).unwrap();
        let own = |drop_comments| save(&path, &scenario, Before::Own { drop_comments });
        assert!(matches!(own(false), Err(SaveError::Comments { count: 1, .. })));
        assert_eq!(std::fs::read_to_string(&path).unwrap(), text, "nothing was written");
        own(true).unwrap();
        let expected = format!("# what it is for\n# by whom\n\n{}", write(&scenario));
        assert_eq!(std::fs::read_to_string(&path).unwrap(), expected);
        own(false).unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), expected, "the head is not doubled");
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
