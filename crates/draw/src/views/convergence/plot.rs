//! Convergence of one measure over repeats with other seeds: mean as a line, central 80 % of the repeats as a band, the value
//! expected for as many exact draws as a dashed line, against cost or steps on a logarithmic axis.

use std::ops::Range;

use egui::{Align2, Color32, Label, Rect, Response, RichText, Ui};
use egui_plot::{LineStyle, PlotTransform, PlotUi, Points, VLine};

use super::exact::ExactLines;
use super::geometry::{At, convergence, placed};
use crate::kit::axes::{AxisSpec, Ticks, answers, before_last_tick, curve, fits_upright, in_height, plot, show_part};
use crate::kit::legend::{Entry, Sample};
use crate::kit::marks::Mark;
use crate::kit::mesh_cache::MeshCache;
use crate::kit::overlay_label::OverlayLabel;
use crate::kit::{run_header, run_line};
use crate::theme::{STALE, Theme};
use crate::words::numbers;
use engine::diagnostics::MeasureSpec;
use engine::session::repeats::Repeat;
use engine::session::{Clock, Frame, RunFrame};

/// Decades of a measure shown at most. Values further down are zero for the eye.
const DECADES: f64 = 6.0;

/// Margin beyond the curves on a logarithmic axis, in decades.
const MARGIN: f64 = 0.08;

/// Opacity of bands, and of the lines of exact draws.
const BAND: f32 = 0.22;
const FLOOR: f32 = 0.8;
const FLOOR_BAND: f32 = 0.1;

/// Share of ink in the colour of exact lines, so that they are told from means.
const INK: f32 = 0.45;

/// Input of the plot.
#[derive(Clone, Copy, Debug)]
pub struct ConvergenceInput<'a> {
    /// The frame, for the names and the progress of the runs.
    pub frame: &'a Frame,
    /// The runs drawn, by number.
    pub runs: &'a [usize],
    /// The measure.
    pub spec: MeasureSpec,
    /// Its horizontal axis.
    pub against: Clock,
    /// Whether its axis is logarithmic.
    pub log: bool,
    /// The repeats made so far.
    pub repeats: &'a [Repeat],
    /// A number that no other list of repeats has had.
    pub version: u64,
    /// Whether they are of an earlier version of the scenario.
    pub stale: bool,
    /// Whether what there is to do stands in the place of the curves.
    pub invites: bool,
    /// What endlessly many chains score; `None` where that is not shown.
    pub exact: Option<&'a ExactLines>,
}

/// The curves of the runs shown, and the tessellated bands.
#[derive(Debug, Default)]
pub struct ConvergenceCache {
    curves: Option<(Shown, Curves)>,
    /// Exact lines of these runs.
    exact: Vec<(usize, Vec<[f64; 2]>)>,
    bands: MeshCache,
    floors: MeshCache,
}

/// The curve of every run that has one.
type Curves = Vec<(usize, Vec<At>)>;

/// What the curves depend on.
#[derive(Clone, Debug, PartialEq)]
struct Shown {
    version: u64,
    repeats: usize,
    key: &'static str,
    against: Clock,
    runs: Vec<usize>,
    exact: Option<u64>,
    floors: bool,
}

impl ConvergenceCache {
    /// Updates the curves, with their floors or without.
    fn prepare(&mut self, input: &ConvergenceInput<'_>, floors: bool) {
        let ConvergenceInput { version, repeats, spec, against, runs, exact, .. } = *input;
        let exact_version = exact.map(ExactLines::version);
        let (count, key) = (repeats.len(), spec.key);
        let shown = Shown { version, repeats: count, key, against, runs: runs.to_vec(), exact: exact_version, floors };
        if self.curves.as_ref().is_none_or(|(known, _)| *known != shown) {
            let bare = |at: At| if floors { at } else { At { floor: None, ..at } };
            let of_run = |run: usize| convergence(repeats, run, spec.key, against).into_iter().map(bare);
            let curve = |&run: &usize| (run, of_run(run).collect::<Vec<At>>());
            self.curves = Some((shown, runs.iter().map(curve).filter(|(_, curve)| !curve.is_empty()).collect()));
            let line = |&run: &usize| Some((run, placed(&exact?.values(run, spec.key), repeats, run, against)));
            self.exact = runs.iter().filter_map(line).filter(|(_, line)| !line.is_empty()).collect();
        }
    }
}

