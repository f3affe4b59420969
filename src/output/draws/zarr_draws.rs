//! The draws of a run as a Zarr store that `arviz.from_zarr` opens: groups `posterior` and `sample_stats` with the dimensions
//! `chain` and `draw`.
//!
//! All chains have as many draws, one for each collected step. A chain that has left has NaN from there on, and `left` is true.
//! Methods along Hamiltonian dynamics have `energy`, `lp`, `acceptance_rate`, `n_steps` and `tree_depth`, under the names of ArviZ.
//! `diverging` is true of divergent transitions after the warm-up, whose draws have `warmup`. What belongs to a step and not to a
//! chain (`step`, `weight`, `cycle`, and `step_size` where all chains have one) has the dimension `draw` alone. On a target with one
//! coordinate there is no `y`; on one in more dimensions than are drawn, `posterior` has all coordinates instead, under their names.

use serde_json::{Value as Json, json};

use base::math::Point;
use engine::session::{Course, Transition, Transitions};

use super::Destination;
use super::zarr::{Array, Store, Type};

/// Draws in a chunk, of all chains together: 8 MB of a coordinate.
const CHUNK: u64 = 1 << 20;

/// What belongs to a collected step.
#[derive(Clone, Copy, Debug)]
pub struct StepStats {
    /// Its number, from 1.
    pub step: u64,
    /// The weight of its draws.
    pub weight: f64,
    /// Its step size.
    pub step_size: f64,
    /// Its cycle, from 1; 0 without cycles.
    pub cycle: u64,
}

/// An array of the posterior in the place of x and y: what is written of a vector, or one of the numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variable {
    /// Its name in the store.
    pub node: String,
    /// Its name.
    pub name: String,
    /// The number of coordinates that it has of a draw; `None` of a single number.
    pub length: Option<usize>,
}

/// A draw of a chain.
#[derive(Clone, Copy, Debug)]
pub struct Draw<'a> {
    /// Where it is; `None` of a chain that has left, and where `values` are written.
    pub at: Option<Point>,
    /// The numbers of all variables, one after the other; `None` of a chain that has left, and where there are none.
    pub values: Option<&'a [f64]>,
    /// The transition that led to it; `None` if its method tells of none.
    pub transition: Option<Transition>,
}

/// What an array has of a draw.
#[derive(Clone, Copy)]
struct Column {
    path: &'static str,
    ty: Type,
    /// The number, in eight bytes, or in the first of them.
    of: fn(Draw<'_>, StepStats) -> [u8; 8],
}

/// Arrays of all stores by chain and draw.
const DRAWS: [Column; 4] = [
    float("posterior/x", |draw, _| draw.at.map_or(f64::NAN, |at| at.x).to_le_bytes()),
    float("posterior/y", |draw, _| draw.at.map_or(f64::NAN, |at| at.y).to_le_bytes()),
    flag("sample_stats/diverging", |draw, _| truth(draw.transition.is_some_and(|of| of.is_divergent()))),
    flag("sample_stats/left", |draw, _| truth(draw.at.is_none() && draw.values.is_none())),
];

/// Those of methods that tell of transitions.
const TRANSITIONS: [Column; 5] = [
    float("sample_stats/step_size", |draw, step| {
        draw.transition.map_or(step.step_size, |of| of.step_size).to_le_bytes()
    }),
    float("sample_stats/energy", |draw, _| draw.transition.map_or(f64::NAN, |of| of.energy).to_le_bytes()),
    float("sample_stats/lp", |draw, _| draw.transition.map_or(f64::NAN, |of| of.log_density).to_le_bytes()),
    float("sample_stats/acceptance_rate", |draw, _| draw.transition.map_or(f64::NAN, |of| of.acceptance).to_le_bytes()),
    integer("sample_stats/n_steps", |draw, _| {
        draw.transition.map_or(0, |of| u64::from(of.leapfrog_steps)).to_le_bytes()
    }),
];

/// Of methods whose trajectories double.
const DEPTH: Column =
    integer("sample_stats/tree_depth", |draw, _| draw.transition.map_or(0, |of| u64::from(of.depth)).to_le_bytes());

/// Of methods with a warm-up.
const WARM_UP: Column =
    flag("sample_stats/warmup", |draw, _| truth(draw.transition.is_some_and(|of| of.course == Course::WarmUp)));

const fn float(path: &'static str, of: fn(Draw<'_>, StepStats) -> [u8; 8]) -> Column {
    Column { path, ty: Type::Float, of }
}

const fn integer(path: &'static str, of: fn(Draw<'_>, StepStats) -> [u8; 8]) -> Column {
    Column { path, ty: Type::Integer, of }
}

const fn flag(path: &'static str, of: fn(Draw<'_>, StepStats) -> [u8; 8]) -> Column {
    Column { path, ty: Type::Flag, of }
}

fn truth(flag: bool) -> [u8; 8] {
    u64::from(flag).to_le_bytes()
}

