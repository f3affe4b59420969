//! What the pair plot keeps: densities and moments of the reference and of each run, some draws, and the pictures of the cells.

use std::sync::Arc;

use egui::Context;

use super::choice::MOST;
use super::geometry::{density, divergent, histogram, mixture_density, picked};
use crate::kit::background::{Computing, Same, SameTarget, Slot};
use crate::kit::by_run::ByRun;
use crate::kit::marks::Dot;
use crate::kit::mesh_cache::MeshCache;
use crate::theme::Theme;
use base::platform::pause;
use engine::session::{Described, Frame, QuantityDraws, RunFrame, fitted_gaussians};
use models::targets::Target;

/// Draws of a run that are drawn, and of which correlations are computed.
const DRAWS: usize = 2000;

/// Draws after divergent transitions that are marked of a run, at most: the newest.
const CROSSES: usize = 400;

/// Size of a cross, and its rim in the colour of the paper, in units of the theme: as on the canvases.
const CROSS: f32 = 0.8;
const RIM: f32 = 0.35;

/// What is kept.
#[derive(Debug)]
pub struct PairsCache {
    references: Slot<SameTarget, Vec<OfQuantity>>,
    runs: ByRun<Result<OfRun, &'static str>>,
    /// Pictures of the cells, by rows.
    pub(super) cells: [[MeshCache; MOST]; MOST],
    /// A draw.
    pub(super) dot: Option<Dot>,
    /// The rim of a cross, and the cross.
    pub(super) cross: [Option<Dot>; 2],
}

impl Default for PairsCache {
    fn default() -> Self {
        let cells = std::array::from_fn(|_| std::array::from_fn(|_| MeshCache::default()));
        Self { references: Slot::default(), runs: ByRun::default(), cells, dot: None, cross: [None, None] }
    }
}

/// A quantity by itself.
#[derive(Clone, Debug)]
pub(super) struct OfQuantity {
    pub(super) described: Described,
    /// A curve of its density.
    pub(super) density: Vec<[f64; 2]>,
}

/// What a run says of all quantities.
#[derive(Clone, Debug)]
pub(super) struct OfRun {
    pub(super) quantities: Vec<OfQuantity>,
    /// Some draws of each.
    pub(super) draws: Vec<Vec<f64>>,
    /// Of each, draws after divergent transitions.
    pub(super) divergent: Vec<Vec<f64>>,
}

impl PairsCache {
    /// Updates what is shown.
    pub(super) fn update(&mut self, ctx: &Context, (frame, runs): (&Frame, &[usize]), computing: Computing) {
        let target = frame.target.clone();
        let of_target = target.clone();
        self.references.request(Same(target.clone()), computing, ctx, async move { references(&of_target).await });
        self.runs.update(ctx, (frame, runs), computing, |run| of_run(target.clone(), run));
    }

    /// Makes the marks of draws for the present screen.
    pub(super) fn prepare_marks(&mut self, ctx: &Context, theme: &Theme, radius: f32) {
        self.dot = Some(Dot::of(self.dot.take(), ctx, theme.space(radius)));
        for (cross, size) in self.cross.iter_mut().zip([CROSS + RIM, CROSS]) {
            *cross = Some(Dot::of(cross.take(), ctx, theme.marker(size)));
        }
    }

    /// The reference of every quantity of a target, once it is computed.
    pub(super) fn references(&self, frame: &Frame) -> Option<&Vec<OfQuantity>> {
        self.references.get(&Same(frame.target.clone())).filter(|known| !known.is_empty())
    }

    /// What a run says, with a number that no other had.
    pub(super) fn run(&self, run: usize) -> Option<(u64, &Result<OfRun, &'static str>)> {
        self.runs.get(run)
    }

    /// Whether what is shown of runs is from before they started again.
    pub(super) fn is_stale(&self, frame: &Frame, runs: &[usize]) -> bool {
        self.runs.is_stale(frame, runs)
    }
}

async fn references(target: &Target) -> Vec<OfQuantity> {
    let Some(known) = target.known_quantities() else { return Vec::new() };
    let mut found = Vec::new();
    for number in 0..known.names().len() {
        let described = Described::known(known, number);
        let density = density(&described, |value| known.below(number, value));
        found.push(OfQuantity { described, density });
        pause().await;
    }
    found
}

async fn of_run(target: Arc<Target>, run: RunFrame) -> Result<OfRun, &'static str> {
    let draws = QuantityDraws::of_run(&target, &run).ok_or("nothing is fitted yet")?;
    if draws.count() == 0 {
        return Err(if run.collected == 0 { "no draws yet" } else { "all chains have left" });
    }
    let mut quantities = Vec::new();
    for number in 0..draws.chains.len() {
        let parts = run.fits.as_ref().and_then(|fits| fitted_gaussians(fits, number));
        let of = match parts {
            Some(parts) => {
                let described = Described::mixture(&parts);
                OfQuantity { described, density: mixture_density(&described, &parts) }
            }
            None => {
                let sorted = draws.sorted(number);
                let described = Described::sorted(&sorted);
                OfQuantity { described, density: histogram(&described, &sorted) }
            }
        };
        quantities.push(of);
        pause().await;
    }
    Ok(OfRun { quantities, draws: picked(&draws, DRAWS), divergent: divergent(&target, &run, CROSSES) })
}
