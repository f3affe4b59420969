//! Warnings about runs in words, and the strip above a canvas that shows them. Canvases, cards, pins and `summary.json` take
//! the sentences from here.

use std::sync::Arc;

use egui::text::{LayoutJob, TextWrapping};
use egui::{Galley, Role, Sense, Ui, WidgetInfo, pos2, vec2};

use super::convergence_note::disagreement;
use super::legend::WARNING_SIGN;
use super::run_header::step_symbol_at;
use crate::theme::Theme;
use crate::words::numbers;
use engine::session::{Frame, RunFrame, Warning};
use models::targets::Boundary;

/// Width below which the strip has two lines, in sizes of its text: a sentence fits into one line above.
const NARROW: f32 = 42.0;

/// Opacity of the colour behind the strip.
const TINT: f32 = 0.12;

/// A warning in words.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Words {
    /// What happened, without a full stop.
    fact: String,
    /// What is known about the cause; empty if nothing is.
    cause: String,
    /// What the words mean.
    help: &'static str,
}

impl Words {
    /// Fact and cause.
    fn whole(&self) -> String {
        if self.cause.is_empty() { self.fact.clone() } else { format!("{}; {}", self.fact, self.cause) }
    }
}

/// The warnings about run number `run` as sentences without full stops; where the `truth` is hidden, without the limits of stability.
#[must_use]
pub fn of(frame: &Frame, run: usize, truth: bool) -> Vec<String> {
    let Some(run) = frame.runs.get(run) else { return Vec::new() };
    let whole = |warning: &Warning| words(frame, run, &seen(warning, truth)).whole();
    run.warnings.iter().map(whole).chain(disagreement(run)).collect()
}

/// A warning as it may be seen.
fn seen(warning: &Warning, truth: bool) -> Warning {
    if truth { *warning } else { warning.without_limit() }
}

/// What helps against divergent transitions, where no limit of stability is known.
fn smaller_steps(frame: &Frame, run: &RunFrame) -> String {
    let ends = frame.target.info().boundary == Boundary::Reflect;
    let first = if ends { "try coordinates without an end (at the boundary: transform), or" } else { "try" };
    let adapts = run.plan.segment_of(run.step).method.transitions().is_some_and(|transitions| transitions.adapts);
    format!("{first} {}", if adapts { "a higher target acceptance, as 0.95 or 0.99" } else { "a smaller step size" })
}

/// What it means that a chain has left; where a step size is named below which it would not, what that is.
const HAS_LEFT: &str =
    "A chain has left when a coordinate is not finite or absurdly far from the target. It stops there.";
const HAS_LEFT_UNSTABLE: &str = "A chain has left when a coordinate is not finite or absurdly far from the target. It stops there. \
     Below the step size named here, steps are stable at the highest mode, not everywhere; for Langevin steps it is 2/λ, with λ the \
     largest curvature there.";

