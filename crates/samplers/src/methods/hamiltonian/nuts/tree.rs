//! Trajectory of one chain: a binary tree that doubles until its ends turn towards each other.
//!
//! The tree does not know the target. Whoever moves the chain takes a leapfrog step with [`Tree::front`] in the direction
//! [`Tree::forward`] and calls [`Tree::visit`], again and again. A subtree of 2ʲ leaves is built like a binary counter: two
//! neighbours of the same size become one node of twice the size, so that j + 1 nodes are kept at a time.
//!
//! A node keeps the momenta of its first and last leaf and the sum ρ of all. Two neighbours a, b may be joined if none of
//! these turns, where (ρ; r, r′) turns unless ρ · r > 0 and ρ · r′ > 0:
//!
//! - the whole: (ρₐ + ρ_b; first of a, last of b);
//! - a with the first leaf of b, and b with the last leaf of a, as in Stan.
//!
//! The conditions are the same for a node and the node reversed in time, and momenta are at unit mass.
//!
//! A leaf of the subtree is chosen by its weight exp(−H) with one uniform number u. Leaf after leaf takes the place of the
//! one chosen so far with probability p, its share of the weight so far, if u < p; then u/p, else (u − p)/(1 − p), is again
//! uniform and independent of what was decided. It loses about one bit per doubling of 53.

use base::math::elementary::log_add_exp;

use crate::methods::kit::metropolis;
use crate::methods::kit::record::Stop;
use crate::methods::kit::transition::LARGEST_ERROR;

/// Uniforms that a doubling needs: for its direction, for the leaf within its subtree, and for taking this leaf.
pub const UNIFORMS: usize = 3;

/// A point of phase space: vectors in the coordinates of the chain.
#[derive(Clone, Debug, Default)]
pub struct PhasePoint {
    /// θ.
    pub position: Vec<f64>,
    /// The momentum at unit mass.
    pub momentum: Vec<f64>,
    /// ∇ log p(θ).
    pub gradient: Vec<f64>,
    /// log p(θ).
    pub log_density: f64,
}

impl PhasePoint {
    fn resize(&mut self, dimension: usize) {
        for vector in [&mut self.position, &mut self.momentum, &mut self.gradient] {
            vector.resize(dimension, 0.0);
        }
    }

    fn copy(&mut self, other: &Self) {
        self.position.copy_from_slice(&other.position);
        self.momentum.copy_from_slice(&other.momentum);
        self.gradient.copy_from_slice(&other.gradient);
        self.log_density = other.log_density;
    }

    /// H = −log p(θ) + ½‖r‖².
    pub fn energy(&self) -> f64 {
        0.5 * dot(&self.momentum, &self.momentum) - self.log_density
    }
}

/// Consecutive leaves: momenta of the first and the last in the order in which they were computed, and the sum of all.
#[derive(Clone, Debug, Default)]
struct Node {
    first: Vec<f64>,
    last: Vec<f64>,
    sum: Vec<f64>,
}

impl Node {
    fn resize(&mut self, dimension: usize) {
        for vector in [&mut self.first, &mut self.last, &mut self.sum] {
            vector.resize(dimension, 0.0);
        }
    }

    fn set_leaf(&mut self, momentum: &[f64]) {
        for vector in [&mut self.first, &mut self.last, &mut self.sum] {
            vector.copy_from_slice(momentum);
        }
    }

    fn copy(&mut self, other: &Self) {
        self.first.copy_from_slice(&other.first);
        self.last.copy_from_slice(&other.last);
        self.sum.copy_from_slice(&other.sum);
    }

    /// Puts the leaves of `before` before its own.
    fn prepend(&mut self, before: &Self) {
        self.first.copy_from_slice(&before.first);
        self.sum.iter_mut().zip(&before.sum).for_each(|(sum, before)| *sum += before);
    }
}

/// A check of two neighbouring nodes.
#[derive(Clone, Copy, Debug)]
struct Check {
    turned: bool,
    /// The products that decided, in the order of the nodes.
    products: [f64; 2],
}

