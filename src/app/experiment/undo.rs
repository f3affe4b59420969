//! Undo and redo: one snapshot per edit, taken before it.

/// The most snapshots kept; a scenario takes a few kilobytes.
const DEPTH: usize = 200;

/// What was edited. Edits of the same subject within one drag of the pointer are undone in one step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Subject {
    /// Number of the run; `None` is the target or the scenario as a whole.
    pub run: Option<usize>,
    /// Path of the parameter, or a word for another edit.
    pub what: String,
}

/// The snapshots for undo and for redo. A snapshot should be cheap to clone.
#[derive(Debug)]
pub struct Undo<T> {
    past: Vec<T>,
    future: Vec<T>,
    gesture: Option<Subject>,
}

impl<T> Default for Undo<T> {
    fn default() -> Self {
        Self { past: Vec::new(), future: Vec::new(), gesture: None }
    }
}

impl<T: Clone> Undo<T> {
    /// Keeps the snapshot taken before an edit of `subject`. Further edits of it in the same drag keep none.
    pub fn note(&mut self, before: T, subject: Subject) {
        if self.gesture.as_ref() == Some(&subject) {
            return;
        }
        self.gesture = Some(subject);
        self.future.clear();
        self.past.push(before);
        if self.past.len() > DEPTH {
            self.past.remove(0);
        }
    }

    /// Ends a gesture: the pointer was released.
    pub fn end_gesture(&mut self) {
        self.gesture = None;
    }

    /// Whether there is something to undo.
    #[must_use]
    pub fn can_undo(&self) -> bool {
        !self.past.is_empty()
    }

    /// Whether there is something to redo.
    #[must_use]
    pub fn can_redo(&self) -> bool {
        !self.future.is_empty()
    }

    /// The snapshot before the last edit; `now` is kept for redo.
    pub fn undo(&mut self, now: T) -> Option<T> {
        let before = self.past.pop()?;
        self.future.push(now);
        self.gesture = None;
        Some(before)
    }

    /// The snapshot that was undone last; `now` is kept for undo.
    pub fn redo(&mut self, now: T) -> Option<T> {
        let after = self.future.pop()?;
        self.past.push(now);
        self.gesture = None;
        Some(after)
    }
}

#[cfg(test)]
mod tests {
    use super::{Subject, Undo};

    fn subject(what: &str) -> Subject {
        Subject { run: None, what: what.to_owned() }
    }

    #[test]
    fn a_drag_is_undone_in_one_step() {
        let mut undo = Undo::default();
        for value in 0..5 {
            undo.note(value, subject("a"));
        }
        undo.note(5, subject("b"));
        assert_eq!(undo.undo(6), Some(5));
        assert_eq!(undo.undo(5), Some(0));
        assert_eq!(undo.undo(0), None);
        assert_eq!(undo.redo(0), Some(5));
        assert_eq!(undo.redo(5), Some(6));
        assert!(!undo.can_redo());
    }

    #[test]
    fn two_drags_are_undone_in_two_steps() {
        let mut undo = Undo::default();
        undo.note(0, subject("a"));
        undo.end_gesture();
        undo.note(1, subject("a"));
        assert_eq!(undo.undo(2), Some(1));
        undo.note(3, subject("c"));
        assert!(!undo.can_redo(), "an edit clears what could be redone");
        assert!(undo.can_undo());
    }
}
