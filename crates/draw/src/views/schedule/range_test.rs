//! Range test: lengths of drift and noise, and the share of diverged or accepted steps, against the step size.

use egui::{Align2, Color32, CursorIcon, Stroke, Ui, pos2, vec2};
use egui_plot::{LineStyle, PlotUi, Points, Span, VLine};

use crate::geometry::Part;
use crate::kit::axes::{AxisSpec, Ticks, answers, curve, plot, show_part};
use crate::kit::gestures::Gesture;
use crate::kit::legend::{Entry, Sample};
use crate::kit::overlay_label::OverlayLabel;
use crate::kit::run_header;
use crate::theme::Theme;
use crate::words::numbers;
use engine::session::range_test::cycles::{STRAY, are_about_cycles, left_from, stays_to};
use engine::session::range_test::{RangePoint, suggested};
use engine::session::{Frame, RunFrame};

/// What the range test does and what it suggests.
pub const HELP: &str = "Range test: 24 short runs (8 chains, 400 steps) from a millionth to a hundred times the present step size.\n\
    The suggested step sizes, shaded, end where drift is half as long as the noise (the variance is then about a quarter too \
    large), where 1 % of the chains diverge, or at the limit of stability 2/λ, whichever comes first; with the Metropolis \
    rule, where 30 % of the proposals are accepted. They begin at a tenth of that, since smaller steps only mix more slowly.\n\
    Of a run with cycles, on a target with several modes, each short run takes up to 5 whole cycles: the suggested α₀ begin where half of \
    the cycles end in another mode than the one before, and end where 15 % of the draws are more than 3 standard deviations from every mode.";

/// What can be done on the plot.
pub(crate) const GESTURES: [Gesture; 1] = [Gesture::at("Range test", "Click", "Set the step size of the run")];

/// Space for the scale of shares at the right, in units of the theme.
const SHARES: f32 = 11.0;

/// Decades of lengths shown, at most.
const DECADES: f64 = 6.0;

/// Draws the plot into the available space; returns the step size that was clicked.
pub fn show(ui: &mut Ui, frame: &Frame, run: usize, points: &[RangePoint], theme: &Theme) -> Option<f64> {
    let made = frame.runs.get(run)?;
    let stable = made.stable_below(&frame.truth);
    let interval = suggested(points, stable);
    run_header::with_legend(ui, frame, &[run], theme, &theme.strong(), &entries(points, interval, theme));
    ui.add_space(theme.space(0.5));
    let symbol = run_header::step_symbol(frame, made).unwrap_or("α");
    let label = format!("step size {symbol}");
    let axes = (AxisSpec::wide(&label, Ticks::Log), AxisSpec::upright("length of a step", Ticks::Log));
    let width = ui.available_width() - theme.space(SHARES);
    let plot = plot("range test", theme, axes.0, axes.1).width(width.max(1.0)).allow_drag(false).allow_zoom(false);
    let limits = Limits::of(points);
    let shown = plot.show(ui, |plot_ui| {
        if let Some((low, high)) = interval {
            plot_ui.span(Span::new("", low.log10()..=high.log10()).fill(theme.stage));
        }
        lines(plot_ui, made, stable, theme);
        curves(plot_ui, points, &limits, theme);
        show_part(plot_ui, [limits.x.0, limits.y.0], [limits.x.1, limits.y.1], theme);
    });
    answers(ui, theme, &shown.response, axes.into());
    let rect = shown.response.rect;
    shares(ui, theme, rect);
    let name = |text: &str, alpha: f64, colour, align| {
        let at = pos2(shown.transform.position_from_point_x(alpha.log10()), rect.top() + theme.space(1.0));
        OverlayLabel { text, font: theme.small(), colour, at, align }.paint(ui, theme, rect);
    };
    // Each name is on the side of its line that is away from the other line.
    let (now, outward) = (present(made), [Align2::RIGHT_TOP, Align2::LEFT_TOP]);
    let is_stable = stable.is_none_or(|stable| now <= stable);
    if let Some(stable) = stable {
        name("stable up to here at the mode", stable, theme.error, outward[usize::from(is_stable)]);
    }
    name("present", now, theme.ink, outward[usize::from(!is_stable)]);
    let response = shown.response.on_hover_cursor(CursorIcon::PointingHand);
    let at = response.hover_pos()?;
    let alpha = 10f64.powf(shown.transform.value_from_position(at).x);
    let text = readout(points, symbol, alpha);
    let (font, colour, corner) = (theme.small(), theme.ink, rect.shrink(theme.space(1.5)).left_bottom());
    OverlayLabel { text: &text, font, colour, at: corner, align: Align2::LEFT_BOTTOM }.paint(ui, theme, rect);
    response.clicked().then_some(alpha)
}

