//! Counts of draws per cell, mode and distance, from which measures are computed; their size does not depend on the
//! number of draws.
//!
//! A draw is counted once, in a cell of the truth's image grid. To which mode it belongs, whether it is close to it and
//! within three standard deviations is the same for most cells as a whole, and is read off the counts later
//! ([`DrawCounts::totals`]); draws in the others, about a fifth, are looked at one by one. Counts of draws with a
//! weight of 1 are whole numbers; draws of other weights have two histograms of their own, made when the first such
//! draw comes. Draws outside the view, if there are any, are counted on a coarser grid around it as well, for the
//! measures of distance, and in [`Outskirts`], for pictures.

use base::math::elementary::Kernel;
use base::math::{Gaussian, Grid, Point, Simd};

use super::Truth;
use super::cell_lookup::{BATCH, CellLookup};
use super::draw_statistics::{DrawStatistics, by_mode, close_by_mode};
use super::histogram::{Histogram, Summed};
use super::mode_map::{CODES_PER_MODE, Judgement, MIXED};
use super::moment_sums::MomentSums;
use super::outskirts::Outskirts;
use super::refutation::FarCells;
use super::totals::Totals;
use super::visits::{NOT_A_DRAW, Visits};

/// Counts and sums over draws, made for one [`Truth`].
///
/// A cell counts up to 4·10⁹ draws of weight 1, and no further. The size is 4 bytes per cell of the image grid, 230 kB in
/// the plane, and four times that with weights other than 1; draws outside the view add a quarter.
#[derive(Clone, Debug, PartialEq)]
pub struct DrawCounts {
    /// Draws with a weight of 1.
    units: Histogram<u32>,
    weighted: Option<Box<WeightedCounts>>,
    /// Draws outside the view, of any weight.
    outskirts: Outskirts,
    sums: MomentSums,
    visits: Visits,
    draws: u64,
    /// Where draws are outside of the view, of a truth that they may contradict.
    far: FarCells,
}

/// Draws with other weights.
#[derive(Clone, Debug, PartialEq)]
struct WeightedCounts {
    counts: Histogram<u32>,
    weights: Histogram<f64>,
    draws: u64,
    weight: f64,
    squared_weights: f64,
}

impl DrawCounts {
    /// Empty counts for a `truth`.
    #[must_use]
    pub fn new(truth: &Truth) -> Self {
        Self {
            units: Histogram::new(truth),
            weighted: None,
            outskirts: Outskirts::default(),
            sums: MomentSums::new(truth.centre(), truth.dimension() == 2),
            visits: Visits::default(),
            draws: 0,
            far: FarCells::default(),
        }
    }

    /// Adds rows of draws: `x` and `y` hold one row of equal length after the other, `weights` the weight of each row.
    /// A row has one draw of every chain; rows come in the order of the steps.
    ///
    /// A row whose weight is not finite and positive is not counted, nor is a draw that is not finite. The counts have
    /// the same bits however rows are split over calls, and whatever `simd`. `truth` must be the one that the counts
    /// were made for.
    pub fn add_rows(&mut self, simd: Simd, truth: &Truth, weights: &[f64], x: &[f64], y: &[f64]) {
        debug_assert_eq!(x.len(), y.len(), "a draw has two coordinates");
        debug_assert!(weights.is_empty() || x.len().is_multiple_of(weights.len()), "rows of equal length");
        let Some(length) = x.len().checked_div(weights.len()) else { return };
        self.visits.follow(length);
        let mut end = 0;
        // Rows of weight 1 are taken together as far as they follow one another, others one by one.
        let is_unit = |weight: &f64| weight.to_bits() == 1.0_f64.to_bits();
        for rows in weights.chunk_by(|one, next| is_unit(one) && is_unit(next)) {
            let start = end;
            end += rows.len() * length;
            let weight = rows[0];
            if !(weight > 0.0 && weight.is_finite()) {
                continue;
            }
            let (x, y) = (&x[start..end], &y[start..end]);
            let (sums, visits) = (&mut self.sums, &mut self.visits);
            let (outskirts, far) = (&mut self.outskirts, &mut self.far);
            if is_unit(&weight) {
                let sink = &mut self.units;
                simd.dispatch(Add { sums, visits, outskirts, far, sink, truth, weight, x, y });
                self.draws += (x.len() as u64).saturating_sub(u64::from(self.units.take_nowhere()));
            } else {
                let weighted = self.weighted.get_or_insert_with(|| Box::new(WeightedCounts::new(truth)));
                let sink = &mut WeightedRow { weighted, weight };
                simd.dispatch(Add { sums, visits, outskirts, far, sink, truth, weight, x, y });
                self.draws += weighted.count_row(x.len() as u64, weight);
            }
        }
    }

