//! Small pictures of topics: the pixels of each, the triangle of three words, or words as bars.

use base::math::elementary::ln;
use base::math::{Bounds, Point};
use draw::geometry::DensityImage;
use draw::views::topics::geometry::{CORNERS, columns, point_of};
use models::lda::{Matching, Topics};
use models::targets::TopicModel;

/// Space between two topics, as a share of the side of one, and around the triangle.
const GAP: f64 = 0.12;

/// Words of a topic in a picture.
const WORDS: usize = 7;

/// Topics of words in a picture, at most.
const MOST: usize = 6;

/// Radius of a document in the triangle, in pixels, and the part of the documents that is drawn.
const DOT: f64 = 0.8;
const DOCUMENTS: usize = 120;

/// The picture of topics as if it were a density: of the true ones, if no others are given.
pub(super) fn image(model: &TopicModel, found: Option<&Topics>, cells: [usize; 2]) -> DensityImage {
    match (found.or(model.truth()), model.side) {
        (Some(topics), Some(side)) => {
            let inside = |topic: usize, x: f64, y: f64| {
                let [column, row] = [x, y].map(|share| cell(share * side as f64).min(side - 1));
                topics.get(topic, row * side + column) * side as f64
            };
            grid(topics.count(), 1.0, cells, inside)
        }
        (_, None) if model.model.words == 3 => triangle(model, cells),
        (topics, _) => {
            let counts = model.corpus.training.word_counts(model.model.words);
            let rows: Vec<Vec<f64>> = match topics {
                Some(topics) => (0..topics.count().min(MOST)).map(|topic| topics.topic(topic).collect()).collect(),
                None => vec![counts],
            };
            let tops: Vec<Vec<f64>> = rows.into_iter().map(largest).collect();
            let bar = |topic: usize, x: f64, y: f64| {
                let row = y * WORDS as f64;
                let within = (row.fract() - 0.5).abs() < 0.34;
                f64::from(u8::from(within && tops[topic].get(cell(row)).is_some_and(|share| x < *share)))
            };
            grid(tops.len(), 1.4, cells, bar)
        }
    }
}

/// The largest numbers, as shares of the first.
fn largest(mut values: Vec<f64>) -> Vec<f64> {
    values.sort_by(|a, b| b.total_cmp(a));
    values.truncate(WORDS);
    let first = values.first().copied().unwrap_or(1.0).max(f64::MIN_POSITIVE);
    values.into_iter().map(|value| value / first).collect()
}

/// A pixel of a topic: its part of the picture, from the upper left corner, and its colour.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Pixel {
    pub(super) part: Bounds,
    /// The slot of the topic, which is its colour.
    pub(super) slot: usize,
    /// Its share of the full colour, from 0 to 1.
    pub(super) level: f64,
}

/// The pixels of topics of bars, each topic at the slot of the true one that it is matched with, in a picture of this size.
pub(super) fn pixels(model: &TopicModel, found: &Topics, size: [usize; 2]) -> Vec<Pixel> {
    let Some((side, truth)) = model.side.zip(model.truth()) else { return Vec::new() };
    let slots = Matching::new(truth, found).indices(found.count());
    let layout = Layout::new(found.count().max(truth.count()), 1.0, size);
    let edge = layout.size.x * (1.0 - GAP) / side as f64;
    let pixel = |topic: usize, word: usize| {
        let inside = Point::new((word % side) as f64, (word / side) as f64) * edge;
        let from = layout.corner(slots[topic]) + layout.size * (0.5 * GAP) + inside;
        let part = Bounds::new((from.x, from.x + edge), (from.y, from.y + edge));
        Pixel { part, slot: slots[topic], level: (found.get(topic, word) * side as f64).min(1.0) }
    };
    (0..found.count()).flat_map(|topic| (0..side * side).map(move |word| pixel(topic, word))).collect()
}

/// Cells of topics in rows, in the middle of a picture.
#[derive(Clone, Copy, Debug)]
struct Layout {
    columns: usize,
    rows: usize,
    /// Width and height of a cell.
    size: Point,
    /// The upper left corner of the first one.
    offset: Point,
}

impl Layout {
    /// Cells `aspect` times as wide as high, as large as they can be.
    fn new(count: usize, aspect: f64, picture: [usize; 2]) -> Self {
        let [wide, high] = picture.map(|length| length as f64);
        let columns = columns(count, [wide as f32, high as f32], |[width, height]| (width / aspect as f32).min(height));
        let rows = count.div_ceil(columns);
        let side = (wide / columns as f64 / aspect).min(high / rows as f64);
        let size = Point::new(side * aspect, side);
        let offset = Point::new(wide - size.x * columns as f64, high - size.y * rows as f64) * 0.5;
        Self { columns, rows, size, offset }
    }

    /// The upper left corner of a cell.
    fn corner(&self, slot: usize) -> Point {
        let cell = Point::new((slot % self.columns) as f64, (slot / self.columns) as f64);
        self.offset + self.size.component_mul(&cell)
    }
}

