//! Tests: walks from one scenario to the next while work is under way: nothing of the one before is drawn or told under the name of the next.
//!
//! The rule is a window that has never shown anything else. What other scenarios have shown (numbers and names at their places, curves,
//! bands, clouds and pictures as they lie on the screen) may be seen again only where such a fresh window shows it as well, in every frame;
//! and once all work has arrived, both windows are the same. While an edit is computed, the frame before it is shown, and judged as such.
//!
//! `WALK=all cargo test --lib walks_over_lessons` goes over all pairs of lessons on all cores, `WALK=3..9` over some parts of that.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::{available_parallelism, scope, sleep};
use std::time::Duration;

use egui::epaint::ImageDelta;
use egui::{Context, ImageData, Pos2, Shape, TextureId, Vec2};
use egui_kittest::Harness;

use super::App;
use crate::app::action::{Action, EditAction};
use crate::app::perform::{load, perform};
use crate::platform::Instant;
use base::params::{ParamType, Settings, Value, find_kind};
use draw::views::{TABS, Tab};
use engine::scenario::{LESSONS, Pacing, RunSpec, Scenario, ViewSpec, read, write};
use engine::session::Session;
use models::targets::TARGETS;

type Window = Harness<'static, App>;

/// What is seen: texts and shapes at their places.
type Seen = BTreeSet<String>;

const SIZE: Vec2 = Vec2::new(1440.0, 900.0);

/// The right edge of the panel at the left, which shows what was asked for before the frame does, and what marks things in it.
const LEFT: f32 = 300.0;
const ASKED: &str = "asked: ";

/// What things without words begin with.
const SHAPES: [&str; 3] = ["a line", "a picture", "triangles"];

/// How long a window may work on a scenario.
const PATIENCE: Duration = Duration::from_secs(600);

/// Frames without a change, with a pause between them, after which nothing more comes; fewer where nothing more is expected. What is not
/// the expected end has time to become it: other threads may be busy.
const STILL: usize = 60;
const EXPECTED: usize = 15;
const LATE: Duration = Duration::from_secs(20);
const PAUSE: Duration = Duration::from_millis(12);

/// Points of a line and corners of triangles from which on a shape is a curve or a cloud, not an ornament.
const LINE: usize = 12;
const CORNERS: usize = 60;

/// Most steps, chains and repeats of a scenario in a walk.
const STEPS: f64 = 120.0;
const CHAINS: f64 = 4.0;
const REPEATS: f64 = 2.0;

/// Pairs of lessons that one window walks over. A window that has shown everything forbids much by accident.
const PART: usize = 24;

/// Most faults that are told of a pair.
const MOST_FAULTS: usize = 4;

/// Lessons in the walk of the suite: they share targets and names of runs, and have plots of all kinds.
const WALK: [&str; 9] = [
    "authors-code",
    "equal-cost",
    "good-diagnostics",
    "mean-field",
    "gap-bands",
    "stein-blindness",
    "four-chains-or-one-schedule",
    "equal-cost",
    "authors-code",
];

fn open(scenario: Scenario) -> Window {
    let builder = Harness::builder().with_size(SIZE).with_max_steps(64);
    builder.build_eframe(move |cc| App::new(cc, scenario, None).unwrap())
}

/// The scenario with short runs, in Instant, with a tab open.
fn short(mut scenario: Scenario, tab: Option<Tab>) -> Scenario {
    scenario.events.clear();
    for run in 0..scenario.runs.len() {
        for (key, most) in [("steps", STEPS), ("chains", CHAINS)] {
            let before = scenario.runs[run].settings.clone();
            if matches!(before.get(key), Some(Value::Number(number)) if *number > most) {
                scenario.runs[run].settings.set(key, Value::Number(most)).unwrap();
                if scenario.build().is_err() {
                    scenario.runs[run].settings = before;
                }
            }
        }
    }
    scenario.challenges.clear();
    let tab = tab.map(|tab| {
        let mut settings = Settings::defaults(tab.spec);
        settings.set("repeats", Value::Number(REPEATS)).ok();
        settings
    });
    scenario.view = ViewSpec { tab, pace: Some(Pacing::Instant), ..ViewSpec::default() };
    scenario
}

