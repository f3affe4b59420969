//! MCMC versus VI: four measures against the cost, for samplers from their draws and for approximations from their fit.
//!
//! Both directions of the Kullback–Leibler divergence and the errors of the first two moments, each in a plot as in
//! [`convergence`]. Samplers also have the value expected for as many exact draws; a fit has no such floor.

use egui::{Align2, Rect, Ui, UiBuilder, pos2, vec2};

use crate::kit::axes::{LOW, fits_upright};
use crate::kit::legend::{Entry, Sample};
use crate::kit::run_header;
use crate::theme::Theme;
use crate::views::convergence::{self, ConvergenceCache, ConvergenceInput, ExactLines};
use engine::diagnostics::{MeasureSpec, TRUTH_MEASURES, all_measures};
use engine::session::repeats::Repeat;
use engine::session::{Clock, Frame};

/// The measures by key, and their labels here.
type Panels = [(&'static str, &'static str); 4];

/// Of densities in the plane.
const PLANE: Panels = [
    ("kl", "KL(draws‖target), binned"),
    ("kl_reverse", "KL(target‖draws), binned"),
    ("mean_error", "error of the mean"),
    ("covariance_error", "error of the covariance"),
];

/// Of quantities with names: two of them say little of ten.
const QUANTITIES: Panels = [
    ("quantity_means", "error of means, sd"),
    ("quantity_sds", "error of sds"),
    ("quantity_rhat", "largest R-hat"),
    ("quantity_ess", "least bulk ESS"),
];

/// The panels of a target.
fn panels(frame: &Frame) -> &'static Panels {
    if frame.target.quantities().is_some() { &QUANTITIES } else { &PLANE }
}

/// Ratio of width to height above which the panels are in one row.
const ONE_ROW: f32 = 2.2;

/// Gap between panels, in units of the theme.
const GAP: f32 = 3.0;

/// Input of the plot.
#[derive(Clone, Copy, Debug)]
pub struct CompareInput<'a> {
    /// The frame, for the names and the progress of the runs.
    pub frame: &'a Frame,
    /// The runs drawn, by number.
    pub runs: &'a [usize],
    /// The horizontal axis of all panels.
    pub against: Clock,
    /// The repeats made so far.
    pub repeats: &'a [Repeat],
    /// A number that no other list of repeats has had.
    pub version: u64,
    /// Whether they are of an earlier version of the scenario.
    pub stale: bool,
    /// What endlessly many chains score; `None` where that is not shown.
    pub exact: Option<&'a ExactLines>,
}

/// The curves of the panels.
#[derive(Debug, Default)]
pub struct CompareCache {
    panels: [ConvergenceCache; 4],
}

/// Draws the panels into the space there is.
pub fn show(ui: &mut Ui, input: &CompareInput<'_>, theme: &Theme, cache: &mut CompareCache) {
    let panels = panels(input.frame);
    let inputs = panels.map(|(key, label)| truth_input(input, key, label));
    let mut legend = convergence::legend(&inputs[0], theme);
    legend.push(Entry::new(Sample::None, "q: draws of a sampler, distribution of an approximation"));
    run_header::with_legend(ui, input.frame, input.runs, theme, &theme.strong(), &legend);
    ui.add_space(theme.space(0.5));
    let mut area = ui.available_rect_before_wrap();
    let foot = theme.text.small * 1.3;
    let low = rects(area, theme.space(GAP))[0].height() < LOW * theme.text.body;
    if low && theme.labels.axes {
        // Low panels have no names of axes.
        area.max.y -= foot;
        let name = convergence::axis_label(&inputs[0]);
        ui.painter().text(area.center_bottom(), Align2::CENTER_TOP, name, theme.small(), theme.soft);
    }
    let rects = rects(area, theme.space(GAP));
    // If one name is longer than its axis, all are above their panels.
    let first = UiBuilder::new().id_salt("names").max_rect(rects[0]);
    let above = ui.scope_builder(first, |ui| panels.iter().any(|(_, name)| !fits_upright(ui, theme, name))).inner;
    for ((input, cache), area) in inputs.iter().zip(&mut cache.panels).zip(rects) {
        let panel = UiBuilder::new().id_salt(input.spec.key).max_rect(area);
        ui.scope_builder(panel, |ui| drop(convergence::panel(ui, input, theme, (cache, above))));
    }
}

