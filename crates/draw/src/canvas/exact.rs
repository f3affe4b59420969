//! Layer of the exact distribution of runs: where endlessly many chains would be, computed without draws.
//!
//! It is computed beside the window, a little at a time: each part goes on towards the step that is shown then, and what it has reached is
//! drawn. A run that goes back is followed from the nearest distribution that was kept. In figures it is computed to the end.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use egui::{Color32, Context};
use egui_plot::PlotUi;

use super::geometry::exact::{curve, outlines};
use super::input::CanvasInput;
use crate::geometry::Curve;
use crate::kit::axes::curve as line;
use crate::kit::background::{OfPlan, Wanted};
use crate::kit::in_parts::{FAILED, InParts, Parts};
use crate::kit::marks::Mark;
use crate::kit::mesh_cache::MeshCache;
use crate::theme::Theme;
use crate::words::numbers;
use base::platform::{ONE_THREAD, pause};
use engine::distributions::{Computable, Course, Followed, NotComputed};
use engine::scenario::Scenario;
use engine::session::{Frame, RunFrame};

/// Additions to cells between two pictures (chosen by eye: some tenths of a second); where one thread does everything, fewer.
const WORK: f64 = if ONE_THREAD { 5e6 } else { 4e7 };

/// Share of the steps of a run by which a picture may be behind before it says so.
const BEHIND: u64 = 50;

/// Share of chains that leave in a step which is told: below it none has left at the end of any run.
const SEEN: f64 = 1e-9;

/// Widths of the outlines as multiples of a line's, and their opacities.
const WIDTHS: [f32; 3] = [1.4, 1.1, 0.8];
const OPACITY: [f32; 3] = [1.0, 0.9, 0.75];

/// Opacity of a picture of before a change.
const PALE: f32 = 0.35;

/// Share of ink in the colour of outlines and curves, so that they are seen over the draws of their run.
const INK: f32 = 0.35;

/// The distributions of all runs, and the tessellated outlines of each canvas.
#[derive(Debug, Default)]
pub(super) struct ExactCache {
    pub(super) runs: BTreeMap<usize, InParts<Follower>>,
    kept: BTreeMap<(usize, usize), MeshCache>,
    courses: Option<Courses>,
}

/// Distributions that go on from picture to picture, of a figure that moves: each picture has a cache of its own.
#[derive(Clone, Debug, Default)]
pub struct Courses(Arc<Mutex<BTreeMap<usize, InParts<Follower>>>>);

impl Drop for ExactCache {
    fn drop(&mut self) {
        if let Some(Courses(shelf)) = &self.courses
            && let Ok(mut shelf) = shelf.lock()
        {
            shelf.append(&mut self.runs);
        }
    }
}

/// What a distribution depends on, but the step.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Key {
    of: OfPlan,
    followed: Followed,
}

/// A run that is followed.
#[derive(Debug)]
pub(super) struct Follower {
    key: Key,
    source: Source,
    /// The step that is shown.
    wanted: u64,
    /// Where it is, while nothing is being computed.
    course: Option<Course>,
    /// The step that was reached.
    pub(super) reached: Option<u64>,
    /// The newest picture, or why there is none.
    pub(super) picture: Result<Option<Picture>, String>,
    /// Whether it is the picture of before a change.
    is_stale: bool,
    /// The step from which on it cannot be followed.
    ends: Option<u64>,
    /// A number that no other picture of the run has had.
    version: u64,
}

/// What is drawn.
#[derive(Debug)]
pub(super) struct Picture {
    outlines: Vec<(usize, Vec<[f64; 2]>)>,
    curve: Curve,
    /// The share that leaves in each step.
    leave: f64,
}

/// A part of the way.
#[derive(Debug)]
pub(super) struct Done {
    course: Option<Course>,
    /// The step, and what is drawn there; else why the run cannot be followed.
    reached: Result<(u64, Result<Option<Picture>, NotComputed>), NotComputed>,
    wanted: u64,
}

impl ExactCache {
    /// Goes on with the distributions of the last picture, and leaves them to the next one.
    pub fn follow_courses(&mut self, courses: &Courses) {
        if self.courses.is_none()
            && let Ok(mut shelf) = courses.0.lock()
        {
            self.runs = std::mem::take(&mut *shelf);
            self.courses = Some(courses.clone());
        }
    }

