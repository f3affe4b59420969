//! What is written is read as the same, for settings drawn at random from the tables of parameters.

use std::collections::BTreeMap;

use proptest::prelude::{ProptestConfig, any, proptest};

use super::super::challenge::{Challenge, Rule, Task, challenge_measures};
use super::super::events::{assign, live_paths};
use super::super::read::Kinds;
use super::super::view::{self, Arrangement, Axis, Clock, Shade, Unknown};
use super::super::{
    AnswerValue, Axis as SweepAxis, Bound, COST, Caption, Change, Event, METHOD, Pacing, Question, RunSpec, Scenario,
    Speed, Sweep, ViewSpec, sweep_measures, write,
};
use super::small;
use crate::scenario::figures::FIGURE;
use base::math::{Purpose, Stream};
use base::params::{DefaultValue, Interval, KindSpec, NamedNumber, ParamSpec, ParamType, Picture, Settings, Value};
use models::targets::TARGETS;
use samplers::methods::METHODS;

fn pick<'t, T>(stream: &mut Stream, from: &'t [T]) -> &'t T {
    &from[stream.below(u32::try_from(from.len()).unwrap()) as usize]
}

fn number(stream: &mut Stream, legal: Interval) -> f64 {
    let (min, max) = (legal.min.max(-1e9), legal.max.min(1e9));
    let even = min + (max - min) * stream.uniform();
    let small = (stream.uniform() - 0.5) * 10_f64.powi(6 - stream.below(20) as i32);
    let candidates = [small, small.abs(), even.round(), even, min, max];
    let start = stream.below(6) as usize;
    (0..6).map(|offset| candidates[(start + offset) % 6]).find(|number| legal.contains(*number)).unwrap()
}

fn integer(stream: &mut Stream, legal: Interval) -> f64 {
    let tries = (0..100).map(|_| number(stream, legal).round());
    tries.into_iter().find(|number| legal.contains(*number)).unwrap_or(legal.min)
}

fn text(stream: &mut Stream) -> String {
    const PIECES: [&str; 12] = ["a", "\"", "\\", "\n", "\r\n", "\t", "\u{1}", "\u{7f}", "θ₁", "한", "'''", "# ] = { "];
    (0..stream.below(8)).map(|_| *pick(stream, &PIECES)).collect()
}

fn covariance(stream: &mut Stream) -> [[f64; 2]; 2] {
    let (a, c) = (0.01 + stream.uniform(), 5.0 * stream.uniform() + 0.01);
    let b = (a * c).sqrt() * (1.8 * stream.uniform() - 0.9);
    [[a, b], [b, c]]
}

fn knots(stream: &mut Stream) -> Vec<[f64; 2]> {
    let mut step = 0.0;
    (0..=stream.below(5))
        .map(|_| {
            step += f64::from(1 + stream.below(1000));
            [step, number(stream, Interval::POSITIVE)]
        })
        .collect()
}

fn value(stream: &mut Stream, spec: &ParamSpec) -> Value {
    match spec.ty {
        ParamType::Number { legal, .. } => Value::Number(number(stream, legal)),
        ParamType::Integer { legal, .. } => Value::Number(integer(stream, legal)),
        ParamType::Flag => Value::Flag(stream.below(2) == 0),
        ParamType::Choice(choices) => Value::Choice(pick(stream, choices).name),
        ParamType::Text if spec.key == "quantities" => Value::Text("1, 2, 5".to_owned()),
        ParamType::Text => Value::Text(text(stream)),
        ParamType::Pair { legal } => Value::Pair([number(stream, legal), number(stream, legal)]),
        ParamType::Covariance => Value::Covariance(covariance(stream)),
        ParamType::Knots => Value::Points(knots(stream)),
        ParamType::Points { legal } => {
            Value::Points((0..=stream.below(5)).map(|_| [0; 2].map(|_| number(stream, legal))).collect())
        }
        ParamType::Group(kinds) => {
            let kind = pick(stream, kinds);
            Value::Group(settings(stream, kind))
        }
        ParamType::List(kind) => Value::List((0..=stream.below(3)).map(|_| settings(stream, kind)).collect()),
        ParamType::Picture => {
            let [columns, rows] = [0; 2].map(|_| 1 + stream.below(12) as usize);
            let levels = (0..columns * rows).map(|_| u8::try_from(stream.below(62)).unwrap()).collect();
            Value::Picture(Picture::new(columns, levels).unwrap())
        }
        ParamType::Named => {
            let count = stream.below(4);
            let named = |index: u32| {
                let value = number(stream, Interval::ANY);
                let range = (stream.below(2) == 0).then(|| (value - 1.0 - value.abs(), value + 1.0 + value.abs()));
                NamedNumber {
                    name: format!("σ_{index}"),
                    value,
                    range: range.filter(|(from, to)| (to - from).is_finite()),
                }
            };
            Value::Named((0..count).map(named).collect())
        }
    }
}