/// Draws names, legend and plot into the space there is.
pub fn show(ui: &mut Ui, input: &ConvergenceInput<'_>, theme: &Theme, cache: &mut ConvergenceCache) -> Response {
    run_header::with_legend(ui, input.frame, input.runs, theme, &theme.strong(), &legend(input, theme));
    ui.add_space(theme.space(0.5));
    let above = !fits_upright(ui, theme, input.spec.label);
    panel(ui, input, theme, (cache, above))
}

/// Draws the plot alone into the space there is. The name of its measure may stand above it.
pub(crate) fn panel(
    ui: &mut Ui,
    input: &ConvergenceInput<'_>,
    theme: &Theme,
    (cache, above): (&mut ConvergenceCache, bool),
) -> Response {
    cache.prepare(input, theme.look.floors);
    // From here on the cache is only read, for as long as the plot's items borrow from it.
    let cache = &*cache;
    let curves: &[(usize, Vec<At>)] = cache.curves.as_ref().map_or(&[], |(_, curves)| curves);
    let scale = Scale::fitting(curves, &cache.exact, input.log);
    let x = AxisSpec::wide(axis_label(input), Ticks::Log);
    let y = AxisSpec::upright(input.spec.label, if input.log { Ticks::Log } else { Ticks::Linear });
    let [x, y] = in_height(ui, ui.available_height(), theme, [x, y]);
    let y = if above { AxisSpec { label: "", ..y } } else { y };
    if y.label.is_empty() && theme.labels.axes {
        ui.add(Label::new(RichText::new(input.spec.label).font(theme.small()).color(theme.soft)).truncate());
    }
    let width = before_last_tick(ui, theme);
    let plot = plot(("truth", input.spec.key, input.log), theme, x, y).width(width);
    let plot = plot.allow_drag(false).allow_zoom(false);
    let shown = plot.show(ui, |plot_ui| {
        draw(plot_ui, input, curves, &scale, theme, cache);
        show_part(plot_ui, [scale.x.start, scale.y.start], [scale.x.end, scale.y.end], theme);
    });
    answers(ui, theme, &shown.response, [x, y]);
    if !curves.is_empty() {
        read(ui, input, (curves, &cache.exact), theme, &shown.response, &shown.transform);
    } else if !input.invites {
        let at = shown.response.rect.center();
        let text = nothing(input);
        let words = OverlayLabel { text, font: theme.body(), colour: theme.soft, at, align: Align2::CENTER_CENTER };
        words.paint(ui, theme, shown.response.rect);
    }
    shown.response
}

/// The name of the horizontal axis.
pub(crate) fn axis_label(input: &ConvergenceInput<'_>) -> &'static str {
    match input.against {
        Clock::Gradients if any_densities(input) => "gradient evaluations; densities of a random walk",
        Clock::Gradients => "gradient evaluations",
        Clock::Steps => "steps",
    }
}

/// Whether a run shown has evaluated densities alone.
fn any_densities(input: &ConvergenceInput<'_>) -> bool {
    input.runs.iter().filter_map(|&run| input.frame.runs.get(run)).any(|run| run.density_evaluations > 0.0)
}

/// Meaning of lines and bands.
pub(crate) fn legend(input: &ConvergenceInput<'_>, theme: &Theme) -> Vec<Entry> {
    let remark = |text: String| Entry::new(Sample::None, text);
    // In a narrow window the first ones are left out; on paper, where nothing can be pointed at, lines with a sample have a line of their own.
    let mut parts: Vec<Entry> = of_runs_without(input).into_iter().map(remark).collect();
    if has_exact_lines(input) {
        // The colours are those of the runs.
        let dots = [theme.line(), 2.0 * theme.line()];
        let sample = Sample::Line(theme.soft, theme.line(), Some(dots));
        parts.push(Entry::new(sample, "exact, of endlessly many chains"));
    }
    match input.repeats.len() {
        0 => {}
        1 => parts.push(remark(format!("one repeat, seed {}", input.repeats[0].seed))),
        count => parts.push(remark(format!("line: mean of {count} repeats; band: central 80 %"))),
    }
    if theme.look.floors && input.repeats.iter().flat_map(floors).any(|key| key == input.spec.key) {
        let dash = theme.space(1.5);
        let sample = Sample::Line(theme.soft, theme.thin(), Some([dash, dash]));
        parts.push(Entry::new(sample, "as many exact draws, 90 % band"));
    }
    if input.stale && !input.repeats.is_empty() {
        parts.push(remark("repeats before the last change".to_owned()));
    }
    parts
}

/// Whether a run shown has an exact line.
fn has_exact_lines(input: &ConvergenceInput<'_>) -> bool {
    input.exact.is_some_and(|exact| input.runs.iter().any(|run| !exact.values(*run, input.spec.key).is_empty()))
}

/// Which runs have no exact line; the box that switches them off says why.
fn of_runs_without(input: &ConvergenceInput<'_>) -> Vec<String> {
    let Some(exact) = input.exact else { return Vec::new() };
    let mut parts = Vec::new();
    let names = |which: &dyn Fn(usize) -> bool| {
        let runs = input.runs.iter().copied().filter(|run| which(*run));
        let names = runs.filter_map(|run| Some(input.frame.runs.get(run)?.plan.name.as_str()));
        names.collect::<Vec<_>>().join(", ")
    };
    let refused = names(&|run| exact.refused(run).is_some());
    let computing = names(&|run| exact.refused(run).is_none() && exact.is_computing(run));
    for (words, names) in [("no exact line", refused), ("exact line under way", computing)] {
        if names.is_empty() {
            continue;
        }
        parts.push(if input.runs.len() > 1 { format!("{words}: {names}") } else { words.to_owned() });
    }
    parts
}

/// The keys of the measures whose floors are known.
fn floors(repeat: &Repeat) -> impl Iterator<Item = &'static str> + '_ {
    let measures = repeat.runs.iter().flatten().flat_map(|stop| &stop.measures);
    measures.filter(|measure| measure.floor.is_some()).map(|measure| measure.key)
}

/// The reason why there is no curve.
fn nothing<'a>(input: &ConvergenceInput<'a>) -> &'a str {
    let last = input.repeats.first().and_then(|repeat| repeat.runs.get(*input.runs.first()?)?.last());
    let reason = last.and_then(|stop| stop.measures.iter().find(|measure| measure.key == input.spec.key));
    reason.map_or("No repeat yet", |measure| measure.reason)
}

