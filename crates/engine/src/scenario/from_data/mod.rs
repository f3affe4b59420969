//! Scenarios of a person's own data: what a file of cells can be asked, and the scenario that asks it.
//!
//! [`propose`] chooses a question and its columns from the kinds of the columns, and says why. A [`Draft`] has all choices; its text is a
//! scenario with runs that suit the posterior.

mod made;
mod priors;
mod question;
mod runs;
mod source;
mod terms;
#[cfg(test)]
mod tests;
mod text;
mod words;

pub use made::Made;
pub use priors::{PriorOf, Priors, prior_in_words};
pub use question::Question;
pub use source::Source;

use models::targets::{ColumnKind, DecimalChoice, Encoding, Level, MissingChoice, Sheet, SheetColumn};

use super::Folder;

/// Coefficients of a regression at most that are proposed.
const MOST_COEFFICIENTS: usize = 40;

/// Names that a response often has.
const RESPONSES: [&str; 10] =
    ["y", "response", "outcome", "target", "label", "class", "species", "diagnosis", "result", "dependent"];

/// Words that the arm of a treatment often has, in the place of a control.
const TREATMENTS: [&str; 6] = ["b", "treatment", "treated", "test", "new", "variant"];

/// Names that counts often have.
const COUNTS: [&str; 8] = ["count", "counts", "events", "cases", "deaths", "visits", "number", "claims"];

/// The choices from which a scenario is made.
#[derive(Clone, Debug, PartialEq)]
pub struct Draft {
    /// What is asked.
    pub question: Question,
    /// Why this question and this response were proposed, in words.
    pub why: String,
    /// The index of the column that is explained, or that has the texts; `None` if no column suits.
    pub response: Option<usize>,
    /// The indices of the columns that explain it: of [`Question::Arms`] the arm, of networks one or two inputs.
    pub predictors: Vec<usize>,
    /// The index of the column with numbers of trials, of which the response counts successes.
    pub trials: Option<usize>,
    /// The word of the response that counts as 1, of two words; the second one if it is empty.
    pub one: String,
    /// Levels of reference that were chosen, with the indices of their columns; of [`Question::Arms`] the word of arm A.
    pub references: Vec<(usize, String)>,
    /// Priors that were chosen for a regression.
    pub priors: Priors,
    /// More terms of a regression as text, with commas between them: `age:dose, age^2`.
    pub interactions: String,
    /// Whether numbers are standardised.
    pub standardise: bool,
    /// Whether terms of a regression that are not standardised are shifted to mean 0.
    pub centre: bool,
    /// What becomes of rows without a value.
    pub missing: MissingChoice,
    /// The decimal mark.
    pub decimal: DecimalChoice,
    /// Columns that were left out of the predictors, by their titles, and why.
    pub left_out: Vec<(String, String)>,
}

/// A proposal for a sheet.
#[must_use]
pub fn propose(sheet: &Sheet) -> Draft {
    let (response, named) = response(sheet);
    let Some(response) = response else {
        return Draft { why: "no column suits any question".to_owned(), ..Draft::of(sheet, Question::Linear, None) };
    };
    let found = question(sheet, response);
    let (question, why) = found.unwrap_or((Question::Linear, String::new()));
    let why = format!("the response \"{}\" is guessed, {named}; {why}", response.title());
    Draft { why, ..Draft::of(sheet, question, Some(response.index)) }
}

/// A proposal for a sheet with what a person has decided of it.
///
/// # Errors
/// If the column does not suit the question; in words.
pub fn propose_with(sheet: &Sheet, question: Option<Question>, response: Option<usize>) -> Result<Draft, String> {
    let chosen = response.and_then(|index| sheet.columns.get(index));
    match (question, chosen) {
        (None, None) => Ok(propose(sheet)),
        (None, Some(column)) => {
            let found = self::question(sheet, column);
            let (question, why) = found.ok_or_else(|| format!("no question suits column \"{}\"", column.title()))?;
            Ok(Draft { why, ..Draft::of(sheet, question, Some(column.index)) })
        }
        (Some(question), Some(column)) if !question.suits(column) => {
            let suited: Vec<&str> =
                Question::ALL.into_iter().filter(|other| other.suits(column)).map(Question::word).collect();
            let allowed = if suited.is_empty() { "another column".to_owned() } else { suited.join(", ") };
            Err(format!("{} does not suit column \"{}\"; it suits: {allowed}", question.label(), column.title()))
        }
        (Some(question), Some(column)) => Ok(Draft::of(sheet, question, Some(column.index))),
        (Some(question), None) => {
            let own = self::response(sheet).0.filter(|column| question.suits(column));
            let any = || sheet.columns.iter().rev().find(|column| question.suits(column));
            let column = own.or_else(any).ok_or_else(|| format!("no column suits {}", question.label()))?;
            Ok(Draft::of(sheet, question, Some(column.index)))
        }
    }
}