/// Whether a text is a number of at least three digits that count.
fn is_number(text: &str) -> bool {
    let digits: String = text.chars().filter(char::is_ascii_digit).collect();
    let mark = text.chars().any(|letter| letter == '.');
    mark && digits.trim_matches('0').len() >= 3 && text.chars().all(|letter| !letter.is_alphabetic() || letter == 'e')
}

fn digest(points: impl Iterator<Item = Pos2>) -> u64 {
    let mut hasher = DefaultHasher::new();
    points.for_each(|at| [at.x, at.y].map(|side| side.to_bits()).hash(&mut hasher));
    hasher.finish()
}

/// The rectangle around a shape, for messages.
fn position(shape: &Shape) -> String {
    let around = shape.visual_bounding_rect();
    format!("in {:.0} {:.0} to {:.0} {:.0}", around.left(), around.top(), around.right(), around.bottom())
}

/// Width, height and corners of triangles that were seen, wherever they are.
fn extent(seen: &str) -> Option<[i64; 3]> {
    let (_, position) = seen.split_once(SHAPES[2])?.1.split_once(" in ")?;
    let numbers: Vec<i64> = position.split(' ').filter_map(|word| word.parse().ok()).collect();
    let [left, top, right, bottom, corners] = numbers.try_into().ok()?;
    Some([right - left, bottom - top, corners])
}

#[test]
fn triangles_have_an_extent() {
    assert_eq!(extent("asked: triangles 0a1b in 332 219 to 630 517 of 10628"), Some([298, 298, 10_628]));
    assert_eq!(extent("a line 0a1b in 332 219 to 630 517"), None);
}

/// What shows on the screen is looked at with this.
#[derive(Default)]
struct Eye {
    names: BTreeSet<String>,
    /// The digest of every picture.
    pictures: HashMap<TextureId, u64>,
}

impl Eye {
    /// What the last frame of a window shows.
    fn look(&mut self, window: &Window) -> Seen {
        let output = window.output();
        for (id, all) in &output.textures_delta.set {
            all.iter().for_each(|delta| self.take_in(*id, delta));
        }
        let mut seen = Seen::new();
        for clipped in &output.shapes {
            let mark = if clipped.clip_rect.right() < LEFT { ASKED } else { "" };
            self.add(&clipped.shape, mark, &mut seen);
        }
        seen
    }

    /// Takes in a picture. The letters, and pictures that change in parts, are none.
    fn take_in(&mut self, id: TextureId, delta: &ImageDelta) {
        let ImageData::Color(image) = &delta.image;
        let mut hasher = DefaultHasher::new();
        image.pixels.hash(&mut hasher);
        if delta.pos.is_none() && id != TextureId::default() {
            self.pictures.insert(id, hasher.finish());
        }
    }

    /// Adds what a shape shows.
    fn add(&self, shape: &Shape, mark: &str, seen: &mut Seen) {
        match shape {
            Shape::Vec(all) => all.iter().for_each(|shape| self.add(shape, mark, seen)),
            Shape::Text(text) => {
                for line in text.galley.text().lines() {
                    if is_number(line) || self.names.contains(line) {
                        seen.insert(format!("{mark}{line} at {:.0} {:.0}", text.pos.x, text.pos.y));
                    }
                }
            }
            Shape::Path(path) if path.points.len() >= LINE => {
                let points = digest(path.points.iter().copied());
                seen.insert(format!("{mark}{} {points:016x} {}", SHAPES[0], position(shape)));
            }
            Shape::Mesh(mesh) if self.pictures.contains_key(&mesh.texture_id) => {
                seen.insert(format!(
                    "{mark}{} {:016x} {}",
                    SHAPES[1],
                    self.pictures[&mesh.texture_id],
                    position(shape)
                ));
            }
            Shape::Mesh(mesh) if mesh.vertices.len() >= CORNERS => {
                let points = mesh.vertices.iter().map(|corner| corner.pos);
                let corners = mesh.vertices.len();
                let points = digest(points);
                seen.insert(format!("{mark}{} {points:016x} {} of {corners}", SHAPES[2], position(shape)));
            }
            _ => {}
        }
    }
}

