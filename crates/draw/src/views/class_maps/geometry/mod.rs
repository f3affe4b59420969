//! Maps of a classification: what draws of its weights say of every point together.
//!
//! Averaged are probabilities p_s, never weights or outputs: p̄ = mean p_s, and not the probability that the mean output has. The
//! entropy H(p̄) is the mean of H(p_s), noise in labels, plus the mutual information of label and weights (N. Houlsby et al.
//! 2011, arXiv:1112.5745, BALD), which more data would take away. Sums over draws are kept, so that further draws cost only
//! themselves; they are added one after the other, so bits do not depend on how many come at a time.

use crate::geometry::{contours, simplified};
use crate::words::word::Word;
use base::math::elementary::{Kernel, Simd, exp, ln, log1p_exp, sigmoid};
use base::math::{Bounds, Grid, Point};
use base::params::ParamSpec;
use engine::diagnostics::predictive_formulas::{ClassPrediction, LogisticGaussian, SoftmaxGaussian};
use engine::scenario::view::options;
use engine::session::{FunctionDraws, Outputs, Said};
use models::targets::{Classification, Target, outputs_of};

/// Cells of a map along each side; the middle of an odd number of them is the middle of the map.
pub const MAP_CELLS: usize = 101;

/// Points whose outputs are computed together: what belongs to them stays in fast memory.
const TILE: usize = 128;

/// Tolerance of simplified boundaries in cells, too small to be visible.
const STRAIGHT: f64 = 0.05;

/// What a map shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum MapQuantity {
    /// p̄, the probability of the classes.
    #[default]
    Probability,
    /// H[p̄], what is not known of a label: noise in labels, and what the weights leave open.
    Entropy,
    /// The mutual information of label and weights (BALD): what the weights leave open.
    Information,
}

impl Word for MapQuantity {
    const SPEC: &'static ParamSpec = &options::QUANTITY;
    const ALL: &'static [Self] = &[Self::Probability, Self::Entropy, Self::Information];
}

/// Sums of predictions over draws, at some points.
#[derive(Clone, Debug, PartialEq)]
pub struct PredictionSums {
    classes: usize,
    draws: usize,
    /// Σ w.
    weight: f64,
    /// Σ w p, for K classes at every point: class 1 of two, or all.
    probabilities: Vec<f64>,
    /// Σ w H[p], in nats.
    entropies: Vec<f64>,
    /// Σ w f and Σ w f² of the logit of class 1 of two; empty for more classes.
    logits: [Vec<f64>; 2],
}

impl PredictionSums {
    /// No draws yet, at `count` points.
    #[must_use]
    pub fn new(classes: usize, count: usize) -> Self {
        let outputs = outputs_of(classes);
        let logits = || vec![0.0; if outputs == 1 { count } else { 0 }];
        Self {
            classes,
            draws: 0,
            weight: 0.0,
            probabilities: vec![0.0; count * outputs],
            entropies: vec![0.0; count],
            logits: [logits(), logits()],
        }
    }

    /// Adds weighted draws, at the same points as before. `outputs_at` gives their outputs at some points, one after the other.
    pub fn add(&mut self, points: &[[f64; 2]], mut outputs_at: impl FnMut(&[f64]) -> Outputs) {
        let outputs = outputs_of(self.classes);
        let (mut h, mut all) = (Vec::new(), Vec::new());
        for (number, tile) in points.chunks(TILE).enumerate() {
            let Outputs { mut f, weights } = outputs_at(tile.as_flattened());
            let count = weights.len();
            h.resize(tile.len() * count, 0.0);
            let first = number * TILE;
            if outputs == 1 {
                for (index, f) in f.chunks_exact(count.max(1)).enumerate() {
                    for (f, w) in f.iter().zip(&weights) {
                        self.logits[0][first + index] += w * f;
                        self.logits[1][first + index] += w * (f * f);
                    }
                }
            }
            Simd::widest().dispatch(Predictions { f: &mut f, h: &mut h, outputs, count });
            add_weighted(&mut self.probabilities[first * outputs..], &f, &weights);
            add_weighted(&mut self.entropies[first..], &h, &weights);
            all = weights;
        }
        self.draws += all.len();
        self.weight = all.iter().fold(self.weight, |sum, w| sum + w);
    }

