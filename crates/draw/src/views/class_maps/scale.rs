//! The scale of colours of the maps: a bar with its ends and its unit.

use egui::{Color32, Mesh, Rect, Sense, Shape, Ui, pos2, vec2};

use super::cache::{class_colour, shade};
use super::geometry::MapQuantity;
use crate::kit::axes::round_step;
use crate::theme::Theme;
use crate::words::numbers;
use base::math::elementary::ln;

/// Width of the bar, in sizes of small text.
const WIDTH: f32 = 12.0;

/// Steps of colour along the bar; colours between two of them are interpolated.
const STEPS: usize = 48;

/// Least upper end of the scale of mutual information, in nats: less is Monte Carlo noise.
const LEAST: f64 = 0.01;

/// The upper end of the scale, the same for all runs: log C for the entropy, and a round number above the `largest` mutual
/// information.
pub(super) fn top(quantity: MapQuantity, classes: usize, largest: f64) -> f64 {
    let most = ln(classes as f64);
    match quantity {
        MapQuantity::Probability => 1.0,
        MapQuantity::Entropy => most,
        MapQuantity::Information => round_step(largest.max(LEAST)).min(most),
    }
}

/// What the scale measures, and its ends.
fn words(quantity: MapQuantity, top: f64, classes: usize) -> [String; 3] {
    let number = |value: f64| numbers::significant(value, 2);
    let nats = |name: &str| [name.to_owned(), "0".to_owned(), format!("{} nats", number(top))];
    match quantity {
        MapQuantity::Probability if classes == 2 => ["p̄ of class 1", "0", "1"].map(str::to_owned),
        MapQuantity::Probability => ["largest p̄".to_owned(), number(1.0 / classes as f64), "1".to_owned()],
        MapQuantity::Entropy => nats("entropy H[p̄]"),
        MapQuantity::Information => nats("mutual information"),
    }
}

/// Shows the scale in a line of its own, or in two.
pub(super) fn show(ui: &mut Ui, theme: &Theme, (quantity, top): (MapQuantity, f64), classes: usize) {
    let galleys =
        words(quantity, top, classes).map(|text| ui.painter().layout_no_wrap(text, theme.small(), theme.soft));
    let (row, gap) = (theme.text.small * 1.3, theme.space(1.5));
    let [name, low, high] = galleys;
    let bar = WIDTH * theme.text.small;
    let whole = name.size().x + low.size().x + high.size().x + bar + 4.0 * gap;
    let broken = whole > ui.available_width();
    let height = if broken { 2.0 * row } else { row };
    let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), height), Sense::hover());
    let mut at = rect.left_top();
    ui.painter().galley(at, name.clone(), theme.soft);
    at += if broken { vec2(0.0, row) } else { vec2(name.size().x + 2.0 * gap, 0.0) };
    ui.painter().galley(at, low.clone(), theme.soft);
    at.x += low.size().x + gap;
    let width = (rect.right() - at.x - high.size().x - gap).clamp(0.0, bar);
    let middle = at.y + 0.5 * high.size().y;
    let half = 0.45 * theme.text.small;
    let bar = Rect::from_min_max(pos2(at.x, middle - half), pos2(at.x + width, middle + half));
    for strip in strips(bar, theme, (quantity, top), classes) {
        ui.painter().add(Shape::mesh(strip));
    }
    ui.painter().rect_stroke(bar, 0.0, theme.hairline(), egui::StrokeKind::Outside);
    ui.painter().galley(pos2(bar.right() + gap, at.y), high, theme.soft);
}

/// The strips of the bar: one, or one for each of more than two classes.
fn strips(bar: Rect, theme: &Theme, (quantity, top): (MapQuantity, f64), classes: usize) -> Vec<Mesh> {
    if quantity != MapQuantity::Probability {
        return vec![graded(bar, |share| shade(theme, share * top, top))];
    }
    if classes == 2 {
        return vec![graded(bar, |p| class_colour(theme, if p >= 0.5 { (1, p) } else { (0, 1.0 - p) }, 2))];
    }
    let edge = |class: usize| bar.top() + bar.height() * class as f32 / classes as f32;
    let strip = |class: usize| {
        let rect = Rect::from_min_max(pos2(bar.left(), edge(class)), pos2(bar.right(), edge(class + 1)));
        let least = 1.0 / classes as f64;
        graded(rect, |share| class_colour(theme, (class, least + share * (1.0 - least)), classes))
    };
    (0..classes).map(strip).collect()
}

/// A rectangle whose colour changes from left to right.
fn graded(rect: Rect, colour: impl Fn(f64) -> Color32) -> Mesh {
    let mut mesh = Mesh::default();
    for step in 0..=STEPS {
        let x = rect.left() + rect.width() * step as f32 / STEPS as f32;
        for y in [rect.top(), rect.bottom()] {
            mesh.colored_vertex(pos2(x, y), colour(step as f64 / STEPS as f64));
        }
        if let Ok(last) = u32::try_from(2 * step)
            && step > 0
        {
            mesh.add_triangle(last - 2, last - 1, last);
            mesh.add_triangle(last - 1, last, last + 1);
        }
    }
    mesh
}
