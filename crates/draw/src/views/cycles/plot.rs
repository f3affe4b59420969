//! Plot of cycles: modes expected among their ends so far with one standard deviation, those of the chains, and the matrices of modes.

use egui::{Align2, Rect, Sense, Ui, UiBuilder, vec2};
use egui_plot::{FilledArea, LineStyle};

use super::geometry::{Decision, decision, digits, expected, found, independent};
use super::{CyclesShown, decided, matrix};
use crate::kit::axes::{AxisSpec, Ticks, answers, before_last_tick, curve, in_height, plot, show_part};
use crate::kit::background::Computing;
use crate::kit::cycles::{CyclesCache, Known, has_cycles};
use crate::kit::legend::{self, Entry, Sample};
use crate::kit::overlay_label::OverlayLabel;
use crate::kit::{run_header, run_line};
use crate::theme::Theme;
use crate::words::numbers;
use engine::distributions::Cycles;
use engine::session::Frame;

/// Chains whose ends of cycles are drawn.
const MOST_CHAINS: usize = 4;

/// Share of the width for the curves; the matrices have the rest.
const CURVES: f32 = 0.52;

/// The same beside more than two matrices.
const FEW_CURVES: f32 = 0.34;

/// Least width for curves and matrices side by side, in sizes of small text.
const WIDE: f32 = 45.0;

/// Draws the plot into the available space.
pub(super) fn show(
    ui: &mut Ui,
    (frame, runs, computing): (&Frame, &[usize], Computing),
    of: CyclesShown,
    theme: &Theme,
    cache: &mut CyclesCache,
) {
    let runs: Vec<usize> = runs.iter().copied().filter(|run| has_cycles(frame, *run)).collect();
    for run in &runs {
        cache.update(ui.ctx(), frame, *run, computing);
    }
    let told: &[&str] = match of {
        CyclesShown::Ends => {
            &["modes at the ends: expected ± sd (line, band)", "of independent draws (dashed)", "of the chains (steps)"]
        }
        CyclesShown::Decided => {
            &["probability that the mode still changes, by step of the cycle", "thin: 90 % and 10 % of the first value"]
        }
    };
    let known: Vec<Known<'_>> = runs.iter().filter_map(|run| cache.known(*run)).collect();
    let pictures: Vec<(usize, &Cycles, f32, usize, &str)> = known
        .iter()
        .copied()
        .flat_map(|Known { run, of, opacity }| {
            matrix::matrices(of).into_iter().map(move |(number, along)| (run, of, opacity, number, along))
        })
        .collect();
    let beside = ui.available_width() >= WIDE * theme.text.small && !pictures.is_empty();
    let highest = matrix::highest(pictures.iter().map(|(_, of, _, number, _)| (*of, *number)));
    let shades =
        || Entry::new(Sample::Shades, format!("matrices: 0 to {} %", numbers::significant(100.0 * highest, 2)));
    let entries: Vec<Entry> = told.iter().map(|text| Entry::new(Sample::None, *text)).collect();
    run_header::with_legend(ui, frame, &runs, theme, &theme.heading(), &entries);
    let remarks = runs.iter().filter_map(|run| remark((frame, *run), of, cache, theme));
    legend::line(ui, theme, &remarks.chain(beside.then(shades)).collect::<Vec<_>>());
    let area = ui.available_rect_before_wrap();
    let share = if pictures.len() > 2 { FEW_CURVES } else { CURVES };
    let width = if beside { share * area.width() } else { area.width() };
    let left = Rect::from_min_size(area.min, vec2(width, area.height()));
    ui.scope_builder(UiBuilder::new().max_rect(left), |ui| match of {
        CyclesShown::Ends => curves(ui, frame, (&runs, &known), &why_none(&runs, cache), theme),
        CyclesShown::Decided => decided::show(ui, frame, &known, &why_none(&runs, cache), theme),
    });
    if beside {
        let gap = theme.space(5.0);
        let right = Rect::from_min_max(left.right_top() + vec2(gap, 0.0), area.max);
        let each = right.width() / pictures.len() as f32;
        let name = |run: usize| frame.runs.get(run).map_or("", |run| run.plan.name.as_str());
        let named: Vec<(&str, &str)> = pictures.iter().map(|(run, .., along)| (name(*run), *along)).collect();
        let titles = matrix::titles(ui, theme, &named, each - gap);
        for (place, ((_, of, opacity, number, _), title)) in pictures.iter().zip(&titles).enumerate() {
            let corner = right.min + vec2(place as f32 * each, 0.0);
            let rect = Rect::from_min_size(corner, vec2(each - gap, right.height()));
            ui.scope(|ui| {
                ui.multiply_opacity(*opacity);
                matrix::show(ui, (of, *number, highest), (title, rect), theme);
            });
        }
    }
    ui.allocate_rect(area, Sense::hover());
}

