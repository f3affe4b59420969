//! Schedules of step sizes: past and future steps of all runs, and the limit of stability of each method.

mod curve;

use std::collections::BTreeSet;

use egui::{Align2, Color32, Rect, Ui};
use egui_plot::{HLine, LineStyle, PlotTransform, PlotUi, Points};

use crate::draw::theme::Theme;
use crate::schedules::ALPHA;
use crate::session::{Frame, RunFrame};

use super::axes::{AxisSpec, Ticks, in_room, plot};
use super::mesh_cache::Mark;
use super::overlay_label::OverlayLabel;
use super::run_header;
use super::steps::{StepsInput, StepsResponse, along_steps, as_f64, finish, furniture, scrolled, set_bounds};
use crate::draw::numbers;

pub use curve::ScheduleCache;

/// Decades shown below the largest step size on a logarithmic axis: cycles end near 0.
const DECADES: f64 = 4.0;

/// The limit of stability is within the plot if it is at most this many times the largest step size.
const NEAR: f64 = 3.0;

/// Upper end of a linear axis, in multiples of the highest value shown.
const HEADROOM: f64 = 1.12;

/// Opacity of future steps.
const FUTURE: f32 = 0.4;

/// Draws the plot into the available space; `log` makes the axis of step sizes logarithmic.
pub fn show(ui: &mut Ui, input: &StepsInput<'_>, log: bool, theme: &Theme, cache: &mut ScheduleCache) -> StepsResponse {
    let stepping: Vec<usize> =
        input.runs.iter().copied().filter(|&run| symbol_of(input.frame, run).is_some()).collect();
    let input = &StepsInput { runs: &stepping, ..input.clone() };
    let symbols: BTreeSet<&str> = stepping.iter().filter_map(|&run| symbol_of(input.frame, run)).collect();
    run_header::line(ui, input.frame, input.runs, theme, &theme.strong(), &meanings(&symbols));
    ui.add_space(theme.space(0.5));
    let ticks = if log { Ticks::Log } else { Ticks::Linear };
    let (x, y) = (
        AxisSpec::wide("step", Ticks::Whole),
        AxisSpec::upright(
            if symbols.iter().all(|symbol| *symbol == ALPHA) { "step size α" } else { "step size" },
            ticks,
        ),
    );
    let [x, y] = in_room(ui, theme, [x, y]);
    let plot = along_steps(plot(("schedule", log), theme, x, y), ui, input.frame, theme);
    let limits = limits(input);
    let stable = limits.iter().map(|limit| limit.step_size).reduce(f64::min);
    let made = &mut *cache;
    let shown = plot.show(ui, |plot_ui| {
        let range = scrolled(plot_ui, &input.range);
        let width = plot_ui.response().rect.width();
        let mut largest = 0.0_f64;
        for &run in input.runs {
            if let Some(frame) = input.frame.runs.get(run) {
                largest = largest.max(made.prepare(run, &frame.plan, &range, width));
            }
        }
        // From here on the cache is only read, for as long as the plot's items borrow from it.
        let cache = &*made;
        let scale = Scale { log, largest, stable };
        furniture(plot_ui, input, &range, theme);
        add_stability(plot_ui, &limits, scale, theme);
        add_curves(plot_ui, input, scale, theme, cache);
        set_bounds(plot_ui, &range, &scale.bounds());
        (range, scale)
    });
    let (range, scale) = shown.inner;
    if stepping.is_empty() {
        let (text, at) = ("These methods have no step size.", shown.response.rect.center());
        let words = OverlayLabel { text, font: theme.body(), colour: theme.soft, at, align: Align2::CENTER_CENTER };
        words.paint(ui, theme, shown.response.rect);
    }
    stability_words(ui, &limits, scale, theme, (shown.response.rect, &shown.transform));
    finish(ui, input, theme, (shown.response, &shown.transform), &range, |step| readout(input, step))
}

/// Symbol of the step size of a run; `None` if it has none.
fn symbol_of(frame: &Frame, run: usize) -> Option<&'static str> {
    run_header::step_symbol(frame, frame.runs.get(run)?)
}

