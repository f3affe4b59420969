//! Tests of scenarios of data: what is proposed, and that what is written can be read and run.

use std::fs;
use std::path::Path;

use base::math::Point;
use proptest::prelude::*;

use super::*;
use crate::scenario::read;
use crate::session::Session;
use models::targets::Reading;

/// The file of the tests.
const FILE: Source<'_> = Source::File("my data.csv");

/// A sheet, in a file of a folder.
fn sheet(folder: &Path, text: &str) -> Sheet {
    fs::write(folder.join("my data.csv"), text).unwrap();
    Sheet::read(text.as_bytes(), &Reading::default()).unwrap()
}

/// The proposal for a text: question, response, predictors, and the scenario.
fn proposed(text: &str) -> (Draft, String) {
    let folder = tempfile::tempdir().unwrap();
    let sheet = sheet(folder.path(), text);
    let draft = propose(&sheet);
    let text = draft.make(&sheet, FILE, &Folder::from(folder.path())).unwrap().text;
    (draft, text)
}

fn line<'a>(text: &'a str, key: &str) -> &'a str {
    text.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(" = ")).unwrap_or_default()
}

/// Rows of two numbers, a word, a flag and a count, made by a rule.
fn rows(count: usize, row: impl Fn(usize) -> String) -> String {
    (0..count).map(|number| row(number) + "\n").collect()
}

#[test]
fn questions_follow_from_the_kinds_of_columns() {
    let number = |row: usize| (row * 7 % 11) as f64 / 4.0 - 1.0;
    let word = |row: usize| ["low", "high", "low", "middle"][row % 4];
    let cases = [
        ("id,dose,group,sick\n", rows(24, |r| format!("{r},{},{},{}", number(r), word(r), r * r % 3 % 2))),
        ("y,dose\n", rows(24, |r| format!("{},{}", number(r * r), number(r)))),
        ("dose,Visits\n", rows(24, |r| format!("{},{}", number(r), r * 5 % 7))),
        ("arm,sold\n", rows(24, |r| format!("{},{}", ["A", "B"][r % 2], ["no", "yes"][r % 5 % 2]))),
        ("toss\n", rows(24, |r| (r % 3 % 2).to_string())),
        ("a,b,species\n", rows(24, |r| format!("{},{},{}", number(r), number(r * r), word(r)))),
        ("a,b,group\n", rows(24, |r| format!("{},{},{}", number(r), number(r * r), word(r)))),
        ("a,kind\n", rows(24, |r| format!("{},{}", number(r), word(r)))),
    ];
    let expected = [
        (Question::Logistic, "sick", "1, dose, factor(group, \"low\")"),
        (Question::Linear, "y", "1, dose"),
        (Question::Counts, "Visits", "1, dose"),
        (Question::Arms, "sold", ""),
        (Question::Coin, "toss", ""),
        (Question::Classes, "species", ""),
        (Question::Linear, "b", "1, a, factor(group, \"low\")"),
        (Question::Linear, "a", "1, factor(kind, \"low\")"),
    ];
    for ((head, rows), (question, response, terms)) in cases.iter().zip(expected) {
        let folder = tempfile::tempdir().unwrap();
        let sheet = sheet(folder.path(), &format!("{head}{rows}"));
        let (draft, text) = proposed(&format!("{head}{rows}"));
        let title = draft.response.map(|index| sheet.columns[index].title());
        assert_eq!((draft.question, title.as_deref()), (question, Some(response)), "{}", draft.why);
        assert_eq!(line(&text, "terms"), if terms.is_empty() { String::new() } else { format!("{terms:?}") }, "{text}");
    }
}