    /// The sum of both counts; they must have been made for the same truth.
    #[must_use]
    pub fn merged(mut self, other: &Self) -> Self {
        self.units.merge(&other.units);
        match (&mut self.weighted, &other.weighted) {
            (Some(own), Some(other)) => own.merge(other),
            (own, other) => *own = own.take().or_else(|| other.clone()),
        }
        self.outskirts.merge(&other.outskirts);
        self.sums.merge(&other.sums);
        self.visits.merge(&other.visits);
        self.draws += other.draws;
        self.far.merge(&other.far);
        self
    }

    /// Number of draws.
    #[must_use]
    pub fn draws(&self) -> u64 {
        self.draws
    }

    /// Numbers that measures of chains and warnings need of all draws. `truth` must be the one that the counts were made for.
    #[must_use]
    #[expect(clippy::cast_sign_loss, reason = "a number of draws is below 2⁵³")]
    pub fn totals(&self, truth: &Truth) -> Totals {
        let (weight, squares) = (self.weight(), self.squared_weights());
        Totals {
            effective: if squares > 0.0 { weight / squares * weight } else { 0.0 },
            visits: self.visits.visits(),
            switches: self.visits.switches(),
            outside: u64::from(self.units.outside())
                + self.weighted.as_ref().map_or(0, |weighted| u64::from(weighted.counts.outside())),
            far: (self.units.far(truth) + self.weighted.as_ref().map_or(0.0, |weighted| weighted.counts.far(truth)))
                as u64,
            divergent: 0,
            warm_up: 0,
        }
    }

    /// Cells outside of the view in which there are draws, of a truth that they may contradict.
    pub(super) fn far_cells(&self) -> &FarCells {
        &self.far
    }

    /// Total weight of the draws.
    #[must_use]
    pub fn weight(&self) -> f64 {
        let (draws, weight) = self.weighted.as_ref().map_or((0, 0.0), |weighted| (weighted.draws, weighted.weight));
        (self.draws - draws) as f64 + weight
    }

    /// Sum of the squared weights of the draws.
    fn squared_weights(&self) -> f64 {
        let (draws, squares) =
            self.weighted.as_ref().map_or((0, 0.0), |weighted| (weighted.draws, weighted.squared_weights));
        (self.draws - draws) as f64 + squares
    }

    /// Weighted mean and covariance; `None` without draws.
    #[must_use]
    pub fn gaussian(&self) -> Option<Gaussian> {
        self.sums.gaussian(self.weight())
    }

    /// Number of draws, whatever their weight, in each cell of [`Truth::image_grid`], by rows from the lower left.
    #[must_use]
    pub fn image(&self, truth: &Truth) -> Vec<f64> {
        let mut image = vec![0.0; truth.image_grid().len()];
        self.units.add_to_image(&mut image);
        if let Some(weighted) = &self.weighted {
            weighted.counts.add_to_image(&mut image);
        }
        image
    }