/// What is known of the cycles of a run, beside its marker: short enough that those of three runs stand in a line.
fn remark((frame, run): (&Frame, usize), shown: CyclesShown, cache: &CyclesCache, theme: &Theme) -> Option<Entry> {
    let plan = &frame.runs.get(run)?.plan;
    let text = match cache.answer(run).filter(|_| cache.is_present(run)) {
        None => "computing".to_owned(),
        Some(Err(why)) => format!("not computed: {why}"),
        Some(Ok(of)) if shown == CyclesShown::Decided => match decision(of) {
            None => "no chain changes its mode in a cycle".to_owned(),
            Some(Decision { from, to, .. }) => {
                #[expect(clippy::cast_sign_loss, reason = "positions in a cycle")]
                let steps = [from, to].map(|at| at.round() as u64);
                let [high, low] = steps.map(|at| numbers::significant(plan.step_size(of.first_step + at), 2));
                let [from, to] = steps.map(numbers::count);
                format!("the mode is decided between steps {from} and {to}, while α falls from {high} to {low}")
            }
        },
        Some(Ok(of)) => {
            let modes = frame.truth.modes().len();
            let ends = match (&of.end_modes, &of.end_modes_sd) {
                (Ok(mean), Ok(sd)) => format!("{} ± {} of {modes} modes", digits(*mean, 2), digits(*sd, 2)),
                (Err(why), _) | (_, Err(why)) => format!("modes at the ends are not computed: {why}"),
            };
            format!("{ends}, ∣λ₂∣ {}", digits(of.memory, 4))
        }
    };
    Some(Entry::new(Sample::Marker(theme.run(run)), text))
}

/// What stands in the place of curves.
fn why_none(runs: &[usize], cache: &CyclesCache) -> String {
    let Some(first) = runs.first() else { return "No run here has cycles.".to_owned() };
    let refused = |run: &usize| cache.is_present(*run) && matches!(cache.answer(*run), Some(Err(_)));
    match cache.answer(*first) {
        Some(Err(why)) if runs.iter().all(refused) => format!("Not computed: {why}"),
        _ => "Not known yet.".to_owned(),
    }
}

/// Modes against cycles.
fn curves(ui: &mut Ui, frame: &Frame, (runs, known): (&[usize], &[Known<'_>]), none: &str, theme: &Theme) {
    let (x, y) = (
        AxisSpec::wide("cycles that have ended", Ticks::Whole),
        AxisSpec { apart: 9.0, ..AxisSpec::wide("modes at their ends", Ticks::Linear) },
    );
    let [x, y] = in_height(ui, ui.available_height(), theme, [x, y]);
    let width = before_last_tick(ui, theme);
    let drawn = plot("cycles", theme, x, y).width(width).allow_drag(false).allow_zoom(false);
    let most = |so_far: f64, line: &[[f64; 2]]| line.iter().map(|at| at[0]).fold(so_far, f64::max);
    let shown = drawn.show(ui, |plot_ui| {
        let mut last = 1.0;
        for Known { run, of, opacity } in known {
            let points = expected(of);
            let xs: Vec<f64> = points.iter().map(|(cycle, _)| *cycle).collect();
            let along = |which: usize| points.iter().map(|(_, values)| values[which]).collect::<Vec<f64>>();
            let colour = theme.run(*run).colour.gamma_multiply(*opacity);
            let fill = colour.gamma_multiply(0.2);
            plot_ui.add(FilledArea::new("", &xs, &along(0), &along(2)).fill_color(fill).allow_hover(false));
            let line: Vec<[f64; 2]> = points.iter().map(|(cycle, [_, mean, _])| [*cycle, *mean]).collect();
            last = most(last, &line);
            run_line::line(plot_ui, line, (colour, theme.line()), theme.run(*run));
        }
        for &run in runs {
            let Some(made) = frame.runs.get(run) else { continue };
            for chain in 0..made.plan.chains.min(MOST_CHAINS) {
                let line = found(frame, made, chain);
                last = most(last, &line);
                let colour = theme.run(run).colour.lerp_to_gamma(theme.ink, 0.45);
                plot_ui.line(curve(line, colour, theme.thin()));
            }
        }
        let independent = independent(frame, last);
        plot_ui
            .line(curve(independent, theme.soft, theme.thin()).style(LineStyle::Dashed { length: theme.space(1.5) }));
        let top = frame.truth.modes().len() as f64;
        show_part(plot_ui, [0.5, 0.0], [last.max(2.0) + 0.5, 1.04 * top], theme);
    });
    answers(ui, theme, &shown.response, [x, y]);
    let rect = shown.response.rect;
    if known.is_empty() {
        let (text, font, colour, at) = (none, theme.small(), theme.soft, rect.left_top());
        OverlayLabel { text, font, colour, at, align: Align2::LEFT_TOP }.paint(ui, theme, rect);
    }
}