    /// Adds what draws of functions behind `target` say of the same points: of linearised ones the integrals over their outputs,
    /// with the weight of one draw.
    pub fn add_functions(&mut self, points: &[[f64; 2]], draws: &FunctionDraws, target: &Target) {
        let of_first = points.first().map(|point| draws.said(target, point));
        if !matches!(of_first, Some(Said::Gaussians(_))) {
            return self.add(points, |inputs| draws.at(target, inputs));
        }
        let rules = (&LogisticGaussian::new(), &SoftmaxGaussian::of_maps());
        let outputs = outputs_of(self.classes);
        let mut components = 0;
        for (number, tile) in points.chunks(TILE).enumerate() {
            let Said::Gaussians(linearised) = draws.said(target, tile.as_flattened()) else { return };
            components = linearised.components.len();
            for (input, prediction) in linearised.labels(rules).iter().enumerate() {
                let index = number * TILE + input;
                // Of two classes the probability of class 1 is kept.
                let kept = &prediction.probabilities[self.classes - outputs..];
                for (sum, probability) in self.probabilities[index * outputs..].iter_mut().zip(kept) {
                    *sum += probability;
                }
                self.entropies[index] += prediction.aleatoric;
                if outputs == 1 {
                    for (weight, mean, variance) in linearised.gaussians(input) {
                        self.logits[0][index] += weight * mean;
                        self.logits[1][index] += weight * (mean * mean + variance);
                    }
                }
            }
        }
        self.draws += components;
        self.weight += 1.0;
    }

    /// C.
    #[must_use]
    pub fn classes(&self) -> usize {
        self.classes
    }

    /// Number of draws behind them.
    #[must_use]
    pub fn draws(&self) -> usize {
        self.draws
    }

    /// p̄ of a class at point number `index`.
    #[must_use]
    pub fn probability(&self, index: usize, class: usize) -> f64 {
        let outputs = outputs_of(self.classes);
        let of = |output: usize| self.probabilities[index * outputs + output] / self.weight;
        match (outputs, class) {
            (1, 0) => 1.0 - of(0),
            (1, _) => of(0),
            _ => of(class),
        }
    }

    /// The class with the largest probability, and that probability; of equal ones the last, which is 1 of two.
    #[must_use]
    pub fn likeliest(&self, index: usize) -> (usize, f64) {
        let all = (0..self.classes).map(|class| (class, self.probability(index, class)));
        all.fold((0, 0.0), |best, (class, p)| if p >= best.1 { (class, p) } else { best })
    }

    /// The prediction at a point.
    #[must_use]
    pub fn prediction(&self, index: usize) -> ClassPrediction {
        let probabilities = (0..self.classes).map(|class| self.probability(index, class)).collect();
        ClassPrediction::new(probabilities, self.entropies[index] / self.weight)
    }

    /// Mean and standard deviation of the logit of class 1 of two.
    #[must_use]
    pub fn logit(&self, index: usize) -> Option<(f64, f64)> {
        let of = |sums: &Vec<f64>| Some(sums.get(index)? / self.weight);
        let (mean, square) = (of(&self.logits[0])?, of(&self.logits[1])?);
        Some((mean, (square - mean * mean).max(0.0).sqrt()))
    }

    /// What the lines between classes are level lines of, at 0: a field for each.
    fn fields(&self, count: usize) -> Vec<Vec<f64>> {
        if self.draws == 1 && outputs_of(self.classes) == 1 {
            // A logit is nearly linear where probabilities are steps.
            return vec![self.logits[0].clone()];
        }
        let ahead = |index: usize, class: usize| {
            let others = (0..self.classes).filter(|other| *other != class);
            self.probability(index, class)
                - others.map(|other| self.probability(index, other)).fold(f64::NEG_INFINITY, f64::max)
        };
        let classes = if self.classes == 2 { 1..2 } else { 0..self.classes };
        classes.map(|class| (0..count).map(|index| ahead(index, class)).collect()).collect()
    }
}

/// Adds `weights` · the numbers of each point to a sum per point.
fn add_weighted(sums: &mut [f64], values: &[f64], weights: &[f64]) {
    for (sum, values) in sums.iter_mut().zip(values.chunks_exact(weights.len().max(1))) {
        for (value, w) in values.iter().zip(weights) {
            *sum += w * value;
        }
    }
}

/// Outputs f of `count` draws become probabilities, and `h` their entropies.
struct Predictions<'a> {
    f: &'a mut [f64],
    h: &'a mut [f64],
    outputs: usize,
    count: usize,
}

