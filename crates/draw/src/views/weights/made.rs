//! Pictures of weight space, and how they are made from draws: in the background, out of reach of a frame.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::geometry::{
    Components, Loss, Plane, Scale, WeightPicture, function_vectors, network_of, principal_components, spread,
    test_data, whitened,
};
use crate::geometry::{DensityImage, DrawName, NamedDraw, fitted, zoomed};
use base::math::{Bounds, Point};
use engine::diagnostics::filter_direction::filter_direction;
use engine::diagnostics::single_linkage::SpanningTree;
use engine::diagnostics::weight_line::WeightPath;
use models::targets::Target;
use models::targets::network::Network;

/// Cells of the surface of a plane, about.
const CELLS: f64 = 12_000.0;

/// How far the surface of a plane reaches beyond the plot, as a ratio of lengths.
const BEYOND: f64 = 1.15;

/// Words of an empty plot.
pub(super) const NO_DRAWS: &str = "No draws yet";

/// A picture with its draws.
#[derive(Debug)]
pub(super) struct Made {
    /// The draws.
    pub(super) names: Vec<DrawName>,
    /// Their weights.
    pub(super) weights: Vec<Vec<f64>>,
    /// The numbers of the draws that span the plane, or that the line goes through: a, b, c.
    pub(super) ends: Vec<usize>,
    /// What is shown of them.
    pub(super) shown: Shown,
}

#[derive(Debug)]
pub(super) enum Shown {
    Scatter(Scatter),
    Plane(Surface),
    Line(Line),
    /// There is nothing to show, in words.
    Nothing(&'static str),
}

/// Draws along two components.
#[derive(Debug)]
pub(super) struct Scatter {
    pub(super) components: Components,
    /// The tree of their functions, where distances are those of functions.
    pub(super) tree: Option<SpanningTree>,
}

/// A plane, the points of the draws in it with their distances from it, and a loss on it.
#[derive(Debug)]
pub(super) struct Surface {
    pub(super) plane: Plane,
    pub(super) points: Vec<(Point, f64)>,
    pub(super) heights: Heights,
}

/// A loss on a plane.
#[derive(Clone, Debug)]
pub(super) struct Heights {
    /// Its name.
    pub(super) label: &'static str,
    pub(super) scale: Scale,
    /// The negative of it.
    pub(super) image: Arc<DensityImage>,
    pub(super) contours: Arc<Vec<Vec<[f64; 2]>>>,
}

/// Losses along a line.
#[derive(Debug)]
pub(super) struct Line {
    pub(super) straight: WeightPath,
    /// To the second draw with its hidden units matched.
    pub(super) aligned: Option<WeightPath>,
    /// Where the line begins and ends, in units of what it goes along.
    pub(super) range: [f64; 2],
    /// What errors are.
    pub(super) error: &'static str,
}

/// All that a picture is made from.
pub(super) struct Job {
    pub(super) picture: WeightPicture,
    pub(super) surface: Loss,
    pub(super) direction: u64,
    pub(super) draws: Vec<NamedDraw>,
    pub(super) chosen: Vec<DrawName>,
    /// Width to height of a plane.
    pub(super) aspect: f64,
    /// A picture of a plane of this shape, with the same loss.
    pub(super) before: Option<Arc<Made>>,
}

impl Job {
    pub(super) async fn made(&self, target: &Target) -> Made {
        let all: Vec<(DrawName, Vec<f64>)> =
            self.draws.iter().filter_map(|draw| Some((draw.name, draw.weights()?))).collect();
        let (names, weights): (Vec<DrawName>, Vec<Vec<f64>>) = all.into_iter().unzip();
        let Some(network) = network_of(target) else {
            let shown = Shown::Nothing("the draws are no weights of a network");
            return Made { names, weights, ends: Vec::new(), shown };
        };
        let white: Vec<Vec<f64>> = weights.iter().map(|weights| whitened(network, weights)).collect();
        let ends = self.ends(&names, &white);
        let shown = match self.picture {
            _ if weights.is_empty() => Shown::Nothing(NO_DRAWS),
            WeightPicture::Weights => Shown::Scatter(Scatter { components: principal_components(&white), tree: None }),
            WeightPicture::Functions => {
                let functions = function_vectors(target, network, &weights);
                let tree = Some(SpanningTree::of(&functions));
                Shown::Scatter(Scatter { components: principal_components(&functions), tree })
            }
            WeightPicture::Plane => self.plane(target, network, &weights, &ends).await,
            WeightPicture::Path | WeightPicture::Direction => self.line(target, network, &weights, &ends),
        };
        Made { names, weights, ends, shown }
    }

