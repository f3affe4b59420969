//! Tests of canvases beside each other: those that belong together show the same part of the plane at one size, whatever their names are, and those with
//! limits of their own show what is within these, whatever the others show. Plots below each other with one axis, and names that stand once.

use std::path::Path;

use super::measuring;
use super::*;
use base::math::{Purpose, Stream};
use base::params::{ParamType, Settings, Value};
use engine::scenario::figures::{FIGURE, VENUES};
use engine::scenario::{ViewSpec, read};
use engine::session::Session;

const RUNS: &str = "format = 1\ntitle = \"t\"\nseed = 3\n[target]\nkind = \"gaussian-grid\"\n\
    [[run]]\nname = \"A\"\nmethod = \"sgld\"\nsteps = 4000\nchains = 3\ngradient = { kind = \"noisy\", variance = 1.0 }\n\
    [[run]]\nname = \"B\"\nmethod = \"csgld\"\nsteps = 4000\nstep_size = { kind = \"cyclical\", cycles = 4 }\n\
    [[run]]\nname = \"C\"\nmethod = \"svi\"\nsteps = 200\n";

fn frame() -> Frame {
    let mut session = Session::new(read(RUNS, "t", Path::new("")).unwrap_or_else(|error| panic!("{error}"))).unwrap();
    session.advance(u64::MAX);
    measuring::measure(&mut session, [Picture::Sheet]);
    session.frame()
}

fn item(key: &str, values: &[(&str, Value)]) -> Settings {
    let ParamType::List(kind) = FIGURE.param(key).unwrap().ty else { panic!("{key} is no list") };
    let mut item = Settings::defaults(kind);
    values.iter().for_each(|(key, value)| item.set(key, value.clone()).unwrap());
    item
}

fn words(text: &str) -> Value {
    Value::Text(text.to_owned())
}

/// What is wrong with canvases that belong together: other sizes, other parts of the plane, or other lines.
fn unlike(told: &Told, group: &[usize]) -> Vec<String> {
    let spot = |panel: &usize| told.spots.iter().find(|spot| spot.panel == *panel);
    let Some(spots) = group.iter().map(spot).collect::<Option<Vec<&Spot>>>() else { return Vec::new() };
    let first = spots[0];
    let differs = |spot: &&&Spot| {
        let apart = spot.area.size() - first.area.size();
        let ends = [spot.min[0] - first.min[0], spot.max[0] - first.max[0], spot.max[1] - first.max[1]];
        apart.abs().max_elem() > 0.1
            || (spot.area.top() - first.area.top()).abs() > 0.1
            || ends.iter().any(|end| end.abs() > 1e-9)
    };
    spots[1..].iter().filter(differs).map(|spot| format!("{first:?}\n     {spot:?}")).collect()
}