/// Checks whether two neighbours may be joined.
fn check(a: &Node, b: &Node) -> Check {
    let whole = products([&a.sum, &b.sum], [&a.first, &b.last]);
    let across = [products([&a.sum, &b.first], [&a.first, &b.first]), products([&a.last, &b.sum], [&a.last, &b.last])];
    let turned = |products: &[f64; 2]| !(products[0] > 0.0 && products[1] > 0.0);
    let found = std::iter::once(whole).chain(across).find(turned);
    Check { turned: found.is_some(), products: found.unwrap_or(whole) }
}

/// (x + y) · r for both momenta r.
fn products([x, y]: [&[f64]; 2], momenta: [&[f64]; 2]) -> [f64; 2] {
    momenta.map(|momentum| x.iter().zip(y).zip(momentum).map(|((x, y), r)| (x + y) * r).sum())
}

fn dot(x: &[f64], y: &[f64]) -> f64 {
    x.iter().zip(y).map(|(x, y)| x * y).sum()
}

/// What a leaf means for the trajectory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Visit {
    /// The subtree has further leaves.
    Within,
    /// The subtree is finished and the trajectory doubles again. Whether the draw moved to it.
    Doubled(bool),
    /// The trajectory has ended; whether with a finished subtree to which the draw moved, if it is finished.
    Ended(Stop, Option<bool>),
}

impl Visit {
    /// Whether another doubling begins.
    pub fn is_doubled(self) -> bool {
        matches!(self, Self::Doubled(_))
    }

    /// Whether the trajectory has ended.
    pub fn is_ended(self) -> bool {
        matches!(self, Self::Ended(..))
    }
}

/// The trajectory of one chain.
#[derive(Clone, Debug, Default)]
pub struct Tree {
    /// The newest leaf.
    pub front: PhasePoint,
    /// Whether the present subtree goes forward in time.
    pub forward: bool,
    /// The draw.
    pub chosen: PhasePoint,
    /// The number of its leaf.
    pub chosen_leaf: usize,
    /// The two ends, the earlier one first.
    pub ends: [PhasePoint; 2],
    /// Products of the check that ended the trajectory, or else of the last one, in the order of time.
    pub products: [f64; 2],
    /// Leapfrog steps so far.
    pub leaves: usize,
    /// Doublings that are finished.
    depth: usize,
    /// Leaves of the present subtree.
    built: usize,
    most_depth: usize,
    start_energy: f64,
    /// ln of the sum of the weights exp(−H) of the finished tree, and of the present subtree.
    log_weights: [f64; 2],
    /// Uniforms for the leaf within the subtree, and for taking it.
    uniforms: [f64; 2],
    /// The leaf chosen within the subtree, and its number.
    candidate: PhasePoint,
    candidate_leaf: usize,
    /// The finished tree as a node, and those of the subtree by size.
    whole: Node,
    nodes: Vec<Node>,
    joined: Node,
    /// Sum of min(1, exp(H − H′)) over the leaves.
    probability: f64,
}

impl Tree {
    /// Grows the memory to trajectories of up to `most_depth` doublings of vectors with `dimension` coordinates.
    pub fn resize(&mut self, dimension: usize, most_depth: usize) {
        self.most_depth = most_depth;
        let [early, late] = &mut self.ends;
        for point in [&mut self.front, &mut self.chosen, &mut self.candidate, early, late] {
            point.resize(dimension);
        }
        self.nodes.resize_with(most_depth, Node::default);
        for node in self.nodes.iter_mut().chain([&mut self.whole, &mut self.joined]) {
            node.resize(dimension);
        }
    }

    /// Begins a trajectory at [`Tree::front`]. Returns whether there is an energy to compare with.
    pub fn begin(&mut self) -> bool {
        let Self { front, ends, chosen, whole, .. } = self;
        ends.iter_mut().chain([chosen]).for_each(|point| point.copy(front));
        whole.set_leaf(&front.momentum);
        self.start_energy = front.energy();
        self.log_weights = [-self.start_energy, f64::NEG_INFINITY];
        (self.depth, self.built, self.leaves, self.chosen_leaf) = (0, 0, 0, 0);
        (self.probability, self.products) = (0.0, [0.0; 2]);
        !self.start_energy.is_nan()
    }

