//! Step records: the displacements, the proposal, the trajectory and the energy of one step of one chain.

use super::algorithm::Phase;
use super::told::NamedTerm;
use base::math::Point;
use models::targets::Coordinates;

/// A proposal of a Metropolis method.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Proposal {
    /// The proposed point.
    pub at: Point,
    /// The logarithm of the ratio that decides: of the densities, corrected for how the proposal was made.
    pub log_ratio: f64,
    /// The acceptance probability, from 0 to 1.
    pub probability: f64,
    /// The uniform number: below the acceptance probability the proposal is accepted.
    pub uniform: f64,
    /// Whether the proposal was accepted.
    pub accepted: bool,
}

/// The trajectory of a step of the No-U-Turn sampler, doubling by doubling.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Trajectory {
    /// The leaves in the order in which they were computed: leapfrog step k leads to leaf k, from 1 on. The start is leaf 0.
    pub leaves: Vec<Leaf>,
    /// The doublings in order; the last one may be unfinished.
    pub doublings: Vec<Doubling>,
    /// The number of the leaf that is the draw: 0 is the start.
    pub chosen: usize,
    /// The two ends of the trajectory in time, the earlier one first; without an unfinished subtree.
    pub ends: [Point; 2],
    /// Their momenta at unit mass, as displacements in the plane by a time of 1.
    pub velocities: [Point; 2],
    /// ρ · r⁻ and ρ · r⁺ of the check that stopped the trajectory, or else of the last one: r⁻ and r⁺ are the momenta at unit
    /// mass at the two ends, and ρ the sum of the momenta between them.
    pub products: [f64; 2],
    /// Why it was stopped.
    pub stop: Stop,
    /// The step size h of this chain.
    pub step_size: f64,
    /// The mean of min(1, exp(H − H′)) over all leapfrog steps, which adaptation aims at.
    pub acceptance: f64,
    /// Steps of the warm-up that are left after this one; `None` without adaptation.
    pub warm_up_left: Option<u64>,
    /// Standard deviations to which the mass matrix is adapted: of both coordinates in the plane, or the smallest and the
    /// largest in more dimensions. 1 at unit mass.
    pub scales: [f64; 2],
}

impl Trajectory {
    /// Number of leapfrog steps.
    #[must_use]
    pub fn leapfrog_steps(&self) -> usize {
        self.leaves.len().saturating_sub(1)
    }

    /// Number of doublings that were finished.
    #[must_use]
    pub fn depth(&self) -> usize {
        self.doublings.iter().filter(|doubling| doubling.finished).count()
    }

    /// Converts the trajectory from the coordinates of chains to θ.
    fn translate(&mut self, coordinates: &Coordinates) {
        let turned = |ends: &[Point; 2], velocities: &[Point; 2]| {
            let velocity =
                |end: usize| coordinates.to_theta(ends[end] + velocities[end]) - coordinates.to_theta(ends[end]);
            [velocity(0), velocity(1)]
        };
        for number in 0..self.doublings.len() {
            let so_far = self.after(number + 1);
            self.doublings[number].velocities = turned(&so_far.ends, &self.doublings[number].velocities);
        }
        self.velocities = turned(&self.ends, &self.velocities);
        self.ends = self.ends.map(|end| coordinates.to_theta(end));
        self.leaves.iter_mut().for_each(|leaf| leaf.at = coordinates.to_theta(leaf.at));
    }

