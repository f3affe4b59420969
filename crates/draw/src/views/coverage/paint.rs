//! Painting of the coverage plot: corners, marks with their lines, and names.

use egui::{Align2, Painter, Pos2, Rect, Shape, Stroke, Ui, Vec2, vec2};

use super::input::CoverageInput;
use super::mark::{Kind, Mark};
use super::spot::{Spot, spot};
use crate::kit::overlay_label::OverlayLabel;
use crate::kit::run_marker;
use crate::theme::{RunStyle, Theme};

/// Height of a plot below which only one corner has a label, in units of the theme.
const LOW: f32 = 22.0;

/// Radius of markers, in units of the theme: runs, the trail and pins, exact draws.
const RUN: f32 = 1.7;
const PALE: f32 = 1.0;
const EXACT: f32 = 1.5;

/// Length of the tip of an arrow, in units of the theme.
const TIP: f32 = 2.0;

/// Opacity of the trail, and of the lines from runs to their exact draws.
const TRAIL: f32 = 0.35;
const LINK: f32 = 0.5;

/// What a name counts that another one would cover, and what it counts to reach beyond the plot, where covering a mark counts 1.
const NAME: usize = 2;
const OUTSIDE: usize = 4;

/// Largest number of pins with names; more names would cover each other.
const MOST_NAMES: usize = 8;

/// Labels the corners with their meaning, where no name stands.
pub(super) fn better(ui: &Ui, theme: &Theme, rect: Rect, names: &[OverlayLabel<'_>]) {
    let inner = rect.shrink(theme.space(1.0));
    let corners = [
        ("↙ better", inner.left_bottom(), Align2::LEFT_BOTTOM),
        ("modes missing →", inner.right_bottom(), Align2::RIGHT_BOTTOM),
        ("↑ wrong shape within modes", inner.left_top(), Align2::LEFT_TOP),
    ];
    // On a small plot the other labels would be below the marks.
    let corners = if rect.height() < theme.space(LOW) { &corners[..1] } else { &corners[..] };
    for &(text, at, align) in corners {
        let label = OverlayLabel { text, font: theme.small(), colour: theme.faint, at, align };
        let patch = label.patch(ui, theme, rect);
        if !names.iter().any(|name| name.patch(ui, theme, rect).intersects(patch)) {
            label.paint(ui, theme, rect);
        }
    }
}

/// Paints lines from runs to their exact draws.
pub(super) fn links(painter: &Painter, marks: &[Mark], theme: &Theme, position: &impl Fn([f64; 2]) -> Pos2) {
    for Mark { kind, at, style, .. } in marks {
        if let Kind::Run { floor: Some(floor), .. } = kind {
            let link = Stroke::new(theme.thin(), style.colour.gamma_multiply(LINK));
            painter.extend(Shape::dashed_line(&[position(*at), position(*floor)], link, theme.unit, theme.unit));
        }
    }
}

/// Paints an arrow from the selected pin to the present run that it is compared with.
pub(super) fn compared(
    painter: &Painter,
    input: &CoverageInput<'_>,
    marks: &[Mark],
    theme: &Theme,
    position: &impl Fn([f64; 2]) -> Pos2,
) {
    let Some(pin) = input.selected.and_then(|pin| input.pins.get(pin)) else { return };
    let Some(run) = pin.run_in(input.frame) else { return };
    let run = input.frame.runs.get(run).and_then(|run| spot(&run.measures).ok());
    let shown = marks.iter().any(|mark| matches!(mark.kind, Kind::Pin(number) if Some(number) == input.selected));
    if let Some(Spot { at, .. }) = run.filter(|_| shown) {
        let (from, to) = (position(pin.at), position(at));
        let along = (to - from).normalized();
        let tip = to - along * theme.space(RUN + 0.5);
        painter.line_segment([from, tip], Stroke::new(theme.line(), theme.accent));
        let back = tip - along * theme.space(TIP);
        let across = along.rot90() * theme.space(0.4 * TIP);
        let head = vec![tip, back + across, back - across];
        painter.add(Shape::convex_polygon(head, theme.accent, Stroke::NONE));
    }
}

/// Paints all marks.
pub(super) fn marks(
    painter: &Painter,
    marks: &[Mark],
    selected: Option<usize>,
    theme: &Theme,
    position: &impl Fn([f64; 2]) -> Pos2,
) {
    for Mark { kind, at, style, .. } in marks {
        let centre = position(*at);
        let paper = RunStyle { colour: theme.paper, ..*style };
        match kind {
            Kind::Past => {
                let pale = RunStyle { colour: style.colour.lerp_to_gamma(theme.paper, 1.0 - TRAIL), ..*style };
                run_marker::paint(painter, centre, theme.space(PALE), pale);
            }
            Kind::Seeds([[left, right], [low, high]]) => {
                let arm = Stroke::new(theme.line(), style.colour);
                painter.line_segment([position([*left, at[1]]), position([*right, at[1]])], arm);
                painter.line_segment([position([at[0], *low]), position([at[0], *high])], arm);
            }
            Kind::Exact => run_marker::paint(painter, centre, theme.space(EXACT), *style),
            Kind::Pin(number) => {
                let chosen = selected == Some(*number);
                let (width, colour) = if chosen { (theme.line(), theme.accent) } else { (theme.thin(), theme.soft) };
                painter.circle(centre, theme.space(2.0), theme.paper, Stroke::new(width, colour));
                run_marker::paint(painter, centre, theme.space(PALE), *style);
            }
            Kind::Run { finished, .. } => {
                run_marker::paint(painter, centre, theme.space(RUN + 0.5), paper);
                run_marker::paint(painter, centre, theme.space(RUN), *style);
                if !finished {
                    run_marker::paint(painter, centre, theme.space(RUN - 0.7), paper);
                }
            }
        }
    }
}

/// The names beside runs, pins, and one of the points of exact draws.
pub(super) fn names<'a>(
    ui: &Ui,
    marks: &'a [Mark],
    selected: Option<usize>,
    theme: &Theme,
    rect: Rect,
    position: &impl Fn([f64; 2]) -> Pos2,
) -> Vec<OverlayLabel<'a>> {
    let pins = marks.iter().filter(|mark| matches!(mark.kind, Kind::Pin(_))).count();
    let (mut exact, mut used, mut names) = (false, Vec::<Rect>::new(), Vec::new());
    let centres: Vec<Pos2> = marks.iter().map(|mark| position(mark.at)).collect();
    for mark in marks {
        let (colour, font, named) = match mark.kind {
            Kind::Past | Kind::Seeds(_) => continue,
            Kind::Exact => (theme.soft, theme.small(), !std::mem::replace(&mut exact, true)),
            Kind::Pin(number) => (theme.soft, theme.small(), pins <= MOST_NAMES || selected == Some(number)),
            // On paper the line above the plot names all runs, and a name beside a mark would hide others.
            Kind::Run { .. } => (theme.ink, theme.strong(), !(theme.labels.whole && theme.labels.legends)),
        };
        if named {
            let (centre, beside) = (position(mark.at), theme.space(2.0));
            let size = ui.painter().layout_no_wrap(mark.name.clone(), font.clone(), colour).size();
            let free = |(away, align): (Vec2, Align2)| {
                let patch = align.anchor_size(centre + away, size + vec2(beside, theme.space(1.0)));
                let hidden = centres.iter().filter(|at| patch.contains(**at)).count();
                let names = used.iter().filter(|other| other.intersects(patch)).count();
                hidden + NAME * names + if rect.expand(0.5 * beside).contains_rect(patch) { 0 } else { OUTSIDE }
            };
            let places = places(mark.kind, beside, theme.space(1.5));
            let (away, align) = places.into_iter().min_by_key(|place| free(*place)).unwrap_or(places[0]);
            let mut at = centre + away;
            // Below a name that is there already.
            let patch = |at: Pos2| align.anchor_size(at, size + vec2(beside, theme.space(1.0)));
            for other in &used {
                if other.intersects(patch(at)) {
                    at.y += other.bottom() - patch(at).top();
                }
            }
            let label = OverlayLabel { text: &mark.name, font, colour, at, align };
            used.push(label.patch(ui, theme, rect));
            names.push(label);
        }
    }
    names
}

