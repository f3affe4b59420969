//! Formatting and parsing of numbers: few digits, thin spaces between thousands, true minus signs, `2·10⁻⁵` for very small and
//! very large values. The window and the figures format all their numbers here.

/// Measures whose third decimal matters: R-hat is good below 1.01, and log evidences are compared by their difference.
pub const FINE: [&str; 7] =
    ["rhat", "quantity_rhat", "elbo", "elbo_now", "evidence", "held_out_per_word", "elbo_per_word"];

/// Significant digits of a number that is only read.
const READ_DIGITS: usize = 4;

/// Significant digits of a number that can be edited: enough that `0.1995515873` survives.
const EDIT_DIGITS: usize = 10;

/// Powers of ten that are always written without an exponent.
const PLAIN: std::ops::Range<i32> = -4..6;

/// A thin space without a line break.
const THIN_SPACE: char = '\u{202f}';

/// A count with its thousands apart: 31 204.
#[must_use]
pub fn count(number: u64) -> String {
    grouped(&number.to_string())
}

/// So many things with a plural in s: `1 draw`, `31 204 draws`.
#[must_use]
pub fn counted(number: u64, noun: &str) -> String {
    format!("{} {noun}{}", count(number), if number == 1 { "" } else { "s" })
}

/// A number to be read: `0.1059`, `31 204`, `1.2·10⁻⁵`.
#[must_use]
pub fn brief(value: f64) -> String {
    significant(value, READ_DIGITS)
}

/// A number to be edited: short, with all typed digits. [`parse`] reads it back.
#[must_use]
pub fn exact(value: f64) -> String {
    significant(value, EDIT_DIGITS)
}

/// A number with `digits` significant digits and without needless zeros. Below 10⁻⁴, and from 10⁶ and 10^`digits` on, with a power
/// of ten.
#[must_use]
pub fn significant(value: f64, digits: usize) -> String {
    written(value, digits, false)
}

/// The same with its zeros, for numbers that stand beside others: `0.130` beside `0.127`.
#[must_use]
pub fn aligned(value: f64, digits: usize) -> String {
    written(value, digits, true)
}

/// Digits that tell any two numbers apart.
pub const ALL_DIGITS: usize = 17;

/// The same with as many more digits as it takes for the rounded number to be below, at or above `limit` as the value is: what a
/// sentence says of both stays true.
#[must_use]
pub fn against(value: f64, limit: f64, digits: usize) -> String {
    significant(value, digits_against(&[value].into_iter(), limit, digits))
}

/// The least number of significant digits, but at least `digits`, with which all `values` are below, at or above the `limit`, which
/// itself is not rounded.
#[must_use]
pub fn digits_against(values: &(impl Iterator<Item = f64> + Clone), limit: f64, digits: usize) -> usize {
    let stays = |value: f64, digits: usize| {
        let shown = parse(&significant(value, digits)).unwrap_or(value);
        shown.partial_cmp(&limit) == value.partial_cmp(&limit)
    };
    (digits..ALL_DIGITS).find(|&digits| values.clone().all(|value| stays(value, digits))).unwrap_or(ALL_DIGITS)
}

/// A value as it is read, if its text is on the same side of all `limits` as the value is; else with as many more digits as that takes, from
/// `digits` on.
#[must_use]
pub fn beside_limits(text: String, value: f64, limits: &[f64], digits: usize) -> String {
    let stays = |text: &str, limit: f64| {
        let shown = parse(text).unwrap_or(value);
        shown.partial_cmp(&limit) == value.partial_cmp(&limit)
    };
    let all = |text: &str| limits.iter().all(|limit| stays(text, *limit));
    if all(&text) {
        return text;
    }
    let longer = (digits..=ALL_DIGITS).map(|digits| significant(value, digits)).find(|text| all(text));
    longer.unwrap_or(text)
}

/// Relative error of a number that was computed as exactly as can be.
const ROUNDING: f64 = 1e-12;

/// With `digits` significant digits, rounded towards 0: what is true below the value is true below the text.
#[must_use]
pub fn rounded_down(value: f64, digits: usize) -> String {
    let nearest = significant(value, digits);
    // 0.2 is no less for a rounding in the last bit.
    if parse(&nearest).is_none_or(|shown| shown.abs() <= value.abs() * (1.0 + ROUNDING)) {
        return nearest;
    }
    // Half a unit of the last digit less rounds to the digit below.
    let unit = 10_f64.powf(value.abs().log10().floor() + 1.0 - digits as f64);
    significant(value - (0.5 * unit).copysign(value), digits)
}

