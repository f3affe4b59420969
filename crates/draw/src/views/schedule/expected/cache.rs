//! Quick looks at a schedule along one of its numbers, beside the window, one after the other: rough ones at all values, then whole ones. A curve stays as long as everything but this number
//! does, so that a handle that is dragged moves along it.

use egui::Context;

use super::geometry::{At, Knob, next};
use crate::kit::background::{Computing, Wanted};
use crate::kit::in_parts::{FAILED, InParts, Parts};
use base::platform::pause;
use engine::distributions::{Computable, Glance, Look, NotComputed};
use engine::scenario::Scenario;

/// What is expected along a number of the schedule of a run.
#[derive(Debug, Default)]
pub struct ExpectedCache {
    curve: Option<InParts<Curve>>,
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
    /// Whether it is that of a rough look.
    rough: Vec<bool>,
    /// The value of the schedule, near which the curve begins.
    present: f64,
    /// The number of the value that was asked for last, and how closely.
    asked: (usize, Look),
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
        if !self.so_far().is_some_and(same) {
            self.curve = Curve::new(scenario, run, knob, present).map(InParts::new);
        }
        let curve = self.curve.as_mut()?;
        curve.so_far.present = present;
        curve.go_on(ctx, Computing::Background);
        Some(present)
    }

    fn so_far(&self) -> Option<&Curve> {
        self.curve.as_ref().map(|curve| &curve.so_far)
    }

    /// What is known along the curve, ascending.
    pub fn points(&self) -> Vec<At> {
        let Some(curve) = self.so_far() else { return Vec::new() };
        let known = curve.values.iter().zip(&curve.found);
        known.filter_map(|(value, found)| Some((*value, *found.as_ref()?.as_ref().ok()?))).collect()
    }

    /// How many values have their results, and of how many; `None` once all have.
    pub fn on_the_way(&self) -> Option<[usize; 2]> {
        let Some(curve) = self.so_far() else { return Some([0; 2]) };
        let (known, all) = (curve.found.iter().flatten().count(), curve.found.len());
        (known < all).then_some([known, all])
    }

    /// The number of cycles of the schedule.
    pub fn cycles(&self) -> Option<f64> {
        let curve = self.so_far()?;
        curve.base.number_at(&curve.base.runs.get(curve.run)?.name, Knob::Cycles.path())?.value
    }

    /// Why there is nothing, in words.
    pub fn refused(&self) -> Option<&str> {
        let curve = self.so_far()?;
        if curve.found.iter().flatten().any(Result::is_ok) {
            return None;
        }
        curve.found.iter().flatten().find_map(|found| found.as_ref().err()).map(String::as_str)
    }

    /// The first and the last value.
    pub fn ends(&self) -> Option<(f64, f64)> {
        let values = &self.so_far()?.values;
        Some((*values.first()?, *values.last()?))
    }
}

impl Curve {
    fn new(scenario: &Scenario, run: usize, knob: Knob, present: f64) -> Option<Self> {
        let values = knob.values(present);
        let name = &scenario.runs.get(run)?.name;
        let base = scenario.with_number(name, knob.path(), *values.first()?).ok()?;
        let (found, rough) = (vec![None; values.len()], vec![true; values.len()]);
        Some(Self { knob, run, base, values, found, rough, present, asked: (0, Look::Rough) })
    }
}

impl Parts for Curve {
    type Part = Result<Glance, NotComputed>;

    /// Goes on with a value that is not known, else with the one nearest to the present one that is known roughly.
    fn next(&mut self, wanted: Wanted) -> Option<impl Future<Output = Self::Part> + Send + 'static> {
        loop {
            let away = |number: &usize| (self.values[*number] - self.present).abs();
            let is_rough = |number: &usize| self.rough[*number] && matches!(self.found[*number], Some(Ok(_)));
            let roughly = || (0..self.values.len()).filter(is_rough).min_by(|a, b| away(a).total_cmp(&away(b)));
            self.asked = match next(&self.values, |number| self.found[number].is_some(), self.present) {
                Some(number) => (number, Look::Rough),
                None => (roughly()?, Look::Whole),
            };
            let (number, how) = self.asked;
            let name = &self.base.runs.get(self.run)?.name;
            match self.base.with_number(name, self.knob.path(), self.values[number]) {
                Err(error) => self.found[number] = Some(Err(error.problem)),
                Ok(moved) => return Some(look(moved, (self.run, how), wanted)),
            }
        }
    }

    fn take(&mut self, part: Self::Part) {
        let (number, how) = self.asked;
        self.rough[number] = how == Look::Rough;
        self.found[number] = Some(part.map_err(|why| why.to_string()));
    }

    fn fail(&mut self) {
        self.found[self.asked.0] = Some(Err(FAILED.to_owned()));
    }
}

async fn look(scenario: Scenario, (run, how): (usize, Look), wanted: Wanted) -> Result<Glance, NotComputed> {
    pause().await;
    let unbuilt = NotComputed::Unsuited("the schedule cannot be built");
    let experiment = scenario.build().map_err(|_| unbuilt)?;
    Computable::new(&experiment, run)?.glance(how, &mut || wanted.still())
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