/// The column that is most likely a response, and what speaks for it.
fn response(sheet: &Sheet) -> (Option<&SheetColumn>, &'static str) {
    if let Some(named) = candidates(sheet).find(|column| is_named_as_response(column)) {
        return (Some(named), "from its name");
    }
    let text = sheet.columns.iter().find(|column| is_long_text(sheet, column));
    if let Some(text) = text.filter(|_| topics_fault(sheet).is_none()) {
        return (Some(text), "as the column of texts");
    }
    let last = candidates(sheet).last();
    match candidates(sheet).filter(|column| !is_group(column)).last() {
        Some(likely) if last.is_some_and(|last| last.index != likely.index) => {
            (Some(likely), "as the last column of numbers, or of two values")
        }
        Some(likely) => (Some(likely), "as the last column that suits a question"),
        None => (last, "as the last column that suits a question"),
    }
}

/// The columns that a question suits, as far as they do not number the rows and vary.
fn candidates(sheet: &Sheet) -> impl Iterator<Item = &SheetColumn> {
    sheet.columns.iter().filter(|column| {
        terms::named(column).is_some()
            && column.faults == 0
            && !terms::numbers_rows(sheet, column)
            && !matches!(column.kind, ColumnKind::Numbers { different: 1, .. } | ColumnKind::Text { .. })
            && question(sheet, column).is_some()
    })
}

fn is_named_as_response(column: &SheetColumn) -> bool {
    column.name.as_ref().is_some_and(|name| RESPONSES.contains(&name.to_lowercase().as_str()))
}

/// Whether a column has more than two words: it more often says what belongs together than what is to be explained.
fn is_group(column: &SheetColumn) -> bool {
    matches!(&column.kind, ColumnKind::Words(levels) if levels.len() > 2)
}

/// The columns that may be explained, each with its question, where nothing tells which of them is meant: the last one has a few words,
/// and others have numbers. None where one of them is likely.
#[must_use]
pub fn rivals(sheet: &Sheet) -> Vec<(&SheetColumn, Question)> {
    let chosen = response(sheet).0.filter(|column| !is_named_as_response(column));
    let last = candidates(sheet).last().filter(|column| is_group(column));
    match (chosen, last) {
        (Some(chosen), Some(last)) if chosen.index != last.index && !matches!(chosen.kind, ColumnKind::Text { .. }) => {
            candidates(sheet).filter_map(|column| Some((column, question(sheet, column)?.0))).collect()
        }
        _ => Vec::new(),
    }
}

/// Whether a column has texts of many words, rather than names.
fn is_long_text(sheet: &Sheet, column: &SheetColumn) -> bool {
    let ColumnKind::Text { .. } = column.kind else { return false };
    let words = |row: &Vec<String>| row.get(column.index).map_or(0, |cell| cell.split_whitespace().count());
    let rows = sheet.first_rows();
    sheet.rows >= 10 && rows.iter().map(words).sum::<usize>() >= 8 * rows.len()
}

/// Why topics cannot be read from a sheet, whose reader is another one.
fn topics_fault(sheet: &Sheet) -> Option<&'static str> {
    let has_lines_above = sheet.separator_is_told || sheet.comments > 0;
    let faults = [
        (
            sheet.separator != ',' || has_lines_above,
            "topics are read from files with commas between columns and no lines above the header",
        ),
        (!sheet.has_header, "topics are read from files with a header"),
        (sheet.encoding != Encoding::Utf8, "topics are read from files in UTF-8"),
    ];
    faults.into_iter().find(|(is_there, _)| *is_there).map(|(_, why)| why)
}

