//! Data sets for small networks.
//!
//! Their noise is by default a lattice: z(N, m, c)ᵢ = Φ⁻¹(((m i + c) mod N + ½)/N), the quantiles of the normal distribution
//! in a shuffled order that is fixed. Such data are the same for everyone and as typical as can be.

use std::f64::consts::{PI, TAU};

use super::{Observations, greatest_common_divisor};
use base::math::{Purpose, Stream, normal_quantile};

/// Where the noise comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Noise {
    /// Quantiles in a fixed order.
    Lattice,
    /// Random draws from a seed.
    Seeded(u64),
}

/// A way to make data. Standard deviations have the unit of what they are added to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum DataSet {
    /// y = sin 2x + 0.3 x + noise on two intervals with 20 data each, and a gap between them.
    GapSine {
        /// Standard deviation of the noise, 0.1 by default.
        sd: f64,
    },
    /// y = cos(4x + 0.8) + noise in two short intervals with 25 data each (A. Y. K. Foong et al. 2019, arXiv:1906.11537).
    TwoClusters {
        /// Standard deviation of the noise, 0.1 by default.
        sd: f64,
    },
    /// y = x³ + noise at 20 inputs (J. M. Hernández-Lobato & R. P. Adams 2015, arXiv:1502.05336). The data are
    /// x/[`CUBIC_INPUT_UNIT`] and y/[`CUBIC_TARGET_UNIT`].
    Cubic {
        /// Standard deviation of the noise of y, 3 by default.
        sd: f64,
    },
    /// Two interleaved half circles.
    Moons {
        /// Data per class, 50 by default.
        count: usize,
        /// Standard deviation of the noise, 0.2 by default.
        sd: f64,
    },
    /// A circle within another.
    Circles {
        /// Data per class, 50 by default.
        count: usize,
        /// Standard deviation of the noise, 0.1 by default.
        sd: f64,
    },
    /// Four clusters, of which opposite ones have the same label.
    Xor {
        /// Data per cluster, 20 by default.
        count: usize,
        /// Standard deviation of the noise, 0.35 by default.
        sd: f64,
    },
    /// Spiral arms.
    Spirals {
        /// C, the number of classes.
        classes: usize,
        /// Data per class.
        count: usize,
        /// Standard deviation of the noise.
        sd: f64,
    },
    /// Clusters around a circle.
    Blobs {
        /// C, the number of classes.
        classes: usize,
        /// Data per class.
        count: usize,
        /// Standard deviation of the noise.
        sd: f64,
    },
}

/// The unit of x in [`DataSet::Cubic`]: a datum is x over this.
pub const CUBIC_INPUT_UNIT: f64 = 4.0;

/// The unit of y in [`DataSet::Cubic`].
pub const CUBIC_TARGET_UNIT: f64 = 40.0;

/// Test data per class or cluster.
const TESTS: usize = 100;

/// Data to test predictions.
#[derive(Clone, Debug, PartialEq)]
pub struct TestSet {
    /// What kind of data they are: `in` for new noise where the data are, `gap` for inputs between them.
    pub name: &'static str,
    /// The data.
    pub observations: Observations,
}

/// n inputs, the middles of equal parts of an interval.
#[must_use]
pub fn grid(from: f64, to: f64, count: usize) -> Vec<f64> {
    (0..count).map(|i| from + (to - from) * (i as f64 + 0.5) / count as f64).collect()
}

/// z(N, m, c).
#[must_use]
pub fn lattice_noise(count: usize, multiplier: usize, offset: usize) -> Vec<f64> {
    (0..count).map(|i| normal_quantile((((multiplier * i + offset) % count) as f64 + 0.5) / count as f64)).collect()
}

/// The noise of one data set: each call has numbers of its own.
struct Source {
    noise: Noise,
    drawn: u64,
}

impl Source {
    /// z(N, m, c), for the N = `usual` of the definition. Another N has m in proportion and without a common divisor, so
    /// that every quantile still occurs once.
    fn normals(&mut self, count: usize, [usual, multiplier, offset]: [usize; 3]) -> Vec<f64> {
        match self.noise {
            Noise::Lattice if count == usual => lattice_noise(count, multiplier, offset),
            Noise::Lattice => {
                let from = multiplier * count / usual;
                let multiplier = (from..).find(|m| greatest_common_divisor(*m, count) <= 1).unwrap_or(1);
                lattice_noise(count, multiplier, offset)
            }
            Noise::Seeded(seed) => {
                let mut stream = Stream::derive(seed, Purpose::Data, 0, self.drawn);
                self.drawn += 1;
                (0..count).map(|_| normal_quantile(stream.uniform())).collect()
            }
        }
    }
}

impl DataSet {
    /// The data to learn from.
    #[must_use]
    pub fn train(&self, noise: Noise) -> Observations {
        let mut source = Source { noise, drawn: 0 };
        let mut normals = |count, of| source.normals(count, of);
        match *self {
            Self::GapSine { sd } => {
                let x = gap_sine_inputs();
                with_noise(x, gap_sine, &normals(40, [40, 17, 0]), sd)
            }
            Self::TwoClusters { sd } => {
                let x = [grid(-1.0, -0.7, 25), grid(0.5, 1.0, 25)].concat();
                with_noise(x, |x| libm::cos(4.0 * x + 0.8), &normals(50, [50, 19, 0]), sd)
            }
            Self::Cubic { sd } => {
                let data = with_noise(grid(-4.0, 4.0, 20), |x| x * x * x, &normals(20, [20, 7, 0]), sd);
                let over = |values: Vec<f64>, unit: f64| values.into_iter().map(|value| value / unit).collect();
                Observations::pairs(over(data.inputs, CUBIC_INPUT_UNIT), over(data.targets, CUBIC_TARGET_UNIT))
            }
            _ => {
                let lattices =
                    if let Self::Xor { .. } = self { [[80, 31, 0], [80, 23, 0]] } else { [[100, 39, 0], [100, 27, 0]] };
                self.labelled(self.count(), &lattices.map(|of| normals(self.clusters() * self.count(), of)))
            }
        }
    }

