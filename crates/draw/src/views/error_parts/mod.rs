//! Tab `error`: the error of runs in parts, computed without draws: what more draws do not cure, what time cures, and what is chance; and the bias
//! against the step size.

mod bars;
mod cache;
mod curve;
mod geometry;
mod shown;

use egui::{Rect, Sense, Ui, UiBuilder, vec2};

use super::controls::option;
use super::{PlotContext, PlotTab, StudyUse, TabAction, TabResponse, TabSpec};
use crate::kit::legend::{self, Entry, Sample};
use crate::kit::run_header;
use crate::theme::Theme;
use engine::scenario::view::tabs;
use engine::session::Frame;

use cache::ErrorCache;
pub use shown::ErrorOf;

pub static TAB: TabSpec = TabSpec {
    spec: &tabs::ERROR,
    by_coordinate: super::no_coordinate,
    study: StudyUse::Nothing,
    of_truth: true,
    beside: false,
    applies: has_parts,
    make: || Box::<ErrorParts>::default(),
};

/// Width of the list, in units of the theme.
const WIDTH: f32 = 42.0;

/// Share of the width for the parts; the curve has the rest.
const PARTS: f32 = 0.55;

/// Least width for parts and curve side by side, in sizes of small text.
const WIDE: f32 = 50.0;

/// How many times as high as others the plot is: each run has up to four rows. With more than two runs they need more.
const HEIGHT: f32 = 1.25;
const HIGHER: f32 = 1.5;

/// What the parts mean.
const SENTENCE: &str =
    "More draws cannot remove the bias; a longer run removes the transient; more draws remove the Monte Carlo part";

/// Whether a run draws in the plane or on the line, on a target whose truth is known.
fn has_parts(frame: &Frame) -> bool {
    super::has_sampler(frame) && super::has_truth(frame) && frame.target.in_plane().is_some()
}

#[derive(Debug, Default)]
struct ErrorParts {
    cache: ErrorCache,
}

impl PlotTab for ErrorParts {
    fn height(&self, frame: &Frame) -> f32 {
        let runs = (0..frame.runs.len()).filter(|run| samples(frame, *run)).count();
        if runs > 2 { HIGHER } else { HEIGHT }
    }

    fn show(&mut self, ui: &mut Ui, cx: &PlotContext<'_>, theme: &Theme) -> TabResponse {
        let runs: Vec<usize> = cx.runs.iter().copied().filter(|run| samples(cx.frame, *run)).collect();
        // A computation under way asks for a repaint itself.
        self.cache.update(ui.ctx(), cx.frame, &runs, cx.computing);
        let entries = bars::entries((cx.frame, &runs, cx.options.error), theme, &self.cache);
        run_header::with_legend(ui, cx.frame, &runs, theme, &theme.heading(), &entries);
        legend::line(ui, theme, &[Entry::new(Sample::None, SENTENCE)]);
        let area = ui.available_rect_before_wrap();
        let curves = runs.iter().any(|run| self.cache.has_curve(*run));
        let beside = curves && area.width() >= WIDE * theme.text.small;
        let width = if beside { PARTS * area.width() - theme.space(3.0) } else { area.width() };
        let left = Rect::from_min_size(area.min, vec2(width, area.height()));
        let of = cx.options.error;
        bars::show(ui, (cx.frame, &runs, of), left, theme, &self.cache);
        if beside {
            let right = Rect::from_min_max(left.right_top() + vec2(theme.space(6.0), 0.0), area.max);
            let builder = UiBuilder::new().id_salt("bias").max_rect(right);
            ui.scope_builder(builder, |ui| curve::show(ui, (cx.frame, &runs, of), theme, &self.cache));
        }
        ui.allocate_rect(area, Sense::hover());
        TabResponse::default()
    }

    fn tools(&mut self, ui: &mut Ui, cx: &PlotContext<'_>, theme: &Theme) -> TabResponse {
        let mut options = cx.options;
        option::list(ui, &mut options.error, theme.space(WIDTH));
        let mut response = TabResponse::default();
        if options != cx.options {
            response.push(TabAction::SetOptions(options));
        }
        response
    }
}

/// Whether a run draws.
fn samples(frame: &Frame, run: usize) -> bool {
    frame.runs.get(run).is_some_and(|run| run.fits.is_none())
}
