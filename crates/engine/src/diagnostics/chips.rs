//! Chips on a distribution: how much of a mass a prediction accounts for.
//!
//! A person predicts a distribution with n chips. Each stands for 1/n of the mass, which must lie near the chip: within its radius it
//! counts in full, beyond twice the radius not at all, and between in proportion. For one radius the score is the largest share of the mass that can be assigned to chips in this way: 1 minus the smallest total variation between the mass and
//! a distribution whose parts are within the radius of their chips (Strassen 1965). It is a maximum flow, found by shortest augmenting
//! paths (Edmonds and Karp 1972) on whole numbers. The whole score is its mean over radii from one to two: a mass at a distance of 1.3
//! radii from the only chip near it counts 70 %. Unlike the overlap of counts in cells, it has no edges between which a chip falls.

use std::collections::{BTreeMap, VecDeque};

use base::math::{Bounds, Grid, Point};

/// Most chips.
pub const MOST: usize = 50;

/// The radius of a chip as a share of the shorter side of the view. Chosen by eye: 1 on the grid of 25 Gaussians, half the distance
/// between two modes.
const RADIUS: f64 = 1.0 / 12.0;

/// How far a mass counts at all, in radii of a chip. Chosen by eye: who misses a mode by half its distance to the next one is not wrong.
pub const FARTHEST: f64 = 2.0;

/// Radii over which the score is averaged.
const RINGS: usize = 10;

/// Cells along an axis among which [`Mass::greedy_chips`] looks for positions of chips.
const CANDIDATES_PER_AXIS: usize = 40;

/// Weight of the nearness of a mass, relative to the mass itself, where [`Mass::greedy_chips`] compares positions. It is small: it
/// only decides between positions with the same mass, for the one in its middle. Chosen by eye.
const NEARNESS: f64 = 1e-3;

/// The whole mass in the units in which it is assigned.
const WHOLE: f64 = (1_u64 << 40) as f64;

/// Masses at points, and the radius of a chip there.
#[derive(Clone, Debug, PartialEq)]
pub struct Mass {
    /// Points with their shares of the mass, which add up to 1 at most: what is missing is out of sight.
    parts: Vec<(Point, f64)>,
    radius: f64,
    view: Bounds,
    line: bool,
}

/// The radius of a chip on a target with this view, in its units; of one on the `line`, along it.
#[must_use]
pub fn radius(view: Bounds, line: bool) -> f64 {
    let size = view.size();
    RADIUS * if line { size.x } else { size.amin() }
}

impl Mass {
    /// Of the cells of a grid: `masses` of which the `total` is at least their sum. On the `line` cells are points on the x axis.
    /// `None` without a mass.
    #[must_use]
    pub fn new(grid: &Grid, masses: &[f64], total: f64, (view, line): (Bounds, bool)) -> Option<Self> {
        if !(total > 0.0 && total.is_finite()) {
            return None;
        }
        let point = |index: usize| {
            let centre = grid.centre(index);
            if line { Point::new(centre.x, 0.0) } else { centre }
        };
        let parts = masses.iter().enumerate().filter(|(_, mass)| **mass > 0.0);
        let parts = parts.map(|(index, mass)| (point(index), mass / total)).collect();
        Some(Self { parts, radius: radius(view, line), view, line })
    }

    /// The share of the mass, from 0 to 1, that `chips` account for if each stands for 1/`count`. Chips after the first [`MOST`] do not
    /// count.
    #[must_use]
    pub fn accounted(&self, chips: &[Point], count: usize) -> f64 {
        self.used(chips, count).iter().sum::<f64>().min(1.0)
    }

    /// The share of the mass that each chip accounts for, at most 1/`count`. Where several chips could, one of them does.
    #[must_use]
    pub fn used(&self, chips: &[Point], count: usize) -> Vec<f64> {
        let mut all = vec![0.0; chips.len()];
        for ring in 0..RINGS {
            let share = (ring as f64 + 0.5) / RINGS as f64;
            let radius = self.radius * (1.0 + share * (FARTHEST - 1.0));
            for (sum, used) in all.iter_mut().zip(self.used_within(chips, count, radius)) {
                *sum += used / RINGS as f64;
            }
        }
        all
    }

