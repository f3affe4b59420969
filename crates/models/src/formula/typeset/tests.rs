//! Tests of typeset formulas, with letters that are all half as wide as they are high.

use super::*;
use crate::formula::tests::smooth;
use proptest::prelude::*;

fn measure(text: &str, _slanted: bool) -> f32 {
    0.5 * text.chars().count() as f32
}

fn typeset(text: &str, width: f32) -> Typeset {
    Formula::read(text).unwrap_or_else(|error| panic!("{text}: {error}")).typeset(Form::LogDensity, width, &measure)
}

/// A text with its position and its size.
#[derive(Clone, Debug, PartialEq)]
struct PlacedText {
    text: String,
    slanted: bool,
    size: f32,
    at: [f32; 2],
}

impl PlacedText {
    fn right(&self) -> f32 {
        self.at[0] + self.size * measure(&self.text, false)
    }
}

fn texts(typeset: &Typeset) -> Vec<PlacedText> {
    let text = |mark: &Mark| match mark {
        Mark::Text { text, slanted, size, at } => {
            Some(PlacedText { text: text.clone(), slanted: *slanted, size: *size, at: *at })
        }
        Mark::Line { .. } => None,
    };
    typeset.marks.iter().filter_map(text).collect()
}

fn lines(typeset: &Typeset) -> Vec<Vec<[f32; 2]>> {
    let line = |mark: &Mark| if let Mark::Line { points, .. } = mark { Some(points.clone()) } else { None };
    typeset.marks.iter().filter_map(line).collect()
}

/// The words after "log p =", in the order in which they are set.
fn words(text: &str) -> String {
    let set = texts(&typeset(text, 100.0)).into_iter().map(|mark| mark.text);
    set.skip(3).collect::<Vec<_>>().join(" ")
}

fn find(typeset: &Typeset, text: &str) -> PlacedText {
    texts(typeset).into_iter().find(|mark| mark.text == text).unwrap_or_else(|| panic!("no {text}"))
}

#[test]
fn signs_and_brackets_say_how_a_text_was_understood() {
    for (text, expected) in [
        ("x − y − 1", "x − y − 1"),
        // Brackets around what is lowered are lines.
        ("−x[2]² − sum((x[i+1] − x[i])²)", "− x 2 2 − Σ i x i+1 − x i 2"),
        ("x − (y − 1)", "x − ( y − 1 )"),
        ("x + (−y)", "x + ( − y )"),
        ("(x y)(x − 1)", "x y ( x − 1 )"),
        ("2*3x", "2 · 3 x"),
        ("x*2", "x · 2"),
        ("2(x + 1)", "2 ( x + 1 )"),
        ("log(x) + log(y)", "ln ( x ) + ln ( y )"),
        ("logsumexp(x, y)", "logsumexp ( x , y )"),
        ("min(x, max(y, 1))", "min ( x , max ( y , 1 ) )"),
        ("(((x)))", "x"),
        ("1e-7x", "10 −7 x"),
        ("2.5e9x", "2.5·10 9 x"),
    ] {
        assert_eq!(words(text), expected, "{text}");
    }
}

#[test]
fn a_power_is_small_and_raised_and_takes_in_what_it_binds() {
    let square = typeset("−x²", 100.0);
    let [x, two] = ["x", "2"].map(|text| find(&square, text));
    assert!(two.size < x.size && two.at[1] < x.at[1] - 0.3 && two.at[0] >= x.right(), "{x:?} {two:?}");
    assert_eq!(words("−x²"), "− x 2", "the minus is outside");
    assert_eq!(words("(−x)²"), "( − x ) 2");
    assert_eq!(words("(x y)²"), "( x y ) 2");
    assert_eq!(words("sqrt(x)²"), "( x ) 2");
    // 2^(3^x): each is smaller than the one before, and higher.
    let tower = typeset("2^3^x", 100.0);
    let [two, three, x] = ["2", "3", "x"].map(|text| find(&tower, text));
    assert!(two.size > three.size && three.size > x.size && two.at[1] > three.at[1] && three.at[1] > x.at[1]);
}

#[test]
fn a_fraction_has_a_bar_over_all_that_is_divided_by() {
    // What is above and below the bar, and beside it.
    for (text, above, below, beside) in [
        ("x/2", "x", "2", ""),
        ("1/(2x)", "1", "2x", ""),
        ("1/2*x", "1", "2", "x"),
        ("x y/2/s", "xy", "2s", ""),
        ("(x − 1)/(y + 1)", "x−1", "y+1", ""),
        ("3x/y*2", "3x", "y", "·2"),
    ] {
        let set = typeset(text, 100.0);
        let bars = lines(&set);
        assert_eq!(bars.len(), 1, "{text}");
        let ([left, level], [right, _]) = (bars[0][0], bars[0][1]);
        let (mut found, base) = ([String::new(), String::new(), String::new()], find(&set, "p").at[1]);
        for mark in &texts(&set)[3..] {
            let row = if mark.at[1] > base {
                1
            } else if mark.at[1] < base {
                0
            } else {
                2
            };
            found[row] += &mark.text;
            let beyond = mark.at[0] < left - 1e-5 || mark.right() > right + 1e-5;
            assert_eq!(beyond, row == 2, "{text}: {mark:?}");
        }
        assert!(level < base, "{text}");
        assert_eq!(found, [above, below, beside], "{text}");
    }
}

