//! Front of a sweep: missing modes against the error within modes, a point for each cell; the larger, the more gradients it costs.
//!
//! The line connects the cells that no other beats in these two measures. Circles are on the Pareto front of these and of the cost.

use egui::{CursorIcon, Mesh, Pos2, Rect, Shape, Stroke, StrokeKind, Ui, Vec2};
use egui_plot::PlotPoint;

use super::input::{SweepInput, SweepResponse};
use super::{beside, words};
use crate::kit::axes::{AxisSpec, Ticks, answers, before_last_tick, fits_upright, plot, show_part};
use crate::kit::legend::{self, Entry, Sample};
use crate::theme::Theme;
use engine::session::sweep::{objectives, pareto_front};

/// Distance in points of the screen within which the pointer is at a point.
const REACH: f32 = 14.0;

/// Radius of the point of the dearest cell, in units of the theme, and of the cheapest as a share of it.
const RADIUS: f32 = 1.4;
const LEAST: f64 = 0.4;

/// Opacity of points that are not on the front.
const OPACITY: f32 = 0.55;

/// Cells from which on points are squares: circles of so many would cost too much in each frame.
const MANY: usize = 3000;

/// Margin beyond the points, as a share of their range.
const MARGIN: f64 = 0.06;

/// Decades shown at most.
const DECADES: f64 = 6.0;

/// The points of cells, and the scale of the vertical axis.
struct Spots {
    /// Number of a cell, its position on both axes, and its cost.
    all: Vec<(usize, [f64; 2], f64)>,
    /// The positions of the cells that the line connects.
    line: Vec<[f64; 2]>,
    log: bool,
    costs: (f64, f64),
}

impl Spots {
    fn of(input: &SweepInput<'_>) -> Result<Self, String> {
        let points = objectives(input.plan, input.cells)?;
        let finite = || points.iter().filter(|point| point.iter().all(|value| value.is_finite()));
        let log = finite().all(|point| point[1] > 0.0);
        let highest = finite().map(|point| point[1]).fold(0.0, f64::max);
        let up = |within: f64| if log { within.log10().max(highest.log10() - DECADES) } else { within };
        let numbered = input.cells.iter().zip(&points).filter(|(_, point)| point.iter().all(|value| value.is_finite()));
        let all = numbered.map(|(cell, point)| (cell.number, [point[0], up(point[1])], point[2])).collect();
        let flat: Vec<[f64; 3]> = points.iter().map(|point| [point[0], point[1], 0.0]).collect();
        let mut line: Vec<[f64; 2]> =
            pareto_front(&flat).into_iter().map(|index| [points[index][0], up(points[index][1])]).collect();
        line.sort_by(|one, other| one[0].total_cmp(&other[0]));
        let costs = finite().map(|point| point[2]);
        let costs = costs.fold((f64::INFINITY, 0.0), |(low, high): (f64, f64), cost| (low.min(cost), high.max(cost)));
        Ok(Self { all, line, log, costs })
    }

    /// Lower and upper ends of the axes.
    fn bounds(&self) -> [[f64; 2]; 2] {
        let range = |axis: usize| {
            let values = self.all.iter().map(|(_, at, _)| at[axis]);
            let (low, high) =
                values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| (low.min(value), high.max(value)));
            let margin = if low < high { MARGIN * (high - low) } else { 0.5 };
            if low <= high { (low - margin, high + margin) } else { (0.0, 1.0) }
        };
        let (x, y) = (range(0), range(1));
        [[x.0, y.0], [x.1, y.1]]
    }

    /// The radius of a point, as a share of the largest.
    fn radius(&self, cost: f64) -> f32 {
        let share = cost / self.costs.1.max(f64::MIN_POSITIVE);
        (LEAST + (1.0 - LEAST) * share.sqrt()) as f32
    }
}

/// Whether the sweep has what the front shows; else the reason.
///
/// # Errors
/// The reason.
pub fn exists(input: &SweepInput<'_>) -> Result<(), String> {
    objectives(input.plan, &[]).map(drop)
}

