//! Functions of a network, linearised in its weights at the means of a fit: f(x; θ) ≈ f(x; m) + J(x)(θ − m), J = ∂f/∂θ.
//!
//! Under θ ~ N(m, C) they are Gaussian at every x, with mean f(x; m) and variance J C Jᵀ: the predictive distribution of a
//! generalised linear model (A. Immer, M. Korzepa & M. Bauer 2021, arXiv:2008.08400). m is not moved.

use nalgebra::{DMatrix, DVector};

use super::FitFrame;
use crate::diagnostics::predictive_formulas::{ClassPrediction, LogisticGaussian, SoftmaxGaussian};
use base::math::{Distribution, normal_quantile};
use models::targets::{Behind, Classification, Regression, Target, outputs_of, values};
use samplers::methods::{Predictive, Root, VectorDistribution, VectorGaussian};

/// The functions at some inputs, linearised at the mean of every component of a fit.
#[derive(Clone, Debug, PartialEq)]
pub struct Linearised {
    /// One component after the other.
    pub components: Vec<LinearisedAt>,
    /// K, the number of outputs at an input.
    outputs: usize,
}

/// The functions linearised at the mean of one component.
#[derive(Clone, Debug, PartialEq)]
pub struct LinearisedAt {
    /// The weight of the component; all add up to 1.
    pub weight: f64,
    /// f(x; m): output `c` of K at input `i` at `i · K + c`.
    pub values: Vec<f64>,
    /// J C Jᵀ of each of these.
    pub variances: Vec<f64>,
    /// J C Jᵀ of all outputs at an input, K rows of K numbers for one input after the other; empty for a single output.
    covariances: Vec<f64>,
    mean: Vec<f64>,
    /// A row of d numbers for each.
    jacobian: Vec<Vec<f64>>,
}

impl Linearised {
    /// Of a regression by a fit whose method predicts so; `None` for others, and where f has no derivatives.
    #[must_use]
    pub fn of(fits: &FitFrame, regression: &dyn Regression, inputs: &[f64]) -> Option<Self> {
        let at = |mean: &[f64], x: f64| Some((regression.value(mean, x), regression.slopes(mean, x)?));
        Self::made(fits, 1, |mean| inputs.iter().map(|x| at(mean, *x)).collect())
    }

    /// Of a classification, likewise.
    #[must_use]
    pub fn of_classes(fits: &FitFrame, model: &dyn Classification, inputs: &[[f64; 2]]) -> Option<Self> {
        let outputs = outputs_of(model.classes());
        Self::made(fits, outputs, |mean| Some(inputs.iter().flat_map(|input| model.slopes(mean, *input)).collect()))
    }

    /// Of the functions behind a target, likewise, at inputs that stand one after the other.
    #[must_use]
    pub fn at(fits: &FitFrame, target: &Target, inputs: &[f64]) -> Option<Self> {
        match target.behind() {
            Behind::Nothing => None,
            Behind::Function(regression) => Self::of(fits, regression.as_ref(), inputs),
            Behind::Classes(model) => Self::of_classes(fits, model.as_ref(), inputs.as_chunks().0),
        }
    }

    /// With all outputs and their derivatives for the mean of a component.
    fn made(fits: &FitFrame, each: usize, outputs: impl Fn(&[f64]) -> Option<Vec<(f64, Vec<f64>)>>) -> Option<Self> {
        if fits.fitting.predictive != Predictive::Linearised {
            return None;
        }
        let components = if fits.distributions.is_empty() { planar(fits)? } else { equal(&fits.distributions)? };
        let of = |(weight, gaussian): &(f64, VectorGaussian)| {
            Some(LinearisedAt::new(*weight, gaussian, outputs(gaussian.mean.as_slice())?, each))
        };
        Some(Self { components: components.iter().map(of).collect::<Option<_>>()?, outputs: each })
    }

    /// Number of outputs at all inputs.
    #[must_use]
    pub fn len(&self) -> usize {
        self.components.first().map_or(0, |component| component.values.len())
    }

