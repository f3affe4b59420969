//! The parts of the error of a run, as numbers and words.

use engine::distributions::{Found, MeanError, Trusted};

/// A part of an error along an axis that begins at 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Part {
    /// What it is.
    pub kind: PartKind,
    /// Where it begins and ends: it may go back.
    pub from: f64,
    /// See `from`.
    pub to: f64,
}

/// What a part of an error is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PartKind {
    /// Of the stationary distribution.
    Bias,
    /// Of what is collected, beyond that.
    Transient,
    /// Of what is collected, where there is no stationary distribution: bias and transient together.
    Systematic,
    /// Of the draws, beyond what is collected.
    MonteCarlo,
}

impl PartKind {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Bias => "bias",
            Self::Transient => "transient",
            Self::Systematic => "bias and transient",
            Self::MonteCarlo => "Monte Carlo",
        }
    }
}

/// The parts of a measure that is an error: of the stationary distribution, of what endlessly many chains collect, and of the draws.
pub fn parts(found: &Found, key: &str, measured: Option<f64>) -> Result<Vec<Part>, String> {
    let collected = found.collected.as_ref().map_err(ToString::to_string)?;
    let value = |of: Option<Trusted>| of.filter(|of| of.decimals().is_some()).map(|of| of.value);
    let collected = value(collected.measure(key)).ok_or("this error is not computed of it")?;
    let stationary = found.stationary.as_ref().ok().and_then(|found| value(found.described.measure(key)));
    let mut parts = match stationary {
        Some(bias) => vec![
            Part { kind: PartKind::Bias, from: 0.0, to: bias },
            Part { kind: PartKind::Transient, from: bias, to: collected },
        ],
        None => vec![Part { kind: PartKind::Systematic, from: 0.0, to: collected }],
    };
    parts.extend(measured.map(|measured| Part { kind: PartKind::MonteCarlo, from: collected, to: measured }));
    Ok(parts)
}

/// The parts of the error of the mean of a coordinate, in words: these are an identity, (bias + transient)² + sd² = together².
pub fn of_mean(error: &MeanError, axis: &str) -> String {
    let systematic = match (&error.bias, &error.transient) {
        (Some(bias), Some(transient)) => format!("bias {}, transient {}", digits(*bias), digits(*transient)),
        _ => format!("bias and transient {}", digits(error.systematic)),
    };
    let sd = root(error.variance);
    format!("mean of {axis}: {systematic}, sd {}, together {}", digits(sd), digits(error.rmse))
}

/// A number with the digits that can be trusted, at most three after its first one.
pub fn digits(of: Trusted) -> String {
    let Some(decimals) = of.decimals() else { return "?".to_owned() };
    let size = of.value.abs();
    let most = if size >= 1.0 {
        3.0
    } else if size >= 5e-7 {
        (2.0 - size.log10()).ceil()
    } else {
        6.0
    };
    #[expect(clippy::cast_sign_loss, reason = "a number of decimals")]
    let decimals = decimals.min(most as u32) as usize;
    let text = format!("{:.decimals$}", of.value);
    // A zero has no sign.
    if text.trim_start_matches('-').bytes().all(|digit| matches!(digit, b'0' | b'.')) {
        text.trim_start_matches('-').to_owned()
    } else {
        text.replace('-', "−")
    }
}

/// A standard deviation from a variance.
fn root(variance: Trusted) -> Trusted {
    let value = variance.value.max(0.0).sqrt();
    Trusted { value, difference: variance.difference / (2.0 * value).max(1e-12) }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use engine::distributions::{Ask, Computable};
    use engine::scenario::read;

    fn found(run: &str) -> Found {
        let text = format!(
            "format = 1\ntitle = \"x\"\nseed = 3\n[target]\nkind = \"double-well\"\n[[run]]\nname = \"A\"\nmethod = \"sgld\"\nchains = 1\nsteps = 1000\n\
             start = {{ kind = \"point\", x = 1.0 }}\n{run}\n"
        );
        let scenario = read(&text, "x", Path::new("")).unwrap();
        let ask = Ask { collected: true, stationary: true, errors: true, ..Ask::default() };
        Computable::new(&scenario.build().unwrap(), 0).unwrap().solve(&ask, &mut |_| true).unwrap()
    }

    /// Double well, α = 0.05, 1000 steps from x = 1: transient of the mean 0.0223447916, variance 0.0326459234.
    #[test]
    fn parts_are_those_of_an_independent_program() {
        let found = found("step_size = { kind = \"constant\", value = 0.05 }");
        let all = parts(&found, "tv", Some(0.2)).unwrap();
        let kinds: Vec<PartKind> = all.iter().map(|part| part.kind).collect();
        assert_eq!(kinds, [PartKind::Bias, PartKind::Transient, PartKind::MonteCarlo]);
        assert!(all.windows(2).all(|pair| pair[0].to.to_bits() == pair[1].from.to_bits()) && all[0].from == 0.0);
        assert!((all[0].to - 0.0823).abs() < 1e-4 && (all[2].to - 0.2).abs() < 1e-12, "{all:?}");
        let words = of_mean(&found.errors.as_ref().unwrap()[0], "x");
        assert_eq!(words, "mean of x: bias 0.000000, transient 0.0223, sd 0.181, together 0.182");
        assert_eq!(parts(&found, "tv", None).unwrap().len(), 2);
        assert!(parts(&found, "nothing", None).is_err());
    }

    #[test]
    fn without_a_stationary_distribution_there_are_two_parts() {
        let found = found("step_size = { kind = \"polynomial\", a = 0.02, b = 10.0, gamma = 0.55 }");
        let kinds: Vec<PartKind> = parts(&found, "kl", Some(0.2)).unwrap().iter().map(|part| part.kind).collect();
        assert_eq!(kinds, [PartKind::Systematic, PartKind::MonteCarlo]);
        assert!(of_mean(&found.errors.as_ref().unwrap()[0], "x").starts_with("mean of x: bias and transient 0."));
    }

    #[test]
    fn only_digits_that_can_be_trusted_are_written() {
        let number = |value: f64, difference: f64| digits(Trusted { value, difference });
        assert_eq!(number(-0.043_927, 1e-9), "−0.0439");
        assert_eq!(number(0.043_927, 1e-3), "0.04");
        assert_eq!(number(-1e-13, 1e-15), "0.000000");
        assert_eq!(number(12.345_678, 1e-9), "12.346");
    }
}
