//! Schedules of one's own: a list in a file, a list that is pasted, a formula that is typed, a line of another library; and the range test
//! of cycles.

use std::fs;

use egui::accesskit::Role;
use egui::{Key, Modifiers, Vec2, vec2};
use egui_kittest::kittest::Queryable;
use serde_json::Value as Json;

use super::app::{SCENARIO, Window, click, in_instant, number, wait_until, window_with};
use super::cli::{call, folder_with};

/// A scenario whose run has this schedule.
fn with_schedule(schedule: &str, steps: u64) -> String {
    format!(
        "format = 1\n[target]\nkind = \"gaussian\"\n[[run]]\nname = \"A\"\nmethod = \"sgld\"\nsteps = {steps}\nstep_size = {schedule}\n"
    )
}

#[test]
fn a_list_in_a_file_is_taken_and_told() {
    let folder =
        folder_with("run.toml", with_schedule("{ kind = \"list\", path = \"steps.csv\", column = \"lr\" }", 5));
    fs::write(folder.path().join("steps.csv"), "step;lr\n1;0,5\n2;0,25\n3;0,125\n").unwrap();
    let (code, text, err) = call(&folder, &["check", "run.toml"]);
    assert_eq!((code, err.as_str()), (0, ""));
    assert!(
        text.contains("A: the list has 3 step sizes for 5 steps: from step 3 on the last one stays, α = 0.125"),
        "{text}"
    );
    let (_, json, _) = call(&folder, &["schedule", "run.toml", "--as", "json"]);
    let json: Json = serde_json::from_str(&json).unwrap();
    assert_eq!(json["step_size"], serde_json::json!([0.5, 0.25, 0.125, 0.125, 0.125]));
    let (_, text, _) = call(&folder, &["schedule", "run.toml", "--as", "python"]);
    assert!(text.contains("sizes = [0.5, 0.25, 0.125]\n"), "{text}");
    let (code, _, err) = call(&folder, &["run", "run.toml", "--out", "results"]);
    assert_eq!(code, 0, "{err}");
    let summary: Json = serde_json::from_slice(&fs::read(folder.path().join("results/summary.json")).unwrap()).unwrap();
    assert!(summary["runs"][0]["remarks"][0].as_str().unwrap().contains("the list has 3 step sizes"), "{summary}");
}

#[test]
fn a_long_list_has_arrays_and_no_text() {
    let folder = folder_with("run.toml", with_schedule("{ kind = \"list\", path = \"steps.txt\" }", 20_000));
    let sizes: String = (0..20_000).map(|k| format!("{}\n", 0.1 / f64::from(k + 1))).collect();
    fs::write(folder.path().join("steps.txt"), sizes).unwrap();
    let (code, _, err) = call(&folder, &["schedule", "run.toml", "--as", "torch"]);
    assert_eq!(code, 2);
    assert!(err.contains("too long for a text") && err.contains("npy, json or toml"), "{err}");
    let (code, text, _) = call(&folder, &["schedule", "run.toml", "--as", "json"]);
    let json: Json = serde_json::from_str(&text).unwrap();
    assert_eq!((code, json["step_size"][19_999].as_f64()), (0, Some(0.1 / 20_000.0)));
}

#[test]
fn errors_of_schedules_name_their_place() {
    let folder = folder_with("steps.csv", "0.1\n0.2\nx\n");
    for (schedule, place, words) in [
        ("{ kind = \"list\", path = \"steps.csv\" }", "path", "steps.csv, line 3, column 1: \"x\" is not a number"),
        ("{ kind = \"list\", path = \"other.csv\" }", "path", "there is no such file"),
        ("{ kind = \"list\", values = \"0.1, y\" }", "values", "number 2: \"y\" is not a number"),
        ("{ kind = \"formula\", formula = \"1/t\" }", "formula", "at step 1, where t = 0, it gives inf"),
        ("{ kind = \"formula\", formula = \"a*k\" }", "parameters.a", "has no number"),
        ("{ kind = \"formula\", formula = \"StepLR(optimizer, 30)\" }", "formula", "StepLR: lr"),
    ] {
        fs::write(folder.path().join("run.toml"), with_schedule(schedule, 9)).unwrap();
        let (code, _, err) = call(&folder, &["check", "run.toml"]);
        assert_eq!(code, 2, "{err}");
        assert!(err.contains(&format!("step_size.{place}: ")) && err.contains(words), "{schedule}: {err}");
    }
}

