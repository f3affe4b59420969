//! Draws from a fit with fixed random numbers, so that they move smoothly with the fit.
//!
//! The k-th draw uses the same random numbers whatever the distributions are: a pair of normals, and a stream of its
//! own where the distribution of a precision asks for more. It comes from the distribution in whose share of [0, 1] the
//! k-th term of a golden-ratio sequence lies, so that any number of first draws have the weights of the mixture up to
//! a few draws (Kronecker; the sequence of lowest discrepancy of its kind).

use super::Fit;
use base::math::{Distribution, Matrix, Point, Purpose, Stream, gamma_draw};

/// (√5 − 1)/2.
const GOLDEN: f64 = 0.618_033_988_749_894_9;

impl Fit {
    /// `count` draws, in θ, with the distances from the means of Gaussians multiplied by `spread`; none unless the fit is sound.
    #[must_use]
    pub fn draws(&self, count: usize, spread: f64, stream: &mut Stream) -> Vec<Point> {
        if !self.is_sound() {
            return Vec::new();
        }
        let sources: Vec<ComponentSampler> =
            self.components().iter().map(|component| ComponentSampler::new(&component.distribution)).collect();
        let one = |number: usize| {
            let (first, second) = stream.normal_pair();
            let label = stream.uniform().to_bits();
            let source = &sources[self.component_of(number)];
            self.coordinates().to_theta(source.draw((spread * first, spread * second), label))
        };
        (0..count).map(one).collect()
    }

    /// The number of the component from which the draw with this number comes.
    #[must_use]
    pub fn component_of(&self, number: usize) -> usize {
        let term = (number as f64 + 0.5) * GOLDEN;
        let mut left = term - term.floor();
        let chosen = self.components().iter().position(|component| {
            left -= component.weight;
            left < 0.0
        });
        // Weights may add up to a little less than 1; what is missing belongs to the last distribution.
        chosen.unwrap_or(self.components().len() - 1)
    }
}

/// A distribution in the form in which it is drawn from.
enum ComponentSampler {
    Normal { mean: Point, root: Matrix },
    NormalGamma { mean: f64, sd: f64, shape: f64, rate: f64 },
}

impl ComponentSampler {
    fn new(distribution: &Distribution) -> Self {
        match *distribution {
            Distribution::Line { mean, variance } => {
                Self::Normal { mean: Point::new(mean, 0.0), root: Matrix::new(variance.sqrt(), 0.0, 0.0, 0.0) }
            }
            // A sound distribution has a root.
            Distribution::Plane(gaussian) => {
                Self::Normal { mean: gaussian.mean, root: gaussian.cholesky().unwrap_or_else(Matrix::zeros) }
            }
            Distribution::NormalGamma { mean, precision, shape, rate } => {
                Self::NormalGamma { mean, sd: 1.0 / precision.sqrt(), shape, rate }
            }
        }
    }

    fn draw(&self, (first, second): (f64, f64), label: u64) -> Point {
        match *self {
            Self::Normal { mean, root } => mean + root * Point::new(first, second),
            Self::NormalGamma { mean, sd, shape, rate } => {
                let mut own = Stream::derive(label, Purpose::Fit, 0, 0);
                Point::new(mean + sd * first, gamma_draw(shape, &mut own) / rate)
            }
        }
    }
}