/// A window that walks, and what it has shown.
struct Walk<'a> {
    window: Window,
    eye: Eye,
    /// What it is judged by; a fresh window is not.
    rule: Option<&'a Rule>,
    /// The scenarios that were shown, as text, whole, without the names of runs, and their targets, and the newest of them with its number.
    /// With another view or another seed it is the same: the last picture of its runs stays until the next is there.
    scenarios: Vec<[String; 3]>,
    /// The runs of each of them with its target and every seed with which it was shown, as text.
    runs: Vec<BTreeSet<String>>,
    newest: Option<(Arc<Scenario>, usize)>,
    /// The numbers of the scenarios that have shown a thing.
    shown: BTreeMap<String, BTreeSet<usize>>,
    /// What was wrong.
    faults: Vec<String>,
}

impl<'a> Walk<'a> {
    fn new(scenario: &Scenario, names: &BTreeSet<String>, rule: Option<&'a Rule>) -> Self {
        let eye = Eye { names: names.clone(), ..Eye::default() };
        let window = open(scenario.clone());
        let (scenarios, runs, shown, faults) = (Vec::new(), Vec::new(), BTreeMap::new(), Vec::new());
        Self { window, eye, rule, scenarios, runs, newest: None, shown, faults }
    }

    fn app(&self) -> &App {
        self.window.state()
    }

    fn perform(&mut self, action: impl FnOnce(&mut App, &Context)) {
        let context = self.window.ctx.clone();
        action(self.window.state_mut(), &context);
    }

    /// The number of a scenario.
    fn number(&mut self, scenario: &Arc<Scenario>) -> usize {
        if let Some((newest, number)) = &self.newest
            && Arc::ptr_eq(newest, scenario)
        {
            return *number;
        }
        let whole = Scenario { view: ViewSpec::default(), seed: 0, ..scenario.as_ref().clone() };
        let mut nameless = whole.clone();
        nameless.runs.iter_mut().zip(0..).for_each(|(run, number)| run.name = format!("run {number}"));
        let text = [write(&whole), write(&nameless), format!("{:?}", whole.target)];
        let known = self.scenarios.iter().position(|known| *known == text);
        let number = known.unwrap_or(self.scenarios.len());
        if known.is_none() {
            self.scenarios.push(text);
            self.runs.push(BTreeSet::new());
        }
        self.runs[number].extend(runs_of(scenario));
        self.newest = Some((scenario.clone(), number));
        number
    }

    /// Goes on by a frame; returns what it shows.
    fn step(&mut self) -> Seen {
        self.window.step();
        let seen = self.eye.look(&self.window);
        let model = &self.app().state.model;
        let (opening, asked) = (model.opening().is_some(), model.scenario().clone());
        // A scenario that is being opened has its own words, and nothing of the frame.
        let shown = if opening { asked.clone() } else { model.frame().scenario.clone() };
        let number = self.number(&shown);
        if let Some(rule) = self.rule {
            self.judge(rule, &seen, (&shown, number), &asked);
        }
        if !opening {
            for one in &seen {
                self.shown.entry(one.clone()).or_default().insert(number);
            }
        }
        seen
    }