#[test]
fn roots_and_sizes_have_lines() {
    let root = typeset("sqrt(x² + y)", 100.0);
    let [line] = &lines(&root)[..] else { panic!("{root:?}") };
    let [from, to] = [line[line.len() - 2], line[line.len() - 1]];
    let inside =
        |mark: &&PlacedText| mark.at[0] > from[0] && mark.right() < to[0] && mark.at[1] > from[1] + 0.7 * mark.size;
    assert_eq!(texts(&root)[3..].iter().filter(inside).count(), 4, "everything is below the bar");
    assert!(texts(&root).iter().all(|mark| mark.text != "sqrt"));
    let size = typeset("abs(x)", 100.0);
    let [left, right] = &lines(&size)[..] else { panic!("{size:?}") };
    let x = find(&size, "x");
    assert!(left[0][0] < x.at[0] && right[0][0] > x.right() && left[0][1] < x.at[1] - 0.7 && left[1][1] > x.at[1]);
    // Tall brackets are drawn.
    assert_eq!(lines(&typeset("exp(x/2)", 100.0)).len(), 3);
}

#[test]
fn names_are_slanted_greek_and_have_indices() {
    for (name, expected) in [
        ("sigma", "σ"),
        ("σ", "σ"),
        ("theta_1", "θ1"),
        ("θ₁", "θ1"),
        ("w12", "w12"),
        ("v_max", "vmax"),
        ("k_alpha", "kα"),
        ("width", "width"),
        ("_a", "_a"),
    ] {
        let set = typeset(&format!("x {name}"), 100.0);
        let rest: Vec<PlacedText> = texts(&set)[4..].to_vec();
        assert_eq!(rest.iter().map(|mark| mark.text.clone()).collect::<String>(), expected);
        assert!(rest[0].slanted);
        assert!(rest.iter().skip(1).all(|index| index.size < 1.0 && index.at[1] > rest[0].at[1]), "{name}");
    }
    // Two names that would look the same stay as they are written.
    assert_eq!(words("sigma x + σ y"), "sigma x + σ y");
    assert_eq!(words("pi x + e"), "π x + e");
    for upright in ["exp(x)", "e x", "pi x"] {
        assert!(!texts(&typeset(upright, 100.0))[3].slanted, "{upright}");
    }
}

#[test]
fn every_abbreviation_has_a_line_and_the_value_says_what_it_is() {
    let text = "r = sqrt(x² + y²)\na = 2r; −(r − 1)²/a";
    let formula = Formula::read(text).unwrap();
    for (form, value) in [(Form::LogDensity, "log p="), (Form::Density, "p∝"), (Form::Energy, "−log p=")] {
        let set = texts(&formula.typeset(form, 100.0, &measure));
        let all: String = set.iter().map(|mark| mark.text.as_str()).collect();
        assert!(all.starts_with("r=x2+y2a=2") && all.contains(value), "{all}");
        let heads = [0, 7].map(|index: usize| set[index].at);
        assert!(heads[0][0] == 0.0 && heads[1][0] == 0.0 && heads[1][1] > heads[0][1] + 1.0, "{heads:?}");
    }
}

#[test]
fn what_is_too_wide_goes_on_in_the_next_line() {
    let many: Vec<String> = (1..30).map(|number| format!("exp(−(x − {number})²)")).collect();
    for text in
        [many.join(" + "), format!("logsumexp({})", many.join(", ")), many.join(" "), format!("1/({})", many.join("−"))]
    {
        let set = typeset(&text, 20.0);
        assert!(set.size[0] <= 20.0 && set.size[1] > 10.0, "{text}: {:?}", set.size);
        assert!(typeset(&text, 1e6).size[1] < 4.0, "{text}");
    }
}

/// Everything is within the size, and no two texts lie on each other.
fn check(set: &Typeset, text: &str) {
    let boxes: Vec<[f32; 4]> = texts(set)
        .iter()
        .map(|mark| [mark.at[0], mark.at[1] - 0.7 * mark.size, mark.right(), mark.at[1] + 0.15 * mark.size])
        .collect();
    let points = lines(set).concat();
    let corners = boxes.iter().flat_map(|[left, top, right, bottom]| [[*left, *top], [*right, *bottom]]);
    for [x, y] in corners.chain(points) {
        let inside = x >= -1e-4 && y >= -1e-4 && x <= set.size[0] + 1e-3 && y <= set.size[1] + 1e-3;
        assert!(inside, "{text}: ({x}, {y}) outside of {:?}", set.size);
    }
    for (index, one) in boxes.iter().enumerate() {
        for other in &boxes[..index] {
            let apart =
                one[2] <= other[0] + 1e-3 || other[2] <= one[0] + 1e-3 || one[3] <= other[1] || other[3] <= one[1];
            assert!(apart, "{text}: {one:?} on {other:?}");
        }
    }
}

proptest! {
    #[test]
    fn nothing_is_cut_and_nothing_lies_on_something_else(text in smooth(), width in 8.0..60.0_f32) {
        check(&typeset(&text, width), &text);
    }
}

#[test]
fn examples_are_typeset_within_a_panel() {
    for example in &crate::formula::EXAMPLES {
        let set = typeset(example.text, 30.0);
        check(&set, example.text);
        assert!(set.size[0] <= 30.0, "{}: {:?}", example.target, set.size);
    }
}

/// The deepest and the longest formulas take no time and stay finite.
#[test]
fn the_largest_formulas_are_typeset() {
    let deep = format!("{}x{}", "logsumexp(1, ".repeat(100), ")".repeat(100));
    let tower = "x^".repeat(99) + "x";
    let long = format!("x{}", " + sin(x*y)".repeat(1800));
    for text in [deep, tower, long] {
        let set = typeset(&text, 30.0);
        assert!(set.size.iter().all(|size| size.is_finite() && *size > 0.0));
    }
}
