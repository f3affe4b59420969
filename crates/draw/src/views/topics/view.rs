//! What all parts of the plot of topics read.

use super::cache::{Chosen, Facts};
use super::input::TopicsInput;
use crate::theme::Theme;
use models::lda::Topics;
use models::targets::TopicModel;

/// What all parts of the plot read.
#[derive(Clone, Copy, Debug)]
pub(super) struct View<'a> {
    pub(super) input: &'a TopicsInput<'a>,
    pub(super) theme: &'a Theme,
    pub(super) model: &'a TopicModel,
    pub(super) facts: &'a Facts,
    /// The word that is lit.
    pub(super) lit: Option<u32>,
    pub(super) chosen: Option<Chosen>,
    /// The largest probability, to which bars are drawn, and the reach of the pictures of a triangle.
    pub(super) largest: f64,
    pub(super) reach: f64,
    /// Whether distances to the true topics are written.
    pub(super) distances: bool,
}

impl View<'_> {
    /// The name of a run.
    pub(super) fn run_name(&self, run: usize) -> &str {
        self.input.frame.runs.get(run).map_or("", |run| run.plan.name.as_str())
    }

    /// The true topics, if they are known and shown.
    pub(super) fn truth(&self) -> Option<&Topics> {
        self.model.truth().filter(|_| self.input.truth)
    }

    pub(super) fn word(&self, word: u32) -> &str {
        self.model.corpus.vocabulary.get(word as usize).map_or("", String::as_str)
    }

    /// The name of a training document: its title, or its number.
    pub(super) fn document(&self, document: usize) -> String {
        let name = self.model.corpus.training.name(document);
        if name.parse::<u64>().is_ok() { format!("Document {name}") } else { name.to_owned() }
    }
}