/// Where a name may stand about its mark, the usual place first: beside a run, on the free side of a pin, and above the point of exact draws, which
/// is at the lower left end of a dashed line.
fn places(kind: Kind, beside: f32, above: f32) -> [(Vec2, Align2); 4] {
    let right = (vec2(beside, 0.0), Align2::LEFT_CENTER);
    let left = (vec2(-beside, 0.0), Align2::RIGHT_CENTER);
    let top = (vec2(0.0, -above), Align2::CENTER_BOTTOM);
    let bottom = (vec2(0.0, above), Align2::CENTER_TOP);
    match kind {
        Kind::Exact => [top, bottom, left, right],
        Kind::Pin(_) => [left, right, bottom, top],
        _ => [right, left, bottom, top],
    }
}

#[cfg(test)]
mod tests {
    use egui::pos2;

    use super::*;

    /// Marks close to each other at the upper edge, as those of runs beside exact draws: no name covers a mark or leaves the plot.
    #[test]
    fn names_keep_clear_of_marks_and_of_the_edge() {
        let theme = Theme::default();
        let mark = |kind: Kind, at: [f64; 2], name: &str| {
            let (style, words) = (theme.run(0), String::new());
            Mark { kind, at, style, name: name.to_owned(), words }
        };
        let run = Kind::Run { finished: true, floor: None };
        let marks = [
            mark(Kind::Exact, [300.0, 14.0], "exact draws"),
            mark(run, [280.0, 10.0], "All modes"),
            mark(run, [306.0, 40.0], "One mode"),
        ];
        let rect = Rect::from_min_size(Pos2::ZERO, vec2(600.0, 120.0));
        let position = |[x, y]: [f64; 2]| pos2(x as f32, y as f32);
        let draw = |ui: &mut Ui| {
            let names = names(ui, &marks, None, &theme, rect, &position);
            assert_eq!(names.len(), 3);
            for name in &names {
                let patch = name.patch(ui, &theme, rect);
                assert!(rect.contains_rect(patch), "{}: {patch}", name.text);
                assert!(!marks.iter().any(|mark| patch.contains(position(mark.at))), "{}: {patch}", name.text);
            }
        };
        let size = figure::FigureSize::new(600, 120, 1.0).unwrap();
        figure::lay_out(size, crate::theme::install_fonts, draw).unwrap();
    }
}
