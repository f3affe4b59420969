//! Tests of challenges as data: reading, writing, words, errors.

use std::path::Path;

use super::super::{Bound, Scenario, read, write};
use super::{MAX_CHALLENGES, Rule, Task};

const SCENARIO: &str = "format = 1\nseed = 3\n[target]\nkind = \"gaussian-grid\"\n[[run]]\nname = \"SGLD\"\nmethod = \"sgld\"\n\
    [[run]]\nname = \"cSGLD\"\nmethod = \"csgld\"\nsteps = 1000\n";

const ALL: &str = "[[challenge]]\nkind = \"mass\"\n[[challenge]]\nkind = \"mass\"\nrun = \"SGLD\"\nchips = 12\nat_least = 0.8\n\
    [[challenge]]\nkind = \"number\"\nask = \"  How many?  \"\nrun = \"cSGLD\"\nmeasure = \"modes_covered\"\ntolerance = 3\n\
    [[challenge]]\nkind = \"choice\"\nmeasure = \"tv\"\nfind = \"smallest\"\n\
    [[challenge]]\nkind = \"choice\"\nmeasure = \"tv\"\nfind = \"largest\"\n\
    [[challenge]]\nkind = \"choice\"\nmeasure = \"rhat\"\nat_most = 1.01\n\
    [[challenge]]\nkind = \"choice\"\nmeasure = \"tv\"\nfloors = 2\n\
    [[challenge]]\nkind = \"goal\"\nrun = \"cSGLD\"\nmeasure = \"modes_covered\"\nat_least = 25\nwithin = 10000\n";

fn with(challenges: &str) -> Result<Scenario, Vec<String>> {
    let errors = |errors: super::super::ScenarioErrors| errors.errors.iter().map(ToString::to_string).collect();
    read(&format!("{SCENARIO}{challenges}"), "s.toml", Path::new("")).map_err(errors)
}

#[test]
fn challenges_are_read_and_written_and_read_again() {
    let scenario = with(ALL).unwrap();
    let tasks: Vec<&Task> = scenario.challenges.iter().map(|challenge| &challenge.task).collect();
    let run = |name: &str| name.to_owned();
    let expected = [
        Task::Mass { run: None, chips: 20, at_least: 0.6 },
        Task::Mass { run: Some(run("SGLD")), chips: 12, at_least: 0.8 },
        Task::Number { run: run("cSGLD"), measure: "modes_covered", tolerance: 3.0 },
        Task::Choice { measure: "tv", rule: Rule::Smallest },
        Task::Choice { measure: "tv", rule: Rule::Largest },
        Task::Choice { measure: "rhat", rule: Rule::Within(Bound::AtMost(1.01)) },
        Task::Choice { measure: "tv", rule: Rule::Floors(2.0) },
        Task::Goal { run: run("cSGLD"), measure: "modes_covered", bound: Bound::AtLeast(25.0), within: Some(10_000.0) },
    ];
    assert_eq!(tasks, expected.iter().collect::<Vec<_>>());
    let text = write(&scenario);
    let again = read(&text, "s.toml", Path::new("")).unwrap();
    assert_eq!((&again, write(&again)), (&scenario, text));
}

#[test]
fn challenges_change_no_result_and_count_as_a_change_of_the_file() {
    let (plain, asking) = (with("").unwrap(), with(ALL).unwrap());
    assert!(plain.runs_as(&asking) && !plain.same_but_view(&asking));
    let goal = with("[[challenge]]\nkind = \"goal\"\nrun = \"SGLD\"\nmeasure = \"tv\"\nat_most = 0.1\n").unwrap();
    assert_eq!((plain.asks(), goal.asks(), asking.asks()), (false, false, true));
}

#[test]
fn words_are_those_of_the_file_or_the_usual_ones() {
    let words: Vec<String> = with(ALL).unwrap().challenges.iter().map(super::Challenge::words).collect();
    assert_eq!(
        words,
        [
            "Where is the mass of the target?",
            "Where will the draws of SGLD be?",
            "How many?",
            "Which run will have the smallest Total variation?",
            "Which run will have the largest Total variation?",
            "Which runs will have R-hat at most 1.01?",
            "Which runs will have Total variation at most 2 times that of as many exact draws?",
            "Bring Modes covered of cSGLD to at least 25 within 10000 gradient evaluations.",
        ]
    );
}

#[test]
fn challenges_follow_the_name_of_their_run_and_end_with_it() {
    let scenario = with(ALL).unwrap();
    let renamed = scenario.with_name("cSGLD", "other").unwrap();
    let of = |scenario: &Scenario, name: &str| {
        scenario.challenges.iter().filter(|challenge| challenge.task.run() == Some(name)).count()
    };
    assert_eq!((of(&scenario, "cSGLD"), of(&renamed, "cSGLD"), of(&renamed, "other")), (2, 0, 2));
    assert_eq!(read(&write(&renamed), "s.toml", Path::new("")).unwrap(), renamed);
    // With one run there is no choice left; the file can still be read.
    let alone = scenario.without_run("cSGLD").unwrap();
    assert_eq!(of(&alone, "cSGLD"), 0);
    let again = read(&write(&alone), "s.toml", Path::new("")).unwrap();
    assert_eq!(again.challenges.len(), 2);
}

