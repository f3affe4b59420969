//! Coefficients in the units of the data: what they are where columns of X and the response were standardised, or columns centred.
//!
//! With z = (y − m_y)/s_y and uₖ = (xₖ − mₖ)/sₖ the model z = γ₀ + Σ γₖ uₖ + σ ε is y = β₀ + Σ βₖ xₖ + s_y σ ε, where βₖ = s_y γₖ/sₖ and
//! β₀ = m_y + s_y (γ₀ − Σ γₖ mₖ/sₖ). Columns that were not standardised have m = 0 and s = 1, those that were centred s = 1. Products and
//! powers are columns of their own: they are standardised or centred after they are made. A model without an intercept in standardised columns has one in those of the data.

use super::exact::SIGMA;
use super::table::Given;
use super::terms::INTERCEPT;
use crate::targets::Combination;

/// What is known of the data before they were standardised.
#[derive(Clone, Debug, Default)]
pub(super) struct Originals {
    /// Intercept, coefficients, and σ where it is a coordinate, in the units of the data; none where nothing was standardised.
    pub(super) coefficients: Vec<Combination>,
    /// Mean and standard deviation of the response, if it was standardised.
    pub(super) of_response: Option<[f64; 2]>,
}

impl Originals {
    pub(super) fn of(given: &Given, has_sigma: bool) -> Self {
        Self { coefficients: coefficients(given, has_sigma), of_response: given.of_response }
    }
}

fn coefficients(given: &Given, has_sigma: bool) -> Vec<Combination> {
    if given.of_response.is_none() && given.scaled.iter().all(Option::is_none) {
        return Vec::new();
    }
    let [mean, unit] = given.of_response.unwrap_or([0.0, 1.0]);
    let first = usize::from(given.has_intercept());
    let own = (0..first).map(|number| (number, unit));
    let shifts = given.scaled.iter().enumerate().filter_map(|(k, scaled)| {
        let [mean, sd] = (*scaled)?;
        Some((k, -unit * mean / sd))
    });
    let intercept = Combination { name: INTERCEPT.to_owned(), constant: mean, parts: own.chain(shifts).collect() };
    let multiple = |name: &str, number: usize, factor: f64| Combination {
        name: name.to_owned(),
        constant: 0.0,
        parts: vec![(number, factor)],
    };
    let slopes = given.names.iter().zip(&given.scaled).enumerate().skip(first).map(|(k, (name, scaled))| {
        let [_, sd] = scaled.unwrap_or([0.0, 1.0]);
        multiple(name, k, unit / sd)
    });
    // Behind the coefficients and ln σ.
    let sigma = has_sigma.then(|| multiple(SIGMA, given.names.len() + 1, unit));
    std::iter::once(intercept).chain(slopes).chain(sigma).collect()
}