    /// Begins the next doubling with its uniforms: the front moves to one of the ends.
    pub fn double(&mut self, [direction, within, taken]: [f64; UNIFORMS]) {
        self.forward = direction < 0.5;
        self.uniforms = [within, taken];
        self.built = 0;
        self.log_weights[1] = f64::NEG_INFINITY;
        self.front.copy(&self.ends[usize::from(self.forward)]);
    }

    /// Number of doublings that are finished.
    pub fn depth(&self) -> usize {
        self.depth
    }

    /// H − H′ at the front.
    pub fn log_weight(&self) -> f64 {
        self.start_energy - self.front.energy()
    }

    /// The mean of min(1, exp(H − H′)) over all leaves so far; 0 without any.
    pub fn acceptance(&self) -> f64 {
        self.probability / self.leaves.max(1) as f64
    }

    /// Adds the front to the trajectory as a leaf.
    pub fn visit(&mut self) -> Visit {
        let energy = self.front.energy();
        let error = energy - self.start_energy;
        self.leaves += 1;
        self.probability += metropolis::probability(-error);
        let sound = error <= LARGEST_ERROR && self.front.position.iter().all(|position| position.is_finite());
        if !sound {
            return Visit::Ended(Stop::Divergence, None);
        }
        self.consider(-energy);
        if !self.join() {
            return Visit::Ended(Stop::TurnWithin, None);
        }
        self.built += 1;
        if self.built < 1 << self.depth { Visit::Within } else { self.finish() }
    }

    /// The front takes the place of the leaf chosen within the subtree, with the probability of its weight.
    fn consider(&mut self, log_weight: f64) {
        let sum = if self.built == 0 { log_weight } else { log_add_exp(self.log_weights[1], log_weight) };
        self.log_weights[1] = sum;
        let share = if self.built == 0 { 1.0 } else { metropolis::probability(log_weight - sum) };
        let uniform = &mut self.uniforms[0];
        if *uniform < share {
            *uniform /= share;
            self.candidate.copy(&self.front);
            self.candidate_leaf = self.leaves;
        } else {
            *uniform = (*uniform - share) / (1.0 - share);
        }
    }

    /// Joins the front with the nodes before it that are as large. Returns whether none of them turns.
    fn join(&mut self) -> bool {
        self.joined.set_leaf(&self.front.momentum);
        let mut level = 0;
        while self.built >> level & 1 == 1 {
            let check = check(&self.nodes[level], &self.joined);
            if check.turned {
                self.products = in_time(check.products, self.forward);
                return false;
            }
            self.joined.prepend(&self.nodes[level]);
            level += 1;
        }
        // The node of a whole subtree stays in `joined`.
        if level < self.depth {
            self.nodes[level].copy(&self.joined);
        }
        true
    }

    /// Adds the finished subtree to the tree.
    fn finish(&mut self) -> Visit {
        let [whole, subtree] = self.log_weights;
        let taken = self.uniforms[1] < metropolis::probability(subtree - whole);
        if taken {
            self.chosen.copy(&self.candidate);
            self.chosen_leaf = self.candidate_leaf;
        }
        self.log_weights[0] = log_add_exp(whole, subtree);
        let Self { whole, joined, ends, front, forward, .. } = self;
        // As a node in the order of this doubling, the tree ends at the end from which the doubling began.
        whole.first.copy_from_slice(&ends[usize::from(!*forward)].momentum);
        whole.last.copy_from_slice(&ends[usize::from(*forward)].momentum);
        let check = check(whole, joined);
        joined.prepend(whole);
        whole.copy(joined);
        ends[usize::from(*forward)].copy(front);
        self.products = in_time(check.products, self.forward);
        self.depth += 1;
        match check.turned {
            true => Visit::Ended(Stop::Turn, Some(taken)),
            false if self.depth == self.most_depth => Visit::Ended(Stop::Depth, Some(taken)),
            false => Visit::Doubled(taken),
        }
    }
}

/// Products in the order of time.
fn in_time([first, last]: [f64; 2], forward: bool) -> [f64; 2] {
    if forward { [first, last] } else { [last, first] }
}