#[test]
fn errors_name_the_place_and_what_is_allowed() {
    let cases = [
        ("challenge = 3", "challenge: found the number 3; allowed: [[challenge]] tables"),
        ("[[challenge]]", "challenge[0].kind: is missing; allowed: \"mass\", \"number\", \"choice\", \"goal\""),
        ("[[challenge]]\nkind = \"numbr\"", "challenge[0].kind: unknown kind \"numbr\", did you mean \"number\"?"),
        (
            "[[challenge]]\nkind = \"number\"\nmeasure = \"tv\"",
            "challenge[0].run: is missing; allowed: \"SGLD\", \"cSGLD\"",
        ),
        (
            "[[challenge]]\nkind = \"number\"\nrun = \"SGLD\"",
            "challenge[0].measure: is missing; allowed: text in quotes",
        ),
        (
            "[[challenge]]\nkind = \"number\"\nrun = \"SGLD\"\nmeasure = \"modes_coverd\"",
            "challenge[0].measure: unknown measure \"modes_coverd\", did you mean \"modes_covered\"?",
        ),
        (
            "[[challenge]]\nkind = \"number\"\nrun = \"S\"\nmeasure = \"tv\"",
            "challenge[0].run: there is no run \"S\"; allowed: SGLD, cSGLD",
        ),
        (
            "[[challenge]]\nkind = \"number\"\nrun = \"SGLD\"\nmeasure = \"tv\"\ntolerance = -1",
            "challenge[0].tolerance: -1 is out of range; allowed: at least 0",
        ),
        (
            "[[challenge]]\nkind = \"choice\"\nmeasure = \"tv\"",
            "challenge[0]: nothing says what is right; allowed: one of find, at_most, at_least, floors",
        ),
        (
            "[[challenge]]\nkind = \"choice\"\nmeasure = \"tv\"\nfind = \"smallest\"\nat_most = 1",
            "challenge[0]: more than one key says what is right",
        ),
        (
            "[[challenge]]\nkind = \"choice\"\nmeasure = \"rhat\"\nfloors = 2",
            "challenge[0].measure: \"rhat\" has no floor from which values rise; allowed: ",
        ),
        (
            "[[challenge]]\nkind = \"goal\"\nrun = \"SGLD\"\nmeasure = \"tv\"",
            "challenge[0]: nothing says what is right; allowed: either at_most or at_least",
        ),
        (
            "[[challenge]]\nkind = \"goal\"\nrun = \"SGLD\"\nmeasure = \"tv\"\nat_most = 1\nwithin = 0",
            "challenge[0].within: 0 is out of range; allowed: above 0",
        ),
        (
            "[[challenge]]\nkind = \"mass\"\nchips = 0",
            "challenge[0].chips: 0 is not allowed; allowed: a whole number from 1 to 50",
        ),
        ("[[challenge]]\nkind = \"mass\"\nchip = 3", "challenge[0].chip: unknown key, did you mean \"chips\"?"),
        ("[[challenge]]\nkind = \"mass\"\nrun = \"none\"", "challenge[0].run: there is no run \"none\""),
    ];
    for (challenges, expected) in cases {
        // A key at the top comes before the tables.
        let text = if challenges.starts_with('[') {
            format!("{SCENARIO}{challenges}")
        } else {
            format!("{challenges}\n{SCENARIO}")
        };
        let errors = read(&text, "s.toml", Path::new("")).unwrap_err().errors;
        let errors: Vec<String> = errors.iter().map(ToString::to_string).collect();
        assert!(errors.iter().any(|error| error.contains(expected)), "{expected}: {errors:?}");
    }
}

#[test]
fn one_run_need_not_be_named_has_no_choice_and_topics_have_no_challenge() {
    let one = |target: &str, challenge: &str| {
        let text = format!(
            "format = 1\n[target]\nkind = \"{target}\"\n[[run]]\nname = \"A\"\nmethod = \"{}\"\n[[challenge]]\n{challenge}",
            if target == "topics" { "cavi" } else { "sgld" }
        );
        let errors = |errors: super::super::ScenarioErrors| errors.errors.iter().map(ToString::to_string).collect();
        read(&text, "s.toml", Path::new("")).map_err(errors).map_err(|errors: Vec<String>| errors.join("\n"))
    };
    let number = "kind = \"number\"\nmeasure = \"tv\"\n";
    assert_eq!(one("gaussian", number).unwrap().challenges[0].task.run(), Some("A"));
    let error = one("gaussian", "kind = \"choice\"\nmeasure = \"tv\"\nfind = \"smallest\"").unwrap_err();
    assert!(error.contains("challenge[0].kind: there is no choice with one run"), "{error}");
    let error = one("topics", number).unwrap_err();
    assert!(error.contains("challenge[0].kind: topics are no places"), "{error}");
}

#[test]
fn all_errors_come_at_once_and_very_many_challenges_are_one_of_them() {
    let bad = "[[challenge]]\nkind = \"goal\"\n".repeat(2);
    let errors = with(&bad).unwrap_err();
    // Of each: no run, no measure, no bound.
    assert_eq!(errors.len(), 6, "{errors:?}");
    let many = "[[challenge]]\nkind = \"mass\"\n".repeat(MAX_CHALLENGES + 1);
    assert!(with(&many).unwrap_err()[0].contains("at most 20 [[challenge]] tables"));
}