/// The arrays of a store by chain and draw, with so many of the coordinates x and y.
fn columns(coordinates: usize, told: Option<Transitions>) -> Vec<Column> {
    let left_out = coordinates.min(2)..2;
    let draws =
        DRAWS.into_iter().enumerate().filter(|(number, _)| !left_out.contains(number)).map(|(_, column)| column);
    let transitions = told.iter().flat_map(|told| {
        let depth = told.doubles.then_some(DEPTH);
        TRANSITIONS.into_iter().chain(depth).chain(told.adapts.then_some(WARM_UP))
    });
    draws.chain(transitions).collect()
}

/// The store of one run.
#[derive(Debug)]
pub struct ZarrDraws {
    store: Store,
    attributes: Json,
    chains: usize,
    columns: Vec<(Column, Vec<u8>)>,
    variables: Vec<(Variable, Vec<u8>)>,
    /// Draws of a chain in a chunk.
    chunk: usize,
    /// Draws of a chain in the whole chunks that are written.
    written: usize,
    /// Whether all chains have the step size of the step.
    steps_alike: bool,
    /// The steps of the chunk in the making.
    steps: Vec<StepStats>,
}

impl ZarrDraws {
    /// The store in the folder `name` for `chains` chains of about `rows` draws each, of a run whose methods tell this of
    /// transitions. `attributes` is what the root says.
    pub fn new(
        name: String,
        size: (usize, u64),
        (dimension, told): (usize, Option<Transitions>),
        attributes: Json,
    ) -> Self {
        Self::with(name, size, (dimension.min(2), Vec::new(), told), attributes)
    }

    /// The same with variables in the place of x and y.
    pub fn of_variables(
        name: String,
        size: (usize, u64),
        (variables, told): (Vec<Variable>, Option<Transitions>),
        attributes: Json,
    ) -> Self {
        Self::with(name, size, (0, variables, told), attributes)
    }

    fn with(
        name: String,
        (chains, rows): (usize, u64),
        (coordinates, variables, told): (usize, Vec<Variable>, Option<Transitions>),
        attributes: Json,
    ) -> Self {
        let store = Store::new(name);
        let chunk = usize::try_from((CHUNK / chains.max(1) as u64).min(rows).max(1)).unwrap_or(1);
        let columns = columns(coordinates, told).into_iter().map(|column| (column, Vec::new())).collect();
        let variables = variables.into_iter().map(|variable| (variable, Vec::new())).collect();
        let steps_alike = told.is_none();
        let mut draws =
            Self { store, attributes, chains, columns, variables, chunk, written: 0, steps_alike, steps: Vec::new() };
        draws.clear();
        draws
    }

    fn clear(&mut self) {
        let length = self.chains * self.chunk;
        for (column, bytes) in &mut self.columns {
            bytes.clear();
            match column.ty {
                Type::Float => bytes.extend(std::iter::repeat_n(f64::NAN.to_le_bytes(), length).flatten()),
                Type::Integer | Type::Flag => bytes.resize(length * column.ty.width(), 0),
            }
        }
        for (variable, bytes) in &mut self.variables {
            bytes.clear();
            bytes.extend(std::iter::repeat_n(f64::NAN.to_le_bytes(), length * variable.count()).flatten());
        }
        self.steps.clear();
    }