/// Ranges of the axes; logarithmic ones hold log₁₀ of their values.
#[derive(Clone, Debug, PartialEq)]
struct Scale {
    log: bool,
    x: Range<f64>,
    y: Range<f64>,
}

impl Scale {
    fn fitting(curves: &[(usize, Vec<At>)], exact: &[(usize, Vec<[f64; 2]>)], log: bool) -> Self {
        let all = || curves.iter().flat_map(|(_, curve)| curve);
        let extent = |values: &mut dyn Iterator<Item = f64>| {
            values
                .filter(|value| value.is_finite())
                .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| (low.min(value), high.max(value)))
        };
        let (first, last) = extent(&mut all().map(|at| at.x.log10()));
        // A curve with a single stop is in the middle of a decade.
        let margin = if first < last { MARGIN } else { 0.5 };
        let x = if first <= last { first - margin..last + margin } else { 0.0..1.0 };
        let values = || {
            let drawn = all().flat_map(|at| [at.mean, at.low, at.high].into_iter().chain(at.floor.map(|of| of.mean)));
            drawn.chain(exact.iter().flat_map(|(_, line)| line.iter().map(|[_, value]| *value)))
        };
        let y = if log {
            let (low, high) = extent(&mut values().filter(|value| *value > 0.0).map(f64::log10));
            if low <= high { low.max(high - DECADES) - MARGIN..high + MARGIN } else { -1.0..0.0 }
        } else {
            let (low, high) = extent(&mut values());
            let margin = 0.06 * (high - low).max(1e-9 * high.abs()).max(f64::MIN_POSITIVE);
            if low <= high { low - margin..high + margin } else { 0.0..1.0 }
        };
        Self { log, x, y }
    }

    /// The position of a value on its axis. Values too small for a logarithmic axis are at its lower end.
    fn position(&self, value: f64) -> f64 {
        if self.log { value.max(10f64.powf(self.y.start)).log10() } else { value }
    }
}

