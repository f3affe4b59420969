//! Limits of stability: lines across the schedule, with words where the curves leave space; on paper the legend has them.

use egui::{Align, Align2, Pos2, Rect, Ui, pos2};
use egui_plot::{HLine, LineStyle, PlotTransform, PlotUi};

use super::scale::Scale;
use crate::kit::legend::{Entry, Sample};
use crate::kit::overlay_label::OverlayLabel;
use crate::kit::passive_items::{LIMIT, begin_series, end_series};
use crate::kit::steps::{StepsInput, runs};
use crate::theme::Theme;
use crate::words::numbers;
use engine::session::RunFrame;

/// A limit of stability.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Limit {
    /// The step size above which the method is unstable.
    pub step_size: f64,
    /// The names of its runs; none if it is the limit of all.
    whose: Vec<String>,
    /// Its formula in the curvature λ, if there is a simple one.
    formula: &'static str,
    /// The step after which the chains were where λ was taken; `None` for the highest mode.
    at: Option<u64>,
}

/// A formula of a limit in the curvature λ.
type Rule = fn(f64) -> f64;

/// The formula of a method's `limit` in the curvature λ, if there is a simple one. At λ = 1 they are equal: the limit at another curvature
/// tells them apart.
fn formula(curvature: f64, limit: impl Fn(f64) -> Option<f64>) -> &'static str {
    let rules: [(&str, Rule); 2] = [("2/λ", |curvature| 2.0 / curvature), ("2/√λ", |curvature| 2.0 / curvature.sqrt())];
    let holds = |rule: Rule| {
        [curvature, 5.0 * curvature].into_iter().all(|at| limit(at).is_some_and(|limit| same(rule(at), limit)))
    };
    rules.into_iter().find(|(_, rule)| holds(*rule)).map_or("", |(text, _)| text)
}

fn same(one: f64, other: f64) -> bool {
    (one - other).abs() <= 1e-9 * other
}

/// The limits of the runs shown, each once: at the highest mode, and where the chains are.
pub(super) fn limits(input: &StepsInput<'_>) -> Vec<Limit> {
    let truth = &input.frame.truth;
    let mut limits: Vec<Limit> = Vec::new();
    let mut add = |run: &RunFrame, step_size: f64, curvature: f64, at: Option<u64>| match limits
        .iter_mut()
        .find(|limit| same(limit.step_size, step_size) && limit.at == at)
    {
        Some(known) => known.whose.push(run.plan.name.clone()),
        None => {
            let method = &run.plan.segment_of(run.step).method;
            let formula = formula(curvature, |curvature| method.stable_below(curvature));
            limits.push(Limit { step_size, whose: vec![run.plan.name.clone()], formula, at });
        }
    };
    for run in runs(input) {
        // The limit is one of samplers; approximations take steps in the parameters of a distribution.
        let mode = truth.curvature().zip(run.stable_below(truth));
        if let Some((curvature, step_size)) = mode {
            add(run, step_size, curvature, None);
        }
        let here = run.analysis.here.zip(run.stable_here());
        let elsewhere = |limit: f64| mode.is_none_or(|(_, step_size)| !same(limit, step_size));
        if let Some((bend, (step, step_size))) = here.filter(|(_, (_, limit))| elsewhere(*limit)) {
            add(run, step_size, bend.curvature, Some(step));
        }
    }
    // The limit of all runs in the plot needs no names; one that others do not have does.
    let all = runs(input).count();
    limits.iter_mut().filter(|limit| limit.whose.len() == all).for_each(|limit| limit.whose.clear());
    limits
}

/// Most limits that a legend names; those at the mode come first.
const MOST_NAMED: usize = 3;