/// Two or three canvases beside each other, with names of any length and ticks of any width, with one vertical axis or several, at the sizes
/// of venues and others: `ROUNDS=2000` makes as many, `FIRST` begins at another one.
#[test]
fn canvases_together_show_the_same_part_at_one_size() {
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse::<u64>().ok());
    let (first, rounds) = (number("FIRST").unwrap_or(0), number("ROUNDS").unwrap_or(100));
    let frame = frame();
    let mut wrong = Vec::new();
    for case in first..first + rounds {
        let mut die = Stream::derive(43, Purpose::Start, case, 0);
        let mut below = |most: usize| die.below(u32::try_from(most).unwrap()) as usize;
        let (panels, group): (_, &[usize]) = [
            ("canvas A | canvas B ; schedule", &[0, 1][..]),
            ("canvas A | canvas B | canvas C", &[0, 1, 2]),
            ("schedule ; canvas C | canvas B", &[1, 2]),
            ("canvas B | overlay", &[0, 1]),
            ("canvas A | canvas B | schedule", &[0, 1]),
        ][below(5)];
        let labels = ["A", r"cSGLD, \alpha_0", "a long name of a run, with all that was set", ""];
        let mut figure = Settings::defaults(&FIGURE);
        figure.set("panels", words(panels)).unwrap();
        figure.set("share", Value::Flag(below(2) == 0)).unwrap();
        let run = |name| item("run", &[("name", words(name)), ("label", words(labels[below(labels.len())]))]);
        figure.set("run", Value::List(["A", "B", "C"].map(run).into())).unwrap();
        if below(2) == 0 {
            let name = ["x", r"\theta_1", "eine sehr lange Bezeichnung der Achse"][below(3)];
            figure.set(["x", "y"][below(2)], words(name)).unwrap();
        }
        let rows = panels.split(';').count();
        let size = if below(2) == 0 {
            Dimensions::of_venue(&VENUES[below(VENUES.len())], rows)
        } else {
            let width = 40.0 + below(300) as f64;
            let sides = [width, (width * (0.4 + below(100) as f64 / 60.0)).clamp(40.0, 400.0)];
            Dimensions { sides, unit: Unit::Millimetres, dpi: 72.0, text: 6.0 + below(8) as f64 }
        };
        let words = format!("FIRST={case}: {panels}, {size}");
        let size = Dimensions { dpi: 72.0, ..size };
        // Some are too small for their text.
        if size.figure().is_err() {
            continue;
        }
        let options = ExportOptions { picture: Picture::Panels, size, ..ExportOptions::default() };
        let mut extras = Extras::of(ViewSpec { figure: Some(figure), ..ViewSpec::default() });
        extras.layers.marginals = below(3) == 0;
        let (_, told) = lay_out(&frame, &options, &extras, Format::Png).unwrap();
        wrong.extend(unlike(&told, group).into_iter().map(|what| format!("{words}: {what}")));
    }
    assert!(wrong.is_empty(), "{} of {rounds} figures:\n{}", wrong.len(), wrong.join("\n"));
}

/// A figure of panels in a size in millimetres, with some of its keys: its texts, and what it tells.
fn laid_out(frame: &Frame, sides: [f64; 2], keys: &[(&str, Value)]) -> (Vec<figure::TextBox>, Told) {
    let mut figure = Settings::defaults(&FIGURE);
    keys.iter().for_each(|(key, value)| figure.set(key, value.clone()).unwrap());
    let size = Dimensions { sides, unit: Unit::Millimetres, dpi: 72.0, text: 8.0 };
    let options = ExportOptions { picture: Picture::Panels, size, ..ExportOptions::default() };
    let extras = Extras::of(ViewSpec { figure: Some(figure), ..ViewSpec::default() });
    let (layout, told) = lay_out(frame, &options, &extras, Format::Png).unwrap();
    (layout.texts(), told)
}

/// Canvases and plots below each other begin at one place, whatever their axes need. (A row of canvases that is narrower than the figure is in its
/// middle.)
#[test]
fn frames_of_a_column_are_aligned_at_the_left() {
    let frame = frame();
    for (panels, sides, pairs) in [
        ("canvas A | schedule ; canvas B | trace", [180.0, 150.0], &[[0, 2]][..]),
        ("schedule | trace ; trace | schedule", [180.0, 120.0], &[[0, 2], [1, 3]]),
        ("schedule ; trace", [85.0, 90.0], &[[0, 1]]),
    ] {
        let (_, told) = laid_out(&frame, sides, &[("panels", words(panels))]);
        let left = |panel: usize| told.spots.iter().find(|spot| spot.panel == panel).unwrap().area.left();
        for [upper, lower] in pairs {
            assert!((left(*upper) - left(*lower)).abs() < 0.6, "{panels}: {} and {}", left(*upper), left(*lower));
        }
    }
}

/// A schedule that is too low for the scale of variances is as wide as one without it.
#[test]
fn a_scale_without_space_takes_no_width() {
    let frame = frame();
    let drawn = |height: f64, variance: bool| {
        let keys = [("panels", words("schedule")), ("variance", Value::Flag(variance))];
        let (_, told) = laid_out(&frame, [85.0, height], &keys);
        (told.spots[0].area.right(), told.seen.variances)
    };
    let (high, is_there) = drawn(70.0, true);
    assert!(is_there && high < drawn(70.0, false).0 - 20.0);
    let (low, is_there) = drawn(30.0, true);
    assert!(!is_there && (low - drawn(30.0, false).0).abs() < 0.5);
}