    /// Finds what is wrong about a frame of a scenario: what others have shown, and neither the same scenario nor a fresh window. A name of
    /// a run of its own may be anywhere, and the panel at the left shows what was `asked` for.
    fn judge(&mut self, rule: &Rule, seen: &Seen, (shown, number): (&Scenario, usize), asked: &Scenario) {
        let bare = |one: &str| one.strip_prefix(ASKED).unwrap_or(one).to_owned();
        let runs = || shown.runs.iter().chain(&asked.runs);
        let is_own = |one: &str| runs().any(|run| bare(one).starts_with(&format!("{} at ", run.name)));
        // What has no words is the same under other names.
        let is_same = |one: &str, other: usize| {
            let is_shape = SHAPES.iter().any(|shape| bare(one).starts_with(shape));
            self.scenarios[other][usize::from(is_shape)] == self.scenarios[number][usize::from(is_shape)]
        };
        // What is twice the same is of the target, which is the same in both scenarios: canvases of two runs have its contours.
        let is_of_target = |one: &str, other: usize| {
            let twins = || seen.iter().filter(|two| extent(one).is_some() && extent(two) == extent(one));
            self.scenarios[other][2] == self.scenarios[number][2] && twins().count() > 1
        };
        // Between an edit and the new seed after it there may be a frame of the edit with the old seed. It has runs in common with the one
        // before, and their curves may come in another order, or after the new seed.
        let is_shared = |one: &str, other: usize| {
            SHAPES.iter().any(|shape| bare(one).starts_with(shape)) && !self.runs[other].is_disjoint(&self.runs[number])
        };
        let is_right =
            |one: &str, other: usize| is_same(one, other) || is_of_target(one, other) || is_shared(one, other);
        let of_others = |one: &str| self.shown.get(one).is_some_and(|by| !by.iter().any(|other| is_right(one, *other)));
        let mut strange: Vec<&String> = seen.iter().filter(|one| of_others(one) && !is_own(one)).collect();
        if strange.is_empty() {
            return;
        }
        let (right, panel) = (rule.of(shown), rule.of(asked));
        let is_asked = |one: &String| one.starts_with(ASKED) && panel.any.contains(one);
        strange.retain(|one| !right.any.contains(*one) && !is_asked(one));
        let what = format!("scenario {number} with seed {} shows", shown.seed);
        let summary = strange.iter().map(|one| format!("{what} {one}, as scenarios {:?} did", self.shown[*one]));
        let summary: Vec<String> = summary.collect();
        self.faults.extend(summary);
    }

    /// Whether something is still being computed, as far as the window knows.
    fn works(&self) -> bool {
        let state = &self.app().state;
        !state.model.is_settled()
            || state.model.opening().is_some()
            || !state.model.frame().finished()
            || !state.tasks.is_idle()
    }

    /// Frames until all work has arrived, and until what is shown is the expected `end`. Returns what the last one shows.
    fn settle(&mut self, end: Option<&Seen>) -> Seen {
        let begun = Instant::now();
        let (mut last, mut still, mut since) = (Seen::new(), 0, Instant::now());
        loop {
            let frame = Instant::now();
            let seen = self.step();
            let rests = seen == last && !self.works();
            (still, since) = if rests { (still + 1, since) } else { (0, Instant::now()) };
            last = seen;
            let over = match end {
                None => still >= STILL,
                Some(end) if *end == last => still >= EXPECTED,
                Some(_) => still >= STILL && since.elapsed() >= LATE,
            };
            if over {
                break;
            }
            if begun.elapsed() >= PATIENCE {
                self.faults.push("does not come to rest".to_owned());
                break;
            }
            // Most of the time is left to the work that is waited for.
            sleep(PAUSE.max(3 * frame.elapsed()));
        }
        if let Some(end) = end {
            let (lost, new): (Vec<_>, Vec<_>) = (end.difference(&last).collect(), last.difference(end).collect());
            if !lost.is_empty() || !new.is_empty() {
                self.faults.push(format!("a fresh window shows {lost:?} in the end, this one {new:?}"));
            }
        }
        last
    }

    /// What was wrong since the last call, as words about `what`.
    fn summary(&mut self, what: &str) -> Vec<String> {
        let faults = std::mem::take(&mut self.faults);
        let more = faults.len().saturating_sub(MOST_FAULTS);
        let mut summary: Vec<String> =
            faults.iter().take(MOST_FAULTS).map(|fault| format!("{what}: {fault}")).collect();
        summary.extend((more > 0).then(|| format!("{what}: and {more} more")));
        summary
    }
}

