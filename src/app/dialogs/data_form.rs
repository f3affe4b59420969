//! Forms of data: a table with what a person takes it for, and a table that is pasted. [`super::data`] and [`super::paste`] draw them.

use std::sync::Arc;

use crate::app::files::data::TableSource;
use engine::scenario::from_data::{Draft, Question, propose, propose_with};
use models::targets::Sheet;

/// What a column is taken for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Nothing.
    Unused,
    /// What is explained.
    Response,
    /// What explains it.
    Predictor,
    /// The number of trials, of which the response counts successes.
    Trials,
    /// The standard error of the response.
    Error,
}

impl Role {
    /// Its name for people.
    #[must_use]
    pub fn label(self) -> &'static str {
        match self {
            Self::Unused => "not used",
            Self::Response => "response",
            Self::Predictor => "predictor",
            Self::Trials => "trials",
            Self::Error => "standard error",
        }
    }

    /// The role of a column in a draft.
    #[must_use]
    pub fn of(draft: &Draft, index: usize) -> Self {
        match index {
            _ if draft.response == Some(index) => Self::Response,
            _ if draft.trials == Some(index) => Self::Trials,
            _ if draft.sd == Some(index) => Self::Error,
            _ if draft.predictors.contains(&index) => Self::Predictor,
            _ => Self::Unused,
        }
    }
}

/// A field for a table that is pasted.
#[derive(Debug, Default)]
pub struct PasteForm {
    /// What was typed, or pasted if it is short.
    pub text: String,
    /// Why it is no table.
    pub problem: Option<String>,
    /// Whether the field has had the focus.
    pub begun: bool,
}

/// A table of data, and what a person takes it for.
#[derive(Debug)]
pub struct DataForm {
    /// Where it comes from.
    pub source: TableSource,
    /// What was read.
    pub sheet: Arc<Sheet>,
    /// What is made of it.
    pub draft: Draft,
    /// Whether it is being made.
    pub is_made: bool,
    /// Why it was not made.
    pub problem: Option<String>,
    /// Whether the column of the response has been brought into view.
    pub begun: bool,
}

impl DataForm {
    /// A table with the proposal for it.
    #[must_use]
    pub fn new(source: TableSource, sheet: Sheet) -> Self {
        let draft = propose(&sheet);
        Self { source, draft, sheet: Arc::new(sheet), is_made: false, problem: None, begun: false }
    }

    /// Takes the same table, read in another way. What was chosen stays where the columns do.
    pub fn read_again(&mut self, sheet: Sheet) {
        let has_names = |sheet: &Sheet| sheet.columns.iter().map(|column| column.name.clone()).collect::<Vec<_>>();
        if has_names(&sheet) == has_names(&self.sheet) {
            self.draft.decimal = sheet.reading.decimal;
        } else {
            self.draft = propose(&sheet);
        }
        (self.sheet, self.problem) = (Arc::new(sheet), None);
    }

    /// Asks another question, of the same response where that suits.
    pub fn ask(&mut self, question: Question) {
        let suits = |index: &usize| self.sheet.columns.get(*index).is_some_and(|column| question.suits(column));
        let response = self.draft.response.filter(suits);
        match propose_with(&self.sheet, Some(question), response) {
            Ok(draft) => self.take(draft),
            Err(problem) => self.problem = Some(problem),
        }
    }

    /// Takes another draft; levels of reference, priors and the scale of columns that were chosen stay.
    fn take(&mut self, draft: Draft) {
        let Draft { references, priors, standardise, centre, .. } = std::mem::replace(&mut self.draft, draft);
        (self.draft.references, self.draft.priors, self.problem) = (references, priors, None);
        (self.draft.standardise, self.draft.centre) = (standardise, centre);
    }

    /// Takes a column for the response, a predictor, the number of trials, its standard error, or none of them.
    pub fn give_role(&mut self, index: usize, role: Role) {
        self.problem = None;
        if role == Role::Response {
            let kept = self.sheet.columns.get(index).is_some_and(|column| self.draft.question.suits(column));
            let question = kept.then_some(self.draft.question);
            match propose_with(&self.sheet, question, Some(index)) {
                Ok(draft) => self.take(draft),
                Err(problem) => self.problem = Some(problem),
            }
            return;
        }
        let draft = &mut self.draft;
        draft.response = draft.response.filter(|response| *response != index);
        draft.trials = draft.trials.filter(|trials| *trials != index);
        draft.sd = draft.sd.filter(|sd| *sd != index);
        draft.predictors.retain(|predictor| *predictor != index);
        if role == Role::Trials {
            draft.trials = Some(index);
        }
        if role == Role::Error {
            draft.take_sd(&self.sheet, index);
        }
        if role == Role::Predictor {
            draft.predictors.push(index);
            draft.predictors.sort_unstable();
            let most = draft.most_predictors();
            // The one that was there longest gives its place to the new one.
            if draft.predictors.len() > most
                && let Some(at) = draft.predictors.iter().position(|predictor| *predictor != index)
            {
                draft.predictors.remove(at);
            }
        }
    }

    /// Says why no scenario was made.
    pub fn refuse(&mut self, problem: String) {
        (self.is_made, self.problem) = (false, Some(problem));
    }
}
