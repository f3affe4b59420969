//! What a method tells of its step by name: the values of the symbols of its formulas that are no displacements, phase by phase.
//!
//! A fit moves parameters of a distribution, of which the plane has only the mean. Its method tells them here, in the coordinates of the chains,
//! where a step is recorded and nowhere else: no result depends on it.

use super::algorithm::Phase;
use base::math::{Matrix, Point};

/// Vectors and indices of a list that are told; the others are counted.
const MOST: usize = 2;
const MOST_INDICES: usize = 8;

/// The value of a symbol.
#[derive(Clone, Debug, PartialEq)]
pub enum TermValue {
    /// A number.
    Number(f64),
    /// A count.
    Count(u64),
    /// A vector in the plane; on the line its first entry.
    Vector(Point),
    /// A symmetric matrix; on the line its upper left entry.
    Matrix(Matrix),
    /// The first vectors of a list, and how many it has.
    Vectors(Vec<Point>, usize),
    /// The first indices of a list, from 0, how many it has, and how many there are to choose from.
    Indices(Vec<u32>, [usize; 2]),
    /// Numbers side by side.
    Numbers(Vec<f64>),
    /// Words in the place of a value.
    Words(&'static str),
}

impl TermValue {
    /// The value of a list of vectors.
    #[must_use]
    pub fn vectors(all: impl ExactSizeIterator<Item = Point>) -> Self {
        let count = all.len();
        Self::Vectors(all.take(MOST).collect(), count)
    }

    /// The value of a list of indices below `of`.
    #[must_use]
    pub fn indices(all: impl Iterator<Item = u32>, count: usize, of: usize) -> Self {
        Self::Indices(all.take(MOST_INDICES).collect(), [count, of])
    }
}

impl From<f64> for TermValue {
    fn from(number: f64) -> Self {
        Self::Number(number)
    }
}

impl From<u64> for TermValue {
    fn from(count: u64) -> Self {
        Self::Count(count)
    }
}

impl From<Point> for TermValue {
    fn from(vector: Point) -> Self {
        Self::Vector(vector)
    }
}

impl From<Matrix> for TermValue {
    fn from(matrix: Matrix) -> Self {
        Self::Matrix(matrix)
    }
}

/// A symbol of a step with its value.
#[derive(Clone, Debug, PartialEq)]
pub struct NamedTerm {
    /// The phase of the step that it is of.
    pub phase: Phase,
    /// The symbol as it is written in formulas; empty before words alone.
    pub name: &'static str,
    /// Its value.
    pub value: TermValue,
}

/// What is told of the step of one chain; nothing is kept of a step that is not recorded.
#[derive(Clone, Debug, Default)]
pub struct Told(Option<Vec<NamedTerm>>);

impl Told {
    /// Before a step.
    pub(crate) fn begin(&mut self, recorded: bool) {
        self.0 = recorded.then(Vec::new);
    }

    /// Whether the step is recorded: else values need not be computed.
    pub(crate) fn is_recorded(&self) -> bool {
        self.0.is_some()
    }

    /// Tells a value.
    pub(crate) fn tell(&mut self, phase: Phase, name: &'static str, value: impl Into<TermValue>) {
        if let Some(terms) = &mut self.0 {
            terms.push(NamedTerm { phase, name, value: value.into() });
        }
    }

    /// Tells words alone.
    pub(crate) fn say(&mut self, phase: Phase, words: &'static str) {
        self.tell(phase, "", TermValue::Words(words));
    }

    /// What was told since the beginning of the step.
    pub(crate) fn take(&mut self) -> Vec<NamedTerm> {
        self.0.take().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_kept_of_a_step_that_is_not_recorded() {
        let mut told = Told::default();
        for recorded in [false, true, false] {
            told.begin(recorded);
            told.tell(Phase::Fit, "ρ", 0.5);
            told.say(Phase::Move, "it rests");
            assert_eq!((told.is_recorded(), told.take().len()), (recorded, if recorded { 2 } else { 0 }));
        }
    }

    #[test]
    fn lists_are_cut_and_counted() {
        let points = (0..9).map(|number| Point::new(f64::from(number), 0.0));
        let TermValue::Vectors(first, count) = TermValue::vectors(points) else { panic!() };
        assert_eq!((first.len(), count), (MOST, 9));
        assert_eq!(TermValue::indices([3, 1].into_iter(), 2, 5), TermValue::Indices(vec![3, 1], [2, 5]));
    }
}