/// The runs of a scenario but for their names, with what their draws follow from.
fn runs_of(scenario: &Scenario) -> BTreeSet<String> {
    let of = |run: &RunSpec| format!("{} {:?} {:?}", scenario.seed, scenario.target, run.settings);
    scenario.runs.iter().map(of).collect()
}

/// What a window shows that has never shown anything else: at any time, and in the end.
struct Fresh {
    any: Seen,
    end: Seen,
}

/// Fresh windows that were looked at.
struct Rule {
    names: BTreeSet<String>,
    known: Mutex<BTreeMap<String, Arc<Fresh>>>,
}

impl Rule {
    /// The rule for scenarios, and whatever they lead to. They are looked at now, on all cores.
    fn for_all(scenarios: &[Scenario], names: BTreeSet<String>) -> Self {
        let rule = Self { names, known: Mutex::default() };
        let each: BTreeMap<String, &Scenario> = scenarios.iter().map(|one| (write(one), one)).collect();
        let each: Vec<&Scenario> = each.into_values().collect();
        at_once(each.len(), |number| drop(rule.of(each[number])));
        rule
    }

    fn of(&self, scenario: &Scenario) -> Arc<Fresh> {
        let key = write(scenario);
        let known = self.known.lock().unwrap().get(&key).cloned();
        known.unwrap_or_else(|| {
            let mut walk = Walk::new(scenario, &self.names, None);
            let end = walk.settle(None);
            assert!(walk.faults.is_empty(), "{} {:?}", scenario.title, walk.faults);
            let fresh = Arc::new(Fresh { any: walk.shown.into_keys().collect(), end });
            self.known.lock().unwrap().entry(key).or_insert(fresh).clone()
        })
    }
}

/// Does pieces of work on all cores. These are no threads that sessions compute on: those have to be free for them.
fn at_once<T: Send>(count: usize, work: impl Fn(usize) -> T + Sync) -> Vec<T> {
    let (next, done) = (AtomicUsize::new(0), Mutex::new(BTreeMap::new()));
    let cores = available_parallelism().map_or(1, usize::from);
    scope(|scope| {
        for _ in 0..cores.min(count) {
            scope.spawn(|| {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= count {
                        return;
                    }
                    let result = work(number);
                    done.lock().unwrap().insert(number, result);
                }
            });
        }
    });
    done.into_inner().unwrap().into_values().collect()
}

/// Goes from scenario to scenario in one window; returns what is wrong.
fn walk(scenarios: &[Scenario], rule: &Rule) -> Vec<String> {
    let mut walk = Walk::new(&scenarios[0], &rule.names, Some(rule));
    let (mut told_apart, mut faults) = (0, Vec::new());
    for (number, scenario) in scenarios.iter().enumerate() {
        let (fresh, mut pair) = (rule.of(scenario), scenario.title.clone());
        if number > 0 {
            told_apart += walk.shown.keys().filter(|one| !fresh.any.contains(*one)).count();
            pair = format!("{} → {pair}", scenarios[number - 1].title);
            let next = scenario.clone();
            walk.perform(|app, _| load(&mut app.state, next, None));
        }
        if number % 2 == 0 {
            walk.settle(Some(&fresh.end));
        } else {
            // The next one is opened while work is under way.
            (0..6).for_each(|_| drop(walk.step()));
        }
        faults.extend(walk.summary(&pair));
    }
    if told_apart <= 100 {
        faults.push(format!("the scenarios from {} on are hardly told apart: {told_apart}", scenarios[0].title));
    }
    faults
}

fn names_of<'a>(scenarios: impl IntoIterator<Item = &'a Scenario>) -> BTreeSet<String> {
    scenarios.into_iter().flat_map(|one| &one.runs).map(|run| run.name.clone()).collect()
}

/// The tabs that say something of a scenario, those of repeats first. Sweeps take too long.
fn tabs_of(scenario: &Scenario) -> Vec<Tab> {
    let frame = Session::new(scenario.clone()).unwrap().frame();
    let mut fitting: Vec<Tab> =
        TABS.into_iter().filter(|tab| (tab.applies)(&frame) && tab.spec.name != "map").collect();
    fitting.sort_by_key(|tab| !tab.study.repeats());
    fitting
}