/// The question that suits a response, and why; `None` if none does.
fn question(sheet: &Sheet, response: &SheetColumn) -> Option<(Question, String)> {
    let others = || sheet.columns.iter().filter(|column| column.index != response.index);
    let usable = others().filter(|column| terms::term(column, None).is_ok() && !terms::numbers_rows(sheet, column));
    let inputs = usable.clone().filter(|column| matches!(column.kind, ColumnKind::Numbers { .. })).count();
    let binary = |other: &SheetColumn| Question::Logistic.suits(other);
    let name = response.name.as_deref().unwrap_or_default().to_lowercase();
    let is_called_count = || name.split(|letter: char| !letter.is_alphabetic()).any(|word| COUNTS.contains(&word));
    let of = format!("\"{}\"", response.title());
    let found = match &response.kind {
        _ if binary(response) => match usable.clone().collect::<Vec<_>>()[..] {
            [] => (Question::Coin, format!("{of} has two values and there is nothing to explain it")),
            [only] if binary(only) && Question::Arms.suits(response) => {
                (Question::Arms, format!("{of} has two values, and so has \"{}\": two arms", only.title()))
            }
            _ => (Question::Logistic, format!("{of} has two values")),
        },
        ColumnKind::Words(levels) if inputs >= 2 && Question::Classes.suits(response) => {
            (Question::Classes, format!("{of} has {} words, and there are numbers to tell them apart", levels.len()))
        }
        ColumnKind::Text { .. } if topics_fault(sheet).is_none() => (Question::Topics, format!("{of} has texts")),
        ColumnKind::Numbers { whole: true, low, high, different, .. }
            if *low >= 0.0 && (is_called_count() || *low <= 0.0 && *high <= 200.0 && *different < 60) =>
        {
            (Question::Counts, format!("{of} has whole numbers from 0 up"))
        }
        ColumnKind::Numbers { .. } => (Question::Linear, format!("{of} has numbers")),
        _ => return None,
    };
    Some(found)
}

impl Draft {
    /// The draft of a question about a response, with the predictors that suit.
    #[must_use]
    pub fn of(sheet: &Sheet, question: Question, response: Option<usize>) -> Self {
        let mut draft = Self {
            question,
            why: format!("{} was chosen", question.label()),
            response,
            predictors: Vec::new(),
            trials: None,
            one: String::new(),
            references: Vec::new(),
            priors: Priors::default(),
            interactions: String::new(),
            standardise: true,
            centre: false,
            missing: MissingChoice::Refuse,
            decimal: sheet.reading.decimal,
            left_out: Vec::new(),
        };
        draft.propose_predictors(sheet);
        if draft.rows_without(sheet) > 0 {
            draft.missing = MissingChoice::LeaveOut;
        }
        draft
    }

    /// Takes the predictors that suit the question and the response, and says of the other columns why they are left out.
    pub fn propose_predictors(&mut self, sheet: &Sheet) {
        (self.predictors, self.left_out) = (Vec::new(), Vec::new());
        let most = self.most_predictors();
        let is_of_groups = self.question == Question::Groups;
        let has_words = |column: &SheetColumn| !terms::levels(column).is_empty() && self.takes(column);
        let in_words = is_of_groups && sheet.columns.iter().any(has_words);
        let (mut coefficients, budget) = (1, MOST_COEFFICIENTS.min(sheet.rows.max(4) / 2));
        for column in &sheet.columns {
            let index = column.index;
            if self.response == Some(index) || self.trials == Some(index) || most == 0 {
                continue;
            }
            let term = if is_of_groups { Ok(String::new()) } else { terms::term(column, None) };
            let why = match term {
                _ if terms::numbers_rows(sheet, column) => "it numbers the rows".to_owned(),
                _ if 2 * column.missing > sheet.rows => {
                    format!("{} of {} cells are missing", column.missing, sheet.rows)
                }
                Err(why) => why,
                Ok(_) if !self.takes(column) => "it is no input of this question".to_owned(),
                Ok(_) if in_words && terms::levels(column).is_empty() => {
                    "another column has words for groups".to_owned()
                }
                Ok(_) if self.predictors.len() >= most => format!("the question takes {most}"),
                Ok(_) if self.is_regression() && coefficients + terms::coefficients(column) > budget => {
                    format!("there are {budget} coefficients already")
                }
                Ok(_) => {
                    coefficients += terms::coefficients(column);
                    self.predictors.push(index);
                    continue;
                }
            };
            self.left_out.push((column.title(), why));
        }
    }

    /// How many predictors the question takes at most.
    #[must_use]
    pub fn most_predictors(&self) -> usize {
        match self.question {
            Question::Linear | Question::Robust | Question::Logistic | Question::Counts => usize::MAX,
            Question::Classes => 2,
            Question::Groups | Question::Arms | Question::Function => 1,
            Question::Coin | Question::Topics => 0,
        }
    }