/// A panel in which nothing can be seen is told by its number, a table as well, where others have space.
#[test]
fn panels_that_show_nothing_are_told() {
    let frame = frame();
    let told = |panels: &str, sides: [f64; 2]| laid_out(&frame, sides, &[("panels", words(panels))]).1.warnings;
    let has = |warnings: &[String], part: &str| warnings.iter().any(|warning| warning.contains(part));
    let low = told("6* trace ; schedule", [60.0, 60.0]);
    assert!(has(&low, "Panel 2 is too small to show anything"), "{low:?}");
    let table = told("6* schedule ; readout", [60.0, 50.0]);
    assert!(has(&table, "Panel 2 has no space for the table of measures"), "{table:?}");
    let large = told("trace ; readout", [180.0, 200.0]);
    assert!(!has(&large, "too small") && !has(&large, "table of measures"), "{large:?}");
}

/// Names of axes that a figure gives are shortened where they have no space, and told.
#[test]
fn own_names_of_axes_are_shortened() {
    let frame = frame();
    const NAME: &str =
        "a name of an axis that is much longer than any axis of a figure in a column of a paper has space for";
    for (panels, key) in [("canvas A | canvas B", "x"), ("canvas A | canvas B", "y")] {
        let (texts, told) = laid_out(&frame, [85.0, 60.0], &[("panels", words(panels)), (key, words(NAME))]);
        let short: Vec<&figure::TextBox> =
            texts.iter().filter(|text| text.text.starts_with("a name") && text.text.contains('…')).collect();
        assert_eq!(short.len(), 2, "{key}: {texts:?}");
        let told_of =
            told.warnings.iter().filter(|warning| warning.contains(NAME) && warning.contains("whole")).count();
        assert_eq!(told_of, 2, "{:?}", told.warnings);
    }
}

/// The lowest of plots below each other has the axis of all, and a step is at one place in all of them.
#[test]
fn plots_below_each_other_have_their_axis_once() {
    let frame = frame();
    // A trace that is high enough has a plot for each coordinate.
    for (panels, sides) in [
        ("trace ; schedule", [85.0, 110.0]),
        ("schedule ; trace ; schedule", [180.0, 170.0]),
        ("schedule ; 3* trace", [180.0, 230.0]),
    ] {
        let drawn = |share: bool| {
            let (texts, told) = laid_out(&frame, sides, &[("panels", words(panels)), ("share_x", Value::Flag(share))]);
            (texts.iter().filter(|text| text.text == "step").count(), told)
        };
        let (all, apart) = drawn(false);
        let (names, told) = drawn(true);
        assert!(apart.spots.iter().all(|spot| spot.labelled == [true; 2]), "{panels}");
        assert!(names == 1 && all > 1, "{panels}: {names} names of axes, {all} without sharing");
        let upper = &told.spots[..told.spots.len() - 1];
        assert!(upper.iter().all(|spot| spot.labelled == [false, true]), "{panels}: {upper:?}");
        let ends = |spot: &Spot| [spot.area.left(), spot.area.right()];
        for spot in &told.spots {
            let moved = ends(spot).into_iter().zip(ends(&told.spots[0])).map(|(end, first)| (end - first).abs());
            let moved = moved.fold(0.0, f32::max);
            assert!(moved < 0.3, "{panels}: panel {} is {moved} points aside of the first", spot.panel + 1);
        }
    }
}

/// One legend above all panels takes the place of those of panels with several runs.
#[test]
fn names_of_runs_stand_once_above_all_panels() {
    let frame = frame();
    let drawn = |legend: &'static str| {
        let keys = [("panels", words("overlay ; schedule ; trace")), ("legend", Value::Choice(legend))];
        let (texts, told) = laid_out(&frame, [180.0, 220.0], &keys);
        let boxes: Vec<egui::Rect> =
            texts.iter().filter(|text| ["A", "B", "C"].contains(&text.text.trim())).map(|text| text.rect).collect();
        (boxes, told)
    };
    let (each, _) = drawn("above");
    let (once, told) = drawn("once");
    assert!(each.len() > 3 && once.len() == 3, "{} names, {} in one legend", each.len(), once.len());
    let highest = told.spots.iter().map(|spot| spot.area.top()).fold(f32::INFINITY, f32::min);
    assert!(once.iter().all(|name| name.bottom() < highest), "{once:?}");
    assert!((once[0].center().y - once[2].center().y).abs() < 1.0, "in one line: {once:?}");
}