    /// The share that each chip accounts for of the mass within a radius.
    fn used_within(&self, chips: &[Point], count: usize, radius: f64) -> Vec<f64> {
        let chips = &chips[..chips.len().min(MOST)];
        let mut regions: BTreeMap<u64, f64> = BTreeMap::new();
        for (point, mass) in &self.parts {
            let within = chips.iter().enumerate().filter(|(_, chip)| self.reaches(**chip, *point, radius));
            let near = within.fold(0_u64, |near, (number, _)| near | 1_u64 << number);
            if near != 0 {
                *regions.entry(near).or_default() += mass;
            }
        }
        let regions = regions.into_iter().map(|(near, mass)| (near, units(mass))).collect();
        let each = units(1.0 / count.max(1) as f64);
        Assignment::new(regions, chips.len(), each).largest().into_iter().map(|used| used as f64 / WHOLE).collect()
    }

    /// A good answer with `count` chips: one after the other where it accounts for most of the mass that is left. It need not be the best.
    #[must_use]
    pub fn greedy_chips(&self, count: usize) -> Vec<Point> {
        let grid = Grid::new(self.view, CANDIDATES_PER_AXIS, if self.line { 1 } else { CANDIDATES_PER_AXIS });
        let mut left = vec![0.0; grid.len()];
        for (point, mass) in &self.parts {
            if let Some(cell) = grid.cell(if self.line { in_row(&grid, *point) } else { *point }) {
                left[cell] += mass;
            }
        }
        let candidates: Vec<Point> = (0..grid.len()).map(|cell| grid.centre(cell)).collect();
        let near: Vec<Vec<usize>> = candidates
            .iter()
            .map(|chip| {
                (0..candidates.len()).filter(|cell| self.reaches(*chip, candidates[*cell], self.radius)).collect()
            })
            .collect();
        let (each, square) = (1.0 / count.max(1) as f64, self.radius * self.radius);
        let mut chips = Vec::with_capacity(count);
        for _ in 0..count.min(MOST) {
            let (mut best, mut most) = (0, 0.0);
            for (candidate, cells) in near.iter().enumerate() {
                let there: f64 = cells.iter().map(|cell| left[*cell]).sum();
                let close = |cell: usize| {
                    left[cell] * (1.0 - (candidates[cell] - candidates[candidate]).norm_squared() / square)
                };
                let worth = there.min(each) + NEARNESS * cells.iter().map(|cell| close(*cell)).sum::<f64>();
                if worth > most {
                    (best, most) = (candidate, worth);
                }
            }
            let there: f64 = near[best].iter().map(|cell| left[*cell]).sum();
            if there <= 0.0 {
                break;
            }
            near[best].iter().for_each(|cell| left[*cell] *= 1.0 - there.min(each) / there);
            let chip = candidates[best];
            chips.push(if self.line { Point::new(chip.x, 0.0) } else { chip });
        }
        chips
    }

    fn reaches(&self, chip: Point, point: Point, radius: f64) -> bool {
        let apart = point - chip;
        let across = if self.line { 0.0 } else { apart.y * apart.y };
        apart.x * apart.x + across <= radius * radius
    }
}

/// A point of the x axis in the single row of a grid.
fn in_row(grid: &Grid, point: Point) -> Point {
    Point::new(point.x, grid.y.centre(0))
}

#[expect(clippy::cast_sign_loss, reason = "from 0 to 2⁴⁰")]
fn units(share: f64) -> u64 {
    (share.clamp(0.0, 1.0) * WHOLE).round() as u64
}

/// Masses of regions assigned to the chips that are near.
struct Assignment {
    /// The chips near each region, as bits.
    near: Vec<u64>,
    /// The mass of each region that is not assigned yet.
    free: Vec<u64>,
    /// The mass that each chip can still take.
    capacity: Vec<u64>,
    /// The mass of each region that each chip has, by chips.
    taken: Vec<Vec<u64>>,
}

impl Assignment {
    fn new(regions: Vec<(u64, u64)>, chips: usize, each: u64) -> Self {
        let taken = vec![vec![0; regions.len()]; chips];
        let (near, free) = regions.into_iter().unzip();
        Self { near, free, capacity: vec![each; chips], taken }
    }

    /// What each chip has once the largest mass is assigned.
    fn largest(mut self) -> Vec<u64> {
        while let Some(path) = self.path() {
            self.push(&path);
        }
        self.taken.iter().map(|taken| taken.iter().sum()).collect()
    }