/// Meaning of the symbols.
fn meanings(symbols: &BTreeSet<&str>) -> Vec<String> {
    let known = [
        (ALPHA, "α in the Langevin convention, ε = 2α"),
        ("h", "h is a time step"),
        ("η", "η is Adam's step size"),
        ("ρ", "ρ is the share of the way to the intermediate estimate"),
    ];
    known.iter().filter(|(symbol, _)| symbols.contains(symbol)).map(|(_, words)| (*words).to_owned()).collect()
}

/// Scale of the vertical axis.
#[derive(Clone, Copy, Debug)]
struct Scale {
    log: bool,
    /// The largest step size of all.
    largest: f64,
    /// The smallest limit of stability.
    stable: Option<f64>,
}

impl Scale {
    /// The place of a step size on the axis.
    fn place(self, alpha: f64) -> f64 {
        if self.log { alpha.max(self.floor()).log10() } else { alpha }
    }

    /// The smallest step size on a logarithmic axis.
    fn floor(self) -> f64 {
        self.top() * 10f64.powf(-DECADES)
    }

    fn top(self) -> f64 {
        let near = self.stable.filter(|&stable| stable <= NEAR * self.largest).unwrap_or(0.0);
        let top = self.largest.max(near);
        if top > 0.0 { top } else { 1.0 }
    }

    fn bounds(self) -> std::ops::Range<f64> {
        if self.log { self.floor().log10()..self.top().log10() + 0.15 } else { 0.0..HEADROOM * self.top() }
    }
}

/// The runs shown.
fn runs<'a>(input: &'a StepsInput<'_>) -> impl Iterator<Item = &'a RunFrame> {
    input.runs.iter().filter_map(|&run| input.frame.runs.get(run))
}

/// A limit of stability.
#[derive(Clone, Debug, PartialEq)]
struct Limit {
    /// The step size above which the method is unstable.
    step_size: f64,
    /// The names of its runs; empty if it is the limit of all.
    whose: String,
    /// Its formula in the curvature λ, if there is a simple one.
    formula: &'static str,
}

/// The limits of the runs shown, each once.
fn limits(input: &StepsInput<'_>) -> Vec<Limit> {
    let mut limits: Vec<Limit> = Vec::new();
    let truth = &input.frame.truth;
    let Some(curvature) = truth.curvature() else { return limits };
    let same = |one: f64, other: f64| (one - other).abs() <= 1e-9 * other;
    for run in runs(input) {
        // The limit is one of samplers; approximations take steps in the parameters of a distribution.
        let Some(step_size) = run.stable_below(truth) else { continue };
        match limits.iter_mut().find(|limit| same(limit.step_size, step_size)) {
            Some(known) => known.whose = format!("{}, {}", known.whose, run.plan.name),
            None => {
                let formulas = [("2/λ", 2.0 / curvature), ("2/√λ", 2.0 / curvature.sqrt())];
                let formula = formulas.iter().find(|(_, value)| same(*value, step_size)).map_or("", |(text, _)| text);
                limits.push(Limit { step_size, whose: run.plan.name.clone(), formula });
            }
        }
    }
    if let [only] = &mut limits[..] {
        only.whose.clear();
    }
    limits
}

fn add_stability(plot_ui: &mut PlotUi<'_>, limits: &[Limit], scale: Scale, theme: &Theme) {
    for limit in limits {
        let line = HLine::new("", scale.place(limit.step_size)).color(theme.error).width(theme.thin());
        plot_ui.hline(line.style(LineStyle::Dashed { length: theme.space(1.5) }).allow_hover(false));
    }
}