    /// Data per class or cluster; 0 of data without labels.
    fn count(&self) -> usize {
        match *self {
            Self::GapSine { .. } | Self::TwoClusters { .. } | Self::Cubic { .. } => 0,
            Self::Moons { count, .. }
            | Self::Circles { count, .. }
            | Self::Xor { count, .. }
            | Self::Spirals { count, .. }
            | Self::Blobs { count, .. } => count,
        }
    }

    /// Number of classes or clusters.
    fn clusters(&self) -> usize {
        match *self {
            Self::Xor { .. } => 4,
            Self::Spirals { classes, .. } | Self::Blobs { classes, .. } => classes,
            _ => 2,
        }
    }

    /// Data with labels, `count` for each class or cluster, with the noise of both coordinates; none without labels.
    fn labelled(&self, count: usize, noise: &[Vec<f64>; 2]) -> Observations {
        let number = self.clusters();
        match *self {
            Self::GapSine { .. } | Self::TwoClusters { .. } | Self::Cubic { .. } => Observations::default(),
            Self::Moons { sd, .. } => moons(count, sd, noise),
            Self::Circles { sd, .. } => {
                let centre = |class: usize, i: usize| {
                    let radius = if class == 0 { 1.0 } else { 0.5 };
                    polar(radius, TAU * (i as f64 + 0.5) / count as f64)
                };
                let mut data = classes(number, count, sd, noise, centre);
                data.inputs.iter_mut().for_each(|x| *x *= 1.5);
                data
            }
            Self::Xor { sd, .. } => {
                let centres = [[1.0, 1.0], [-1.0, -1.0], [1.0, -1.0], [-1.0, 1.0]];
                let mut data = classes(number, count, sd, noise, |block, _| centres[block]);
                data.targets.iter_mut().for_each(|label| *label = if *label < 2.0 { 0.0 } else { 1.0 });
                data
            }
            Self::Spirals { sd, .. } => classes(number, count, sd, noise, |class, i| {
                let t = (i as f64 + 0.5) / count as f64;
                polar(2.0 * t, 3.0 * t + TAU * class as f64 / number as f64)
            }),
            Self::Blobs { sd, .. } => {
                classes(number, count, sd, noise, |class, _| polar(1.5, TAU * class as f64 / number as f64))
            }
        }
    }

    /// The data to test predictions with; none for some data sets.
    #[must_use]
    pub fn tests(&self, noise: Noise) -> Vec<TestSet> {
        // The training data have the first two streams.
        let mut source = Source { noise, drawn: 2 };
        match *self {
            Self::GapSine { sd } => {
                let within = with_noise(gap_sine_inputs(), gap_sine, &source.normals(40, [40, 11, 3]), sd);
                let between = with_noise(grid(-0.8, 0.6, 20), gap_sine, &source.normals(20, [20, 7, 3]), sd);
                let named = |name, observations| TestSet { name, observations };
                vec![named("in", within), named("gap", between)]
            }
            Self::TwoClusters { .. } | Self::Cubic { .. } => Vec::new(),
            _ => {
                let noise = [[200, 77, 5], [200, 43, 5]].map(|of| source.normals(self.clusters() * TESTS, of));
                vec![TestSet { name: "in", observations: self.labelled(TESTS, &noise) }]
            }
        }
    }
}

fn gap_sine_inputs() -> Vec<f64> {
    [grid(-2.0, -0.8, 20), grid(0.6, 1.8, 20)].concat()
}

/// The function behind [`DataSet::GapSine`].
#[must_use]
pub fn gap_sine(x: f64) -> f64 {
    libm::sin(2.0 * x) + 0.3 * x
}

fn with_noise(inputs: Vec<f64>, function: impl Fn(f64) -> f64, noise: &[f64], sd: f64) -> Observations {
    let targets = inputs.iter().zip(noise).map(|(x, z)| function(*x) + sd * z).collect();
    Observations::pairs(inputs, targets)
}

fn polar(radius: f64, angle: f64) -> [f64; 2] {
    [radius * libm::cos(angle), radius * libm::sin(angle)]
}

/// `count` data of each class, class by class, around the centres `centre(class, i)`.
fn classes(
    number: usize,
    count: usize,
    sd: f64,
    [first, second]: &[Vec<f64>; 2],
    centre: impl Fn(usize, usize) -> [f64; 2],
) -> Observations {
    let noisy = |index: usize| {
        let [x, y] = centre(index / count, index % count);
        [x + sd * first[index], y + sd * second[index]]
    };
    let inputs: Vec<[f64; 2]> = (0..number * count).map(noisy).collect();
    let labels = (0..number * count).map(|index| (index / count) as f64).collect();
    Observations::labelled(&inputs, labels)
}

fn moons(count: usize, sd: f64, noise: &[Vec<f64>; 2]) -> Observations {
    let mut data = classes(2, count, sd, noise, |class, i| {
        let t = PI * (i as f64 + 0.5) / count as f64;
        if class == 0 { [libm::cos(t), libm::sin(t)] } else { [1.0 - libm::cos(t), 0.5 - libm::sin(t)] }
    });
    for [x, y] in data.inputs.as_chunks_mut().0 {
        *x -= 0.5;
        *y -= 0.25;
    }
    data
}