    /// The shortest way from a chip with capacity left to a region with mass left: chips, each with the region that it takes from next.
    /// All but the last region give what they have to the chip after them.
    fn path(&self) -> Option<Vec<(usize, usize)>> {
        // The chip from which a region was reached, and the region from which a chip was.
        let (mut from_chip, mut from_region) = (vec![None; self.near.len()], vec![None; self.capacity.len()]);
        let mut queue: VecDeque<usize> = (0..self.capacity.len()).filter(|chip| self.capacity[*chip] > 0).collect();
        let mut seen: Vec<bool> = self.capacity.iter().map(|capacity| *capacity > 0).collect();
        while let Some(chip) = queue.pop_front() {
            for region in 0..self.near.len() {
                if self.near[region] >> chip & 1 == 0 || from_chip[region].is_some() {
                    continue;
                }
                from_chip[region] = Some(chip);
                if self.free[region] > 0 {
                    return Some(way(region, &from_chip, &from_region));
                }
                for other in (0..seen.len()).filter(|other| self.taken[*other][region] > 0) {
                    if !std::mem::replace(&mut seen[other], true) {
                        from_region[other] = Some(region);
                        queue.push_back(other);
                    }
                }
            }
        }
        None
    }

    /// Moves as much as possible along a way.
    fn push(&mut self, path: &[(usize, usize)]) {
        let (Some(&(first, _)), Some(&(_, last))) = (path.first(), path.last()) else { return };
        let passed = path.windows(2).map(|pair| self.taken[pair[1].0][pair[0].1]);
        let amount = passed.chain([self.capacity[first], self.free[last]]).min().unwrap_or(0);
        self.capacity[first] -= amount;
        self.free[last] -= amount;
        for (index, &(chip, region)) in path.iter().enumerate() {
            self.taken[chip][region] += amount;
            if let Some(&(_, before)) = index.checked_sub(1).and_then(|before| path.get(before)) {
                self.taken[chip][before] -= amount;
            }
        }
    }
}

/// The way that ends at a region, from its first chip on.
fn way(end: usize, from_chip: &[Option<usize>], from_region: &[Option<usize>]) -> Vec<(usize, usize)> {
    let (mut path, mut region) = (Vec::new(), Some(end));
    while let Some(here) = region {
        let Some(chip) = from_chip[here] else { break };
        path.push((chip, here));
        region = from_region[chip];
    }
    path.reverse();
    path
}

#[cfg(test)]
mod tests {
    use super::*;
    use approx::assert_relative_eq;
    use proptest::prelude::*;

    /// Masses at points x, y, and the radius of a chip there.
    fn mass(parts: &[(f64, f64, f64)], radius: f64) -> Mass {
        let parts = parts.iter().map(|&(x, y, mass)| (Point::new(x, y), mass)).collect();
        Mass { parts, radius, view: Bounds::new((0.0, 12.0), (0.0, 12.0)), line: false }
    }

    fn chips(positions: &[(f64, f64)]) -> Vec<Point> {
        positions.iter().map(|&(x, y)| Point::new(x, y)).collect()
    }

    #[test]
    fn a_chip_accounts_for_its_share_of_the_mass_around_it() {
        let two = mass(&[(0.0, 0.0, 0.75), (5.0, 0.0, 0.25)], 1.0);
        for (positions, share) in [
            (&[(0.0, 0.0), (0.0, 0.5), (0.0, -0.5), (5.0, 0.9)][..], 1.0),
            // A fourth chip at the first point has nothing left.
            (&[(0.0, 0.0); 4], 0.75),
            (&[(5.0, 0.0); 4], 0.25),
            (&[(0.0, 0.0), (5.0, 0.0)], 0.5),
            (&[(2.5, 0.0); 4], 0.0),
            (&[], 0.0),
        ] {
            assert_relative_eq!(two.accounted(&chips(positions), 4), share, epsilon = 1e-9);
        }
    }

    #[test]
    fn chips_that_share_a_region_leave_it_to_the_one_that_needs_it() {
        // The first chip reaches both masses, the second only the left one: greedily the first would take the left mass.
        let two = mass(&[(0.0, 0.0, 0.5), (1.8, 0.0, 0.5)], 1.0);
        assert_relative_eq!(two.accounted(&chips(&[(0.9, 0.0), (-0.5, 0.0)]), 2), 1.0, epsilon = 1e-9);
        assert_relative_eq!(two.accounted(&chips(&[(-0.5, 0.0), (0.9, 0.0)]), 2), 1.0, epsilon = 1e-9);
        // A chain of three, each of which must pass on what it has.
        let three = mass(&[(0.0, 0.0, 0.4), (2.0, 0.0, 0.4), (4.0, 0.0, 0.2)], 1.1);
        assert_relative_eq!(three.accounted(&chips(&[(1.0, 0.0), (-1.0, 0.0), (3.0, 0.0)]), 3), 1.0, epsilon = 1e-9);
    }

