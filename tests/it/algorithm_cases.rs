//! The cases of `algorithms`: on which target, with which options and in which order of random numbers a method takes the steps that its
//! program is to take too.

use sampler_lab::methods::Gradient;

/// Steps of a method.
#[derive(Clone, Copy)]
pub(super) struct Case {
    /// The name of the method.
    pub(super) method: &'static str,
    /// Lines of the target.
    pub(super) target: &'static str,
    /// Further lines of the run.
    pub(super) run: &'static str,
    /// The numbers in the order in which the program asks for them.
    pub(super) order: fn(&Given) -> Order,
    /// Whether the method has numbers that it does not use in every step.
    pub(super) spares: bool,
}

/// The random numbers of a step.
pub(super) struct Given {
    pub(super) chains: usize,
    /// Vectors of normals of a chain; those of the gradient come first.
    pub(super) vectors: usize,
    /// How gradients are estimated.
    pub(super) gradient: Gradient,
    /// Vector `v` of chain `c` at `v · chains + c`.
    pub(super) normals: Vec<Vec<f64>>,
    /// Uniform `u` of chain `c` at `u · chains + c`.
    pub(super) uniforms: Vec<f64>,
}

/// The same in the order in which a program asks for them.
#[derive(Default)]
pub(super) struct Order {
    /// Vectors of normals, one for each estimate of a gradient.
    pub(super) gradient: Vec<Vec<f64>>,
    pub(super) normals: Vec<f64>,
    pub(super) uniforms: Vec<f64>,
}

impl Given {
    fn normal(&self, vector: usize, chain: usize) -> &[f64] {
        &self.normals[vector * self.chains + chain]
    }

    fn uniform(&self, number: usize, chain: usize) -> f64 {
        self.uniforms[number * self.chains + chain]
    }
}

/// Vector after vector, each of all chains; the estimate of each chain has the first one. Uniforms likewise.
pub(super) fn plain(given: &Given) -> Order {
    let own = given.gradient.vectors();
    Order {
        gradient: given.normals[..own * given.chains].to_vec(),
        normals: given.normals[own * given.chains..].concat(),
        uniforms: given.uniforms.clone(),
    }
}

/// The two half steps at a point inside of the path have halves of one noise, √½ of it each.
fn along_a_path(given: &Given) -> Order {
    let (points, noisy) = (given.vectors - 1, given.gradient.vectors() > 0);
    let of_point = |point: usize| {
        let inside = point > 0 && point + 1 < points;
        let share = if inside { std::f64::consts::FRAC_1_SQRT_2 } else { 1.0 };
        let noise: Vec<f64> = given.normal(point, 0).iter().map(|normal| share * normal).collect();
        vec![noise; if inside { 2 } else { 1 }]
    };
    Order {
        gradient: if noisy { (0..points).flat_map(of_point).collect() } else { Vec::new() },
        normals: given.normal(given.vectors - 1, 0).to_vec(),
        uniforms: given.uniforms.clone(),
    }
}

/// Uniforms of coordinates are made of two normals each; that of the decision follows.
fn signs_by_normals(given: &Given) -> Order {
    let pairs = given.normal(1, 0).iter().zip(given.normal(2, 0));
    let mut uniforms: Vec<f64> = pairs.map(|(one, other)| (-0.5 * (one * one + other * other)).exp()).collect();
    uniforms.extend(&given.uniforms);
    Order { normals: given.normal(0, 0).to_vec(), uniforms, ..Order::default() }
}

/// Chain after chain: two uniforms for positions of the archive, then that of the decision, which is the first of ours.
fn chain_by_chain(given: &Given) -> Order {
    let of_chain = |chain| [1, 2, 0].map(|number| given.uniform(number, chain));
    Order { uniforms: (0..given.chains).flat_map(of_chain).collect(), ..plain(given) }
}

const GAUSSIAN: &str = "kind = \"gaussian\"\nmean = [0.3, -0.2]\nsd = [1.0, 0.7]\ncorrelation = 0.6";
const BANANA: &str = "kind = \"banana\"";

/// The columns of the file are those of `ROWS`.
pub(super) const REGRESSION: &str = "kind = \"linear-regression\"\ndata = { kind = \"csv\", path = \"rows.csv\", response = \"1\", predictors = \"2,3\", \
                          intercept = true, standardise = false }";

/// A response with two predictors.
pub(super) const ROWS: [[f64; 3]; 8] = [
    [0.7, 0.2, -1.0],
    [1.4, 1.1, 0.3],
    [-0.3, -0.9, 0.8],
    [2.2, 1.7, -0.4],
    [0.1, 0.4, 1.6],
    [-1.2, -1.5, -0.2],
    [0.9, 0.6, 0.5],
    [0.4, -0.1, -1.3],
];

/// Lines of step sizes, and of estimates of gradients.
macro_rules! constant {
    ($size:literal) => {
        concat!("step_size = { kind = \"constant\", value = ", $size, " }\n")
    };
}

macro_rules! noisy {
    ($size:literal) => {
        concat!(
            "gradient = { kind = \"noisy\", variance = 2.0 }\nstep_size = { kind = \"constant\", value = ",
            $size,
            " }\n"
        )
    };
}

macro_rules! batches {
    ($size:literal) => {
        concat!(
            "gradient = { kind = \"minibatch\", size = 3 }\nstep_size = { kind = \"constant\", value = ",
            $size,
            " }\n"
        )
    };
}

const CYCLES: &str = "step_size = { kind = \"cyclical\", initial = 0.02, cycles = 2, exploration = 0.4 }\n";

const fn case(method: &'static str, target: &'static str, run: &'static str) -> Case {
    Case { method, target, run, order: plain, spares: false }
}