#[test]
fn floors_and_the_strip_of_modes_can_be_left_out() {
    let frame = frame();
    let drawn = |key: &str, on: bool| {
        let keys =
            [("panels", words("schedule ; readout")), ("letters", Value::Choice("none")), (key, Value::Flag(on))];
        let (texts, told) = laid_out(&frame, [180.0, 200.0], &keys);
        let floor = |text: &figure::TextBox| text.text.starts_with('(') && text.text.ends_with(')');
        (told.seen.strip, texts.iter().any(floor))
    };
    assert_eq!(drawn("strip", true), (true, true));
    assert_eq!(drawn("strip", false), (false, true));
    assert_eq!(drawn("floors", false), (true, false));
}

/// Where a figure is too small, the sizes that are told lead to one with space, in three steps at most.
#[test]
fn sizes_that_are_told_lead_to_space() {
    let frame = frame();
    let small = |sides: [f64; 2]| {
        let size = Dimensions { sides, unit: Unit::Millimetres, dpi: 72.0, text: 8.0 };
        let options = ExportOptions { picture: Picture::Panels, size, ..ExportOptions::default() };
        let mut figure = Settings::defaults(&FIGURE);
        figure.set("panels", words("canvas A | canvas B ; schedule")).unwrap();
        let extras = Extras::of(ViewSpec { figure: Some(figure), ..ViewSpec::default() });
        let (_, told) = lay_out(&frame, &options, &extras, Format::Png).unwrap();
        let told = told.warnings.into_iter().find_map(|warning| Some(warning.split_once("try ")?.1.to_owned()))?;
        let (wide, high) = told.split_once(" mm")?.0.split_once(" × ")?;
        Some([wide, high].map(|side| side.parse::<f64>().unwrap()))
    };
    let mut tried = 0;
    for sides in [[40.0, 40.0], [60.0, 42.0], [146.0, 60.0], [120.0, 48.0], [42.0, 90.0]] {
        let Some(larger) = small(sides) else { continue };
        let next = small(larger);
        tried += 1;
        assert_eq!(next.and_then(small).and_then(small), None, "{sides:?}: {larger:?} and {next:?}");
    }
    assert!(tried > 2, "{tried}");
}

/// Two canvases of one run with other limits: each is, to the pixel, the one of a figure in which both have its limits.
#[test]
fn canvases_of_one_run_show_each_its_own_part() {
    let frame = frame();
    let drawn = |run: &str, size: [f64; 2], limits: [[f64; 2]; 2], marginals: bool| {
        let mut figure = Settings::defaults(&FIGURE);
        figure.set("panels", words(&format!("canvas {run} | canvas {run}"))).unwrap();
        // With equal units the widths of both would depend on both limits.
        figure.set("aspect", Value::Choice("free")).unwrap();
        let axes = [1.0, 2.0].into_iter().zip(limits).map(|(panel, limits)| {
            item(
                "axis",
                &[("panel", Value::Number(panel)), ("axis", Value::Choice("x")), ("limits", Value::Pair(limits))],
            )
        });
        figure.set("axis", Value::List(axes.collect())).unwrap();
        let size = Dimensions { sides: size, unit: Unit::Millimetres, dpi: 100.0, text: 8.0 };
        let options = ExportOptions { picture: Picture::Panels, size, ..ExportOptions::default() };
        let mut extras = Extras::of(ViewSpec { figure: Some(figure), ..ViewSpec::default() });
        extras.layers.marginals = marginals;
        render(&frame, &options, &extras).unwrap()
    };
    let (wide, narrow) = ([-6.0, 6.0], [-3.0, 1.5]);
    for (run, size, marginals) in [
        ("A", [171.0, 70.0], false),
        ("B", [171.0, 70.0], true),
        ("B", [120.0, 50.0], false),
        ("C", [240.0, 110.0], true),
    ] {
        let half = |picture: &figure::Picture, right: bool| {
            let width = picture.width() as usize;
            let part = if right { width / 2..width } else { 0..width / 2 };
            let rows = picture.pixels().chunks(width).flat_map(|row| &row[part.clone()]);
            rows.copied().collect::<Vec<[u8; 4]>>()
        };
        let both = drawn(run, size, [narrow, wide], marginals);
        let [narrow, wide] = [narrow, wide].map(|limits| drawn(run, size, [limits; 2], marginals));
        assert!(half(&both, false) == half(&narrow, false), "{run} {size:?}: the left canvas shows another part");
        assert!(half(&both, true) == half(&wide, true), "{run} {size:?}: the right canvas shows another part");
    }
}