/// Entries of the legend on paper, where words in the plot would hide curves that cannot be pointed at; `unit` is that of the axis.
pub(super) fn entries(limits: &[Limit], unit: f64, theme: &Theme) -> Vec<Entry> {
    let (here, modes): (Vec<&Limit>, Vec<&Limit>) = limits.iter().partition(|limit| limit.at.is_some());
    let entry = |limit: &Limit| {
        let sample = Sample::Line(theme.error, theme.thin(), Some([dash(limit, theme); 2]));
        Entry::new(sample, format!("{LIMIT} {}", limit.in_words(unit)))
    };
    modes.into_iter().chain(here).take(MOST_NAMED).map(entry).collect()
}

fn dash(limit: &Limit, theme: &Theme) -> f32 {
    theme.space(if limit.at.is_some() { 0.5 } else { 1.5 })
}

/// Adds a line for each limit.
pub(super) fn add(plot_ui: &mut PlotUi<'_>, limits: &[Limit], scale: Scale, theme: &Theme) {
    for limit in limits {
        let line = HLine::new("", scale.position(limit.step_size)).color(theme.error).width(theme.thin());
        begin_series(plot_ui, || format!("{LIMIT} {}", limit.in_words(scale.unit)));
        plot_ui.hline(line.style(LineStyle::Dashed { length: dash(limit, theme) }).allow_hover(false));
        end_series(plot_ui);
    }
}

/// Places of words along the width of the plot, and their number where none of the first is free.
const PLACES: u8 = 5;
const MORE_PLACES: u8 = 17;

/// Rows of words at the top of the plot: below those of events, if there is no space beside them.
const ROWS: u8 = 3;

/// Labels of the limits, where they cover least of `busy`, the positions of the curves, and nothing of the patches that are `used`; limits above the
/// plot are named at its top. A limit has no label if there is no space beside those of others: the pointer tells what steps of its size do.
pub(super) fn words(
    ui: &Ui,
    limits: &[Limit],
    scale: Scale,
    theme: &Theme,
    (rect, transform): (Rect, &PlotTransform),
    (busy, used): (&[Pos2], Vec<Rect>),
) {
    let mut free = Free { ui, theme, rect, busy, used };
    let mut above = Vec::new();
    let (here, modes): (Vec<&Limit>, Vec<&Limit>) = limits.iter().partition(|limit| limit.at.is_some());
    for limit in modes.into_iter().chain(here) {
        let y = transform.position_from_point_y(scale.position(limit.step_size));
        if rect.y_range().contains(y) {
            let positions = |places| {
                let both = |(x, side)| [Align::Max, Align::Min].map(|below| (pos2(x, y), Align2([side, below])));
                columns(rect, theme, places).into_iter().flat_map(both).collect()
            };
            free.paint(
                &format!("{}, unstable above", limit.in_words(scale.unit)),
                [PLACES, MORE_PLACES].map(positions),
            );
        } else {
            above.push(limit.in_words(scale.unit));
        }
    }
    if !above.is_empty() {
        let text = format!("stable up to {}", above.join("; "));
        let row = theme.text.small * 1.3 + 2.0 * theme.space(1.0);
        let in_row = |number: u8, places: u8| {
            let y = rect.top() + theme.space(1.0) + f32::from(number) * row;
            columns(rect, theme, places).into_iter().map(move |(x, side)| (pos2(x, y), Align2([side, Align::Min])))
        };
        let below = (1..ROWS).flat_map(|number| in_row(number, PLACES)).collect();
        free.paint(&text, [in_row(0, PLACES).collect(), below]);
    }
}

/// Places along the width of the plot, from right to left, with the side of words that is there.
fn columns(rect: Rect, theme: &Theme, places: u8) -> Vec<(f32, Align)> {
    let (left, right) = (rect.left() + theme.space(1.0), rect.right() - theme.space(1.0));
    let last = places - 1;
    let column = |place: u8| {
        let side = match place {
            0 => Align::Max,
            place if place == last => Align::Min,
            _ => Align::Center,
        };
        (right - f32::from(place) / f32::from(last) * (right - left), side)
    };
    (0..places).map(column).collect()
}

/// The space that curves and earlier words leave.
struct Free<'a> {
    ui: &'a Ui,
    theme: &'a Theme,
    rect: Rect,
    busy: &'a [Pos2],
    used: Vec<Rect>,
}

