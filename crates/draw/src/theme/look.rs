//! The look of a figure, as the `[figure]` of its scenario says it: colours and markers of runs, names, letters, and what is left out.

use engine::scenario::figures::Typeface;

/// What a figure has of its own. The default is the window's.
#[derive(Clone, Debug, PartialEq)]
pub struct Look {
    /// Its letters.
    pub typeface: Typeface,
    /// The width of lines, as a multiple of the usual one.
    pub line: f32,
    /// The names of the axes of canvases, where they are not those of the target.
    pub axes: [Option<String>; 2],
    /// The names of runs, by their numbers, where they are not those of the scenario.
    pub runs: Vec<Option<String>>,
    /// The letter of the panel that is drawn.
    pub letter: Option<String>,
    /// Whether plots over the run mark the present step.
    pub cursor: bool,
    /// Whether plots of step sizes mark the limit of stability.
    pub stability: bool,
    /// Whether key numbers stand beside the names of runs.
    pub details: bool,
}

impl Default for Look {
    fn default() -> Self {
        Self {
            typeface: Typeface::Inter,
            line: 1.0,
            axes: [None, None],
            runs: Vec::new(),
            letter: None,
            cursor: true,
            stability: true,
            details: true,
        }
    }
}
