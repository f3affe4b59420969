//! Sweeps on the command line: their files after kills, from shards and on any number of threads; their summary; errors.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

use serde_json::Value as Json;
use tempfile::TempDir;

use super::cli::{assert_drawn, call, entries, folder_with, program};

const SWEEP: &str = r#"
format = 1
title = "Sweep"
seed = 11
[target]
kind = "gaussian-grid"
[[run]]
name = "SGLD"
method = "sgld"
[[run]]
name = "cSGLD"
method = "csgld"
steps = 4000
start = { kind = "uniform", low = -5.0, high = 5.0 }
step_size = { kind = "cyclical", initial = 0.07, cycles = 10, exploration_steps = 5 }
[sweep]
run = "cSGLD"
seeds = 3
measures = ["modes_covered", "within_mode_kl", "error_xx"]
axes = [
    { parameter = "step_size.initial", from = 0.01, to = 0.16, count = 5, scale = "log" },
    { parameter = "step_size.cycles", from = 2, to = 20, count = 4 },
]
questions = [
    { measure = "within_mode_kl", at_most = 1.0, find = "largest", of = "step_size.initial" },
    { measure = "modes_covered", at_least = 1, find = "smallest", of = "cost" },
    { measure = "modes_covered", at_least = 26, find = "smallest", of = "step_size.cycles" },
]
"#;

fn sweep(folder: &TempDir, arguments: &[&str]) -> (i32, String, String) {
    call(folder, &[&["sweep", "sweep.toml"], arguments].concat())
}

/// The cells of the whole sweep, in one go.
fn whole(folder: &TempDir) -> Vec<u8> {
    let (code, out, err) = sweep(folder, &["--out", "whole", "--quiet"]);
    assert_eq!((code, out.as_str(), err.as_str()), (0, "", ""));
    cells(folder, "whole")
}

fn cells(folder: &TempDir, out: &str) -> Vec<u8> {
    fs::read(folder.path().join(out).join("cells.jsonl")).unwrap()
}

fn summary(folder: &TempDir, out: &str) -> Json {
    serde_json::from_slice(&fs::read(folder.path().join(out).join("summary.json")).unwrap()).unwrap()
}

fn names(folder: &Path) -> Vec<String> {
    entries(folder).iter().map(|path| path.file_name().unwrap().to_string_lossy().into_owned()).collect()
}

/// The same sweep of endlessly many chains: 500 chains come to it within four standard errors, and the files are not mixed.
#[test]
fn a_sweep_without_seeds_is_what_many_chains_come_to() {
    let text = r#"
format = 1
title = "Sweep"
seed = 11
[target]
kind = "gaussian-grid"
rows = 3
columns = 3
[[run]]
name = "cSGLD"
method = "csgld"
chains = 500
steps = 800
start = { kind = "uniform", low = -5.0, high = 5.0 }
step_size = { kind = "cyclical", initial = 0.05, cycles = 4, rounding = "exact", exploration_steps = 20, exploration_noise = true }
[sweep]
seeds = 1
measures = ["end_modes", "within_3sd", "error_xx", "modes_covered"]
axes = [{ parameter = "step_size.initial", from = 0.04, to = 0.06, count = 3 }]
questions = [{ measure = "within_3sd", at_least = 0.75, find = "largest", of = "step_size.initial" }]
"#;
    let folder = folder_with("sweep.toml", text);
    let (code, out, _) = sweep(&folder, &["--out", "drawn"]);
    assert!(code == 0 && out.starts_with("3 cells of 1 seeds"), "{out}");
    let (code, out, err) = sweep(&folder, &["--out", "exact", "--exact"]);
    assert_eq!(code, 0, "{err}");
    assert!(
        out.starts_with(
            "3 cells of endlessly many chains\n3 of 3 cells have a measure that is not computed: modes_covered: it counts"
        ),
        "{out}"
    );
    let (drawn, exact) = (summary(&folder, "drawn"), summary(&folder, "exact"));
    assert_eq!((&drawn["exact"], &exact["exact"]), (&Json::Null, &Json::Bool(true)));
    for cell in 0..3 {
        let value = |of: &Json, key: &str| of["cells"][cell]["measures"][key]["mean"].as_f64().unwrap();
        // A number of modes among nine, from four cycles: its standard deviation is below 1.
        for (key, error) in [("end_modes", 4.0 / 500_f64.sqrt()), ("within_3sd", 0.01), ("error_xx", 0.4)] {
            let (found, expected) = (value(&drawn, key), value(&exact, key));
            assert!((found - expected).abs() < error, "cell {cell}, {key}: {found}, exact {expected}");
        }
        let refused = &exact["cells"][cell]["measures"]["modes_covered"];
        assert!(refused["mean"].is_null() && refused["reason"].as_str().unwrap().contains("no function"), "{refused}");
    }
    let answer = &exact["answers"][0];
    assert!(answer["value"].is_number(), "{answer}");
    let (code, _, err) = sweep(&folder, &["--out", "exact"]);
    assert!(code != 0 && err.contains("another sweep"), "{err}");
}