    /// Appends the draws of a step, one per chain.
    ///
    /// # Errors
    /// If a chunk cannot be written.
    pub fn push<'a>(
        &mut self,
        destination: &mut impl Destination,
        stats: StepStats,
        draw: impl Fn(usize) -> Draw<'a>,
    ) -> anyhow::Result<()> {
        let row = self.steps.len();
        for chain in 0..self.chains {
            let (index, draw) = (chain * self.chunk + row, draw(chain));
            for (column, bytes) in &mut self.columns {
                let width = column.ty.width();
                bytes[index * width..][..width].copy_from_slice(&(column.of)(draw, stats)[..width]);
            }
            let mut values = draw.values.into_iter().flatten();
            for (variable, bytes) in &mut self.variables {
                let count = variable.count();
                let places = bytes[index * count * 8..][..count * 8].chunks_exact_mut(8);
                places.zip(&mut values).for_each(|(place, value)| place.copy_from_slice(&value.to_le_bytes()));
            }
        }
        self.steps.push(stats);
        if self.steps.len() == self.chunk { self.flush(destination) } else { Ok(()) }
    }

    /// Makes the chunk in the making as long as what is in it, if it is the only one: fewer steps may be kept than a run has.
    fn shrink(&mut self) {
        let (chunk, rows) = (self.chunk, self.steps.len());
        if self.written == 0 && rows < chunk {
            let shorter = |bytes: &[u8], width: usize| -> Vec<u8> {
                bytes.chunks(width * chunk).flat_map(|chain| &chain[..width * rows]).copied().collect()
            };
            self.columns.iter_mut().for_each(|(column, bytes)| *bytes = shorter(bytes, column.ty.width()));
            self.variables.iter_mut().for_each(|(variable, bytes)| *bytes = shorter(bytes, 8 * variable.count()));
            self.chunk = rows;
        }
    }

    /// Writes the chunk in the making.
    fn flush(&mut self, files: &mut impl Destination) -> anyhow::Result<()> {
        let number = (self.written / self.chunk) as u64;
        for (column, bytes) in &self.columns {
            self.store.chunk(files, column.path, &[0, number], bytes)?;
        }
        for (variable, bytes) in &self.variables {
            let index: &[u64] = if variable.length.is_some() { &[0, number, 0] } else { &[0, number] };
            self.store.chunk(files, &variable.path(), index, bytes)?;
        }
        for (name, _, of, fill) in self.by_step() {
            let filled = self.steps.iter().map(of).chain(std::iter::repeat(fill)).take(self.chunk);
            let bytes = filled.flatten().collect::<Vec<u8>>();
            self.store.chunk(files, &format!("sample_stats/{name}"), &[number], &bytes)?;
        }
        let draws: Vec<u8> =
            (self.written..self.written + self.chunk).flat_map(|draw| (draw as u64).to_le_bytes()).collect();
        for group in GROUPS {
            self.store.chunk(files, &format!("{group}/draw"), &[number], &draws)?;
        }
        self.written += self.steps.len();
        self.clear();
        Ok(())
    }

    /// The arrays by draw alone: name, type, number of a step, and what fills up a chunk.
    fn by_step(&self) -> impl Iterator<Item = ByStep> + use<> {
        let (nothing, absent) = (0_u64.to_le_bytes(), f64::NAN.to_le_bytes());
        let step_size: ByStep = ("step_size", Type::Float, |stats| stats.step_size.to_le_bytes(), absent);
        let all: [ByStep; 3] = [
            ("step", Type::Integer, |stats| stats.step.to_le_bytes(), nothing),
            ("weight", Type::Float, |stats| stats.weight.to_le_bytes(), absent),
            ("cycle", Type::Integer, |stats| stats.cycle.to_le_bytes(), nothing),
        ];
        all.into_iter().chain(self.steps_alike.then_some(step_size))
    }

    /// Completes the store.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn finish(mut self, destination: &mut impl Destination) -> anyhow::Result<()> {
        if !self.steps.is_empty() {
            self.shrink();
            self.flush(destination)?;
        }
        let chain = ("chain", self.chains as u64, self.chains as u64);
        let draw = ("draw", self.written as u64, self.chunk as u64);
        let chains: Vec<u8> = (0..self.chains as u64).flat_map(u64::to_le_bytes).collect();
        self.store.group("", &self.attributes);
        for group in GROUPS {
            self.store.chunk(destination, &format!("{group}/chain"), &[0], &chains)?;
            self.store.group(group, &group_attributes());
            for coordinate in [chain, draw] {
                let path = format!("{group}/{}", coordinate.0);
                self.store.array(&Array { path: &path, ty: Type::Integer, dimensions: &[coordinate], long_name: "" });
            }
        }
        for (Column { path, ty, .. }, _) in &self.columns {
            self.store.array(&Array { path, ty: *ty, dimensions: &[chain, draw], long_name: "" });
        }
        for (variable, _) in &self.variables {
            let own = variable.length.map(|length| (DIMENSION, length as u64, length as u64));
            let dimensions: Vec<_> = [chain, draw].into_iter().chain(own).collect();
            let (path, long_name) = (variable.path(), variable.name.as_str());
            self.store.array(&Array { path: &path, ty: Type::Float, dimensions: &dimensions, long_name });
        }
        for (name, ty, ..) in self.by_step() {
            self.store.array(&Array { path: &format!("sample_stats/{name}"), ty, dimensions: &[draw], long_name: "" });
        }
        self.store.finish(destination)
    }
}

/// The dimension of coordinates without names.
const DIMENSION: &str = "coordinate";

impl Variable {
    /// Numbers of a draw.
    fn count(&self) -> usize {
        self.length.unwrap_or(1)
    }

    fn path(&self) -> String {
        format!("{}/{}", GROUPS[0], self.node)
    }
}

/// An array by draw: name, type, number of a step, and what fills up a chunk.
type ByStep = (&'static str, Type, fn(&StepStats) -> [u8; 8], [u8; 8]);

impl std::fmt::Debug for Column {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(self.path)
    }
}

/// Groups of the store, in the words of ArviZ.
const GROUPS: [&str; 2] = ["posterior", "sample_stats"];

/// What ArviZ expects to know of a group.
fn group_attributes() -> Json {
    json!({
        "creation_library": "Sampler Lab",
        "creation_library_version": env!("CARGO_PKG_VERSION"),
        "inference_library": "Sampler Lab",
        "inference_library_version": env!("CARGO_PKG_VERSION"),
        "sample_dims": ["chain", "draw"],
    })
}
