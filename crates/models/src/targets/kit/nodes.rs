//! Quadrature nodes of a target: weighted points with nearly all of its mass, for expectations under the target.
//!
//! They are the nodes of a [`Lattice`] in coordinates without boundary, where densities are smooth: an expectation of a
//! smooth function has about eleven digits. A target that is the image of two standard normals, as a funnel or a banana is,
//! has the images of a lattice of normals instead: narrow or bent as it may be, they follow it.

use std::f64::consts::TAU;
use std::sync::Arc;

use super::modes::{Surface, precision};
use super::quadrature::{Lattice, SPACING};
use super::transforms::{Coordinates, open_density};
use crate::targets::{Density, TargetInfo, highest_mode};
use base::math::{Matrix, Point};

/// One of the points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Node {
    /// The point, in coordinates without boundary.
    pub z: Point,
    /// Its probability, the weight of the node.
    pub probability: f64,
    /// The normalised log density of z there.
    pub log_density: f64,
}

/// A target as weighted points.
#[derive(Clone, Debug, PartialEq)]
pub struct Nodes {
    /// From z to θ.
    pub coordinates: Coordinates,
    /// The points.
    pub nodes: Vec<Node>,
    /// The sum of their probabilities: 1 up to the error of the quadrature.
    pub total: f64,
}

impl Nodes {
    /// No nodes.
    #[must_use]
    pub fn none(info: &TargetInfo) -> Self {
        Self { coordinates: Coordinates::open(info), nodes: Vec::new(), total: 0.0 }
    }
}

/// A target as a smooth density without further properties.
pub(in crate::targets) struct Bare<'a>(pub(in crate::targets) &'a dyn Density);

impl Surface for Bare<'_> {
    fn log_density(&self, at: Point) -> f64 {
        self.0.log_density(at)
    }

    fn gradient(&self, at: Point) -> Point {
        self.0.gradient(at)
    }

    fn hessian(&self, at: Point) -> Matrix {
        self.0.hessian(at)
    }
}

/// Standard deviations to which normals are followed: a function that grows like e^(5z), as the variance of the widest
/// funnel does, has all but 10⁻¹¹ of its expectation within.
const REACH: i32 = 12;

/// Nodes per standard deviation of a normal.
const PER_SD: i32 = 10;

/// The nodes of a target: a thousand to a hundred thousand, each with an evaluation of the log density; none if the
/// target is flat at its highest point, or too uneven for a lattice.
#[must_use]
pub fn nodes(target: &Arc<dyn Density>) -> Nodes {
    let coordinates = Coordinates::open(target.info());
    let open = open_density(target);
    if let Some(nodes) = of_normals(open.as_ref(), coordinates) {
        return nodes;
    }
    let (info, surface) = (open.info(), Bare(open.as_ref()));
    let mut peaks: Vec<Point> = info.modes.iter().map(|mode| mode.at).collect();
    if peaks.is_empty() {
        peaks.push(highest_mode(open.as_ref()));
    }
    let curvatures = |peak: &Point| precision(&surface, info.dimension, *peak).symmetric_eigenvalues();
    let largest = peaks.iter().map(|peak| curvatures(peak).max()).fold(0.0, f64::max);
    let lattice = if !(largest > 0.0 && largest.is_finite()) {
        return Nodes::none(target.info());
    } else if info.modes.is_empty() {
        // A ridge: as fine along it as across.
        Lattice::refined(&surface, info.dimension, &peaks, Point::repeat(SPACING / largest.sqrt()))
    } else if target.narrows() {
        Lattice::survey_of_ridges(&surface, info.dimension, &peaks)
    } else {
        Lattice::survey(&surface, info.dimension, &peaks)
    };
    if !lattice.is_resolved() {
        return Nodes::none(target.info());
    }
    let node = |(z, log_density): (Point, f64)| {
        let log_density = log_density - info.log_normaliser;
        Node { z, probability: libm::exp(log_density) * lattice.node_size(), log_density }
    };
    let nodes: Vec<Node> = lattice.log_densities().map(node).filter(|node| node.probability > 0.0).collect();
    let total = nodes.iter().map(|node| node.probability).sum();
    Nodes { coordinates, nodes, total }
}

/// The nodes of a target that is the image of two standard normals.
fn of_normals(target: &dyn Density, coordinates: Coordinates) -> Option<Nodes> {
    target.image_of_normals(Point::zeros())?;
    let normals_on_axis = || (-REACH * PER_SD..=REACH * PER_SD).map(|number| f64::from(number) / f64::from(PER_SD));
    let normals = normals_on_axis().flat_map(|first| normals_on_axis().map(move |second| Point::new(first, second)));
    let node = |normals: Point| {
        let z = target.image_of_normals(normals)?;
        let log_density = target.log_density(z) - target.info().log_normaliser;
        let size = TAU * f64::from(PER_SD * PER_SD);
        Some(Node { z, probability: libm::exp(-0.5 * normals.norm_squared()) / size, log_density })
    };
    let nodes: Vec<Node> = normals.filter_map(node).collect();
    let total = nodes.iter().map(|node| node.probability).sum();
    Some(Nodes { coordinates, nodes, total })
}