    /// The chosen draws, then the newest of different chains, and then others that are far from each other.
    fn ends(&self, names: &[DrawName], white: &[Vec<f64>]) -> Vec<usize> {
        let number = |chosen: &DrawName| names.iter().position(|name| name == chosen);
        let mut ends: Vec<usize> = self.chosen.iter().filter_map(number).collect();
        let needed = match self.picture {
            WeightPicture::Plane => 3,
            WeightPicture::Path => 2,
            WeightPicture::Direction => 1,
            WeightPicture::Weights | WeightPicture::Functions => return ends,
        };
        for other in newest(names).into_iter().chain(spread(white)) {
            if !ends.contains(&other) {
                ends.push(other);
            }
        }
        ends.truncate(needed);
        ends
    }

    async fn plane(&self, target: &Target, network: &Network, weights: &[Vec<f64>], ends: &[usize]) -> Shown {
        let tests = test_data(target);
        if self.surface.needs_tests() && tests.is_none() {
            return Shown::Nothing("this target has no test data");
        }
        let [a, b, c] = *ends else { return Shown::Nothing("a plane needs three draws") };
        let three = [a, b, c].map(|number| &weights[number][..]);
        let Some(plane) = Plane::through(network, three) else {
            return Shown::Nothing("these three draws are on a line");
        };
        let points = weights.iter().map(|weights| plane.position(weights)).collect();
        if let Some(Shown::Plane(before)) = self.before.as_ref().map(|before| &before.shown)
            && before.plane == plane
        {
            let heights = before.heights.clone();
            return Shown::Plane(Surface { plane, points, heights });
        }
        let (loss, scale) = (self.surface, self.surface.scale(network));
        let image = plane.surface(network, (loss, tests), self.window(&plane), cells(self.aspect)).await;
        let levels: Vec<f64> = scale.levels(-image.peak).into_iter().map(|level| -level).collect();
        let lines = image.contours(&levels).into_iter();
        let contours = lines.map(|line| line.points.into_iter().map(Into::into).collect()).collect();
        let (image, contours) = (Arc::new(image), Arc::new(contours));
        let heights = Heights { label: loss.label_for(network), scale, image, contours };
        Shown::Plane(Surface { plane, points, heights })
    }

    /// The part of the plane whose loss is computed: somewhat more than is shown.
    fn window(&self, plane: &Plane) -> Bounds {
        let window = fitted(plane.window(), self.aspect);
        zoomed(window, (window.min + window.max) / 2.0, BEYOND)
    }

    /// The line between two draws, or through one in a random direction.
    fn line(&self, target: &Target, network: &Network, weights: &[Vec<f64>], ends: &[usize]) -> Shown {
        let tests = test_data(target);
        let error = if tests.is_some() { Loss::TestError } else { Loss::Error }.label_for(network);
        let data = tests.unwrap_or(network.observations());
        if self.picture == WeightPicture::Direction {
            let [a] = *ends else { return Shown::Nothing("a direction needs a draw") };
            let direction = filter_direction(network.layout(), &weights[a], self.direction);
            let straight = WeightPath::through(network, data, &weights[a], &direction);
            return Shown::Line(Line { straight, aligned: None, range: [-1.0, 1.0], error });
        }
        let [a, b] = *ends else { return Shown::Nothing("a path needs two draws") };
        let (a, b) = (&weights[a], &weights[b]);
        let straight = WeightPath::between(network, data, a, b);
        let aligned = Some(WeightPath::between(network, data, a, &network.aligned(b, a)));
        Shown::Line(Line { straight, aligned, range: [0.0, 1.0], error })
    }
}

/// The newest draws of different chains: the first chains of all runs, then the second ones.
fn newest(names: &[DrawName]) -> Vec<usize> {
    let mut found: BTreeMap<(usize, usize), usize> = BTreeMap::new();
    for (number, name) in names.iter().enumerate() {
        let newest = found.entry((name.chain, name.run)).or_insert(number);
        if name.step > names[*newest].step {
            *newest = number;
        }
    }
    found.into_values().collect()
}

/// Columns and rows of square cells.
#[expect(clippy::cast_sign_loss, reason = "a hundred or so")]
fn cells(aspect: f64) -> [usize; 2] {
    [(CELLS * aspect).sqrt().ceil() as usize, (CELLS / aspect).sqrt().ceil() as usize]
}
