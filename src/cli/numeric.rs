//! Numbers on the command line: read, or refused with what is allowed.

use std::fmt::Display;
use std::ops::RangeInclusive;
use std::str::FromStr;

/// A number with or without a fraction. What is too small or too large for an option is said where it is used.
pub fn real(text: &str) -> Result<f64, String> {
    let number = text.trim().parse().ok().filter(|number: &f64| number.is_finite());
    number.ok_or_else(|| "allowed: a number, such as 300 or 0.5".to_owned())
}

/// Numbers from the first to the last of a range.
pub fn between(range: RangeInclusive<f64>) -> impl Fn(&str) -> Result<f64, String> + Clone + Send + Sync + 'static {
    move |text| {
        let number = text.trim().parse().ok().filter(|number| range.contains(number));
        number.ok_or_else(|| format!("allowed: a number from {} to {:e}", range.start(), range.end()))
    }
}

/// Whole numbers of a type from the first to the last of a range.
pub fn whole<T>(range: RangeInclusive<T>) -> impl Fn(&str) -> Result<T, String> + Clone + Send + Sync + 'static
where
    T: FromStr + PartialOrd + Display + Clone + Send + Sync + 'static,
{
    move |text| {
        let number = text.trim().parse().ok().filter(|number| range.contains(number));
        number.ok_or_else(|| format!("allowed: a whole number from {} to {}", range.start(), range.end()))
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::super::Arguments;
    use super::*;

    #[test]
    fn what_is_no_number_is_refused_with_what_is_allowed() {
        assert_eq!((real("0.5"), real(" 300 ")), (Ok(0.5), Ok(300.0)));
        for text in ["x", "", "NaN", "inf", "1,5"] {
            assert_eq!(real(text).unwrap_err(), "allowed: a number, such as 300 or 0.5");
        }
        let seeds = whole(1..=8_u64);
        assert_eq!(seeds("8"), Ok(8));
        for text in ["x", "0", "9", "-1", "1.5"] {
            assert_eq!(seeds(text).unwrap_err(), "allowed: a whole number from 1 to 8");
        }
    }

    /// Words of parsers of the standard library, which say nothing of what is allowed.
    #[test]
    fn every_numeric_option_says_what_is_allowed() {
        let render = ["render", "authors-code", "--out", "a.png"];
        let run = ["run", "authors-code", "--out", "a", "--data"];
        let options = [
            (
                &render[..],
                &["--dpi", "--scale", "--text", "--seed", "--repeats", "--from", "--to", "--frames", "--fps"][..],
            ),
            (&run, &["--seed", "--repeats", "--budget"]),
            (&["serve"], &["--port"]),
        ];
        for (command, options) in options {
            for option in options {
                let words = ["sampler-lab"].iter().chain(command).chain([option, &"x"]);
                let told = Arguments::try_parse_from(words).unwrap_err().to_string();
                assert!(told.contains("allowed: a ") && told.contains(option), "{told}");
            }
        }
    }
}
