//! Tests of data in the window: a table is dropped, the dialog says what it has and asks what it is, and a scenario is made of it.

use std::sync::Arc;

use egui::accesskit::Role;
use egui::{Event, Key, Vec2};
use egui_kittest::kittest::Queryable;
use sampler_lab::params::Settings;

use super::app::{Dropped, SCENARIO, Window, click, controls, wait_until, window_with};

const SIZE: Vec2 = Vec2::new(1366.0, 768.0);

/// A window on which a table with this text was dropped.
fn dropped(folder: &tempfile::TempDir, name: &str, text: &str) -> Window {
    let path = folder.path().join(name);
    std::fs::write(&path, text).unwrap();
    let mut window = window_with(SCENARIO, SIZE);
    window.input_mut().dropped_files.push(Arc::new(Dropped(path)));
    window.step();
    window.input_mut().dropped_files.clear();
    window
}

fn is_asked(window: &Window) -> bool {
    window.query_all_by_label_contains("What is it?").next().is_some()
}

/// Presses *Open* and waits for the scenario of the table.
fn open(window: &mut Window) {
    click(window, "Open");
    let is_open = |window: &Window| window.state().frame().scenario.title != "Two runs" && !is_asked(window);
    wait_until(window, "the scenario", is_open);
}

fn target(window: &Window) -> Settings {
    window.state().frame().scenario.target.clone()
}

#[test]
fn a_dropped_table_becomes_a_regression_in_one_click() {
    let folder = tempfile::tempdir().unwrap();
    let rows: String =
        (0..40).map(|row| format!("{},{:.2},{}\n", row, 0.1 * f64::from(row * row % 17), row % 3)).collect();
    let mut window = dropped(&folder, "doses.csv", &format!("dose,weight,y\n{rows}"));
    wait_until(&mut window, "the dialog", is_asked);
    assert!(window.query_by_label_contains("40 rows and 3 columns").is_some());
    open(&mut window);
    let target = target(&window);
    assert_eq!((target.kind.name, target.word("response")), ("regression", "y"));
    assert!(
        target.word("terms").contains("dose") && target.word("terms").contains("weight"),
        "{}",
        target.word("terms")
    );
    // It is nobody's file yet.
    assert!(!folder.path().join("doses.toml").exists());
    window.run_steps(3);
}

#[test]
fn what_is_unclear_is_asked_and_what_is_missing_is_counted() {
    let folder = tempfile::tempdir().unwrap();
    let rows: String = (1..30)
        .map(|row| {
            format!("{};1,{:03};{}\n", row, row * 7, if row == 9 { "NA".to_owned() } else { (row % 2).to_string() })
        })
        .collect();
    let mut window = dropped(&folder, "europe.csv", &format!("id;price;sold\n{rows}"));
    wait_until(&mut window, "the dialog", is_asked);
    assert!(window.query_by_label_contains("Unclear").is_some(), "1,007 may be a thousand and seven");
    window.run_steps(3);
    window.get_by_role_and_label(Role::RadioButton, "Decimal comma").click_accesskit();
    window.run_steps(3);
    wait_until(&mut window, "the other reading", |window| window.query_by_label_contains("Unclear").is_none());
    assert!(window.query_by_label_contains("1 row lacks a value").is_some());
    open(&mut window);
    let made = target(&window);
    let data = made.group("data").unwrap();
    assert_eq!((data.word("decimal"), data.word("missing")), ("comma", "leave-out"));
}

#[test]
fn a_question_and_the_roles_of_columns_are_chosen() {
    let folder = tempfile::tempdir().unwrap();
    let rows: String = (0..30)
        .map(|row| format!("{},{},{}\n", row % 7, row % 5, if row % 3 == 0 { "sick" } else { "well" }))
        .collect();
    let mut window = dropped(&folder, "people.csv", &format!("age,dose,state\n{rows}"));
    wait_until(&mut window, "the dialog", is_asked);
    assert!(window.query_all_by_label_contains("counts as 1").next().is_some());
    // Numbers are shifted only.
    window.get_by_role_and_label(Role::RadioButton, "centre").click_accesskit();
    window.run_steps(3);
    // The dose is left out.
    let roles = controls(&window, Role::ComboBox, "dose");
    roles.first().expect("a list for the column").click();
    drop(roles);
    window.run_steps(3);
    click(&mut window, "not used");
    window.run_steps(2);
    open(&mut window);
    let made = target(&window);
    assert!(made.word("terms").contains("age") && !made.word("terms").contains("dose"), "{}", made.word("terms"));
    assert_eq!(made.group("likelihood").map(|group| group.kind.name), Some("bernoulli-logit"));
    assert!(made.flag("centre") && !made.flag("standardise"));
}

