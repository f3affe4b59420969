//! Text of plots: its sizes, and what plots say beside their curves.

/// Sizes of text, in points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TextSizes {
    /// Ticks, key numbers, captions.
    pub small: f32,
    /// All other text.
    pub body: f32,
    /// Titles of panels and plots.
    pub heading: f32,
    /// The title of the sheet.
    pub title: f32,
}

impl TextSizes {
    /// Sizes that are so many times as large, in whole points.
    #[must_use]
    pub fn times(self, factor: f32) -> Self {
        let Self { small, body, heading, title } = self;
        let [small, body, heading, title] = [small, body, heading, title].map(|size| (size * factor).round());
        Self { small, body, heading, title }
    }
}

/// What plots say beside their curves; a figure for a paper may leave it to the text below.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Labels {
    /// Names of the axes.
    pub axes: bool,
    /// Names and markers of runs, and legends.
    pub legends: bool,
    /// Whether all of a legend is shown, on as many lines as it needs: on paper, where nothing can be pointed at.
    pub whole: bool,
    /// Remarks below plots.
    pub remarks: bool,
}
