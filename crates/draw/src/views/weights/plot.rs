//! Weight space of a network seen in planes: the draws of all runs by their weights or by their functions, the plane through three
//! draws with a loss on it, the line between two, or one through a draw in a random direction.
//!
//! The draw that the pointer is at, here, on a canvas or on a plot of functions, is named and marked, and its function is shown in a
//! corner. Draws by their functions are connected to clusters.

use egui::{Align2, Sense, Ui};

use super::cache::WeightsCache;
use super::input::WeightsInput;
use super::made::{Made, NO_DRAWS, Scatter, Shown};
use super::{line, points};
use crate::geometry::DrawName;
use crate::kit::gestures::Gesture;
use crate::kit::overlay_label::OverlayLabel;
use crate::kit::run_header;
use crate::theme::Theme;
use crate::words::numbers;
use engine::diagnostics::weight_line::WeightPath;

/// What can be done on the plot, and on the canvases beside it.
pub(crate) const GESTURES: [Gesture; 4] = [
    Gesture::at("Weights", "Point at a draw", "Read its chain and step, see its function, and mark it beside the plot"),
    Gesture::at(
        "Weights",
        "Click a draw",
        "Choose it for the plane of three draws, the path of two and the direction from one; click again to release it",
    ),
    Gesture::at("Weights", "Point at the line", "Read losses and errors there"),
    Gesture::at("Weights", "Point at the canvas", "Mark the draw nearest to the pointer, and show its function"),
];

/// Draws the plot into the available space; returns the draw under the pointer.
pub fn show(ui: &mut Ui, input: &WeightsInput<'_>, theme: &Theme, cache: &mut WeightsCache) -> Option<DrawName> {
    let area = ui.interact(ui.available_rect_before_wrap(), ui.scope_id().with("place"), Sense::hover());
    area.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Image, true, "Weight space"));
    let available = ui.available_size();
    let height = (available.y - 2.0 * theme.text.heading).max(1.0);
    let count = cache.update(ui.ctx(), input, f64::from(available.x / height));
    let made = cache.now.clone();
    let tree = made.as_deref().and_then(|made| match &made.shown {
        Shown::Scatter(Scatter { tree, .. }) => tree.as_ref(),
        _ => None,
    });
    let linked = tree.map(|tree| (tree.clusters(input.threshold), tree.within(input.threshold)));
    let linked = linked.as_ref().map(|(clusters, edges)| (clusters, *edges));
    let notes = made.as_deref().map(notes).unwrap_or_default();
    run_header::line(ui, input.frame, input.runs, theme, &theme.heading(), &notes);
    ui.add_space(theme.space(1.0));
    match made.as_deref().map(|made| (made, &made.shown)) {
        Some((made, Shown::Line(line))) => line::show(ui, input.frame, (made, line), theme),
        Some((made, shown @ (Shown::Scatter(_) | Shown::Plane(_)))) => {
            return points::show(ui, input, theme, (made, shown), (cache, linked));
        }
        Some((_, Shown::Nothing(words))) => empty(ui, theme, words),
        None if count == 0 => empty(ui, theme, NO_DRAWS),
        None => {}
    }
    None
}

/// The words of an empty plot, in its middle.
pub(super) fn empty(ui: &mut Ui, theme: &Theme, text: &str) {
    let (rect, _) = ui.allocate_exact_size(ui.available_size(), Sense::hover());
    let (font, colour, at) = (theme.body(), theme.soft, rect.center());
    OverlayLabel { text, font, colour, at, align: Align2::CENTER_CENTER }.paint(ui, theme, rect);
}

/// What the line above the plot says: the number of draws, or the barriers of the path.
fn notes(made: &Made) -> Vec<String> {
    match &made.shown {
        Shown::Line(line) => {
            let barrier = |path: &WeightPath| match path.barrier() {
                Some(barrier) => format!("{} nats", numbers::significant(barrier, 3)),
                None => "not finite".to_owned(),
            };
            let both = line.aligned.as_ref().map(|aligned| {
                [format!("barrier {}", barrier(&line.straight)), format!("units matched {}", barrier(aligned))]
            });
            both.into_iter().flatten().collect()
        }
        Shown::Nothing(_) => Vec::new(),
        Shown::Scatter(_) | Shown::Plane(_) => vec![format!("{} draws", numbers::count(made.names.len() as u64))],
    }
}