/// Settings in which each parameter is drawn or, where it has a default, sometimes left at it.
fn settings(stream: &mut Stream, kind: &'static KindSpec) -> Settings {
    let mut settings = Settings::defaults(kind);
    for spec in kind.params {
        if spec.default == DefaultValue::Required || stream.below(3) > 0 {
            settings.set(spec.key, value(stream, spec)).unwrap();
        }
    }
    settings
}

/// Up to three events, in order, each applied before the next is drawn.
fn events(stream: &mut Stream, runs: &[RunSpec], kinds: Kinds) -> Vec<Event> {
    let mut current = runs.to_vec();
    let mut step = 0;
    let mut events = Vec::new();
    for _ in 0..stream.below(4) {
        let index = stream.below(u32::try_from(runs.len()).unwrap()) as usize;
        let run = &mut current[index];
        step += u64::from(stream.below(10));
        let live = live_paths(&run.settings);
        if step >= run.settings.count("steps") || live.is_empty() {
            continue;
        }
        let path = pick(stream, &live).clone();
        let value = match run.settings.spec_at(&path) {
            Some(spec) => value(stream, spec),
            None => Value::Choice(pick(stream, kinds.methods).name),
        };
        // The kinds of small scenarios are not in the registry, which is where methods on the way come from; and a run
        // must not end before events to come.
        if path == METHOD && kinds.methods != METHODS.as_slice() || path == "steps" {
            continue;
        }
        assign(&mut run.settings, &path, value.clone()).unwrap();
        let set = BTreeMap::from([(path, value)]);
        events.push(Event { step, change: Change::Run { run: run.name.clone(), set } });
        if stream.below(3) == 0 {
            let kind = pick(stream, kinds.targets);
            let target = settings(stream, kind);
            events.push(Event { step, change: Change::Target(target) });
        }
    }
    events
}

/// A string alone, or a caption in parts.
fn caption(stream: &mut Stream) -> Caption {
    let watch = text(stream);
    if stream.below(2) == 0 {
        return Caption { watch, ..Caption::default() };
    }
    let tries = (0..stream.below(4)).map(|_| text(stream)).collect();
    let measures: Vec<&str> = view::measure_keys().collect();
    let values = (0..stream.below(3))
        .map(|_| AnswerValue {
            name: text(stream),
            run: text(stream),
            measure: (*pick(stream, &measures)).to_owned(),
            expected: text(stream),
        })
        .collect();
    Caption { watch, notice: text(stream), tries, answer: text(stream), values }
}

/// Nothing, or something drawn.
fn maybe<T>(stream: &mut Stream, draw: impl FnOnce(&mut Stream) -> T) -> Option<T> {
    (stream.below(2) == 0).then(|| draw(stream))
}

/// Some of the names.
fn some(stream: &mut Stream, names: &[&str]) -> Vec<String> {
    (0..1 + stream.below(3)).map(|_| (*pick(stream, names)).to_owned()).collect()
}

fn view(stream: &mut Stream, runs: &[RunSpec]) -> ViewSpec {
    let unknown = |key: &str| Unknown { key: key.to_owned(), value: "{ a = [1, 2.5], \"b c\" = \"\\n\" }".to_owned() };
    let mut tab = maybe(stream, |stream| {
        let kind = pick(stream, &view::TABS);
        settings(stream, kind)
    });
    // These are held against more than their type.
    if let Some(tab) = &mut tab {
        let text = |word: &str| Value::Text(word.into());
        for (key, value) in [("measure", text("kl")), ("shown", text("kl")), ("steps", Value::Pair([1.0, 20.5]))] {
            if tab.get(key).is_some() {
                tab.set(key, value).unwrap();
            }
        }
    }
    let names: Vec<&str> = runs.iter().map(|run| run.name.as_str()).collect();
    let measures: Vec<&str> = view::measure_keys().collect();
    let unknown_options = if tab.is_some() { vec![unknown("later")] } else { Vec::new() };
    ViewSpec {
        tab,
        layers: maybe(stream, |stream| some(stream, &view::LAYERS)),
        draws: maybe(stream, |stream| (*pick(stream, &view::DRAWS)).to_owned()),
        exact: maybe(stream, |stream| (*pick(stream, &view::EXACT)).to_owned()),
        runs: maybe(stream, |stream| some(stream, &names)),
        measures: maybe(stream, |stream| some(stream, &measures)),
        layout: maybe(stream, |stream| *pick(stream, &[Arrangement::Overlaid, Arrangement::SideBySide])),
        axis: maybe(stream, |stream| *pick(stream, &[Axis::Steps, Axis::Gradients, Axis::Seconds])),
        clock: maybe(stream, |stream| *pick(stream, &[Clock::Steps, Clock::Gradients])),
        area: maybe(stream, |stream| [[-stream.uniform(), 1.0], [-3.0, stream.uniform()]]),
        pace: maybe(stream, |stream| *pick(stream, &[Pacing::Watch, Pacing::Instant])),
        speed: maybe(stream, |stream| *pick(stream, &[Speed::Full, Speed::Steps(2.5)])),
        pause: (0..stream.below(3)).map(|_| u64::from(1 + stream.below(1000))).collect(),
        step: maybe(stream, |stream| u64::from(stream.below(1000))),
        theme: maybe(stream, |stream| *pick(stream, &[Shade::Light, Shade::Dark])),
        truth: maybe(stream, |stream| stream.below(2) == 0),
        hidden: some(stream, &view::PANELS),
        figure: maybe(stream, |stream| figure(stream, &names)),
        packed: false,
        folded: maybe(stream, |stream| some(stream, &view::FOLDABLE)),
        present: some(stream, &view::PRESENTABLE),
        locked: vec![text(stream), "*".to_owned()],
        unlocked: vec![text(stream)],
        unknown: vec![unknown("a b"), unknown("zoom")],
        unknown_options,
    }
}

