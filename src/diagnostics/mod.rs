//! Diagnostics: what the draws say about the target and what they say about the chain, one measure per file.

/// The value of a measure, with what exact draws would give.
#[derive(Clone, Debug, PartialEq)]
pub struct Measure {
    /// Its key in `summary.json`: `modes_covered`.
    pub key: &'static str,
    /// The value; `None` where the measure does not apply or there are too few draws.
    pub value: Option<f64>,
    /// The same statistic for as many exact draws: the noise floor.
    pub floor: Option<f64>,
    /// Why there is no value, in a few words; empty if there is one.
    pub reason: &'static str,
}

/// The description of a measure.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MeasureSpec {
    /// Its key in `summary.json`.
    pub key: &'static str,
    /// Its name in the window.
    pub label: &'static str,
    /// Its definition and source, shown as a tooltip.
    pub help: &'static str,
    /// Which values are better.
    pub better: Better,
}

/// Which values of a measure are better.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Better {
    /// Larger ones, up to the floor.
    Higher,
    /// Smaller ones, down to the floor.
    Lower,
    /// Those near the floor from either side.
    NearFloor,
}
