//! Convolutions with a short even kernel, term by term: for a blur of a few spacings faster than a transform, and nothing comes around.
//!
//! A response that ends at the highest frequency with a slope has a kernel with a long tail, so that a blur below some 2.6 spacings is left to
//! transforms.

use std::ops::Range;

use base::math::Simd;
use base::math::elementary::Kernel;

use crate::convolution::{Convolution, Points};

/// Points on either side that a kernel may reach; beyond it transforms are faster.
const LONGEST: usize = 96;

/// Weights below it are rounding.
const ROUNDING: f64 = 5e-17;

/// Results that are computed side by side.
const BLOCK: usize = 32;

/// An even kernel by its weights at distance 0, 1, …
#[derive(Clone, Debug)]
pub(crate) struct Stencil {
    weights: Vec<f64>,
}

impl Stencil {
    /// The kernel that has a response; `None` if it is long.
    pub(crate) fn of(plan: &Convolution, response: &[f64]) -> Option<Self> {
        let mut kernel: Vec<Points<1>> = vec![[[0.0]; 2]; plan.points()];
        kernel[0][0][0] = 1.0;
        plan.apply(response, &mut kernel, &mut Vec::new());
        let mut weights: Vec<f64> = kernel[..plan.points() / 2].iter().map(|point| point[0][0]).collect();
        let reach = weights.iter().rposition(|weight| weight.abs() > ROUNDING)?;
        weights.truncate(reach + 1);
        (reach <= LONGEST.min(plan.points() / 4)).then_some(Self { weights })
    }

    fn reach(&self) -> usize {
        self.weights.len() - 1
    }

    /// Convolves rows of so many points, which have 0 on both sides, at the points that are wanted; others stay as they are.
    pub(crate) fn rows(&self, field: &mut [f64], width: usize, wanted: Range<usize>) {
        Simd::widest().dispatch(Rows { stencil: self, field, width, wanted });
    }

    /// Convolves the named columns of a field with rows of so many points, at the rows that are wanted.
    pub(crate) fn columns(&self, field: &mut [f64], width: usize, columns: Range<usize>, wanted: Range<usize>) {
        Simd::widest().dispatch(Columns { stencil: self, field, width, columns, wanted });
    }

    /// The results at `middle` and after it, of values whose neighbours are `stride` apart.
    #[inline(always)]
    fn block(&self, from: &[f64], middle: usize, stride: usize) -> [f64; BLOCK] {
        let mut sums = [0.0; BLOCK];
        let own = &from[middle..middle + BLOCK];
        for i in 0..BLOCK {
            sums[i] = self.weights[0] * own[i];
        }
        for (distance, weight) in self.weights.iter().enumerate().skip(1) {
            let before = &from[middle - distance * stride..][..BLOCK];
            let after = &from[middle + distance * stride..][..BLOCK];
            for i in 0..BLOCK {
                sums[i] += weight * (before[i] + after[i]);
            }
        }
        sums
    }
}

struct Rows<'a> {
    stencil: &'a Stencil,
    field: &'a mut [f64],
    width: usize,
    wanted: Range<usize>,
}

impl Kernel for Rows<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Self { stencil, field, width, wanted } = self;
        let reach = stencil.reach();
        let mut line = vec![0.0; width + BLOCK + 2 * reach];
        for row in field.chunks_exact_mut(width) {
            // Most of the padding is empty.
            if row.iter().all(|&value| value.to_bits() == 0) {
                continue;
            }
            line[reach..reach + width].copy_from_slice(row);
            for (number, part) in row[wanted.clone()].chunks_mut(BLOCK).enumerate() {
                let sums = stencil.block(&line, reach + wanted.start + number * BLOCK, 1);
                part.copy_from_slice(&sums[..part.len()]);
            }
        }
    }
}

struct Columns<'a> {
    stencil: &'a Stencil,
    field: &'a mut [f64],
    width: usize,
    columns: Range<usize>,
    wanted: Range<usize>,
}