    /// The share of the weight of all draws nearest to each mode of `truth`, for which the counts were made; empty without draws.
    #[must_use]
    pub fn mode_shares(&self, truth: &Truth) -> Vec<f64> {
        let mut codes = self.units.by_code(truth);
        let weighted = self.weighted.iter().flat_map(|weighted| weighted.weights.by_code(truth));
        codes.iter_mut().zip(weighted).for_each(|(sum, weight)| *sum += weight);
        let whole = self.weight();
        by_mode(&codes).0.into_iter().filter(|_| whole > 0.0).map(|weight| weight / whole).collect()
    }

    /// Number of draws, whatever their weight, outside of these cells.
    #[must_use]
    pub fn outskirts(&self) -> &Outskirts {
        &self.outskirts
    }

    /// The statistics that measures are computed from. `truth` must be the one that the counts were made for.
    #[must_use]
    pub fn statistics(&self, truth: &Truth) -> DrawStatistics {
        let mut sums = Summed::new(truth);
        self.units.add_up(truth, &mut sums);
        let mut close = close_by_mode(&sums.codes);
        if let Some(weighted) = &self.weighted {
            let counted = close_by_mode(&weighted.counts.by_code(truth));
            close.iter_mut().zip(counted).for_each(|(sum, close)| *sum += close);
            weighted.weights.add_up(truth, &mut sums);
        }
        let (basins, within) = by_mode(&sums.codes);
        let Summed { cells, columns, rows, outside, outer, beyond, .. } = sums;
        DrawStatistics {
            draws: Some(self.draws),
            weight: self.weight(),
            squared_weights: self.squared_weights(),
            cells,
            columns,
            rows,
            outside,
            outer,
            beyond,
            close,
            basins,
            within,
            gaussian: self.gaussian(),
        }
    }
}

impl WeightedCounts {
    fn new(truth: &Truth) -> Self {
        Self {
            counts: Histogram::new(truth),
            weights: Histogram::new(truth),
            draws: 0,
            weight: 0.0,
            squared_weights: 0.0,
        }
    }

    /// After a row of `length` draws: how many of them were any.
    fn count_row(&mut self, length: u64, weight: f64) -> u64 {
        self.weights.take_nowhere();
        let draws = length.saturating_sub(u64::from(self.counts.take_nowhere()));
        self.draws += draws;
        self.weight += weight * draws as f64;
        self.squared_weights += weight * weight * draws as f64;
        draws
    }

    fn merge(&mut self, other: &Self) {
        self.counts.merge(&other.counts);
        self.weights.merge(&other.weights);
        self.draws += other.draws;
        self.weight += other.weight;
        self.squared_weights += other.squared_weights;
    }
}

/// Where draws are counted.
trait Sink {
    /// Counts draws in their cells.
    fn count(&mut self, cells: &[u32]);
    /// Counts draws in mixed cells by their own codes as well.
    fn count_codes(&mut self, codes: &[u32]);
    /// Counts a draw outside all cells by its cell of the outer grid as well, if it has one.
    fn count_outside(&mut self, outer_grid: &Grid, cell: Option<usize>);
}

impl Sink for Histogram<u32> {
    #[inline(always)]
    fn count(&mut self, cells: &[u32]) {
        self.add_to_cells(cells, 1);
    }

    #[inline(always)]
    fn count_codes(&mut self, codes: &[u32]) {
        self.add_to_codes(codes, 1);
    }

    #[cold]
    fn count_outside(&mut self, outer_grid: &Grid, cell: Option<usize>) {
        self.add_outside(outer_grid, cell, 1);
    }
}

/// A row of draws of a weight other than 1.
struct WeightedRow<'a> {
    weighted: &'a mut WeightedCounts,
    weight: f64,
}