fn words(frame: &Frame, run: &RunFrame, warning: &Warning) -> Words {
    let of = run.plan.chains;
    let after_warm_up = run.collected - run.totals.warm_up;
    let stable = |step, limit| stable(step_symbol_at(frame, run, step), limit);
    match *warning {
        Warning::TruthWithdrawn => Words {
            fact: "Draws show a part of the density that was not known".to_owned(),
            cause: "nothing is compared with the target".to_owned(),
            help: "Normaliser, moments and modes of this density come from a search, which has missed a part. By the density itself there is \
                   more probability where draws are than was left for it. The run is not to blame.",
        },
        Warning::Diverged { chains, first, stable_below } => Words {
            fact: left(chains, of, first),
            cause: stable_below.map(|limit| stable(first, limit)).unwrap_or_default(),
            help: if stable_below.is_some() { HAS_LEFT_UNSTABLE } else { HAS_LEFT },
        },
        Warning::Divergent { draws, stable_below } => Words {
            fact: match draws {
                1 => format!("1 of {} draws follows a divergent transition", numbers::count(after_warm_up)),
                draws => {
                    let [some, all] = [draws, after_warm_up].map(numbers::count);
                    format!("{some} of {all} draws follow divergent transitions")
                }
            },
            cause: stable_below.map_or_else(|| smaller_steps(frame, run), |limit| stable(run.step, limit)),
            help: "A transition is divergent when its energy error exceeds 1000: the steps are too large for the curvature there. \
                   Stan and ArviZ count the same, after the warm-up. Draws miss the regions where it happens.",
        },
        Warning::WarmUp { draws } => Words {
            fact: match run.collected {
                all if all == draws => format!("All {} draws are of the warm-up", numbers::count(all)),
                all => format!("{} of {} draws are of the warm-up", numbers::count(draws), numbers::count(all)),
            },
            cause: "a burn-in as long leaves them out".to_owned(),
            help: "In the warm-up the step size and the mass matrix adapt to the chains, so that its draws are not yet from the target. They \
                   count in every measure, but for divergent transitions.",
        },
        Warning::FitDiverged { fits } => Words {
            fact: subject(fits, of, "fit", ["diverged"; 2]),
            cause: "a number is not finite".to_owned(),
            help: "The last finite state is kept.",
        },
        Warning::FitMoving { fits, wander } => Words {
            fact: subject(fits, of, "fit", ["still moves", "still move"]),
            cause: format!(
                "by {} of its standard deviation over the last quarter of the steps; more steps, or steps that shrink, bring it to rest",
                numbers::significant(wander, 2)
            ),
            help: "A fit by random gradients moves as long as its steps do not shrink. Where it moves by a good part of its own width, the \
                   place where the run ends is an accident: another seed gives another fit.",
        },
        Warning::NothingAccepted { proposals, stable_below } => Words {
            fact: format!("All {} proposals were rejected", numbers::count(proposals)),
            cause: match stable_below {
                Some(limit) => stable(run.step, limit),
                None => "try a smaller step size".to_owned(),
            },
            help: "A chain whose proposals are rejected stays where it is: its draws are copies of one point. Above the stable \
                   step size at the highest mode, proposals lead away from it; for HMC it is 2/√λ, with λ the largest \
                   curvature there.",
        },
        Warning::NeverMoved { chains } => Words {
            fact: subject(chains, of, "chain", ["has never moved", "have never moved"]),
            cause: String::new(),
            help: "A chain that has never moved is still where it started.",
        },
        Warning::OneParticle => Words {
            fact: "All particles are at the same point".to_owned(),
            cause: "choose another start than one point".to_owned(),
            help: "Particles push each other apart, but particles at the same point get the same push and stay together.",
        },
        Warning::FarAway { share, exact, stable_below } => far_away(frame, run, [share, exact], stable_below),
    }
}

fn far_away(frame: &Frame, run: &RunFrame, [share, exact]: [f64; 2], stable_below: Option<f64>) -> Words {
    Words {
        fact: format!("{} of the draws are far from the target", numbers::percent_against(share, 1.0)),
        cause: match stable_below {
            Some(limit) => close_to(run.plan.step_size(run.step), step_symbol_at(frame, run, run.step), limit),
            None if exact < 0.01 => "exact draws: under 1 %".to_owned(),
            None => format!("exact draws: {}", numbers::percent(exact)),
        },
        help: "Far from the target is outside of the part of the plane that a canvas shows at first, and in it farther from each part \
               of the target than that part is wide. The parts hold all but a millionth of the probability in it. Steps close to the \
               limit of stability spread draws far beyond the target: on a Gaussian with curvature λ, Langevin steps of size α have \
               1 / (1 − αλ/2) times its variance, which grows without bound towards α = 2/λ.",
    }
}

/// Chains that left, and since when.
fn left(chains: usize, of: usize, first: u64) -> String {
    let since = if chains == 1 { "at" } else { "the first at" };
    let comma = if chains == 1 { "" } else { "," };
    format!("{}{comma} {since} step {}", subject(chains, of, "chain", ["left the target"; 2]), numbers::count(first))
}