const fn ordered(case: Case, order: fn(&Given) -> Order) -> Case {
    Case { order, ..case }
}

const fn sparing(case: Case) -> Case {
    Case { spares: true, ..case }
}

/// All cases, at least two of a method.
pub(super) const CASES: &[Case] = &[
    case("gradient-descent", GAUSSIAN, constant!(0.1)),
    case("gradient-descent", BANANA, constant!(0.1)),
    case("sgd", GAUSSIAN, noisy!(0.1)),
    case("sgd", BANANA, noisy!(0.1)),
    case("sgd", REGRESSION, batches!(0.01)),
    case("adam", GAUSSIAN, noisy!(0.1)),
    case("adam", BANANA, noisy!(0.1)),
    case("adam", REGRESSION, concat!("beta1 = 0.8\nbeta2 = 0.99\n", batches!(0.01))),
    case("deep-ensemble", BANANA, concat!("chains = 3\n", noisy!(0.1))),
    case("deep-ensemble", REGRESSION, concat!("chains = 3\n", batches!(0.1))),
    case("anchored-ensemble", REGRESSION, concat!("chains = 3\n", constant!(0.1))),
    case("anchored-ensemble", REGRESSION, concat!("chains = 2\nbeta1 = 0.7\nbeta2 = 0.9\n", constant!(0.03))),
    case("langevin", GAUSSIAN, constant!(0.1)),
    case("langevin", BANANA, constant!(0.1)),
    case("langevin", REGRESSION, constant!(0.01)),
    case("sgld", GAUSSIAN, noisy!(0.1)),
    case("sgld", BANANA, noisy!(0.1)),
    case("sgld", REGRESSION, batches!(0.01)),
    case("csgld", GAUSSIAN, CYCLES),
    case("csgld", REGRESSION, CYCLES),
    case("contour-sgld", GAUSSIAN, noisy!(0.1)),
    case("contour-sgld", GAUSSIAN, concat!("bins = 5\n", noisy!(0.1))),
    case(
        "contour-sgld",
        BANANA,
        concat!("flattening = 1.2\nbin_width = 0.1\nlowest = 0.05\ngain = 100.0\n", constant!(0.1)),
    ),
    case("psgld", GAUSSIAN, noisy!(0.1)),
    case("psgld", BANANA, concat!("decay = 0.9\nfloor = 0.1\n", noisy!(0.1))),
    case("psgld", REGRESSION, concat!("scale = \"mean\"\n", batches!(0.01))),
    case("sghmc", GAUSSIAN, noisy!(0.05)),
    case("sghmc", BANANA, concat!("friction = 0.4\nfriction_correction = false\n", noisy!(0.05))),
    case("sghmc", REGRESSION, batches!(0.001)),
    case("csghmc", GAUSSIAN, CYCLES),
    case(
        "csghmc",
        REGRESSION,
        "gradient = { kind = \"minibatch\", size = 3 }\nstep_size = { kind = \"cyclical\", initial = 0.002, cycles = 2, exploration = 0.4 }\n",
    ),
    case("sgnht", GAUSSIAN, noisy!(0.1)),
    case("sgnht", BANANA, concat!("diffusion = 2.5\n", noisy!(0.1))),
    case("sgnht", REGRESSION, batches!(0.05)),
    case("mclmc", GAUSSIAN, constant!(0.3)),
    case("mclmc", BANANA, concat!("length = 3.0\nintegrator = \"minimal-norm\"\n", constant!(0.4))),
    case("mclmc", REGRESSION, constant!(0.1)),
    case("random-walk", GAUSSIAN, constant!(0.3)),
    case("random-walk", BANANA, constant!(0.3)),
    case("adaptive-metropolis", GAUSSIAN, concat!("begin = 4\n", constant!(0.3))),
    case("adaptive-metropolis", BANANA, concat!("begin = 3\nuntil = 8\nepsilon = 0.01\n", constant!(0.3))),
    sparing(case("gibbs", GAUSSIAN, "scan = \"random\"\n")),
    sparing(case("gibbs", BANANA, "")),
    sparing(case("gibbs", BANANA, "width = 0.5\nmost_widths = 4\nmost_tries = 2\nscan = \"random\"\n")),
    case("mala", GAUSSIAN, noisy!(0.2)),
    case("mala", BANANA, constant!(0.5)),
    case("mala", REGRESSION, batches!(0.03)),
    ordered(case("barker", GAUSSIAN, constant!(0.4)), signs_by_normals),
    ordered(case("barker", BANANA, constant!(0.5)), signs_by_normals),
    ordered(case("hmc", GAUSSIAN, concat!("leapfrog_steps = 5\n", constant!(0.4))), along_a_path),
    ordered(case("hmc", BANANA, constant!(0.8)), along_a_path),
    ordered(case("hmc", BANANA, concat!("leapfrog_steps = 4\nmetropolis = false\n", noisy!(0.2))), along_a_path),
    sparing(case("nuts", GAUSSIAN, constant!(0.3))),
    sparing(case("nuts", BANANA, constant!(0.7))),
    sparing(case("nuts", BANANA, concat!("max_depth = 2\n", constant!(0.1)))),
    sparing(case("parallel-tempering", GAUSSIAN, concat!("replicas = 4\nhottest = 20.0\n", constant!(0.3)))),
    sparing(case("parallel-tempering", BANANA, constant!(0.3))),
    ordered(case("demcz", GAUSSIAN, concat!("chains = 3\nevery = 2\narchive = 36\n", constant!(0.01))), chain_by_chain),
    ordered(
        case("demcz", BANANA, concat!("chains = 3\ngamma = 0.5\ninitial_spread = 0.5\n", constant!(0.01))),
        chain_by_chain,
    ),
];
