//! Named quantities of a run in `summary.json`: their truth, and what the draws say of them.

use serde_json::{Value as Json, json};

use base::math::quantile;
use engine::diagnostics::chain::{ess_bulk_told, mcse_mean, mcse_sd, rhat};
use engine::session::{Frame, QuantityDraws, RunFrame};
use models::targets::{Combination, KnownQuantities, Sureness};

/// Probabilities of quantiles, with their keys.
const QUANTILES: [(&str, f64); 3] = [("q05", 0.05), ("q50", 0.5), ("q95", 0.95)];

/// The quantities of a run; `None` on targets without names, and of fits that are not there yet.
pub fn summary(frame: &Frame, run: &RunFrame) -> Option<Json> {
    let quantities = frame.target.quantities()?;
    let known = quantities.known();
    let draws = QuantityDraws::of_run(frame.target.as_ref(), run)?;
    let of = |number: usize| {
        let truth = known.map_or_else(unknown, |known| {
            distribution(known.moments(number), |probability| known.quantile(number, probability))
        });
        entry(&quantities.names()[number], &truth, (&draws, run, number))
    };
    let originals = frame.target.originals();
    let in_file_units = draws.combined(originals);
    let of_original = |(number, original): (usize, &Combination)| {
        let truth = known.map_or_else(unknown, |known| {
            let at = original.known(known, &QUANTILES.map(|(_, probability)| probability));
            let mut quantiles = at.quantiles.iter().copied();
            distribution(at.moments, |_| quantiles.next().unwrap_or(f64::NAN))
        });
        entry(&original.name, &truth, (&in_file_units, run, number))
    };
    let (truth, efficiency) = match known.map(KnownQuantities::sureness) {
        Some(Sureness::Exact) => ("exact", None),
        Some(Sureness::Weighted(share)) => ("weighted draws", Some(share)),
        None => ("not known", None),
    };
    Some(json!({
        "truth": truth,
        "efficiency": efficiency,
        "log_normaliser": known.map(KnownQuantities::log_normaliser),
        "proper": known.map(KnownQuantities::is_proper),
        "values": (0..quantities.names().len()).map(of).collect::<Vec<_>>(),
        "in_file_units": originals.iter().enumerate().map(of_original).collect::<Vec<_>>(),
    }))
}

/// A quantity with its truth and what the draws of a run say of it.
fn entry(name: &str, truth: &Json, (draws, run, number): (&QuantityDraws, &RunFrame, usize)) -> Json {
    let chains: Vec<&[f64]> = draws.chains[number].iter().map(Vec::as_slice).collect();
    let sorted = draws.sorted(number);
    let at = |probability| quantile(&sorted, probability).unwrap_or(f64::NAN);
    let mut entry = json!({ "name": name, "truth": truth, "draws": distribution(moments(draws, run, number), at) });
    let measures = [
        ("mcse_mean", mcse_mean(&chains)),
        ("mcse_sd", mcse_sd(&chains)),
        ("ess_bulk", ess_bulk_told(&chains)),
        ("rhat", rhat(&chains)),
    ];
    // Draws from a fit are independent, and as many as one likes.
    let of_chains = |value: Result<f64, _>| value.ok().filter(|_| run.fits.is_none());
    measures.into_iter().for_each(|(key, value)| entry[key] = json!(of_chains(value)));
    entry
}

/// Mean and standard deviation of a quantity of a run.
fn moments(draws: &QuantityDraws, run: &RunFrame, number: usize) -> [f64; 2] {
    let described = draws.numbers(run, number).described;
    [described.mean, described.sd]
}

/// The same of what is not known.
fn unknown() -> Json {
    distribution([f64::NAN; 2], |_| f64::NAN)
}

fn distribution([mean, sd]: [f64; 2], mut at: impl FnMut(f64) -> f64) -> Json {
    let finite = |value: f64| json!(value.is_finite().then_some(value));
    let mut described = json!({ "mean": finite(mean), "sd": finite(sd) });
    QUANTILES.iter().for_each(|(key, probability)| described[*key] = finite(at(*probability)));
    described
}
