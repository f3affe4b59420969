//! Reader of `[sweep]`.

use toml::de::{DeTable, DeValue};

use super::{Axis, MAX_QUESTIONS, Question, Sweep, USUAL_MEASURES, sweep_measures};
use crate::scenario::bound::{AT_LEAST, AT_MOST, Bound, ENDS};
use crate::scenario::near::suggestion;
use crate::scenario::read::{read_text, read_texts};
use crate::scenario::table_reader::{TableReader, found, quoted};
use base::params::{Choice, DefaultValue, Interval, KindSpec, ParamError, ParamSpec, ParamType, Settings, excerpt};

/// Keys of `[sweep]` that no table of parameters describes.
const BESIDE: [&str; 2] = ["run", "measures"];

const fn end(key: &'static str, help: &'static str) -> ParamSpec {
    ParamSpec::number(key, key, 0.0, Interval::ANY, (0.0, 1.0), help).default(DefaultValue::Required)
}

static AXIS: KindSpec = KindSpec::unlabelled(
    "axis",
    "Values of a parameter.",
    &[
        ParamSpec::of(
            "parameter",
            "parameter",
            ParamType::Text,
            DefaultValue::Required,
            "Its path: within the run, or of the target from `target.` down.",
        ),
        end("from", "The first value."),
        end("to", "The last value."),
        ParamSpec::integer("count", "count", 16.0, Interval::closed(1.0, 1000.0), (2.0, 64.0), "Number of values."),
        ParamSpec::of(
            "scale",
            "scale",
            ParamType::Choice(&[
                Choice { name: "linear", label: "linear", help: "At equal distances." },
                Choice { name: "log", label: "log", help: "In equal ratios." },
            ]),
            DefaultValue::Word("linear"),
            "How values follow each other.",
        ),
    ],
);

static QUESTION: KindSpec = KindSpec::unlabelled(
    "question",
    "The largest or smallest value of an axis, or of the cost, among the cells whose measure is within a bound.",
    &[
        ParamSpec::of("measure", "measure", ParamType::Text, DefaultValue::Required, "The measure, by its key."),
        AT_MOST,
        AT_LEAST,
        ParamSpec::of("find", "find", ENDS, DefaultValue::Required, "Which value is asked for."),
        ParamSpec::of("of", "of", ParamType::Text, DefaultValue::Required, "The parameter of an axis, or \"cost\"."),
    ],
);

static SWEEP: KindSpec = KindSpec::unlabelled(
    "sweep",
    "A grid of parameters of one run and of its target.",
    &[
        ParamSpec::of("axes", "axes", ParamType::List(&AXIS), DefaultValue::Required, "One to three axes."),
        ParamSpec::integer("seeds", "seeds", 8.0, Interval::closed(1.0, 1000.0), (1.0, 64.0), "Seeds in each cell."),
        ParamSpec::of("questions", "questions", ParamType::List(&QUESTION), DefaultValue::Absent, "What to answer."),
    ],
);

/// Reads the sweep of a document with runs of these names. Whether it suits its run is checked later.
pub(in crate::scenario) fn read(document: &DeTable<'_>, runs: &[&str], reader: &mut TableReader) -> Option<Sweep> {
    let value = document.get("sweep")?;
    let span = value.span();
    reader.locate("sweep", span.clone());
    let DeValue::Table(table) = value.get_ref() else {
        reader.fault(&span, ParamError::new("sweep", found(value), "a [sweep] table"));
        return None;
    };
    let before = reader.count();
    let settings = reader.settings(table, &span, "sweep", &SWEEP, &BESIDE);
    let run = match (read_text(table, "run", "sweep.run", reader), runs) {
        (Some(run), _) => run,
        (None, [only]) => (*only).to_owned(),
        (None, _) if table.contains_key("run") => String::new(),
        (None, _) => {
            let allowed = if runs.is_empty() { "the name of a run".to_owned() } else { quoted(runs.iter().copied()) };
            reader.fault(&span, ParamError::new("sweep.run", "is missing", allowed));
            String::new()
        }
    };
    let measures = measures(table, reader);
    let axes = settings.list("axes").iter().map(axis).collect();
    let questions = settings.list("questions");
    if questions.len() > MAX_QUESTIONS {
        let problem = format!("there are {} questions", questions.len());
        reader.fault_at_path(ParamError::new("sweep.questions", problem, format!("at most {MAX_QUESTIONS}")));
    }
    let questions =
        questions.iter().enumerate().filter_map(|(number, asked)| question(number, asked, reader)).collect();
    (reader.count() == before).then(|| Sweep { run, axes, seeds: settings.count("seeds").max(1), measures, questions })
}

fn axis(settings: &Settings) -> Axis {
    Axis {
        parameter: settings.word("parameter").to_owned(),
        from: settings.number("from"),
        to: settings.number("to"),
        count: settings.count("count"),
        log: settings.word("scale") == "log",
    }
}

fn question(number: usize, settings: &Settings, reader: &mut TableReader) -> Option<Question> {
    let path = format!("sweep.questions[{number}]");
    let mut given = Bound::given(settings);
    let bound = match (given.next(), given.next()) {
        (Some(bound), None) => Some(bound),
        (one, _) => {
            let problem = if one.is_some() { "has two bounds" } else { "has no bound" };
            reader.fault_at_path(ParamError::new(&path, problem, "either at_most or at_least"));
            None
        }
    };
    let measure = find_measure(settings.word("measure"), &format!("{path}.measure"), reader);
    let (largest, of) = (settings.word("find") == "largest", settings.word("of").to_owned());
    Some(Question { measure: measure?, bound: bound?, largest, of })
}

/// The measures of the sweep, each once.
fn measures(table: &DeTable<'_>, reader: &mut TableReader) -> Vec<&'static str> {
    if !table.contains_key("measures") {
        return USUAL_MEASURES.to_vec();
    }
    let mut keys = Vec::new();
    let before = reader.count();
    if let Some(value) = table.get("measures") {
        reader.locate("sweep.measures", value.span());
    }
    let named = read_texts(table, "measures", "sweep.measures", sweep_measures().count(), reader);
    for (number, name) in named.iter().enumerate() {
        match find_measure(name, &format!("sweep.measures[{number}]"), reader) {
            Some(key) if !keys.contains(&key) => keys.push(key),
            _ => {}
        }
    }
    if keys.is_empty() && reader.count() == before {
        reader.fault_at_path(ParamError::new("sweep.measures", "the list is empty", "one or more measures"));
    }
    keys
}

fn find_measure(name: &str, path: &str, reader: &mut TableReader) -> Option<&'static str> {
    let keys = || sweep_measures().map(|spec| spec.key);
    let key = keys().find(|key| *key == name);
    if key.is_none() {
        let problem = format!("unknown measure \"{}\"{}", excerpt(name), suggestion(name, keys()));
        reader.fault_at_path(ParamError::new(path, problem, quoted(keys())));
    }
    key
}
