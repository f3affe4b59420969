//! Chunks: consecutive steps of a population, with everything that a method needs to take them.
//!
//! This file and `gradient.rs`, `scratch.rs` and `stepwise.rs` import each other: a chunk holds the gradient estimate and
//! the scratch memory, and their functions take parts of a chunk. The four files are one unit, split by subject.

use std::ops::Range;

use crate::methods::{Gradient, Scratch, StepRecord, Stopwatch};
use crate::schedules::Stage;
use base::math::{Coords, Point, Simd};
use models::lda::Stop;
use models::targets::{Boundary, Coordinates, Data, Density, Minibatches, Model, Projection, Target, TargetInfo};

/// A chunk of consecutive steps: the only argument of [`Method::advance`](crate::methods::Method::advance) besides the chains.
#[derive(Debug)]
pub struct Chunk<'a> {
    /// The target and the gradient estimate, which are the same in all steps.
    pub problem: &'a Problem<'a>,
    /// Step sizes, stages, and minibatches, step by step.
    pub steps: Steps<'a>,
    /// The random numbers of all steps.
    pub randomness: Randomness<'a>,
    /// Where the method writes the positions after every step, and the records of the last step.
    pub track: Track<'a>,
    /// Memory for intermediate results, which a method may use as it likes and which keeps its capacity between chunks.
    pub scratch: &'a mut Scratch,
}

/// Number of random numbers that a method uses per chain and step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Needs {
    /// Vectors of independent standard normals, with as many coordinates as the model.
    pub vectors: usize,
    /// Uniforms in (0, 1).
    pub uniforms: usize,
    /// Whether hidden units are dropped: a uniform more for each of them at each datum of the gradient.
    pub masks: bool,
}

impl Needs {
    /// Uniforms per chain and step on this model, those of masks included.
    #[must_use]
    pub fn uniforms_on(self, model: &dyn Model, gradient: &Gradient) -> usize {
        let data = if gradient.batch_size() > 0 { gradient.batch_size() } else { model.data() };
        let units = || model.network().map_or(0, |network| network.layout().hidden_units());
        self.uniforms + if self.masks { data * units() } else { 0 }
    }
}

/// The random numbers of a chunk of steps of a population.
///
/// Normals come in pairs, ⌈d/2⌉ to a vector: coordinates 2j and 2j + 1 are the two members of its pair j. Where d is odd,
/// the last member is not used.
#[derive(Clone, Copy, Debug)]
pub struct Randomness<'a> {
    /// First members: those of pair `j` of vector `v` of chain `i` in step `k` at
    /// `((k · vectors + v) · ⌈d/2⌉ + j) · chains + i`.
    pub first: &'a [f64],
    /// Second members, in the same layout.
    pub second: &'a [f64],
    /// Uniforms, in the same layout.
    pub uniforms: &'a [f64],
}

/// Pairs of normals in a vector with `dimension` coordinates.
#[must_use]
pub fn pairs_in(dimension: usize) -> usize {
    dimension.div_ceil(2)
}

/// What is the same in all steps of a chunk: the target and how its gradient is estimated.
#[derive(Clone, Copy, Debug)]
pub struct Problem<'a> {
    /// What the target tells of itself, in the coordinates of the chains.
    pub info: &'a TargetInfo,
    /// The density on which chains move, if all of their coordinates are in the plane.
    pub density: Option<&'a dyn Density>,
    /// Its density in all its coordinates; of a density in the plane, that density; `None` of topics.
    pub model: Option<&'a dyn Model>,
    /// What of the coordinates is drawn and counted.
    pub projection: &'a Projection,
    /// How gradients are estimated.
    pub gradient: &'a Gradient,
    /// The instruction set; it changes the speed and no result.
    pub simd: Simd,
    /// Number of coordinates in which chains move; those from there on stay as they are.
    pub free: usize,
    /// Looked at in steps that take long; see [`Problem::unless`].
    pub stop: Option<&'a Stop>,
    /// Times the chains of methods that keep their times; see [`Problem::timed_by`].
    pub stopwatch: Option<&'a Stopwatch>,
    /// How chains are folded back into the support, if its boundary reflects; only targets in the plane have one.
    folding: Option<Coordinates>,
}

impl<'a> Problem<'a> {
    /// On a target: in the plane, or with all coordinates of the model behind it.
    #[must_use]
    pub fn new(target: &'a Target, gradient: &'a Gradient, simd: Simd) -> Self {
        let density = target.in_plane().map(AsRef::as_ref);
        let (info, model, projection) = (target.info(), target.model(), target.projection());
        Self { projection, ..Self::with((info, density, model), gradient, simd) }
    }