/// Moves a number of the target a little.
fn nudge(scenario: &mut Scenario, by: f64) {
    let before = scenario.target.clone();
    for spec in before.kind.params {
        if let (ParamType::Number { .. }, Some(Value::Number(number))) = (spec.ty, before.get(spec.key)) {
            let moved = Value::Number(if *number == 0.0 { by } else { number * (1.0 + by) });
            if scenario.target.set(spec.key, moved).is_ok() && scenario.build().is_ok() {
                return;
            }
            scenario.target = before.clone();
        }
    }
}

/// A lesson with one of its tabs open. Each has a seed and a target of its own: some have runs and targets in common, and contours of the
/// same target lie at the same places by right.
fn lesson(number: usize, tab: usize) -> Scenario {
    let mut scenario = short(LESSONS[number].scenario().unwrap(), None);
    scenario.seed = 1000 + number as u64;
    nudge(&mut scenario, 1e-4 * (1 + number) as f64);
    let tabs = tabs_of(&scenario);
    short(scenario, tabs.get(tab % tabs.len().max(1)).copied())
}

/// Every ordered pair of numbers below `count`, as steps of a walk.
fn all_pairs(count: usize) -> Vec<usize> {
    let mut way = vec![0];
    for from in 0..count {
        for to in from + 1..count {
            way.extend([to, from]);
        }
        way.extend((from + 1 < count).then_some(from + 1));
    }
    way
}

#[test]
fn all_pairs_are_walked() {
    let way = all_pairs(7);
    let pairs: BTreeSet<(usize, usize)> = way.windows(2).map(|pair| (pair[0], pair[1])).collect();
    assert!((0..7).all(|from| (0..7).all(|to| from == to || pairs.contains(&(from, to)))));
}

/// The parts of the walk over all pairs of lessons that are asked for, of so many.
fn parts(count: usize) -> Option<Range<usize>> {
    let asked = std::env::var("WALK").ok()?;
    let some = asked.split_once("..").map(|(first, last)| first.parse().unwrap()..last.parse().unwrap());
    Some(some.map_or(0..count, |some: Range<usize>| some.start.min(count)..some.end.min(count)))
}

