//! Caption of a scenario: what to watch, what to notice, what to try, and what should have been seen.

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::near::suggestion;
use super::read::{read_list, read_text, read_texts};
use super::table_reader::{TableReader, found, join, quoted};
use super::view::measure_keys;
use super::write::{line, quote, texts};
use base::params::ParamError;

/// The keys of a caption in parts.
const PARTS: [&str; 5] = ["watch", "notice", "try", "answer", "values"];

/// The keys of a value of an answer.
const OF_VALUE: [&str; 4] = ["name", "run", "measure", "expected"];

/// A number that belongs to the answer: a row of a small table, beside what is measured at present.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AnswerValue {
    /// What it is; empty for the name of the measure.
    pub name: String,
    /// The run that it is of, by its name; empty if it is of none.
    pub run: String,
    /// The measure, by its key; empty if the readout does not have it.
    pub measure: String,
    /// What should have been seen, in digits or words.
    pub expected: String,
}

/// The caption of a scenario. In a file a string, where there is only something to watch, or a table.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Caption {
    /// What to look at, in a sentence or two; shown on figures too.
    pub watch: String,
    /// What to notice in it.
    pub notice: String,
    /// What to change, and look again.
    pub tries: Vec<String>,
    /// What should have been seen, in a sentence or two; the window hides it until it is asked for.
    pub answer: String,
    /// The numbers of the answer, shown as a table below it.
    pub values: Vec<AnswerValue>,
}

impl From<&str> for Caption {
    fn from(watch: &str) -> Self {
        Self { watch: watch.to_owned(), ..Self::default() }
    }
}

impl Caption {
    /// Most things to try.
    pub const MOST_TRIES: usize = 20;

    /// Most values of an answer.
    pub const MOST_VALUES: usize = 20;

    /// Whether it says nothing.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// All its texts, one after the other.
    pub fn texts(&self) -> impl Iterator<Item = &str> {
        let tries = self.tries.iter().map(String::as_str);
        let values = self.values.iter().flat_map(|value| [value.name.as_str(), &value.expected]);
        [self.watch.as_str(), &self.notice].into_iter().chain(tries).chain([self.answer.as_str()]).chain(values)
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
        let values = read_list(table, "values", "caption.values", Self::MOST_VALUES, VALUES, reader);
        let values =
            values.into_iter().filter_map(|(number, value)| AnswerValue::read(number, value, reader)).collect();
        Self { watch, notice, answer, tries: read_texts(table, "try", "caption.try", Self::MOST_TRIES, reader), values }
    }

    /// The lines of a file that are read as the same caption.
    pub(super) fn write(&self, text: &mut String) {
        let Self { watch, notice, tries, answer, values } = self;
        if self.is_empty() {
            return;
        }
        if notice.is_empty() && tries.is_empty() && answer.is_empty() && values.is_empty() {
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
        if !values.is_empty() {
            let rows: Vec<String> = values.iter().map(AnswerValue::written).collect();
            line(text, "caption.values", &format!("[\n{}]", rows.concat()));
        }
    }
}

/// What the list of values may hold, for messages.
const VALUES: &str = "a list of tables of name, run, measure and expected";

impl AnswerValue {
    /// Reads the value with this number.
    fn read(number: usize, value: &Spanned<DeValue<'_>>, reader: &mut TableReader) -> Option<Self> {
        let path = format!("caption.values[{number}]");
        let DeValue::Table(table) = value.get_ref() else {
            reader.fault(&value.span(), ParamError::new(path, found(value), VALUES));
            return None;
        };
        for (key, _) in table.iter().filter(|(key, _)| !OF_VALUE.contains(&key.get_ref().as_ref())) {
            reader.unknown_key(&key.span(), &join(&path, key.get_ref()), key.get_ref(), OF_VALUE.into_iter());
        }
        let [name, run, measure, expected] =
            OF_VALUE.map(|key| read_text(table, key, &join(&path, key), reader).unwrap_or_default());
        if !measure.is_empty() && !measure_keys().any(|key| key == measure) {
            let problem = format!("unknown measure{}", suggestion(&measure, measure_keys()));
            reader.fault_at_path(ParamError::new(join(&path, "measure"), problem, quoted(measure_keys())));
        }
        if name.is_empty() && measure.is_empty() {
            reader.fault(&value.span(), ParamError::new(path, "it is not said what it is", "a name or a measure"));
        }
        Some(Self { name, run, measure, expected })
    }

    /// A line of the list in a file.
    fn written(&self) -> String {
        let parts =
            [("name", &self.name), ("run", &self.run), ("measure", &self.measure), ("expected", &self.expected)];
        let parts = parts.into_iter().filter(|(_, text)| !text.is_empty());
        let parts: Vec<String> = parts.map(|(key, text)| format!("{key} = {}", quote(text))).collect();
        format!("  {{ {} }},\n", parts.join(", "))
    }
}
