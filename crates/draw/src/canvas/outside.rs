//! Chains and draws outside the part that a canvas shows: an arrow at the edge for each side, with the number of chains and the
//! share of the draws.

use egui::{Align2, FontId, Pos2, Rect, Shape, Stroke, Ui, pos2, vec2};
use egui_plot::{PlotPoint, PlotTransform};

use super::backdrop::{CanvasCache, drawn};
use super::covered;
use super::free_line::free_beside;
use super::geometry::{Beyond, Side};
use super::input::{CanvasInput, Draws};
use crate::kit::notes::{self, Crowd};
use crate::kit::overlay_label::OverlayLabel;
use crate::kit::{told, written};
use crate::theme::Theme;
use crate::words::numbers;
use engine::session::RunFrame;

/// Half of the width of an arrow, in units of the theme.
const ARROW: f32 = 1.75;

/// The same as a share of the shorter side of the canvas, at most.
const LARGEST: f32 = 0.035;

/// Share of the draws below which their number is given instead.
const FEW: f64 = 1e-3;

/// Density, as a share of that at the highest mode, that words on paper leave free: down to the outermost contour.
const FAINTEST: f64 = 0.005;

/// Density, as a share of that at the highest mode, from which on words on paper lie on nothing of it.
const DENSE: f32 = 0.1;

/// What is beyond one edge.
#[derive(Clone, Debug, PartialEq)]
struct Mark {
    side: Side,
    /// How many chains.
    chains: usize,
    /// How many draws, 0 where they are not shown.
    draws: f64,
    /// Their mean position along the edge, on the screen; that of the chains if there are some.
    at: Pos2,
}

/// Paints the arrows of all runs of a canvas: filled where chains are beyond the edge, hollow where only draws are. Their words leave free what is
/// `said` already. Returns where arrows and words stand.
pub(super) fn paint(
    ui: &Ui,
    input: &CanvasInput<'_>,
    theme: &Theme,
    cache: &CanvasCache,
    (rect, transform): (Rect, &PlotTransform),
    said: Option<Rect>,
) -> Vec<Rect> {
    let flat = input.frame.target.info().dimension == 1;
    // Arrows come before words, so that no word lies on an arrow or on another word where there is space.
    let (mut taken, mut labels) = (Vec::from_iter(said), Vec::new());
    for &index in input.runs {
        let Some(run) = input.frame.runs.get(index) else { continue };
        let chains = input.layers.trail || input.layers.draws == Draws::Ensemble;
        let points = if chains { points(run, transform, flat) } else { Vec::new() };
        let draws = if drawn(input.layers.draws, run) { cache.beyond((input.id, index)) } else { &[] };
        for mark in marks((rect, transform), &points, draws) {
            let sentence = sentence(&mark, (&written::plain_name_of(theme, index, &run.plan.name), run.collected));
            if !theme.look.outside {
                leave_to_caption(ui, theme, sentence);
                continue;
            }
            let side = theme.space(ARROW).min(LARGEST * rect.size().min_elem());
            let (out, along, align) = match mark.side {
                Side::Left => (vec2(-side, 0.0), vec2(0.0, side), Align2::LEFT_CENTER),
                Side::Right => (vec2(side, 0.0), vec2(0.0, side), Align2::RIGHT_CENTER),
                Side::Top => (vec2(0.0, -side), vec2(side, 0.0), Align2::CENTER_TOP),
                Side::Bottom => (vec2(0.0, side), vec2(side, 0.0), Align2::CENTER_BOTTOM),
            };
            let tip = mark.at - 0.3 * out;
            let base = tip - 1.6 * out;
            let colour = theme.run(index).colour;
            let (fill, line) = if mark.chains > 0 { (colour, theme.paper) } else { (theme.paper, colour) };
            let points = vec![tip, base + along, base - along];
            taken.push(Rect::from_points(&points));
            ui.painter().add(Shape::convex_polygon(points, fill, Stroke::new(1.0, line)));
            let font = if mark.chains > 0 { theme.strong() } else { theme.small() };
            labels.push(Words {
                text: words(&mark, run.collected),
                sentence,
                font,
                at: base - 0.4 * out,
                align,
                side: mark.side,
                chains: mark.chains,
                draws: mark.draws,
            });
        }
    }
    if !theme.labels.whole || labels.is_empty() {
        let written = write(ui, theme, rect, (&taken, &labels), None);
        return taken.into_iter().chain(written).collect();
    }
    let crowd = covered::crowd(input, transform, rect, FAINTEST);
    let free = |place: &Option<Place>| place.as_ref().is_some_and(|place| !place.over);
    let near = || places(ui, theme, rect, (&taken, &labels), Some(&crowd)).iter().all(free);
    // The strips of marginals are above the axes.
    let plot = (rect, !input.layers.marginals);
    if crowded(ui, theme, rect, &labels) {
        together(ui, theme, (plot, &crowd), &taken, &labels);
    } else if near() || !outside_of(ui, theme, plot, &all_words(&labels)) {
        let written = write(ui, theme, rect, (&taken, &labels), Some(&crowd));
        taken.extend(written);
    }
    taken
}

