//! What a person asks of the studies beside the runs (repeats, range test, sweep, reference), on a plot or elsewhere, as data.

/// What a person asks of a study.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum StudyAction {
    /// Compute the missing repeats.
    Repeat,
    /// Stop computing repeats.
    HaltRepeats,
    /// Test step sizes α of a run, by number, around its present one.
    RangeTest { run: usize, centre: f64 },
    /// Show the form of a sweep.
    PlanSweep,
    /// Compute the missing cells of the sweep.
    Sweep,
    /// Stop computing cells.
    HaltSweep,
    /// Give the run the parameters of a cell of the sweep, by number.
    OpenCell(usize),
    /// Draw the small picture of a cell of the sweep, by number, or of none.
    PointAtCell(Option<usize>),
    /// Ask for a file for the cells of the sweep.
    SaveCells,
    /// Compute HMC references of the target that is shown, whenever it changes.
    Reference,
    /// Stop computing references.
    HaltReference,
}
