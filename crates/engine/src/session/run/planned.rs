//! Step sizes, stages and weights of the steps of a chunk.

use crate::scenario::Segment;
use base::math::Simd;
use samplers::schedules::Stage;

/// Plan of a chunk of steps, the same for all chains; its memory is reused.
#[derive(Clone, Debug, Default)]
pub(super) struct Planned {
    pub step_sizes: Vec<f64>,
    pub stages: Vec<Stage>,
    pub weights: Vec<f64>,
}

impl Planned {
    /// Plans `count` steps of a segment from number `first` on, without their weights.
    pub fn fill(&mut self, segment: &Segment, simd: Simd, first: u64, count: usize) {
        self.step_sizes.resize(count, 0.0);
        segment.schedule.fill(simd, first, &mut self.step_sizes);
        self.stages.resize(count, Stage::Sampling);
        segment.schedule.fill_stages(first, &mut self.stages);
    }

    /// Adds the weights of the steps that were planned.
    pub fn weigh(&mut self, segment: &Segment, first: u64) {
        self.weights.clear();
        let steps = self.step_sizes.iter().zip(&self.stages).zip(first..);
        self.weights.extend(steps.map(|((alpha, stage), number)| segment.weight(number, *stage, *alpha)));
    }
}
