//! Canvases as they are seen: which runs, how, and what the pointer does on them.

use base::math::Bounds;
use draw::canvas::Layers;
use draw::canvas::pointing::Pointing;

use super::painter::Painter;

/// What canvases show. A file may say runs, layout, layers and bounds; the bounds go back to those of the target with another target.
#[derive(Debug, Default)]
pub struct Shown {
    /// The run that is shown alone.
    pub solo: Option<usize>,
    /// The runs that a file shows, by number; `None` for all.
    pub among: Option<Vec<usize>>,
    /// Whether all runs share one canvas.
    pub overlay: bool,
    /// Bounds of all canvases; `None` for those of the target.
    pub bounds: Option<Bounds>,
    /// What canvases show.
    pub layers: Layers,
    /// What the pointer is at on canvases and plots.
    pub pointing: Pointing,
    /// Whether canvases show the handles of a mixture, or the brush of a painting.
    pub editing: bool,
    /// The brush, and what is being painted.
    pub painter: Painter,
}

impl Shown {
    /// Shows one run alone, or all runs again.
    pub fn toggle_solo(&mut self, run: usize, runs: usize) {
        self.solo = if self.solo == Some(run) || run >= runs { None } else { Some(run) };
    }

    /// The runs that plots show: the one that is shown alone, or all.
    #[must_use]
    pub fn runs(&self, runs: usize) -> Vec<usize> {
        match (self.solo, &self.among) {
            (Some(run), _) if run < runs => vec![run],
            (_, Some(among)) if among.iter().any(|run| *run < runs) => {
                among.iter().copied().filter(|run| *run < runs).collect()
            }
            _ => (0..runs).collect(),
        }
    }

    /// Shows all runs, each on a canvas of its own or all on one.
    pub fn show_all(&mut self, overlay: bool) {
        (self.solo, self.among, self.overlay) = (None, None, overlay);
    }

    /// Forgets choices that belong to removed runs.
    pub fn forget_removed(&mut self, runs: usize) {
        self.solo = self.solo.filter(|run| *run < runs);
        self.among.take_if(|among| among.iter().all(|run| *run >= runs));
    }
}
