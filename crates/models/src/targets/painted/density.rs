//! The density of a painting: p(θ) = (1 − b) Σ wⱼₖ B(x/h − j) B(y/h − k)/h² + b N(θ; 0, diag s²), with weights wⱼₖ in proportion to the
//! levels of the cells (column j, row k), B the cubic B-spline and h the width of a cell.
//!
//! At every point only 4 × 4 splines are positive. Around the picture lie cells of level 0, so that no point needs a case of
//! its own. Where the picture is far away and the Gaussian underflows, its logarithm and its gradient are still exact.

use std::f64::consts::TAU;

use super::spline;
use crate::targets::kit::analytic::AnalyticDensity;
use crate::targets::kit::lanewise::{FirstLane, Lanewise};
use crate::targets::kit::modes::Surface;
use base::math::elementary::{exp, exp_share, ln, rounded, whole_bits};
use base::math::{Matrix, Point, Stream, crossed, normal_interval};
use base::params::Picture;

/// Empty cells on either side of the picture: points further out count as points among them.
const MARGIN_CELLS: usize = 4;

/// The same as a length.
const MARGIN: f64 = MARGIN_CELLS as f64;

/// Cells that splines reach beyond the picture, and half a cell more, on either side: the density is seen on the picture and these.
const SURROUNDINGS: f64 = spline::REACH;

/// Standard deviations of the background from the middle to the edge of the view.
const VIEW_RANGE: f64 = 2.0;

/// −log of the background relative to its middle, from which on it is too far from the picture to matter in a sum. In the view it
/// is at most [`VIEW_RANGE`]².
const FAR: f64 = 40.0;

/// One coordinate: its cells, and the background along it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Axis {
    /// Number of cells, a whole number.
    cells: f64,
    /// Width of a cell.
    width: f64,
    /// 1/width.
    per_width: f64,
    /// Position of 0, in cells from the middle of the first.
    middle: f64,
    /// Standard deviation of the background.
    pub(super) sd: f64,
    /// 1/sd².
    precision: f64,
}

impl Axis {
    fn new(cells: usize, width: f64) -> Self {
        let cells = cells as f64;
        let sd = (0.5 * cells + SURROUNDINGS) * width / VIEW_RANGE;
        Self { cells, width, per_width: 1.0 / width, middle: 0.5 * (cells - 1.0), sd, precision: 1.0 / (sd * sd) }
    }

    /// Half the width of the view.
    pub(super) fn half_view(&self) -> f64 {
        VIEW_RANGE * self.sd
    }

    /// The number of points across the view, with so many in a cell.
    #[expect(clippy::cast_sign_loss, reason = "at most 68 cells")]
    pub(super) fn points(&self, per_cell: usize) -> usize {
        (self.cells + 2.0 * SURROUNDINGS) as usize * per_cell
    }

    /// The coordinate of a position in cells from the middle of the first.
    pub(super) fn coordinate(&self, position: f64) -> f64 {
        (position - self.middle) * self.width
    }

    /// The first of the four cells whose splines are positive at each point, counted from the first of the margin, and the position
    /// between the second and the third.
    #[inline(always)]
    fn between<const L: usize>(&self, x: &[f64; L]) -> ([usize; L], [f64; L]) {
        let (mut first, mut rest) = ([0; L], [0.0; L]);
        // Half a cell from where the first of the four is the first of the margin, and the last of them its last.
        let (low, high) = (1.5 - MARGIN, self.cells + MARGIN - 2.5);
        for i in 0..L {
            let position = x[i] * self.per_width + self.middle;
            let position = if position > low { position } else { low };
            let position = if position < high { position } else { high };
            let cell = rounded(position - 0.5);
            first[i] = whole_bits(cell - (1.0 - MARGIN)) as usize;
            rest[i] = position - cell;
        }
        (first, rest)
    }