/// Where the words of an arrow stand.
struct Place {
    at: Pos2,
    patch: Rect,
    /// Whether there is something below them.
    over: bool,
}

/// Where the words of arrows stand, each near its own: over as few arrows as possible, and on paper over as little as possible of what there is
/// on the canvas, which is seen below them. Words over other words say nothing: they have no place.
fn places(
    ui: &Ui,
    theme: &Theme,
    rect: Rect,
    (taken, labels): (&[Rect], &[Words]),
    crowd: Option<&Crowd>,
) -> Vec<Option<Place>> {
    /// Ways along an edge, in widths of words, and what the way across the canvas counts, as a share of covering something all over.
    const ALONG: [f32; 5] = [0.0, 0.6, -0.6, 1.2, -1.2];
    const FAR: f32 = 0.4;
    let (mut taken, mut written): (Vec<Rect>, Vec<Rect>) = (taken.to_vec(), Vec::new());
    let mut place = |words: &Words| {
        let (at, line) = (words.at, 1.5 * words.font.size);
        let label = |lines: f32, along: f32| {
            let lines = if words.side == Side::Bottom { -lines } else { lines };
            words.label(theme, at + vec2(along, lines * line))
        };
        // From an arrow at the left or the right its words may go up as well.
        let steps: &[f32] = match words.side {
            Side::Left | Side::Right => &[0.0, 1.0, -1.0, 2.0, -2.0, 3.0, -3.0, 4.0, -4.0],
            Side::Top | Side::Bottom => &[0.0, 1.0, 2.0, 3.0, 4.0],
        };
        let patch = |label: &OverlayLabel<'_>| label.patch(ui, theme, rect);
        let busy = |label: &OverlayLabel<'_>| crowd.map_or(0.0, |crowd| crowd.busy(patch(label), rect));
        let arrows = |label: &OverlayLabel<'_>| taken.iter().filter(|other| other.intersects(patch(label))).count();
        let mut best = steps.iter().map(|lines| label(*lines, 0.0)).min_by_key(arrows)?;
        if busy(&best) > 0.0 {
            let along: &[f32] = if matches!(words.side, Side::Top | Side::Bottom) { &ALONG } else { &ALONG[..1] };
            let wide = patch(&best).width();
            let all = steps.iter().flat_map(|lines| along.iter().map(|share| label(*lines, share * wide)));
            let over = |label: &OverlayLabel<'_>| {
                let others = written.iter().filter(|other| other.intersects(patch(label))).count();
                (arrows(label) + others) as f32
            };
            let far = |label: &OverlayLabel<'_>| patch(label).center().distance(at) / rect.size().length();
            let dense = |label: &OverlayLabel<'_>| f32::from(u8::from(is_dense(crowd, patch(label), rect)));
            let cost = |label: &OverlayLabel<'_>| over(label) + dense(label) + busy(label) + FAR * far(label);
            best = all.min_by(|one, other| cost(one).total_cmp(&cost(other))).unwrap_or(best);
        }
        let place = Place { at: best.at, patch: patch(&best), over: busy(&best) > 0.0 };
        if written.iter().any(|other| other.intersects(place.patch)) {
            return None;
        }
        taken.push(place.patch);
        written.push(place.patch);
        Some(place)
    };
    labels.iter().map(&mut place).collect()
}