impl Sink for WeightedRow<'_> {
    #[inline(always)]
    fn count(&mut self, cells: &[u32]) {
        self.weighted.counts.add_to_cells(cells, 1);
        self.weighted.weights.add_to_cells(cells, self.weight);
    }

    #[inline(always)]
    fn count_codes(&mut self, codes: &[u32]) {
        self.weighted.counts.add_to_codes(codes, 1);
        self.weighted.weights.add_to_codes(codes, self.weight);
    }

    #[cold]
    fn count_outside(&mut self, outer_grid: &Grid, cell: Option<usize>) {
        self.weighted.weights.add_outside(outer_grid, cell, self.weight);
    }
}

/// Adds draws of equal weight.
struct Add<'a, S> {
    sums: &'a mut MomentSums,
    visits: &'a mut Visits,
    outskirts: &'a mut Outskirts,
    far: &'a mut FarCells,
    sink: &'a mut S,
    truth: &'a Truth,
    weight: f64,
    x: &'a [f64],
    y: &'a [f64],
}

impl<S: Sink> Kernel for Add<'_, S> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Self { sums, visits, outskirts, far, sink, truth, weight, x, y } = self;
        let lookup = CellLookup::new(truth);
        let mut cells = [0; BATCH];
        let mut mixed = [0; BATCH];
        let mut modes = [0; BATCH];
        let mut judgement = Judgement::default();
        for (x, y) in x.chunks(BATCH).zip(y.chunks(BATCH)) {
            let inside = lookup.locate_inside(x, y, &mut cells);
            if inside {
                sums.add::<true>(weight, x, y);
            } else {
                lookup.locate(x, y, &mut cells);
                sums.add::<false>(weight, x, y);
            }
            let cells = &cells[..x.len()];
            sink.count(cells);
            let count = look_up(truth.codes(), cells, &mut mixed, &mut modes);
            for (number, &index) in mixed[..count.min(BATCH)].iter().enumerate() {
                let index = index as usize;
                let at = Point::new(x[index], y[index] * lookup.second);
                let mode = truth.mode_in(at, cells[index]);
                modes[index] = mode;
                judgement.put(number, truth.mode_map(), mode, at);
                if !inside && cells[index] == lookup.outside {
                    let outer_grid = truth.outer_grid();
                    sink.count_outside(outer_grid, outer_grid.cell(at));
                    outskirts.add(truth.image_grid(), at);
                    if truth.is_searched() {
                        far.add(truth.grid(), at);
                    }
                }
            }
            sink.count_codes(judgement.codes(truth.mode_map(), count));
            if !inside {
                for (mode, _) in modes.iter_mut().zip(cells).filter(|(_, cell)| **cell == lookup.nowhere) {
                    *mode = NOT_A_DRAW;
                }
            }
            visits.add(&modes[..x.len()], inside);
        }
    }
}

/// Notes the modes of draws by the codes of their cells, and lists the draws in mixed cells, without branches; returns how many
/// these are.
#[inline(always)]
fn look_up(codes: &[u16], cells: &[u32], mixed: &mut [u32; BATCH], modes: &mut [u16; BATCH]) -> usize {
    let mut count = 0;
    for (index, &cell) in (0..).zip(cells) {
        let code = codes[cell as usize];
        modes[index as usize & (BATCH - 1)] = code;
        mixed[count & (BATCH - 1)] = index;
        count += usize::from(code >= MIXED);
    }
    // All at once, which vector instructions do.
    modes.iter_mut().for_each(|mode| *mode /= CODES_PER_MODE as u16);
    count
}

#[cfg(test)]
mod tests {
    use approx::assert_relative_eq;
    use proptest::prelude::*;

    use super::*;
    use crate::diagnostics::test_targets::{Mixture, counts_of, poor_draws, weighted_counts_of};