/// Topics in a grid: `level` of a topic at shares of its width and height, from 0 to 1. Cells are `aspect` times as wide as high.
fn grid(count: usize, aspect: f64, cells: [usize; 2], level: impl Fn(usize, f64, f64) -> f64 + Sync) -> DensityImage {
    let [wide, high] = cells.map(|cells| cells as f64);
    let Layout { columns, rows, size, offset } = Layout::new(count, aspect, cells);
    DensityImage::by(Bounds::new((0.0, wide), (0.0, high)), cells[0], cells[1], |at| {
        let from_top = Point::new(at.x - offset.x, high - at.y - offset.y).component_div(&size);
        if from_top.min() < 0.0 || from_top.x >= columns as f64 || from_top.y >= rows as f64 {
            return f64::NEG_INFINITY;
        }
        let topic = cell(from_top.y) * columns + cell(from_top.x);
        let inner = from_top.map(|at| (at.fract() - 0.5 * GAP) / (1.0 - GAP));
        let outside = topic >= count || inner.min() < 0.0 || inner.max() >= 1.0;
        if outside { f64::NEG_INFINITY } else { ln(level(topic, inner.x, inner.y).max(0.02)) }
    })
}

/// The documents in their triangle.
fn triangle(model: &TopicModel, cells: [usize; 2]) -> DensityImage {
    let window = window();
    let pixel = window.size().x / cells[0] as f64;
    let documents = &model.corpus.training;
    let of = |document: usize| {
        let (bag, mut shares) = (documents.bag(document), [0.0; 3]);
        bag.words.iter().zip(bag.counts).for_each(|(word, count)| shares[*word as usize] += count / bag.tokens());
        point_of(shares.into_iter())
    };
    let points: Vec<Point> = (0..documents.len().min(DOCUMENTS)).map(of).collect();
    let edges = [0, 1, 2].map(|corner| [CORNERS[corner], CORNERS[(corner + 1) % 3]].map(Point::from));
    DensityImage::by(window, cells[0], cells[1], |at| {
        let dot = points.iter().map(|point| (at - point).norm() / pixel - DOT).fold(f64::INFINITY, f64::min);
        let edge = edges.iter().map(|[from, to]| {
            let along = ((at - from).dot(&(to - from)) / (to - from).norm_squared()).clamp(0.0, 1.0);
            (at - from - (to - from) * along).norm() / pixel - 0.3
        });
        -edge.fold(dot, f64::min).max(0.0).powi(2)
    })
}

/// The part of the plane with the triangle, three by two.
pub(super) fn window() -> Bounds {
    let height = CORNERS[2][1] * (1.0 + 2.0 * GAP);
    let middle = 0.5 * CORNERS[2][1];
    Bounds::new((0.5 - 0.75 * height, 0.5 + 0.75 * height), (middle - 0.5 * height, middle + 0.5 * height))
}

#[expect(clippy::cast_sign_loss, reason = "the number of a cell")]
fn cell(position: f64) -> usize {
    position.max(0.0) as usize
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use models::lda::{Model, Recipe, Tolerance};

    fn model(recipe: &Recipe) -> TopicModel {
        let corpus = Arc::new(recipe.corpus(1));
        let model = Model { topics: recipe.topics.count(), words: corpus.words(), alpha: 0.2, eta: 0.1 };
        let side = (model.topics == 10).then_some(5);
        TopicModel::new(corpus, model, Tolerance::default(), side, [(0, 0), (1, 1)])
    }

    /// Ten bars of five cover a fifth of the ten squares.
    #[test]
    fn the_pixels_of_bars_are_dark() {
        let image = image(&model(&Recipe::bars(5)), None, [120, 60]);
        let dark = (0..image.grid.len()).filter(|cell| image.relative(*cell) > 0.5).count();
        let share = dark as f64 / image.grid.len() as f64;
        assert!((share - 0.2 * (1.0 - GAP).powi(2)).abs() < 0.03, "{share}");
    }

    /// Topics in another order are in the places of the true ones, one above the other where there are none left over.
    #[test]
    fn the_pixels_of_topics_are_where_the_true_ones_would_be() {
        let model = model(&Recipe::bars(5));
        let truth = model.truth().unwrap();
        let turned = Topics::from_fn(10, 25, |topic, word| truth.get((topic + 3) % 10, word));
        let (straight, turned) = (pixels(&model, truth, [288, 192]), pixels(&model, &turned, [288, 192]));
        assert!(straight.len() == 250 && straight.iter().all(|pixel| turned.contains(pixel)));
        let dark: f64 = straight.iter().map(|pixel| pixel.level * pixel.part.size().product()).sum();
        let size = Layout::new(10, 1.0, [288, 192]).size.x;
        assert!((dark / (10.0 * size * size) - 0.2 * (1.0 - GAP).powi(2)).abs() < 1e-9, "{dark}");
        assert!(
            straight
                .iter()
                .all(|pixel| pixel.part.min.min() >= 0.0 && pixel.part.max.x <= 288.0 && pixel.part.max.y <= 192.0)
        );
    }

    #[test]
    fn the_triangle_has_edges_and_documents() {
        let image = image(&model(&Recipe::triangle()), None, [72, 48]);
        let dark = (0..image.grid.len()).filter(|cell| image.relative(*cell) > 0.5).count();
        assert!((200..2000).contains(&dark), "{dark}");
    }
}
