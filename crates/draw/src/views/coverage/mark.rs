//! The points of the coverage plot: earlier and present runs, their seeds, exact draws and pins.

use crate::theme::RunStyle;

/// A point on the plot.
#[derive(Clone, Debug)]
pub(super) struct Mark {
    pub(super) kind: Kind,
    pub(super) at: [f64; 2],
    pub(super) style: RunStyle,
    pub(super) name: String,
    /// Its method, chains, steps and step sizes.
    pub(super) words: String,
}

impl Mark {
    /// Its point, and the ends of its arms.
    pub(super) fn points(&self) -> Vec<[f64; 2]> {
        match self.kind {
            Kind::Seeds([x, y]) => vec![self.at, [x[0], y[0]], [x[1], y[1]]],
            _ => vec![self.at],
        }
    }
}

/// Kind of a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Kind {
    /// An earlier finished run.
    Past,
    /// The mean of a run over several seeds, and the ends of its spread.
    Seeds([[f64; 2]; 2]),
    /// As many exact draws as a run has.
    Exact,
    /// A pin, by number.
    Pin(usize),
    /// A run, finished or not, and the point of as many exact draws.
    Run { finished: bool, floor: Option<[f64; 2]> },
}