#[test]
fn shards_in_any_order_make_the_file_of_one_run_byte_for_byte() {
    let folder = folder_with("sweep.toml", SWEEP);
    let expected = whole(&folder);
    for (shard, there) in [("2/3", 7), ("3/3", 13)] {
        let (code, out, err) = sweep(&folder, &["--out", "shards", "--shard", shard]);
        assert_eq!((code, err.as_str()), (0, ""));
        assert!(out.contains(&format!("{there} of 20 cells are there")), "{out}");
    }
    assert_eq!(names(&folder.path().join("shards")), ["cells-2-of-3.jsonl", "cells-3-of-3.jsonl"]);
    let (code, out, _) = sweep(&folder, &["--out", "shards", "--shard", "1/3"]);
    assert_eq!(code, 0);
    assert!(out.starts_with("20 cells of 3 seeds\n"), "{out}");
    assert_eq!(cells(&folder, "shards"), expected);
    assert_eq!(summary(&folder, "shards"), summary(&folder, "whole"));
}

/// Two machines without a common disk: their files are put into one folder, also those of a shard that was not finished.
#[test]
fn files_of_shards_from_elsewhere_are_merged_and_what_is_missing_is_computed() {
    let folder = folder_with("sweep.toml", SWEEP);
    let expected = whole(&folder);
    for (shard, out) in [("1/2", "one"), ("2/2", "other")] {
        assert_eq!(sweep(&folder, &["--out", out, "--shard", shard, "--quiet"]).0, 0);
    }
    let at = |name: &str| folder.path().join(name);
    fs::create_dir(at("merged")).unwrap();
    fs::copy(at("one/cells-1-of-2.jsonl"), at("merged/cells-1-of-2.jsonl")).unwrap();
    let other = fs::read(at("other/cells-2-of-2.jsonl")).unwrap();
    fs::write(at("merged/cells-2-of-2.jsonl"), &other[..other.len() - 50]).unwrap();
    assert_eq!(sweep(&folder, &["--out", "merged", "--quiet"]).0, 0);
    assert_eq!(cells(&folder, "merged"), expected);
    assert_eq!(summary(&folder, "merged"), summary(&folder, "whole"));
}