    /// The probabilities of intervals between edges under the spline of each cell, and under the background.
    fn intervals(&self, edges: &[f64]) -> (Vec<Vec<f64>>, Vec<f64>) {
        let position = |edge: f64| edge * self.per_width + self.middle;
        let of_cell = |cell: usize| {
            let cell = cell as f64;
            edges.windows(2).map(|ends| spline::integral(position(ends[0]) - cell, position(ends[1]) - cell)).collect()
        };
        #[expect(clippy::cast_sign_loss, reason = "at most 64 cells")]
        let splines = (0..self.cells as usize).map(of_cell).collect();
        let background = edges.windows(2).map(|ends| normal_interval(ends[0] / self.sd, ends[1] / self.sd));
        (splines, background.collect())
    }
}

/// The density of a painting.
#[derive(Clone, Debug)]
pub(super) struct Painting {
    /// Both coordinates.
    pub(super) axes: [Axis; 2],
    /// (1 − b) w/h² of the cells and of the margin around them, by rows from the lower left.
    coefficients: Vec<f64>,
    /// Length of a row of them.
    stride: usize,
    /// b, the probability of the background; 1 if all levels are 0.
    pub(super) background: f64,
    /// Its density in the middle.
    height: f64,
    /// The cells that are not empty.
    pub(super) cells: Vec<Cell>,
}

/// A cell that is not empty.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cell {
    /// Its middle.
    pub(super) at: Point,
    /// Its weight w in the picture.
    pub(super) weight: f64,
    /// Sum of the weights up to this one.
    up_to: f64,
    /// Column, from the left.
    column: usize,
    /// Row, from below.
    row: usize,
}

/// The picture in the density at some points, with the derivatives.
struct Painted<const L: usize> {
    value: [f64; L],
    slope: [[f64; L]; 2],
}

impl Painting {
    pub(super) fn new(picture: &Picture, width: f64, background: f64) -> Self {
        let axes = [picture.columns(), picture.rows()].map(|cells| Axis::new(cells, width));
        let total: f64 = picture.levels().iter().map(|level| f64::from(*level)).sum();
        let background = if total > 0.0 { background } else { 1.0 };
        #[expect(clippy::cast_sign_loss, reason = "a few cells")]
        let margin = MARGIN as usize;
        let stride = picture.columns() + 2 * margin;
        let mut coefficients = vec![0.0; stride * (picture.rows() + 2 * margin)];
        let (mut cells, mut up_to) = (Vec::new(), 0.0);
        for (row, levels) in picture.levels().rchunks(picture.columns()).enumerate() {
            for (column, level) in levels.iter().enumerate().filter(|(_, level)| **level > 0) {
                let weight = f64::from(*level) / total;
                up_to += weight;
                let at = Point::new(axes[0].coordinate(column as f64), axes[1].coordinate(row as f64));
                cells.push(Cell { at, weight, up_to, column, row });
                coefficients[(row + margin) * stride + column + margin] = (1.0 - background) * weight / (width * width);
            }
        }
        let height = background / (TAU * axes[0].sd * axes[1].sd);
        Self { axes, coefficients, stride, background, height, cells }
    }

    /// Width of a cell.
    pub(super) fn width(&self) -> f64 {
        self.axes[0].width
    }

    /// The lower left corners of the squares between knots in which the picture is not 0 everywhere.
    pub(super) fn pieces(&self) -> Vec<Point> {
        let rows = self.coefficients.len() / self.stride;
        let corner = |index: usize| {
            let (column, row) = (index % (self.stride - 3), index / (self.stride - 3));
            let is_empty = (row..row + 4).all(|row| {
                let first = row * self.stride + column;
                self.coefficients[first..first + 4].iter().all(|coefficient| *coefficient <= 0.0)
            });
            let position = |first: usize, axis: &Axis| axis.coordinate(first as f64 + 1.0 - MARGIN);
            (!is_empty).then(|| Point::new(position(column, &self.axes[0]), position(row, &self.axes[1])))
        };
        (0..(self.stride - 3) * (rows - 3)).filter_map(corner).collect()
    }