impl Free<'_> {
    /// Paints a text in the first of two lists of positions where it covers no other words, at the position with least of the curves, the first of
    /// equals; it is left out where it would cover other words everywhere.
    fn paint(&mut self, text: &str, positions: [Vec<(Pos2, Align2)>; 2]) {
        let (font, colour) = (self.theme.small(), self.theme.error);
        let label = |(at, align)| OverlayLabel { text, font: font.clone(), colour, at, align };
        let patch = |label: &OverlayLabel<'_>| label.patch(self.ui, self.theme, self.rect);
        let is_free = |label: &OverlayLabel<'_>| !self.used.iter().any(|other| other.intersects(patch(label)));
        let covered =
            |label: &OverlayLabel<'_>| self.busy.iter().filter(|point| patch(label).contains(**point)).count();
        let best =
            |positions: Vec<(Pos2, Align2)>| positions.into_iter().map(label).filter(is_free).min_by_key(covered);
        if let Some(best) = positions.into_iter().find_map(best) {
            let painted = best.paint(self.ui, self.theme, self.rect);
            self.used.push(painted);
        }
    }
}

impl Limit {
    /// The limit with its formula, in units of the axis, and where it is that of λ.
    fn in_words(&self, unit: f64) -> String {
        let value = numbers::significant(unit * self.step_size, 3);
        // The formulas are those of α.
        let value = if self.formula.is_empty() || unit > 1.0 { value } else { format!("{} = {value}", self.formula) };
        let whereabouts = self.at.map_or("the mode".to_owned(), |step| format!("step {}", numbers::count(step)));
        if self.whose.is_empty() {
            format!("{value} at {whereabouts}")
        } else {
            format!("{value} at {whereabouts} ({})", self.whose.join(", "))
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::testing::{Fake, Recipe, frame, whole};
    use egui::vec2;
    use engine::diagnostics::curvature;
    use engine::session::{Analysis, Clock, Frame, LocalCurvature};
    use models::targets::Density;
    use samplers::methods::{Chunk, Gradient, Method, Needs, Population};

    /// Of two runs, one with chains where the curvature is 100, beside the highest mode with 1/0.03.
    #[test]
    fn limits_where_chains_are_have_their_step() {
        let recipe = Recipe { name: "run", chains: 1, steps: 3000, total: 9000, alpha: 0.01, cycle: 0 };
        let mut made = frame(Fake::grid(), &[recipe, recipe]);
        let words = |made: &Frame| {
            let input = whole(made, &[0, 1], (Clock::Steps, false));
            limits(&input).iter().map(|limit| limit.in_words(1.0)).collect::<Vec<_>>()
        };
        let here = |step, curvature| {
            Arc::new(Analysis { here: Some(LocalCurvature { step, curvature }), ..Analysis::default() })
        };
        assert_eq!(words(&made), ["2/λ = 0.06 at the mode"]);
        made.runs[1].analysis = here(3000, 100.0);
        assert_eq!(words(&made), ["2/λ = 0.06 at the mode", "2/λ = 0.02 at step 3000 (run)"], "it is that of one run");
        // At the mode the line is there already.
        made.runs[1].analysis = here(3000, 1.0 / 0.03);
        assert_eq!(words(&made), ["2/λ = 0.06 at the mode"]);
    }

    #[test]
    fn words_of_limits_leave_those_of_events_free() {
        let limit = Limit { step_size: 0.06, whose: Vec::new(), formula: "2/λ", at: None };
        let look = Theme::default();
        let rect = Rect::from_min_size(pos2(0.0, 0.0), vec2(600.0, 200.0));
        let mut painted = Vec::new();
        let context = egui::Context::default();
        crate::theme::install_fonts(&context);
        for _ in 0..2 {
            let mut output = context.run_ui(egui::RawInput::default(), |ui| {
                let rows = |y: f32| Rect::from_min_size(pos2(0.0, y), vec2(600.0, 12.0));
                for used in [vec![], vec![rows(8.0)], vec![rows(8.0), rows(24.0)]] {
                    let mut free = Free { ui, theme: &look, rect, busy: &[], used };
                    let before = free.used.len();
                    let at = |y: f32| vec![(pos2(590.0, y), Align2::RIGHT_TOP)];
                    free.paint(&limit.in_words(1.0), [at(6.0), at(25.0)]);
                    painted.push(free.used.get(before).map(|patch| patch.top()));
                }
            });
            output.textures_delta.clear();
        }
        let last = &painted[painted.len() - 3..];
        assert!(last[0].is_some_and(|top| top < 10.0) && last[1].is_some_and(|top| top > 20.0), "{last:?}");
        assert_eq!(last[2], None, "words cover no others");
    }

    #[test]
    fn places_go_from_the_right_end_to_the_left() {
        let (rect, look) = (Rect::from_min_size(pos2(0.0, 0.0), vec2(400.0, 100.0)), Theme::default());
        let places = columns(rect, &look, PLACES);
        assert!(places.windows(2).all(|pair| pair[1].0 < pair[0].0) && places.len() == usize::from(PLACES));
        assert_eq!((places[0].1, places[2].1, places[4].1), (Align::Max, Align::Center, Align::Min));
    }

    /// A method without a limit, such as NUTS.
    #[derive(Clone, Debug)]
    struct Unlimited;

    impl Method for Unlimited {
        fn needs(&self, _gradient: &Gradient) -> Needs {
            Needs::default()
        }

        fn stable_below(&self, _curvature: f64) -> Option<f64> {
            None
        }

        fn advance(&self, _chains: &mut Population, _chunk: Chunk<'_>) {}
    }

    #[test]
    fn a_limit_that_does_not_hold_for_all_runs_names_its_own() {
        let recipe = |name| Recipe { name, chains: 1, steps: 30, total: 90, alpha: 0.01, cycle: 0 };
        let mut made = frame(Fake::grid(), &[recipe("HMC"), recipe("NUTS"), recipe("MALA")]);
        let mut plan = made.runs[1].plan.as_ref().clone();
        plan.segments[0].method = Arc::new(Unlimited);
        made.runs[1].plan = Arc::new(plan);
        let words = |runs: &[usize]| {
            let input = whole(&made, runs, (Clock::Steps, false));
            limits(&input).iter().map(|limit| limit.in_words(1.0)).collect::<Vec<_>>()
        };
        assert_eq!(words(&[0, 1]), ["2/λ = 0.06 at the mode (HMC)"]);
        assert_eq!(words(&[0, 1, 2]), ["2/λ = 0.06 at the mode (HMC, MALA)"]);
        assert_eq!(words(&[0, 2]), ["2/λ = 0.06 at the mode"], "it is that of all");
        assert_eq!(words(&[1]), [""; 0]);
    }

    /// At a curvature of 1 both formulas are 2.
    #[test]
    fn formulas_of_limits_are_those_of_their_methods() {
        for curvature in [0.25, 1.0, 400.0] {
            assert_eq!(formula(curvature, |curvature| Some(2.0 / curvature)), "2/λ");
            assert_eq!(formula(curvature, |curvature| Some(2.0 / curvature.sqrt())), "2/√λ");
            assert_eq!(formula(curvature, |curvature| Some(1.0 / curvature)), "");
        }
    }

    #[test]
    fn stability_of_known_targets() {
        let curvature = |target: &Fake| curvature(target.info(), target).unwrap();
        let grid = 2.0 / curvature(&Fake::grid());
        assert!((grid - 2.0 * 0.03).abs() < 1e-12, "curvature 1/0.03 gives 2/λ = 0.06, not {grid}");
        let beta = Fake::beta();
        let at: f64 = 39.0 / 113.0;
        let expected = 2.0 / (39.0 / at.powi(2) + 74.0 / (1.0 - at).powi(2));
        assert!((2.0 / curvature(&beta) - expected).abs() < 1e-12);
    }
}
