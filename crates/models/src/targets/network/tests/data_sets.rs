//! Data sets against their files and sums.

use super::*;

const GAP: DataSet = DataSet::GapSine { sd: 0.1 };
const MOONS: DataSet = DataSet::Moons { count: 50, sd: 0.2 };

fn assert_is(found: &Observations, file: &str) {
    let columns = columns(file);
    let (targets, inputs) = columns.split_last().unwrap();
    assert_eq!(found.inputs.len(), inputs.len() * targets.len());
    for (row, x) in found.inputs.chunks_exact(inputs.len()).enumerate() {
        assert!(x.iter().zip(inputs).all(|(x, column)| (x - column[row]).abs() < 1e-15 * 8.0), "row {row}");
        assert!((found.targets[row] - targets[row]).abs() < 1e-15 * 8.0, "row {row}");
    }
}

#[test]
fn data_are_those_of_the_files() {
    assert_is(&GAP.train(Noise::Lattice), include_str!("../../../../../../tests/data/network/gap_train.csv"));
    let tests = GAP.tests(Noise::Lattice);
    assert_eq!(tests.iter().map(|test| test.name).collect::<Vec<_>>(), ["in", "gap"]);
    assert_is(&tests[0].observations, include_str!("../../../../../../tests/data/network/gap_test_in.csv"));
    assert_is(&tests[1].observations, include_str!("../../../../../../tests/data/network/gap_test_gap.csv"));
    assert_is(&MOONS.train(Noise::Lattice), include_str!("../../../../../../tests/data/network/moons_train.csv"));
    let tests = MOONS.tests(Noise::Lattice);
    assert_is(&tests[0].observations, include_str!("../../../../../../tests/data/network/moons_test.csv"));
}

#[test]
fn data_have_the_known_sums() {
    let gap = GAP.train(Noise::Lattice);
    assert_decimals(gap.inputs.iter().sum(), -4.0, 12);
    assert_decimals(gap.targets.iter().sum(), 4.092108629083, 12);
    assert_decimals(gap.inputs.iter().zip(&gap.targets).map(|(x, y)| x * y).sum(), 34.684496530655, 12);
    assert_decimals(gap.targets[0], -0.098894703637, 12);
    let moons = MOONS.train(Noise::Lattice);
    let (inputs, _) = moons.inputs.as_chunks::<2>();
    assert_decimals(inputs.iter().zip(&moons.targets).map(|(x, y)| x[0] * y).sum(), 24.960664627774, 12);
    assert_decimals(inputs[0][0], -0.01566, 5);
    assert_decimals(inputs[0][1], -0.73376, 5);
    assert_decimals(moons.inputs.iter().sum(), 0.0, 12);
}

#[test]
fn every_set_has_its_classes() {
    let sets = [
        (DataSet::TwoClusters { sd: 0.1 }, 50, 0),
        (DataSet::Cubic { sd: 3.0 }, 20, 0),
        (DataSet::Moons { count: 39, sd: 0.2 }, 78, 2),
        (DataSet::Circles { count: 50, sd: 0.1 }, 100, 2),
        (DataSet::Xor { count: 20, sd: 0.35 }, 80, 2),
        (DataSet::Spirals { classes: 3, count: 30, sd: 0.1 }, 90, 3),
        (DataSet::Blobs { classes: 4, count: 13, sd: 0.3 }, 52, 4),
    ];
    for (set, count, classes) in sets {
        for noise in [Noise::Lattice, Noise::Seeded(1)] {
            let data = set.train(noise);
            assert_eq!(data.targets.len(), count);
            assert_eq!(data.inputs.len(), count * if classes == 0 { 1 } else { 2 });
            for class in 0..classes {
                let label = f64::from(class);
                let own = data.targets.iter().filter(|target| target.total_cmp(&label).is_eq()).count();
                assert_eq!(own, count / usize::try_from(classes).unwrap(), "{set:?}");
            }
        }
        assert_eq!(set.train(Noise::Seeded(1)), set.train(Noise::Seeded(1)));
        let clusters = if matches!(set, DataSet::Xor { .. }) { 4 } else { classes };
        let tests: usize = set.tests(Noise::Lattice).iter().map(|test| test.observations.targets.len()).sum();
        assert_eq!(tests, 100 * usize::try_from(clusters).unwrap());
        assert_ne!(set.train(Noise::Seeded(1)), set.train(Noise::Seeded(2)));
    }
    let xor = DataSet::Xor { count: 20, sd: 0.0 }.train(Noise::Lattice);
    assert_eq!((&xor.inputs[38..42], &xor.targets[19..21]), (&[1.0, 1.0, -1.0, -1.0][..], &[0.0; 2][..]));
    let cubic = DataSet::Cubic { sd: 0.0 }.train(Noise::Lattice);
    assert!((cubic.targets[0] - 64.0 / 40.0 * cubic.inputs[0] * cubic.inputs[0] * cubic.inputs[0]).abs() < 1e-15);
}

/// Every quantile occurs once, so sums of noise are 0, for sizes that share a divisor with the usual multipliers too.
#[test]
fn lattices_have_every_quantile_once() {
    for count in [1, 2, 13, 39, 78, 100, 27] {
        let set = DataSet::Blobs { classes: 1, count, sd: 1.0 };
        let data = set.train(Noise::Lattice);
        let mut x: Vec<f64> = data.inputs.iter().step_by(2).map(|x| x - 1.5).collect();
        x.sort_by(f64::total_cmp);
        for (index, x) in x.iter().enumerate() {
            let expected = normal_quantile((index as f64 + 0.5) / count as f64);
            assert!((x - expected).abs() < 1e-14, "{count}");
        }
    }
}

#[test]
fn seeded_test_data_have_noise_of_their_own() {
    let (train, tests) = (GAP.train(Noise::Seeded(4)), GAP.tests(Noise::Seeded(4)));
    assert!(train.targets.iter().zip(&tests[0].observations.targets).all(|(a, b)| (a - b).abs() > 0.0));
}