impl Kernel for Columns<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Self { stencil, field, width, columns, wanted } = self;
        let reach = stencil.reach();
        let mut tile = vec![0.0; (field.len() / width + 2 * reach) * BLOCK];
        for first in columns.clone().step_by(BLOCK) {
            let lanes = first..(first + BLOCK).min(columns.end);
            let inside = tile[reach * BLOCK..].chunks_exact_mut(BLOCK);
            for (tile, row) in inside.zip(field.chunks_exact(width)) {
                tile[..lanes.len()].copy_from_slice(&row[lanes.clone()]);
            }
            for y in wanted.clone() {
                let sums = stencil.block(&tile, (reach + y) * BLOCK, BLOCK);
                field[y * width..][lanes.clone()].copy_from_slice(&sums[..lanes.len()]);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::line::response;

    /// A field with values at some points inside of a margin that nothing leaves.
    fn field(width: usize, height: usize, margin: usize) -> Vec<f64> {
        let mut field = vec![0.0; width * height];
        for y in margin..height - margin {
            for x in margin..width - margin {
                field[y * width + x] = ((7 * x + 13 * y) % 17) as f64 - 8.0;
            }
        }
        field
    }

    #[test]
    fn terms_add_up_to_the_transform() {
        for blur in [2.8, 4.0, 5.0] {
            let plan = Convolution::new(256);
            let response = response(plan.points(), blur);
            let stencil = Stencil::of(&plan, &response).unwrap();
            let (width, height) = (plan.points(), plan.points());
            let values = field(width, height, 70);
            let (mut rows, mut columns) = (values.clone(), values.clone());
            stencil.rows(&mut rows, width, 0..width);
            stencil.columns(&mut columns, width, 0..width, 0..height);
            for k in 0..width {
                let transformed = |at: &dyn Fn(usize) -> f64| {
                    let mut points: Vec<Points<1>> = (0..width).map(|i| [[at(i)], [0.0]]).collect();
                    plan.apply(&response, &mut points, &mut Vec::new());
                    points.into_iter().map(|point| point[0][0]).collect::<Vec<f64>>()
                };
                for (i, value) in transformed(&|i| values[k * width + i]).into_iter().enumerate() {
                    assert!((value - rows[k * width + i]).abs() < 1e-13, "{blur} {k} {i}");
                }
                for (i, value) in transformed(&|i| values[i * width + k]).into_iter().enumerate() {
                    assert!((value - columns[i * width + k]).abs() < 1e-13, "{blur} {k} {i}");
                }
            }
        }
    }

    #[test]
    fn only_what_is_wanted_is_computed() {
        let plan = Convolution::new(96);
        let stencil = Stencil::of(&plan, &response(96, 2.8)).unwrap();
        let values = field(96, 96, 30);
        let (mut all, mut some) = (values.clone(), values.clone());
        stencil.rows(&mut all, 96, 0..96);
        stencil.rows(&mut some, 96, 35..50);
        for (i, value) in some.iter().enumerate() {
            let expected = if (35..50).contains(&(i % 96)) { all[i] } else { values[i] };
            assert_eq!(value.to_bits(), expected.to_bits());
        }
        let (mut all, mut some) = (values.clone(), values.clone());
        stencil.columns(&mut all, 96, 0..96, 0..96);
        stencil.columns(&mut some, 96, 33..70, 20..31);
        for (i, value) in some.iter().enumerate() {
            let is_wanted = (33..70).contains(&(i % 96)) && (20..31).contains(&(i / 96));
            assert_eq!(value.to_bits(), if is_wanted { all[i] } else { values[i] }.to_bits());
        }
    }

    #[test]
    fn long_kernels_are_left_to_transforms() {
        let plan = Convolution::new(768);
        for blur in [0.5, 1.2, 2.0, 20.0] {
            assert!(Stencil::of(&plan, &response(768, blur)).is_none());
        }
        assert!(Stencil::of(&plan, &response(768, 8.0)).is_some());
    }
}
