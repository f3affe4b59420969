//! The walk over a small table of kinds that has a parameter of every type.

use super::super::Event;
use super::super::errors::TextPositions;
use super::super::read::{Draft, Kinds, read_draft};
use super::super::table_reader::TableReader;
use base::params::{Choice, DefaultValue, Interval, KindSpec, ParamSpec, ParamType, Value};

const fn kind(name: &'static str, params: &'static [ParamSpec]) -> KindSpec {
    KindSpec::unlabelled(name, "", params)
}

const COMPONENT: KindSpec = kind(
    "component",
    &[
        ParamSpec::number("weight", "", 1.0, Interval::POSITIVE, (0.0, 1.0), ""),
        ParamSpec::of("covariance", "", ParamType::Covariance, DefaultValue::Required, ""),
    ],
);

pub(super) static TARGETS: [KindSpec; 2] = [
    kind(
        "grid",
        &[
            ParamSpec::integer("rows", "", 5.0, Interval::closed(1.0, 20.0), (1.0, 20.0), ""),
            ParamSpec::number("variance", "", 0.03, Interval::POSITIVE, (0.01, 1.0), ""),
            ParamSpec::of("mean", "", ParamType::Pair { legal: Interval::ANY }, DefaultValue::Pair([0.0, 0.0]), ""),
        ],
    ),
    kind("mixture", &[ParamSpec::of("component", "", ParamType::List(&COMPONENT), DefaultValue::Required, "")]),
];

static GRADIENTS: [KindSpec; 2] = [
    kind("exact", &[]),
    kind(
        "noisy",
        &[
            ParamSpec::number("variance", "", 1.0, Interval::NON_NEGATIVE, (0.0, 10.0), ""),
            ParamSpec::of("compensate", "", ParamType::Flag, DefaultValue::Flag(true), ""),
            ParamSpec::number("ramp", "", 1.0, Interval::open(0.0, 1.0), (0.0, 1.0), "").optional(),
        ],
    ),
];

static COLLECT: [KindSpec; 1] =
    [kind("collect", &[ParamSpec::integer("burn_in", "", 0.0, Interval::NON_NEGATIVE, (0.0, 1e4), "")])];

static METHODS: [KindSpec; 2] = [
    kind(
        "walk",
        &[
            ParamSpec::integer("steps", "", 100.0, Interval::closed(1.0, 1e9), (1.0, 1e6), "").fixed(),
            ParamSpec::of("gradient", "", ParamType::Group(&GRADIENTS), DefaultValue::Kind("exact"), ""),
            ParamSpec::of("knots", "", ParamType::Knots, DefaultValue::Absent, ""),
            ParamSpec::of(
                "order",
                "",
                ParamType::Choice(&[
                    Choice { name: "random", label: "", help: "" },
                    Choice { name: "cyclic", label: "", help: "" },
                ]),
                DefaultValue::Word("random"),
                "",
            ),
            ParamSpec::of("note", "", ParamType::Text, DefaultValue::Absent, ""),
            ParamSpec::of("collect", "", ParamType::Group(&COLLECT), DefaultValue::Kind("collect"), "").fixed(),
        ],
    ),
    kind("still", &[ParamSpec::integer("steps", "", 100.0, Interval::closed(1.0, 1e9), (1.0, 1e6), "").fixed()]),
];

/// Kinds with a parameter of every type.
pub(super) const KINDS: Kinds = Kinds { targets: &TARGETS, methods: &METHODS };

/// The draft of a text and what is wrong with it, one `line:column: path: problem; allowed: …` each.
pub(super) fn draft(text: &str, kinds: Kinds) -> (Option<Draft>, Vec<String>) {
    let mut reader = TableReader::default();
    let draft = read_draft(text, kinds, &mut reader);
    let mut positions = TextPositions::new(text);
    let lines = reader.into_faults().0.into_iter().map(|(offset, error)| {
        let (line, column) = positions.at(offset);
        format!("{line}:{column}: {error}")
    });
    (draft, lines.collect())
}

const GOOD: &str = r#"
format = 1
title = "A title"

[target]
kind = "mixture"
component = [{ weight = 2, covariance = [[2, 1], [1, 3.5]] }, { covariance = [[1, 0], [0, 1]] }]

[[run]]
name = "A"
method = "walk"
steps = 1_000
gradient = { kind = "noisy", variance = 0x10 }
knots = [[1, 0.5], [10, 1e-3]]
order = "cyclic"
note = 'C:\data'

[run.collect]
burn_in = 10.0

[[event]]
run = "A"
step = 30
set = { gradient.variance = 3 }

[[event]]
run = "A"
step = 20
set = { gradient = { kind = "noisy" }, "knots" = [[1, 1]] }
"#;

