//! Draws of functions: what weighted draws of a network's weights say of its outputs at any inputs.
//!
//! A fit that linearises its functions has Gaussian outputs at every input, and what they say is computed from these Gaussians:
//! the correlations between the outputs at one input count, those between inputs do not.

use base::math::{Coords, Simd};
use models::targets::Target;

use super::{FitFrame, Linearised};

/// Weighted draws of the functions behind a target.
#[derive(Clone, Debug)]
pub struct FunctionDraws {
    vectors: Coords,
    weights: Vec<f64>,
    /// The fit that they come from, and the numbers of its draws.
    fit: Option<(FitFrame, Vec<usize>)>,
}

/// Outputs of weighted draws at some inputs.
#[derive(Clone, Debug, PartialEq)]
pub struct Outputs {
    /// f: output `c` of K at input `i` for draw `s` of S at `(i · K + c) · S + s`.
    pub f: Vec<f64>,
    /// The weights of the draws.
    pub weights: Vec<f64>,
}

/// What draws of functions say of outputs at some inputs.
#[derive(Clone, Debug)]
pub enum Said {
    /// The outputs of all draws.
    Draws(Outputs),
    /// Their Gaussians, of functions that are linearised.
    Gaussians(Linearised),
}

impl FunctionDraws {
    /// The functions of these weight vectors.
    #[must_use]
    pub fn of_vectors(vectors: Coords, weights: Vec<f64>) -> Self {
        Self { vectors, weights, fit: None }
    }

    /// At most `most` draws of a fit in this many dimensions, without those that are not finite.
    #[must_use]
    pub fn of_fit(fits: &FitFrame, dimension: usize, most: usize) -> Self {
        let finite = |(_, vector): &(usize, &Vec<f64>)| vector.iter().all(|value| value.is_finite());
        let (numbers, some): (Vec<usize>, Vec<&Vec<f64>>) =
            fits.vectors.iter().enumerate().filter(finite).take(most).unzip();
        let vectors = Coords::of(dimension, some.into_iter().map(Vec::as_slice));
        Self { weights: vec![1.0; numbers.len()], vectors, fit: Some((fits.clone(), numbers)) }
    }

    /// The weight vectors.
    #[must_use]
    pub fn vectors(&self) -> &Coords {
        &self.vectors
    }