/// SIGKILL at random moments, more of them by `KILLS=100 cargo test --test it sweep::`. After each kill the file is a prefix of the whole one.
#[test]
fn a_sweep_that_is_killed_goes_on_without_loss() {
    let wanted: usize = std::env::var("KILLS").map_or(5, |kills| kills.parse().unwrap());
    // Long enough to be killed on the way.
    let folder = folder_with("sweep.toml", SWEEP.replace("steps = 4000", "steps = 60000"));
    let begun = Instant::now();
    let expected = whole(&folder);
    let all = begun.elapsed();
    let mut random = Random(17);
    let (mut kills, mut round) = (0, 0);
    while kills < wanted {
        let out = format!("killed-{round}");
        let place = folder.path().join(&out).join("cells.jsonl");
        // Kills until one sweep is complete; each lets it go on for up to a third of its time.
        loop {
            let mut child = Command::new(env!("CARGO_BIN_EXE_sampler-lab"))
                .args(["sweep", "sweep.toml", "--out", &out])
                .current_dir(&folder)
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .spawn()
                .unwrap();
            std::thread::sleep(all.mul_f64(random.share() / 3.0));
            child.kill().unwrap();
            let killed = !child.wait().unwrap().success();
            kills += usize::from(killed);
            let there = fs::read(&place).unwrap_or_default();
            assert!(expected.starts_with(&there), "no prefix after {kills} kills");
            if !killed || kills >= wanted {
                break;
            }
            // The disk may have lost a part of the last line.
            if random.share() < 0.5 && there.len() > 7 {
                fs::write(&place, &there[..there.len() - 7]).unwrap();
            }
        }
        for _ in 0..2 {
            // Once to the end, and once more with nothing left to do.
            assert_eq!(sweep(&folder, &["--out", &out, "--quiet"]).0, 0);
            assert_eq!(cells(&folder, &out), expected);
        }
        assert_eq!(summary(&folder, &out), summary(&folder, "whole"));
        round += 1;
    }
}

/// Numbers from 0 to 1 of a linear congruence (Knuth's MMIX): moments that differ from kill to kill.
struct Random(u64);

impl Random {
    fn share(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1_u64 << 53) as f64
    }
}

#[test]
fn threads_change_no_byte() {
    let folder = folder_with("sweep.toml", SWEEP);
    let expected = whole(&folder);
    for threads in ["1", "5"] {
        let arguments = ["sweep", "sweep.toml", "--out", threads, "--quiet"];
        let output = program().env("RAYON_NUM_THREADS", threads).current_dir(&folder).args(arguments).output().unwrap();
        assert!(output.status.success());
        assert_eq!(cells(&folder, threads), expected, "{threads} threads");
    }
}

/// A cell has the numbers of `run` with the parameters and the seed of the cell.
#[test]
fn cells_are_runs_of_their_scenario() {
    let folder = folder_with("sweep.toml", SWEEP);
    let text = String::from_utf8(whole(&folder)).unwrap();
    let lines: Vec<Json> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(
        (lines.len(), &lines[0]["cells"], &lines[0]["seeds"]),
        (21, &Json::from(20), &serde_json::json!([11, 12, 13]))
    );
    let cell = &lines[1 + 9];
    assert_eq!((&cell["cell"], &cell["values"][1]), (&Json::from(9), &Json::from(8.0)));
    let initial = cell["values"][0].as_f64().unwrap();
    let cell_text = SWEEP.split("[sweep]").next().unwrap().replace("cycles = 10", "cycles = 8");
    fs::write(folder.path().join("cell.toml"), cell_text.replace("initial = 0.07", &format!("initial = {initial:?}")))
        .unwrap();
    let (code, _, err) = call(&folder, &["run", "cell.toml", "--out", "cell", "--seed", "12", "--quiet"]);
    assert_eq!((code, err.as_str()), (0, ""));
    let run = &summary(&folder, "cell")["runs"][1];
    for key in ["modes_covered", "within_mode_kl"] {
        assert_eq!(cell["measures"][key][1].as_f64(), run["metrics"][key].as_f64(), "{key}");
    }
    assert_eq!(cell["evaluations"][1], run["gradient_evaluations"]);
}

/// A number of a cell.
type OfCell<'a> = &'a dyn Fn(&Json) -> f64;

/// A step size that throws chains out: these cells say so, and are not among the best, whatever the other seeds have.
#[test]
fn cells_of_which_chains_have_left_say_so() {
    let text = "format = 1\nseed = 2\n[target]\nkind = \"gaussian\"\n[[run]]\nname = \"SGLD\"\nmethod = \"sgld\"\nchains = 2\nsteps = 300\n\
                step_size = { kind = \"constant\", value = 0.1 }\n[sweep]\nrun = \"SGLD\"\nseeds = 2\nmeasures = [\"tv\"]\n\
                axes = [{ parameter = \"step_size.value\", from = 0.1, to = 1000.0, count = 3, scale = \"log\" }]\n";
    let folder = folder_with("sweep.toml", text);
    let (code, out, err) = sweep(&folder, &["--out", "all"]);
    assert_eq!(code, 0, "{err}");
    assert!(out.contains("of 3 cell") && out.contains("chains that left") && out.contains("best mean tv: "), "{out}");
    let summary = summary(&folder, "all");
    let left = |cell: usize| summary["cells"][cell]["seeds_with_chains_left"].as_u64();
    assert_eq!((left(0), left(2)), (Some(0), Some(2)));
    assert!(summary["best"][0]["cell"] == 0 && summary["best"][0]["left_out"].as_u64().is_some_and(|count| count > 0));
}