#[test]
fn a_file_that_is_no_table_is_refused_and_cancel_opens_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = dropped(&folder, "ragged.csv", "a,b\n1,2\n1,2,3\n");
    wait_until(&mut window, "the reason", |window| window.query_by_label_contains("line 3 has 3 cells").is_some());
    assert!(!is_asked(&window));
    let mut window = dropped(&folder, "good.csv", "a,b\n1,2\n2,3\n3,5\n5,4\n");
    wait_until(&mut window, "the dialog", is_asked);
    window.key_press(Key::Escape);
    window.run_steps(3);
    assert!(!is_asked(&window) && window.state().frame().scenario.title == "Two runs");
}

/// A table as a spreadsheet copies it: tabs, decimal commas, a word in quotes.
fn copied() -> String {
    let row = |row: usize| {
        let group = ["control", "\"the new\"\"\"", "control", "old"][row % 4];
        format!("{},{}\t{group}\t{},5\n", row % 7, row * 3 % 10, row * row % 17)
    };
    "dose\tgroup\ty\n".to_owned() + &(0..40).map(row).collect::<String>()
}

fn choose(window: &mut Window, list: &str, entry: &str) {
    window.get_by_role_and_label(Role::ComboBox, list).click_accesskit();
    window.run_steps(3);
    click(window, entry);
    window.run_steps(3);
}

#[test]
fn a_pasted_table_stays_in_the_scenario() {
    let mut window = window_with(SCENARIO, SIZE);
    window.run_steps(3);
    window.event(Event::Paste("two lines\nof words".to_owned()));
    window.run_steps(5);
    assert!(window.state().frame().scenario.title == "Two runs" && !is_asked(&window));
    window.event(Event::Paste(copied()));
    wait_until(&mut window, "the dialog", is_asked);
    assert!(window.query_by_label_contains("Pasted table: 40 rows and 3 columns, separated by tabs").is_some());
    choose(&mut window, "group: reference", "old (10 rows)");
    window.query_all_by_label_contains("Priors: normal, sd 2.5; σ half-t, scale 2.5").next().unwrap().click();
    window.run_steps(10);
    choose(&mut window, "coefficients", "Cauchy");
    choose(&mut window, "σ of the noise", "Exponential");
    assert!(window.query_by_label_contains("some may be very large, in standard deviations of the response").is_some());
    assert!(window.query_by_label_contains("Noise of 1.0 on average").is_some());
    assert_eq!(window.unnamed_widgets(), Vec::<String>::new());
    open(&mut window);
    let made = target(&window);
    let data = made.group("data").unwrap();
    assert_eq!((data.kind.name, data.word("text")), ("inline", copied().as_str()));
    assert_eq!(made.word("terms"), "1, dose, factor(group, \"old\")");
    assert_eq!(made.group("prior").map(|prior| prior.kind.name), Some("cauchy"));
    let sigma = made.group("likelihood").and_then(|likelihood| likelihood.group("sigma"));
    assert_eq!(sigma.map(|sigma| sigma.kind.name), Some("exponential"));
    // It needs no file, and is kept with the scenario.
    let written = sampler_lab::scenario::write(&window.state().frame().scenario);
    let again = sampler_lab::scenario::read(&written, "again", std::path::Path::new("nowhere")).unwrap();
    assert_eq!(again.target, made);
    window.run_steps(3);
}

/// The choice of data in the panel asks for a file, and then what its table is, as dropping it does. Nothing changes before it is opened.
#[test]
fn data_of_a_regression_and_of_a_coin_are_chosen_from_a_file_in_the_dialog() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("doses.csv");
    let rows: String = (0..40).map(|row| format!("{},{}\n", row % 7, (row * row) % 17)).collect();
    std::fs::write(&path, format!("dose,y\n{rows}")).unwrap();
    for kind in ["regression", "beta-posterior"] {
        let text = format!(
            "format = 1\ntitle = \"Two runs\"\nseed = 7\n[target]\nkind = \"{kind}\"\n[[run]]\nname = \"x\"\n\
             method = \"langevin\"\nsteps = 50\n"
        );
        let mut window = window_with(&text, SIZE);
        window.run_steps(3);
        let before = target(&window);
        window.get_by_role_and_label(Role::ComboBox, "data").click_accesskit();
        window.run_steps(3);
        click(&mut window, "From a file");
        let asks = |window: &Window| window.query_by_role_and_label(Role::TextInput, "Path").is_some();
        wait_until(&mut window, "the field for a path", asks);
        assert!(!is_asked(&window) && target(&window) == before, "{kind}");
        window.get_by_role_and_label(Role::TextInput, "Path").focus();
        window.run_steps(2);
        window.key_press_modifiers(egui::Modifiers::COMMAND, Key::A);
        window.event(Event::Text(path.display().to_string()));
        window.run_steps(2);
        window.key_press(Key::Enter);
        wait_until(&mut window, "the dialog of data", is_asked);
        assert!(window.query_by_label_contains("doses.csv: 40 rows and 2 columns").is_some(), "{kind}");
        assert!(!asks(&window) && target(&window) == before, "{kind}");
        open(&mut window);
        let made = target(&window);
        assert_eq!((made.kind.name, made.word("response"), made.word("terms")), ("regression", "y", "1, dose"));
        assert_eq!(made.group("data").map(|data| data.kind.name), Some("csv"));
        window.run_steps(3);
    }
}

