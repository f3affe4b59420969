//! One axis of a padded grid in the plane, and the blur along it: term by term where the kernel is short, else by transforms.

use std::ops::Range;

use crate::Refusal;
use crate::convolution::{Convolution, Points};
use crate::line::response;
use crate::padding::padding;
use crate::stencil::Stencil;

/// Complex rows that are transformed side by side, and real ones.
const ROWS: usize = 4;
const LANES: usize = 2 * ROWS;

/// One axis of the padded grid.
#[derive(Clone, Debug)]
pub(super) struct PaddedAxis {
    nodes: usize,
    plan: Convolution,
    response: Vec<f64>,
    /// The same as the response, where it is short.
    stencil: Option<Stencil>,
    /// Padded nodes before the first.
    pub(super) before: usize,
}

impl PaddedAxis {
    pub(super) fn new(nodes: usize, blur: f64) -> Result<Self, Refusal> {
        let padding = padding(blur, nodes)?;
        let plan = Convolution::new(nodes + 2 * padding);
        let before = (plan.points() - nodes) / 2;
        let response = response(plan.points(), blur);
        let stencil = Stencil::of(&plan, &response);
        Ok(Self { nodes, response, stencil, plan, before })
    }

    pub(super) fn points(&self) -> usize {
        self.plan.points()
    }

    /// The range of the nodes among the padded ones.
    pub(super) fn inside(&self) -> Range<usize> {
        self.before..self.before + self.nodes
    }

    /// Blurs along x, at least at the columns that are wanted.
    pub(super) fn blur_rows(&self, field: &mut [f64], wanted: Range<usize>) {
        if let Some(stencil) = &self.stencil {
            return stencil.rows(field, self.points(), wanted);
        }
        let mut tile: Vec<Points<ROWS>> = vec![[[0.0; ROWS]; 2]; self.points()];
        let mut memory = Vec::new();
        for rows in field.chunks_mut(LANES * self.points()) {
            // Most of the padding is empty.
            if rows.iter().all(|&value| value.to_bits() == 0) {
                continue;
            }
            for (lane, row) in rows.chunks_exact(self.points()).enumerate() {
                tile.iter_mut().zip(row).for_each(|(point, value)| point[lane / ROWS][lane % ROWS] = *value);
            }
            self.plan.apply(&self.response, &mut tile, &mut memory);
            for (lane, row) in rows.chunks_exact_mut(self.points()).enumerate() {
                row.iter_mut().zip(&tile).for_each(|(value, point)| *value = point[lane / ROWS][lane % ROWS]);
            }
        }
    }

    /// Blurs the named columns of a field along this axis, at least at the rows that are wanted.
    pub(super) fn blur_columns(&self, field: &mut [f64], columns: Range<usize>, wanted: Range<usize>) {
        let wide = field.len() / self.points();
        if let Some(stencil) = &self.stencil {
            return stencil.columns(field, wide, columns, wanted);
        }
        let mut tile: Vec<Points<ROWS>> = vec![[[0.0; ROWS]; 2]; self.points()];
        let mut memory = Vec::new();
        for first in columns.clone().step_by(LANES) {
            let lanes = LANES.min(columns.end - first);
            for (point, row) in tile.iter_mut().zip(field.chunks_exact(wide)) {
                let row = &row[first..first + lanes];
                point.as_flattened_mut().iter_mut().zip(row).for_each(|(point, value)| *point = *value);
            }
            self.plan.apply(&self.response, &mut tile, &mut memory);
            for (point, row) in tile.iter().zip(field.chunks_exact_mut(wide)) {
                let row = &mut row[first..first + lanes];
                row.iter_mut().zip(point.as_flattened()).for_each(|(value, point)| *value = *point);
            }
        }
    }
}
