//! Numbers as they are written in the window: grouped thousands, true minus signs, few digits.

/// A thin space that is never broken.
const THIN_SPACE: char = '\u{202f}';

/// A count with its thousands apart: 31 204.
#[must_use]
pub fn count(number: u64) -> String {
    grouped(&number.to_string())
}

/// A number with `digits` significant digits, without needless zeros; powers of ten beyond 10⁻⁴ and 10⁶.
#[must_use]
pub fn significant(value: f64, digits: usize) -> String {
    if value == 0.0 {
        return "0".to_owned();
    }
    if !value.is_finite() {
        return if value.is_nan() { "–".to_owned() } else { signed("∞", value) };
    }
    let scientific = format!("{:.*e}", digits.saturating_sub(1), value.abs());
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    if (-4..6).contains(&exponent) {
        let decimals = (i32::try_from(digits).unwrap_or(0) - 1 - exponent).max(0);
        return signed(&fixed(value.abs(), decimals.unsigned_abs() as usize), value);
    }
    signed(&format!("{}·10{}", trimmed(mantissa), superscript(exponent)), value)
}

/// A time a person can grasp: 14 ms, 1.3 s.
#[must_use]
pub fn duration(time: std::time::Duration) -> String {
    let seconds = time.as_secs_f64();
    if seconds < 1.0 { format!("{:.0} ms", 1e3 * seconds) } else { format!("{} s", significant(seconds, 2)) }
}

/// A number with so many decimals, for ticks: all of one axis have the same.
#[must_use]
pub fn decimal(value: f64, decimals: usize) -> String {
    let text = format!("{:.*}", decimals, value.abs());
    let (whole, rest) = text.split_once('.').map_or((text.as_str(), ""), |(whole, rest)| (whole, rest));
    let text = if rest.is_empty() { grouped(whole) } else { format!("{}.{rest}", grouped(whole)) };
    if text.chars().any(|c| ('1'..='9').contains(&c)) { signed(&text, value) } else { text }
}

/// 10 to a whole power: 10⁻³, and plain 1 and 10.
#[must_use]
pub fn power_of_ten(exponent: i32) -> String {
    match exponent {
        0 => "1".to_owned(),
        1 => "10".to_owned(),
        _ => format!("10{}", superscript(exponent)),
    }
}

/// Unsigned, trailing zeros cut, thousands apart.
fn fixed(value: f64, decimals: usize) -> String {
    let text = format!("{value:.decimals$}");
    match text.split_once('.') {
        Some((whole, rest)) if rest.trim_end_matches('0').is_empty() => grouped(whole),
        Some((whole, rest)) => format!("{}.{}", grouped(whole), rest.trim_end_matches('0')),
        None => grouped(&text),
    }
}

/// Without zeros at the end of the fraction.
pub(in crate::app) fn trimmed(mantissa: &str) -> &str {
    if mantissa.contains('.') { mantissa.trim_end_matches('0').trim_end_matches('.') } else { mantissa }
}

fn signed(text: &str, value: f64) -> String {
    if value < 0.0 { format!("−{text}") } else { text.to_owned() }
}

/// Digits with a thin space before every third from the end; four digits stay together.
pub(in crate::app) fn grouped(digits: &str) -> String {
    if digits.len() <= 4 {
        return digits.to_owned();
    }
    let mut text = String::with_capacity(digits.len() * 2);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(THIN_SPACE);
        }
        text.push(digit);
    }
    text
}

fn superscript(exponent: i32) -> String {
    let raised = |digit: char| match digit {
        '-' => '⁻',
        '1' => '¹',
        '2' => '²',
        '3' => '³',
        '4' => '⁴',
        '5' => '⁵',
        '6' => '⁶',
        '7' => '⁷',
        '8' => '⁸',
        '9' => '⁹',
        _ => '⁰',
    };
    exponent.to_string().chars().map(raised).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_grouped() {
        assert_eq!(count(0), "0");
        assert_eq!(count(5000), "5000");
        assert_eq!(count(31_204), "31\u{202f}204");
        assert_eq!(count(1_000_000), "1\u{202f}000\u{202f}000");
    }

    #[test]
    fn significant_digits() {
        assert_eq!(significant(0.0, 3), "0");
        assert_eq!(significant(0.043, 3), "0.043");
        assert_eq!(significant(0.000_123_45, 3), "0.000123");
        assert_eq!(significant(-17.96, 3), "−18");
        assert_eq!(significant(123_456.0, 3), "123\u{202f}456");
        assert_eq!(significant(2.5e-7, 3), "2.5·10⁻⁷");
        assert_eq!(significant(1e9, 3), "1·10⁹");
        assert_eq!(significant(f64::NEG_INFINITY, 3), "−∞");
        assert_eq!(significant(f64::NAN, 3), "–");
    }

    #[test]
    fn ticks() {
        assert_eq!(decimal(-0.5, 1), "−0.5");
        assert_eq!(decimal(-0.0, 1), "0.0");
        assert_eq!(decimal(-0.000_001, 2), "0.00");
        assert_eq!(decimal(12_500.0, 0), "12\u{202f}500");
        assert_eq!(power_of_ten(-3), "10⁻³");
        assert_eq!(power_of_ten(0), "1");
    }

    #[test]
    fn durations() {
        let told = |milliseconds| duration(std::time::Duration::from_millis(milliseconds));
        assert_eq!([0, 14, 999, 1340].map(told), ["0 ms", "14 ms", "999 ms", "1.3 s"]);
    }
}
