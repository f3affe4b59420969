//! Scenarios of a person's own data: what a file of cells can be asked, and the scenario that asks it.
//!
//! [`propose`] chooses a question and its columns from the kinds of the columns, and says why. A [`Draft`] has all choices; its text is a
//! scenario with runs that suit the posterior.

mod guess;
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

pub use guess::rivals;
use guess::{question, response};
pub use made::Made;
pub use priors::{PriorOf, Priors, prior_in_words};
pub use question::Question;
pub use source::Source;

use models::targets::{ColumnKind, DecimalChoice, Level, MissingChoice, Sheet, SheetColumn};

use super::Folder;

/// Coefficients of a regression at most that are proposed.
const MOST_COEFFICIENTS: usize = 40;

/// Words that the arm of a treatment often has, in the place of a control.
const TREATMENTS: [&str; 6] = ["b", "treatment", "treated", "test", "new", "variant"];

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
    /// The index of the column with the standard error of the response in each row, of [`Question::Groups`].
    pub sd: Option<usize>,
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
        // None of n, or all of them.
        let coin = sheet.columns.iter().find(|column| sheet.rows > 1 && Question::Coin.suits(column));
        if let Some(column) = coin {
            let why = format!("\"{}\" has one value, and nothing explains it", column.title());
            return Draft { why, ..Draft::of(sheet, Question::Coin, Some(column.index)) };
        }
        return Draft { why: guess::why_none(sheet), ..Draft::of(sheet, Question::Linear, None) };
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
            sd: None,
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
        let error = guess::standard_error(sheet).filter(|_| is_of_groups).map(|column| column.index);
        self.sd = error.filter(|index| self.response != Some(*index));
        let has_words = |column: &SheetColumn| !terms::levels(column).is_empty() && self.takes(column);
        let in_words = is_of_groups && sheet.columns.iter().any(has_words);
        let (mut coefficients, budget) = (1, MOST_COEFFICIENTS.min(sheet.rows.max(4) / 2));
        for column in &sheet.columns {
            let index = column.index;
            if [self.response, self.trials, self.sd].contains(&Some(index)) || most == 0 {
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

    /// Takes a column for the standard errors of the response, of [`Question::Groups`].
    pub fn take_sd(&mut self, sheet: &Sheet, index: usize) {
        self.predictors.retain(|predictor| *predictor != index);
        self.sd = Some(index);
        if self.predictors.is_empty() {
            let others =
                sheet.columns.iter().filter(|column| column.index != index && self.response != Some(column.index));
            self.predictors.extend(others.filter(|column| self.takes(column)).map(|column| column.index).next());
        }
        self.left_out.retain(|(title, _)| {
            !self.predictors.iter().chain(&[index]).any(|used| sheet.columns[*used].title() == *title)
        });
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
            Question::Groups => terms::is_of_groups(column) || self.sd.is_some() && terms::is_a_few_names(column),
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
        let used: Vec<usize> = [self.response, self.trials, self.sd]
            .into_iter()
            .flatten()
            .chain(self.predictors.iter().copied())
            .collect();
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