    /// The coefficients of the 4 × 4 splines from a cell of the margin on, by rows.
    #[inline(always)]
    fn window<const L: usize>(&self, columns: &[usize; L], rows: &[usize; L]) -> [[[f64; L]; 4]; 4] {
        let mut window = [[[0.0; L]; 4]; 4];
        for i in 0..L {
            for (row, window) in window.iter_mut().enumerate() {
                let first = (rows[i] + row) * self.stride + columns[i];
                let four = &self.coefficients[first..first + 4];
                window.iter_mut().zip(four).for_each(|(column, coefficient)| column[i] = *coefficient);
            }
        }
        window
    }

    /// The picture with its slopes.
    #[inline(always)]
    fn painted<const L: usize>(&self, x: &[f64; L], y: &[f64; L]) -> Painted<L> {
        let ((columns, s), (rows, t)) = (self.axes[0].between(x), self.axes[1].between(y));
        let window = self.window(&columns, &rows);
        let (across, across_slopes) = (spline::values(&s), spline::slopes(&s));
        let (up, up_slopes) = (spline::values(&t), spline::slopes(&t));
        let (mut value, mut slope) = ([0.0; L], [[0.0; L]; 2]);
        for row in 0..4 {
            let (mut along, mut change) = ([0.0; L], [0.0; L]);
            for column in 0..4 {
                for i in 0..L {
                    along[i] += across[column][i] * window[row][column][i];
                    change[i] += across_slopes[column][i] * window[row][column][i];
                }
            }
            for i in 0..L {
                value[i] += up[row][i] * along[i];
                slope[0][i] += up[row][i] * change[i];
                slope[1][i] += up_slopes[row][i] * along[i];
            }
        }
        for (slope, axis) in slope.iter_mut().zip(&self.axes) {
            slope.iter_mut().for_each(|slope| *slope *= axis.per_width);
        }
        Painted { value, slope }
    }

    /// The second derivatives of the picture.
    fn curvature(&self, at: Point) -> Matrix {
        let ((columns, [s]), (rows, [t])) = (self.axes[0].between(&[at.x]), self.axes[1].between(&[at.y]));
        let window = self.window(&columns, &rows);
        let of = |across: [f64; 4], up: [f64; 4]| -> f64 {
            let along = |row: usize| (0..4).map(|column| across[column] * window[row][column][0]).sum::<f64>();
            (0..4).map(|row| up[row] * along(row)).sum()
        };
        let flat = |splines: [[f64; 1]; 4]| splines.map(|[value]| value);
        let [across, up] = [s, t].map(|share| flat(spline::values(&[share])));
        let [across_slopes, up_slopes] = [s, t].map(|share| flat(spline::slopes(&[share])));
        let cross = of(across_slopes, up_slopes);
        let curvature = Matrix::new(of(spline::curvatures(s), up), cross, cross, of(across, spline::curvatures(t)));
        curvature * (self.axes[0].per_width * self.axes[1].per_width)
    }

    /// −log of the background at a point relative to its middle.
    #[inline(always)]
    fn depth(&self, x: f64, y: f64) -> f64 {
        0.5 * (x * x * self.axes[0].precision + y * y * self.axes[1].precision)
    }

    /// The background at a depth, as far down as it matters.
    #[inline(always)]
    fn veil(&self, depth: f64) -> f64 {
        self.height * exp_share(if depth < FAR { -depth } else { -FAR })
    }

    /// The picture alone, up to a factor.
    pub(super) fn picture(&self, at: Point) -> f64 {
        self.painted(&[at.x], &[at.y]).value[0]
    }

    /// The background alone, up to a factor.
    pub(super) fn background_at(&self, at: Point) -> f64 {
        exp(-self.depth(at.x, at.y))
    }
}