/// Spread, front and answers against the cells themselves.
#[test]
fn the_summary_says_what_the_cells_say() {
    let folder = folder_with("sweep.toml", SWEEP);
    let (code, out, _) = sweep(&folder, &["--out", "whole"]);
    assert_eq!(code, 0);
    let text = String::from_utf8(cells(&folder, "whole")).unwrap();
    let lines: Vec<Json> = text.lines().skip(1).map(|line| serde_json::from_str(line).unwrap()).collect();
    let mean = |cell: &Json, key: &str| -> f64 {
        cell["measures"][key].as_array().unwrap().iter().map(|value| value.as_f64().unwrap()).sum::<f64>() / 3.0
    };
    let summary = summary(&folder, "whole");
    for (line, cell) in lines.iter().zip(summary["cells"].as_array().unwrap()) {
        assert_eq!(
            cell["measures"]["within_mode_kl"]["mean"].as_f64().unwrap().to_bits(),
            mean(line, "within_mode_kl").to_bits()
        );
        let errors: Vec<f64> =
            line["measures"]["error_xx"].as_array().unwrap().iter().map(|value| value.as_f64().unwrap()).collect();
        let mse = errors.iter().map(|error| error * error).sum::<f64>() / 3.0;
        assert!((cell["measures"]["error_xx"]["mse"].as_f64().unwrap() / mse - 1.0).abs() < 1e-14);
    }
    // The best cells: the most modes, and the smallest error within modes and mean square.
    let best = summary["best"].as_array().unwrap();
    let squares = |cell: &Json| {
        let all = cell["measures"]["error_xx"].as_array().unwrap();
        all.iter().map(|value| value.as_f64().unwrap().powi(2)).sum::<f64>() / 3.0
    };
    let bests: [(&str, OfCell<'_>, f64); 3] = [
        ("modes_covered", &|cell| mean(cell, "modes_covered"), -1.0),
        ("within_mode_kl", &|cell| mean(cell, "within_mode_kl"), 1.0),
        ("error_xx.mse", &squares, 1.0),
    ];
    assert_eq!(best.len(), bests.len());
    // The largest step size throws the chains out.
    let stays = |cell: &usize| summary["cells"][*cell]["chains_left"] == 0;
    let compared: Vec<usize> = (0..lines.len()).filter(stays).collect();
    let left_out = lines.len() - compared.len();
    assert!(0 < left_out && left_out < lines.len());
    for (found, (name, of, sign)) in best.iter().zip(bests) {
        let top = compared.iter().map(|cell| sign * of(&lines[*cell])).fold(f64::INFINITY, f64::min);
        let cell = found["cell"].as_u64().unwrap() as usize;
        assert!(found["measure"] == name && (sign * of(&lines[cell]) - top).abs() < 1e-12, "{found}");
        assert!((sign * found["mean"].as_f64().unwrap() - top).abs() < 1e-12 && found["left_out"] == left_out);
        assert!(found["standard_error"].is_f64() && found["as_good"].as_u64().is_some_and(|count| count < 20));
        assert!(out.contains(&format!("best mean {name}: ")), "{out}");
    }
    assert!(out.contains(&format!("{left_out} of 20 cells have chains that left")), "{out}");
    // All cells cost the same, so that the front is one of two measures.
    let points: Vec<[f64; 2]> =
        lines.iter().map(|cell| [25.0 - mean(cell, "modes_covered"), mean(cell, "within_mode_kl")]).collect();
    let beaten = |point: &[f64; 2]| {
        points
            .iter()
            .any(|other| other[0] <= point[0] && other[1] <= point[1] && (other[0] < point[0] || other[1] < point[1]))
    };
    let expected: BTreeSet<u64> =
        (0..).zip(&points).filter(|(_, point)| !beaten(point)).map(|(cell, _)| cell).collect();
    let front: BTreeSet<u64> = summary["front"].as_array().unwrap().iter().map(|cell| cell.as_u64().unwrap()).collect();
    assert_eq!(front, expected);
    let answers = summary["answers"].as_array().unwrap();
    let within = lines.iter().filter(|cell| mean(cell, "within_mode_kl") <= 1.0);
    let largest = within.map(|cell| cell["values"][0].as_f64().unwrap()).fold(f64::NAN, f64::max);
    assert!(largest > 0.0 && (answers[0]["value"].as_f64().unwrap() - largest).abs() < 1e-15, "{answers:?}");
    let interval: Vec<f64> =
        answers[0]["interval"].as_array().unwrap().iter().map(|end| end.as_f64().unwrap()).collect();
    assert!(interval[0] <= largest && largest <= interval[1]);
    assert_eq!((answers[1]["value"].as_f64(), answers[2]["value"].as_f64()), (Some(4000.0), None));
    assert!(out.contains("smallest step_size.cycles with mean modes_covered at least 26: no cell"), "{out}");
    assert!(summary["slopes"]["error_xx.mse"]["axes"]["step_size.initial"]["slope"].is_f64());
}

#[test]
fn what_cannot_be_swept_is_an_error_with_a_remedy() {
    let folder = folder_with("sweep.toml", SWEEP);
    whole(&folder);
    let at = |name: &str| folder.path().join(name);
    fs::write(at("none.toml"), SWEEP.split("[sweep]").next().unwrap()).unwrap();
    fs::write(at("other.toml"), SWEEP.replace("seed = 11", "seed = 12")).unwrap();
    fs::write(at("wrong.toml"), SWEEP.replace("to = 20", "to = 5000")).unwrap();
    fs::create_dir(at("mine")).unwrap();
    fs::write(at("mine/summary.json"), "{}").unwrap();
    let cases: [(&[&str], &str); 7] = [
        (&["none.toml", "--out", "new"], "sweep: the scenario has no sweep; allowed: a [sweep] table with axes"),
        (&["wrong.toml", "--out", "new"], "step_size.cycles = "),
        (
            &["sweep.toml", "--out", "mine"],
            "was not written by a sweep; allowed: a new folder, an empty one, or one of the same sweep",
        ),
        (&["sweep.toml", "--out", "sweep.toml"], "is not a folder"),
        (&["other.toml", "--out", "whole"], "has cells of another sweep, or of another version"),
        (&["sweep.toml", "--out", "new", "--shard", "4/3"], "allowed: I/N with I from 1 to N"),
        (&["sweep.toml", "--out", "no/new"], "there is no folder"),
    ];
    for (arguments, expected) in cases {
        let (code, out, err) = call(&folder, &[&["sweep"], arguments].concat());
        assert_eq!((code, out.as_str()), (2, ""), "{arguments:?}: {err}");
        assert!(err.contains(expected), "{arguments:?}: {err}");
    }
    assert!(!at("new").exists());
    assert_eq!(fs::read_to_string(at("mine/summary.json")).unwrap(), "{}");
    // Other words in the caption, other questions: the same cells.
    let questions = SWEEP.replace("at_least = 1,", "at_least = 2,").replace("\"Sweep\"", "\"Title\"");
    fs::write(at("sweep.toml"), questions).unwrap();
    assert_eq!(sweep(&folder, &["--out", "whole", "--quiet"]).0, 0);
}

/// Three axes, one of them of the target, and measures of chains: the same bytes from shards and on one thread, and reasons beside
/// `null`.
#[test]
fn targets_and_measures_of_chains_can_be_swept() {
    let text = SWEEP.replace(
        "    { parameter = \"step_size.cycles\", from = 2, to = 20, count = 4 },\n",
        "    { parameter = \"step_size.cycles\", from = 2, to = 20, count = 2 },\n    \
         { parameter = \"target.spacing\", from = 1, to = 3, count = 3 },\n",
    );
    let text = text.replace("\"error_xx\"", "\"rhat\", \"ess_per_gradient\", \"acceptance\"");
    let folder = folder_with("sweep.toml", text.replace("chains = 1", "chains = 2"));
    let expected = whole(&folder);
    for shard in ["2/2", "1/2"] {
        assert_eq!(sweep(&folder, &["--out", "shards", "--shard", shard, "--quiet"]).0, 0);
    }
    assert_eq!(cells(&folder, "shards"), expected);
    let mut alone = Command::new(env!("CARGO_BIN_EXE_sampler-lab"));
    alone.args(["sweep", "sweep.toml", "--out", "alone", "--quiet"]).current_dir(&folder).env("RAYON_NUM_THREADS", "1");
    assert!(alone.status().unwrap().success());
    assert_eq!(cells(&folder, "alone"), expected);
    let text = String::from_utf8(expected).unwrap();
    let lines: Vec<Json> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!((lines.len(), &lines[0]["axes"][2]["parameter"]), (31, &Json::from("target.spacing")));
    assert_eq!(lines[1 + 4]["values"], serde_json::json!([0.01, 20.0, 2.0]));
    let cell = &summary(&folder, "whole")["cells"][4]["measures"];
    assert!(cell["acceptance"]["mean"].is_null() && cell["acceptance"]["reason"].is_string(), "{cell}");
    assert_eq!(lines[5]["reasons"]["acceptance"], cell["acceptance"]["reason"]);
    let (code, out, _) = call(&folder, &["check", "sweep.toml"]);
    let axes = "over step_size.initial, step_size.cycles and target.spacing";
    assert!(code == 0 && out.contains(axes), "{out}");
}

#[test]
fn what_a_run_cannot_be_measured_by_is_an_error() {
    let folder = folder_with("sweep.toml", SWEEP.replace("\"error_xx\"", "\"nll_in\""));
    let (code, _, err) = sweep(&folder, &["--out", "new"]);
    assert_eq!(code, 2, "{err}");
    assert!(
        err.contains("sweep.measures[2]: there is no \"nll_in\" here: the target predicts nothing; allowed: "),
        "{err}"
    );
    assert!(err.contains("rhat") && !err.contains("elbo"), "{err}");
}

#[test]
fn a_sweep_can_be_checked_and_drawn() {
    let folder = folder_with("sweep.toml", SWEEP);
    let (code, out, _) = call(&folder, &["check", "sweep.toml"]);
    assert_eq!(code, 0);
    assert!(out.contains("sweep: 20 cells of 3 seeds of cSGLD, over step_size.initial and step_size.cycles"), "{out}");
    let drawn = |name: &str| {
        let arguments = ["render", "sweep.toml", "--out", name, "--view", "map", "--size", "500x400"];
        assert_drawn(&call(&folder, &arguments));
        fs::read(folder.path().join(name)).unwrap()
    };
    let map = drawn("one.png");
    assert_eq!(map, drawn("other.png"));
    // The front, and the curve of a sweep over one parameter, are other pictures of the same sweep.
    let front = format!("{SWEEP}[view]\ntab = \"map\"\noptions = {{ sweep = \"front\" }}\n");
    fs::write(folder.path().join("sweep.toml"), front).unwrap();
    assert_ne!(map, drawn("front.png"));
    let second = "    { parameter = \"step_size.cycles\", from = 2, to = 20, count = 4 },\n";
    let third = "    { measure = \"modes_covered\", at_least = 26, find = \"smallest\", of = \"step_size.cycles\" },\n";
    fs::write(folder.path().join("sweep.toml"), SWEEP.replace(second, "").replace(third, "")).unwrap();
    assert_ne!(map, drawn("curve.png"));
    fs::write(folder.path().join("none.toml"), SWEEP.split("[sweep]").next().unwrap()).unwrap();
    let (code, _, err) = call(&folder, &["render", "none.toml", "--out", "none.png", "--view", "map"]);
    assert_eq!(code, 2);
    assert!(err.contains("the scenario has no sweep"), "{err}");
}