    /// Whether there are no outputs.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The weight, mean and variance of output number `output` in each component.
    pub fn gaussians(&self, output: usize) -> impl Iterator<Item = (f64, f64, f64)> {
        self.components.iter().map(move |at| (at.weight, at.values[output], at.variances[output]))
    }

    /// The predictions of a label at every input: integrals over the Gaussians of the logits of class 1 of two classes, or of the
    /// outputs of more.
    #[must_use]
    pub fn labels(&self, (two, more): (&LogisticGaussian, &SoftmaxGaussian)) -> Vec<ClassPrediction> {
        let each = self.outputs;
        let of = |at: &LinearisedAt, input: usize| match each {
            1 => two.prediction(at.values[input], at.variances[input]),
            _ => {
                let outputs = &at.values[input * each..][..each];
                more.prediction(outputs, &at.covariances[input * each * each..][..each * each])
            }
        };
        let mixed = |input: usize| {
            let mut probabilities = vec![0.0; each.max(2)];
            let mut entropy = 0.0;
            for at in &self.components {
                let prediction = of(at, input);
                entropy += at.weight * prediction.aleatoric;
                for (sum, probability) in probabilities.iter_mut().zip(prediction.probabilities) {
                    *sum += at.weight * probability;
                }
            }
            ClassPrediction::new(probabilities, entropy)
        };
        (0..self.len() / each).map(mixed).collect()
    }

    /// As many values of every output as there are draws, evenly in probability among those of a component: they have the
    /// distribution of each output by itself, in the order of [`Linearised::outputs`].
    #[must_use]
    pub fn quantiles(&self, fits: &FitFrame, draws: &[usize]) -> Vec<f64> {
        let components: Vec<usize> = draws.iter().map(|draw| self.component_of(fits, *draw)).collect();
        let mut z = vec![0.0; draws.len()];
        for component in 0..self.components.len() {
            let own: Vec<usize> = (0..draws.len()).filter(|s| components[*s] == component).collect();
            for (number, s) in own.iter().enumerate() {
                z[*s] = normal_quantile((number as f64 + 0.5) / own.len() as f64);
            }
        }
        let of = |output: usize| {
            let value = |(z, component): (&f64, &usize)| {
                let at = &self.components[*component];
                at.values[output] + at.variances[output].sqrt() * z
            };
            z.iter().zip(&components).map(value).collect::<Vec<f64>>()
        };
        (0..self.len()).flat_map(of).collect()
    }

    /// The functions of these draws of the fit: output `v` of draw number `draws[s]` among S at `v · S + s`.
    #[must_use]
    pub fn outputs(&self, fits: &FitFrame, draws: &[usize]) -> Vec<f64> {
        let outputs = self.len();
        let mut out = vec![f64::NAN; outputs * draws.len()];
        for (s, draw) in draws.iter().enumerate() {
            let function = fits.vectors.get(*draw).and_then(|weights| self.function(fits, *draw, weights));
            for (output, value) in function.into_iter().flatten().enumerate() {
                out[output * draws.len() + s] = value;
            }
        }
        out
    }

    /// The function of draw number `draw` of the fit, whose weights are given.
    #[must_use]
    pub fn function(&self, fits: &FitFrame, draw: usize, weights: &[f64]) -> Option<Vec<f64>> {
        self.components.get(self.component_of(fits, draw)).map(|component| component.function(weights))
    }

    /// The number of the component from which draw number `draw` of the fit comes.
    fn component_of(&self, fits: &FitFrame, draw: usize) -> usize {
        match &fits.fit {
            Some(fit) if fits.distributions.is_empty() => fit.component_of(draw),
            _ => draw % self.components.len().max(1),
        }
    }
}

/// The functions of the draws of a fit at some inputs: linearised ones where its method predicts so, and otherwise those of the
/// weights.
pub struct FitFunctions<'a> {
    fits: &'a FitFrame,
    regression: &'a dyn Regression,
    inputs: &'a [f64],
    /// The linearised ones.
    pub linearised: Option<Linearised>,
}