    #[test]
    fn a_good_answer_finds_the_masses_and_needs_no_chip_where_nothing_is() {
        let three = mass(&[(1.05, 1.05, 0.5), (6.15, 6.15, 0.3), (10.95, 1.05, 0.2)], 1.0);
        let greedy = three.greedy_chips(10);
        assert_eq!(greedy.len(), 10);
        assert_relative_eq!(three.accounted(&greedy, 10), 1.0, epsilon = 1e-9);
        assert!(mass(&[], 1.0).greedy_chips(10).is_empty());
    }

    #[test]
    fn cells_of_a_grid_are_parts_and_what_is_missing_is_out_of_sight() {
        let view = Bounds::new((0.0, 12.0), (0.0, 24.0));
        let grid = Grid::new(view, 2, 1);
        let half = Mass::new(&grid, &[1.0, 3.0], 8.0, (view, false)).unwrap();
        assert_eq!(half.parts, [(Point::new(3.0, 12.0), 0.125), (Point::new(9.0, 12.0), 0.375)]);
        assert_relative_eq!(half.radius, 1.0);
        assert_relative_eq!(half.accounted(&chips(&[(3.0, 12.0), (9.0, 12.5)]), 2), 0.5, epsilon = 1e-9);
        let line = Mass::new(&grid, &[1.0, 3.0], 4.0, (view, true)).unwrap();
        assert_relative_eq!(line.accounted(&chips(&[(9.5, 7.0)]), 1), 0.75, epsilon = 1e-9);
        assert!(line.greedy_chips(4).iter().all(|chip| chip.y.abs() < 1e-12));
        assert_relative_eq!(line.accounted(&line.greedy_chips(4), 4), 1.0, epsilon = 1e-9);
        for total in [0.0, f64::NAN, f64::INFINITY] {
            assert_eq!(Mass::new(&grid, &[0.0, 0.0], total, (view, false)), None);
        }
    }

    /// The largest share by brute force: by Hall's theorem the smallest, over sets of chips, of the mass near a set plus the shares of the
    /// others.
    fn by_sets(mass: &Mass, chips: &[Point], count: usize) -> f64 {
        let near = |set: u32| {
            let reached = |point: &Point| {
                chips
                    .iter()
                    .enumerate()
                    .any(|(chip, at)| set >> chip & 1 == 1 && mass.reaches(*at, *point, mass.radius))
            };
            mass.parts.iter().filter(|(point, _)| reached(point)).map(|(_, mass)| mass).sum::<f64>()
        };
        (0..1_u32 << chips.len())
            .map(|set| near(set) + (chips.len() as f64 - f64::from(set.count_ones())) / count as f64)
            .fold(f64::INFINITY, f64::min)
    }

    proptest! {
        #[test]
        fn the_flow_is_as_large_as_the_smallest_cut(
            parts in prop::collection::vec((0.0..6.0_f64, 0.0..6.0_f64, 0.0..1.0_f64), 1..12),
            positions in prop::collection::vec((0.0..6.0_f64, 0.0..6.0_f64), 0..7),
        ) {
            let total: f64 = parts.iter().map(|part| part.2).sum::<f64>().max(1e-9);
            let parts: Vec<_> = parts.into_iter().map(|(x, y, part)| (x, y, part / total)).collect();
            let (mass, chips) = (mass(&parts, 1.5), chips(&positions));
            let count = chips.len().max(1);
            let within: f64 = mass.used_within(&chips, count, mass.radius).iter().sum();
            prop_assert!((within - by_sets(&mass, &chips, count)).abs() < 1e-9);
            // Nobody loses by it that near masses count as well.
            prop_assert!(mass.accounted(&chips, count) >= within - 1e-9);
            prop_assert!(mass.used(&chips, count).iter().all(|used| *used <= 1.0 / count as f64 + 1e-9));
        }

        /// One chip and one mass: the score falls evenly from one radius to two.
        #[test]
        fn a_chip_that_is_nearly_right_counts_in_part(distance in 0.0..3.0_f64) {
            let one = mass(&[(0.0, 0.0, 1.0)], 1.0);
            let expected = (2.0 - distance).clamp(0.0, 1.0);
            prop_assert!((one.accounted(&chips(&[(distance, 0.0)]), 1) - expected).abs() <= 0.5 / RINGS as f64 + 1e-9);
        }
    }
}
