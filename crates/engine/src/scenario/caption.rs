//! Caption of a scenario: what to watch, what to notice, what to try, and what should have been seen.

use toml::de::{DeTable, DeValue};

use super::read::{read_text, read_texts};
use super::table_reader::{TableReader, found, join};
use super::write::{line, quote, texts};
use base::params::ParamError;

/// The keys of a caption in parts.
const PARTS: [&str; 4] = ["watch", "notice", "try", "answer"];

/// The caption of a scenario. In a file a string, where there is only something to watch, or a table.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Caption {
    /// What to look at, in a sentence or two; shown on figures too.
    pub watch: String,
    /// What to notice in it.
    pub notice: String,
    /// What to change, and look again.
    pub tries: Vec<String>,
    /// What should have been seen; the window hides it until it is asked for.
    pub answer: String,
}

impl From<&str> for Caption {
    fn from(watch: &str) -> Self {
        Self { watch: watch.to_owned(), ..Self::default() }
    }
}

impl Caption {
    /// Most things to try.
    pub const MOST_TRIES: usize = 20;

    /// Whether it says nothing.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// All its texts, one after the other.
    pub fn texts(&self) -> impl Iterator<Item = &str> {
        let tries = self.tries.iter().map(String::as_str);
        [self.watch.as_str(), &self.notice].into_iter().chain(tries).chain([self.answer.as_str()])
    }

    /// Reads the caption at the top of a file.
    pub(super) fn read(document: &DeTable<'_>, reader: &mut TableReader) -> Self {
        let Some(value) = document.get("caption") else { return Self::default() };
        reader.locate("caption", value.span());
        let table = match value.get_ref() {
            DeValue::String(text) => return Self::from(text.as_ref()),
            DeValue::Table(table) => table,
            _ => {
                let allowed = format!("text in quotes, or a table of {}", PARTS.join(", "));
                reader.fault(&value.span(), ParamError::new("caption", found(value), allowed));
                return Self::default();
            }
        };
        for (key, _) in table.iter().filter(|(key, _)| !PARTS.contains(&key.get_ref().as_ref())) {
            reader.unknown_key(&key.span(), &join("caption", key.get_ref()), key.get_ref(), PARTS.into_iter());
        }
        let mut text = |key: &str| read_text(table, key, &join("caption", key), reader).unwrap_or_default();
        let (watch, notice, answer) = (text("watch"), text("notice"), text("answer"));
        Self { watch, notice, answer, tries: read_texts(table, "try", "caption.try", Self::MOST_TRIES, reader) }
    }

    /// The lines of a file that are read as the same caption.
    pub(super) fn write(&self, text: &mut String) {
        let Self { watch, notice, tries, answer } = self;
        if self.is_empty() {
            return;
        }
        if notice.is_empty() && tries.is_empty() && answer.is_empty() {
            line(text, "caption", &quote(watch));
            return;
        }
        for (key, part) in [("watch", watch), ("notice", notice)] {
            if !part.is_empty() {
                line(text, &format!("caption.{key}"), &quote(part));
            }
        }
        if !tries.is_empty() {
            line(text, "caption.try", &texts(tries));
        }
        if !answer.is_empty() {
            line(text, "caption.answer", &quote(answer));
        }
    }
}
