//! What a figure says in words, for those who do not see it and for those who search.

/// The words of a figure, in English.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Spoken<'a> {
    /// Its title; may be empty.
    pub title: &'a str,
    /// What it shows, in sentences; empty where nobody says it.
    pub alt: &'a str,
}

impl<'a> Spoken<'a> {
    /// The language of the words.
    pub const LANGUAGE: &'static str = "en";

    /// The program that made a figure.
    pub const PROGRAM: &'static str = concat!("Sampler Lab ", env!("CARGO_PKG_VERSION"));

    /// The year, month and day of this version of the program.
    pub const DATE: (u16, u8, u8) = (2026, 1, 1);

    /// Keywords and texts of a PNG (PNG specification, section 11.3.3.1), without empty ones.
    #[must_use]
    pub fn texts(&self) -> Vec<(&'static str, &'a str)> {
        let all = [("Title", self.title), ("Description", self.alt), ("Software", Self::PROGRAM)];
        all.into_iter().filter(|(_, text)| !text.is_empty()).collect()
    }
}
