//! Points of runs in the coverage plot, and the trail of earlier runs.

use std::collections::VecDeque;
use std::sync::Arc;

use super::pin;
use engine::diagnostics::{Measure, NoiseFloor};
use engine::scenario::Scenario;
use engine::session::Frame;

/// The measures along the axes: KL of mode weights, KL within modes.
pub(super) const KEYS: [&str; 2] = ["mode_weight_kl", "within_mode_kl"];

/// Runs remembered, at most.
pub const LONGEST_TRAIL: usize = 300;

/// The point of a run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spot {
    /// KL of mode weights, and KL within modes, in nats.
    pub at: [f64; 2],
    /// What as many exact draws score.
    pub floor: Option<[NoiseFloor; 2]>,
}

/// The point of a run with these measures.
///
/// # Errors
/// The reason why the run has no point.
pub fn spot(measures: &[Measure]) -> Result<Spot, &'static str> {
    let [x, y] = KEYS.map(|key| measures.iter().find(|measure| measure.key == key));
    let (Some(x), Some(y)) = (x, y) else { return Err("no draws yet") };
    let at = [x.value.ok_or(x.reason)?, y.value.ok_or(y.reason)?];
    Ok(Spot { at, floor: x.floor.zip(y.floor).map(|(x, y)| [x, y]) })
}

/// The point of a finished run.
#[derive(Clone, Debug, PartialEq)]
pub struct Past {
    /// Number of the run.
    pub run: usize,
    /// Its name.
    pub name: String,
    /// Its method, chains, steps and step sizes.
    pub words: String,
    /// Its point.
    pub at: [f64; 2],
    generation: u64,
}

/// The points of finished runs on the present target, oldest first.
#[derive(Clone, Debug, Default)]
pub struct Trail {
    /// Identity of the target.
    identity: String,
    /// The scenario of that identity.
    scenario: Option<Arc<Scenario>>,
    spots: VecDeque<Past>,
}

impl Trail {
    /// Adds the finished runs of a frame. On another target the trail starts again.
    pub fn note(&mut self, frame: &Frame) {
        if !self.scenario.as_ref().is_some_and(|known| Arc::ptr_eq(known, &frame.scenario)) {
            // Writing a target as text is slow with a million data; comparing two targets is fast.
            let same = |known: &Arc<Scenario>| {
                known.target_at(frame.step) == frame.scenario.target_at(frame.step)
                    && known.folder == frame.scenario.folder
            };
            if !self.scenario.as_ref().is_some_and(same) {
                let identity = pin::identity(&frame.scenario, frame.step);
                if identity != self.identity {
                    self.spots.clear();
                }
                self.identity = identity;
            }
            self.scenario = Some(frame.scenario.clone());
        }
        for (index, run) in frame.runs.iter().enumerate().filter(|(_, run)| run.step == run.plan.steps) {
            if let Ok(Spot { at, .. }) = spot(&run.measures) {
                self.add(frame, index, at);
            }
        }
    }

    fn add(&mut self, frame: &Frame, run: usize, at: [f64; 2]) {
        let generation = frame.generation;
        if let Some(last) = self.spots.iter_mut().rev().find(|past| past.run == run)
            && (last.generation == generation || last.at.map(f64::to_bits) == at.map(f64::to_bits))
        {
            (last.at, last.generation) = (at, generation);
            return;
        }
        if self.spots.len() == LONGEST_TRAIL {
            self.spots.pop_front();
        }
        let name = frame.runs.get(run).map_or_else(String::new, |run| run.plan.name.clone());
        self.spots.push_back(Past { run, name, words: pin::in_words(frame, run), at, generation });
    }

    /// Identity of the target of the last frame.
    #[must_use]
    pub fn identity(&self) -> &str {
        &self.identity
    }

    /// The points of runs, without those of this generation.
    pub fn before(&self, generation: u64) -> impl Iterator<Item = &Past> {
        self.spots.iter().filter(move |past| past.generation != generation)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::views::coverage::testing::{measured, moment};

    fn points(trail: &Trail) -> Vec<[f64; 2]> {
        trail.before(u64::MAX).map(|past| past.at).collect()
    }

    #[test]
    fn the_point_of_a_run_comes_from_its_measures() {
        let measures = measured([0.3, 0.8], Some([0.001, 0.02]));
        let Spot { at, floor } = spot(&measures).unwrap();
        assert_eq!((at, floor.map(|floor| floor.map(|floor| floor.mean))), ([0.3, 0.8], Some([0.001, 0.02])));
        assert_eq!(spot(&measured([0.3, 0.8], None)).unwrap().floor, None);
        assert_eq!(spot(&[]), Err("no draws yet"));
        let mut single = measures;
        (single[0].value, single[0].reason) = (None, "the target has one mode");
        assert_eq!(spot(&single), Err("the target has one mode"));
    }

    #[test]
    fn finished_runs_leave_their_point_once() {
        let mut trail = Trail::default();
        let mut frame = moment(&[([0.3, 0.8], true), ([0.1, 0.2], false)]);
        trail.note(&frame);
        trail.note(&frame);
        assert_eq!(points(&trail), [[0.3, 0.8]], "the second is running");
        frame.runs[0].measures = Arc::new(measured([0.31, 0.8], None));
        trail.note(&frame);
        assert_eq!(points(&trail), [[0.31, 0.8]], "measures that come late replace the early ones");
        frame.generation += 1;
        trail.note(&frame);
        assert_eq!(points(&trail).len(), 1, "the same place after a jump");
        frame.generation += 1;
        frame.runs[0].measures = Arc::new(measured([0.5, 0.6], None));
        trail.note(&frame);
        assert_eq!(points(&trail), [[0.31, 0.8], [0.5, 0.6]]);
        assert_eq!(trail.before(frame.generation).count(), 1);
    }

    #[test]
    fn another_target_starts_another_trail_and_a_trail_has_a_longest_length() {
        let mut trail = Trail::default();
        let mut frame = moment(&[([0.3, 0.8], true)]);
        for generation in 0..400_u32 {
            frame.generation = u64::from(generation);
            frame.runs[0].measures = Arc::new(measured([0.3, f64::from(generation)], None));
            trail.note(&frame);
        }
        assert_eq!(points(&trail).len(), LONGEST_TRAIL);
        let mut scenario = frame.scenario.as_ref().clone();
        scenario.title = "Another title".to_owned();
        frame.scenario = Arc::new(scenario.clone());
        trail.note(&frame);
        assert_eq!(points(&trail).len(), LONGEST_TRAIL);
        scenario.target = base::params::Settings::defaults(&models::targets::TARGETS[1]);
        frame.scenario = Arc::new(scenario);
        trail.note(&frame);
        assert_eq!(points(&trail).len(), 1);
    }
}