    /// Whether a column can be a predictor of the question.
    #[must_use]
    pub fn takes(&self, column: &SheetColumn) -> bool {
        match self.question {
            Question::Function | Question::Classes => matches!(column.kind, ColumnKind::Numbers { .. }),
            Question::Arms => Question::Logistic.suits(column),
            Question::Groups => terms::is_of_groups(column),
            Question::Coin | Question::Topics => false,
            _ => terms::term(column, None).is_ok(),
        }
    }

    /// Whether it is a regression with terms.
    #[must_use]
    pub fn is_regression(&self) -> bool {
        matches!(self.question, Question::Linear | Question::Robust | Question::Logistic | Question::Counts)
    }

    /// Whether numbers may be standardised.
    #[must_use]
    pub fn has_scale(&self) -> bool {
        !self.predictors.is_empty() && !matches!(self.question, Question::Arms | Question::Groups)
    }

    /// How many rows lack a value in a column that is used.
    #[must_use]
    pub fn rows_without(&self, sheet: &Sheet) -> usize {
        let used: Vec<usize> =
            self.response.into_iter().chain(self.trials).chain(self.predictors.iter().copied()).collect();
        if self.question == Question::Topics { 0 } else { sheet.rows_without(&used) }
    }

    /// The predictors whose words become indicators, and of an A/B test the arm: each has a level of reference.
    #[must_use]
    pub fn factors<'a>(&self, sheet: &'a Sheet) -> Vec<&'a SheetColumn> {
        let columns = self.predictors.iter().filter_map(|index| sheet.columns.get(*index));
        let is_factor = |column: &&SheetColumn| match self.question {
            Question::Arms => !terms::levels(column).is_empty(),
            _ => self.is_regression() && terms::is_factor(column),
        };
        columns.filter(is_factor).collect()
    }

    /// The levels of a factor that may be the one of reference.
    #[must_use]
    pub fn levels(column: &SheetColumn) -> Vec<&Level> {
        terms::levels(column).iter().filter(|level| terms::word(&level.word).is_some()).collect()
    }

    /// The level with which the others of a factor are compared: the one that was chosen, or else the most frequent one, and of two arms the
    /// control where it can be told.
    #[must_use]
    pub fn reference<'a>(&self, column: &'a SheetColumn) -> Option<&'a str> {
        let chosen = self.references.iter().find(|(index, _)| *index == column.index);
        let levels = Self::levels(column);
        if let Some(level) = chosen.and_then(|(_, word)| levels.iter().find(|level| level.word == *word)) {
            return Some(&level.word);
        }
        let usual = match (self.question, &levels[..]) {
            (Question::Arms, [a, b]) if TREATMENTS.contains(&a.word.to_lowercase().as_str()) => Some(b),
            (Question::Arms, [a, ..]) => Some(a),
            // Yes is compared with no, whichever is more frequent.
            (_, [no, _]) if matches!(column.kind, ColumnKind::YesNo(_)) => Some(no),
            _ => levels.iter().max_by_key(|level| level.count),
        };
        usual.map(|level| level.word.as_str())
    }

    /// Chooses the level of reference of a factor.
    pub fn choose_reference(&mut self, column: usize, level: &str) {
        self.references.retain(|(index, _)| *index != column);
        self.references.push((column, level.to_owned()));
    }

    /// The scenario for a table, which is named from `folder`, where the scenario will be.
    ///
    /// # Errors
    /// What is wrong with the choices or the data, a line each.
    pub fn make(&self, sheet: &Sheet, source: Source<'_>, folder: &Folder) -> Result<Made, Vec<String>> {
        let file = source.name();
        let head = text::head(self, sheet, &file);
        let target = text::target(self, sheet, source).map_err(|problem| vec![problem])?;
        let runs = runs::runs(self, &format!("{head}{target}"), folder)?;
        Made::read(format!("{head}{target}{runs}"), &file, folder)
    }
}

/// The text of the scenario of topics of a folder with so many texts, each .txt file a document.
#[must_use]
pub fn topics_of_texts(path: &str, documents: usize) -> String {
    let batch = (documents / 2).clamp(1, runs::LARGEST_BATCH_OF_DOCUMENTS);
    text::of_folder(path, documents) + &runs::topics(batch)
}
