//! Networks as a target: data with labels, their likelihood, and what is said of the functions behind the weights.

use super::*;
use crate::targets::tests::{group, settings};
use crate::targets::{Target, outputs_of};
use base::params::Value;

fn built(data: &str, values: &[(&str, Value)]) -> Arc<Target> {
    let prior =
        group("network", "prior", "fan-in", &[("weight_sd", Value::Number(5.0)), ("bias_sd", Value::Number(2.0))]);
    let all = [("data", group("network", "data", data, values)), ("prior", prior), ("hidden", Value::Number(8.0))];
    (ENTRY.build)(&settings("network", &all), &"".into()).unwrap().into()
}

const KINDS: [(&str, usize, usize); 5] =
    [("moons", 2, 100), ("circles", 2, 100), ("xor", 2, 80), ("spirals", 2, 100), ("blobs", 4, 100)];

#[test]
fn the_target_has_the_data_of_its_choice() {
    let moons = built("moons", &[]);
    let model = moons.classification().unwrap();
    let (inputs, labels) = (model.inputs(), model.labels());
    assert_eq!((inputs.len(), labels.len(), moons.data_count(), moons.dimension()), (100, 100, Some(100), 33));
    assert_decimals(inputs.iter().zip(labels).map(|(x, y)| x[0] * y).sum(), 24.960664627774, 12);
    assert_decimals(inputs.iter().flatten().sum(), 0.0, 12);
    assert_decimals(inputs[0][0], -0.01566, 5);
    assert_decimals(inputs[0][1], -0.73376, 5);
    for (kind, classes, count) in KINDS {
        let target = built(kind, &[]);
        assert!(target.regression().is_none() && target.density().is_none(), "{kind}");
        let model = target.classification().unwrap();
        assert_eq!((model.classes(), model.inputs().len()), (classes, count), "{kind}");
        assert_eq!(target.dimension(), 8 * 3 + 9 * outputs_of(classes), "{kind}");
        let shown = model.shown();
        assert!((shown.size().x - shown.size().y).abs() < 1e-12, "{kind}");
        assert!(model.inputs().iter().all(|at| shown.contains((*at).into())), "{kind}");
        let seeded = built(kind, &[("noise", Value::Choice("seeded")), ("count", Value::Number(10.0))]);
        assert_eq!(
            seeded.data_count(),
            Some(count / (if kind == "xor" { 20 } else { count / classes }) * 10),
            "{kind}"
        );
    }
    let sine = built("gap-sine", &[]);
    assert!(sine.classification().is_none() && sine.regression().is_some_and(|sine| sine.inputs().len() == 40));
    let two = built("blobs", &[("classes", Value::Number(2.0))]);
    assert_eq!((two.classification().unwrap().classes(), two.dimension()), (2, 33));
}

#[test]
fn log_density_and_gradient_of_the_moons_at_the_lattice_start_are_the_known_ones() {
    let target = built("moons", &[]);
    let model = target.model().unwrap();
    let start = model.start();
    let at = Coords::of(33, [start.as_slice()].into_iter());
    let (mut memory, mut out, mut gradient) = (Vec::new(), [0.0], at.clone());
    model.log_densities(Simd::widest(), &at, &mut memory, &mut out);
    model.gradients(Simd::widest(), &at, &mut memory, &mut gradient);
    assert_decimals(out[0], -125.5931325441, 10);
    assert_decimals(gradient.values().iter().map(|slope| slope * slope).sum::<f64>().sqrt(), 30.88610664, 8);
}

#[test]
fn gradients_of_every_choice_are_those_of_differences() {
    for (kind, ..) in KINDS {
        let target = built(kind, &[]);
        let model = target.model().unwrap();
        let dimension = model.dimension();
        let mut theta = vec![0.0; dimension];
        assert!(model.prior_draw(&mut Stream::derive(3, Purpose::Data, 0, 0), &mut theta));
        let density = |theta: &[f64]| {
            let mut out = [0.0];
            model.log_densities(Simd::BASELINE, &Coords::of(dimension, [theta].into_iter()), &mut Vec::new(), &mut out);
            out[0]
        };
        let at = Coords::of(dimension, [theta.as_slice()].into_iter());
        let mut gradient = at.clone();
        model.gradients(Simd::BASELINE, &at, &mut Vec::new(), &mut gradient);
        for (axis, slope) in gradient.values().iter().enumerate() {
            let step = 1e-5 * theta[axis].abs().max(1.0);
            let moved = |by: f64| {
                let mut theta = theta.clone();
                theta[axis] += by;
                density(&theta)
            };
            let difference = (moved(step) - moved(-step)) / (2.0 * step);
            assert!((slope - difference).abs() < 1e-5 * (1.0 + slope.abs()), "{kind}, {axis}: {slope}, {difference}");
        }
    }
}

