//! Axes of plots from what stands beside them: the name, the ticks, and whether the axis is logarithmic. Where the drawing has told it, ticks are
//! exactly where it has them; else they are at the numbers that stand there.

use egui::Rect;

use super::super::vector::{Drawn, Label, Plot, Script, Side, TICKS, Ticks, as_mathtext, mathtext_of, same};

/// How far a tick may be from where its number belongs, as a share of the axis.
const NEAR: f64 = 0.03;

/// The letters of superscripts, in the order of [`PLAIN`].
const RAISED: &str = "⁰¹²³⁴⁵⁶⁷⁸⁹⁻";
const PLAIN: &str = "0123456789-";

/// An axis.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Axis {
    /// Its name; may be empty.
    pub name: String,
    /// The same as matplotlib sets it.
    pub mathtext: String,
    /// The values at its ends.
    pub ends: [f64; 2],
    /// Whether it is logarithmic; its values are those of the quantity, not their logarithms.
    pub log: bool,
    /// Values that have a tick, and what stands there.
    pub ticks: Vec<(f64, String)>,
}

/// The axes of a plot, horizontal and upright.
pub(super) fn of(drawn: &[(Rect, usize, Drawn<'_>)], (number, plot): (usize, &Plot), told: &[Ticks]) -> [Axis; 2] {
    [Side::Below, Side::Left].map(|side| {
        let beside = drawn.iter().filter_map(|(_, _, drawn)| match drawn {
            Drawn::Label(label) if label.axis == Some((number, side)) => Some(label),
            _ => None,
        });
        let told = told.iter().find(|ticks| ticks.side == side && same(ticks.rect, plot.rect));
        axis(&beside.collect::<Vec<_>>(), (plot, side), told)
    })
}

fn axis(labels: &[&Label], (plot, side): (&Plot, Side), told: Option<&Ticks>) -> Axis {
    let ends = if side == Side::Below { plot.x } else { plot.y };
    let is_name = |label: &&Label| match side {
        Side::Left => label.angle.abs() > 0.1,
        // Ticks are in the first line below the plot.
        Side::Below => label.start.y - plot.rect.bottom() > TICKS * label.size(),
    };
    let (names, ticks): (Vec<&Label>, Vec<&Label>) = labels.iter().copied().partition(is_name);
    let place = |label: &Label| {
        let middle = label.at(0.5);
        let share = match side {
            Side::Below => (middle.x - plot.rect.left()) / plot.rect.width(),
            // The baseline is below the middle of a number.
            Side::Left => (plot.rect.bottom() - (middle.y - 0.36 * label.size())) / plot.rect.height(),
        };
        ends[0] + f64::from(share) * (ends[1] - ends[0])
    };
    let found: Vec<(f64, String)> = ticks.iter().map(|label| (place(label), label.text())).collect();
    let numbers: Option<Vec<f64>> = found.iter().map(|(_, text)| value(text)).collect();
    let far = NEAR * (ends[1] - ends[0]).abs();
    let fits = |of: fn(f64) -> f64| {
        let numbers = numbers.as_ref().filter(|numbers| !numbers.is_empty());
        numbers
            .is_some_and(|numbers| numbers.iter().zip(&found).all(|(number, (at, _))| (of(*number) - at).abs() < far))
    };
    let log = told.map_or_else(|| !fits(|number| number) && fits(f64::log10), |told| told.log);
    let exact = fits(if log { f64::log10 } else { |number| number });
    // A tick with words of its own is where the drawing says.
    let nearest = |at: f64| {
        let ticks = told.into_iter().flat_map(|told| &told.at).copied();
        let nearest = ticks.min_by(|one, other| (one - at).abs().total_cmp(&(other - at).abs()));
        let place = nearest.filter(|tick| (tick - at).abs() < far).unwrap_or(at);
        if log { 10f64.powf(place) } else { place }
    };
    let at = |(index, (at, text)): (usize, (f64, String))| {
        (numbers.as_ref().filter(|_| exact).map_or_else(|| nearest(at), |numbers| numbers[index]), text)
    };
    let mut ticks: Vec<(f64, String)> = found.into_iter().enumerate().map(at).collect();
    if let Some(told) = told.filter(|_| labels.is_empty()) {
        // Another plot has the labels of this axis; its lines are at these places.
        let value = |at: &f64| if log { 10f64.powf(*at) } else { *at };
        ticks.extend(told.at.iter().map(|at| (value(at), String::new())));
    }
    ticks.sort_by(|one, other| one.0.total_cmp(&other.0));
    // What else stands in the line of the name is a remark.
    let from_middle = |label: &Label| match side {
        Side::Below => (label.at(0.5).x - plot.rect.center().x).abs(),
        Side::Left => (label.at(0.5).y - plot.rect.center().y).abs(),
    };
    let name = names.into_iter().min_by(|one, other| from_middle(one).total_cmp(&from_middle(other)));
    let left_out = told.and_then(|told| told.name.clone()).unwrap_or_default();
    let set = || mathtext_of_name(as_mathtext(&[(&left_out, Script::Line)]));
    Axis {
        name: name.map_or_else(|| left_out.clone(), Label::text),
        mathtext: name.map_or_else(set, |label| mathtext_of_name(label.mathtext())),
        ends: if log { ends.map(|end| 10f64.powf(end)) } else { ends },
        log,
        ticks,
    }
}

/// The name of an axis as matplotlib sets it. A letter by itself is a variable.
fn mathtext_of_name(set: String) -> String {
    let mut letters = set.chars();
    match (letters.next(), letters.next()) {
        (Some(letter), None) if letter.is_alphabetic() => format!("${}$", mathtext_of(letter)),
        _ => set,
    }
}

/// The number in the text of a tick: `0.5`, `−3`, `31 204`, `10⁻³`, `2·10⁻⁵`.
fn value(text: &str) -> Option<f64> {
    let spaceless: String =
        text.chars().filter(|letter| !matches!(letter, ' ' | '\u{202f}' | '\u{2009}' | '\u{a0}')).collect();
    let plain = spaceless.replace('−', "-");
    let Some((before, power)) = plain.split_once("10").filter(|(_, power)| is_raised(power)) else {
        return plain.parse().ok().filter(|value: &f64| value.is_finite());
    };
    let power: String = power
        .chars()
        .filter_map(|letter| PLAIN.chars().nth(RAISED.chars().position(|raised| raised == letter)?))
        .collect();
    let factor = match before.trim_end_matches(['·', '×']) {
        "" => 1.0,
        "-" => -1.0,
        factor => factor.parse().ok()?,
    };
    Some(factor * 10f64.powi(power.parse().ok()?))
}

/// Whether a text consists of superscripts.
fn is_raised(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|letter| RAISED.contains(letter))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_numbers() {
        let expected = [
            ("0.5", 0.5),
            ("−3", -3.0),
            ("31\u{202f}204", 31_204.0),
            ("10⁻³", 1e-3),
            ("2·10⁻⁵", 2e-5),
            ("10", 10.0),
            ("−10²", -100.0),
        ];
        for (text, number) in expected {
            assert!(value(text).is_some_and(|value| (value / number - 1.0).abs() < 1e-12), "{text}: {:?}", value(text));
        }
        assert_eq!(["SGLD", "", "1 of 2"].map(value), [None; 3]);
    }
}