/// Draws legend and plot into the available space.
pub fn show(ui: &mut Ui, input: &SweepInput<'_>, theme: &Theme) -> SweepResponse {
    let spots = match Spots::of(input) {
        Ok(spots) => spots,
        Err(reason) => {
            ui.label(format!("There is no front: {reason}."));
            return SweepResponse::default();
        }
    };
    legend::line(ui, theme, &entries(input, &spots, theme));
    let name = "KL within modes (nats)";
    let y = AxisSpec::upright(
        if fits_upright(ui, theme, name) { name } else { "" },
        if spots.log { Ticks::Log } else { Ticks::Linear },
    );
    let x = AxisSpec::wide("missing modes, mean over seeds", Ticks::Linear);
    let plot = plot("front", theme, x, y).width(before_last_tick(ui, theme)).allow_drag(false).allow_zoom(false);
    let shown = plot.show(ui, |plot_ui| {
        let [min, max] = spots.bounds();
        show_part(plot_ui, min, max, theme);
    });
    answers(ui, theme, &shown.response, [x, y]);
    let response = shown.response.on_hover_cursor(CursorIcon::PointingHand);
    response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Image, true, "Front of the sweep"));
    let rect = response.rect;
    let transform = shown.transform;
    let position = |at: [f64; 2]| transform.position_from_point(&PlotPoint::new(at[0], at[1]));
    paint(ui, input, &spots, (rect, &position), theme);
    let away = |spot: &&(usize, [f64; 2], f64), at: Pos2| position(spot.1).distance(at);
    let under = response.hover_pos().and_then(|at| {
        let nearest = spots.all.iter().min_by(|one, other| away(one, at).total_cmp(&away(other, at)))?;
        (away(&nearest, at) <= REACH).then_some((at, nearest.0))
    });
    let pointed = under.map(|(_, cell)| cell);
    let lit = pointed.or(input.lit).and_then(|cell| spots.all.iter().find(|spot| spot.0 == cell));
    if let Some((_, at, _)) = lit {
        let stroke = Stroke::new(theme.line(), theme.ink);
        ui.painter().with_clip_rect(rect).circle_stroke(position(*at), theme.space(RADIUS + 1.2), stroke);
    }
    if let Some((at, cell)) = under {
        beside::show(ui, input, cell, (rect, at), theme);
    }
    SweepResponse { pointed, opened: pointed.filter(|_| response.clicked()) }
}

/// Points, the line, circles of the front, and the present cell.
fn paint(
    ui: &Ui,
    input: &SweepInput<'_>,
    spots: &Spots,
    (rect, position): (Rect, &dyn Fn([f64; 2]) -> Pos2),
    theme: &Theme,
) {
    let painter = ui.painter().with_clip_rect(rect);
    let colour = theme.run(input.run).colour.gamma_multiply(OPACITY);
    let radius = |cost: f64| theme.space(RADIUS) * spots.radius(cost);
    if spots.all.len() > MANY {
        let mut mesh = Mesh::default();
        for (_, at, cost) in &spots.all {
            mesh.add_colored_rect(Rect::from_center_size(position(*at), Vec2::splat(1.6 * radius(*cost))), colour);
        }
        painter.add(Shape::mesh(mesh));
    } else {
        painter
            .extend(spots.all.iter().map(|(_, at, cost)| Shape::circle_filled(position(*at), radius(*cost), colour)));
    }
    let line = spots.line.iter().map(|at| position(*at)).collect();
    painter.add(Shape::line(line, Stroke::new(theme.line(), theme.ink)));
    for (_, at, cost) in spots.all.iter().filter(|(cell, _, _)| input.front().binary_search(cell).is_ok()) {
        painter.circle(position(*at), radius(*cost), theme.paper, Stroke::new(theme.thin(), theme.ink));
    }
    if let Some((_, at, _)) = input.present_cell().and_then(|cell| spots.all.iter().find(|spot| spot.0 == cell)) {
        let square = Rect::from_center_size(position(*at), Vec2::splat(theme.space(2.0 * RADIUS + 1.0)));
        painter.rect_stroke(square, 0.0, Stroke::new(theme.line(), theme.accent), StrokeKind::Middle);
    }
}

/// What points and lines stand for.
fn entries(input: &SweepInput<'_>, spots: &Spots, theme: &Theme) -> Vec<Entry> {
    let (low, high) = spots.costs;
    let cost = if spots.all.is_empty() {
        "no cell has both measures".to_owned()
    } else if high > low {
        format!("a cell; the larger, the dearer: {} to {}", words::gradients(low), words::gradients(high))
    } else {
        format!("a cell; all cost {}", words::gradients(high))
    };
    let mut entries = vec![Entry::new(Sample::Dot(theme.run(input.run).colour), cost)];
    if !input.front().is_empty() {
        entries.push(Entry::new(Sample::Ring(theme.ink), words::front(input.plan)));
    }
    if input.present_cell().is_some() {
        entries.push(Entry::new(Sample::Frame(theme.accent), words::present(input.plan)));
    }
    let hidden = input.cells.len() - spots.all.len();
    if hidden > 0 {
        entries.push(Entry::new(Sample::None, format!("{hidden} cells without a value are not shown")));
    }
    entries
}