impl Lanewise for Painting {
    #[inline(always)]
    fn at<const L: usize>(&self, _first: FirstLane, x: &[f64; L], y: &[f64; L]) -> ([f64; L], [f64; L]) {
        let painted = self.painted(x, y);
        let (mut gx, mut gy) = ([0.0; L], [0.0; L]);
        for i in 0..L {
            let veil = self.veil(self.depth(x[i], y[i]));
            let total = painted.value[i] + veil;
            gx[i] = (painted.slope[0][i] - veil * (self.axes[0].precision * x[i])) / total;
            gy[i] = (painted.slope[1][i] - veil * (self.axes[1].precision * y[i])) / total;
        }
        (gx, gy)
    }
}

impl AnalyticDensity for Painting {
    fn log_density(&self, at: Point) -> f64 {
        let depth = self.depth(at.x, at.y);
        if depth < FAR { ln(self.picture(at) + self.veil(depth)) } else { ln(self.height) - depth }
    }

    /// ∇²p/p − ∇p ∇pᵀ/p².
    fn hessian(&self, at: Point) -> Matrix {
        let Painted { value: [value], slope: [[sx], [sy]] } = self.painted(&[at.x], &[at.y]);
        let veil = self.veil(self.depth(at.x, at.y));
        let precision = Point::new(self.axes[0].precision, self.axes[1].precision);
        let pull = -precision.component_mul(&at);
        let total = value + veil;
        let [picture, background] = [value / total, veil / total];
        if picture <= 0.0 {
            return -Matrix::from_diagonal(&precision);
        }
        let gradient = Point::new(sx, sy) / total + pull * background;
        let curved = (pull * background) * pull.transpose() - Matrix::from_diagonal(&precision) * background;
        self.curvature(at) / total + curved - gradient * gradient.transpose()
    }

    fn exact_draw(&self, stream: &mut Stream) -> Point {
        let behind = stream.uniform() < self.background;
        let uniform = stream.uniform();
        // Sums of weights may end a little below 1; the last cell gets the rest.
        let chosen = self.cells.get(self.cells.partition_point(|cell| cell.up_to <= uniform)).or(self.cells.last());
        match chosen.filter(|_| !behind) {
            Some(cell) => {
                let mut sum = || (0..4).map(|_| stream.uniform() - 0.5).sum::<f64>();
                cell.at + Point::new(sum(), sum()) * self.width()
            }
            None => {
                let (first, second) = stream.normal_pair();
                Point::new(first * self.axes[0].sd, second * self.axes[1].sd)
            }
        }
    }

    /// Paint ends within two cells.
    fn narrows(&self) -> bool {
        true
    }

    fn cell_probabilities(&self, x: &[f64], y: &[f64]) -> Option<Vec<f64>> {
        let [(columns, behind_x), (rows, behind_y)] = [self.axes[0].intervals(x), self.axes[1].intervals(y)];
        let mut probabilities = crossed(&behind_x, &behind_y);
        probabilities.iter_mut().for_each(|probability| *probability *= self.background);
        let across = behind_x.len();
        // Row by row of the picture: what its cells have in each column of edges, and the share of that in each row of edges.
        for cells in self.cells.chunk_by(|one, other| one.row == other.row) {
            let mut along = vec![0.0; across];
            for cell in cells {
                let weight = (1.0 - self.background) * cell.weight;
                along.iter_mut().zip(&columns[cell.column]).for_each(|(sum, share)| *sum += weight * share);
            }
            let row = cells.first().map_or(0, |cell| cell.row);
            for (line, share) in
                probabilities.chunks_mut(across.max(1)).zip(&rows[row]).filter(|(_, share)| **share > 0.0)
            {
                line.iter_mut().zip(&along).for_each(|(sum, part)| *sum += share * part);
            }
        }
        Some(probabilities)
    }
}

impl Surface for Painting {
    fn log_density(&self, at: Point) -> f64 {
        AnalyticDensity::log_density(self, at)
    }

    fn gradient(&self, at: Point) -> Point {
        let ([gx], [gy]) = self.at(FirstLane::default(), &[at.x], &[at.y]);
        Point::new(gx, gy)
    }

    fn hessian(&self, at: Point) -> Matrix {
        AnalyticDensity::hessian(self, at)
    }
}