impl<'a> FitFunctions<'a> {
    /// At these inputs.
    #[must_use]
    pub fn new(fits: &'a FitFrame, regression: &'a dyn Regression, inputs: &'a [f64]) -> Self {
        Self { fits, regression, inputs, linearised: Linearised::of(fits, regression, inputs) }
    }

    /// The function of draw number `draw` of the fit, whose weights are given.
    #[must_use]
    pub fn of_draw(&self, draw: usize, weights: &[f64]) -> Vec<f64> {
        let linearised = self.linearised.as_ref().and_then(|linearised| linearised.function(self.fits, draw, weights));
        linearised.unwrap_or_else(|| values(self.regression, weights, self.inputs))
    }
}

/// The components of a fit in the plane, in θ; `None` if they are not Gaussians in θ.
fn planar(fits: &FitFrame) -> Option<Vec<(f64, VectorGaussian)>> {
    let fit = fits.fit.as_ref().filter(|fit| fit.coordinates().is_identity())?;
    let gaussian = |distribution: &Distribution| match distribution {
        Distribution::Plane(gaussian) => {
            let root = gaussian.cholesky()?;
            let root = DMatrix::from_column_slice(2, 2, root.as_slice());
            Some(VectorGaussian { mean: DVector::from_column_slice(gaussian.mean.as_slice()), root: Root::Full(root) })
        }
        Distribution::Line { .. } | Distribution::NormalGamma { .. } => None,
    };
    fit.components().iter().map(|part| Some((part.weight, gaussian(&part.distribution)?))).collect()
}

/// Distributions in more dimensions, with equal weights; `None` if they are not Gaussian.
fn equal(distributions: &[VectorDistribution]) -> Option<Vec<(f64, VectorGaussian)>> {
    let weight = 1.0 / distributions.len() as f64;
    distributions.iter().map(|distribution| Some((weight, distribution.gaussian()?.clone()))).collect()
}

impl LinearisedAt {
    /// Of outputs with their slopes, `each` of them at an input.
    fn new(weight: f64, gaussian: &VectorGaussian, outputs: Vec<(f64, Vec<f64>)>, each: usize) -> Self {
        let (values, jacobian): (Vec<f64>, Vec<Vec<f64>>) = outputs.into_iter().unzip();
        let product = |a: &Vec<f64>, b: &Vec<f64>| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        let (mut variances, mut covariances) = (Vec::with_capacity(values.len()), Vec::new());
        for input in jacobian.chunks(each) {
            let along: Vec<Vec<f64>> = input.iter().map(|row| gaussian.along(row)).collect();
            variances.extend(along.iter().map(|row| product(row, row)));
            if each > 1 {
                covariances.extend(along.iter().flat_map(|row| along.iter().map(|other| product(row, other))));
            }
        }
        let mean = gaussian.mean.as_slice().to_vec();
        Self { weight, values, variances, covariances, mean, jacobian }
    }