    /// The trajectory as it was after this many doublings; the whole of it if there are no more.
    #[must_use]
    pub fn after(&self, doublings: usize) -> Self {
        let Some(next) = self.doublings.get(doublings) else { return self.clone() };
        let newest = doublings.checked_sub(1).map(|newest| self.doublings[newest]);
        let start = self.leaves.first().map_or(Point::zeros(), |leaf| leaf.at);
        // The newest leaf of a direction is the end of the tree there.
        let end = |forward: bool| {
            let mut last = start;
            for (number, doubling) in self.doublings[..doublings].iter().enumerate() {
                if doubling.forward == forward {
                    last = self.leaves[self.doublings[number + 1].first - 1].at;
                }
            }
            last
        };
        Self {
            leaves: self.leaves[..next.first].to_vec(),
            doublings: self.doublings[..doublings].to_vec(),
            chosen: newest.map_or(0, |newest| newest.chosen),
            ends: [end(false), end(true)],
            velocities: newest.map_or([Point::zeros(); 2], |newest| newest.velocities),
            products: newest.map_or([0.0; 2], |newest| newest.products),
            ..*self
        }
    }
}

/// A point of a trajectory.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Leaf {
    /// Where it is.
    pub at: Point,
    /// H − H′: the logarithm of its weight over that of the start. Not finite where the density is 0.
    pub log_weight: f64,
}

/// A doubling of a trajectory.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Doubling {
    /// Whether it goes forward in time.
    pub forward: bool,
    /// The number of its first leaf.
    pub first: usize,
    /// Whether all its leaves were computed and no turn is within them: only then does its leaf count.
    pub finished: bool,
    /// Whether the draw moved to one of its leaves.
    pub taken: bool,
    /// After a finished doubling: the number of the leaf that is the draw so far.
    pub chosen: usize,
    /// After a finished doubling: the momenta at both ends of the trajectory so far, as in [`Trajectory::velocities`].
    pub velocities: [Point; 2],
    /// After a finished doubling: ρ · r⁻ and ρ · r⁺ of its check, as in [`Trajectory::products`].
    pub products: [f64; 2],
}

/// Why a trajectory was stopped.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Stop {
    /// The ends of the whole trajectory turn towards each other.
    Turn,
    /// The ends of a part of the newest subtree turn towards each other.
    TurnWithin,
    /// The error of the energy is too large.
    Divergence,
    /// The largest number of doublings is reached.
    #[default]
    Depth,
}

/// A replica of a chain at one of the temperatures of parallel tempering, after a step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Rung {
    /// The temperature, 1 or more.
    pub temperature: f64,
    /// Where the replica is.
    pub at: Point,
    /// Whether it has changed places with the replica at the next temperature; `None` if this was not proposed.
    pub swapped: Option<bool>,
}

/// Terms of the formula of a method that are no displacements, as vectors in the plane; `None` of what has no value there.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Terms {
    /// What is carried along.
    pub carried: Option<Point>,
    /// The term with the full gradient, and how much the error of the gradient estimate adds to it.
    pub gradient: Option<[Point; 2]>,
    /// The noise.
    pub noise: Option<Point>,
}

/// One step of one chain, taken apart for display.
///
/// The displacements add up to `to` − `from`, or to the displacement of the proposal if there is one. Of a method that
/// integrates a path (`path`, `trajectory`), they are those of its first leapfrog step.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StepRecord {
    /// Position before the step.
    pub from: Point,
    /// Position after the step.
    pub to: Point,
    /// Displacement by the momentum from before the step; where chains interact, by the positions of other chains.
    pub carried: Point,
    /// Displacement by the full gradient.
    pub drift: Point,
    /// Displacement by the error of the gradient estimate.
    pub gradient_noise: Point,
    /// Displacement by the injected noise.
    pub injected_noise: Point,
    /// The terms of the formula, where displacements are something else: a momentum times the time of a step, say.
    pub terms: Option<Terms>,
    /// The step size of this chain, where it has one of its own.
    pub step_size: Option<f64>,
    /// The proposal, of a Metropolis method.
    pub proposal: Option<Proposal>,
    /// The points of the path to the proposal in order, of a method that integrates a path; or from coordinate to coordinate, of one that
    /// draws them one after the other.
    pub path: Vec<Point>,
    /// What of the algorithm this step had no need of: lines about these phases were not carried out.
    pub left_out: &'static [Phase],
    /// The trajectory, of the No-U-Turn sampler.
    pub trajectory: Option<Box<Trajectory>>,
    /// The replicas from the coldest, which is the chain, to the hottest, of parallel tempering. Where the first two have exchanged
    /// their places, the chain ends where the second was.
    pub rungs: Vec<Rung>,
    /// Momentum after the step at unit mass: in equilibrium its coordinates have variance 1.
    pub momentum: Option<Point>,
    /// Total energy after the step.
    pub energy: Option<f64>,
    /// What the method tells of its step by name, in the coordinates of the chains.
    pub told: Vec<NamedTerm>,
    /// Whether these coordinates are others than θ: its logit or its logarithm.
    pub told_in_open: bool,
    /// Of a fit, the phase of the term that moves its mean: `drift` is then the displacement by this term, not by a gradient.
    pub moved_by: Option<Phase>,
}