/// One panel as the plot of a measure.
fn truth_input<'a>(input: &CompareInput<'a>, key: &str, label: &'static str) -> ConvergenceInput<'a> {
    let CompareInput { frame, runs, against, repeats, version, stale, exact } = *input;
    let spec = all_measures().find(|spec| spec.key == key).unwrap_or(&TRUTH_MEASURES[0]);
    let spec = MeasureSpec { label, ..*spec };
    ConvergenceInput { frame, runs, spec, against, log: true, repeats, version, stale, invites: false, exact }
}

/// Rectangles of the panels: in one row if the width allows, else in two.
fn rects(area: Rect, gap: f32) -> [Rect; 4] {
    let columns: u16 = if area.width() > ONE_ROW * area.height() { 4 } else { 2 };
    let rows = 4 / columns;
    let share = |whole: f32, parts: u16| (whole + gap) / f32::from(parts) - gap;
    let size = vec2(share(area.width(), columns), share(area.height(), rows));
    [0_u16, 1, 2, 3].map(|panel| {
        let cell = vec2(f32::from(panel % columns), f32::from(panel / columns));
        let corner = area.min + cell * (size + vec2(gap, gap));
        Rect::from_min_size(pos2(corner.x, corner.y), size)
    })
}

#[cfg(test)]
mod tests {
    use egui::{Pos2, vec2};
    use egui_kittest::Harness;

    use super::*;
    use crate::testing::{Fake, Recipe, frame};
    use crate::theme;
    use engine::diagnostics::Measure;
    use engine::session::repeats::Stop;

    #[test]
    fn panels_fill_their_space_in_one_row_or_two() {
        for (width, height) in [(1000.0, 200.0), (600.0, 500.0)] {
            let area = Rect::from_min_size(Pos2::new(10.0, 20.0), vec2(width, height));
            let rects = rects(area, 8.0);
            assert_eq!(rects[0].min, area.min);
            assert!((rects[3].max - area.max).length() < 1e-3);
            for (index, one) in rects.iter().enumerate() {
                assert!(rects[index + 1..].iter().all(|other| !one.intersects(*other)));
            }
        }
    }

    #[test]
    fn every_panel_is_a_measure_of_the_registry() {
        for (key, _) in PLANE.iter().chain(&QUANTITIES) {
            assert!(all_measures().any(|spec| spec.key == *key), "{key}");
        }
    }

    #[test]
    fn it_draws_with_and_without_repeats() {
        let recipe = Recipe { name: "SGLD", chains: 1, steps: 30, total: 100, alpha: 0.004, cycle: 0 };
        let measure = |spec: &MeasureSpec| Measure { key: spec.key, value: Some(0.3), floor: None, reason: "" };
        let stop = Stop { step: 1, evaluations: 1.0, measures: TRUTH_MEASURES.iter().map(measure).collect() };
        for repeats in [vec![], vec![Repeat { seed: 1, runs: vec![vec![stop]] }]] {
            let (frame, look) = (frame(Fake::grid(), &[recipe]), Theme::default());
            let mut cache = CompareCache::default();
            let mut harness = Harness::builder()
                .with_size(vec2(900.0, 260.0))
                .with_context_setup(theme::install_fonts)
                .build_ui(move |ui| {
                    theme::apply(ui.ctx(), &look);
                    let (frame, repeats) = (&frame, &repeats[..]);
                    let against = Clock::Gradients;
                    let (version, stale) = (0, false);
                    let input = CompareInput { frame, runs: &[0], against, repeats, version, stale, exact: None };
                    show(ui, &input, &look, &mut cache);
                });
            harness.run_steps(3);
        }
    }
}
