//! Canvases as they are seen: which runs, how, and what the pointer does on them.

use std::sync::Arc;

use crate::platform::Instant;
use base::math::Bounds;
use draw::canvas::Layers;
use draw::canvas::pointing::Pointing;
use engine::session::Frame;

use super::in_sight::InSight;
use super::painter::Painter;
use super::taken_apart::{TakenApart, parts};

/// What canvases show. A file may say runs, layout, layers and bounds; the bounds go back to those of the target with another target.
#[derive(Debug, Default)]
pub struct Shown {
    /// The run that is shown alone.
    pub solo: Option<usize>,
    /// The runs that a person or a file shows, by number; `None` for all.
    pub among: Option<Vec<usize>>,
    /// Whether all runs share one canvas.
    pub overlay: bool,
    /// Bounds of all canvases; `None` for those of the target.
    pub bounds: Option<Bounds>,
    /// The newest step, while canvases follow it.
    pub in_sight: InSight,
    /// What canvases show.
    pub layers: Layers,
    /// When slow motion goes on to the next stage of a step; `None` without it.
    pub slow: Option<Instant>,
    /// The newest step, while its parts are shown.
    pub taken_apart: TakenApart,
    /// What the pointer is at on canvases and plots.
    pub pointing: Pointing,
    /// Whether canvases show the handles of a mixture, or the brush of a painting.
    pub editing: bool,
    /// The brush, and what is being painted.
    pub painter: Painter,
}

impl Shown {
    /// The bounds of all canvases as they stay: not those of a step that is shown from near by while it is explained.
    #[must_use]
    pub fn lasting_bounds(&self) -> Option<Bounds> {
        self.bounds.filter(|_| !self.in_sight.is_unasked(self.bounds))
    }

    /// Shows one run alone, or all runs again.
    pub fn toggle_solo(&mut self, run: usize, runs: usize) {
        self.solo = if self.solo == Some(run) || run >= runs { None } else { Some(run) };
    }

    /// Hides a run, or shows it beside the others that are shown. The last one stays.
    pub fn toggle_run(&mut self, run: usize, runs: usize) {
        let mut shown = self.runs(runs);
        match shown.iter().position(|other| *other == run) {
            Some(_) if shown.len() == 1 => return,
            Some(at) => drop(shown.remove(at)),
            None if run < runs => {
                let at = shown.partition_point(|other| *other < run);
                shown.insert(at, run);
            }
            None => return,
        }
        self.solo = None;
        self.among = (shown.len() < runs).then_some(shown);
    }

    /// The runs that plots show: the one that is shown alone, or all that are not hidden.
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

    /// Whether the newest step is shown to its end: it is whole, or its last part is there.
    #[must_use]
    pub fn ends_step(&self, frame: &Frame) -> bool {
        self.layers.stage.is_none_or(|stage| stage + 1 >= parts(frame, &self.runs(frame.runs.len())))
    }

    /// The frame whose draws and measures are shown: while the end of the newest step is not shown, that before it, if it was seen.
    #[must_use]
    pub fn counted<'a>(&'a self, frame: &'a Arc<Frame>) -> &'a Arc<Frame> {
        self.taken_apart.before().filter(|_| !self.ends_step(frame)).unwrap_or(frame)
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

#[cfg(test)]
mod tests {
    use super::Shown;

    #[test]
    fn runs_are_hidden_and_shown_one_by_one_and_one_is_always_shown() {
        let mut shown = Shown::default();
        let mut after = |runs: &[usize]| {
            runs.iter().for_each(|run| shown.toggle_run(*run, 4));
            (shown.runs(4), shown.among.is_none())
        };
        assert_eq!(after(&[1, 3]), (vec![0, 2], false), "the first and the third together");
        assert_eq!(after(&[1]), (vec![0, 1, 2], false));
        assert_eq!(after(&[3]), (vec![0, 1, 2, 3], true));
        assert_eq!(after(&[0, 1, 2, 3, 7]), (vec![3], false));
        shown.toggle_solo(2, 4);
        shown.toggle_run(0, 4);
        assert_eq!((shown.runs(4), shown.solo), (vec![0, 2], None), "beside the one that was alone");
        shown.toggle_solo(0, 4);
        shown.toggle_solo(0, 4);
        assert_eq!(shown.runs(4), vec![0, 2], "back to those that were shown");
    }
}