    /// Number of weight vectors.
    #[must_use]
    pub fn len(&self) -> usize {
        self.vectors.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The linearised functions at these inputs, of a fit that predicts with them.
    fn linearised(&self, target: &Target, inputs: &[f64]) -> Option<Linearised> {
        let (fits, numbers) = self.fit.as_ref()?;
        if numbers.is_empty() { None } else { Linearised::at(fits, target, inputs) }
    }

    /// What they say of the outputs at these inputs, one after the other.
    #[must_use]
    pub fn said(&self, target: &Target, inputs: &[f64]) -> Said {
        self.linearised(target, inputs).map_or_else(|| Said::Draws(self.at(target, inputs)), Said::Gaussians)
    }

    /// Values of every output at these inputs that have its distribution, for one output after the other: those of the draws, or
    /// values that are even in probability where the functions are linearised.
    #[must_use]
    pub fn values(&self, target: &Target, inputs: &[f64]) -> Outputs {
        let Some((fits, numbers)) = &self.fit else { return self.at(target, inputs) };
        match self.said(target, inputs) {
            Said::Gaussians(linearised) => {
                Outputs { f: linearised.quantiles(fits, numbers), weights: self.weights.clone() }
            }
            Said::Draws(outputs) => outputs,
        }
    }

    /// The outputs of the functions behind `target` at these inputs, one after the other; no outputs without draws or
    /// functions.
    #[must_use]
    pub fn at(&self, target: &Target, inputs: &[f64]) -> Outputs {
        if let Some((fits, numbers)) = &self.fit
            && let Some(linearised) = self.linearised(target, inputs)
        {
            return Outputs { f: linearised.outputs(fits, numbers), weights: self.weights.clone() };
        }
        let mut f = Vec::new();
        if let Some(functions) = target.in_vectors().and_then(|vectors| vectors.model.functions()) {
            f.resize(inputs.len() / functions.inputs() * functions.outputs() * self.len(), 0.0);
            functions.evaluate(Simd::widest(), &self.vectors, inputs, &mut Vec::new(), &mut f);
        }
        Outputs { f, weights: self.weights.clone() }
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::diagnostics::predictive_formulas::{ClassPrediction, LogisticGaussian, SoftmaxGaussian, Weights};
    use crate::scenario::read;
    use crate::session::{Frame, Session};
    use models::targets::outputs_of;

    fn frame(data: &str, predictive: &str) -> Frame {
        let text = format!(
            "format = 1\ntitle = \"x\"\nseed = 3\n[target]\nkind = \"network\"\nhidden = 3\n[target.data]\n{data}\n\
             [[run]]\nname = \"A\"\nmethod = \"laplace\"\ncurvature = \"ggn\"\ndraws = 4000\npredictive = \"{predictive}\"\n"
        );
        let mut session = Session::new(read(&text, "x", Path::new("")).unwrap()).unwrap();
        session.advance(u64::MAX);
        session.frame()
    }

    const INPUTS: [f64; 4] = [0.2, -0.1, 1.5, 2.0];

    fn predictions(frame: &Frame, classes: usize) -> Vec<ClassPrediction> {
        let fits = frame.runs[0].fits.as_ref().unwrap();
        let draws = FunctionDraws::of_fit(fits, frame.target.dimension(), 4000);
        match draws.said(frame.target.as_ref(), &INPUTS) {
            Said::Gaussians(linearised) => linearised.labels((&LogisticGaussian::new(), &SoftmaxGaussian::new())),
            Said::Draws(Outputs { f, weights }) => {
                let each = f.chunks_exact(weights.len() * outputs_of(classes));
                each.map(|f| ClassPrediction::of_outputs(f, classes, Weights::Each(&weights))).collect()
            }
        }
    }

    /// Two classes have the integral itself; it is within five standard errors of the probabilities of linearised draws.
    #[test]
    fn two_classes_have_the_integral_over_their_logit() {
        let frame = frame("kind = \"moons\"", "glm");
        let fits = frame.runs[0].fits.as_ref().unwrap();
        let linearised = Linearised::at(fits, frame.target.as_ref(), &INPUTS).unwrap();
        let only = &linearised.components[0];
        let numbers: Vec<usize> = (0..fits.vectors.len()).collect();
        let drawn = linearised.outputs(fits, &numbers);
        let found = predictions(&frame, 2);
        for (index, found) in found.iter().enumerate() {
            let exact = LogisticGaussian::new().prediction(only.values[index], only.variances[index]);
            assert!((found.probabilities[1] - exact.probabilities[1]).abs() < 1e-14);
            assert!((found.aleatoric - exact.aleatoric).abs() < 1e-13);
            let f = &drawn[index * numbers.len()..(index + 1) * numbers.len()];
            let drawn = ClassPrediction::of_logits(f, Weights::Equal);
            let error = 0.5 / (numbers.len() as f64).sqrt();
            assert!((drawn.probabilities[1] - exact.probabilities[1]).abs() < 5.0 * error, "{index}");
        }
        assert_eq!(predictions(&self::frame("kind = \"moons\"", "mc"), 2).len(), 2);
    }

    /// Outputs of linearised draws have the variances J C Jᵀ, and predictions of several classes are integrals over them: within
    /// five standard errors of those of 4000 draws, and not those of the draws themselves.
    #[test]
    fn several_classes_have_the_integral_over_their_outputs() {
        let frame = frame("kind = \"blobs\"\nclasses = 3", "glm");
        let fits = frame.runs[0].fits.as_ref().unwrap();
        let linearised = Linearised::at(fits, frame.target.as_ref(), &INPUTS).unwrap();
        let draws = FunctionDraws::of_fit(fits, frame.target.dimension(), 4000);
        let Outputs { f, weights } = draws.at(frame.target.as_ref(), &INPUTS);
        let count = weights.len();
        assert_eq!(f.len(), 2 * 3 * count);
        for (output, f) in f.chunks_exact(count).enumerate() {
            let (mean, variance) =
                (linearised.components[0].values[output], linearised.components[0].variances[output]);
            let found = f.iter().map(|f| (f - mean).powi(2)).sum::<f64>() / count as f64;
            assert!((found / variance - 1.0).abs() < 5.0 * (2.0 / count as f64).sqrt(), "{output}: {found} {variance}");
        }
        let found = predictions(&frame, 3);
        assert_eq!(found.len(), 2);
        for (found, f) in found.iter().zip(f.chunks_exact(3 * count)) {
            assert!((found.probabilities.iter().sum::<f64>() - 1.0).abs() < 1e-12, "{found:?}");
            let drawn = ClassPrediction::of_outputs(f, 3, Weights::Equal);
            let error = 5.0 * 0.5 / (count as f64).sqrt();
            for (found, drawn) in found.probabilities.iter().zip(drawn.probabilities) {
                assert!((found - drawn).abs() < error, "{found} {drawn}");
            }
            // The sd of an entropy is at most half of its largest value.
            assert!(
                (found.aleatoric - drawn.aleatoric).abs() < error * libm::log(3.0),
                "{found:?} {}",
                drawn.aleatoric
            );
        }
        // The number of draws behind a fit changes nothing.
        let fewer = FunctionDraws::of_fit(fits, frame.target.dimension(), 7);
        let Said::Gaussians(few) = fewer.said(frame.target.as_ref(), &INPUTS) else { panic!("draws") };
        assert_eq!(few.labels((&LogisticGaussian::new(), &SoftmaxGaussian::new())), found);
    }

    /// Far from the data of a corner the logit of `xor` is wide. Its probability is that of a sum over many nodes.
    #[test]
    fn a_wide_logit_of_two_classes_has_its_integral() {
        let text = "format = 1\ntitle = \"x\"\nseed = 3\n[target]\nkind = \"network\"\nhidden = 3\ndata = { kind = \"xor\" }\n\
                    [[run]]\nname = \"A\"\nmethod = \"laplace\"\ncurvature = \"ggn\"\n";
        let mut session = Session::new(read(text, "x", Path::new("")).unwrap()).unwrap();
        session.advance(u64::MAX);
        let frame = session.frame();
        let input = [3.03, 3.23];
        let draws = FunctionDraws::of_fit(frame.runs[0].fits.as_ref().unwrap(), frame.target.dimension(), 512);
        let Said::Gaussians(linearised) = draws.said(frame.target.as_ref(), &input) else { panic!("draws") };
        let found = linearised.labels((&LogisticGaussian::new(), &SoftmaxGaussian::new()))[0].probabilities[0];
        let (_, mean, variance) = linearised.gaussians(0).next().unwrap();
        let (mut sum, mut total) = (0.0, 0.0);
        for number in -100_000..=100_000 {
            let z = 1e-4 * f64::from(number);
            let weight = libm::exp(-0.5 * z * z);
            total += weight;
            sum += weight / (1.0 + libm::exp(mean + variance.sqrt() * z));
        }
        assert!(
            variance > 20.0 && (found - sum / total).abs() < 1e-11,
            "{found} {}, of {mean} {variance}",
            sum / total
        );
    }
}
