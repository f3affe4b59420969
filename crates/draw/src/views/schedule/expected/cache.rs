//! Quick looks at a schedule along one of its numbers, beside the window, one after the other. A curve stays as long as everything but this number
//! does, so that a handle that is dragged moves along it.

use std::sync::mpsc::{Receiver, TryRecvError};

use egui::Context;

use super::geometry::{At, Knob};
use crate::kit::background::{Asker, Wanted, spawned};
use base::platform::pause;
use engine::distributions::{Computable, Glance, NotComputed};
use engine::scenario::Scenario;

/// What is expected along a number of the schedule of a run.
#[derive(Debug, Default)]
pub struct ExpectedCache {
    curve: Option<Curve>,
}

#[derive(Debug)]
struct Curve {
    knob: Knob,
    run: usize,
    /// The scenario with the first of the values.
    base: Scenario,
    values: Vec<f64>,
    /// By the number of the value.
    found: Vec<Option<Result<Glance, String>>>,
    running: Option<(usize, Receiver<Result<Glance, NotComputed>>)>,
    /// Whoever computes for an earlier curve ends when it is gone.
    asker: Asker,
}

impl ExpectedCache {
    /// Updates the curve of a run of a scenario; returns the present value of the number, if the schedule has it.
    pub fn update(&mut self, ctx: &Context, scenario: &Scenario, run: usize, knob: Knob) -> Option<f64> {
        let name = &scenario.runs.get(run)?.name;
        let present = scenario.number_at(name, knob.path())?.value?;
        let same = |curve: &Curve| {
            let within =
                curve.values.first().zip(curve.values.last()).is_some_and(|(a, b)| (*a..=*b).contains(&present));
            within && curve.knob == knob && curve.run == run && {
                let first = curve.values.first().copied().unwrap_or(present);
                scenario.with_number(name, knob.path(), first).is_ok_and(|moved| moved.runs_as(&curve.base))
            }
        };
        if !self.curve.as_ref().is_some_and(same) {
            self.curve = Curve::new(scenario, run, knob, present);
        }
        self.curve.as_mut()?.go_on(ctx, scenario, present);
        Some(present)
    }

    /// What is known along the curve, ascending.
    pub fn points(&self) -> Vec<At> {
        let Some(curve) = &self.curve else { return Vec::new() };
        let known = curve.values.iter().zip(&curve.found);
        known.filter_map(|(value, found)| Some((*value, *found.as_ref()?.as_ref().ok()?))).collect()
    }

    /// Whether nothing is on its way any more.
    pub fn is_complete(&self) -> bool {
        self.curve.as_ref().is_some_and(|curve| curve.found.iter().all(Option::is_some))
    }

    /// The number of cycles of the schedule.
    pub fn cycles(&self) -> Option<f64> {
        let curve = self.curve.as_ref()?;
        curve.base.number_at(&curve.base.runs.get(curve.run)?.name, Knob::Cycles.path())?.value
    }

    /// Why there is nothing, in words.
    pub fn refused(&self) -> Option<&str> {
        let curve = self.curve.as_ref()?;
        if curve.found.iter().flatten().any(Result::is_ok) {
            return None;
        }
        curve.found.iter().flatten().find_map(|found| found.as_ref().err()).map(String::as_str)
    }

    /// The first and the last value.
    pub fn ends(&self) -> Option<(f64, f64)> {
        let values = &self.curve.as_ref()?.values;
        Some((*values.first()?, *values.last()?))
    }
}

impl Curve {
    fn new(scenario: &Scenario, run: usize, knob: Knob, present: f64) -> Option<Self> {
        let values = knob.values(present);
        let name = &scenario.runs.get(run)?.name;
        let base = scenario.with_number(name, knob.path(), *values.first()?).ok()?;
        let found = vec![None; values.len()];
        Some(Self { knob, run, base, values, found, running: None, asker: Asker::default() })
    }

    /// Goes on with the value that is nearest to the present one.
    fn go_on(&mut self, ctx: &Context, scenario: &Scenario, present: f64) {
        if let Some((number, receiver)) = self.running.take() {
            match receiver.try_recv() {
                Ok(found) => self.found[number] = Some(found.map_err(|why| why.to_string())),
                Err(TryRecvError::Empty) => self.running = Some((number, receiver)),
                Err(TryRecvError::Disconnected) => {
                    self.found[number] = Some(Err("its computation has failed".to_owned()));
                }
            }
        }
        if self.running.is_some() {
            return;
        }
        let away = |number: &usize| (self.values[*number] - present).abs();
        let open = (0..self.values.len()).filter(|number| self.found[*number].is_none());
        let Some(number) = open.min_by(|a, b| away(a).total_cmp(&away(b))) else { return };
        let Some(spec) = scenario.runs.get(self.run) else { return };
        match scenario.with_number(&spec.name, self.knob.path(), self.values[number]) {
            Err(error) => self.found[number] = Some(Err(error.problem)),
            Ok(moved) => {
                let looked = look(moved, self.run, self.asker.wanted());
                self.running = Some((number, spawned(ctx.clone(), looked)));
            }
        }
    }
}

async fn look(scenario: Scenario, run: usize, wanted: Wanted) -> Result<Glance, NotComputed> {
    pause().await;
    let unbuilt = NotComputed::Unsuited("the schedule cannot be built");
    let experiment = scenario.build().map_err(|_| unbuilt)?;
    Computable::new(&experiment, run)?.glance(&mut || wanted.still())
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::scenario::Lesson;

    /// A handle that is dragged moves along the curve; what else changes the schedule begins another one.
    #[test]
    fn a_curve_stays_while_its_number_is_dragged() {
        let scenario = Lesson::find("authors-code").unwrap().scenario().unwrap();
        let (ctx, mut cache) = (Context::default(), ExpectedCache::default());
        assert_eq!(cache.update(&ctx, &scenario, 1, Knob::Initial), Some(0.07));
        let ends = cache.ends();
        while cache.points().len() < 2 && cache.refused().is_none() {
            cache.update(&ctx, &scenario, 1, Knob::Initial);
            std::thread::yield_now();
        }
        assert_eq!(cache.refused(), None);
        let known = cache.points().len();
        let dragged = scenario.with_number("cSGLD", "step_size.initial", 0.06).unwrap();
        assert_eq!(cache.update(&ctx, &dragged, 1, Knob::Initial), Some(0.06));
        assert!(cache.ends() == ends && cache.points().len() >= known);
        let other = scenario.with_number("cSGLD", "step_size.cycles", 20.0).unwrap();
        cache.update(&ctx, &other, 1, Knob::Initial);
        assert!(cache.points().is_empty(), "another schedule");
        assert_eq!(cache.update(&ctx, &scenario, 0, Knob::Initial), None, "no cycles");
    }
}