    /// Updates the distributions of the runs of a canvas; returns whether one is still on its way.
    pub fn prepare(&mut self, ctx: &Context, input: &CanvasInput<'_>) -> bool {
        let Some(followed) = input.layers.exact else {
            self.runs.clear();
            self.kept.clear();
            return false;
        };
        let mut pending = false;
        for &index in input.runs {
            let Some(run) = input.frame.runs.get(index) else { continue };
            let key = Key { of: OfPlan::new(input.frame, run), followed };
            let new = || Follower::new(key.clone(), Source::of(input.frame, index, run));
            let follower = self.runs.entry(index).or_insert_with(|| InParts::new(new()));
            if follower.so_far.key != key {
                *follower = InParts::new(follower.so_far.followed_by(new()));
            }
            follower.so_far.wanted = if followed == Followed::Stationary { 0 } else { run.step };
            pending |= follower.go_on(ctx, input.computing);
            self.kept.entry((input.id, index)).or_default();
        }
        pending
    }
}

impl Follower {
    fn new(key: Key, source: Source) -> Self {
        Self {
            key,
            source,
            wanted: 0,
            course: None,
            reached: None,
            picture: Ok(None),
            is_stale: false,
            ends: None,
            version: 0,
        }
    }

    /// How much of what is drawn is seen: what was before a change is pale.
    fn opacity(&self) -> f32 {
        if self.is_stale { PALE } else { 1.0 }
    }

    /// Another one in its place. The last picture of a run stays until the next one is ready, but not that of another target.
    fn followed_by(&mut self, next: Self) -> Self {
        let same = self.key.of.target == next.key.of.target && self.key.followed == next.key.followed;
        let picture = std::mem::replace(&mut self.picture, Ok(None));
        let picture = if same { picture } else { Ok(None) };
        Self { picture, is_stale: true, version: self.version + 1, ..next }
    }
}

impl Parts for Follower {
    type Part = Done;

    /// Goes on towards the step that is shown.
    fn next(&mut self, asked: Wanted) -> Option<impl Future<Output = Done> + Send + 'static> {
        let there = self.reached == Some(self.wanted) || self.ends.is_some_and(|ends| self.wanted >= ends);
        (!there).then(|| {
            let from = self.course.take().ok_or_else(|| self.source.clone());
            advance(self.key.clone(), from, self.wanted, asked)
        })
    }

    fn take(&mut self, done: Done) {
        (self.course, self.is_stale) = (done.course, false);
        self.version += 1;
        match done.reached {
            Ok((step, picture)) => {
                self.reached = Some(step);
                self.picture = picture.map_err(|why| why.to_string());
            }
            Err(why) => {
                self.ends = Some(done.wanted.min(self.ends.unwrap_or(u64::MAX)));
                self.picture = Err(why.to_string());
            }
        }
    }

    fn fail(&mut self) {
        (self.ends, self.picture) = (Some(0), Err(FAILED.to_owned()));
    }
}

/// What a run is made of.
#[derive(Clone, Debug)]
pub(super) enum Source {
    /// On one target.
    Plain(OfPlan),
    /// On targets that change.
    Scenario(Arc<Scenario>, usize),
}

impl Source {
    fn of(frame: &Frame, index: usize, run: &RunFrame) -> Self {
        if run.plan.targets_change.is_empty() {
            Self::Plain(OfPlan::new(frame, run))
        } else {
            Self::Scenario(frame.scenario.clone(), index)
        }
    }

    fn course(self, followed: Followed, wanted: &Wanted) -> Result<Course, NotComputed> {
        let computable = match self {
            Self::Plain(of) => Computable::of_plan(&of.target.0, &of.plan.0)?,
            Self::Scenario(scenario, index) => {
                let unbuilt = NotComputed::Unsuited("the targets of its events cannot be built");
                Computable::new(&scenario.build().map_err(|_| unbuilt)?, index)?
            }
        };
        Course::new(computable, followed, &mut || wanted.still())
    }
}

/// A part of the way towards a step, from where a course is or from the start of a run.
async fn advance(key: Key, from: Result<Course, Source>, wanted: u64, asked: Wanted) -> Done {
    let followed = key.followed;
    let begun = from.or_else(|source| source.course(followed, &asked));
    pause().await;
    match begun {
        Err(why) => Done { course: None, reached: Err(why), wanted: 0 },
        Ok(mut course) => {
            let reached = course.towards(wanted, WORK, &mut || asked.still());
            pause().await;
            let flat = key.of.target.0.info().dimension == 1;
            let picture = |cells, leave| match cells {
                Some(cells) if flat => Picture { outlines: Vec::new(), curve: curve(&cells), leave },
                Some(cells) => Picture { outlines: outlines(&cells), curve: Curve::new(), leave },
                None => Picture { outlines: Vec::new(), curve: Curve::new(), leave },
            };
            let reached =
                reached.map(|reached| (reached.step, reached.cells.map(|cells| Some(picture(cells, reached.leave)))));
            Done { course: Some(course), reached, wanted }
        }
    }
}

