//! The plane through three draws (T. Garipov et al. 2018, arXiv:1802.10026).
//!
//! u = θ₂ − θ₁ and v = (θ₃ − θ₁) − u⟨θ₃ − θ₁, u⟩/⟨u, u⟩, both normalised, span it. Here θ is whitened, so that distances in the plane
//! and from it are comparable.

use super::loss::Loss;
use crate::geometry::DensityImage;
use base::math::{Bounds, Coords, Point};
use models::targets::Projection;
use models::targets::network::{Network, Observations};

/// Space around the three draws, as a share of their range (chosen by eye).
const MARGIN: f64 = 0.35;

/// The share of the longer side below which the height of a triangle is that of a line.
const FLAT: f64 = 1e-9;

/// A plane through three weight vectors.
#[derive(Clone, Debug, PartialEq)]
pub struct Plane {
    projection: Projection,
    /// The prior sds.
    sds: Vec<f64>,
    /// θ₁, whitened.
    origin: Vec<f64>,
    /// The three vectors in the plane: the first at 0, the second on the first axis.
    pub corners: [Point; 3],
}

impl Plane {
    /// The plane through three weight vectors of a network; `None` if they lie on a line.
    #[must_use]
    pub fn through(network: &Network, three: [&[f64]; 3]) -> Option<Self> {
        let [a, b, c] = three.map(|weights| whitened(network, weights));
        let minus = |to: &[f64]| -> Vec<f64> { to.iter().zip(&a).map(|(to, from)| to - from).collect() };
        let (u, w) = (minus(&b), minus(&c));
        let (length, u) = normalised(&u)?;
        let along = dot(&w, &u);
        let v: Vec<f64> = w.iter().zip(&u).map(|(w, u)| w - along * u).collect();
        let (height, v) = normalised(&v)?;
        // What rounding has left of u is taken away: much where the triangle is flat.
        let rest = dot(&v, &u);
        let (_, v) = normalised(&v.iter().zip(&u).map(|(v, u)| v - rest * u).collect::<Vec<f64>>())?;
        let corners = [Point::zeros(), Point::new(length, 0.0), Point::new(along, height)];
        let projection = Projection::Affine { origin: a.clone(), axes: [u, v] };
        (height > FLAT * length.max(along.abs())).then(|| Self {
            projection,
            sds: network.prior_sds().to_vec(),
            origin: a,
            corners,
        })
    }

    /// Where weights are in the plane, and how far they are from it, in prior sds.
    #[must_use]
    pub fn position(&self, weights: &[f64]) -> (Point, f64) {
        let whitened = |axis: usize| weights[axis] / self.sds[axis];
        let point = self.projection.image(weights.len(), whitened);
        let away: f64 = (0..weights.len()).map(|axis| (whitened(axis) - self.origin[axis]).powi(2)).sum();
        (point, (away - point.norm_squared()).max(0.0).sqrt())
    }

    /// The weights at a point of the plane.
    #[must_use]
    pub fn weights(&self, point: Point) -> Vec<f64> {
        let mut whitened = self.origin.clone();
        self.projection.move_to(&mut whitened, point);
        whitened.iter().zip(&self.sds).map(|(weight, sd)| weight * sd).collect()
    }

    /// The part of the plane that holds the three vectors, with a margin.
    #[must_use]
    pub fn window(&self) -> Bounds {
        let [mut min, mut max] = [self.corners[0]; 2];
        for corner in self.corners {
            (min, max) = (min.inf(&corner), max.sup(&corner));
        }
        let margin = Point::repeat(MARGIN * (max - min).max());
        Bounds { min: min - margin, max: max + margin }
    }

    /// The negative of a loss on `columns` × `rows` cells of the plane, so that its peak is the lowest loss; −∞ where the loss is
    /// not a number.
    pub async fn surface(
        &self,
        network: &Network,
        (loss, tests): (Loss, Option<&Observations>),
        window: Bounds,
        [columns, rows]: [usize; 2],
    ) -> DensityImage {
        DensityImage::by_rows(window, columns, rows, |row| {
            let weights: Vec<Vec<f64>> = row.iter().map(|at| self.weights(*at)).collect();
            let at = Coords::of(self.sds.len(), weights.iter().map(Vec::as_slice));
            loss.values(network, tests, &at).into_iter().map(|loss| -loss).collect()
        })
        .await
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// A vector's length, and the vector divided by it; `None` for 0.
fn normalised(vector: &[f64]) -> Option<(f64, Vec<f64>)> {
    let length = dot(vector, vector).sqrt();
    (length > 0.0 && length.is_finite()).then(|| (length, vector.iter().map(|value| value / length).collect()))
}

/// Three of some vectors far from each other, by number: the one furthest from their mean, the one furthest from that, and the one
/// furthest from both. Of fewer vectors, as many as there are.
#[must_use]
pub fn spread(vectors: &[Vec<f64>]) -> Vec<usize> {
    let dimension = vectors.first().map_or(0, Vec::len);
    let mean = |axis: usize| vectors.iter().map(|vector| vector[axis]).sum::<f64>() / vectors.len() as f64;
    let mean: Vec<f64> = (0..dimension).map(mean).collect();
    let square = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum::<f64>();
    let mut chosen: Vec<usize> = Vec::new();
    while chosen.len() < vectors.len().min(3) {
        let away = |number: &usize| match chosen.as_slice() {
            [] => square(&vectors[*number], &mean),
            some => some.iter().map(|other| square(&vectors[*number], &vectors[*other])).fold(f64::INFINITY, f64::min),
        };
        let rest = (0..vectors.len()).filter(|number| !chosen.contains(number));
        chosen.extend(rest.max_by(|a, b| away(a).total_cmp(&away(b))));
    }
    chosen
}

/// Weights in units of the prior sds.
#[must_use]
pub fn whitened(network: &Network, weights: &[f64]) -> Vec<f64> {
    weights.iter().zip(network.prior_sds()).map(|(weight, sd)| weight / sd).collect()
}
