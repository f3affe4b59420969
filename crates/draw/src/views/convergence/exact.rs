//! Exact lines: a measure of what endlessly many chains of a run have collected, which has no noise. Computed beside the window, a little at a
//! time; in figures to the end.

use std::collections::BTreeMap;

use egui::Context;

use crate::kit::background::{Computing, OfPlan, Wanted};
use crate::kit::in_parts::{FAILED, InParts, Parts};
use base::platform::{ONE_THREAD, pause};
use engine::distributions::{Along, Computable, MeasuredAt, NotComputed};
use engine::session::Frame;
use engine::session::repeats::stops;

/// Additions to cells in one part of the way (chosen by eye: some tenths of a second); where one thread does everything, fewer.
const WORK: f64 = if ONE_THREAD { 5e6 } else { 6e7 };

/// The lines of all runs.
#[derive(Debug, Default)]
pub struct ExactLines {
    runs: BTreeMap<usize, InParts<Line>>,
    /// A number that no other state of the lines has had.
    version: u64,
}

/// The line of a run.
#[derive(Debug)]
struct Line {
    key: OfPlan,
    points: Vec<MeasuredAt>,
    /// Why it ends or is not there.
    refused: Option<String>,
    along: Option<Along>,
    complete: bool,
    /// How many parts there are.
    parts: u64,
}

/// A part of the way.
#[derive(Debug)]
struct Part {
    along: Option<Along>,
    points: Vec<MeasuredAt>,
    /// Whether it is the last part, or why there is no other.
    complete: Result<bool, NotComputed>,
}

impl ExactLines {
    /// Updates the lines of these runs; returns whether one is still on its way.
    pub fn update(&mut self, ctx: &Context, frame: &Frame, runs: &[usize], computing: Computing) -> bool {
        let mut pending = false;
        for &index in runs {
            let Some(run) = frame.runs.get(index) else { continue };
            let key = OfPlan::new(frame, run);
            if self.runs.get(&index).is_none_or(|line| line.so_far.key != key) {
                self.runs.insert(index, InParts::new(Line::new(key)));
                self.version += 1;
            }
            let Some(line) = self.runs.get_mut(&index) else { continue };
            let before = line.so_far.parts;
            pending |= line.go_on(ctx, computing);
            self.version += line.so_far.parts - before;
        }
        pending
    }

    /// A number that no other state of the lines has had.
    #[must_use]
    pub fn version(&self) -> u64 {
        self.version
    }

    /// A measure of a run by its key: steps and values so far.
    #[must_use]
    pub fn values(&self, run: usize, key: &str) -> Vec<(u64, f64)> {
        let Some(line) = self.runs.get(&run) else { return Vec::new() };
        let value = |at: &MeasuredAt| at.measures.iter().find(|measure| measure.key == key)?.value;
        line.so_far.points.iter().filter_map(|at| Some((at.step, value(at)?))).collect()
    }

    /// Why a run has no line, in words; `None` while one is computed or there.
    #[must_use]
    pub fn refused(&self, run: usize) -> Option<&str> {
        self.runs.get(&run)?.so_far.refused.as_deref()
    }

    /// Whether the line of a run is being computed.
    #[must_use]
    pub fn is_computing(&self, run: usize) -> bool {
        self.runs.get(&run).is_some_and(|line| !line.so_far.complete)
    }
}

impl Line {
    fn new(key: OfPlan) -> Self {
        Self { key, points: Vec::new(), refused: None, along: None, complete: false, parts: 0 }
    }
}

impl Parts for Line {
    type Part = Part;

    fn next(&mut self, wanted: Wanted) -> Option<impl Future<Output = Part> + Send + 'static> {
        let from = self.along.take();
        (!self.complete).then(|| advance(self.key.clone(), from, wanted))
    }

    fn take(&mut self, part: Part) {
        self.parts += 1;
        (self.along, self.points) = (part.along, part.points);
        match part.complete {
            Ok(complete) => self.complete = complete,
            Err(why) => (self.complete, self.refused) = (true, Some(why.to_string())),
        }
    }

    fn fail(&mut self) {
        (self.complete, self.refused) = (true, Some(FAILED.to_owned()));
    }
}

/// A part of the way, from where it is or from the start of the run.
async fn advance(key: OfPlan, from: Option<Along>, wanted: Wanted) -> Part {
    let begin = || {
        let plan = &key.plan.0;
        let of = Computable::of_plan(&key.target.0, plan)?;
        Along::new(of, stops(plan.steps), &mut || wanted.still())
    };
    let begun = from.map_or_else(begin, Ok);
    pause().await;
    match begun {
        Ok(mut along) => {
            let complete = along.advance(WORK);
            Part { points: along.found().to_vec(), along: Some(along), complete }
        }
        Err(why) => Part { along: None, points: Vec::new(), complete: Err(why) },
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use engine::scenario::read;
    use engine::session::Session;

    const RUN: &str = "steps = 400\nstart = { kind = \"point\", x = 0.0, y = 0.0 }\nstep_size = { kind = \"constant\", value = 0.02 }";

    fn session(method: &str) -> Session {
        let text = format!(
            "format = 1\ntitle = \"x\"\nseed = 3\n[target]\nkind = \"gaussian-grid\"\nrows = 3\ncolumns = 3\nvariance = 0.1\n[[run]]\nname = \"A\"\n{method}\n{RUN}\n"
        );
        Session::new(read(&text, "x", Path::new("")).unwrap()).unwrap()
    }

    /// What thousands of chains score comes to the line; their error is less than a tenth of the value.
    #[test]
    fn many_chains_score_what_the_line_has() {
        let mut session = session("method = \"sgld\"\nchains = 3000");
        let mut lines = ExactLines::default();
        assert!(!lines.update(&Context::default(), &session.frame(), &[0], Computing::Now));
        let (tv, within) = (lines.values(0, "tv"), lines.values(0, "within_3sd"));
        assert_eq!(tv.iter().map(|(step, _)| *step).collect::<Vec<_>>(), stops(400));
        for step in [10, 100, 400] {
            session.advance(step - session.frame().step);
            session.refresh_measures();
            let frame = session.frame();
            let value = |key: &str| frame.runs[0].measures.iter().find(|of| of.key == key).unwrap().value.unwrap();
            let exact = |of: &[(u64, f64)]| of.iter().find(|(at, _)| *at == step).unwrap().1;
            // Total variation of finitely many draws is larger, by its floor at most.
            let (found, expected) = (value("tv"), exact(&tv));
            assert!(found > expected - 0.01 && found < expected + 0.2, "step {step}: {found}, exact {expected}");
            let (found, expected) = (value("within_3sd"), exact(&within));
            assert!((found - expected).abs() < 0.02, "step {step}: {found}, exact {expected}");
        }
    }

    #[test]
    fn what_is_refused_says_so_and_beside_the_window_it_comes_later() {
        let frame = session("method = \"adam\"\nchains = 2").frame();
        let mut lines = ExactLines::default();
        assert!(!lines.update(&Context::default(), &frame, &[0], Computing::Now));
        assert!(lines.values(0, "tv").is_empty() && lines.refused(0).is_some());
        let frame = session("method = \"sgld\"\nchains = 2").frame();
        while lines.update(&Context::default(), &frame, &[0], Computing::Background) {
            std::thread::yield_now();
        }
        assert_eq!((lines.refused(0), lines.is_computing(0)), (None, false));
        assert_eq!(lines.values(0, "tv").len(), stops(400).len());
    }
}