    /// On a density on the line or in the plane.
    #[must_use]
    pub fn in_plane(density: &'a dyn Density, gradient: &'a Gradient, simd: Simd) -> Self {
        Self::with((density.info(), Some(density), Some(density.as_model())), gradient, simd)
    }

    fn with(
        (info, density, model): (&'a TargetInfo, Option<&'a dyn Density>, Option<&'a dyn Model>),
        gradient: &'a Gradient,
        simd: Simd,
    ) -> Self {
        let folding = (info.boundary == Boundary::Reflect).then(|| Coordinates::of(info));
        Self {
            info,
            density,
            model,
            projection: &Projection::PLANE,
            gradient,
            simd,
            free: model.map_or(2, Model::free),
            stop: None,
            stopwatch: None,
            folding,
        }
    }

    /// The same with steps that may be left unfinished when they are stopped. Then chains and records are without meaning.
    #[must_use]
    pub fn unless(self, stop: Option<&'a Stop>) -> Self {
        Self { stop, ..self }
    }

    /// The same with steps whose time is taken, where chains keep it: chains of topics do.
    #[must_use]
    pub fn timed_by(self, stopwatch: Option<&'a Stopwatch>) -> Self {
        Self { stopwatch, ..self }
    }

    /// The data of a posterior in the plane.
    pub(crate) fn data(&self) -> Option<&'a dyn Data> {
        self.density?.data()
    }

    /// N, the number of data behind a posterior; 0 of a density without data, and of topics.
    #[must_use]
    pub fn data_count(&self) -> usize {
        self.model.map_or(0, Model::data)
    }

    /// The largest absolute value of a coordinate of a chain that has not diverged.
    pub(crate) fn reach(&self) -> f64 {
        self.model.map_or(f64::INFINITY, Model::reach)
    }

    /// The displacement in the plane whose coordinates `of` gives, of those in which chains move.
    pub(crate) fn displacement(&self, of: impl Fn(usize) -> f64) -> Point {
        self.projection.displacement(self.free, of)
    }

    /// The position of a chain in the plane.
    #[inline]
    pub(crate) fn position(&self, positions: &Coords, chain: usize) -> Point {
        if self.density.is_some() { positions.point(chain) } else { self.projection.point(positions, chain) }
    }

    /// How chains are folded back into the support, if its boundary reflects.
    #[inline]
    pub(crate) fn folding(&self) -> Option<&Coordinates> {
        self.folding.as_ref()
    }

    /// Folds chains back into the support, if its boundary reflects.
    #[inline]
    pub(crate) fn fold(&self, positions: &mut Coords) {
        let Some(coordinates) = self.folding() else { return };
        let [x, y] = positions.plane_mut();
        coordinates.fold_all(x, y);
    }

    /// Log densities at many positions.
    #[inline]
    pub(crate) fn log_densities(&self, at: &Coords, memory: &mut Vec<f64>, out: &mut [f64]) {
        if let Some(model) = self.model {
            model.log_densities(self.simd, at, memory, out);
        }
    }

    /// Full gradients at many positions.
    #[inline]
    pub(crate) fn gradients(&self, at: &Coords, memory: &mut Vec<f64>, out: &mut Coords) {
        if let Some(model) = self.model {
            model.gradients(self.simd, at, memory, out);
        }
    }
}

/// Step sizes, stages and minibatches of consecutive steps.
#[derive(Clone, Copy, Debug)]
pub struct Steps<'a> {
    /// Step size α of every step.
    pub step_sizes: &'a [f64],
    /// Stage of every step: sampling or exploration.
    pub stages: &'a [Stage],
    /// The minibatches of the chains; none unless the gradient uses minibatches.
    pub batches: Minibatches<'a>,
}

impl<'a> Steps<'a> {
    /// Number of steps.
    #[must_use]
    pub fn len(&self) -> usize {
        self.step_sizes.len()
    }

    /// Whether there are no steps.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.step_sizes.is_empty()
    }

    /// The steps with the given numbers within the chunk, counted from 0.
    #[must_use]
    pub fn part(&self, steps: Range<usize>) -> Self {
        Self {
            step_sizes: &self.step_sizes[steps.clone()],
            stages: &self.stages[steps.clone()],
            batches: self.batches.steps(steps.start, steps.end),
        }
    }
}

/// Output of a chunk of steps.
#[derive(Debug)]
pub struct Track<'a> {
    /// First coordinates in the plane after every step: chain `c` after step `k` at `k · chains + c`.
    pub x: &'a mut [f64],
    /// Second coordinates, in the same layout.
    pub y: &'a mut [f64],
    /// Records of the last step, one per chain; empty if no records are wanted.
    pub records: &'a mut [StepRecord],
}