#[test]
fn walks_over_lessons_show_nothing_of_the_lesson_before() {
    let way = all_pairs(LESSONS.len());
    if let Some(parts) = parts((way.len() - 1).div_ceil(PART)) {
        let lessons: Vec<Scenario> = (0..LESSONS.len()).map(|number| lesson(number, number)).collect();
        let part = |number: usize| &way[PART * number..way.len().min(PART * (number + 1) + 1)];
        let met: BTreeSet<usize> = parts.clone().flat_map(|number| part(number).iter().copied()).collect();
        let met: Vec<Scenario> = met.into_iter().map(|number| lessons[number].clone()).collect();
        let rule = Rule::for_all(&met, names_of(&lessons));
        let faults = at_once(parts.len(), |number| {
            let some: Vec<Scenario> = part(parts.start + number).iter().map(|one| lessons[*one].clone()).collect();
            let panicked = |_| vec![format!("part {}, from {} on, panicked", parts.start + number, some[0].title)];
            catch_unwind(AssertUnwindSafe(|| walk(&some, &rule))).unwrap_or_else(panicked)
        });
        let faults: Vec<String> = faults.into_iter().flatten().collect();
        let pairs: usize = parts.clone().map(|number| part(number).len() - 1).sum();
        println!("{pairs} pairs of lessons in {} parts, {} faults", parts.len(), faults.len());
        assert!(faults.is_empty(), "{}", faults.join("\n"));
        return;
    }
    let number = |name: &str| LESSONS.iter().position(|lesson| lesson.name == name).unwrap();
    // The first ones have repeats under way, the others a tab of each kind.
    let some: Vec<Scenario> =
        WALK.iter().enumerate().map(|(at, name)| lesson(number(name), at.saturating_sub(3))).collect();
    let faults = walk(&some, &Rule::for_all(&some, names_of(&some)));
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

const TWO: &str = "format = 1\ntitle = \"Two\"\nseed = 7\n[target]\nkind = \"double-well\"\n\
                   [[run]]\nname = \"SGLD\"\nmethod = \"sgld\"\nsteps = 40\nchains = 2\n\
                   [[run]]\nname = \"HMC\"\nmethod = \"hmc\"\nsteps = 30\nchains = 2\n\
                   [[run]]\nname = \"VI\"\nmethod = \"svi\"\nsteps = 40\n";

/// What a person does to a scenario that takes its runs or its target away from what is drawn. Every scenario has a seed of its own: what
/// two of them show of their runs is not the same by right.
fn edits() -> Vec<Vec<Action>> {
    let kind = |name: &str| find_kind(&TARGETS, name).unwrap();
    let seeded = |(number, edit): (u64, Action)| vec![edit, Action::Seed(100 + number)];
    let some = |from: u64, edits: Vec<EditAction>| (from..).zip(edits.into_iter().map(Action::Edit)).map(seeded);
    let rename = |run, name: &str| EditAction::Rename { run, name: name.to_owned() };
    let undo = || vec![Action::Undo, Action::Undo];
    let mut all: Vec<Vec<Action>> =
        some(1, vec![rename(0, "Langevin"), EditAction::Duplicate(1), EditAction::Remove(0)]).collect();
    all.extend([seeded((4, Action::ChooseTarget(kind("beta-posterior")))), undo()]);
    all.extend(some(5, vec![rename(1, "SGLD"), EditAction::Remove(0)]));
    all.extend([seeded((7, Action::ChooseTarget(kind("gaussian-grid")))), undo(), undo()]);
    all
}

/// Whether the edit after this one comes while work is under way.
fn is_passed_by(number: usize) -> bool {
    number % 3 == 1
}

fn perform_all(app: &mut App, actions: Vec<Action>, context: &Context) {
    actions.into_iter().for_each(|action| perform(&mut app.state, action, context));
}

/// The scenarios that edits lead to.
fn after_each(start: &Scenario, edits: Vec<Vec<Action>>) -> Vec<Scenario> {
    let mut walk = Walk::new(start, &BTreeSet::new(), None);
    let mut after = |actions| {
        walk.perform(|app, context| perform_all(app, actions, context));
        walk.step();
        walk.app().scenario().clone()
    };
    edits.into_iter().map(&mut after).collect()
}

/// What is wrong while a person edits a scenario with this tab open.
fn faults_after_edits(key: &str) -> Vec<String> {
    let tab = TABS.into_iter().find(|tab| tab.spec.name == key);
    let start = short(read(TWO, "two", Path::new(".")).unwrap(), tab);
    let mut all = after_each(&start, edits());
    all.insert(0, start);
    let ends = |number: &usize| *number == 0 || !is_passed_by(number - 1);
    let ends: Vec<Scenario> = (0..all.len()).filter(ends).map(|number| all[number].clone()).collect();
    let rule = Rule::for_all(&ends, names_of(&all));
    let mut walk = Walk::new(&all[0], &rule.names, Some(&rule));
    walk.settle(Some(&rule.of(&all[0]).end));
    let mut faults = walk.summary("at first");
    for (number, actions) in edits().into_iter().enumerate() {
        let done = format!("{}, after {actions:?}", tab.map_or("", |tab| tab.spec.name));
        walk.perform(|app, context| perform_all(app, actions, context));
        assert_eq!(*walk.app().scenario(), all[number + 1], "{done}");
        if is_passed_by(number) {
            walk.step();
        } else {
            walk.settle(Some(&rule.of(&all[number + 1]).end));
        }
        faults.extend(walk.summary(&done));
    }
    faults
}

#[test]
fn other_names_orders_and_targets_show_nothing_of_those_before() {
    let faults = faults_after_edits("compare");
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn other_names_orders_and_targets_show_nothing_of_chains_before() {
    let faults = faults_after_edits("chain");
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}
