//! The numbers of a coefficient in words, for the pointer.

use crate::words::numbers;
use engine::session::{Described, PROBABILITIES, QuantityNumbers};
use models::targets::Sureness;

/// What is said of a coefficient: its name, the numbers of a run, those of the reference, and how far they are apart.
#[must_use]
pub(super) fn text(
    name: &str,
    run: Option<(&str, &QuantityNumbers)>,
    reference: Option<(&Described, Sureness)>,
) -> String {
    let mut lines = vec![name.to_owned()];
    if let Some((run, numbers)) = run {
        lines.push(format!("{run}: {}", moments(&numbers.described, numbers.mcse)));
        lines.push(quantiles(&numbers.described));
        lines.extend(numbers.ess.map(|ess| format!("effective draws: {}", numbers::significant(ess.round(), 3))));
    }
    if let Some((described, sureness)) = reference {
        lines.push(format!("{}: {}", source(sureness), moments(described, None)));
        lines.push(quantiles(described));
    }
    if let (Some((_, numbers)), Some((described, _))) = (run, reference) {
        lines.extend(apart(numbers, described));
    }
    lines.join("\n")
}

/// A mean and a standard deviation beside it, with as many decimals as two digits of the latter take: 0.610 ± 0.059.
#[must_use]
pub(super) fn plus_minus(of: &Described) -> String {
    /// Decimals at most.
    const MOST: i32 = 6;
    let exponent = format!("{:.1e}", of.sd).split_once('e').and_then(|(_, exponent)| exponent.parse::<i32>().ok());
    match exponent.filter(|exponent| (1 - MOST..=MOST).contains(exponent) && of.mean.is_finite()) {
        Some(exponent) => {
            let decimals = (1 - exponent).max(0).unsigned_abs() as usize;
            format!("{} ± {}", numbers::decimal(of.mean, decimals), numbers::decimal(of.sd, decimals))
        }
        None => format!("{} ± {}", numbers::brief(of.mean), numbers::significant(of.sd, 2)),
    }
}

/// Where a reference comes from, in a few words.
#[must_use]
pub(super) fn source(sureness: Sureness) -> String {
    match sureness {
        Sureness::Exact => "exact".to_owned(),
        Sureness::Weighted(share) => format!("weighted draws, worth {} of as many exact ones", numbers::percent(share)),
    }
}

fn moments(of: &Described, mcse: Option<f64>) -> String {
    let or_none = |moment: f64| if moment.is_finite() { numbers::brief(moment) } else { "does not exist".to_owned() };
    let error = mcse.map_or(String::new(), |mcse| format!(" ± {}", numbers::significant(mcse, 2)));
    format!("mean {}{error}, sd {}", or_none(of.mean), or_none(of.sd))
}

fn quantiles(of: &Described) -> String {
    let quantile = |number: usize| {
        let [share, value] = [PROBABILITIES[number], of.quantiles[number]];
        format!("{} below {}", numbers::percent(share), numbers::brief(value))
    };
    format!("{}, {}, {}", quantile(0), quantile(2), quantile(4))
}

/// How far mean and standard deviation of a run are from those of the reference.
fn apart(numbers: &QuantityNumbers, reference: &Described) -> Option<String> {
    let difference = (numbers.described.mean - reference.mean) / reference.sd;
    let ratio = numbers.described.sd / reference.sd - 1.0;
    if !difference.is_finite() || !ratio.is_finite() {
        return None;
    }
    let side = |above: bool| if above { "above" } else { "below" };
    let errors = numbers.mcse.filter(|mcse| *mcse > 0.0).map_or(String::new(), |mcse| {
        let count = (numbers.described.mean - reference.mean).abs() / mcse;
        format!(" ({} standard errors)", numbers::significant(count, 2))
    });
    Some(format!(
        "mean {} sd {} the reference{errors}, sd {} {} it",
        numbers::significant(difference.abs(), 2),
        side(difference >= 0.0),
        numbers::percent(ratio.abs()),
        side(ratio >= 0.0)
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reading_says_how_far_a_run_is_from_the_reference() {
        let described = Described { mean: 2.5, sd: 0.9, quantiles: [1.0, 2.0, 2.5, 3.0, 4.0] };
        let numbers = QuantityNumbers { described, mcse: Some(0.05), ess: Some(321.4) };
        let reference = Described { mean: 2.0, sd: 1.0, quantiles: [0.4, 1.3, 2.0, 2.7, 3.6] };
        let said = text("speed", Some(("NUTS", &numbers)), Some((&reference, Sureness::Exact)));
        assert_eq!(
            said,
            "speed\nNUTS: mean 2.5 ± 0.05, sd 0.9\n5 % below 1, 50 % below 2.5, 95 % below 4\neffective draws: 321\n\
             exact: mean 2, sd 1\n5 % below 0.4, 50 % below 2, 95 % below 3.6\n\
             mean 0.5 sd above the reference (10 standard errors), sd 10 % below it"
        );
        let without = Described { mean: f64::NAN, sd: f64::NAN, ..reference };
        let said = text("sigma", Some(("NUTS", &numbers)), Some((&without, Sureness::Weighted(0.87))));
        assert!(said.contains("weighted draws, worth 87 % of as many exact ones: mean does not exist"), "{said}");
        assert!(!said.contains("above the reference"), "{said}");
    }
}