impl Kernel for Predictions<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Self { f, h, outputs, count } = self;
        if outputs == 1 {
            for (f, h) in f.iter_mut().zip(h) {
                // With a = |f| and q the smaller probability, −q ln q − (1 − q) ln(1 − q) = ln(1 + e⁻ᵃ) + a q.
                let a = f.abs();
                let q = sigmoid(-a);
                *h = log1p_exp(-a) + if q > 0.0 { a * q } else { 0.0 };
                *f = if *f > 0.0 { 1.0 - q } else { q };
            }
            return;
        }
        for (f, h) in f.chunks_exact_mut((outputs * count).max(1)).zip(h.chunks_exact_mut(count.max(1))) {
            for s in 0..count {
                let mut high = f64::NEG_INFINITY;
                for c in 0..outputs {
                    high = if f[c * count + s] > high { f[c * count + s] } else { high };
                }
                // With shares eᵍ, g = f − high, the entropy is ln Σ eᵍ − Σ g eᵍ / Σ eᵍ.
                let (mut sum, mut moment) = (0.0, 0.0);
                for c in 0..outputs {
                    let g = f[c * count + s] - high;
                    let share = exp(g);
                    sum += share;
                    moment += if share > 0.0 { g * share } else { 0.0 };
                    f[c * count + s] = share;
                }
                for c in 0..outputs {
                    f[c * count + s] /= sum;
                }
                h[s] = ln(sum) - moment / sum;
            }
        }
    }
}

/// The points of a map: the middles of the cells that cover what a classification shows.
#[must_use]
pub fn map_grid(model: &dyn Classification) -> Grid {
    Grid::new(model.shown(), MAP_CELLS, MAP_CELLS)
}

/// The middles of all cells of a grid.
#[must_use]
pub fn middles(grid: &Grid) -> Vec<[f64; 2]> {
    (0..grid.len()).map(|cell| grid.centre(cell).into()).collect()
}

/// A map: predictions at the middles of cells, and the lines between classes.
#[derive(Clone, Debug, PartialEq)]
pub struct ClassMap {
    /// Its cells.
    pub grid: Grid,
    /// The sums behind it.
    pub sums: PredictionSums,
    /// H[p̄] of every cell, in nats.
    pub entropy: Vec<f64>,
    /// The mutual information of every cell, in nats.
    pub information: Vec<f64>,
    /// The lines on which two classes are the likeliest ones.
    pub boundary: Vec<Vec<[f64; 2]>>,
}

impl ClassMap {
    /// The map of predictions at the middles of the cells of `grid`, of at least one draw.
    #[must_use]
    pub fn of(grid: Grid, sums: PredictionSums) -> Self {
        let (mut entropy, mut information) = (Vec::new(), Vec::new());
        for cell in 0..grid.len() {
            let prediction = sums.prediction(cell);
            entropy.push(prediction.entropy);
            information.push(prediction.mutual_information());
        }
        let boundary = boundary(&grid, &sums);
        Self { grid, sums, entropy, information, boundary }
    }

    /// The largest value in the map.
    #[must_use]
    pub fn largest(&self, quantity: MapQuantity) -> f64 {
        match quantity {
            MapQuantity::Probability => 1.0,
            MapQuantity::Entropy => self.entropy.iter().copied().fold(0.0, f64::max),
            MapQuantity::Information => self.information.iter().copied().fold(0.0, f64::max),
        }
    }
}

/// The lines on which two classes are the likeliest ones.
#[must_use]
pub fn boundary(grid: &Grid, sums: &PredictionSums) -> Vec<Vec<[f64; 2]>> {
    let line = |points: Vec<Point>| {
        let points: Vec<[f64; 2]> = points.into_iter().map(Into::into).collect();
        simplified(&points, STRAIGHT * grid.x.width())
    };
    let lines = sums.fields(grid.len()).into_iter().flat_map(|field| {
        let (grid, field) = widened(grid, &field);
        contours(&grid, &field, &[0.0])
    });
    lines.map(|contour| line(contour.points)).collect()
}

/// A field with one more cell on all sides, extrapolated along straight lines: level lines end at the middles of cells, and
/// those of the wider field reach beyond the edge.
fn widened(grid: &Grid, field: &[f64]) -> (Grid, Vec<f64>) {
    let (columns, rows) = (grid.x.cells, grid.y.cells);
    let cell = Point::new(grid.x.width(), grid.y.width());
    let (min, max) = (Point::new(grid.x.min, grid.y.min) - cell, Point::new(grid.x.max, grid.y.max) + cell);
    let wide = Grid::new(Bounds { min, max }, columns + 2, rows + 2);
    // The cell inside that is nearest along an axis of `count` cells, and its neighbour further in.
    let inner = |index: usize, count: usize| {
        let near = index.clamp(1, count) - 1;
        let outside = index == 0 || index > count;
        (
            near,
            if !outside || count == 1 {
                near
            } else if near == 0 {
                1
            } else {
                near - 1
            },
        )
    };
    let value = |index: usize| {
        let ((x, next_x), (y, next_y)) = (inner(index % wide.x.cells, columns), inner(index / wide.x.cells, rows));
        2.0 * field[y * columns + x] - field[next_y * columns + next_x]
    };
    (wide, (0..wide.len()).map(value).collect())
}

#[cfg(test)]
mod tests;
