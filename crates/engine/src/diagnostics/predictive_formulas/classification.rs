//! Classification: probabilities of classes with their uncertainty, and scores of them.
//!
//! The entropy of the mean prediction is the mean entropy of single draws, which is noise in the labels, plus the mutual
//! information of label and weights, which more data would take away (N. Houlsby et al. 2011, arXiv:1112.5745, BALD).

use super::{Weights, mean};
use base::math::elementary::{exp, ln, sigmoid};

/// The prediction of a label at one input.
#[derive(Clone, Debug, PartialEq)]
pub struct ClassPrediction {
    /// p̄, the probability of every class; two entries for binary labels.
    pub probabilities: Vec<f64>,
    /// H[p̄] in nats, at most log C.
    pub entropy: f64,
    /// The mean of `H[p_s]`, the aleatoric part.
    pub aleatoric: f64,
}

impl ClassPrediction {
    /// From the outputs of all S draws at one input: the logits of label 1 of two classes, and otherwise the C outputs of a
    /// softmax, output `c` of draw `s` at `c · S + s`.
    #[must_use]
    pub fn of_outputs(f: &[f64], classes: usize, weights: Weights<'_>) -> Self {
        if classes > 2 { Self::of_softmax(f, classes, weights) } else { Self::of_logits(f, weights) }
    }

    /// From the logits of label 1 of all draws at one input.
    #[must_use]
    pub fn of_logits(f: &[f64], weights: Weights<'_>) -> Self {
        let one = weights.mean(f.iter().map(|f| sigmoid(*f)));
        let zero = weights.mean(f.iter().map(|f| sigmoid(-*f)));
        let aleatoric = weights.mean(f.iter().map(|f| entropy(&[sigmoid(-*f), sigmoid(*f)])));
        Self::new(vec![zero, one], aleatoric)
    }

    /// From the C outputs of all S draws at one input: output `c` of draw `s` at `c · S + s`.
    #[must_use]
    pub fn of_softmax(f: &[f64], classes: usize, weights: Weights<'_>) -> Self {
        let draws = f.len() / classes.max(1);
        let one = |s: usize| {
            let f = || (0..classes).map(move |c| f[c * draws + s]);
            let high = f().fold(f64::NEG_INFINITY, f64::max);
            let shares: Vec<f64> = f().map(|f| exp(f - high)).collect();
            let sum: f64 = shares.iter().sum();
            shares.into_iter().map(|share| share / sum).collect::<Vec<f64>>()
        };
        let all: Vec<Vec<f64>> = (0..draws).map(one).collect();
        let probabilities = (0..classes).map(|c| weights.mean(all.iter().map(|p| p[c]))).collect();
        Self::new(probabilities, weights.mean(all.iter().map(|p| entropy(p))))
    }

    /// From p̄ and the mean of `H[p_s]`.
    #[must_use]
    pub fn new(probabilities: Vec<f64>, aleatoric: f64) -> Self {
        Self { entropy: entropy(&probabilities), probabilities, aleatoric }
    }

    /// The mutual information of label and weights (BALD), the epistemic part: `H[p̄]` − mean `H[p_s]` ≥ 0.
    #[must_use]
    pub fn mutual_information(&self) -> f64 {
        (self.entropy - self.aleatoric).max(0.0)
    }

    /// The class with the largest probability; of equal ones the last, which is 1 for binary labels.
    #[must_use]
    pub fn class(&self) -> usize {
        let best = |best: usize, (c, p): (usize, &f64)| if *p >= self.probabilities[best] { c } else { best };
        self.probabilities.iter().enumerate().fold(0, best)
    }

    /// The probability of that class.
    #[must_use]
    pub fn confidence(&self) -> f64 {
        self.probabilities.get(self.class()).copied().unwrap_or(f64::NAN)
    }
}

/// −Σ p log p with 0 log 0 = 0.
fn entropy(p: &[f64]) -> f64 {
    p.iter().map(|p| if *p <= 0.0 { 0.0 } else { -p * ln(*p) }).sum()
}

/// How good predictions are on test data.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClassScores {
    /// Share of data whose most probable class is not the label.
    pub error: f64,
    /// −mean log p̄ of the label, in nats; ∞ if a label had probability 0.
    pub nll: f64,
    /// Brier score: the mean of (p̄ − y)² for binary labels, of Σ_c (p̄_c − [y = c])² for more classes.
    pub brier: f64,
    /// The mean of H[p̄].
    pub entropy: f64,
    /// The mean of the mutual information.
    pub mutual_information: f64,
}

/// The scores of predictions, given the labels of the data, each below the number of classes.
#[must_use]
pub fn class_scores(predictions: &[ClassPrediction], labels: &[usize]) -> ClassScores {
    let pairs = || predictions.iter().zip(labels);
    let brier = |(prediction, label): (&ClassPrediction, &usize)| {
        let square = |(c, p): (usize, &f64)| {
            let gap = p - if c == *label { 1.0 } else { 0.0 };
            gap * gap
        };
        match &prediction.probabilities[..] {
            [_, one] => square((1, one)),
            all => all.iter().enumerate().map(square).sum(),
        }
    };
    ClassScores {
        error: mean(pairs().map(|(prediction, label)| if prediction.class() == *label { 0.0 } else { 1.0 })),
        nll: -mean(pairs().map(|(prediction, label)| ln(prediction.probabilities[*label]))),
        brier: mean(pairs().map(brier)),
        entropy: mean(predictions.iter().map(|prediction| prediction.entropy)),
        mutual_information: mean(predictions.iter().map(ClassPrediction::mutual_information)),
    }
}