/// A share in percent, in whole ones if the text is below, at or above that of `limit` as the share is, else with decimals.
#[must_use]
pub fn percent_against(share: f64, limit: f64) -> String {
    let whole = percent(share);
    let shown = (100.0 * share).round() / 100.0;
    if shown.partial_cmp(&limit) == share.partial_cmp(&limit) {
        return whole;
    }
    // As it is written: 100 × 0.14 is not 14 to the last bit.
    let limit = parse(&exact(100.0 * limit)).unwrap_or(100.0 * limit);
    format!("{} %", against(100.0 * share, limit, 3))
}

/// With all significant digits, or without zeros at the end.
fn written(value: f64, digits: usize, zeros: bool) -> String {
    if value == 0.0 {
        return "0".to_owned();
    }
    if !value.is_finite() {
        return if value.is_nan() { "–".to_owned() } else { signed("∞", value) };
    }
    let scientific = format!("{:.*e}", digits.saturating_sub(1), value.abs());
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let digits = i32::try_from(digits).unwrap_or(0);
    if (PLAIN.start..PLAIN.end.max(digits)).contains(&exponent) {
        let decimals = (digits - 1 - exponent).max(0);
        let decimals = decimals.unsigned_abs() as usize;
        return if zeros { decimal(value, decimals) } else { signed(&fixed(value.abs(), decimals), value) };
    }
    let mantissa = if zeros { mantissa } else { trimmed(mantissa) };
    signed(&format!("{mantissa}·10{}", superscript(exponent)), value)
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

/// Reads a number that a person typed: spaces between thousands, a comma for the point, a real minus sign, a power of ten as
/// `2e-5`, `2·10⁻⁵` or `2*10^-5`. `None` for what is not a finite number.
#[must_use]
pub fn parse(text: &str) -> Option<f64> {
    let plain: String = text.chars().filter(|c| !c.is_whitespace() && *c != '_').map(typed).collect();
    let power_at = plain.find(SUPERSCRIPTS).unwrap_or(plain.len());
    let (mut plain, power) = (plain[..power_at].to_owned(), &plain[power_at..]);
    if !power.is_empty() {
        plain.push('^');
        plain.extend(power.chars().map(lowered));
    }
    let plain = plain.replace("*10^", "e");
    let plain = plain.strip_prefix("10^").map_or_else(|| plain.clone(), |power| format!("1e{power}"));
    plain.parse().ok().filter(|number: &f64| number.is_finite())
}

/// The character that a plain keyboard has for this one.
fn typed(character: char) -> char {
    match character {
        '−' => '-',
        ',' => '.',
        '·' | '×' => '*',
        other => other,
    }
}

/// The digits from 0 to 9 and the minus sign as exponents.
const SUPERSCRIPTS: [char; 11] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹', '⁻'];

/// The same digits on the line.
const DIGITS: [char; 11] = ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9', '-'];

fn lowered(character: char) -> char {
    SUPERSCRIPTS.iter().position(|raised| *raised == character).map_or(character, |index| DIGITS[index])
}

/// A duration in milliseconds or seconds: 14 ms, 1.3 s.
#[must_use]
pub fn duration(time: std::time::Duration) -> String {
    let seconds = time.as_secs_f64();
    if seconds < 1.0 { format!("{:.0} ms", 1e3 * seconds) } else { format!("{} s", significant(seconds, 2)) }
}

/// A share in whole percent: 42 %.
#[must_use]
pub fn percent(share: f64) -> String {
    format!("{:.0} %", 100.0 * share)
}

/// A number with a fixed number of decimals, for the ticks of an axis.
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
pub(crate) fn trimmed(mantissa: &str) -> &str {
    if mantissa.contains('.') { mantissa.trim_end_matches('0').trim_end_matches('.') } else { mantissa }
}

fn signed(text: &str, value: f64) -> String {
    if value < 0.0 { format!("−{text}") } else { text.to_owned() }
}

/// Digits with a thin space before every third from the end; four digits stay together.
pub(crate) fn grouped(digits: &str) -> String {
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
    let raised =
        |digit: char| DIGITS.iter().position(|plain| *plain == digit).map_or(digit, |index| SUPERSCRIPTS[index]);
    exponent.to_string().chars().map(raised).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_limit_that_is_0_2_but_for_the_last_bit_is_0_2() {
        let limit = 2.0 / (1.0 / (1.0 - 0.9_f64));
        assert!(limit < 0.2, "{limit}");
        assert_eq!(rounded_down(limit, 2), "0.2");
        assert_eq!(rounded_down(0.1999, 2), "0.19");
    }

    proptest! {
        /// However a number is written: beside its limits it is on their sides, and as it was written where that is true already.
        #[test]
        fn a_number_beside_limits_is_on_their_sides(
            value in -3.0..3.0_f64, apart in prop::collection::vec((-12.0..0.0_f64, any::<bool>()), 0..3), decimals in 0..4_usize,
        ) {
            let limits: Vec<f64> =
                apart.iter().map(|(power, above)| value + if *above { 10_f64.powf(*power) } else { -10_f64.powf(*power) }).collect();
            let plain = decimal(value, decimals);
            let text = beside_limits(plain.clone(), value, &limits, 3);
            let shown = parse(&text).unwrap();
            for limit in &limits {
                prop_assert_eq!(shown.partial_cmp(limit), value.partial_cmp(limit), "{} beside {}", text, limit);
            }
            let true_already =
                limits.iter().all(|limit| parse(&plain).unwrap().partial_cmp(limit) == value.partial_cmp(limit));
            prop_assert!(!true_already || text == plain);
        }

        /// Whatever is rounded: the text is on the side of the limit on which the number is, with no more digits than that takes.
        #[test]
        fn what_is_said_of_a_number_and_a_limit_stays_true(
            limit in -8.0..8.0_f64, apart in -18.0..2.0_f64, sign in prop::sample::select(vec![-1.0, 0.0, 1.0]), digits in 1..5_usize,
        ) {
            let limit = parse(&significant(10_f64.powf(limit), 3)).unwrap();
            let value = limit * (1.0 + sign * 10_f64.powf(apart));
            let shown = parse(&against(value, limit, digits)).unwrap();
            prop_assert_eq!(shown.partial_cmp(&limit), value.partial_cmp(&limit), "{} at {}", value, limit);
            let rounded = parse(&significant(value, digits)).unwrap();
            if rounded.partial_cmp(&limit) == value.partial_cmp(&limit) {
                prop_assert_eq!(against(value, limit, digits), significant(value, digits));
            }
            let down = parse(&rounded_down(value, digits)).unwrap();
            prop_assert!(down.abs() <= value.abs() * (1.0 + ROUNDING) && down.abs() >= value.abs() * (1.0 - 10_f64.powi(1 - digits as i32)) * (1.0 - 1e-12));
        }

        #[test]
        fn a_percentage_stays_on_its_side(share in 0.0..1.0_f64, limit in 1..100_u8, near in any::<bool>()) {
            let limit = f64::from(limit) / 100.0;
            let share = if near { limit + 1e-3 * (share - 0.5) } else { share };
            let text = percent_against(share, limit);
            let shown = parse(text.trim_end_matches(" %")).unwrap() / 100.0;
            prop_assert_eq!(shown < limit - 1e-15, share < limit - 1e-15, "{} at {}: {}", share, limit, text);
        }
    }

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
    fn digits_of_numbers_that_stand_beside_others() {
        let values = [0.13, -17.96, 0.000_123_45, 2.0, 0.9996, 123_456.0, 2e-7, 0.0];
        let texts = ["0.130", "−18.0", "0.000123", "2.00", "1.00", "123\u{202f}456", "2.00·10⁻⁷", "0"];
        assert_eq!(values.map(|value| aligned(value, 3)), texts);
        assert_eq!([f64::NAN, f64::NEG_INFINITY].map(|value| aligned(value, 3)), ["–", "−∞"]);
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

    #[test]
    fn brief_numbers_are_short() {
        for (value, text) in
            [(0.043, "0.043"), (0.000_012, "1.2·10⁻⁵"), (1.0, "1"), (-2.5, "−2.5"), (0.105_88, "0.1059")]
        {
            assert_eq!(brief(value), text);
        }
        assert_eq!(brief(50_000.0), "50\u{202f}000");
        assert_eq!(exact(2_000_000.0), "2\u{202f}000\u{202f}000");
        assert_eq!([rate(850.0), rate(1_234_567.0), rate(45_600.0)], ["850", "1.23 M", "45.6 k"]);
    }

    #[test]
    fn shown_numbers_can_be_typed_back() {
        for value in [0.043, 1e-5, -2.5e-7, 50_000.0, -3.25, 0.199_551_587_3, 231.066_349_3, 0.0, 1e12, 3e200] {
            assert_eq!(parse(&exact(value)), Some(value));
        }
        for (text, value) in [("0,5", 0.5), ("1e-3", 0.001), ("2·10^-3", 0.002), ("10⁻³", 0.001), ("2 * 10^5", 2e5)]
        {
            assert_eq!(parse(text), Some(value), "{text}");
        }
        for text in ["many", "inf", "", "2·10", "⁵"] {
            assert_eq!(parse(text), None, "{text}");
        }
    }
}