    /// f(x; m) + J(x)(θ − m) of every output.
    fn function(&self, weights: &[f64]) -> Vec<f64> {
        let away: Vec<f64> = weights.iter().zip(&self.mean).map(|(weight, mean)| weight - mean).collect();
        let along = |row: &Vec<f64>| row.iter().zip(&away).map(|(slope, away)| slope * away).sum::<f64>();
        self.values.iter().zip(&self.jacobian).map(|(value, row)| value + along(row)).collect()
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::scenario::read;
    use crate::session::{Frame, Session};

    fn frame(target: &str, settings: &str) -> Frame {
        let text = format!(
            "format = 1\ntitle = \"x\"\nseed = 3\n[target]\nkind = \"{target}\"\n\
             [[run]]\nname = \"A\"\nmethod = \"laplace\"\n{settings}\n"
        );
        let mut session = Session::new(read(&text, "x", Path::new("")).unwrap()).unwrap();
        session.advance(50);
        session.frame()
    }

    const INPUTS: [f64; 4] = [-1.4, 0.1, 0.7, 2.0];

    fn linearised(frame: &Frame) -> Option<Linearised> {
        let (fits, regression) = (frame.runs[0].fits.as_ref().unwrap(), frame.target.regression().unwrap());
        Linearised::of(fits, regression, &INPUTS)
    }

    /// Slopes against central differences, and the spread of the functions of 1000 draws against J C Jᵀ within four standard
    /// errors, in the plane, at two modes, and of a network.
    #[test]
    fn functions_of_draws_have_the_variance_of_the_formula() {
        for (target, settings, components) in [
            ("two-weight-ridge", "", 1),
            ("two-weight-sign", "at = \"modes\"", 2),
            ("network", "curvature = \"kfac\"", 1),
            ("network", "curvature = \"last-layer\"", 1),
        ] {
            let frame = frame(target, settings);
            let (fits, regression) = (frame.runs[0].fits.as_ref().unwrap(), frame.target.regression().unwrap());
            let found = linearised(&frame).unwrap();
            assert_eq!(found.components.len(), components, "{target}");
            assert!((found.components.iter().map(|at| at.weight).sum::<f64>() - 1.0).abs() < 1e-12);
            for at in &found.components {
                for (x, row) in INPUTS.into_iter().zip(&at.jacobian) {
                    for axis in 0..at.mean.len() {
                        let value = |step: f64| {
                            let mut moved = at.mean.clone();
                            moved[axis] += step;
                            regression.value(&moved, x)
                        };
                        assert!((row[axis] - (value(1e-5) - value(-1e-5)) / 2e-5).abs() < 1e-7, "{target} {axis}");
                    }
                }
            }
            let weights = |draw: usize| match fits.vectors.get(draw) {
                Some(vector) => vector.clone(),
                None => fits.draws[draw].as_slice().to_vec(),
            };
            let draws = fits.draws.len();
            let functions: Vec<Vec<f64>> =
                (0..draws).map(|draw| found.function(fits, draw, &weights(draw)).unwrap()).collect();
            for index in 0..INPUTS.len() {
                let mean: f64 = found.components.iter().map(|at| at.weight * at.values[index]).sum();
                let spread = |at: &LinearisedAt| at.weight * (at.variances[index] + (at.values[index] - mean).powi(2));
                let variance: f64 = found.components.iter().map(spread).sum();
                let sum: f64 = functions.iter().map(|values| (values[index] - mean).powi(2)).sum();
                let error = variance * (2.0 / draws as f64).sqrt();
                assert!((sum / draws as f64 - variance).abs() < 4.0 * error, "{target} {settings} {index}");
            }
        }
    }

    /// θ* + c (θ − θ*), with the same random numbers for every c, in the plane and in more dimensions.
    #[test]
    fn draws_are_moved_towards_the_mode() {
        for target in ["two-weight-ridge", "network"] {
            let draws = |spread: f64| {
                let frame = frame(target, &format!("predictive = \"mc\"\nspread = {spread}"));
                let fits = frame.runs[0].fits.as_ref().unwrap();
                let all = if fits.vectors.is_empty() {
                    fits.draws.iter().map(|at| at.as_slice().to_vec()).collect()
                } else {
                    fits.vectors.to_vec()
                };
                (all, frame.runs[0].positions[0])
            };
            let ((mode, at), (half, _), (whole, _)) = (draws(0.0), draws(0.5), draws(1.0));
            assert!(mode.iter().all(|vector| *vector == mode[0]));
            assert!(target == "network" || mode[0] == at.as_slice());
            for ((mode, half), whole) in mode.iter().flatten().zip(half.iter().flatten()).zip(whole.iter().flatten()) {
                assert!((half - 0.5 * (mode + whole)).abs() < 1e-12, "{target}");
            }
        }
        let linearised = frame("network", "spread = 0.5");
        let spread = linearised.runs[0].fits.as_ref().unwrap().fitting.spread;
        assert_eq!(spread.to_bits(), 1.0_f64.to_bits());
    }

    #[test]
    fn sampled_functions_are_not_linearised() {
        assert_eq!(linearised(&frame("network", "predictive = \"mc\"")), None);
        assert!(linearised(&frame("network", "predictive = \"glm\"")).is_some());
    }
}