/// A run, an axis or a note of a figure, with what it must have and some of the rest.
fn entry(stream: &mut Stream, kind: &'static KindSpec, names: &[&str]) -> Settings {
    let mut entry = Settings::defaults(kind);
    for spec in kind.params {
        let value = match spec.ty {
            _ if spec.key == "panel" => Value::Number(1.0),
            ParamType::Choice(choices) => Value::Choice(pick(stream, choices).name),
            ParamType::Flag => Value::Flag(stream.below(2) == 0),
            ParamType::Number { legal, .. } => Value::Number(number(stream, legal)),
            ParamType::Integer { legal, .. } => Value::Number(integer(stream, legal)),
            ParamType::Pair { .. } => {
                let [a, b] = [number(stream, Interval::ANY), number(stream, Interval::ANY)];
                Value::Pair([a.min(b), a.max(b) + 1.0])
            }
            _ if spec.key == "name" && kind.name == "run" => Value::Text((*pick(stream, names)).to_owned()),
            _ if spec.key == "colour" => Value::Text(format!("#{:06x}", stream.below(1 << 24))),
            _ if spec.key == "ticks" => Value::Text("−1, 0.5 = half, 2".to_owned()),
            _ => Value::Text(text(stream)),
        };
        if matches!(spec.default, DefaultValue::Required) || stream.below(2) == 0 {
            entry.set(spec.key, value).unwrap();
        }
    }
    entry
}

/// A look of figures of runs with these names.
fn figure(stream: &mut Stream, names: &[&str]) -> Settings {
    let mut figure = Settings::defaults(&FIGURE);
    for spec in FIGURE.params {
        let value = match spec.ty {
            ParamType::Choice(choices) => Value::Choice(pick(stream, choices).name),
            ParamType::Flag => Value::Flag(stream.below(2) == 0),
            ParamType::Number { legal, .. } => Value::Number(number(stream, legal)),
            ParamType::List(kind) => Value::List(vec![entry(stream, kind, names)]),
            _ if spec.key == "panels" => Value::Text("readout | trace ; 2* schedule".to_owned()),
            _ => Value::Text(text(stream)),
        };
        if stream.below(2) == 0 {
            figure.set(spec.key, value).unwrap();
        }
    }
    figure
}

fn bound(stream: &mut Stream) -> Bound {
    let bound = number(stream, Interval::ANY);
    if stream.below(2) == 0 { Bound::AtMost(bound) } else { Bound::AtLeast(bound) }
}

fn challenge(stream: &mut Stream, runs: &[RunSpec]) -> Challenge {
    let measures: Vec<&'static str> = challenge_measures().map(|spec| spec.key).collect();
    let (measure, run) = (*pick(stream, &measures), pick(stream, runs).name.clone());
    let task = match stream.below(4) {
        0 => {
            Task::Mass { run: maybe(stream, |_| run), chips: 1 + stream.below(20) as usize, at_least: stream.uniform() }
        }
        1 => Task::Number { run, measure, tolerance: number(stream, Interval::NON_NEGATIVE) },
        2 => {
            let rules = [
                Rule::Smallest,
                Rule::Largest,
                Rule::Within(bound(stream)),
                Rule::Floors(number(stream, Interval::POSITIVE)),
            ];
            Task::Choice { measure, rule: *pick(stream, &rules) }
        }
        _ => {
            let (bound, within) = (bound(stream), maybe(stream, |stream| number(stream, Interval::POSITIVE)));
            Task::Goal { run, measure, bound, within }
        }
    };
    Challenge { ask: text(stream).trim().to_owned(), task }
}

