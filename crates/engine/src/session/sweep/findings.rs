//! What all cells of a sweep say together: the Pareto front, and the answers to questions.

use super::{Answer, Cell, SweepPlan, answer, front_of};
use crate::scenario::Question;

/// What was found in all cells of a sweep.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Findings {
    /// The numbers of the cells on the Pareto front; empty if there is none.
    pub front: Vec<usize>,
    /// The questions, each with its answer.
    pub answers: Vec<(Question, Answer)>,
}

impl Findings {
    /// What the cells say, and how they answer `questions`, which may be others than those of the plan. Takes a second for a million
    /// values.
    #[must_use]
    pub fn of(plan: &SweepPlan, cells: &[Cell], questions: &[Question]) -> Self {
        Self { front: front_of(plan, cells).unwrap_or_default(), answers: answers(plan, cells, questions) }
    }
}

/// The questions whose measure is one of the sweep, each with its answer.
#[must_use]
pub fn answers(plan: &SweepPlan, cells: &[Cell], questions: &[Question]) -> Vec<(Question, Answer)> {
    let sweep = plan.sweep();
    let answered = questions.iter().filter_map(|question| {
        let measure = sweep.measures.iter().position(|key| *key == question.measure)?;
        let axis = sweep.axes.iter().position(|axis| axis.parameter == question.of);
        let value_of = |cell: usize| axis.map_or(f64::NAN, |axis| plan.values_of(cell)[axis]);
        Some((question.clone(), answer(question, measure, cells, value_of)))
    });
    answered.collect()
}
