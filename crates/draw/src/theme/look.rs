//! The look of a figure, as the `[figure]` of its scenario says it: colours and markers of runs, names, letters, and what is left out.

use engine::scenario::figures::{Note, OwnAxis, Typeface};

/// Lines along the axes of plots.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Spines {
    /// None.
    #[default]
    None,
    /// Along both axes.
    LeftBottom,
    /// Around each plot.
    Box,
}

/// Where the names of several runs are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LegendPlace {
    /// Above each plot.
    #[default]
    Above,
    /// In a corner of each plot: at the right or not, at the bottom or not.
    Inside { right: bool, bottom: bool },
    /// At the right of each plot.
    Right,
    /// At the ends of curves.
    Ends,
    /// Once, above all panels.
    Once,
    /// Nowhere.
    None,
}

/// What a panel of a figure has of its own while it is drawn.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PanelLook {
    /// Its number, from 0.
    pub number: usize,
    /// Its horizontal and its vertical axis.
    pub axes: [OwnAxis; 2],
    /// The texts on it.
    pub notes: Vec<Note>,
    /// Whether the panel at its left has the vertical axis for both.
    pub shares: bool,
    /// Whether the panel below has the horizontal axis for both.
    pub below: bool,
    /// The width of a canvas with limits of its own inside of its axes, as a multiple of its height, if one unit is equally long on both axes.
    pub aspect: Option<f32>,
    /// How much narrower its plot is at the right than it could be, to end where others above or below it end.
    pub narrower: f32,
    /// How far the plot of a canvas moves from its header down, and from the lower edge of the panel up, to be on one line with others.
    pub inset: [f32; 2],
    /// The widths of what is at the left of the plot, its vertical axis, and at its right, if it is a canvas beside others, or a plot above or
    /// below others, that was drawn before: the axis is no narrower.
    pub beside: Option<[f32; 2]>,
}

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
    /// The size of markers, as a multiple of the usual one.
    pub marker: f32,
    /// Lines along axes.
    pub spines: Spines,
    /// Where the names of several runs are.
    pub legend: LegendPlace,
    /// The panel that is drawn, in a figure of panels.
    pub panel: Option<PanelLook>,
    /// The letter of the panel that is drawn.
    pub letter: Option<String>,
    /// Whether plots over the run mark the present step.
    pub cursor: bool,
    /// Whether plots of step sizes mark the limit of stability.
    pub stability: bool,
    /// Whether plots of step sizes have the scale of variances at their right.
    pub variance: bool,
    /// Whether plots of step sizes have the strip of modes.
    pub strip: bool,
    /// Whether measures have what as many exact draws score beside them.
    pub floors: bool,
    /// Whether canvases say how many draws are beyond their axes.
    pub outside: bool,
    /// Whether key numbers stand beside the names of runs.
    pub details: bool,
    /// Whether canvases have the contours of the target.
    pub contours: bool,
    /// Whether canvases have a cross at each mode.
    pub modes: bool,
}

impl Default for Look {
    fn default() -> Self {
        Self {
            typeface: Typeface::Inter,
            line: 1.0,
            axes: [None, None],
            runs: Vec::new(),
            marker: 1.0,
            spines: Spines::None,
            legend: LegendPlace::Above,
            panel: None,
            letter: None,
            cursor: true,
            stability: true,
            variance: true,
            strip: true,
            floors: true,
            outside: true,
            details: true,
            contours: true,
            modes: true,
        }
    }
}

/// Light or dark.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Appearance {
    /// Dark ink on white paper.
    #[default]
    Light,
    /// Light ink on near-black paper.
    Dark,
}

/// Distance of the viewers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Scale {
    /// Near the screen, at a desk.
    #[default]
    Screen,
    /// In the last row, in front of a projector.
    Present,
}