/// A sweep over one number of a run or its target, or two or three, from one value that it may have to another.
fn sweep(stream: &mut Stream, scenario: &Scenario) -> Sweep {
    let run = pick(stream, &scenario.runs);
    let numbers = scenario.numbers(&run.name);
    let axis = |stream: &mut Stream| {
        let one = pick(stream, &numbers);
        let ends = [0; 2].map(|_| number(stream, one.legal));
        let log = stream.below(2) == 0 && ends.iter().all(|end| *end > 0.0);
        SweepAxis {
            parameter: one.path.clone(),
            from: ends[0].min(ends[1]),
            to: ends[0].max(ends[1]),
            count: u64::from(1 + stream.below(4)),
            log,
        }
    };
    let axes: Vec<SweepAxis> = (0..=stream.below(3)).map(|_| axis(stream)).collect();
    let known: Vec<&'static str> = sweep_measures().map(|spec| spec.key).collect();
    let mut measures: Vec<&'static str> = (0..3).map(|_| *pick(stream, &known)).collect();
    measures.sort_unstable();
    measures.dedup();
    let of: Vec<&str> = axes.iter().map(|axis| axis.parameter.as_str()).chain([COST]).collect();
    let question = |stream: &mut Stream| Question {
        measure: pick::<&'static str>(stream, &measures),
        bound: bound(stream),
        largest: stream.below(2) == 0,
        of: (*pick(stream, &of)).to_owned(),
    };
    let questions = (0..stream.below(3)).map(|_| question(stream)).collect();
    Sweep { run: run.name.clone(), axes, seeds: u64::from(1 + stream.below(9)), measures, questions }
}

/// With challenges and a sweep that suit the runs: others are left out of the text.
fn scenario(seed: u64, kinds: Kinds) -> Scenario {
    let mut scenario = plain(seed, kinds);
    let mut stream = Stream::derive(seed, Purpose::Data, 1, 0);
    scenario.challenges = (0..stream.below(4)).map(|_| challenge(&mut stream, &scenario.runs)).collect();
    scenario.sweep = maybe(&mut stream, |stream| sweep(stream, &scenario));
    scenario.challenges = scenario.suited_challenges().cloned().collect();
    scenario.sweep = scenario.suited_sweep().cloned();
    scenario
}

fn plain(seed: u64, kinds: Kinds) -> Scenario {
    let mut stream = Stream::derive(seed, Purpose::Data, 0, 0);
    let target = pick(&mut stream, kinds.targets);
    let runs: Vec<_> = (0..=stream.below(3))
        .map(|index| {
            let method = pick(&mut stream, kinds.methods);
            RunSpec { name: format!("run {index} α"), settings: settings(&mut stream, method) }
        })
        .collect();
    Scenario {
        title: text(&mut stream),
        caption: caption(&mut stream),
        seed,
        budget: maybe(&mut stream, |stream| stream.below(1_000_000) as f64 + 1.5),
        target: settings(&mut stream, target),
        events: events(&mut stream, &runs, kinds),
        challenges: Vec::new(),
        sweep: None,
        view: maybe(&mut stream, |stream| view(stream, &runs)).unwrap_or_default(),
        runs,
        folder: "".into(),
    }
}

/// Writes, reads, compares, and writes again.
fn check_round_trip(scenario: &Scenario, kinds: Kinds) {
    let text = write(scenario);
    let (draft, faults) = small::draft(&text, kinds);
    assert_eq!(faults, Vec::<String>::new(), "{text}");
    let draft = draft.unwrap();
    let runs = draft.runs.into_iter().map(|run| RunSpec { name: run.name.unwrap(), settings: run.settings.unwrap() });
    let read = Scenario {
        title: draft.title,
        caption: draft.caption,
        seed: draft.seed,
        budget: draft.budget,
        target: draft.target.unwrap(),
        runs: runs.collect(),
        events: draft.events.events,
        challenges: draft.challenges,
        sweep: draft.sweep,
        view: draft.view,
        folder: "".into(),
    };
    assert_eq!(&read, scenario, "{text}");
    assert_eq!(write(&read), text);
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_type_comes_back(seed in any::<u64>()) {
        check_round_trip(&scenario(seed, small::KINDS), small::KINDS);
    }

    #[test]
    fn every_registered_kind_comes_back(seed in any::<u64>()) {
        let kinds = Kinds { targets: &TARGETS, methods: &METHODS };
        check_round_trip(&scenario(seed, kinds), kinds);
    }
}