fn draw<'a>(
    plot_ui: &mut PlotUi<'a>,
    input: &ConvergenceInput<'_>,
    curves: &[(usize, Vec<At>)],
    scale: &Scale,
    theme: &Theme,
    cache: &'a ConvergenceCache,
) {
    let opacity = if input.stale { STALE } else { 1.0 };
    let colour = |run: usize| -> Color32 { theme.run(run).colour.gamma_multiply(opacity) };
    let position = |at: &At, value: f64| [at.x.log10(), scale.position(value)];
    let floors: Vec<Vec<[f64; 3]>> = curves.iter().map(|(_, curve)| floor_band(curve, scale)).collect();
    let key = |edges: &[f64; 3]| edges.map(f64::to_bits);
    // Runs with as many draws have the same floors, in other colours.
    let content = floors.iter().zip(curves);
    let content: Vec<_> = content.map(|(band, (run, _))| (*run, band.iter().map(key).collect::<Vec<_>>())).collect();
    cache.floors.show(plot_ui, (content, input.stale, theme.mode), || {
        let band = |(edges, (run, _)): (&Vec<[f64; 3]>, &(usize, Vec<At>))| Mark::Band {
            edges: edges.clone(),
            colour: colour(*run).gamma_multiply(FLOOR_BAND),
            width: 0.0,
        };
        floors.iter().zip(curves).map(band).collect()
    });
    if input.repeats.len() > 1 {
        let bits = |at: &At| [at.x, at.low, at.high].map(f64::to_bits);
        let content: Vec<_> =
            curves.iter().map(|(run, curve)| (*run, curve.iter().map(bits).collect::<Vec<_>>())).collect();
        let bounds = [scale.y.start, scale.y.end].map(f64::to_bits);
        cache.bands.show(plot_ui, (content, bounds, input.stale, scale.log, theme.mode), || {
            let band = |(run, curve): &(usize, Vec<At>)| Mark::Band {
                edges: curve.iter().map(|at| [at.x.log10(), scale.position(at.low), scale.position(at.high)]).collect(),
                colour: colour(*run).gamma_multiply(BAND),
                width: 0.0,
            };
            curves.iter().map(band).collect()
        });
    }
    for (run, line) in &cache.exact {
        let line: Vec<[f64; 2]> = line.iter().map(|[x, value]| [x.log10(), scale.position(*value)]).collect();
        let colour = colour(*run).lerp_to_gamma(theme.ink, INK);
        plot_ui.line(curve(line, colour, theme.line()).style(LineStyle::dotted_dense()));
    }
    for (run, line) in curves {
        let under_way = input.frame.runs.get(*run).filter(|run| run.step > 0 && run.step < run.plan.steps);
        if let Some(now) = under_way.map(|run| now(run, input.against)) {
            let at = VLine::new("", now.log10()).color(colour(*run).gamma_multiply(FLOOR)).width(theme.thin());
            plot_ui.vline(at.allow_hover(false));
        }
        let floors: Vec<[f64; 2]> = line.iter().filter_map(|at| Some(position(at, at.floor?.mean))).collect();
        let dashed = LineStyle::Dashed { length: theme.space(1.5) };
        plot_ui.line(curve(floors, colour(*run).gamma_multiply(FLOOR), theme.thin()).style(dashed));
        let means: Vec<[f64; 2]> = line.iter().map(|at| position(at, at.mean)).collect();
        run_line::line(plot_ui, means.clone(), (colour(*run), theme.line()), theme.run(*run));
        let markers = Points::new("", means).shape(theme.run(*run).marker).color(colour(*run));
        plot_ui.points(markers.radius(theme.marker(0.75)).allow_hover(false));
    }
}

/// Position, lower and upper edge of the band of the floor, at the stops that have one.
fn floor_band(curve: &[At], scale: &Scale) -> Vec<[f64; 3]> {
    let edges = |at: &At| {
        let floor = at.floor?;
        Some([at.x.log10(), scale.position(floor.low), scale.position(floor.high)])
    };
    curve.iter().filter_map(edges).collect()
}

/// Progress of a run on the horizontal axis.
fn now(run: &RunFrame, against: Clock) -> f64 {
    match against {
        Clock::Gradients => run.evaluations(),
        Clock::Steps => run.step as f64,
    }
}

/// Curves over repeats, and exact lines, each with its run.
type Lines<'a> = (&'a [(usize, Vec<At>)], &'a [(usize, Vec<[f64; 2]>)]);