/// One unit is equally long on both axes of a canvas with limits of its own, unless the figure says otherwise.
#[test]
fn limits_do_not_stretch_canvases() {
    let frame = frame();
    let axis =
        |name: &'static str, limits| item("axis", &[("axis", Value::Choice(name)), ("limits", Value::Pair(limits))]);
    for (panels, sides) in [
        ("overlay", [85.0, 51.0]),
        ("canvas A | canvas B", [171.0, 70.0]),
        ("overlay | schedule", [171.0, 70.0]),
        ("canvas A ; schedule", [85.0, 110.0]),
    ] {
        for limits in [[[-6.0, 6.0], [-6.0, 6.0]], [[-6.0, 6.0], [-2.0, 2.0]], [[0.0, 2.0], [-5.0, 5.0]]] {
            let stretch = |aspect: &'static str| {
                let axes = Value::List(vec![axis("x", limits[0]), axis("y", limits[1])]);
                let keys = [("panels", words(panels)), ("axis", axes), ("aspect", Value::Choice(aspect))];
                let (_, told) = laid_out(&frame, sides, &keys);
                let spot = &told.spots[0];
                assert!((0..2).all(|end| (spot.max[end] - limits[end][1]).abs() < 1e-9), "{spot:?}");
                let units = [0, 1].map(|axis| (limits[axis][1] - limits[axis][0]) as f32);
                (spot.area.width() / units[0]) / (spot.area.height() / units[1])
            };
            // Plots are laid out at whole points.
            assert!((stretch("equal") - 1.0).abs() < 0.06, "{panels} {limits:?}: {}", stretch("equal"));
            assert!((stretch("free") - 1.0).abs() > 0.06 || panels == "canvas A ; schedule", "{panels} {limits:?}");
        }
    }
}

/// Names of runs that would leave slivers stand above, and those inside of a plot say what they cover; neither goes without a word.
#[test]
fn names_of_runs_leave_plots_their_space() {
    let frame = frame();
    let drawn = |panels: &str, legend: &'static str, sides: [f64; 2]| {
        let long = |name| item("run", &[("name", words(name)), ("label", words("a method with steps of a schedule"))]);
        let runs = Value::List(["A", "B", "C"].map(long).into());
        laid_out(&frame, sides, &[("panels", words(panels)), ("legend", Value::Choice(legend)), ("run", runs)])
    };
    let has = |told: &Told, part: &str| told.warnings.iter().any(|warning| warning.contains(part));
    for legend in ["right", "ends"] {
        let (_, told) = drawn("overlay | schedule", legend, [85.0, 60.0]);
        assert!(has(&told, "at its right: they are above"), "{legend}: {:?}", told.warnings);
        assert!(told.spots.iter().all(|spot| spot.area.width() > 40.0), "{legend}: {:?}", told.spots);
        let (_, told) = drawn("schedule", legend, [171.0, 70.0]);
        assert!(!has(&told, "they are above"), "{legend}: {:?}", told.warnings);
    }
    let (_, told) = drawn("overlay", "top-left", [120.0, 120.0]);
    assert!(has(&told, "inside of panel 1 cover what is drawn there"), "{:?}", told.warnings);
}