/// Data drawn by hand: those that a target is asked to have are those that it has, with its noise.
#[test]
fn data_that_are_dragged_become_data_drawn_by_hand() {
    let sine = built("cubic", &[]);
    let model = sine.regression().unwrap();
    assert_eq!(model.axes(), ["x / 4", "y / 40"]);
    let data = [[-0.5, 0.25], [0.75, -1.0], [0.1, 0.1]];
    let (path, value) = model.with_data(&data).unwrap();
    let mut changed = settings("network", &[("hidden", Value::Number(8.0))]);
    changed.set(path, value).unwrap();
    let changed = (ENTRY.build)(&changed, &"".into()).unwrap();
    let model = changed.regression().unwrap();
    assert_eq!((model.inputs(), model.observations()), (&[-0.5, 0.75, 0.1][..], &[0.25, -1.0, 0.1][..]));
    assert!((model.noise_sd() - 3.0 / 40.0).abs() < 1e-15);
    assert!(model.with_data(&[]).is_none(), "no data are not allowed");

    let moons = built("moons", &[]);
    let model = moons.classification().unwrap();
    let (path, value) = model.with_data(&[[0.0, 1.0], [2.0, 3.0], [4.0, 5.0]], &[1.0, 0.0, 1.0]).unwrap();
    let mut changed = settings("network", &[]);
    changed.set(path, value).unwrap();
    let changed = (ENTRY.build)(&changed, &"".into()).unwrap();
    let drawn = changed.classification().unwrap();
    assert_eq!((drawn.inputs(), drawn.labels()), (&[[2.0, 3.0], [0.0, 1.0], [4.0, 5.0]][..], &[0.0, 1.0, 1.0][..]));
    assert!(model.with_data(&[[0.0, 1.0]], &[1.0]).is_none(), "class 0 would be empty");
    assert!(built("blobs", &[]).classification().unwrap().with_data(&[[0.0, 1.0]], &[1.0]).is_none());
}

#[test]
fn data_come_from_columns_of_a_file() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("d.csv"), "x;label;y\n1;0;10\n2;2;20\n3;1;60\n").unwrap();
    let build_of = |kind: &str, values: &[(&str, Value)]| {
        let text = |value: &str| Value::Text(value.to_owned());
        let mut all = vec![("path", text("d.csv")), ("x_column", text("x")), ("y_column", text("y"))];
        all.extend(values.iter().map(|(key, value)| (*key, value.clone())));
        (ENTRY.build)(&settings("network", &[("data", group("network", "data", kind, &all))]), &folder.path().into())
    };
    let plain = build_of("csv", &[]).unwrap();
    let model = plain.regression().unwrap();
    assert_eq!(
        (model.inputs(), model.observations(), model.axes()),
        (&[1.0, 2.0, 3.0][..], &[10.0, 20.0, 60.0][..], ["x", "y"])
    );
    let standardised = build_of("csv", &[("standardise", Value::Flag(true))]).unwrap();
    let model = standardised.regression().unwrap();
    let third = 1.5_f64.sqrt();
    assert!(model.inputs().iter().zip([-third, 0.0, third]).all(|(x, z)| (x - z).abs() < 1e-15));
    assert_eq!(model.axes(), ["x (standardised)", "y (standardised)"]);
    assert!((model.observations()[0] - (10.0 - 30.0) / (1400.0_f64 / 3.0).sqrt()).abs() < 1e-12);
    let label = |name: &str| [("label_column", Value::Text(name.to_owned()))];
    let classes = build_of("class-csv", &label("label")).unwrap();
    let model = classes.classification().unwrap();
    assert_eq!((model.classes(), model.labels(), model.inputs()[2]), (3, &[0.0, 2.0, 1.0][..], [3.0, 60.0]));
    let missing = build_of("class-csv", &label("class")).unwrap_err();
    assert_eq!(missing[0].path, "data.label_column", "{missing:?}");
}