#[test]
fn names_and_words_are_written_as_terms_want_them() {
    let head = "body mass,2nd,`tick`,a;b,smoker,y\n";
    let (draft, text) = proposed(&format!(
        "{head}{}",
        rows(16, |r| format!(
            "{},{},{},{},{},{}",
            r,
            r * 3 % 7,
            r * 5 % 7,
            r * r % 5,
            ["heavy \\ \u{e9}", "never"][r % 3 / 2],
            r % 3
        ))
    ));
    assert_eq!(draft.question, Question::Counts, "{}", draft.why);
    assert_eq!(line(&text, "terms"), r#""1, `body mass`, `2nd`, `a;b`, factor(smoker, \"heavy \\ é\")""#);
    assert!(draft.left_out.iter().any(|(column, why)| column == "`tick`" && why.contains("no term can name it")));
}

#[test]
fn rows_without_a_value_are_left_out_by_the_scenario() {
    let (draft, text) = proposed("x,y\n1,2.5\n2,\n3,1.5\nNA,2\n5,2.2\n6,1.1\n");
    assert_eq!((draft.missing, line(&text, "missing")), (MissingChoice::LeaveOut, "\"leave-out\""));
    assert!(text.contains("# Rows that lack a value in one of these columns are left out: 2 of 6."), "{text}");
}

#[test]
fn what_does_not_suit_is_said() {
    let folder = tempfile::tempdir().unwrap();
    let sheet = sheet(folder.path(), "x,word\n1.5,a\n2,b\n4,c\n3,a\n2.5,b\n");
    let wrong = propose_with(&sheet, Some(Question::Logistic), Some(0)).unwrap_err();
    assert_eq!(wrong, "logistic regression does not suit column \"x\"; it suits: linear, robust, groups, function");
    assert_eq!(propose_with(&sheet, Some(Question::Topics), None).unwrap_err(), "no column suits topics");
    let draft = Draft { interactions: "z:x".to_owned(), ..propose_with(&sheet, None, Some(0)).unwrap() };
    let lines = draft.make(&sheet, FILE, &Folder::from(folder.path())).unwrap_err();
    assert!(lines[0].contains("my data.csv has no column \"z\""), "{lines:?}");
}

#[test]
fn it_is_said_where_nothing_tells_the_response() {
    let rivals_of = |text: &str| -> Vec<(String, Question)> {
        let sheet = Sheet::read(text.as_bytes(), &Reading::default()).unwrap();
        rivals(&sheet).into_iter().map(|(column, question)| (column.title(), question)).collect()
    };
    let rows = rows(24, |r| format!("{},{},{}", r * 7 % 11, r * r % 13, ["low", "high", "middle"][r % 3]));
    let rivals = rivals_of(&format!("a,b,group\n{rows}"));
    let expected = [("a", Question::Counts), ("b", Question::Counts), ("group", Question::Classes)];
    assert_eq!(rivals, expected.map(|(title, question)| (title.to_owned(), question)));
    // The names tell it, or the last column does.
    assert_eq!(rivals_of(&format!("a,b,class\n{rows}")), []);
    assert_eq!(rivals_of(&format!("y,b,group\n{rows}")), []);
    assert_eq!(rivals_of("group,a\nu,1\nv,2.5\nw,3\nu,2\nv,1\nw,4\n"), []);
}

#[test]
fn the_level_of_reference_is_chosen() {
    let folder = tempfile::tempdir().unwrap();
    let of = Folder::from(folder.path());
    let text = rows(24, |r| {
        format!("{},{},{}", r * 7 % 11, ["low", "high", "low", "mid \"x\""][r % 4].replace('"', "\"\""), r % 5 + r % 3)
    })
    .lines()
    .map(|line| line.replace("mid \"\"x\"\"", "\"mid \"\"x\"\"\"") + "\n")
    .collect::<String>();
    let sheet = sheet(folder.path(), &format!("a,group,y\n{text}"));
    let mut draft = propose(&sheet);
    let factors = draft.factors(&sheet);
    assert_eq!(factors.iter().map(|column| column.title()).collect::<Vec<_>>(), ["group"]);
    assert_eq!(draft.reference(factors[0]), Some("low"), "the most frequent one");
    let levels: Vec<&str> = Draft::levels(factors[0]).iter().map(|level| level.word.as_str()).collect();
    assert_eq!(levels, ["low", "high"], "a word with a quotation mark cannot be written");
    draft.choose_reference(1, "high");
    let made = draft.make(&sheet, FILE, &of).unwrap();
    assert_eq!(line(&made.text, "terms"), r#""1, a, factor(group, \"high\")""#);
    let names = made.scenario.build().unwrap().spans[0].target.quantities().unwrap().names().to_vec();
    assert!(
        names.iter().any(|name| name == "group[low]") && !names.iter().any(|name| name == "group[high]"),
        "{names:?}"
    );
    // Of an A/B test it is arm A.
    let text = format!("arm,sold\n{}", rows(24, |r| format!("{},{}", ["new", "old"][r % 2], ["no", "yes"][r % 5 % 2])));
    let sheet = Sheet::read(text.as_bytes(), &Reading::default()).unwrap();
    let mut draft = propose(&sheet);
    let arm = |draft: &Draft| line(&draft.make(&sheet, Source::Inline(&text), &of).unwrap().text, "arm_b").to_owned();
    assert_eq!(arm(&draft), "\"new\"");
    draft.choose_reference(0, "new");
    assert_eq!(arm(&draft), "\"old\"");
}

#[test]
fn priors_are_chosen_in_the_words_of_files() {
    let folder = tempfile::tempdir().unwrap();
    let of = Folder::from(folder.path());
    let sheet = sheet(folder.path(), &format!("x,y\n{}", rows(24, |r| format!("{},{}.5", r * 7 % 11, r * r % 13))));
    let mut draft = propose(&sheet);
    let made = |draft: &Draft| draft.make(&sheet, FILE, &of).unwrap().text;
    let usual = made(&draft);
    assert_eq!(line(&usual, "prior"), "{ kind = \"normal\", mean = 0.0, sd = 2.5 }");
    draft.priors.choose(PriorOf::Coefficients, Some(PriorOf::Coefficients.parse("student-t, df=4,scale=1").unwrap()));
    draft.priors.choose(PriorOf::Sigma, Some(PriorOf::Sigma.parse("exponential,rate=2").unwrap()));
    let chosen = made(&draft);
    assert_eq!(line(&chosen, "prior"), "{ kind = \"student-t\", df = 4.0, mean = 0.0, scale = 1.0 }");
    assert_eq!(line(&chosen, "likelihood"), "{ kind = \"normal\", sigma = { kind = \"exponential\", rate = 2.0 } }");
    assert!(
        chosen.contains("half of them within about 0.7; a few may be large, in standard deviations of the response"),
        "{chosen}"
    );
    // Every kind is read back, alone and in a scenario.
    for of_what in [PriorOf::Coefficients, PriorOf::Sigma] {
        assert!(of_what.kinds().len() >= 5);
        for kind in of_what.kinds() {
            let mut draft = propose(&sheet);
            draft.standardise = false;
            draft.priors.choose(of_what, Some(of_what.parse(kind.name).unwrap()));
            let text = made(&draft);
            assert!(text.contains(&format!("kind = \"{}\"", kind.name)), "{text}");
            assert!(!prior_in_words(draft.priors.chosen(of_what).unwrap()).is_empty());
        }
    }
    for (text, problem, allowed) in [
        ("lasso", "there is no prior \"lasso\"", "flat, normal, student-t, cauchy, laplace"),
        ("normal,sd", "\"sd\" is no key with a number", "normal with mean, sd as in a file: normal,mean=0,sd=10"),
        ("normal,scale=1", "normal has no \"scale\"", "normal with mean, sd"),
        ("normal,sd=-1", "-1", ""),
    ] {
        let (found, named) = PriorOf::Coefficients.parse(text).unwrap_err();
        assert!(found.contains(problem) && named.contains(allowed), "{text}: {found}; {named}");
    }
}

#[test]
fn columns_are_centred_without_being_scaled() {
    let folder = tempfile::tempdir().unwrap();
    let of = Folder::from(folder.path());
    let sheet = sheet(folder.path(), &format!("x,y\n{}", rows(24, |r| format!("{},{}.5", r * 7 % 11, r * r % 13))));
    let usual = propose(&sheet);
    let centred = Draft { standardise: false, centre: true, ..usual.clone() }.make(&sheet, FILE, &of).unwrap();
    assert_eq!((line(&centred.text, "standardise"), line(&centred.text, "centre")), ("false", "true"));
    assert!(centred.scenario.target.flag("centre") && !centred.text.contains("[view]"));
    // Priors are by the ranges of the columns, as of columns as they are.
    let plain = Draft { standardise: false, ..usual.clone() }.make(&sheet, FILE, &of).unwrap();
    assert_eq!(line(&centred.text, "prior"), line(&plain.text, "prior"));
    assert!(!plain.text.contains("centre = ") && line(&centred.text, "terms") == "\"1, x\"");
    // Standardised ones are centred anyway.
    let both = Draft { centre: true, ..usual.clone() }.make(&sheet, FILE, &of).unwrap();
    assert_eq!(both.text, usual.make(&sheet, FILE, &of).unwrap().text);
}

/// Columns of numbers, words or flags, some cells missing.
fn columns() -> impl Strategy<Value = Vec<(u8, Vec<u32>)>> {
    (4_usize..30).prop_flat_map(|rows| prop::collection::vec((0_u8..5, prop::collection::vec(0_u32..1000, rows)), 2..6))
}

/// A file with columns of random kinds: numbers, whole numbers, words, yes/no, 0/1.
fn file(columns: &[(u8, Vec<u32>)], has_missing: bool) -> String {
    let names = ["y", "x 1", "group", "Größe", "a`b", "last"];
    let rows = columns[0].1.len();
    let mut text = names[..columns.len()].join(";") + "\n";
    for row in 0..rows {
        let cell = |(kind, values): &(u8, Vec<u32>)| match (kind, values[row]) {
            (_, value) if has_missing && value % 17 == 0 => "NA".to_owned(),
            (0, value) => format!("{},{:02}", value / 100, value % 100),
            (1, value) => (value % 40).to_string(),
            (2, value) => ["red", "dark blue", "c\"d", "é"][value as usize % 4].replace('"', "\"\""),
            (3, value) => ["no", "yes"][value as usize % 2].to_owned(),
            (_, value) => (value % 2).to_string(),
        };
        let quoted = |cell: String| if cell.contains('"') { format!("\"{cell}\"") } else { cell };
        text += &(columns.iter().map(cell).map(quoted).collect::<Vec<_>>().join(";") + "\n");
    }
    text
}

/// A scenario with few steps: those of a run that has many, and its warm-up.
fn shortened(text: &str) -> String {
    let number = |line: &str, key: &str| line.split(key).nth(1)?.split([' ', '}']).next()?.parse::<u64>().ok();
    let line = |line: &str| {
        let steps = number(line, "steps = ").filter(|_| line.starts_with("steps"));
        match (steps, number(line, "burn_in = "), number(line, "warm_up = ")) {
            (Some(300), ..) => "steps = 4".to_owned(),
            (Some(steps), ..) => format!("steps = {}", steps.min(60)),
            (_, Some(150), _) => "collect = { burn_in = 1 }".to_owned(),
            (_, Some(_), _) => "collect = { burn_in = 20 }".to_owned(),
            (_, _, Some(_)) => "warm_up = 20".to_owned(),
            _ => line.to_owned(),
        }
    };
    text.lines().map(|text| line(text) + "\n").collect()
}

/// Each chain of SGLD is worth about 150 draws along the direction in which the posterior is widest: 4/(αλ) steps for each. Of standardised
/// columns with correlation ρ it is λ = N(1 − ρ)/σ², and α is 0.2 n/N over the largest curvature. Where it takes more than 100 000 steps minibatches grow.
#[test]
fn sgld_takes_the_steps_that_its_chains_take_to_come_round() {
    let noise = |r: usize| f64::from(u32::try_from(r * 7919 % 1013).unwrap()) / 1013.0 - 0.5;
    let of = |share: f64| {
        let line = |r: usize| {
            let a = noise(r);
            let b = share * a + (1.0 - share) * noise(r + 500);
            format!("{a:.6},{b:.6},{:.6}", a + b + noise(r + 250))
        };
        let (_, text) = proposed(&format!("a,b,y\n{}", rows(400, line)));
        let at = text.find("name = \"SGLD\"").unwrap();
        let number = |key: &str| -> f64 {
            let rest = text[at..].split(key).nth(1).unwrap();
            rest.split([' ', '\n', '}']).next().unwrap().parse().unwrap()
        };
        (number("steps = "), number("burn_in = "), number("size = "), number("value = "))
    };
    let (steps, burn_in, size, alpha) = of(0.0);
    assert!(burn_in / steps < 0.11 && (size - 80.0).abs() < 0.5 && alpha > 0.0);
    // 0.9 · steps · αλ/4 = 150 with αλ = 0.2 · 80/400 and a condition of about 2: between the steps of ln σ and β.
    assert!((15_000.0..100_000.0).contains(&steps), "{steps}");
    let (more, _, larger, _) = of(0.8);
    assert!(
        more * larger > 3.0 * steps * size && larger > size && more <= 250_000.0,
        "columns that are nearly the same: {more} {larger}"
    );
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 16, max_shrink_iters: 10, ..ProptestConfig::default() })]

    /// A scenario that is written is read, built and run.
    #[test]
    fn scenarios_of_random_sheets_run(columns in columns(), has_missing in any::<bool>(), choice in 0_usize..9) {
        let folder = tempfile::tempdir().unwrap();
        let sheet = sheet(folder.path(), &file(&columns, has_missing));
        let questions = Question::of_sheet(&sheet);
        let draft = match questions.get(choice) {
            Some(question) => propose_with(&sheet, Some(*question), None),
            None => Ok(propose(&sheet)),
        };
        let Ok(draft) = draft else { return Ok(()) };
        if draft.response.is_none() {
            return Ok(());
        }
        let of = Folder::from(folder.path());
        let text = match draft.make(&sheet, FILE, &of) {
            Ok(made) => made.text,
            // What a person has still to do is said in words.
            Err(lines) => {
                let said = ["need", "lack a value", "cannot be a term", "no expression", "no name of its own", "of the class",
                    "every row of", "no row of", "is of arm", "which has no standard deviation", "has one level only", "two words",
                    "no row has", "too few data", "two terms or more", "has one row, which", "has the same value in all",
                    "leave the posterior open"];
                prop_assert!(lines.iter().any(|line| said.iter().any(|words| line.contains(words))), "{lines:?}\n{draft:?}");
                return Ok(());
            }
        };
        // The runs are short here.
        let short = shortened(&text);
        let mut session = Session::new(read(&short, "made", &of).unwrap()).unwrap();
        session.advance(u64::MAX);
        let frame = session.frame();
        let note = frame.target.data_note();
        if let Some(note) = note {
            prop_assert_eq!(note.rows, sheet.rows - draft.rows_without(&sheet));
            prop_assert_eq!(note.left_out, draft.rows_without(&sheet));
        }
        for run in &frame.runs {
            prop_assert!(run.diverged.is_empty(), "{} diverged\n{text}", run.plan.name);
        }
    }

    /// A table that is pasted gives the scenario of the file with the same text, draw by draw.
    #[test]
    fn a_pasted_table_is_the_file_of_its_text(
        columns in columns(),
        separator in prop::sample::select(vec![';', '\t', '|']),
        has_missing in any::<bool>(),
        has_header in any::<bool>(),
        end in prop::sample::select(vec!["\n", "\r\n"]),
        question in 0_usize..8,
    ) {
        let text = file(&columns, has_missing).replace(';', &separator.to_string()).replace('\n', end);
        let text = if has_header { text } else { text.split_once(end).unwrap().1.to_owned() };
        let folder = tempfile::tempdir().unwrap();
        let sheet = sheet(folder.path(), &text);
        let Ok(draft) = propose_with(&sheet, Question::of_sheet(&sheet).get(question).copied(), None) else { return Ok(()) };
        if draft.response.is_none() {
            return Ok(());
        }
        let of = Folder::from(folder.path());
        let (file, pasted) = (draft.make(&sheet, FILE, &of), draft.make(&sheet, Source::Inline(&text), &of));
        if draft.question == Question::Topics {
            let said = pasted.err().unwrap_or_default();
            prop_assert!(said.iter().any(|line| line.contains("topics are read from a file")), "{said:?}");
            return Ok(());
        }
        let (file, pasted) = match (file, pasted) {
            (Ok(file), Ok(pasted)) => (file, pasted),
            (file, pasted) => {
                // What one of them refuses, the other does.
                // But for tosses that are counted: no column needs a name then.
                let is_coin = draft.question == Question::Coin;
                prop_assert!(file.is_err() && (pasted.is_err() || is_coin), "{:?}\n{:?}", file.err(), pasted.err());
                return Ok(());
            }
        };
        prop_assert!(!pasted.text.contains("path =") && !pasted.text.contains("sha256"));
        let draws = |made: &Made| {
            let mut session = Session::new(made.scenario.clone()).unwrap();
            session.advance(5);
            let frame = session.frame();
            // The tosses of a pasted coin are counted, and have another order in minibatches.
            let at = Point::new(0.3, 0.4);
            let height = frame.target.sampled().in_plane().map(|density| density.log_density(at));
            let runs = frame.runs.iter().filter(|_| draft.question != Question::Coin);
            let all = runs.map(|run| run.plan.name.clone() + &format!("{:?}", run.positions));
            (frame.target.data_count(), height, all.collect::<Vec<_>>())
        };
        prop_assert_eq!(draws(&file), draws(&pasted));
    }
}

