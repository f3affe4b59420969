//! Forms: what a person has been asked, and types.

use std::collections::BTreeMap;

use engine::scenario::{Caption, Scenario};
use models::targets::Sheet;

use crate::app::dialogs::current::Dialog;
use crate::app::dialogs::data_form::DataForm;
use crate::app::experiment::param_edit::Browsed;
use crate::app::files::ReportAs;
use crate::app::files::data::TableSource;
use crate::app::recovery::typed::Writing;
use crate::app::view::hand_out::HandOut;

/// What is asked and typed. Title, caption and the answer close with another scenario; a formula belongs to the text that it began with.
#[derive(Debug, Default)]
pub struct Forms {
    /// The dialog that is open.
    pub dialog: Option<Dialog>,
    /// How many times the system was asked for a path.
    pub tickets: u64,
    /// The parameter for which a file or folder was asked for.
    pub browsing: Option<Browsed>,
    /// Title and caption while they are edited.
    pub draft: Option<Draft>,
    /// Whether the answer of the caption is shown.
    pub answer: bool,
    /// Whether the notes of the playlist are shown, if a person has chosen.
    pub notes: Option<bool>,
    /// What is chosen for a hand-out.
    pub hand_out: HandOut,
    /// What a person writes into a report.
    pub report: ReportForm,
    /// The formula that is being written.
    pub formula: Option<Writing>,
}

impl Forms {
    /// Asks what a table is; a form of the same table that is open keeps what was chosen.
    pub fn show_table(&mut self, source: TableSource, sheet: Sheet) {
        match &mut self.dialog {
            Some(Dialog::Data(form)) if form.source == source => form.read_again(sheet),
            dialog => *dialog = Some(Dialog::Data(Box::new(DataForm::new(source, sheet)))),
        }
    }

    /// Opens the form of a hand-out.
    pub fn open_hand_out(&mut self, scenario: &Scenario) {
        self.hand_out.begin(scenario);
        self.dialog = Some(Dialog::HandOut);
    }

    /// Opens the form for title and caption.
    pub fn edit_words(&mut self, scenario: &Scenario) {
        let (title, caption) = (scenario.title.clone(), scenario.caption.clone());
        let tries = caption.tries.join("\n");
        self.draft = Some(Draft { title, caption, tries });
    }
}

/// What a person writes into a report.
#[derive(Debug, Default)]
pub struct ReportForm {
    /// Who hands it in.
    pub name: String,
    /// What they have to say.
    pub remarks: String,
    /// What they answer to the questions of texts, by the title of the experiment and the question. They stay, as name and remarks do.
    answers: BTreeMap<(String, String), String>,
    /// The format of the file.
    pub format: ReportAs,
}

impl ReportForm {
    /// The answer to a question, to be written.
    pub fn answer_to(&mut self, scenario: &Scenario, question: &str) -> &mut String {
        self.answers.entry((scenario.title.clone(), question.to_owned())).or_default()
    }

    /// The answer to a question so far.
    #[must_use]
    pub fn answer(&self, scenario: &Scenario, question: &str) -> String {
        self.answers.get(&(scenario.title.clone(), question.to_owned())).cloned().unwrap_or_default()
    }
}

/// Title and caption while they are edited.
#[derive(Clone, Debug, Default)]
pub struct Draft {
    /// The title as typed so far.
    pub title: String,
    /// The caption as typed so far.
    pub caption: Caption,
    /// What to try, a line for each.
    pub tries: String,
}

impl Draft {
    /// Title and caption as typed, without space around their parts.
    #[must_use]
    pub fn words(&self) -> (String, Caption) {
        let own = |text: &str| text.trim().to_owned();
        let tries = self.tries.lines().map(own).filter(|line| !line.is_empty());
        let caption = Caption {
            watch: own(&self.caption.watch),
            notice: own(&self.caption.notice),
            tries: tries.take(Caption::MOST_TRIES).collect(),
            answer: own(&self.caption.answer),
            values: self.caption.values.clone(),
        };
        (own(&self.title), caption)
    }

    /// The scenario with these words, if they are not its own.
    #[must_use]
    pub fn applied(&self, scenario: &Scenario) -> Option<Scenario> {
        let (title, caption) = self.words();
        let new = title != scenario.title || caption != scenario.caption;
        new.then(|| Scenario { title, caption, ..scenario.clone() })
    }
}
