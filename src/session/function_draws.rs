//! Draws of functions: what weighted draws of a network's weights say of its outputs at any inputs.
//!
//! A fit that linearises its functions has Gaussian outputs at every input. The output of a classification with two classes
//! stands there as the nodes of a Gauss–Hermite rule, so that means over draws are integrals over that Gaussian; of several
//! outputs, and of a regression, the linearised functions of the fit's draws do, which keep their correlation.

use crate::diagnostics::predictive::EXACT_NODES;
use crate::math::{Coords, Simd, gauss_hermite};
use crate::targets::{Target, outputs_of};

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

    /// The outputs of the functions behind `target` at these inputs, one after the other; no outputs without draws or
    /// functions.
    #[must_use]
    pub fn at(&self, target: &dyn Target, inputs: &[f64]) -> Outputs {
        if let Some((fits, numbers)) = &self.fit
            && !numbers.is_empty()
            && let Some(linearised) = Linearised::at(fits, target, inputs)
        {
            if target.classification().is_some_and(|model| outputs_of(model.classes()) == 1) {
                return linearised.nodes(&gauss_hermite(EXACT_NODES));
            }
            return Outputs { f: linearised.outputs(fits, numbers), weights: self.weights.clone() };
        }
        let mut f = Vec::new();
        if let Some(functions) = target.model().and_then(|behind| behind.model.functions()) {
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
    use crate::diagnostics::predictive::{ClassPrediction, Weights, logistic_gaussian_prediction};
    use crate::scenario::read;
    use crate::session::{Frame, Session};

    fn frame(data: &str, predictive: &str) -> Frame {
        let text = format!(
            "format = 1\ntitle = \"x\"\nseed = 3\n[target]\nkind = \"network\"\nhidden = 3\n[target.data]\n{data}\n\
             [[run]]\nname = \"A\"\nmethod = \"laplace\"\ncurvature = \"ggn\"\ndraws = 4000\npredictive = \"{predictive}\"\n"
        );
        let mut session = Session::new(read(&text, "x", Path::new("")).unwrap()).unwrap();
        session.advance(u64::MAX);
        session.frame()
    }

    const PLACES: [f64; 4] = [0.2, -0.1, 1.5, 2.0];

    fn predictions(frame: &Frame, classes: usize) -> Vec<ClassPrediction> {
        let fits = frame.runs[0].fits.as_ref().unwrap();
        let draws = FunctionDraws::of_fit(fits, frame.target.dimension(), 4000);
        let Outputs { f, weights } = draws.at(frame.target.as_ref(), &PLACES);
        let each = f.chunks_exact(weights.len() * outputs_of(classes));
        each.map(|f| ClassPrediction::of_outputs(f, classes, Weights::Each(&weights))).collect()
    }

    /// Two classes have the integral itself; it is within five standard errors of the probabilities of linearised draws.
    #[test]
    fn two_classes_have_the_integral_over_their_logit() {
        let frame = frame("kind = \"moons\"", "glm");
        let fits = frame.runs[0].fits.as_ref().unwrap();
        let linearised = Linearised::at(fits, frame.target.as_ref(), &PLACES).unwrap();
        let only = &linearised.components[0];
        let numbers: Vec<usize> = (0..fits.vectors.len()).collect();
        let drawn = linearised.outputs(fits, &numbers);
        let found = predictions(&frame, 2);
        for (place, found) in found.iter().enumerate() {
            let rule = gauss_hermite(EXACT_NODES);
            let exact = logistic_gaussian_prediction(only.values[place], only.variances[place], &rule);
            assert!((found.probabilities[1] - exact.probabilities[1]).abs() < 1e-14);
            assert!((found.aleatoric - exact.aleatoric).abs() < 1e-13);
            let f = &drawn[place * numbers.len()..(place + 1) * numbers.len()];
            let drawn = ClassPrediction::of_logits(f, Weights::Equal);
            let error = 0.5 / (numbers.len() as f64).sqrt();
            assert!((drawn.probabilities[1] - exact.probabilities[1]).abs() < 5.0 * error, "{place}");
        }
        assert_eq!(predictions(&self::frame("kind = \"moons\"", "mc"), 2).len(), 2);
    }

    /// Outputs of linearised draws have the variances J C Jᵀ within five standard errors, and sampled ones do not.
    #[test]
    fn several_classes_have_the_linearised_functions_of_draws() {
        let frame = frame("kind = \"blobs\"\nclasses = 3", "glm");
        let fits = frame.runs[0].fits.as_ref().unwrap();
        let linearised = Linearised::at(fits, frame.target.as_ref(), &PLACES).unwrap();
        let draws = FunctionDraws::of_fit(fits, frame.target.dimension(), 4000);
        let Outputs { f, weights } = draws.at(frame.target.as_ref(), &PLACES);
        let count = weights.len();
        assert_eq!(f.len(), 2 * 3 * count);
        for (output, f) in f.chunks_exact(count).enumerate() {
            let (mean, variance) =
                (linearised.components[0].values[output], linearised.components[0].variances[output]);
            let found = f.iter().map(|f| (f - mean).powi(2)).sum::<f64>() / count as f64;
            assert!((found / variance - 1.0).abs() < 5.0 * (2.0 / count as f64).sqrt(), "{output}: {found} {variance}");
        }
        let sums: Vec<f64> = predictions(&frame, 3).iter().map(|one| one.probabilities.iter().sum()).collect();
        assert!(sums.iter().all(|sum| (sum - 1.0).abs() < 1e-12), "{sums:?}");
    }
}
