//! Undo and redo: snapshots of before, one per thing a person did.

/// Snapshots kept at most; a scenario takes a few kilobytes.
const DEPTH: usize = 200;

/// What was edited. Edits of the same thing within one drag of the pointer are one step of undo.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Subject {
    /// Number of the run; `None` is the target or the scenario as a whole.
    pub run: Option<usize>,
    /// Path of the parameter, or what else was done.
    pub what: String,
}

/// The snapshots of before and after. A snapshot should be cheap to clone.
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
    /// Notes how things are before an edit of `subject`.
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

    /// How things were before, in exchange for how they are now.
    pub fn undo(&mut self, now: T) -> Option<T> {
        let before = self.past.pop()?;
        self.future.push(now);
        self.gesture = None;
        Some(before)
    }

    /// What was undone, in exchange for how things are now.
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
    fn a_drag_is_one_step() {
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
    fn after_a_release_a_new_drag_is_another_step() {
        let mut undo = Undo::default();
        undo.note(0, subject("a"));
        undo.end_gesture();
        undo.note(1, subject("a"));
        assert_eq!(undo.undo(2), Some(1));
        undo.note(3, subject("c"));
        assert!(!undo.can_redo(), "an edit forgets what was undone");
        assert!(undo.can_undo());
    }
}