impl StepRecord {
    /// Converts the record from the coordinates of chains to θ. The displacements still lead from one point to the next.
    pub fn translate(&mut self, coordinates: &Coordinates) {
        self.told_in_open = *coordinates != Coordinates::plain();
        let mut tip = self.from;
        let mut position = coordinates.to_theta(tip);
        self.from = position;
        for part in [&mut self.carried, &mut self.drift, &mut self.gradient_noise, &mut self.injected_noise] {
            tip += *part;
            let next = coordinates.to_theta(tip);
            *part = next - position;
            position = next;
        }
        self.to = coordinates.to_theta(self.to);
        if let Some(proposal) = &mut self.proposal {
            proposal.at = coordinates.to_theta(proposal.at);
        }
        for point in self.path.iter_mut().chain(self.rungs.iter_mut().map(|rung| &mut rung.at)) {
            *point = coordinates.to_theta(*point);
        }
        if let Some(trajectory) = self.trajectory.as_deref_mut() {
            trajectory.translate(coordinates);
        }
    }

    /// The record of the step of a fit, whose mean a term of its formula has moved, or of topics.
    #[must_use]
    pub(crate) fn of_fit(moved_by: Phase, [from, to]: [Point; 2], told: Vec<NamedTerm>) -> Self {
        let terms = Some(Terms::default());
        Self { from, to, drift: to - from, terms, told, moved_by: Some(moved_by), ..Self::default() }
    }

    /// The record of a chain that has diverged and takes no step: no position is a number.
    #[must_use]
    pub fn nowhere() -> Self {
        let nowhere = Point::repeat(f64::NAN);
        Self {
            from: nowhere,
            to: nowhere,
            carried: nowhere,
            drift: nowhere,
            gradient_noise: nowhere,
            injected_noise: nowhere,
            ..Self::default()
        }
    }

    /// The terms of the formula: displacements, unless the method has said otherwise.
    #[must_use]
    pub fn terms(&self) -> Terms {
        self.terms.unwrap_or(Terms {
            carried: Some(self.carried),
            gradient: Some([self.drift, self.gradient_noise]),
            noise: Some(self.injected_noise),
        })
    }

    /// Whether the path is integrated along a momentum, not from coordinate to coordinate.
    #[must_use]
    pub fn follows_momentum(&self) -> bool {
        self.path.len() > 1 && self.momentum.is_some()
    }

    /// The phase that the path belongs to: coordinates that are drawn one after the other move the chain.
    #[must_use]
    pub fn path_phase(&self) -> Phase {
        if self.momentum.is_some() { Phase::Path } else { Phase::Move }
    }

    /// The phase that the arrow of the injected noise belongs to: where no noise was drawn it is a move of the chain.
    #[must_use]
    pub fn noise_phase(&self) -> Phase {
        if self.left_out.contains(&Phase::Noise) { Phase::Move } else { Phase::Noise }
    }

    /// Whether the chain has taken the step, that is, has not diverged.
    #[must_use]
    pub fn is_step(&self) -> bool {
        self.to.x.is_finite() && self.to.y.is_finite()
    }
}