/// Ends of the axes, as powers of ten.
struct Limits {
    x: (f64, f64),
    y: (f64, f64),
}

impl Limits {
    fn of(points: &[RangePoint]) -> Self {
        let ends = |values: Vec<f64>| {
            let finite = || values.iter().copied().filter(|value| *value > 0.0 && value.is_finite()).map(f64::log10);
            let low = finite().fold(f64::INFINITY, f64::min);
            let high = finite().fold(f64::NEG_INFINITY, f64::max);
            if low < high { (low, high) } else { (-3.0, 0.0) }
        };
        let x = ends(points.iter().map(|point| point.alpha).collect());
        let lengths = points.iter().flat_map(|point| [point.drift, point.noise]).flatten().collect();
        let (low, high) = ends(lengths);
        Self { x: (x.0 - 0.1, x.1 + 0.1), y: (low.max(high - DECADES) - 0.2, high + 0.2) }
    }

    /// The position of a share from 0 to 1, between the lower and the upper end.
    fn share(&self, share: f64) -> f64 {
        self.y.0 + share * (self.y.1 - self.y.0)
    }
}

/// The share that is drawn: cycles that leave their mode, accepted proposals, or diverged chains.
fn share(point: &RangePoint) -> Option<f64> {
    match point.cycles {
        Some(cycles) => cycles.left,
        None => Some(point.accepted.unwrap_or(point.diverged)),
    }
}

/// The share of draws far from every mode, of cycles.
fn stray(point: &RangePoint) -> Option<f64> {
    point.cycles?.stray
}

/// The colour of the share.
fn share_colour(points: &[RangePoint], theme: &Theme) -> Color32 {
    let is_good = |point: &RangePoint| point.accepted.is_some() || point.cycles.is_some();
    if points.iter().any(is_good) { theme.accepted } else { theme.error }
}

fn entries(points: &[RangePoint], interval: Option<(f64, f64)>, theme: &Theme) -> Vec<Entry> {
    let line = |colour| Sample::Line(colour, theme.line(), None);
    let adjusted = points.iter().any(|point| point.accepted.is_some());
    if are_about_cycles(points) {
        return entries_of_cycles(points, interval, theme);
    }
    let shaded = interval.map_or("no step size suits".to_owned(), |(low, high)| {
        format!("suggested: {} to {}", numbers::significant(low, 2), numbers::significant(high, 2))
    });
    vec![
        Entry::new(line(theme.part(Part::Drift)), "drift"),
        Entry::new(line(theme.part(Part::InjectedNoise)), "noise"),
        Entry::new(
            Sample::Line(share_colour(points, theme), theme.line(), Some([4.0, 3.0])),
            if adjusted { "mean acceptance" } else { "chains that left" },
        ),
        Entry::new(Sample::None, shaded),
    ]
}

/// The answers for cycles: from which α₀ on they leave a mode, and up to which one draws stay within modes.
fn entries_of_cycles(points: &[RangePoint], interval: Option<(f64, f64)>, theme: &Theme) -> Vec<Entry> {
    let line = |colour| Sample::Line(colour, theme.line(), Some([4.0, 3.0]));
    let number = |alpha: Option<f64>| alpha.map_or("–".to_owned(), |alpha| numbers::significant(alpha, 2));
    let solid = |part| Sample::Line(theme.part(part), theme.line(), None);
    let both = if interval.is_some() { "" } else { "; no step size does both" };
    let leaves = format!("cycles that leave a mode, half from {}", number(left_from(points)));
    let far = format!("draws far from modes, {} up to {}{both}", numbers::percent(STRAY), number(stays_to(points)));
    vec![
        Entry::new(solid(Part::Drift), "drift"),
        Entry::new(solid(Part::InjectedNoise), "noise"),
        Entry::new(line(share_colour(points, theme)), leaves),
        Entry::new(line(theme.error), far),
    ]
}

