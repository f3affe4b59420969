//! Modes on a lattice: all pairs of some centres in x and some in y, so that modes of a product are pairs of modes of its factors.

use exact::Peak;
use models::targets::Mode;

/// Distance of coordinates that are the same.
const SAME: f64 = 1e-9;

/// The modes of a target as pairs.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Lattice {
    /// Centres along both axes, ascending.
    pub centres: [Vec<f64>; 2],
    /// The number of the mode of each pair: i + columns·j.
    pub mode: Vec<usize>,
    /// Half axes of the ellipses of three standard deviations, if all along an axis are alike and none overlap.
    pub radii: Option<[Vec<f64>; 2]>,
}

impl Lattice {
    /// The modes of a target in the plane, if they are such pairs.
    pub fn of(modes: &[Mode]) -> Option<Self> {
        let centres = [0, 1].map(|axis| {
            let mut centres: Vec<f64> = modes.iter().map(|mode| mode.at[axis]).collect();
            centres.sort_by(f64::total_cmp);
            centres.dedup_by(|a, b| (*a - *b).abs() <= SAME);
            centres
        });
        let columns = centres[0].len();
        if modes.is_empty() || columns * centres[1].len() != modes.len() {
            return None;
        }
        let place = |axis: usize, at: f64| centres[axis].iter().position(|centre| (centre - at).abs() <= SAME);
        let mut mode = vec![usize::MAX; modes.len()];
        for (number, of) in modes.iter().enumerate() {
            mode[place(0, of.at.x)? + columns * place(1, of.at.y)?] = number;
        }
        if mode.contains(&usize::MAX) {
            return None;
        }
        let radii = radii(modes, &centres, &mode);
        Some(Self { centres, mode, radii })
    }

    /// Centres and half axes along an axis.
    pub fn peaks(&self, axis: usize) -> Vec<Peak> {
        let radii = self.radii.iter().flat_map(|radii| radii[axis].iter());
        self.centres[axis].iter().zip(radii).map(|(&centre, &radius)| Peak { centre, radius }).collect()
    }

    /// Pairs of numbers of centres, in the order of `mode`.
    pub fn pairs(&self) -> Vec<(usize, usize)> {
        let columns = self.centres[0].len();
        (0..self.mode.len()).map(|pair| (pair % columns, pair / columns)).collect()
    }
}

fn radii(modes: &[Mode], centres: &[Vec<f64>; 2], mode: &[usize]) -> Option<[Vec<f64>; 2]> {
    let columns = centres[0].len();
    let radius = |axis: usize, pair: usize| {
        let covariance = &modes[mode[pair]].covariance;
        let sd = covariance[(axis, axis)].sqrt();
        (covariance.m12.abs() <= SAME * covariance.m11 && sd > 0.0).then_some(3.0 * sd)
    };
    let mut radii = [Vec::new(), Vec::new()];
    for (axis, radii) in radii.iter_mut().enumerate() {
        for (number, _) in centres[axis].iter().enumerate() {
            let along = |pair: &usize| if axis == 0 { pair % columns == number } else { pair / columns == number };
            let mut all = (0..mode.len()).filter(along).map(|pair| radius(axis, pair));
            let first = all.next()??;
            if !all.all(|other| other.is_some_and(|other| (other - first).abs() <= SAME * first)) {
                return None;
            }
            radii.push(first);
        }
        let overlap =
            centres[axis].windows(2).zip(radii.windows(2)).any(|(at, r)| r[0].max(r[1]) > 0.5 * (at[1] - at[0]));
        if overlap {
            return None;
        }
    }
    Some(radii)
}