/// "2 of 4 chains" with a verb for one and for several.
fn subject(count: usize, of: usize, noun: &str, [one, several]: [&str; 2]) -> String {
    let (all, some) = (numbers::count(of as u64), numbers::count(count as u64));
    match count {
        1 if of == 1 => format!("The {noun} {one}"),
        1 => format!("1 of {all} {noun}s {one}"),
        2 if of == 2 => format!("Both {noun}s {several}"),
        count if count == of => format!("All {all} {noun}s {several}"),
        _ => format!("{some} of {all} {noun}s {several}"),
    }
}

/// The largest stable step size, and where it is one: λ is larger in other places, or smaller.
fn stable(symbol: Option<&str>, limit: f64) -> String {
    let limit = numbers::rounded_down(limit, 2);
    match symbol {
        Some(symbol) => format!("stable below {symbol} = {limit} at the mode"),
        None => format!("stable below a step size of {limit} at the mode"),
    }
}

/// Where a step size is, seen from the largest stable one.
fn close_to(step_size: f64, symbol: Option<&str>, limit: f64) -> String {
    let symbol = symbol.unwrap_or("the step size");
    /// A step size that differs from the limit by less than this share of it is at the limit.
    const ALIKE: f64 = 1e-4;
    let place = match step_size / limit {
        ratio if (ratio - 1.0).abs() < ALIKE => "is at",
        ratio if ratio < 1.0 => "is close to",
        _ => "is above",
    };
    let [step_size, limit] = [numbers::significant(step_size, 3), numbers::rounded_down(limit, 2)];
    format!("{symbol} = {step_size} {place} its limit of stability, {limit} at the mode")
}

/// Whether any of these runs has a warning.
#[must_use]
pub fn any(frame: &Frame, runs: &[usize]) -> bool {
    runs.iter().filter_map(|&run| frame.runs.get(run)).any(|run| !run.warnings.is_empty())
}

/// Shows the warnings about `runs` in a strip whose height depends on its width alone; an empty one if there are none.
pub(crate) fn strip(ui: &mut Ui, frame: &Frame, (runs, truth): (&[usize], bool), theme: &Theme) {
    let lines = if ui.available_width() < NARROW * theme.text.small { 2 } else { 1 };
    let height = line(theme) * if lines == 1 { 1.0 } else { 2.0 };
    let (rect, response) =
        ui.allocate_exact_size(vec2(ui.available_width(), height + 2.0 * margin(theme)), Sense::hover());
    let worded = worded(frame, runs, truth);
    let Some((_, first)) = worded.first() else { return };
    let sign = ui.painter().layout_no_wrap(WARNING_SIGN.to_owned(), theme.small(), theme.error);
    let left = rect.left() + 2.0 * margin(theme) + sign.size().x + theme.space(1.0);
    let galley = fitting(ui, theme, &worded, rect.right() - 2.0 * margin(theme) - left, lines);
    ui.painter().rect_filled(rect, theme.space(1.0), theme.error.gamma_multiply(TINT));
    let top = rect.center().y - 0.5 * galley.size().y;
    ui.painter().galley(pos2(rect.left() + 2.0 * margin(theme), top), sign, theme.error);
    ui.painter().galley(pos2(left, top), galley, theme.ink);
    let whole: Vec<String> = worded.iter().map(|(run, words)| format!("{run}{}.", words.whole())).collect();
    let name = whole.join("\n");
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, &name));
    response.on_hover_text(format!("{name}\n\n{}", first.help));
}

/// The warnings about `runs` with the names of their runs, chains that left first.
fn worded(frame: &Frame, runs: &[usize], truth: bool) -> Vec<(String, Words)> {
    let of_run = |run: &RunFrame| {
        let named = |warning: &Warning| (prefix(run, runs), words(frame, run, &seen(warning, truth)));
        run.warnings.iter().map(|warning| (is_divergence(warning), named(warning))).collect::<Vec<_>>()
    };
    let mut all: Vec<(bool, (String, Words))> =
        runs.iter().filter_map(|&index| frame.runs.get(index)).flat_map(of_run).collect();
    all.sort_by_key(|(diverged, _)| !diverged);
    all.into_iter().map(|(_, words)| words).collect()
}

