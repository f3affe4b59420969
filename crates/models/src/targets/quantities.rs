//! Quantities of the vectors of a model: what is reported of them beside the two coordinates that are drawn, under names.
//!
//! Of a regression they are the coefficients, ln σ and σ; of a hierarchy of groups their means, whatever coordinates chains move in.

use std::fmt::Debug;

use base::math::Stream;

/// How what is known of quantities was found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Sureness {
    /// By closed forms and quadrature, to about nine digits.
    Exact,
    /// By draws with weights; the share of draws without weights that would be worth as much, in (0, 1].
    Weighted(f64),
}

/// Named functions of the vectors of a model. Numbers count from 0.
pub trait Quantities: Debug + Send + Sync {
    /// The names of the coordinates of a vector, which may name the plane that is drawn.
    fn coordinates(&self) -> &[String];

    /// The names of the quantities: those of the coordinates come first.
    fn names(&self) -> &[String];

    /// The quantities of a vector.
    fn values(&self, at: &[f64], out: &mut [f64]);

    /// What is known of their distributions; `None` if nothing is.
    fn known(&self) -> Option<&dyn KnownQuantities>;
}

/// Quantities whose distributions are known. Where a moment does not exist it is NaN.
pub trait KnownQuantities: Quantities {
    /// How it was found.
    fn sureness(&self) -> Sureness;

    /// Mean and standard deviation of a quantity.
    fn moments(&self, number: usize) -> [f64; 2];

    /// The correlation of two quantities.
    fn correlation(&self, numbers: [usize; 2]) -> f64;

    /// The value below which a quantity is with this probability, in (0, 1).
    fn quantile(&self, number: usize, probability: f64) -> f64;

    /// The probability that a quantity is below this value.
    fn below(&self, number: usize, value: f64) -> f64;

    /// What is known of a sum of multiples of several quantities, given by their numbers and factors, with quantiles of these
    /// probabilities; `None` where it is not computed.
    fn sum(&self, _parts: &[(usize, f64)], _probabilities: &[f64]) -> Option<KnownSum> {
        None
    }

    /// ln ∫ p̃, with the densities of proper priors normalised and flat ones 1.
    fn log_normaliser(&self) -> f64;

    /// Whether all priors are proper, so that the normaliser is an evidence.
    fn is_proper(&self) -> bool;

    /// An exact draw of a vector; `false` if there is none.
    fn exact_draw(&self, stream: &mut Stream, out: &mut [f64]) -> bool;
}

/// A named number that follows from quantities: a constant and a sum of multiples of them, such as a coefficient in the units of the data
/// file where the columns are shifted and scaled.
#[derive(Clone, Debug, PartialEq)]
pub struct Combination {
    /// What it is called.
    pub name: String,
    /// What is added.
    pub constant: f64,
    /// Numbers of quantities, each once, with their factors.
    pub parts: Vec<(usize, f64)>,
}

/// What is known of the distribution of a sum of quantities.
#[derive(Clone, Debug, PartialEq)]
pub struct KnownSum {
    /// Mean and standard deviation; NaN where one does not exist or is not known.
    pub moments: [f64; 2],
    /// The quantiles that were asked for; NaN where they are not known.
    pub quantiles: Vec<f64>,
}

impl Combination {
    /// Its value, with those of all quantities.
    #[must_use]
    pub fn value(&self, quantities: &[f64]) -> f64 {
        let part = |(number, factor): &(usize, f64)| factor * quantities[*number];
        self.constant + self.parts.iter().map(part).sum::<f64>()
    }

    /// What is known of it: mean, standard deviation, and quantiles of these probabilities in (0, 1).
    #[must_use]
    pub fn known(&self, of: &dyn KnownQuantities, probabilities: &[f64]) -> KnownSum {
        let known = match self.parts[..] {
            [] => Some(KnownSum { moments: [0.0; 2], quantiles: vec![0.0; probabilities.len()] }),
            [(number, factor)] => Some(multiple(of, (number, factor), probabilities)),
            _ => of.sum(&self.parts, probabilities),
        };
        let unknown = || KnownSum { moments: [f64::NAN; 2], quantiles: vec![f64::NAN; probabilities.len()] };
        let KnownSum { moments: [mean, sd], quantiles } = known.unwrap_or_else(unknown);
        let quantiles = quantiles.into_iter().map(|quantile| self.constant + quantile).collect();
        KnownSum { moments: [self.constant + mean, sd], quantiles }
    }
}

/// What is known of a multiple of one quantity.
fn multiple(of: &dyn KnownQuantities, (number, factor): (usize, f64), probabilities: &[f64]) -> KnownSum {
    let [mean, sd] = of.moments(number);
    let at = |probability: &f64| {
        let own = if factor < 0.0 { 1.0 - probability } else { *probability };
        factor * of.quantile(number, own)
    };
    KnownSum { moments: [factor * mean, factor.abs() * sd], quantiles: probabilities.iter().map(at).collect() }
}