/// Two words for no and yes say in their names which of them a coefficient is of; 0 and 1 do not need it, and several spellings of yes are one.
#[test]
fn a_coefficient_of_yes_and_no_says_which_word_it_is_of() {
    let table = |words: &[&str]| {
        "recovered,y\n".to_owned()
            + &rows(20, |r| format!("{},{}", words[r * 7 % 11 % words.len()], r as f64 / 4.0 - 1.0))
    };
    for (words, terms) in [
        (&["yes", "no"][..], r#""1, factor(recovered, \"no\")""#),
        (&["1", "0"], "\"1, recovered\""),
        (&["yes", "no", "Yes"], "\"1, recovered\""),
    ] {
        let (draft, text) = proposed(&table(words));
        assert_eq!((draft.question, line(&text, "terms")), (Question::Linear, terms), "{text}");
    }
}

/// Tables as people have them, each with the question that its names and kinds ask.
#[test]
fn names_and_kinds_of_columns_say_what_is_asked() {
    let folder = tempfile::tempdir().unwrap();
    let schools = "school,effect,se\nA,28,15\nB,8,10\nC,-3,16\nD,7,11\nE,-1,9\nF,1,11\nG,18,10\nH,12,18\n".to_owned();
    for (text, question, response) in [
        (schools, Question::Groups, "effect"),
        ("school,se,y\nA,15,28\nB,10,8\nC,16,-3\nD,11,7\n".to_owned(), Question::Groups, "y"),
        (
            "a,b,label\n".to_owned() + &rows(30, |r| format!("{},{},{}", r * 7 % 11, r * 5 % 13, 1 + r % 3)),
            Question::Classes,
            "label",
        ),
        (
            "sick,group\n".to_owned()
                + &rows(20, |r| format!("{},{}", ["no", "yes"][r * 3 % 7 % 2], ["control", "drug"][r % 2])),
            Question::Arms,
            "sick",
        ),
        ("converted\n".to_owned() + &rows(20, |_| "0".to_owned()), Question::Coin, "converted"),
        ("x,sd\n".to_owned() + &rows(20, |r| format!("{}.5,{}.25", r * 7 % 11, r * 5 % 13)), Question::Linear, "x"),
    ] {
        let sheet = sheet(folder.path(), &text);
        let draft = propose(&sheet);
        let found = draft.response.map(|index| sheet.columns[index].title());
        assert_eq!((draft.question, found.as_deref()), (question, Some(response)), "{text}: {}", draft.why);
        for source in [FILE, Source::Inline(&text)] {
            draft.make(&sheet, source, &Folder::from(folder.path())).unwrap();
        }
    }
    for (text, words) in [("y x\n1 2\n3 4\n5 7\n", "spaces"), ("y,x\n1,2\n", "one row")] {
        let why = propose(&sheet(folder.path(), text)).why;
        assert!(why.contains(words), "{why}");
    }
}

#[test]
fn means_of_groups_are_made_of_rows_with_a_column_of_groups() {
    let folder = tempfile::tempdir().unwrap();
    let text = "year,school,score\n".to_owned()
        + &rows(24, |r| format!("{},{},{}", 2000 + r % 3, ["north", "south", "west"][r % 3], r * 7 % 11));
    let of_groups = |text: &str, response| {
        let sheet = sheet(folder.path(), text);
        propose_with(&sheet, Some(Question::Groups), response).map(|draft| (draft, sheet))
    };
    let (draft, sheet) = of_groups(&text, Some(2)).unwrap();
    assert_eq!(draft.predictors, [1], "{:?}", draft.left_out);
    for source in [FILE, Source::Inline(&text)] {
        let made = draft.make(&sheet, source, &Folder::from(folder.path())).unwrap();
        let scenario = read(&made.text, "data", Folder::from(folder.path())).unwrap();
        let mut session = Session::new(scenario).unwrap();
        session.advance(20);
        let frame = session.frame();
        let names = frame.target.quantities().unwrap().names().to_vec();
        assert!(names.iter().any(|name| name == "theta[south]") && names.iter().any(|name| name == "tau"), "{names:?}");
    }
    let alone = of_groups("a,y\nx,1.5\nx,2\nx,1\n", Some(1)).unwrap();
    let wrong = alone.0.make(&alone.1, FILE, &Folder::from(folder.path())).unwrap_err();
    assert!(wrong[0].contains("need a column that says which rows belong together"), "{wrong:?}");
    let single = of_groups("a,y\nx,1.5\nx,2\nz,1\nx,3\nx,2\nx,5\n", Some(1)).unwrap();
    let wrong = single.0.make(&single.1, FILE, &Folder::from(folder.path())).unwrap_err();
    assert!(wrong[0].contains("group \"z\" has one row"), "{wrong:?}");
    let words = of_groups("a,y\nx,1.5\nx,2\nz,1\n", Some(0)).map(|_| ()).unwrap_err();
    assert!(words.starts_with("means of groups does not suit column \"a\""), "{words}");
}