    #[test]
    fn counts_agree_with_counting_one_by_one() {
        let truth = Truth::new(&Mixture::grid());
        let draws = poor_draws(1, 5000);
        let counts = weighted_counts_of(&truth, &draws);
        let draw_counts = counts.statistics(&truth);
        let shares = counts.mode_shares(&truth);
        assert_relative_eq!(shares.iter().sum::<f64>(), 1.0, epsilon = 1e-9);
        assert!(DrawCounts::new(&truth).mode_shares(&truth).is_empty(), "no draws");
        let sum = |keep: &dyn Fn(Point) -> bool| -> f64 {
            draws.iter().filter(|(at, _)| keep(*at)).map(|(_, weight)| weight).sum()
        };
        let outside = |at: Point| at.x.abs() > 6.0 || at.y.abs() > 6.0;
        assert_relative_eq!(draw_counts.outside(), sum(&outside), epsilon = 1e-9);
        assert_relative_eq!(draw_counts.weight(), sum(&|_| true), epsilon = 1e-9);
        for (index, mode) in truth.modes().iter().enumerate() {
            let mine = |at: Point| truth.modes().iter().all(|other| (at - mode.at).norm() <= (at - other.at).norm());
            assert_relative_eq!(draw_counts.basins()[index], sum(&mine), epsilon = 1e-9);
            assert_relative_eq!(shares[index], sum(&mine) / draw_counts.weight(), epsilon = 1e-9);
            let close = draws.iter().filter(|(at, _)| (at - mode.at).norm() <= 0.25).count();
            assert_eq!(draw_counts.close_draws()[index], close as u64);
        }
        let within = |at: Point| truth.modes().iter().any(|mode| (at - mode.at).norm() <= 3.0 * 0.03_f64.sqrt());
        assert_relative_eq!(draw_counts.within_3sd(), sum(&within), epsilon = 1e-9);
        assert_eq!(draw_counts.draws(), Some(5000));
        let inside: f64 = draw_counts.cells().iter().sum();
        assert_relative_eq!(inside + draw_counts.outside(), draw_counts.weight(), epsilon = 1e-9);
        assert_relative_eq!(draw_counts.basins().iter().sum::<f64>(), draw_counts.weight(), epsilon = 1e-9);
    }

    #[test]
    fn draws_outside_the_view_are_counted_around_it() {
        for target in [Mixture::grid(), Mixture::line()] {
            let truth = Truth::new(&target);
            let outer = truth.outer_grid();
            // Most outside, some beyond the outer grid, with weights of 1 among others.
            let draws: Vec<(Point, f64)> = poor_draws(2, 3000)
                .into_iter()
                .enumerate()
                .map(|(index, (at, weight))| (5.0 * at, if index % 3 == 0 { 1.0 } else { weight }))
                .collect();
            let statistics = weighted_counts_of(&truth, &draws).statistics(&truth);
            let (mut cells, mut beyond, mut inside) = (vec![0.0; outer.len()], 0.0, 0.0);
            for (at, weight) in draws.iter().map(|&(at, weight)| (truth.within_dimension(at), weight)) {
                match (truth.grid().cell(at), outer.cell(at)) {
                    (Some(_), _) => inside += weight,
                    (None, Some(cell)) => cells[cell] += weight,
                    (None, None) => beyond += weight,
                }
            }
            assert!(beyond > 0.0 && inside > 0.0);
            assert_relative_eq!(statistics.beyond(), beyond, max_relative = 1e-12);
            for (own, expected) in statistics.outer_cells().iter().zip(&cells) {
                assert_relative_eq!(own, expected, epsilon = 1e-12);
            }
            let outside: f64 = statistics.outer_cells().iter().sum::<f64>() + statistics.beyond();
            assert_relative_eq!(statistics.outside(), outside, max_relative = 1e-12);
            assert_relative_eq!(statistics.columns().iter().sum::<f64>(), inside, max_relative = 1e-12);
            assert_relative_eq!(statistics.rows().iter().sum::<f64>(), inside, max_relative = 1e-12);
        }
    }