/// The limit of stability and the largest step size of the present schedule.
fn lines(plot_ui: &mut PlotUi<'_>, run: &RunFrame, stable: Option<f64>, theme: &Theme) {
    let line = |alpha: f64, colour| VLine::new("", alpha.log10()).color(colour).width(theme.thin()).allow_hover(false);
    if let Some(stable) = stable {
        plot_ui.vline(line(stable, theme.error).style(LineStyle::Dashed { length: theme.space(1.5) }));
    }
    plot_ui.vline(line(present(run), theme.ink));
}

/// The largest step size of the present schedule of a run.
pub fn present(run: &RunFrame) -> f64 {
    run.plan.segment_of(run.step + 1).schedule.largest(run.plan.steps)
}

fn curves(plot_ui: &mut PlotUi<'_>, points: &[RangePoint], limits: &Limits, theme: &Theme) {
    let lengths = |of: fn(&RangePoint) -> Option<f64>| -> Vec<[f64; 2]> {
        let point = |point: &RangePoint| Some([point.alpha.log10(), of(point).filter(|size| *size > 0.0)?.log10()]);
        points.iter().filter_map(point).collect()
    };
    let drift = lengths(|point| point.drift);
    let noise = lengths(|point| point.noise);
    for (line, part) in [(drift, Part::Drift), (noise, Part::InjectedNoise)] {
        let colour = theme.part(part);
        plot_ui.points(Points::new("", line.clone()).color(colour).radius(theme.marker(0.6)).allow_hover(false));
        plot_ui.line(curve(line, colour, theme.line()));
    }
    let shares = |of: fn(&RangePoint) -> Option<f64>| -> Vec<[f64; 2]> {
        points.iter().filter_map(|point| Some([point.alpha.log10(), limits.share(of(point)?)])).collect()
    };
    let mut lines = vec![(shares(share), share_colour(points, theme))];
    if are_about_cycles(points) {
        lines.push((shares(stray), theme.error));
    }
    for (line, colour) in lines {
        let line = curve(line, colour, theme.line());
        plot_ui.line(line.style(LineStyle::Dashed { length: theme.space(1.5) }));
    }
}

/// The scale of shares at the right edge.
fn shares(ui: &Ui, theme: &Theme, plot: egui::Rect) {
    for share in [0.0_f32, 0.5, 1.0] {
        let at = pos2(plot.right(), plot.bottom() - share * plot.height());
        let end = at + vec2(theme.space(1.0), 0.0);
        ui.painter().line_segment([at, end], Stroke::new(1.0, theme.faint));
        let text = numbers::percent(f64::from(share));
        ui.painter().text(end + vec2(theme.space(0.5), 0.0), Align2::LEFT_CENTER, text, theme.small(), theme.faint);
    }
}

/// The step size under the pointer and the nearest point.
fn readout(points: &[RangePoint], symbol: &str, alpha: f64) -> String {
    let text = format!("{symbol} {}", numbers::significant(alpha, 3));
    let far = |point: &&RangePoint| (point.alpha / alpha).ln().abs();
    let Some(point) = points.iter().min_by(|one, other| far(one).total_cmp(&far(other))) else { return text };
    let length = |size: Option<f64>| size.map_or("–".to_owned(), |size| numbers::significant(size, 2));
    let percent = |share: Option<f64>| share.map_or("–".to_owned(), numbers::percent);
    let share = match (point.cycles, point.accepted) {
        (Some(cycles), _) => {
            format!("cycles that leave {}   draws far from modes {}", percent(cycles.left), percent(cycles.stray))
        }
        (None, Some(accepted)) => format!("mean acceptance {}", numbers::percent(accepted)),
        (None, None) => format!("left {}", numbers::percent(point.diverged)),
    };
    format!("{text}   drift {}   noise {}   {share}", length(point.drift), length(point.noise))
}
