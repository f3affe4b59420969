//! What a formula says, once it has been read.

use std::ops::Range;
use std::sync::Arc;

use super::functions::Function;
pub(super) use super::numbered::Index;
use super::numbered::Numbered;

/// What a formula says.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Expression {
    Number(f64),
    /// A named constant.
    Constant(&'static str, f64),
    /// x or y, 0 or 1; `x[1]`, `x[2]`, … from 0.
    Coordinate(usize),
    /// `x[i + k]` in a sum, with this k.
    Shifted(i32),
    /// A parameter, by its number.
    Parameter(usize),
    /// An abbreviation, by its number.
    Abbreviation(usize),
    /// Terms, each added or subtracted.
    Sum(Vec<(bool, Expression)>),
    /// Factors, each multiplied or divided by.
    Product(Vec<(bool, Expression)>),
    Power(Box<Expression>, Box<Expression>),
    Call(Function, Vec<Expression>),
    /// A column of data, by its number, in the row of a sum.
    Column(usize),
    /// A sum or mean.
    Over(Fold, Index, Box<Expression>),
    /// The first value where the condition holds, else the second.
    Cases(Box<Condition>, Box<[Expression; 2]>),
}

/// What becomes of the values of all rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fold {
    Sum,
    Mean,
}

/// A condition of a case.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Condition {
    /// The first is less than the second, or may be equal as well.
    Less(Box<[Expression; 2]>, bool),
    And(Vec<Condition>),
    Or(Vec<Condition>),
}

/// A formula that has been read.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Read {
    /// Names of parameters in the order in which they are first used, and where that is.
    pub(super) parameters: Vec<(String, Range<usize>)>,
    /// Which coordinates are used, x and y.
    pub(super) coordinates: [bool; 2],
    /// What is known of coordinates with numbers, of a formula that has such.
    pub(super) numbered: Option<Numbered>,
    /// Names of columns of data in the order in which they are first used, and where that is.
    pub(super) columns: Vec<(String, Range<usize>)>,
    /// The numbers of these columns; empty until they are given.
    pub(super) data: Arc<Vec<Vec<f64>>>,
    /// Which abbreviations differ from row to row.
    pub(super) by_row: Vec<bool>,
    /// Abbreviations in their order; each may use those before it.
    pub(super) abbreviations: Vec<(String, Expression)>,
    pub(super) value: Expression,
}