/// A window whose first run has the schedule.
fn finished(schedule: &str) -> Window {
    finished_on("gaussian", schedule)
}

/// The same on a target.
fn finished_on(target: &str, schedule: &str) -> Window {
    let text = SCENARIO.replace("{ kind = \"constant\", value = 0.05 }", schedule).replace("100000", "4000");
    let text = text.replace("\"gaussian\"", &format!("\"{target}\""));
    let mut window = window_with(&text, Vec2::new(1440.0, 900.0));
    window.run_steps(3);
    in_instant(&mut window);
    window.run_steps(2);
    window
}

/// Replaces the text of a field, and leaves it with Enter.
fn write_anew(window: &mut Window, label: &str, text: &str) {
    window.get_by_role_and_label(Role::TextInput, label).focus();
    window.run_steps(2);
    window.key_press_modifiers(Modifiers::COMMAND, Key::A);
    window.event(egui::Event::Paste(text.to_owned()));
    window.run_steps(2);
    window.key_press(Key::Enter);
    window.run_steps(3);
}

fn kind(window: &Window) -> &'static str {
    window.state().scenario().runs[0].settings.group("step_size").unwrap().kind.name
}

#[test]
fn a_list_is_pasted() {
    let mut window = finished("{ kind = \"list\" }");
    write_anew(&mut window, "step sizes", "[0.5, 0.25, 0.125]");
    let values = |window: &Window| {
        window.state().scenario().runs[0].settings.group("step_size").unwrap().word("values").to_owned()
    };
    wait_until(&mut window, "the list", |window| values(window) == "[0.5, 0.25, 0.125]");
    wait_until(&mut window, "the remark", |window| {
        window.query_all_by_label_contains("the list has 3 step sizes for 4000 steps").next().is_some()
    });
}

#[test]
fn a_formula_is_typed_and_its_names_have_sliders() {
    let mut window = finished("{ kind = \"formula\" }");
    write_anew(&mut window, "formula", "b/k^0.6");
    wait_until(&mut window, "the formula", |window| {
        let group = window.state().scenario().runs[0].settings.group("step_size").unwrap();
        group.word("formula") == "b/k^0.6" && group.named("parameters").iter().all(|number| number.name == "b")
    });
    write_anew(&mut window, "formula", "CosineAnnealingWarmRestarts(optimizer, T_0=500, T_mult=2, lr=0.08)");
    wait_until(&mut window, "the cycles", |window| kind(window) == "cyclical");
    assert_eq!(number(&window, 0, "step_size.cycle_steps").to_bits(), 500_f64.to_bits());
}

#[test]
fn a_range_test_of_cycles_says_what_leaves_and_what_stays() {
    let mut window = finished_on("gaussian-grid", "{ kind = \"custom\", knots = [[1, 0.1], [4000, 0.01]] }");
    let at = window.get_by_role_and_label(Role::Slider, "Handle: initial step size α₀ of cSGLD").rect().center();
    window.hover_at(at + vec2(0.0, 1.0));
    window.run_steps(2);
    click(&mut window, "Range test");
    wait_until(&mut window, "the answer", |window| {
        window.query_by_label("Back to the schedule").is_some()
            && window.query_all_by_label_contains("cycles that leave a mode, half from 0.0").next().is_some()
    });
    assert!(window.query_all_by_label_contains("draws far from modes, 15 % up to 0.0").next().is_some());
}