#[test]
fn the_menu_has_a_field_for_a_table() {
    let mut window = window_with(SCENARIO, SIZE);
    window.run_steps(3);
    click(&mut window, "File");
    window.run_steps(3);
    click(&mut window, "Paste a table…");
    window.run_steps(5);
    let field = |window: &Window| window.query_all_by_role(Role::MultilineTextInput).next().is_some();
    assert!(field(&window));
    window.event(Event::Paste("a;b\n1;2\n1;2;3\n".to_owned()));
    wait_until(&mut window, "the reason", |window| window.query_by_label_contains("line 3 has 3 cells").is_some());
    assert!(field(&window) && !is_asked(&window), "it can be mended");
    window.event(Event::Paste(copied()));
    wait_until(&mut window, "the dialog", is_asked);
    window.key_press(Key::Escape);
    window.run_steps(3);
    assert!(!is_asked(&window) && !field(&window) && window.state().frame().scenario.title == "Two runs");
}

#[test]
fn a_table_of_groups_becomes_a_hierarchical_model() {
    let folder = tempfile::tempdir().unwrap();
    let row = |row: usize| format!("{},{:.1}\n", ["north", "south", "west"][row % 3], 0.5 * ((row * 7) % 11) as f64);
    let rows: String = (0..30).map(row).collect();
    let mut window = dropped(&folder, "schools.csv", &format!("school,score\n{rows}"));
    wait_until(&mut window, "the dialog", is_asked);
    choose(&mut window, "What is it?", "means of groups");
    assert_eq!(window.unnamed_widgets(), Vec::<String>::new());
    open(&mut window);
    let made = target(&window);
    assert_eq!(made.group("data").map(|data| data.kind.name), Some("csv-rows"));
    window.run_steps(10);
    let frame = window.state().frame();
    let names = frame.target.quantities().unwrap().names().to_vec();
    for name in ["theta[north]", "theta[south]", "theta[west]", "tau"] {
        assert!(names.iter().any(|known| known == name), "{name} of {names:?}");
    }
    assert!(frame.runs.iter().all(|run| run.diverged.is_empty()));
    // Each group has its mean, and more than one run draws them.
    assert!(frame.runs.len() > 1 && window.query_all_by_label_contains("Coefficients").next().is_some());
}

#[test]
fn another_question_keeps_what_was_chosen_of_factors_and_priors() {
    let mut window = window_with(SCENARIO, SIZE);
    window.run_steps(3);
    window.event(Event::Paste(copied()));
    wait_until(&mut window, "the dialog", is_asked);
    choose(&mut window, "group: reference", "old (10 rows)");
    choose(&mut window, "What is it?", "robust regression");
    open(&mut window);
    assert_eq!(target(&window).word("terms"), "1, dose, factor(group, \"old\")");
}

#[test]
fn a_dropped_folder_of_texts_becomes_topics() {
    let folder = tempfile::tempdir().unwrap();
    let texts = folder.path().join("fables");
    std::fs::create_dir(&texts).unwrap();
    for number in 0..12 {
        let words = ["wolf lamb brook", "fox grapes vine", "crow cheese fox"][number % 3];
        std::fs::write(texts.join(format!("{number:02}.txt")), format!("{words} ").repeat(5 + number)).unwrap();
    }
    std::fs::write(texts.join("notes.md"), "nothing").unwrap();
    let mut window = window_with(SCENARIO, SIZE);
    window.input_mut().dropped_files.push(Arc::new(Dropped(texts)));
    window.step();
    window.input_mut().dropped_files.clear();
    wait_until(&mut window, "the topics", |window| window.state().frame().scenario.title == "Topics of fables");
    let made = target(&window);
    let corpus = made.group("corpus").unwrap();
    assert_eq!((made.kind.name, corpus.kind.name, corpus.word("path")), ("topics", "folder", "fables"));
    let corpus = &window.state().frame().target.topics().unwrap().corpus;
    assert_eq!(corpus.training.len() + corpus.held_out.len(), 12);
    window.run_steps(3);
    // A folder without texts says what is allowed.
    let empty = folder.path().join("empty");
    std::fs::create_dir(&empty).unwrap();
    window.input_mut().dropped_files.push(Arc::new(Dropped(empty)));
    window.step();
    window.input_mut().dropped_files.clear();
    wait_until(&mut window, "the reason", |window| {
        window.query_all_by_label_contains("a folder with texts, each a .txt file").next().is_some()
    });
}