/// What a file with these lines of x, y and label says of classes: their names with the labels of the data, or the first error.
fn classes_of(lines: &[String], values: &[(&str, Value)]) -> Result<(Vec<String>, Arc<Target>), String> {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("c.csv"), format!("x,y,label\n{}\n", lines.join("\n"))).unwrap();
    let mut all = vec![("path", Value::Text("c.csv".to_owned()))];
    all.extend(values.iter().map(|(key, value)| (*key, value.clone())));
    let data = group("network", "data", "class-csv", &all);
    let target = (ENTRY.build)(&settings("network", &[("data", data)]), &folder.path().into())
        .map_err(|errors| format!("{}: {}; {}", errors[0].path, errors[0].problem, errors[0].allowed))?;
    let model = target.classification().unwrap();
    Ok(((0..model.classes()).map(|class| model.class_name(class)).collect(), target.into()))
}

/// There are as many classes as different labels, in their order, whatever numbers these are.
#[test]
fn labels_of_a_file_are_classes_in_their_order() {
    let lines = |labels: &[&str]| -> Vec<String> {
        labels.iter().enumerate().map(|(row, label)| format!("{row},{},{label}", row * row)).collect()
    };
    for (labels, names, numbers) in [
        (&["1", "2", "3", "1"][..], &["1", "2", "3"][..], &[0.0, 1.0, 2.0, 0.0][..]),
        (&["0", "1", "-0"], &["0", "1"], &[0.0, 1.0, 0.0]),
        (&["1", "-1", "1"], &["-1", "1"], &[1.0, 0.0, 1.0]),
        (&["7", "0", "900", "7", "3", "4"], &["0", "3", "4", "7", "900"], &[3.0, 0.0, 4.0, 3.0, 1.0, 2.0]),
        (&["2", "2.0", "5"], &["2", "5"], &[0.0, 0.0, 1.0]),
    ] {
        let (found, target) = classes_of(&lines(labels), &[]).unwrap();
        let model = target.classification().unwrap();
        assert_eq!((found.iter().map(String::as_str).collect::<Vec<_>>(), model.labels()), (names.to_vec(), numbers));
        assert_eq!(target.dimension(), if names.len() == 2 { 41 } else { 30 + 11 * names.len() });
    }
    for (labels, words) in [
        (&["1", "1"][..], "data.label_column: c.csv: every row is of the class 1"),
        (&["1", "1.5"], "data.path: c.csv, line 3, column 3: 1.5 is not allowed; a whole number"),
        (&["1", "2", "3", "4", "5", "1", "6"], "data.path: c.csv, line 8, column 3: 6 is one class more than 5"),
    ] {
        let error = classes_of(&lines(labels), &[]).unwrap_err();
        assert!(error.starts_with(words), "{error}");
    }
}

/// A share of the rows is held out evenly, and does not count when data are standardised.
#[test]
fn rows_of_a_file_are_held_out_to_test_with() {
    let lines: Vec<String> = (0..10).map(|row| format!("{row},{},{}", 2 * row, row % 2)).collect();
    let share = ("test_share", Value::Number(0.3));
    let (_, target) = classes_of(&lines, std::slice::from_ref(&share)).unwrap();
    let model = target.classification().unwrap();
    let [TestSet { name: "in", observations }] = model.tests() else { panic!("one set: {:?}", model.tests()) };
    assert_eq!(
        (&observations.inputs[..], &observations.targets[..]),
        (&[3.0, 6.0, 6.0, 12.0, 9.0, 18.0][..], &[1.0, 0.0, 1.0][..])
    );
    assert_eq!(model.inputs().iter().map(|input| input[0]).collect::<Vec<_>>(), [0.0, 1.0, 2.0, 4.0, 5.0, 7.0, 8.0]);
    let (_, scaled) = classes_of(&lines, &[share, ("standardise", Value::Flag(true))]).unwrap();
    let model = scaled.classification().unwrap();
    let mean = 27.0 / 7.0;
    let sd = (159.0_f64 / 7.0 - mean * mean).sqrt();
    assert!((model.inputs()[0][0] + mean / sd).abs() < 1e-12);
    assert!((model.tests()[0].observations.inputs[0] - (3.0 - mean) / sd).abs() < 1e-12);
    let (_, all) = classes_of(&lines, &[]).unwrap();
    assert!(all.classification().unwrap().tests().is_empty());
}