fn colour(theme: &Theme, index: usize) -> Color32 {
    theme.run(index).colour.lerp_to_gamma(theme.ink, INK)
}

/// Adds the outlines of a run.
pub(super) fn in_plane<'a>(
    plot_ui: &mut PlotUi<'a>,
    input: &CanvasInput<'_>,
    theme: &Theme,
    cache: &'a ExactCache,
    index: usize,
) {
    let (Some(follower), Some(kept)) = (cache.runs.get(&index), cache.kept.get(&(input.id, index))) else { return };
    let Ok(Some(picture)) = &follower.so_far.picture else { return };
    kept.show(plot_ui, (follower.so_far.version, index, theme.mode, theme.scale), || {
        // A rim in the colour of the paper separates the lines from the shades below.
        let rims = [Some(theme.paper.gamma_multiply(0.6)), None];
        let looks = rims.into_iter().flat_map(|rim| picture.outlines.iter().map(move |outline| (rim, outline)));
        let mark = |(rim, (share, points)): (Option<Color32>, &(usize, Vec<[f64; 2]>))| {
            let width = theme.line() * WIDTHS[*share];
            let (colour, width) = match rim {
                Some(rim) => (rim, width + theme.line()),
                None => (colour(theme, index).gamma_multiply(OPACITY[*share] * follower.so_far.opacity()), width),
            };
            Mark::Line { points: points.clone(), colour, width, graph: false }
        };
        looks.map(mark).collect()
    });
}

/// Adds the density of a run on the line; returns the highest.
pub(super) fn on_line(plot_ui: &mut PlotUi<'_>, theme: &Theme, cache: &ExactCache, index: usize) -> f64 {
    let follower = cache.runs.get(&index).map(|of| &of.so_far);
    let Some(follower @ Follower { picture: Ok(Some(picture)), .. }) = follower else { return 0.0 };
    let colour = colour(theme, index).gamma_multiply(follower.opacity());
    plot_ui.line(line(picture.curve.clone(), colour, 1.4 * theme.line()));
    picture.curve.iter().map(|[_, density]| *density).fold(0.0, f64::max)
}