fn is_divergence(warning: &Warning) -> bool {
    matches!(warning, Warning::Diverged { .. } | Warning::FitDiverged { .. })
}

/// About the height that a strip takes.
pub(crate) fn height(theme: &Theme) -> f32 {
    line(theme) + 2.0 * margin(theme)
}

/// The height of a line of the strip.
fn line(theme: &Theme) -> f32 {
    1.25 * theme.text.small
}

fn margin(theme: &Theme) -> f32 {
    theme.space(0.75)
}

/// The name of a run, where a canvas shows several.
fn prefix(run: &RunFrame, shown: &[usize]) -> String {
    if shown.len() > 1 { format!("{}: ", run.plan.name) } else { String::new() }
}

/// The words that fit: everything; or facts without causes; or the first warning and how many follow. What does not fit even
/// then is cut with an ellipsis.
fn fitting(ui: &Ui, theme: &Theme, worded: &[(String, Words)], width: f32, lines: usize) -> Arc<Galley> {
    let joined = |text: fn(&Words) -> String| {
        worded.iter().map(|(run, words)| format!("{run}{}", text(words))).collect::<Vec<_>>().join(" · ")
    };
    let more = if worded.len() > 1 { format!(" · {} more", worded.len() - 1) } else { String::new() };
    let first = |text: fn(&Words) -> String| {
        worded.first().map(|(run, words)| format!("{run}{}{more}", text(words))).unwrap_or_default()
    };
    let fact = |words: &Words| words.fact.clone();
    let layout = |text: &str| {
        let mut job = LayoutJob::simple(text.to_owned(), theme.small(), theme.ink, width);
        job.wrap = TextWrapping { max_width: width, max_rows: lines, ..TextWrapping::default() };
        ui.painter().layout_job(job)
    };
    let candidates = [joined(Words::whole), joined(fact), first(Words::whole), first(fact)];
    let whole = candidates.iter().map(|text| layout(text)).find(|galley| !galley.elided);
    whole.unwrap_or_else(|| layout(&first(fact)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Fake, Recipe, frame};
    use crate::theme;
    use egui_kittest::Harness;
    use egui_kittest::kittest::Queryable;

    const RECIPE: Recipe = Recipe { name: "SGLD", chains: 4, steps: 60, total: 1000, alpha: 0.004, cycle: 0 };

    fn with(warnings: &[Warning]) -> Frame {
        let mut made = frame(Fake::grid(), &[RECIPE, Recipe { name: "other", ..RECIPE }]);
        made.runs[0].warnings = warnings.to_vec();
        made
    }

    fn said(warning: Warning) -> String {
        of(&with(&[warning]), 0, true).remove(0)
    }

    #[test]
    fn warnings_are_sentences_with_their_numbers() {
        let left = |chains, stable_below| said(Warning::Diverged { chains, first: 37, stable_below });
        assert_eq!(left(2, None), "2 of 4 chains left the target, the first at step 37");
        assert_eq!(left(1, None), "1 of 4 chains left the target at step 37");
        assert_eq!(
            left(4, Some(0.0204)),
            "All 4 chains left the target, the first at step 37; stable below a step size of 0.02 at the mode"
        );
        let limited = Warning::Diverged { chains: 4, first: 37, stable_below: Some(0.0204) };
        assert_eq!(
            super::of(&with(&[limited]), 0, false),
            ["All 4 chains left the target, the first at step 37"],
            "the limit of stability tells the curvature of a target that is hidden"
        );
        let divergent = |draws, stable_below| said(Warning::Divergent { draws, stable_below });
        let of = numbers::count(with(&[]).runs[0].collected);
        assert_eq!(
            divergent(12, None),
            format!("12 of {of} draws follow divergent transitions; try a smaller step size")
        );
        assert_eq!(
            divergent(1, Some(0.0204)),
            format!("1 of {of} draws follows a divergent transition; stable below a step size of 0.02 at the mode")
        );
        assert_eq!(stable(Some("α"), 0.0204), "stable below α = 0.02 at the mode");
        let subject = |count, of| subject(count, of, "chain", ["diverged"; 2]);
        assert_eq!([subject(1, 1), subject(2, 2)], ["The chain diverged", "Both chains diverged"]);
        assert_eq!(
            said(Warning::NothingAccepted { proposals: 52, stable_below: None }),
            "All 52 proposals were rejected; try a smaller step size"
        );
        assert_eq!(
            said(Warning::OneParticle),
            "All particles are at the same point; choose another start than one point"
        );
        assert_eq!(said(Warning::NeverMoved { chains: 1 }), "1 of 4 chains has never moved");
        assert_eq!(
            said(Warning::FarAway { share: 0.38, exact: 0.0001, stable_below: None }),
            "38 % of the draws are far from the target; exact draws: under 1 %"
        );
        assert_eq!(close_to(1.99, Some("α"), 2.0), "α = 1.99 is close to its limit of stability, 2 at the mode");
        assert_eq!(close_to(0.5, None, 0.5), "the step size = 0.5 is at its limit of stability, 0.5 at the mode");
        assert_eq!(close_to(0.51, None, 0.5), "the step size = 0.51 is above its limit of stability, 0.5 at the mode");
        assert!(super::of(&with(&[]), 0, true).is_empty() && super::of(&with(&[]), 7, true).is_empty());
        let made = with(&[Warning::NeverMoved { chains: 1 }]);
        assert!(any(&made, &[1, 0]) && !any(&made, &[1]) && !any(&made, &[]));
    }

    #[test]
    fn where_a_canvas_shows_several_runs_divergences_come_first() {
        let mut made = with(&[Warning::NeverMoved { chains: 1 }]);
        made.runs[1].warnings = vec![Warning::Diverged { chains: 1, first: 37, stable_below: None }];
        let all: Vec<String> =
            worded(&made, &[0, 1], true).iter().map(|(run, words)| format!("{run}{}", words.whole())).collect();
        assert_eq!(all, ["other: 1 of 4 chains left the target at step 37", "SGLD: 1 of 4 chains has never moved"]);
    }

    /// The rectangles of the strip of each run below each other, and the words painted.
    fn strips(made: Frame, width: f32) -> (Vec<f32>, Harness<'static, Vec<f32>>) {
        let look = Theme::default();
        let mut harness =
            Harness::builder().with_size(vec2(width, 200.0)).with_context_setup(theme::install_fonts).build_ui_state(
                move |ui, tops: &mut Vec<f32>| {
                    theme::apply(ui.ctx(), &look);
                    *tops = [0, 1]
                        .map(|run| {
                            let before = ui.cursor().top();
                            strip(ui, &made, (&[run], true), &look);
                            ui.cursor().top() - before
                        })
                        .to_vec();
                },
                Vec::new(),
            );
        harness.run();
        (harness.state().clone(), harness)
    }

    #[test]
    fn strips_with_and_without_words_have_the_same_height() {
        let all =
            [Warning::Diverged { chains: 2, first: 37, stable_below: Some(0.02) }, Warning::NeverMoved { chains: 2 }];
        let (wide, _) = strips(with(&all), 600.0);
        assert!(wide[0] > 10.0 && (wide[0] - wide[1]).abs() < 0.01, "{wide:?}");
        let (narrow, found) = strips(with(&all), 220.0);
        assert!(narrow[0] > wide[0] && (narrow[0] - narrow[1]).abs() < 0.01, "{narrow:?}");
        // Everything is there for screen readers, however narrow the strip is.
        assert!(found.query_by_label_contains("stable below a step size of 0.02 at the mode.").is_some());
    }
}