/// The values at the stops nearest to the pointer, at the lower edge.
fn read(
    ui: &Ui,
    input: &ConvergenceInput<'_>,
    (curves, exact): Lines<'_>,
    theme: &Theme,
    response: &Response,
    transform: &PlotTransform,
) {
    let Some(pointer) = response.hover_pos() else { return };
    let x = transform.value_from_position(pointer).x;
    let apart = |at: &&At| (at.x.log10() - x).abs();
    let mut parts = Vec::new();
    for (run, curve) in curves {
        let nearest = curve.iter().min_by(|a, b| apart(a).total_cmp(&apart(b)));
        let (Some(at), Some(frame)) = (nearest, input.frame.runs.get(*run)) else { continue };
        let mut text = format!("{} {}", frame.plan.name, numbers::significant(at.mean, 3));
        if input.repeats.len() > 1 {
            text += &format!(" [{}, {}]", numbers::significant(at.low, 3), numbers::significant(at.high, 3));
        }
        if let Some(floor) = at.floor {
            let [mean, low, high] = [floor.mean, floor.low, floor.high].map(|value| numbers::significant(value, 2));
            text += &format!(" ({mean}, {low} to {high})");
        }
        let exact = exact.iter().find(|(of, _)| of == run).and_then(|(_, line)| {
            line.iter().min_by(|a, b| (a[0] / at.x).ln().abs().total_cmp(&(b[0] / at.x).ln().abs()))
        });
        if let Some([_, value]) = exact {
            text += &format!(", exact {}", numbers::significant(*value, 2));
        }
        text += &format!(" at {}", numbers::significant(at.x, 3));
        parts.push(text);
    }
    let rect: Rect = response.rect;
    let (text, at) = (parts.join("   "), rect.shrink(theme.space(1.5)).left_bottom());
    OverlayLabel { text: &text, font: theme.small(), colour: theme.ink, at, align: Align2::LEFT_BOTTOM }
        .paint(ui, theme, rect);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Fake, Recipe, frame};
    use crate::theme;
    use egui::vec2;
    use egui_kittest::Harness;
    use engine::diagnostics::{Measure, NoiseFloor, TRUTH_MEASURES};
    use engine::session::repeats::Stop;

    fn around(mean: f64) -> NoiseFloor {
        NoiseFloor { mean, low: 0.5 * mean, high: 2.0 * mean }
    }

    fn at(x: f64, mean: f64) -> At {
        At { x, mean, low: 0.5 * mean, high: 2.0 * mean, floor: Some(around(0.1)) }
    }

    #[test]
    fn axes_contain_all_values() {
        let curves = [(0, vec![at(1.0, 10.0), at(1000.0, 0.0)])];
        let log = Scale::fitting(&curves, &[], true);
        assert_eq!(log.x, -MARGIN..3.0 + MARGIN);
        assert_eq!(log.y, -1.0 - MARGIN..20f64.log10() + MARGIN);
        assert!((log.position(0.0) - log.y.start).abs() < 1e-12, "zero is at the lower end");
        let linear = Scale::fitting(&curves, &[], false);
        assert!(linear.y.start < 0.0 && linear.y.end > 20.0 && linear.y.end < 22.0);
        let wide = [(0, vec![at(1.0, 1.0), at(10.0, 1e-12)])];
        assert!(Scale::fitting(&wide, &[], true).y.start > -6.5, "no more than six decades");
        let single = Scale::fitting(&[(0, vec![at(100.0, 1.0)])], &[], true);
        assert_eq!(single.x, 1.5..2.5, "a single stop is visible");
        for log in [true, false] {
            let Scale { x, y, .. } = Scale::fitting(&[], &[], log);
            assert!(x.start < x.end && y.start < y.end);
        }
    }

    #[test]
    fn it_draws_with_and_without_repeats_and_gives_a_reason_for_an_empty_plot() {
        let recipe = Recipe { name: "SGLD", chains: 1, steps: 30, total: 100, alpha: 0.004, cycle: 0 };
        let spec = TRUTH_MEASURES[0];
        let stop = |step: u64, value: Option<f64>| Stop {
            step,
            evaluations: step as f64,
            measures: vec![Measure { key: spec.key, value, floor: value.map(around), reason: "too few draws" }],
        };
        let repeat = |value: Option<f64>| Repeat { seed: 1, runs: vec![vec![stop(1, value), stop(10, value)]] };
        for repeats in [vec![], vec![repeat(None)], vec![repeat(Some(0.5))], vec![repeat(Some(0.5)), repeat(Some(0.7))]]
        {
            for log in [true, false] {
                let (frame, look) = (frame(Fake::grid(), &[recipe]), Theme::default());
                let (repeats, mut cache) = (repeats.clone(), ConvergenceCache::default());
                let empty = repeats.first().is_none_or(|repeat| repeat.runs[0][0].measures[0].value.is_none());
                let mut harness = Harness::builder()
                    .with_size(vec2(640.0, 300.0))
                    .with_context_setup(theme::install_fonts)
                    .build_ui(move |ui| {
                        theme::apply(ui.ctx(), &look);
                        let input = ConvergenceInput {
                            frame: &frame,
                            runs: &[0],
                            spec,
                            against: Clock::Gradients,
                            log,
                            repeats: &repeats,
                            version: 0,
                            stale: false,
                            invites: false,
                            exact: None,
                        };
                        let reason = nothing(&input);
                        assert_eq!(reason == "too few draws", !repeats.is_empty(), "{empty}");
                        drop(show(ui, &input, &look, &mut cache));
                    });
                harness.run_steps(3);
            }
        }
    }
}
