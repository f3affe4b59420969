//! What a person does on the plot of topics: what the pointer is at, and clicks.

/// What the pointer is at, and what was clicked.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Seen {
    /// The word under the pointer, or with the focus.
    pub(super) word: Option<u32>,
    /// What was clicked.
    pub(super) event: Option<Event>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Event {
    /// A topic of a run, by slot.
    Topic(usize, usize),
    /// A training document, as seen by a run.
    Document(usize, usize),
    /// A word in a list.
    Word(u32),
    /// Back from a document to its topic.
    Back,
    /// Nothing is read any more.
    Close,
}
