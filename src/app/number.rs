//! Numbers as people write and read them: few digits, thin spaces between thousands, `1e-5` where zeros would not help.

use super::plots::numbers::{grouped, trimmed};

/// Significant digits of a number that is only read.
const READ_DIGITS: usize = 4;

/// Significant digits of a number that can be edited: enough that `.1995515873` survives.
const EDIT_DIGITS: usize = 10;

/// Powers of ten from which on, and below which, the exponent is written out.
const PLAIN: std::ops::Range<i32> = -4..7;

/// A number to be read: `0.1059`, `31 204`, `1.2e-5`.
#[must_use]
pub fn brief(value: f64) -> String {
    written(value, READ_DIGITS)
}

/// A number to be edited: as short as it can be without losing what was typed.
#[must_use]
pub fn exact(value: f64) -> String {
    written(value, EDIT_DIGITS)
}

/// A number to be read, to so many significant digits.
#[must_use]
pub fn digits(value: f64, digits: usize) -> String {
    written(value, digits)
}

/// A rate in three digits with a unit of thousands: `1.23 M`, `850`.
#[must_use]
pub fn rate(value: f64) -> String {
    let units = [(1e9, " G"), (1e6, " M"), (1e3, " k")];
    let (scale, unit) = units.into_iter().find(|(scale, _)| value >= *scale).unwrap_or((1.0, ""));
    let scaled = value / scale;
    let decimals = if unit.is_empty() || scaled >= 100.0 {
        0
    } else if scaled >= 10.0 {
        1
    } else {
        2
    };
    format!("{}{unit}", trimmed(&format!("{scaled:.decimals$}")))
}

/// Reads a number that a person typed: spaces between thousands, a comma for the point, a real minus sign.
#[must_use]
pub fn parse(text: &str) -> Option<f64> {
    let plain: String = text
        .chars()
        .filter(|character| !character.is_whitespace() && *character != '_')
        .map(|character| match character {
            '−' => '-',
            ',' => '.',
            other => other,
        })
        .collect();
    plain.parse().ok().filter(|number: &f64| number.is_finite())
}

fn written(value: f64, digits: usize) -> String {
    if !value.is_finite() {
        return if value.is_nan() {
            "–".to_owned()
        } else if value > 0.0 {
            "∞".to_owned()
        } else {
            "−∞".to_owned()
        };
    }
    if value == 0.0 {
        return "0".to_owned();
    }
    let (sign, size, power) = (if value < 0.0 { "−" } else { "" }, value.abs(), exponent(value));
    let text = if PLAIN.contains(&power) {
        let decimals = usize::try_from(digits as i32 - 1 - power).unwrap_or(0);
        let text = format!("{size:.decimals$}");
        let text = trimmed(&text);
        let (whole, fraction) = text.split_once('.').map_or((text, None), |(whole, rest)| (whole, Some(rest)));
        fraction.map_or_else(|| grouped(whole), |fraction| format!("{}.{fraction}", grouped(whole)))
    } else {
        let text = format!("{size:.*e}", digits - 1);
        text.split_once('e').map_or(text.clone(), |(mantissa, power)| format!("{}e{power}", trimmed(mantissa)))
    };
    format!("{sign}{}", text.replace('-', "−"))
}

/// The power of ten of the first digit.
#[expect(clippy::cast_possible_truncation, reason = "the logarithm of a finite number is small")]
fn exponent(value: f64) -> i32 {
    value.abs().log10().floor() as i32
}

#[cfg(test)]
mod tests {
    use super::{brief, exact, parse, rate};
    use crate::app::plots::numbers::count;

    #[test]
    fn numbers_are_short() {
        for (value, text) in [(0.043, "0.043"), (0.000_012, "1.2e−5"), (1.0, "1"), (-2.5, "−2.5"), (0.105_88, "0.1059")]
        {
            assert_eq!(brief(value), text);
        }
        assert_eq!(count(31_204), "31\u{202f}204");
        assert_eq!(count(1234), "1234");
        assert_eq!(brief(50_000.0), "50\u{202f}000");
        assert_eq!([rate(850.0), rate(1_234_567.0), rate(45_600.0)], ["850", "1.23 M", "45.6 k"]);
    }

    #[test]
    fn what_is_shown_can_be_typed_back() {
        for value in [0.043, 1e-5, 50_000.0, -3.25, 0.199_551_587_3, 231.066_349_3, 0.0, 1e12] {
            assert_eq!(parse(&exact(value)), Some(value));
        }
        assert_eq!(parse("0,5"), Some(0.5));
        assert_eq!(parse("1e-3"), Some(0.001));
        assert_eq!(parse("many"), None);
        assert_eq!(parse("inf"), None);
    }
}