impl Follower {
    /// Why there is no picture, or in brief that there is none; or how far it has come.
    pub(super) fn words(&self, (frame, run): (&Frame, &RunFrame), brief: bool) -> Option<String> {
        match (&self.picture, self.reached) {
            (Err(_), _) if brief => Some("no exact distribution (why?)".to_owned()),
            (Err(why), _) => {
                let alpha = run.plan.step_size(run.step.max(1));
                let unstable = run.stable_below(&frame.truth).is_some_and(|limit| alpha >= limit);
                let cause = if unstable { "; the step size is at or above the limit of stability 2/λ" } else { "" };
                Some(format!("no exact distribution: {why}{cause}"))
            }
            (Ok(_), None) => Some("exact distribution: computing".to_owned()),
            (Ok(picture), Some(_)) if self.key.followed == Followed::Stationary => {
                let leave = picture.as_ref().map_or(0.0, |picture| picture.leave);
                let share = || numbers::significant(100.0 * leave, 2);
                (leave > SEEN).then(|| format!("of chains that stay; {} % leave in each step", share()))
            }
            (Ok(_), Some(reached)) => {
                let behind = run.step.abs_diff(reached) > run.plan.steps / BEHIND;
                behind.then(|| format!("exact distribution at step {}, computing", numbers::count(reached)))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::canvas::Layers;
    use crate::canvas::geometry::exact::SHARES;
    use crate::kit::background::Computing;
    use base::math::Point;
    use engine::scenario::read;
    use engine::session::Session;

    fn session(target: &str, run: &str) -> Session {
        let text = format!("format = 1\ntitle = \"x\"\nseed = 3\n[target]\n{target}\n[[run]]\nname = \"A\"\n{run}\n");
        Session::new(read(&text, "x", Path::new("")).unwrap()).unwrap()
    }

    /// The cache after the picture of a frame is made, whether it is there at once or not.
    fn prepared(cache: &mut ExactCache, frame: &Frame, followed: Followed, computing: Computing) -> bool {
        let layers = Layers { exact: Some(followed), ..Layers::default() };
        let input = CanvasInput { computing, ..CanvasInput::of_figure(frame, &[0], layers) };
        cache.prepare(&Context::default(), &input)
    }

    fn picture(frame: &Frame, followed: Followed) -> Picture {
        let mut cache = ExactCache::default();
        assert!(!prepared(&mut cache, frame, followed, Computing::Now));
        let follower = cache.runs.remove(&0).unwrap();
        follower.so_far.picture.unwrap().unwrap()
    }

    /// Whether a point is inside the outlines of a share: it is if a ray from it crosses them an odd number of times.
    fn inside(picture: &Picture, share: usize, at: Point) -> bool {
        let of_share = picture.outlines.iter().filter(|(number, _)| *number == share);
        let crossings: usize = of_share
            .map(|(_, line)| {
                assert_eq!(line.first(), line.last(), "outlines are closed");
                let crosses = |ends: &&[[f64; 2]]| {
                    let ([ax, ay], [bx, by]) = (ends[0], ends[1]);
                    (ay > at.y) != (by > at.y) && at.x < ax + (at.y - ay) / (by - ay) * (bx - ax)
                };
                line.windows(2).filter(crosses).count()
            })
            .sum();
        crossings % 2 == 1
    }

    /// Alert at 3 standard errors of independent chains.
    fn assert_shares(picture: &Picture, at: &[Point]) {
        for (share, expected) in SHARES.into_iter().enumerate() {
            let found = at.iter().filter(|at| inside(picture, share, **at)).count() as f64 / at.len() as f64;
            let error = (expected * (1.0 - expected) / at.len() as f64).sqrt();
            assert!(
                (found - expected).abs() < 3.0 * error,
                "{found} of {expected}: {} errors",
                (found - expected) / error
            );
        }
    }

    const CHAINS: usize = 4096;

    /// Steps so long that the distribution is wider than the target, of which 50 % are within r² = 2 ln 2.
    #[test]
    fn chains_of_long_steps_are_within_the_outlines() {
        let run = format!(
            "method = \"sgld\"\nchains = {CHAINS}\nsteps = 60\nstep_size = {{ kind = \"constant\", value = 0.15 }}"
        );
        let mut session = session("kind = \"gaussian\"\nsd = [1.0, 0.6]\ncorrelation = 0.8", &run);
        for steps in [1, 3, 56] {
            session.advance(steps);
            let frame = session.frame();
            assert_shares(&picture(&frame, Followed::Now), &frame.runs[0].positions);
        }
        let frame = session.frame();
        let stationary = picture(&frame, Followed::Stationary);
        assert_shares(&stationary, &frame.runs[0].positions);
        // The ellipse of the target is smaller.
        let precision = frame.target.info().covariance.try_inverse().unwrap();
        let of_target = |at: &&Point| at.dot(&(precision * **at)) < 2.0 * std::f64::consts::LN_2;
        let found = frame.runs[0].positions.iter().filter(of_target).count() as f64 / CHAINS as f64;
        assert!(found < 0.47, "{found}");
    }

    const CYCLES: &str = "method = \"csgld\"\nsteps = 3000\nstart = { kind = \"uniform\", low = -10.0, high = 10.0 }\n\
        gradient = { kind = \"noisy\", variance = 1.0, compensate = true }\n\
        step_size = { kind = \"cyclical\", initial = 0.07, cycles = 10, rounding = \"exact\", exploration_steps = 20, exploration_noise = true }";

    #[test]
    fn chains_of_cycles_are_within_the_outlines() {
        let mut session = session("kind = \"gaussian-grid\"", &format!("{CYCLES}\nchains = {CHAINS}"));
        for steps in [150, 150] {
            session.advance(steps);
            let frame = session.frame();
            assert_shares(&picture(&frame, Followed::Now), &frame.runs[0].positions);
        }
    }

    /// Draws of one chain depend on each other: the error is that of the shares of chains.
    #[test]
    fn collected_draws_are_within_the_outlines() {
        let chains = 1000;
        let mut session = session("kind = \"gaussian-grid\"", &format!("{CYCLES}\nchains = {chains}"));
        session.advance(20);
        let mut at: Vec<Vec<Point>> = vec![Vec::new(); chains];
        for _ in 0..100 {
            session.advance(1);
            at.iter_mut().zip(&session.frame().runs[0].positions).for_each(|(all, at)| all.push(*at));
        }
        let frame = session.frame();
        assert_eq!(frame.runs[0].collected, 100 * chains as u64);
        let picture = picture(&frame, Followed::Collected);
        for (share, expected) in SHARES.into_iter().enumerate() {
            let of_chain = |all: &Vec<Point>| {
                all.iter().filter(|at| inside(&picture, share, **at)).count() as f64 / all.len() as f64
            };
            let shares: Vec<f64> = at.iter().map(of_chain).collect();
            let mean = shares.iter().sum::<f64>() / chains as f64;
            let variance =
                shares.iter().map(|share| (share - mean) * (share - mean)).sum::<f64>() / (chains as f64 - 1.0);
            let error = (variance / chains as f64).sqrt();
            assert!(
                (mean - expected).abs() < 3.0 * error,
                "{mean} of {expected}: {} errors",
                (mean - expected) / error
            );
        }
    }

    /// A figure that moves goes on from the distribution of the picture before.
    #[test]
    fn a_picture_goes_on_from_the_one_before() {
        let mut session = session("kind = \"gaussian-grid\"", &format!("{CYCLES}\nchains = 2"));
        let courses = Courses::default();
        let mut reached = Vec::new();
        for steps in [200, 100] {
            session.advance(steps);
            let frame = session.frame();
            let mut cache = ExactCache::default();
            cache.follow_courses(&courses);
            reached.extend(cache.runs.get(&0).map(|follower| follower.so_far.reached));
            assert!(!prepared(&mut cache, &frame, Followed::Now, Computing::Now));
            let alone = picture(&frame, Followed::Now);
            assert_eq!(cache.runs[&0].so_far.picture.as_ref().unwrap().as_ref().unwrap().outlines, alone.outlines);
        }
        assert_eq!(reached, [Some(200)], "the second picture begins where the first one was");
    }

    /// On the line the curve is that of a normal distribution: m' = (1 − αλ) m, v' = (1 − αλ)² v + 2α.
    #[test]
    fn the_curve_on_the_line_is_the_normal_density() {
        let target = "kind = \"formula\"\ndensity = \"-x²/2\"\nparameters = {}";
        let run = "method = \"sgld\"\nchains = 4\nsteps = 100\nstart = { kind = \"point\", x = 2.0 }\nstep_size = { kind = \"constant\", value = 0.3 }";
        let mut session = session(target, run);
        let (mut mean, mut variance) = (2.0, 0.0);
        for _ in 0..3 {
            session.advance(1);
            (mean, variance) = (0.7 * mean, 0.49 * variance + 0.6);
        }
        let frame = session.frame();
        let found = picture(&frame, Followed::Now).curve;
        assert!(found.len() > 100);
        for [x, density] in found {
            let expected =
                (-(x - mean) * (x - mean) / (2.0 * variance)).exp() / (std::f64::consts::TAU * variance).sqrt();
            assert!((density - expected).abs() < 1e-3, "{x}: {density}, not {expected}");
        }
    }

    /// Beside the window it comes in parts, and the picture of another target is not shown.
    #[test]
    fn it_follows_the_step_beside_the_window_and_refuses_in_words() {
        let mut session = session("kind = \"gaussian-grid\"", &format!("{CYCLES}\nchains = 2"));
        let mut cache = ExactCache::default();
        let words = |cache: &ExactCache, frame: &Frame| cache.runs[&0].so_far.words((frame, &frame.runs[0]), false);
        let frame = session.frame();
        let complete = |cache: &mut ExactCache, frame: &Frame, followed| {
            while prepared(cache, frame, followed, Computing::Background) {
                std::thread::yield_now();
            }
        };
        assert!(prepared(&mut cache, &frame, Followed::Now, Computing::Background));
        assert_eq!(words(&cache, &frame).unwrap(), "exact distribution: computing");
        complete(&mut cache, &frame, Followed::Now);
        assert!(
            cache.runs[&0].so_far.picture.as_ref().unwrap().as_ref().unwrap().outlines.is_empty(),
            "nothing at step 0"
        );
        for steps in [1, 500] {
            session.advance(steps);
            let frame = session.frame();
            complete(&mut cache, &frame, Followed::Now);
            assert_eq!((cache.runs[&0].so_far.reached, words(&cache, &frame)), (Some(frame.step), None));
            assert!(!cache.runs[&0].so_far.picture.as_ref().unwrap().as_ref().unwrap().outlines.is_empty());
        }
        let frame = session.frame();
        complete(&mut cache, &frame, Followed::Stationary);
        let said = words(&cache, &frame).unwrap();
        assert!(said.starts_with("no exact distribution: step size, method or target change"), "{said}");
        let other = self::session("kind = \"banana\"", "method = \"adam\"\nchains = 2\nsteps = 10").frame();
        complete(&mut cache, &other, Followed::Stationary);
        let said = words(&cache, &other).unwrap();
        assert!(said.starts_with("no exact distribution: ") && !said.contains("step size, method"), "{said}");
        prepared(&mut cache, &other, Followed::Now, Computing::Background);
        assert!(!prepared(&mut ExactCache::default(), &frame, Followed::Now, Computing::Now));
    }
}
