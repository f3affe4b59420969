//! The draws of a run as a Zarr store that `arviz.from_zarr` opens: groups `posterior` and `sample_stats` with the dimensions
//! `chain` and `draw`.
//!
//! All chains have as many draws, one for each collected step. A chain that has diverged has NaN from there on, and
//! `diverging` is true. What belongs to a step and not to a chain (`step`, `weight`, `step_size`, `cycle`) has the dimension `draw`
//! alone. On a target with one coordinate there is no `y`.

use serde_json::{Value as Json, json};

use crate::math::Point;

use super::Place;
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

/// The store of one run.
#[derive(Debug)]
pub struct ZarrDraws {
    store: Store,
    attributes: Json,
    chains: usize,
    /// Whether the target has a second coordinate.
    planar: bool,
    /// Draws of a chain in a chunk.
    chunk: usize,
    /// Draws of a chain in the whole chunks that are written.
    written: usize,
    /// The chunk in the making, chain after chain.
    x: Vec<f64>,
    y: Vec<f64>,
    diverging: Vec<u8>,
    steps: Vec<StepStats>,
}

impl ZarrDraws {
    /// The store in the folder `name` for `chains` chains of about `rows` draws each. `attributes` is what the root says.
    pub fn new(name: String, (chains, rows): (usize, u64), dimension: usize, attributes: Json) -> Self {
        let store = Store::new(name);
        let chunk = usize::try_from((CHUNK / chains.max(1) as u64).min(rows).max(1)).unwrap_or(1);
        let mut draws = Self {
            store,
            attributes,
            chains,
            planar: dimension > 1,
            chunk,
            written: 0,
            x: Vec::new(),
            y: Vec::new(),
            diverging: Vec::new(),
            steps: Vec::new(),
        };
        draws.clear();
        draws
    }

    fn clear(&mut self) {
        let length = self.chains * self.chunk;
        for list in [&mut self.x, &mut self.y] {
            list.clear();
            list.resize(length, f64::NAN);
        }
        self.diverging.clear();
        self.diverging.resize(length, 0);
        self.steps.clear();
    }

    /// Appends the draws of a step, one per chain; `None` of a chain that has diverged.
    ///
    /// # Errors
    /// If a chunk cannot be written.
    pub fn push(
        &mut self,
        place: &mut impl Place,
        stats: StepStats,
        position: impl Fn(usize) -> Option<Point>,
    ) -> anyhow::Result<()> {
        let row = self.steps.len();
        for chain in 0..self.chains {
            let index = chain * self.chunk + row;
            match position(chain) {
                Some(at) => (self.x[index], self.y[index]) = (at.x, at.y),
                None => self.diverging[index] = 1,
            }
        }
        self.steps.push(stats);
        if self.steps.len() == self.chunk { self.flush(place) } else { Ok(()) }
    }

    /// Writes the chunk in the making.
    fn flush(&mut self, files: &mut impl Place) -> anyhow::Result<()> {
        let number = (self.written / self.chunk) as u64;
        let floats = |list: &[f64]| list.iter().flat_map(|number| number.to_le_bytes()).collect::<Vec<_>>();
        let mut put = |path: &str, place: &[u64], bytes: &[u8]| self.store.chunk(files, path, place, bytes);
        put("posterior/x", &[0, number], &floats(&self.x))?;
        if self.planar {
            put("posterior/y", &[0, number], &floats(&self.y))?;
        }
        put("sample_stats/diverging", &[0, number], &self.diverging)?;
        let by_step = |of: fn(&StepStats) -> [u8; 8], fill: [u8; 8]| {
            let filled = self.steps.iter().map(of).chain(std::iter::repeat(fill)).take(self.chunk);
            filled.flatten().collect::<Vec<u8>>()
        };
        let (nothing, absent) = (0_u64.to_le_bytes(), f64::NAN.to_le_bytes());
        put("sample_stats/step", &[number], &by_step(|stats| stats.step.to_le_bytes(), nothing))?;
        put("sample_stats/weight", &[number], &by_step(|stats| stats.weight.to_le_bytes(), absent))?;
        put("sample_stats/step_size", &[number], &by_step(|stats| stats.step_size.to_le_bytes(), absent))?;
        put("sample_stats/cycle", &[number], &by_step(|stats| stats.cycle.to_le_bytes(), nothing))?;
        let draws: Vec<u8> =
            (self.written..self.written + self.chunk).flat_map(|draw| (draw as u64).to_le_bytes()).collect();
        for group in GROUPS {
            put(&format!("{group}/draw"), &[number], &draws)?;
        }
        self.written += self.steps.len();
        self.clear();
        Ok(())
    }

    /// Completes the store.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn finish(mut self, place: &mut impl Place) -> anyhow::Result<()> {
        if !self.steps.is_empty() {
            self.flush(place)?;
        }
        let chain = ("chain", self.chains as u64, self.chains as u64);
        let draw = ("draw", self.written as u64, self.chunk as u64);
        let chains: Vec<u8> = (0..self.chains as u64).flat_map(u64::to_le_bytes).collect();
        self.store.group("", &self.attributes);
        for group in GROUPS {
            self.store.chunk(place, &format!("{group}/chain"), &[0], &chains)?;
            self.store.group(group, &group_attributes());
            for coordinate in [chain, draw] {
                let path = format!("{group}/{}", coordinate.0);
                self.store.array(&Array { path: &path, ty: Type::Integer, dimensions: &[coordinate] });
            }
        }
        let coordinates = if self.planar { &["posterior/x", "posterior/y"][..] } else { &["posterior/x"] };
        for path in coordinates {
            self.store.array(&Array { path, ty: Type::Float, dimensions: &[chain, draw] });
        }
        let path = "sample_stats/diverging";
        self.store.array(&Array { path, ty: Type::Flag, dimensions: &[chain, draw] });
        let by_step =
            [("step", Type::Integer), ("weight", Type::Float), ("step_size", Type::Float), ("cycle", Type::Integer)];
        for (name, ty) in by_step {
            self.store.array(&Array { path: &format!("sample_stats/{name}"), ty, dimensions: &[draw] });
        }
        self.store.finish(place)
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