#[test]
fn every_type_is_read() {
    let (draft, faults) = draft(GOOD, KINDS);
    assert_eq!(faults, Vec::<String>::new());
    let draft = draft.unwrap();
    let target = draft.target.unwrap();
    assert_eq!(target.list("component")[0].covariance("covariance"), [[2.0, 1.0], [1.0, 3.5]]);
    assert_eq!(target.list("component")[1].get("weight"), Some(&Value::Number(1.0)));
    let run = draft.runs[0].settings.as_ref().unwrap();
    assert_eq!(run.count("steps"), 1000);
    assert_eq!(run.at("gradient.variance"), Some(&Value::Number(16.0)));
    assert_eq!(run.at("gradient.compensate"), Some(&Value::Flag(true)));
    assert_eq!(run.at("collect.burn_in"), Some(&Value::Number(10.0)));
    assert_eq!(run.points("knots"), [[1.0, 0.5], [10.0, 1e-3]]);
    assert_eq!((run.word("order"), run.word("note")), ("cyclic", r"C:\data"));
}

#[test]
fn events_are_put_in_order_and_dotted_keys_are_paths() {
    let events = draft(GOOD, KINDS).0.unwrap().events.events;
    assert_eq!(events.iter().map(|event| event.step).collect::<Vec<_>>(), [20, 30]);
    let paths = |event: &Event| event.changes_of("A").unwrap().keys().cloned().collect::<Vec<_>>();
    assert_eq!(
        (paths(&events[0]), paths(&events[1])),
        (vec!["gradient".into(), "knots".into()], vec!["gradient.variance".into()])
    );
}

#[test]
fn a_later_event_may_change_what_an_earlier_one_brought() {
    let text = GOOD.replace("kind = \"noisy\", variance = 0x10", "kind = \"exact\"");
    assert_eq!(draft(&text, KINDS).1, Vec::<String>::new());
    let text = text.replace("step = 30", "step = 10");
    let faults = draft(&text, KINDS).1;
    let expected = "24:18: event[0].set.gradient.variance: no parameter \"gradient.variance\"; \
                    allowed: method, gradient, knots, order, note";
    assert_eq!(faults, [expected]);
}

#[test]
fn all_errors_come_at_once_in_the_order_of_the_text() {
    let text = r#"format = 1
titel = "x"
seed = -1
[target]
kind = "grid"
rows = 1.5
varianse = 3
mean = [1, "a"]
[[run]]
name = "A"
method = "walk"
gradient = { kind = "noisi", x = 1 }
knots = [[1, 2], [3], 4]
order = "randon"
note = 1979-05-27
collect = { burn_in = inf, foo = 1 }
[run.extra]
a = 1
[[run]]
name = "a"
method = "walk"
gradient = { kind = "noisy", variance = -1e999, compensate = "yes" }
[[run]]
[[event]]
run = "B"
step = 12
set = { gradient.kind = "exact" }
[[event]]
run = "A"
step = -1
set = { }
speed = 2
"#;
    let expected = [
        "2:1: titel: unknown key, did you mean \"title\"?; allowed: format, title, caption, seed, budget, target, run, event, challenge, sweep, figure, view",
        "3:8: seed: found the number -1; allowed: a whole number from 0 to 18446744073709551615",
        "6:8: target.rows: 1.5 is not allowed; allowed: a whole number from 1 to 20",
        "7:1: target.varianse: unknown key, did you mean \"variance\"?; allowed: kind, rows, variance, mean",
        "8:12: target.mean: found text \"a\"; allowed: two numbers [x, y]",
        "12:21: run[0].gradient.kind: unknown kind \"noisi\", did you mean \"noisy\"?; allowed: \"exact\", \"noisy\"",
        "13:18: run[0].knots: found a list of 1; allowed: a list of [step, value]",
        "13:23: run[0].knots: found the number 4; allowed: a list of [step, value]",
        "14:9: run[0].order: unknown word \"randon\", did you mean \"random\"?; allowed: \"random\", \"cyclic\"",
        "15:8: run[0].note: found the date 1979-05-27; allowed: text in quotes",
        "16:23: run[0].collect.burn_in: found the number inf; allowed: a whole number, at least 0",
        "16:28: run[0].collect.foo: unknown key; allowed: kind, burn_in",
        "17:6: run[0].extra: unknown key; \
         allowed: name, method, steps, gradient, knots, order, note, collect",
        "20:8: run[1].name: two runs are called \"a\"; allowed: a different name for each run",
        "22:41: run[1].gradient.variance: found the number -1e999; allowed: a number, at least 0",
        "22:62: run[1].gradient.compensate: found text \"yes\"; allowed: true or false",
        "23:1: run[2].method: is missing; allowed: \"walk\", \"still\"",
        "23:1: run[2].name: is missing; allowed: text in quotes",
        "25:7: event[0].run: there is no run \"B\", did you mean \"A\"?; allowed: \"A\", \"a\"",
        "30:8: event[1].step: found the number -1; allowed: a whole number of steps",
        "31:7: event[1].set: the table is empty; allowed: a table of parameters and their new values",
        "32:1: event[1].speed: unknown key; allowed: run, step, set, target",
    ];
    assert_eq!(draft(text, KINDS).1, expected);
}