/// Writes the words of arrows where they have places, and returns these; on paper those that would lie on the densest of the target are left to
/// the caption.
fn write(ui: &Ui, theme: &Theme, rect: Rect, (taken, labels): (&[Rect], &[Words]), crowd: Option<&Crowd>) -> Vec<Rect> {
    /// Opacity of the ground of words over something.
    const COVER: f32 = 0.5;
    let mut written = Vec::new();
    for (words, place) in labels.iter().zip(places(ui, theme, rect, (taken, labels), crowd)) {
        // Without words the arrow stays.
        let Some(place) = place else {
            if theme.labels.whole {
                leave_to_caption(ui, theme, words.sentence.clone());
            }
            continue;
        };
        let label = words.label(theme, place.at);
        if is_dense(crowd, place.patch, rect) {
            leave_to_caption(ui, theme, words.sentence.clone());
        } else if place.over {
            written.push(label.paint_over(ui, theme, rect, COVER));
        } else {
            written.push(label.paint(ui, theme, rect));
        }
    }
    written
}

/// Whether a patch lies on what words on paper never cover.
fn is_dense(crowd: Option<&Crowd>, patch: Rect, area: Rect) -> bool {
    crowd.is_some_and(|crowd| crowd.densest(patch, area) >= DENSE)
}

/// Tells beside the figure, and in its caption, what does not stand in it.
fn leave_to_caption(ui: &Ui, theme: &Theme, sentence: String) {
    told::see(ui, theme, |seen| seen.beyond.push(sentence.clone()));
    told::warn(ui, sentence);
}

/// The words of an arrow.
struct Words {
    text: String,
    sentence: String,
    font: FontId,
    at: Pos2,
    align: Align2,
    side: Side,
    chains: usize,
    draws: f64,
}

impl Words {
    fn label(&self, theme: &Theme, at: Pos2) -> OverlayLabel<'_> {
        OverlayLabel { text: &self.text, font: self.font.clone(), colour: theme.ink, at, align: self.align }
    }
}

/// Whether a canvas of a figure has little space for words: one is nearly as wide as it, or several take much of it.
fn crowded(ui: &Ui, theme: &Theme, rect: Rect, labels: &[Words]) -> bool {
    /// The share of a canvas that words take at most.
    const SHARE: f32 = 0.06;
    /// The share of its width that one takes at most.
    const WIDE: f32 = 0.8;
    let width = |label: &Words| ui.painter().layout_no_wrap(label.text.clone(), label.font.clone(), theme.ink).size().x;
    let taken: f32 = labels.iter().map(|label| 1.5 * label.font.size * width(label)).sum();
    let is_wide = labels.iter().any(|label| width(label) > WIDE * rect.width());
    theme.labels.whole && (is_wide || labels.len() > 1 && taken > SHARE * rect.area())
}

/// The words of all arrows in one: how many chains and draws are beyond the axes.
#[expect(clippy::cast_sign_loss, reason = "numbers of draws")]
fn all_words(labels: &[Words]) -> String {
    let chains: usize = labels.iter().map(|label| label.chains).sum();
    let draws: f64 = labels.iter().map(|label| label.draws).sum();
    let mut parts = Vec::new();
    parts.extend((chains > 0).then(|| numbers::counted(chains as u64, "chain")));
    parts.extend((draws > 0.0).then(|| numbers::counted((draws.round() as u64).max(1), "draw")));
    format!("{} beyond", parts.join(", "))
}

/// The words of all arrows in one: outside of the axes where there is space, else in that corner that no arrow points at which has least; told
/// beside the figure where it has no such corner, or where they would lie on the densest of the target.
fn together(ui: &Ui, theme: &Theme, (plot, crowd): ((Rect, bool), &Crowd), arrows: &[Rect], labels: &[Words]) {
    let (text, rect) = (all_words(labels), plot.0);
    if outside_of(ui, theme, plot, &text) {
        return;
    }
    let label =
        |at: Pos2, align: Align2| OverlayLabel { text: &text, font: theme.small(), colour: theme.ink, at, align };
    let corners = [
        (rect.right_top(), Align2::RIGHT_TOP),
        (rect.left_top(), Align2::LEFT_TOP),
        (rect.right_bottom(), Align2::RIGHT_BOTTOM),
        (rect.left_bottom(), Align2::LEFT_BOTTOM),
    ];
    let patch = |(at, align): (Pos2, Align2)| label(at, align).patch(ui, theme, rect);
    let free = |corner: &(Pos2, Align2)| arrows.iter().all(|arrow| !arrow.intersects(patch(*corner)));
    let busy = |corner: &(Pos2, Align2)| crowd.busy(patch(*corner), rect);
    let thin = |corner: &(Pos2, Align2)| !is_dense(Some(crowd), patch(*corner), rect);
    let free = corners.into_iter().filter(free).filter(thin);
    let found = free.min_by(|one, other| busy(one).total_cmp(&busy(other)));
    let found = found.filter(|corner| patch(*corner).width() < 0.6 * rect.width());
    match found {
        Some((at, align)) => drop(label(at, align).paint(ui, theme, rect)),
        None => labels.iter().for_each(|words| leave_to_caption(ui, theme, words.sentence.clone())),
    }
}

