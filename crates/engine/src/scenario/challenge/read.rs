//! Reader of `[[challenge]]`.

use toml::de::DeTable;

use super::{Challenge, MAX_CHALLENGES, Rule, Task, challenge_measures};
use crate::diagnostics::chips::MOST as MOST_CHIPS;
use crate::scenario::bound::{AT_LEAST, AT_MOST, Bound, ENDS};
use crate::scenario::near::suggestion;
use crate::scenario::read::read_tables;
use crate::scenario::table_reader::{TableReader, quoted};
use base::params::{DefaultValue, Interval, KindSpec, ParamError, ParamSpec, ParamType, Settings, excerpt};

const fn number(key: &'static str, legal: Interval, default: DefaultValue, help: &'static str) -> ParamSpec {
    ParamSpec::number(key, key, 0.0, legal, (0.0, 1.0), help).default(default)
}

const fn text(key: &'static str, default: DefaultValue, help: &'static str) -> ParamSpec {
    ParamSpec::of(key, key, ParamType::Text, default, help)
}

const ASK: ParamSpec = text("ask", DefaultValue::Absent, "The question or the goal in words.");
const RUN: ParamSpec = text("run", DefaultValue::Absent, "The run, by its name.");
const MEASURE: ParamSpec = text("measure", DefaultValue::Required, "The measure, by its key.");

static KINDS: [KindSpec; 4] = [
    KindSpec::unlabelled(
        "mass",
        "Place chips where the mass is.",
        &[
            ASK,
            text("run", DefaultValue::Absent, "The run whose draws are meant; without it, the target."),
            ParamSpec::integer(
                "chips",
                "chips",
                20.0,
                Interval::closed(1.0, MOST_CHIPS as f64),
                (1.0, 30.0),
                "Number of chips.",
            ),
            number(
                "at_least",
                Interval::closed(0.0, 1.0),
                DefaultValue::Number(0.6),
                "The share of the mass that the chips have to cover.",
            ),
        ],
    ),
    KindSpec::unlabelled(
        "number",
        "Predict a measure of a run at its end.",
        &[
            ASK,
            RUN,
            MEASURE,
            number(
                "tolerance",
                Interval::NON_NEGATIVE,
                DefaultValue::Number(0.0),
                "The largest error of a right answer.",
            ),
        ],
    ),
    KindSpec::unlabelled(
        "choice",
        "Name the runs of which something is true.",
        &[
            ASK,
            MEASURE,
            ParamSpec::of("find", "find", ENDS, DefaultValue::Absent, "The one run that has this value."),
            AT_MOST,
            AT_LEAST,
            number(
                "floors",
                Interval::POSITIVE,
                DefaultValue::Absent,
                "The largest value, in multiples of what as many exact draws score.",
            ),
        ],
    ),
    KindSpec::unlabelled(
        "goal",
        "Bring a measure of a run within a bound.",
        &[
            ASK,
            RUN,
            MEASURE,
            AT_MOST,
            AT_LEAST,
            number("within", Interval::POSITIVE, DefaultValue::Absent, "The most gradient evaluations, of all chains."),
        ],
    ),
];

/// Reads the challenges of a document with runs of these names. Whether they suit their runs is checked later.
pub(in crate::scenario) fn read(document: &DeTable<'_>, runs: &[&str], reader: &mut TableReader) -> Vec<Challenge> {
    let tables = read_tables(document, "challenge", MAX_CHALLENGES, reader);
    let challenges = tables.into_iter().enumerate().filter_map(|(number, (table, at))| {
        let path = format!("challenge[{number}]");
        reader.locate(&path, at.clone());
        let before = reader.count();
        let kind = reader.kind(table, &at, &path, "kind", &KINDS)?;
        let settings = reader.settings(table, &at, &path, kind, &["kind"]);
        let task = task(&settings, &path, runs, reader);
        let ask = settings.word("ask").trim().to_owned();
        task.filter(|_| reader.count() == before).map(|task| Challenge { ask, task })
    });
    challenges.collect()
}

fn task(settings: &Settings, path: &str, runs: &[&str], reader: &mut TableReader) -> Option<Task> {
    Some(match settings.kind.name {
        "mass" => Task::Mass {
            run: settings.get("run").map(|_| settings.word("run").to_owned()),
            chips: usize::try_from(settings.count("chips")).unwrap_or(MOST_CHIPS).clamp(1, MOST_CHIPS),
            at_least: settings.number("at_least"),
        },
        "number" => {
            let (run, measure) = (run(settings, path, runs, reader), measure(settings, path, reader));
            Task::Number { run: run?, measure: measure?, tolerance: settings.number("tolerance") }
        }
        "choice" => {
            let (measure, rule) = (measure(settings, path, reader), rule(settings, path, reader));
            Task::Choice { measure: measure?, rule: rule? }
        }
        _ => {
            let (run, measure) = (run(settings, path, runs, reader), measure(settings, path, reader));
            let bound = one_of(Bound::given(settings), "either at_most or at_least", path, reader);
            Task::Goal { run: run?, measure: measure?, bound: bound?, within: settings.optional_number("within") }
        }
    })
}

fn rule(settings: &Settings, path: &str, reader: &mut TableReader) -> Option<Rule> {
    let found = match settings.word("find") {
        "smallest" => Some(Rule::Smallest),
        "largest" => Some(Rule::Largest),
        _ => None,
    };
    let floors = settings.optional_number("floors").map(Rule::Floors);
    let rules = found.into_iter().chain(Bound::given(settings).map(Rule::Within)).chain(floors);
    one_of(rules, "one of find, at_most, at_least, floors", path, reader)
}

/// The only one of what is given.
fn one_of<T>(mut given: impl Iterator<Item = T>, allowed: &str, path: &str, reader: &mut TableReader) -> Option<T> {
    let problem = match (given.next(), given.next()) {
        (Some(only), None) => return Some(only),
        (None, _) => "nothing says what is right",
        _ => "more than one key says what is right",
    };
    reader.fault_at_path(ParamError::new(path, problem, allowed));
    None
}

/// The run; the only one need not be named.
fn run(settings: &Settings, path: &str, runs: &[&str], reader: &mut TableReader) -> Option<String> {
    match (settings.get("run"), runs) {
        (Some(_), _) => Some(settings.word("run").to_owned()),
        (None, [only]) => Some((*only).to_owned()),
        (None, _) => {
            let error = ParamError::new(format!("{path}.run"), "is missing", quoted(runs.iter().copied()));
            reader.fault_at_path(error);
            None
        }
    }
}

/// The measure. That none is given is said elsewhere.
fn measure(settings: &Settings, path: &str, reader: &mut TableReader) -> Option<&'static str> {
    settings.get("measure")?;
    let name = settings.word("measure");
    let keys = || challenge_measures().map(|spec| spec.key);
    let key = keys().find(|key| *key == name);
    if key.is_none() {
        let problem = format!("unknown measure \"{}\"{}", excerpt(name), suggestion(name, keys()));
        reader.fault_at_path(ParamError::new(format!("{path}.measure"), problem, quoted(keys())));
    }
    key
}
