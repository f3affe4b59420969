//! What a person asks of the studies beside the runs (repeats, range test, sweep, reference), on a plot or elsewhere, as data.

/// What a person asks of a study.
#[derive(Clone, Debug, PartialEq)]
pub enum StudyAction {
    /// Compute the missing repeats.
    Repeat,
    /// Stop computing repeats.
    HaltRepeats,
    /// Test step sizes of a run around this one.
    RangeTest {
        /// Number of the run.
        run: usize,
        /// The present step size α.
        centre: f64,
    },
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