/// Writes words outside of the axes of a figure, if there is space: at the end of the head of the canvas, else between that and the axes if nothing
/// else is there, else far from the name of its lower axis. Returns whether there was.
fn outside_of(ui: &Ui, theme: &Theme, plot: (Rect, bool), text: &str) -> bool {
    let galley = ui.painter().layout_no_wrap(text.to_owned(), theme.small(), theme.soft);
    let area = ui.max_rect().intersect(ui.clip_rect());
    let Some(patch) = free_beside((plot, area), &notes::texts_in(ui, area), galley.size(), theme) else { return false };
    ui.painter().galley(patch.min, galley, theme.soft);
    true
}

/// How many of a run are beyond which edge, as a sentence.
fn sentence(mark: &Mark, (name, collected): (&str, u64)) -> String {
    let chains = (mark.chains > 0).then(|| numbers::counted(mark.chains as u64, "chain"));
    let draws = (mark.draws > 0.0).then(|| words(&Mark { chains: 0, ..*mark }, collected));
    let both: Vec<String> = [chains, draws].into_iter().flatten().collect();
    let verb = if matches!(&both[..], [one] if one == "1 chain" || one == "1 draw") { "is" } else { "are" };
    let edge = match mark.side {
        Side::Left => "on the left",
        Side::Right => "on the right",
        Side::Top => "at the top",
        Side::Bottom => "at the bottom",
    };
    format!("{} of {name} {verb} beyond the axes {edge}", both.join(" and "))
}

/// How many are beyond an edge.
#[expect(clippy::cast_sign_loss, reason = "numbers of draws")]
fn words(mark: &Mark, collected: u64) -> String {
    let share = mark.draws / (collected as f64).max(1.0);
    let of_draws = if share < FEW {
        numbers::counted((mark.draws.round() as u64).max(1), "draw")
    } else {
        format!("{} % of draws", numbers::against(100.0 * share, 100.0, 2))
    };
    match (mark.chains, mark.draws > 0.0) {
        (0, _) => of_draws,
        (chains, false) => numbers::count(chains as u64),
        (chains, true) => format!("{} · {of_draws}", numbers::count(chains as u64)),
    }
}

/// Where the chains of a run are on the screen; on the line, at its height 0.
fn points(run: &RunFrame, transform: &PlotTransform, flat: bool) -> Vec<Pos2> {
    let shown = run.positions.iter().filter(|at| at.x.is_finite() && at.y.is_finite());
    shown.map(|at| transform.position_from_point(&PlotPoint::new(at.x, if flat { 0.0 } else { at.y }))).collect()
}

/// What is beyond each edge: chains by their `points` on the screen, and draws.
fn marks((rect, transform): (Rect, &PlotTransform), points: &[Pos2], draws: &[Beyond]) -> Vec<Mark> {
    let position = |beyond: &Beyond| {
        let at = transform.position_from_point(&PlotPoint::new(beyond.along, beyond.along));
        rect.clamp(match beyond.side {
            Side::Left => pos2(rect.left(), at.y),
            Side::Right => pos2(rect.right(), at.y),
            Side::Top => pos2(at.x, rect.top()),
            Side::Bottom => pos2(at.x, rect.bottom()),
        })
    };
    let of_side = |side: Side| {
        let chains = chains_beyond(rect, points, side);
        let draws = draws.iter().find(|beyond| beyond.side == side);
        let at = chains.map(|(_, at)| at).or_else(|| draws.map(position))?;
        Some(Mark {
            side,
            chains: chains.map_or(0, |(chains, _)| chains),
            draws: draws.map_or(0.0, |beyond| beyond.draws),
            at,
        })
    };
    Side::ALL.into_iter().filter_map(of_side).collect()
}