    #[test]
    fn without_draws_outside_there_is_no_outer_grid() {
        let truth = Truth::new(&Mixture::grid());
        let inside = counts_of(&truth, &[Point::zeros(), Point::new(6.0, -6.0)]);
        assert!(inside.statistics(&truth).outer_cells().is_empty());
        let outside = counts_of(&truth, &[Point::new(7.0, 0.0)]);
        for draw_counts in [inside.clone().merged(&outside), outside.clone().merged(&inside)] {
            assert_eq!(draw_counts.statistics(&truth).outer_cells(), outside.statistics(&truth).outer_cells());
        }
        assert_relative_eq!(outside.clone().merged(&outside).statistics(&truth).outer_cells().iter().sum::<f64>(), 2.0);
    }

    #[test]
    fn what_is_not_a_draw_is_not_counted() {
        let truth = Truth::new(&Mixture::grid());
        let mut draw_counts = DrawCounts::new(&truth);
        for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            for row in [(bad, 0.0, 1.0), (0.0, bad, 1.0), (0.0, 0.0, bad)] {
                draw_counts.add_rows(Simd::widest(), &truth, &[row.2], &[row.0], &[row.1]);
                assert_eq!((draw_counts.draws(), draw_counts.gaussian()), (0, None), "{row:?}");
            }
        }
        draw_counts.add_rows(Simd::widest(), &truth, &[0.0, -1.0], &[0.0; 6], &[0.0; 6]);
        let statistics = draw_counts.statistics(&truth);
        assert!(statistics.cells().iter().chain(statistics.basins()).all(|&weight| weight <= 0.0), "{statistics:?}");
        assert!(statistics.outside() + statistics.within_3sd() + statistics.weight() <= 0.0, "{statistics:?}");
    }

    #[test]
    fn y_means_nothing_on_a_line() {
        let truth = Truth::new(&Mixture::line());
        let flat = counts_of(&truth, &[Point::new(-2.1, 0.0), Point::new(1.0, 0.0)]);
        let lifted = counts_of(&truth, &[Point::new(-2.1, 7.0), Point::new(1.0, -0.2)]);
        assert_eq!(flat, lifted);
        let statistics = flat.statistics(&truth);
        assert_eq!(statistics.close_draws(), [1, 0]);
        assert_relative_eq!(statistics.within_3sd(), 1.0);
    }

    /// Positions in and around the view, with what may go wrong, and rows of three chains.
    fn rows(seed: u64) -> (Vec<f64>, Vec<f64>) {
        let (mut x, mut y): (Vec<f64>, Vec<f64>) = poor_draws(seed, 900).iter().map(|(at, _)| (at.x, at.y)).unzip();
        for (index, odd) in [f64::NAN, f64::INFINITY, 1e300, 6.0, -6.0, -0.0, f64::NEG_INFINITY].into_iter().enumerate()
        {
            x[97 * index] = odd;
            y[101 * index + 1] = odd;
        }
        (x, y)
    }

    #[test]
    fn cuts_and_instruction_sets_change_no_bit() {
        for truth in [Truth::new(&Mixture::grid()), Truth::new(&Mixture::line())] {
            for chains in [1, 3, 9, 100] {
                let (x, y) = rows(chains as u64);
                for pattern in [&[1.0][..], &[1.0, 1.0, 0.0, 1.0], &[0.25, 1.0, 1.0, 3.5]] {
                    let weights: Vec<f64> = pattern.iter().copied().cycle().take(900 / chains).collect();
                    let mut whole = DrawCounts::new(&truth);
                    whole.add_rows(Simd::BASELINE, &truth, &weights, &x, &y);
                    for simd in Simd::available() {
                        for cut in [1, 2, 7, 40] {
                            let mut draw_counts = DrawCounts::new(&truth);
                            for ((weights, x), y) in
                                weights.chunks(cut).zip(x.chunks(cut * chains)).zip(y.chunks(cut * chains))
                            {
                                draw_counts.add_rows(simd, &truth, weights, x, y);
                            }
                            assert_eq!(draw_counts, whole, "{simd:?}, {chains} chains, cut at {cut}");
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn cells_are_those_of_the_grids() {
        for truth in [Truth::new(&Mixture::grid()), Truth::new(&Mixture::line())] {
            let (x, y) = rows(5);
            let mut draw_counts = DrawCounts::new(&truth);
            draw_counts.add_rows(Simd::widest(), &truth, &vec![1.0; 900], &x, &y);
            let statistics = draw_counts.statistics(&truth);
            let (mut cells, mut image) = (vec![0.0; statistics.cells().len()], vec![0.0; truth.image_grid().len()]);
            let mut draws = 0;
            for at in x.iter().zip(&y).map(|(&x, &y)| Point::new(x, y)).filter(|at| at.iter().all(|v| v.is_finite())) {
                draws += 1;
                let at = truth.within_dimension(at);
                truth.grid().cell(at).into_iter().for_each(|cell| cells[cell] += 1.0);
                truth.image_grid().cell(at).into_iter().for_each(|cell| image[cell] += 1.0);
            }
            assert_eq!((statistics.cells(), draw_counts.image(&truth)), (&cells[..], image));
            assert_eq!(draw_counts.draws(), draws);
        }
    }

    /// Draws on the edges of cells, where it is decided in which of two they are counted.
    #[test]
    fn draws_on_edges_and_circles_are_counted_as_one_by_one() {
        let truth = Truth::new(&Mixture::grid());
        let edge = |index: usize| f64::from(u32::try_from(index).unwrap_or(0)) * 0.05 - 6.0;
        let draws: Vec<Point> = (0..241 * 241).map(|index| Point::new(edge(index % 241), edge(index / 241))).collect();
        let statistics = counts_of(&truth, &draws).statistics(&truth);
        let (mut close, mut basins) = (vec![0; 25], vec![0.0; 25]);
        for &at in &draws {
            let nearest = truth.nearest(at);
            close[nearest.mode] += u64::from(nearest.close);
            basins[nearest.mode] += 1.0;
        }
        assert_eq!((statistics.close_draws(), statistics.basins()), (&close[..], &basins[..]));
    }

    proptest! {
        #[test]
        fn merging_equals_adding_one_after_the_other(seed: u64, count in 0_usize..300, cut in 0_usize..300) {
            let truth = Truth::new(&Mixture::line());
            let draws: Vec<_> = poor_draws(seed, count).into_iter().map(|(at, _)| at).collect();
            let (first, second) = draws.split_at(cut.min(count));
            let merged = counts_of(&truth, first).merged(&counts_of(&truth, second)).statistics(&truth);
            let whole = counts_of(&truth, &draws).statistics(&truth);
            prop_assert_eq!(&merged.cells, &whole.cells);
            prop_assert_eq!(&merged.outer, &whole.outer);
            prop_assert_eq!(&merged.close, &whole.close);
            prop_assert_eq!(&merged.basins, &whole.basins);
            prop_assert_eq!((merged.outside, merged.within), (whole.outside, whole.within));
            prop_assert_eq!((merged.draws, merged.weight()), (whole.draws, whole.weight()));
            if let (Some(merged), Some(whole)) = (merged.gaussian(), whole.gaussian()) {
                prop_assert!((merged.mean - whole.mean).norm() < 1e-12);
                prop_assert!((merged.covariance - whole.covariance).norm() < 1e-11);
            }
        }
    }

    #[test]
    fn merging_empty_counts_changes_nothing() {
        let truth = Truth::new(&Mixture::grid());
        let draw_counts = weighted_counts_of(&truth, &poor_draws(4, 300));
        assert_eq!(draw_counts.clone().merged(&DrawCounts::new(&truth)), draw_counts);
        assert_eq!(DrawCounts::new(&truth).merged(&DrawCounts::new(&truth)), DrawCounts::new(&truth));
    }
}