/// The curve of each run, full up to the newest step and pale after it.
fn add_curves<'a>(
    plot_ui: &mut PlotUi<'a>,
    input: &StepsInput<'_>,
    scale: Scale,
    theme: &Theme,
    cache: &'a ScheduleCache,
) {
    for &run in input.runs {
        let (Some(frame), Some((kept, version))) = (input.frame.runs.get(run), cache.kept(run)) else { continue };
        let colour: Color32 = theme.run(run).colour;
        let content = (version, frame.step, scale.log, scale.top().to_bits(), theme.mode, theme.scale);
        kept.show(plot_ui, content, || {
            let place = |&[step, alpha]: &[f64; 2]| [step, scale.place(alpha)];
            let points: Vec<[f64; 2]> = cache.points(run).iter().map(place).collect();
            let now = points.partition_point(|point| point[0] <= as_f64(frame.step));
            let line = |points: &[[f64; 2]], colour: Color32| Mark::Line {
                points: points.to_vec(),
                colour,
                width: theme.line(),
                graph: true,
            };
            let future = line(&points[now.saturating_sub(1)..], colour.gamma_multiply(FUTURE));
            let past = line(&points[..now], colour);
            if now < points.len() { vec![future, past] } else { vec![past] }
        });
        let here = Points::new("", vec![[as_f64(frame.step), scale.place(frame.alpha)]]).shape(theme.run(run).marker);
        plot_ui.points(here.color(colour).radius(theme.space(1.25)).allow_hover(false));
    }
}

/// Labels of the limits of stability; limits above the plot are named at its top.
fn stability_words(ui: &Ui, limits: &[Limit], scale: Scale, theme: &Theme, place: (Rect, &PlotTransform)) {
    let (rect, transform) = place;
    let mut above = Vec::new();
    let right = rect.right() - theme.space(1.0);
    let (font, colour) = (theme.small(), theme.error);
    for limit in limits {
        let y = transform.position_from_point_y(scale.place(limit.step_size));
        if rect.y_range().contains(y) {
            let text = format!("{}, unstable above", limit.in_words());
            let at = egui::pos2(right, y);
            OverlayLabel { text: &text, font: font.clone(), colour, at, align: Align2::RIGHT_BOTTOM }
                .paint(ui, theme, rect);
        } else {
            above.push(limit.in_words());
        }
    }
    if !above.is_empty() {
        let text = format!("stable up to {}", above.join("; "));
        let at = egui::pos2(right, rect.top() + theme.space(1.0));
        OverlayLabel { text: &text, font, colour, at, align: Align2::RIGHT_TOP }.paint(ui, theme, rect);
    }
}

impl Limit {
    fn in_words(&self) -> String {
        let value = numbers::significant(self.step_size, 3);
        let value = if self.formula.is_empty() { value } else { format!("{} = {value}", self.formula) };
        if self.whose.is_empty() { value } else { format!("{value} ({})", self.whose) }
    }
}

/// The step size of each run at a step.
fn readout(input: &StepsInput<'_>, step: u64) -> String {
    let part = |frame: &Frame, run: usize| {
        let run = frame.runs.get(run)?;
        let (name, size) = (&run.plan.name, numbers::significant(run.plan.step_size(step), 3));
        Some(format!("{name} {} {size}", run_header::step_symbol(frame, run)?))
    };
    let parts: Vec<String> = input.runs.iter().filter_map(|&run| part(input.frame, run)).collect();
    parts.join("   ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostics::curvature;
    use crate::draw::plots::testing::Fake;

    #[test]
    fn stability_of_known_targets() {
        let grid = 2.0 / curvature(&Fake::grid()).unwrap();
        assert!((grid - 2.0 * 0.03).abs() < 1e-12, "curvature 1/0.03 gives 2/λ = 0.06, not {grid}");
        let beta = Fake::beta();
        let at: f64 = 39.0 / 113.0;
        let expected = 2.0 / (39.0 / at.powi(2) + 74.0 / (1.0 - at).powi(2));
        assert!((2.0 / curvature(&beta).unwrap() - expected).abs() < 1e-12);
    }

    #[test]
    fn a_far_stability_line_does_not_flatten_the_curves() {
        let near = Scale { log: false, largest: 0.043, stable: Some(0.06) };
        assert!(near.bounds().end > 0.06);
        let far = Scale { stable: Some(6.0), ..near };
        assert!(far.bounds().end < 0.05);
    }

    #[test]
    fn step_sizes_of_zero_have_a_place_on_a_logarithmic_axis() {
        let scale = Scale { log: true, largest: 0.1, stable: None };
        assert!((scale.place(0.0) - scale.bounds().start).abs() < 1e-12);
        assert!((scale.place(0.01) + 2.0).abs() < 1e-12);
        assert!(Scale { largest: 0.0, ..scale }.bounds().start.is_finite());
    }
}