/// The chains beyond an edge and their mean position along it. A chain beyond two edges counts for the one that it is farther from.
fn chains_beyond(rect: Rect, points: &[Pos2], side: Side) -> Option<(usize, Pos2)> {
    let inside: Vec<Pos2> =
        points.iter().filter(|at| side_of(rect, **at) == Some(side)).map(|at| rect.clamp(*at)).collect();
    let share = 1.0 / inside.len() as f32;
    let mean = inside.iter().fold(vec2(0.0, 0.0), |sum, at| sum + share * at.to_vec2());
    (!inside.is_empty()).then(|| (inside.len(), pos2(mean.x, mean.y)))
}

/// The side beyond which a position is.
fn side_of(rect: Rect, at: Pos2) -> Option<Side> {
    let distances = [
        (Side::Left, rect.left() - at.x),
        (Side::Right, at.x - rect.right()),
        (Side::Top, rect.top() - at.y),
        (Side::Bottom, at.y - rect.bottom()),
    ];
    let farthest = distances.into_iter().max_by(|a, b| a.1.total_cmp(&b.1))?;
    (farthest.1 > 0.0).then_some(farthest.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui_plot::PlotBounds;

    /// On paper words are where the canvas has nothing, near their arrow; where it is full of draws they are all the same, but on nothing dense.
    #[test]
    fn words_on_paper_cover_as_little_as_possible() {
        let rect = Rect::from_min_max(pos2(10.0, 10.0), pos2(210.0, 150.0));
        let words = || Words {
            text: "1 draw".to_owned(),
            sentence: String::new(),
            font: Theme::default().small(),
            at: pos2(60.0, 140.0),
            align: Align2::CENTER_BOTTOM,
            side: Side::Bottom,
            chains: 0,
            draws: 1.0,
        };
        let place = |crowd: &Crowd| {
            let draw = |ui: &mut Ui| {
                let written = write(ui, &Theme::default(), rect, (&[], &[words()]), Some(crowd));
                assert!(written.iter().all(|patch| rect.contains_rect(*patch)), "{written:?}");
            };
            let size = figure::FigureSize::new(220, 160, 1.0).unwrap();
            let texts = figure::lay_out(size, crate::theme::install_fonts, draw).unwrap().texts();
            assert!(texts.len() < 2, "{texts:?}");
            texts.first().map(|text| text.rect)
        };
        let usual = place(&Crowd::default()).unwrap();
        assert!(usual.bottom() > 130.0 && (usual.center().x - 60.0).abs() < 5.0, "{usual:?}");
        let mut crowd = Crowd::default();
        for (cell, area) in Crowd::cells(rect) {
            crowd.strong[cell] = if area.center().y > 100.0 && area.center().x < 120.0 { 1.0 } else { 0.0 };
        }
        let free = place(&crowd).unwrap();
        assert!(crowd.busy(free, rect) < 1e-6 && rect.contains_rect(free), "{free:?}");
        crowd.spread.fill(1.0);
        let over_draws = place(&crowd).unwrap();
        assert!(rect.contains_rect(over_draws) && crowd.densest(over_draws, rect) < DENSE, "{over_draws:?}");
        crowd.strong.fill(1.0);
        assert_eq!(place(&crowd), None, "the caption has them");
    }

    #[test]
    fn chains_and_draws_outside_are_counted_at_the_edge_that_they_are_beyond() {
        let rect = Rect::from_min_max(pos2(0.0, 0.0), pos2(100.0, 50.0));
        let transform = PlotTransform::new(rect, PlotBounds::from_min_max([0.0, 0.0], [10.0, 5.0]), [false; 2]);
        let points = [pos2(50.0, 25.0), pos2(-10.0, 20.0), pos2(-30.0, 40.0), pos2(120.0, -80.0), pos2(100.0, 50.0)];
        let draws = [
            Beyond { side: Side::Left, draws: 40.0, along: 1.0 },
            Beyond { side: Side::Bottom, draws: 2000.0, along: 7.0 },
        ];
        let found = marks((rect, &transform), &points, &draws);
        let expected = [
            Mark { side: Side::Left, chains: 2, draws: 40.0, at: pos2(0.0, 30.0) },
            Mark { side: Side::Bottom, chains: 0, draws: 2000.0, at: pos2(70.0, 50.0) },
            Mark { side: Side::Top, chains: 1, draws: 0.0, at: pos2(100.0, 0.0) },
        ];
        assert_eq!(found, expected);
        let texts: Vec<String> = found.iter().map(|mark| words(mark, 50_000)).collect();
        assert_eq!(texts, ["2 · 40 draws", "4 % of draws", "1"]);
    }
}
