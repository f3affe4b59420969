//! Tests of the command line: exit codes, messages, files.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

use assert_cmd::Command;
use sampler_lab::scenario::{self, LESSONS};
use serde_json::json;
use tempfile::TempDir;

pub(super) const SMALL: &str = r#"
format = 1
title = "Small"
seed = 3
[target]
kind = "gaussian-grid"
[[run]]
name = "SGLD"
method = "sgld"
chains = 4
steps = 500
step_size = { kind = "constant", value = 0.01 }
collect = { burn_in = 100, thin = 4 }
"#;

pub(super) fn program() -> Command {
    Command::cargo_bin("sampler-lab").unwrap()
}

/// Runs the program in `folder` and returns its exit code, standard output and standard error.
pub(super) fn call(folder: &TempDir, arguments: &[&str]) -> (i32, String, String) {
    let Output { status, stdout, stderr } = program().current_dir(folder).args(arguments).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (status.code().unwrap(), text(stdout), text(stderr))
}

/// Asserts that a figure was drawn. What it has no space for may be told.
pub(super) fn assert_drawn((code, _, err): &(i32, String, String)) {
    assert!(*code == 0 && err.lines().all(|line| line.starts_with("warning: ")), "{code}: {err}");
}

pub(super) fn folder_with(name: &str, content: impl AsRef<[u8]>) -> TempDir {
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join(name), content).unwrap();
    folder
}

pub(super) fn entries(folder: &Path) -> Vec<PathBuf> {
    let mut found: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    found.sort();
    found
}

#[test]
fn run_writes_a_summary_and_all_draws() {
    let folder = folder_with("small.toml", SMALL);
    let (code, out, err) = call(&folder, &["run", "small.toml", "--out", "results", "--draws", "csv", "--quiet"]);
    assert_eq!((code, out.as_str(), err.as_str()), (0, "", ""));
    let summary: serde_json::Value =
        serde_json::from_slice(&fs::read(folder.path().join("results/summary.json")).unwrap()).unwrap();
    assert_eq!(summary["format"], 1);
    assert_eq!(summary["seed"], 3);
    let run = &summary["runs"][0];
    assert_eq!(run["name"], "SGLD");
    assert_eq!(run["method"], "sgld");
    assert_eq!(run["chains"], 4);
    assert_eq!(run["steps"], 500);
    assert_eq!(run["draws"], 400);
    assert_eq!(run["gradient_evaluations"], 2000.0);
    assert!(run["seconds"].as_f64().unwrap() > 0.0);
    for key in [
        "modes_visited",
        "modes_covered",
        "within_3sd",
        "mode_weight_kl",
        "within_mode_kl",
        "kl",
        "kl_reverse",
        "tv",
        "hellinger",
        "w1_x",
        "w1_y",
        "sliced_w2",
        "mmd2",
        "mean_error",
        "covariance_error",
    ] {
        assert!(run["metrics"][key].is_number(), "{key}");
        let floor = run["metrics"][format!("{key}_floor")].as_f64().unwrap();
        let end = |end: usize| run["metrics"][format!("{key}_floor_band")][end].as_f64().unwrap();
        // Nine sets of ten may find every mode, and their average be a little below.
        let room = if key.starts_with("modes_") { 0.05 * floor } else { 0.0 };
        assert!(end(0) <= floor + room && floor <= end(1) + room, "{key}_floor: {floor} from {} to {}", end(0), end(1));
    }
    let draws = fs::read_to_string(folder.path().join("results/draws/SGLD.csv")).unwrap();
    assert_eq!(draws.lines().next(), Some("chain,step,x,y,weight,cycle,stage"));
    assert_eq!(draws.lines().count(), 401);
    let mean: f64 =
        draws.lines().skip(1).map(|line| line.split(',').nth(2).unwrap().parse::<f64>().unwrap()).sum::<f64>() / 400.0;
    assert!((mean - run["mean"][0].as_f64().unwrap()).abs() < 1e-9);
}

/// A measure that does not apply is `null`, never a number: three draws of one chain in one dimension have no R̂, no
/// effective sample size, no second coordinate, no momentum and no acceptance rate.
#[test]
fn measures_that_do_not_apply_are_null() {
    let text = r#"
format = 1
title = "x"
seed = 1
[target]
kind = "beta-posterior"
data = { kind = "counts", ones = 50, n = 100 }
[[run]]
name = "short"
method = "sgld"
steps = 3
step_size = { kind = "constant", value = 1e-5 }
"#;
    let folder = folder_with("line.toml", text);
    assert_eq!(call(&folder, &["run", "line.toml", "--out", "results", "--quiet"]).0, 0);
    let summary: serde_json::Value =
        serde_json::from_slice(&fs::read(folder.path().join("results/summary.json")).unwrap()).unwrap();
    let (metrics, dynamics) = (&summary["runs"][0]["metrics"], &summary["runs"][0]["dynamics"]);
    let absent = [
        "rhat",
        "ess_bulk",
        "ess_tail",
        "mcse_mean",
        "w1_y",
        "w1_y_floor",
        "mode_weight_kl",
        "mode_switches",
        "residence",
        "modes_per_cycle",
        "coupon_collector",
        "acceptance",
    ];
    for key in absent {
        assert!(metrics.get(key).is_some_and(serde_json::Value::is_null), "{key}: {}", metrics[key]);
    }
    let present =
        ["kl", "tv", "hellinger", "w1_x", "sliced_w2", "mmd2", "within_mode_kl", "weight_ess", "ksd", "divergences"];
    for key in present {
        assert!(metrics[key].is_number(), "{key}: {}", metrics[key]);
    }
    assert!(dynamics["kinetic_temperature"].is_null());
    assert!(dynamics["alpha_lambda"].is_number() && dynamics["injected_noise"].is_number());
}

/// Of which step, chains and draws numbers are, and what has been evaluated.
#[test]
fn the_summary_says_what_its_numbers_are_of() {
    let text = r#"
format = 1
title = "x"
seed = 1
[target]
kind = "gaussian"
[[run]]
name = "walk"
method = "random-walk"
chains = 70
steps = 30
[[run]]
name = "fit"
method = "laplace"
"#;
    let folder = folder_with("two.toml", text);
    assert_eq!(call(&folder, &["run", "two.toml", "--out", "results", "--draws", "csv", "--quiet"]).0, 0);
    let summary: serde_json::Value =
        serde_json::from_slice(&fs::read(folder.path().join("results/summary.json")).unwrap()).unwrap();
    let (walk, fit) = (&summary["runs"][0], &summary["runs"][1]);
    assert_eq!((&walk["gradient_evaluations"], &walk["density_evaluations"]), (&json!(0.0), &json!(2100.0)));
    assert_eq!((&walk["dynamics"]["step"], &walk["dynamics"]["chains"]), (&json!(30), &json!(64)));
    assert_eq!((&walk["draws"], &walk["series_thinning"]), (&json!(2100), &json!(1)));
    assert!(fit["gradient_evaluations"].as_f64().unwrap() > 0.0 && fit["density_evaluations"] == 0.0);
    assert!(fit["draws"].is_null() && fit["series_thinning"].is_null());
    let written = fs::read_to_string(folder.path().join("results/draws/fit.csv")).unwrap().lines().count() - 1;
    assert_eq!(fit["fit"]["draws"], written);
}

/// The shape and the numbers of a NumPy file, after its header has been checked against the format description.
pub(super) fn read_npy(path: &Path) -> ([usize; 2], Vec<f64>) {
    let bytes = fs::read(path).unwrap();
    assert_eq!(&bytes[..8], b"\x93NUMPY\x01\x00", "magic string and version 1.0");
    let length = usize::from(u16::from_le_bytes([bytes[8], bytes[9]]));
    let (header, numbers) = bytes[10..].split_at(length);
    assert_eq!((10 + length) % 64, 0, "the numbers start at a multiple of 64 bytes");
    assert_eq!(header.last(), Some(&b'\n'));
    let header = std::str::from_utf8(header).unwrap().trim_end();
    let shape = header
        .strip_prefix("{'descr': '<f8', 'fortran_order': False, 'shape': (")
        .and_then(|rest| rest.strip_suffix("), }"))
        .and_then(|shape| shape.split_once(", "))
        .map(|(rows, columns)| [rows, columns].map(|side| side.parse().unwrap()));
    let numbers = numbers.chunks(8).map(|number| f64::from_le_bytes(number.try_into().unwrap())).collect();
    (shape.unwrap_or_else(|| panic!("no shape in {header}")), numbers)
}

#[test]
fn npy_and_csv_files_have_the_same_draws() {
    let folder = folder_with("small.toml", SMALL);
    for format in ["npy", "csv"] {
        assert_eq!(call(&folder, &["run", "small.toml", "--out", format, "--draws", format, "--quiet"]).0, 0);
    }
    let (shape, numbers) = read_npy(&folder.path().join("npy/draws/SGLD.npy"));
    let text = fs::read_to_string(folder.path().join("csv/draws/SGLD.csv")).unwrap();
    // Without cycles a draw has neither cycle nor stage: empty cells, and 0 for NumPy.
    let number = |cell: &str| if cell.is_empty() { 0.0 } else { cell.parse().unwrap() };
    let expected: Vec<f64> = text.lines().skip(1).flat_map(|line| line.split(',').map(number)).collect();
    assert_eq!(shape, [400, 7]);
    assert_eq!(numbers, expected);
}

#[test]
fn draws_leave_in_several_formats_at_once() {
    let folder = folder_with("small.toml", SMALL);
    let run = |out: &str, formats: &[&str]| {
        let draws = formats.iter().flat_map(|format| ["--draws", *format]);
        let arguments: Vec<&str> = ["run", "small.toml", "--out", out, "--quiet"].into_iter().chain(draws).collect();
        assert_eq!(call(&folder, &arguments).0, 0, "{formats:?}");
    };
    run("one", &["csv"]);
    run("list", &["csv,npy,csv"]);
    run("twice", &["csv", "npy"]);
    let read = |path: &str| fs::read(folder.path().join(path)).unwrap();
    for out in ["list", "twice"] {
        assert_eq!(entries(&folder.path().join(out).join("draws")).len(), 2, "{out}");
        assert_eq!(read(&format!("{out}/draws/SGLD.csv")), read("one/draws/SGLD.csv"));
    }
    assert_eq!(read("list/draws/SGLD.npy"), read("twice/draws/SGLD.npy"));
    let arguments = ["run", "small.toml", "--out", "z", "--draws", "csv,zarr", "--every-step"];
    let (code, _, err) = call(&folder, &arguments);
    assert!(code == 2 && err.contains("--every-step:"), "{err}");
}

#[test]
fn results_are_replaced_completely_and_other_files_are_kept() {
    let folder = folder_with("small.toml", SMALL);
    let run = |out| call(&folder, &["run", "small.toml", "--out", out, "--quiet"]);
    assert_eq!(run("results").0, 0);
    assert_eq!(run("results").0, 0);
    fs::create_dir(folder.path().join("mine")).unwrap();
    fs::write(folder.path().join("mine/thesis.txt"), "precious").unwrap();
    let (code, _, err) = run("mine");
    assert_eq!(code, 2);
    assert!(err.contains("mine/thesis.txt was not written by a run"), "{err}");
    assert_eq!(entries(&folder.path().join("mine")).len(), 1);
    fs::write(folder.path().join("results/thesis.txt"), "precious").unwrap();
    assert_eq!(run("results").0, 2, "a file among the results that is not written by a run must be kept");
    assert_eq!(run("small.toml").0, 2);
    assert_eq!(entries(folder.path()).len(), 3, "nothing is left beside the results");
}

#[test]
#[cfg(target_os = "linux")]
fn an_output_directory_that_cannot_be_written_is_refused() {
    let folder = folder_with("small.toml", SMALL);
    let (code, _, err) = call(&folder, &["run", "small.toml", "--out", "/proc/results", "--quiet"]);
    assert_eq!(code, 1);
    assert!(err.contains("/proc: cannot be written to"), "{err}");
}

#[test]
fn every_draw_is_written_even_if_the_history_is_thinned() {
    let text = SMALL
        .replace("chains = 4", "chains = 4096")
        .replace("steps = 500", "steps = 3001")
        .replace("burn_in = 100, thin = 4", "burn_in = 1, thin = 1000");
    let folder = folder_with("large.toml", text);
    assert_eq!(call(&folder, &["run", "large.toml", "--out", "results", "--draws", "npy", "--quiet"]).0, 0);
    assert_eq!(read_npy(&folder.path().join("results/draws/SGLD.npy")).0, [3 * 4096, 7]);
}

#[test]
fn runs_with_similar_names_have_separate_files() {
    let run = |name: &str| format!("[[run]]\nname = \"{name}\"\nmethod = \"sgld\"\nsteps = 10\n");
    let text = format!("format = 1\n[target]\nkind = \"gaussian\"\n{}{}", run("a b"), run("a-b"));
    let folder = folder_with("two.toml", text);
    assert_eq!(call(&folder, &["run", "two.toml", "--out", "results", "--draws", "csv", "--quiet"]).0, 0);
    assert_eq!(entries(&folder.path().join("results/draws")).len(), 2);
}

#[test]
#[cfg(target_os = "linux")]
fn a_reader_that_stops_early_and_a_full_disk_cause_no_panic() {
    let shell = |line: &str| {
        let program = env!("CARGO_BIN_EXE_sampler-lab");
        let output = std::process::Command::new("sh").args(["-c", &line.replace("LAB", program)]).output().unwrap();
        (output.status.code().unwrap(), String::from_utf8(output.stderr).unwrap())
    };
    let (_, err) = shell("LAB list --json | head -n 1");
    assert_eq!(err, "");
    let (code, err) = shell("LAB --help > /dev/full");
    assert_eq!(code, 1);
    assert_eq!(err.matches("No space left on device").count(), 1, "{err}");
    assert!(err.contains("; make room"), "{err}");
    let (code, err) = shell("LAB list > /dev/full");
    assert_eq!(code, 1);
    assert!(err.contains("standard output"), "{err}");
}

#[test]
fn render_overwrites_neither_the_scenario_nor_a_folder() {
    let folder = folder_with("small.toml", SMALL);
    assert_eq!(call(&folder, &["render", "small.toml", "--out", "small.toml"]).0, 2);
    assert_eq!(fs::read_to_string(folder.path().join("small.toml")).unwrap(), SMALL);
    fs::create_dir(folder.path().join("place.png")).unwrap();
    let (code, _, err) = call(&folder, &["render", "small.toml", "--out", "place.png"]);
    assert_eq!(code, 1);
    assert!(err.contains("is not a file"), "{err}");
}

/// All views of planar targets.
const VIEWS: &str = "window,canvas,schedule,trace,noise,truth,compare,elbo,smoothing,chain,path,coverage";

/// What a size that was asked for has no space for is told, on paper and in pixels.
#[test]
fn a_size_without_space_is_told() {
    let folder = folder_with("small.toml", SMALL);
    for size in [["--size", "300x200"], ["--mm", "79x53"]] {
        let arguments = [&["render", "small.toml", "--out", "x.png", "--view", "chain"], &size[..]].concat();
        let made = call(&folder, &arguments);
        assert_drawn(&made);
        assert!(made.2.contains("has no space for the name of its horizontal axis"), "{size:?}: {}", made.2);
    }
}

#[test]
fn a_diverged_run_can_be_drawn() {
    let folder =
        folder_with("wild.toml", SMALL.replace("value = 0.01", "value = 1.0").replace("gaussian-grid", "gaussian"));
    let arguments = ["render", "wild.toml", "--out", "x.png", "--view", VIEWS, "--size", "600x400"];
    assert_drawn(&call(&folder, &arguments));
}

#[test]
fn the_summary_says_what_failed() {
    let folder = folder_with("wild.toml", SMALL.replace("value = 0.01", "value = 1.0"));
    assert_eq!(call(&folder, &["run", "wild.toml", "--out", "results", "--quiet"]).0, 0);
    let summary: serde_json::Value =
        serde_json::from_slice(&fs::read(folder.path().join("results/summary.json")).unwrap()).unwrap();
    let warning = summary["runs"][0]["warnings"][0].as_str().unwrap();
    assert!(
        warning.contains("left the target") && warning.ends_with("; stable below α = 0.06 at the mode"),
        "{warning}"
    );
}

#[test]
fn the_seed_can_be_chosen() {
    let folder = folder_with("small.toml", SMALL);
    let mean = |seed: &str| {
        assert_eq!(call(&folder, &["run", "small.toml", "--out", "results", "--quiet", "--seed", seed]).0, 0);
        let summary: serde_json::Value =
            serde_json::from_slice(&fs::read(folder.path().join("results/summary.json")).unwrap()).unwrap();
        summary["runs"][0]["mean"].to_string()
    };
    assert_eq!(mean("3"), mean("3"));
    assert_ne!(mean("3"), mean("4"));
}

/// A text of an SVG, which is in pieces where its letters are moved.
fn whole(text: &roxmltree::Node<'_, '_>) -> String {
    text.descendants().filter(|piece| piece.is_text()).filter_map(|piece| piece.text()).collect()
}

/// The same drawing as paths and text, whose scenario is that of the PNG.
#[test]
fn render_writes_svg_and_pdf_by_the_extension() {
    let folder = folder_with("small.toml", SMALL);
    for name in ["one.svg", "two.svg", "one.pdf", "two.pdf", "one.png"] {
        assert_drawn(&call(&folder, &["render", "small.toml", "--out", name, "--size", "800x500"]));
    }
    let read = |name: &str| fs::read_to_string(folder.path().join(name)).unwrap();
    let one = read("one.svg");
    assert_eq!(one, read("two.svg"));
    let document = roxmltree::Document::parse(&one).unwrap();
    let texts: Vec<String> = document
        .descendants()
        .filter(|node| node.has_tag_name(("http://www.w3.org/2000/svg", "text")))
        .map(|text| whole(&text))
        .collect();
    for words in ["Grid of Gaussians (rows 5", "variance ×", "SGLD", "Small"] {
        assert!(texts.iter().any(|text| text.contains(words)), "{words} in {texts:?}");
    }
    let (code, out, _) = call(&folder, &["check", "one.svg"]);
    assert_eq!(code, 0, "a picture is a scenario too");
    assert_eq!(out.replace("one.svg", ""), call(&folder, &["check", "one.png"]).1.replace("one.png", ""));
    let bytes = |name: &str| fs::read(folder.path().join(name)).unwrap();
    assert_eq!(bytes("one.pdf"), bytes("two.pdf"));
    let (code, again, _) = call(&folder, &["check", "one.pdf"]);
    assert_eq!((code, again.replace("one.pdf", "")), (0, out.replace("one.svg", "")));
}

/// Sizes on paper: by name, in millimetres and in inches, each with its pixels per inch in the file.
#[test]
fn render_takes_sizes_on_paper() {
    let folder = folder_with("small.toml", SMALL);
    let made = |options: &[&str]| {
        let arguments = [&["render", "small.toml", "--out", "x.png", "--view", "schedule"], options].concat();
        let (code, _, err) = call(&folder, &arguments);
        assert_eq!((code, err.as_str()), (0, ""), "{options:?}");
        let bytes = fs::read(folder.path().join("x.png")).unwrap();
        let reader = png::Decoder::new(std::io::Cursor::new(&bytes)).read_info().unwrap();
        let info = reader.info();
        let per_metre = info.pixel_dims.unwrap().xppu;
        ([info.width, info.height], (f64::from(per_metre) * 0.0254).round())
    };
    assert_eq!(made(&["--preset", "column"]), ([1004, 756], 300.0));
    assert_eq!(made(&["--preset", "column", "--dpi", "600"]), ([2008, 1512], 600.0));
    assert_eq!(made(&["--preset", "slide"]), ([1920, 1080], 144.0));
    assert_eq!(made(&["--mm", "85x64", "--text", "9"]), ([1004, 756], 300.0));
    assert_eq!(made(&["--inches", "3.5x2.5", "--dpi", "200"]), ([700, 500], 200.0));
    for (options, allowed) in [
        (&["--mm", "85x2"][..], "--mm: a side cannot be 2 mm; allowed: 29 to"),
        (&["--inches", "3x0.01", "--dpi", "300"], "--inches: a side cannot be 0.01 in; allowed:"),
        (&["--size", "3x1000"], "--size: a side cannot be 3 px; allowed:"),
        (&["--mm", "85"], "write it as WIDTHxHEIGHT"),
        (&["--preset", "column", "--dpi", "5000"], "--dpi: the resolution cannot be 5000 dpi; allowed: 36 to 1200 dpi"),
        (&["--mm", "85x64", "--dpi", "5"], "--dpi: the resolution"),
        (&["--mm", "85x64", "--text", "0.1"], "--text: text cannot have 0.1 pt; allowed: 4 to 72 pt"),
        (
            &["--size", "1600x1000", "--scale", "0"],
            "--scale: 0 pixels per point are not possible; allowed: 0.375 to 12.5",
        ),
        (&["--preset", "column", "--mm", "85x2"], "--mm: a side cannot be 2 mm"),
        (&["--preset", "none"], "[possible values: screen"),
        (&["--without", "beauty"], "[possible values: title"),
    ] {
        let arguments = [&["render", "small.toml", "--out", "y.png"], options].concat();
        let (code, _, err) = call(&folder, &arguments);
        assert_eq!(code, 2, "{options:?}");
        assert!(err.contains(allowed), "{options:?}: {err}");
    }
    assert!(!folder.path().join("y.png").exists());
}

/// A run that moves, over steps and over a parameter, with the scenario inside.
#[test]
fn render_draws_figures_that_move() {
    let folder = folder_with("small.toml", SMALL);
    let made = |out: &str, options: &[&str]| {
        let arguments =
            [&["render", "small.toml", "--out", out, "--size", "300x240", "--frames", "4"], options].concat();
        call(&folder, &arguments)
    };
    for (out, options) in [
        ("steps.gif", &[][..]),
        ("again.gif", &[]),
        ("steps.apng", &["--view", "canvas"]),
        ("number.gif", &["--over", "SGLD.steps", "--from", "200", "--to", "500"]),
        ("usual.gif", &["--over", "SGLD.step_size.value"]),
    ] {
        let (code, _, err) = made(out, options);
        assert_eq!((code, err.as_str()), (0, ""), "{out}");
        let (code, out, _) = call(&folder, &["check", out]);
        assert_eq!(code, 0, "a figure that moves is a scenario too: {out}");
    }
    let bytes = |name: &str| fs::read(folder.path().join(name)).unwrap();
    assert_eq!(bytes("steps.gif"), bytes("again.gif"));
    let reader = png::Decoder::new(std::io::Cursor::new(bytes("steps.apng"))).read_info().unwrap();
    assert_eq!(reader.info().animation_control.map(|control| control.num_frames), Some(4));
    for (options, allowed) in [
        (&["--over", "SGLD.beauty"][..], "steps, gradients, or a run and a parameter"),
        (&["--over", "SGLD.steps", "--from", "nan", "--to", "3"], "allowed: a number"),
        (&["--over", "SGLD.steps", "--from", "-5", "--to", "3"], "SGLD.steps"),
        (&["--fps", "0"], "allowed: a whole number from 1 to 50"),
    ] {
        let (code, _, err) = made("wrong.gif", options);
        assert_ne!(code, 0, "{options:?}");
        assert!(err.contains(allowed), "{options:?}: {err}");
    }
    assert!(!folder.path().join("wrong.gif").exists());
}

/// Several views of a scenario, and all scenarios of a folder.
#[test]
fn render_draws_several_views_and_folders() {
    let folder = folder_with("small.toml", SMALL);
    let exists = |name: &str| folder.path().join(name).is_file();
    let views = ["--view", "window,canvas,readout,schedule", "--size", "500x400"];
    assert_drawn(&call(&folder, &[&["render", "small.toml", "--out", "x.png"], &views[..]].concat()));
    assert!(
        exists("x-sheet.png")
            && exists("x-canvas-1.png")
            && exists("x-readout.png")
            && exists("x-schedule.png")
            && !exists("x.png")
    );
    fs::create_dir(folder.path().join("all")).unwrap();
    fs::write(folder.path().join("other.toml"), SMALL).unwrap();
    let arguments = ["render", ".", "--out", "all", "--format", "svg", "--size", "500x400"];
    assert_drawn(&call(&folder, &arguments));
    assert!(exists("all/small.svg") && exists("all/other.svg"));
    let (code, _, err) = call(&folder, &["render", ".", "--out", "x.png"]);
    assert_eq!(code, 2);
    assert!(err.contains("a folder that exists"), "{err}");
    let (code, _, err) = call(&folder, &["render", "all", "--out", "all"]);
    assert_eq!(code, 2);
    assert!(err.contains("has no .toml files"), "{err}");
    // One that is wrong is told before any is drawn.
    fs::write(folder.path().join("wrong.toml"), SMALL.replace("sgld", "sgdl")).unwrap();
    fs::remove_file(folder.path().join("all/small.svg")).unwrap();
    let (code, _, err) = call(&folder, &arguments);
    assert_eq!(code, 2);
    assert!(err.contains("wrong.toml") && !exists("all/small.svg"), "{err}");
}

/// What stands beside the plots is there or not, as was asked for.
#[test]
fn render_shows_the_parts_that_are_asked_for() {
    let folder = folder_with("small.toml", SMALL);
    let texts = |options: &[&str]| {
        let arguments = [&["render", "small.toml", "--out", "x.svg", "--view", "canvas"], options].concat();
        assert_eq!(call(&folder, &arguments).0, 0);
        let svg = fs::read_to_string(folder.path().join("x.svg")).unwrap();
        let document = roxmltree::Document::parse(&svg).unwrap();
        let texts = document.descendants().filter(|node| node.tag_name().name() == "text");
        texts.map(|text| whole(&text)).collect::<Vec<_>>()
    };
    let has = |texts: &[String], words: &str| texts.iter().any(|text| text == words);
    let usual = texts(&[]);
    assert!(has(&usual, "SGLD") && has(&usual, "x") && !has(&usual, "Small"), "{usual:?}");
    assert!(usual.iter().any(|text| text.contains("Small · ")), "the title is in the footer: {usual:?}");
    let bare = texts(&["--without", "legend,axis-labels,footer"]);
    assert!(!has(&bare, "SGLD") && !has(&bare, "x") && !bare.iter().any(|text| text.contains("seed")), "{bare:?}");
    assert!(bare.iter().any(|text| text.parse::<f64>().is_ok()), "ticks stay: {bare:?}");
    assert!(has(&texts(&["--with", "title"]), "Small"));
}

#[test]
fn render_gives_the_same_bytes_twice_with_the_scenario_inside() {
    let folder = folder_with("small.toml", SMALL);
    for name in ["one.png", "two.png"] {
        assert_drawn(&call(&folder, &["render", "small.toml", "--out", name, "--size", "800x500"]));
    }
    let one = fs::read(folder.path().join("one.png")).unwrap();
    assert_eq!(one, fs::read(folder.path().join("two.png")).unwrap());
    let mut reader = png::Decoder::new(std::io::Cursor::new(&one)).read_info().unwrap();
    assert_eq!((reader.info().width, reader.info().height), (800, 500));
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    reader.next_frame(&mut pixels).unwrap();
    let middle: std::collections::HashSet<&[u8]> = pixels.chunks(4).skip(800 * 200).take(800 * 100).collect();
    assert!(middle.len() > 50, "the middle of the picture is blank: {} colours", middle.len());
    let (code, out, _) = call(&folder, &["check", "one.png"]);
    assert_eq!(code, 0, "a picture is a scenario too");
    assert!(out.contains("1 run"), "{out}");
}

#[test]
fn check_names_what_has_no_effect() {
    let text = format!("{SMALL}\n[view]\nzoom = 3\nlocked = [\"sead\"]\n");
    let folder = folder_with("small.toml", &text);
    let (code, out, err) = call(&folder, &["check", "small.toml"]);
    assert!(code == 0 && out.contains("valid"), "{out}");
    assert_eq!(
        err.lines().collect::<Vec<_>>(),
        [
            "small.toml: warning: view.zoom: this version does not know the entry, and keeps it",
            "small.toml: warning: view.locked: nothing here is called \"sead\""
        ]
    );
}

/// A sweep that cannot be run is no valid one, in words and as JSON.
#[test]
fn check_reads_the_sweep() {
    let of = |measure: &str| {
        let axis = "{ parameter = \"step_size.initial\", from = 0.01, to = 0.1, count = 2 }";
        let sweep = format!("[sweep]\nrun = \"A\"\nseeds = 1\nmeasures = [\"{measure}\"]\naxes = [{axis}]\n");
        folder_with("sweep.toml", format!("{VIEWED}{sweep}"))
    };
    for (measure, is_valid) in [("tv", true), ("nll_in", false)] {
        let folder = of(measure);
        let (code, out, _) = call(&folder, &["check", "sweep.toml"]);
        assert_eq!((code == 0, out.contains(": valid")), (is_valid, is_valid), "{out}");
        let (code, out, _) = call(&folder, &["check", "--json", "sweep.toml"]);
        let found: serde_json::Value = serde_json::from_str(&out).unwrap();
        assert_eq!((code == 0, found["valid"].as_bool()), (is_valid, Some(is_valid)), "{out}");
        assert_eq!(found["errors"].is_array(), !is_valid, "{out}");
    }
}

const VIEWED: &str = r#"
format = 1
title = "Viewed"
[target]
kind = "three-modes"
[[run]]
name = "A"
method = "csgld"
chains = 2
steps = 80
step_size = { kind = "cyclical", cycles = 4 }
[[run]]
name = "B"
method = "svi"
steps = 80
"#;

/// Tabs with options that change what they show, and others. `ROUNDS=100` makes as many figures.
#[test]
fn a_figure_obeys_the_view_and_is_the_same_when_it_is_made_again_from_itself() {
    const OPTIONS: [(&str, &str); 14] = [
        ("schedule", "log = true"),
        ("schedule", "steps = [10, 60]"),
        ("trace", "coordinate = \"y\""),
        ("trace", "steps = [5, 50]"),
        ("noise", "both = true"),
        ("noise", "log_steps = false"),
        ("noise", "coordinate = \"x\", steps = [2, 30]"),
        ("chain", "coordinate = \"y\""),
        ("truth", "measure = \"kl\", repeats = 2"),
        ("truth", "log = false, repeats = 2"),
        ("compare", "repeats = 1"),
        ("path", "cycle = 1"),
        ("elbo", ""),
        ("coverage", ""),
    ];
    let rounds: usize = std::env::var("ROUNDS").ok().and_then(|rounds| rounds.parse().ok()).unwrap_or(OPTIONS.len());
    let pixels = |folder: &tempfile::TempDir, name: &str| {
        let file = std::io::BufReader::new(fs::File::open(folder.path().join(name)).unwrap());
        let mut reader = png::Decoder::new(file).read_info().unwrap();
        let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
        reader.next_frame(&mut pixels).unwrap();
        pixels
    };
    for round in 0..rounds {
        let (tab, options) = OPTIONS[round % OPTIONS.len()];
        let more = ["", "axis = \"gradients\"\n", "step = 70\n", "draws = \"by-chain\"\nlayers = [\"contours\"]\n"];
        let view = format!("[view]\n{}", more[round % 4]);
        let picture = if round % 5 == 4 { "window" } else { tab };
        // What shows noise floors is on the line, where they are computed twenty times as fast.
        let target = if ["truth", "compare", "window"].contains(&picture) { "double-well" } else { "three-modes" };
        let runs = VIEWED.replace("three-modes", target);
        let text = format!("{runs}\n{view}tab = \"{tab}\"\noptions = {{ {options} }}\n");
        let folder = folder_with("small.toml", &text);
        fs::write(folder.path().join("plain.toml"), format!("{runs}\n{view}")).unwrap();
        for (from, to) in [
            ("small.toml", "a.png"),
            ("a.png", "b.png"),
            ("small.toml", "a.pdf"),
            ("a.pdf", "b.pdf"),
            ("a.pdf", "c.png"),
        ] {
            assert_drawn(&call(&folder, &["render", from, "--out", to, "--view", picture, "--size", "500x400"]));
        }
        let bytes = |name: &str| fs::read(folder.path().join(name)).unwrap();
        assert!(bytes("a.png") == bytes("b.png") && bytes("a.pdf") == bytes("b.pdf"), "{picture}: {text}");
        assert!(bytes("a.png") == bytes("c.png"), "a figure of a PDF: {text}");
        if picture == tab && !options.is_empty() && tab != "compare" && tab != "path" {
            let plain =
                ["render", "plain.toml", "--out", "plain.png", "--view", tab, "--size", "500x400", "--repeats", "2"];
            assert_eq!(call(&folder, &plain).0, 0);
            assert!(pixels(&folder, "a.png") != pixels(&folder, "plain.png"), "{options} changes nothing in {tab}");
        }
    }
}

/// Pictures have the same bytes at every time, and seconds have not.
#[test]
fn render_refuses_seconds_before_it_begins() {
    let topics = "format = 1\n[target]\nkind = \"topics\"\ncorpus = { kind = \"bars\", side = 4, documents = 60 }\n\
                  [[run]]\nname = \"a\"\nmethod = \"svi\"\nsteps = 20\n[view]\naxis = \"seconds\"\n";
    let folder = folder_with("topics.toml", topics);
    let render = |more: &[&str]| {
        let arguments = ["render", "topics.toml", "--out", "x.png", "--size", "600x400", "--force"];
        call(&folder, &arguments.into_iter().chain(more.iter().copied()).collect::<Vec<_>>())
    };
    for view in ["heldout", "window"] {
        let (code, _, err) = render(&["--view", view]);
        assert!(code == 2 && err.contains("--against") && err.contains("in the window only"), "{view}: {err}");
        assert!(!folder.path().join("x.png").exists());
    }
    for others in [&["--view", "heldout", "--against", "gradients"][..], &["--view", "topics"], &["--view", "schedule"]]
    {
        let (code, _, err) = render(others);
        assert_eq!(code, 0, "{others:?}: {err}");
    }
}

#[test]
fn every_view_can_be_rendered() {
    let folder = folder_with("small.toml", SMALL);
    for theme in ["light", "dark"] {
        let out = format!("{theme}.png");
        let arguments = ["render", "small.toml", "--out", &out, "--view", VIEWS, "--theme", theme, "--size", "400x300"];
        let (code, _, err) = call(&folder, &arguments);
        assert_eq!(code, 0, "{theme}: {err}");
        let is_view = |path: &&PathBuf| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(theme));
        let pictures = entries(folder.path()).iter().filter(is_view).count();
        assert!(pictures >= VIEWS.split(',').count(), "{theme}: {pictures}");
    }
    for draws in ["by-chain", "ensemble", "hidden"] {
        let options = ["--view", "canvas", "--draws", draws, "--arrows", "--size", "400x300"];
        let arguments: Vec<&str> = ["render", "small.toml", "--out", "x.png"].into_iter().chain(options).collect();
        assert_eq!(call(&folder, &arguments).0, 0, "{draws}");
    }
    let (code, _, err) = call(&folder, &["render", "small.toml", "--out", "x.png", "--view", "canvas", "--run", "HMC"]);
    assert_eq!(code, 2);
    assert!(err.contains("HMC") && err.contains("SGLD"), "{err}");
}

#[test]
fn maps_of_classes_are_complete_in_a_picture() {
    let moons = "format = 1\ntitle = \"Moons\"\n[target]\nkind = \"network\"\nhidden = 3\n[target.data]\nkind = \"moons\"\n\
                 [[run]]\nname = \"A\"\nmethod = \"sgld\"\nsteps = 200\n[view]\ntab = \"maps\"\n";
    let folder = folder_with("moons.toml", moons);
    let picture = |file: &str, view: &str| {
        let arguments = ["render", file, "--out", "x.png", "--view", view, "--size", "500x400", "--force"];
        let (code, _, err) = call(&folder, &arguments);
        assert_eq!(code, 0, "{err}");
        std::fs::read(folder.path().join("x.png")).unwrap()
    };
    let pictures = ["probability", "entropy", "information"].map(|quantity| {
        let file = format!("{quantity}.toml");
        let text = format!("{moons}options = {{ quantity = \"{quantity}\" }}\n");
        std::fs::write(folder.path().join(&file), text).unwrap();
        let first = picture(&file, "maps");
        assert_eq!(first, picture(&file, "maps"), "{quantity}");
        first
    });
    assert!(pictures[0] != pictures[1] && pictures[1] != pictures[2]);
    assert_ne!(picture("moons.toml", "reliability"), pictures[0]);
    picture("moons.toml", "window");
    // Of a few draws, and of a target without classes, there is still a picture.
    let late = "steps = 200\ncollect = { kind = \"collect\", burn_in = 199 }";
    std::fs::write(folder.path().join("few.toml"), moons.replace("steps = 200", late)).unwrap();
    assert_ne!(picture("few.toml", "maps"), pictures[0]);
    std::fs::write(folder.path().join("small.toml"), SMALL).unwrap();
    picture("small.toml", "maps");
}

#[test]
fn weight_space_is_complete_in_a_picture() {
    let network = "format = 1\ntitle = \"Weights\"\n[target]\nkind = \"network\"\nhidden = 3\n\
                   [[run]]\nname = \"A\"\nmethod = \"sgld\"\nsteps = 400\nchains = 3\nstart = { kind = \"prior\" }\n\
                   step_size = { kind = \"constant\", value = 1e-5 }\n[view]\ntab = \"weights\"\n";
    let folder = folder_with("small.toml", SMALL);
    let picture = |file: &str, text: &str, theme: &str| {
        std::fs::write(folder.path().join(file), text).unwrap();
        let arguments =
            ["render", file, "--out", "x.png", "--view", "weights", "--size", "500x400", "--force", "--theme", theme];
        let (code, _, err) = call(&folder, &arguments);
        assert_eq!(code, 0, "{err}");
        std::fs::read(folder.path().join("x.png")).unwrap()
    };
    let mut seen = Vec::new();
    for name in ["weights", "functions", "plane", "path"] {
        let text = format!("{network}options = {{ picture = \"{name}\" }}\n");
        let first = picture("a.toml", &text, "light");
        assert_eq!(first, picture("a.toml", &text, "light"), "{name}");
        assert!(!seen.contains(&first) && first != picture("a.toml", &text, "dark"), "{name}");
        seen.push(first);
    }
    // Of a few draws, and of a target without weights, there is still a picture.
    let late = "steps = 400\ncollect = { kind = \"collect\", burn_in = 399 }";
    picture("few.toml", &network.replace("steps = 400", late), "light");
    picture("small.toml", SMALL, "light");
}

#[test]
fn approximations_have_a_fit_in_the_summary_draws_and_pictures() {
    let text = r#"
format = 1
seed = 4
[target]
kind = "bivariate-mixture"
[[run]]
name = "Laplace"
method = "laplace"
at = "modes"
[[run]]
name = "SVI"
method = "svi"
steps = 200
draws = 50
gradient = { kind = "minibatch", size = 10 }
step_size = { kind = "constant", value = 0.1 }
[[run]]
name = "SGLD"
method = "sgld"
steps = 200
step_size = { kind = "constant", value = 0.002 }
"#;
    let folder = folder_with("fits.toml", text);
    let (code, _, err) = call(&folder, &["run", "fits.toml", "--out", "results", "--draws", "csv", "--quiet"]);
    assert_eq!((code, err.as_str()), (0, ""));
    let summary: serde_json::Value =
        serde_json::from_slice(&fs::read(folder.path().join("results/summary.json")).unwrap()).unwrap();
    let fit = &summary["runs"][0]["fit"];
    for (key, expected) in [("evidence", -184.29141), ("elbo", -186.3254), ("kl_qp", 1.1779), ("kl_pq", 0.2042)] {
        assert!((fit[key].as_f64().unwrap() - expected).abs() < 1e-4, "{key}: {}", fit[key]);
    }
    assert_eq!((fit["components"].as_array().unwrap().len(), &fit["states"][1]), (2, &"converged".into()));
    assert!(fit["mean"][0].is_number() && fit["covariance"][1][0].is_number());
    assert!(summary["runs"][1]["fit"]["evidence"].is_null() && summary["runs"][1]["fit"]["elbo"].is_number());
    assert!(summary["runs"][2]["fit"].is_null() && summary["runs"][0]["mean"].is_null());
    let draws = fs::read_to_string(folder.path().join("results/draws/SVI.csv")).unwrap();
    assert_eq!(draws.lines().count(), 51);
    for view in ["window", "canvas", "elbo", "smoothing", "compare"] {
        let arguments =
            ["render", "fits.toml", "--out", "x.png", "--view", view, "--size", "500x300", "--repeats", "2"];
        assert_eq!(call(&folder, &arguments).0, 0, "{view}");
    }
}

#[test]
fn lists_contain_all_names() {
    let folder = TempDir::new().unwrap();
    let (code, out, _) = call(&folder, &["list"]);
    assert_eq!(code, 0);
    for name in
        ["gaussian-grid", "bivariate-mixture", "beta-posterior", "sgld", "csgld", "cyclical", "authors-code", "tv"]
    {
        assert!(out.contains(name), "{name}");
    }
    let (_, out, _) = call(&folder, &["list", "targets", "--json"]);
    let json: serde_json::Value = serde_json::from_str(&out).unwrap();
    let grid = json["targets"].as_array().unwrap().iter().find(|target| target["name"] == "gaussian-grid").unwrap();
    assert!(grid["parameters"].as_array().unwrap().iter().any(|param| param["key"] == "variance"));
}

/// 4 · 100 draws are left: every fourth of the last 400 steps. Their files have the stated sizes.
#[test]
fn check_states_what_a_scenario_costs() {
    let two = format!("{SMALL}[[run]]\nname = \"fit\"\nmethod = \"laplace\"\n");
    let folder = folder_with("two.toml", &two);
    let (code, out, err) = call(&folder, &["check", "two.toml"]);
    assert_eq!((code, err.as_str()), (0, ""));
    let lines: Vec<&str> = out.lines().collect();
    assert_eq!(lines[0], "two.toml: valid; 2 runs on Grid of Gaussians");
    let stated = "SGLD: 2 000 steps of all chains, about 2 000 gradient evaluations; 400 draws: about 20.4 kB as CSV, \
                  22.5 kB as NumPy; history 32.1 kB";
    assert!(lines[1].starts_with("truth: known: log Z = ") && lines[1].ends_with(" modes"), "{out}");
    assert_eq!(lines[2], stated);
    assert!(lines[3].starts_with("fit: 50 steps") && lines[4].starts_with("together: 2 050 steps"), "{out}");
    for (format, stated, tolerance) in [("csv", 20_400.0, 0.1), ("npy", 22_528.0, 0.0)] {
        let (code, ..) = call(&folder, &["run", "two.toml", "--out", format, "--draws", format, "--quiet"]);
        assert_eq!(code, 0);
        let size = fs::metadata(folder.path().join(format!("{format}/draws/SGLD.{format}"))).unwrap().len() as f64;
        assert!((size / stated - 1.0).abs() <= tolerance, "{format}: {size} bytes");
    }
}

/// Densities so steep that no lattice of positions fits: they have been endless. All divergences have values.
#[test]
fn approximations_of_steep_targets_end_with_their_measures() {
    let cases = [
        ("kind = \"funnel\"\nsd = 3.5", "laplace"),
        ("kind = \"funnel\"\nsd = 4.0", "laplace"),
        ("kind = \"banana\"\nbend = -5\nwidth = 0.05", "svi"),
    ];
    for (target, method) in cases {
        let run = format!("[[run]]\nname = \"one\"\nmethod = \"{method}\"\nsteps = 50\n");
        let folder = folder_with("steep.toml", format!("format = 1\n[target]\n{target}\n{run}"));
        let (code, _, err) = call(&folder, &["run", "steep.toml", "--out", "results", "--quiet"]);
        assert_eq!((code, err.as_str()), (0, ""), "{target}");
        let summary = fs::read(folder.path().join("results/summary.json")).unwrap();
        let json: serde_json::Value = serde_json::from_slice(&summary).unwrap();
        assert!(json["runs"][0]["fit"]["kl_pq"].as_f64().unwrap() > 0.0, "{target}: {json}");
    }
}

#[test]
fn lessons_can_be_checked_by_name() {
    let folder = TempDir::new().unwrap();
    for lesson in LESSONS {
        assert_eq!(call(&folder, &["check", lesson.name]).0, 0, "{}", lesson.name);
    }
    let (code, _, err) = call(&folder, &["check", "no-such-lesson"]);
    assert_eq!(code, 2);
    assert!(err.contains("no-such-lesson") && err.contains("sampler-lab list lessons"), "{err}");
    let (code, _, err) = call(&folder, &["check", "author-code"]);
    assert!(code == 2 && err.contains("authors-code"), "{err}");
}

#[test]
fn invalid_input_gives_code_2_the_place_and_the_allowed_values() {
    let small = SMALL;
    let cases: &[(&str, Vec<u8>, &[&str])] = &[
        ("unknown key", small.replace("thin =", "thining =").into_bytes(), &["bad.toml:13:", "thining", "thin"]),
        (
            "negative variance",
            small.replace("\"gaussian-grid\"", "\"gaussian-grid\"\nvariance = -1").into_bytes(),
            &["bad.toml:7:", "target.variance: -1", "allowed"],
        ),
        (
            "batch too large",
            small
                .replace("\"gaussian-grid\"", "\"bivariate-mixture\"")
                .replace("chains = 4", "chains = 4\ngradient = { kind = \"minibatch\", size = 101 }")
                .into_bytes(),
            &["bad.toml:11:", "101", "100"],
        ),
        (
            "too many cycles",
            small.replace("kind = \"constant\", value = 0.01", "kind = \"cyclical\", cycles = 501").into_bytes(),
            &["bad.toml:12:", "501", "500"],
        ),
        (
            "text in a column",
            small
                .replace(
                    "\"gaussian-grid\"",
                    "\"bivariate-mixture\"\ndata = { kind = \"csv\", path = \"x.csv\", column = \"x\" }",
                )
                .into_bytes(),
            &["bad.toml:7:", "x.csv", "line 3", "oops"],
        ),
        ("empty file", Vec::new(), &["bad.toml", "format"]),
        ("binary file", vec![0, 159, 146, 150, 255, 0], &["bad.toml", "text"]),
    ];
    for (name, content, expected) in cases {
        let folder = folder_with("bad.toml", content);
        fs::write(folder.path().join("x.csv"), "x\n1.5\noops\n").unwrap();
        for command in ["check", "run"] {
            let mut arguments = vec![command, "bad.toml"];
            if command == "run" {
                arguments.extend(["--out", "results"]);
            }
            let (code, out, err) = call(&folder, &arguments);
            assert_eq!(code, 2, "{name}: {err}");
            assert!(out.is_empty());
            for part in *expected {
                assert!(err.contains(part), "{name}: {part} is missing in: {err}");
            }
            assert!(!err.contains("panicked"), "{name}: {err}");
        }
        assert_eq!(entries(folder.path()).len(), 2, "{name}: nothing may be written");
    }
    let folder = TempDir::new().unwrap();
    assert_eq!(call(&folder, &["check", "missing.toml"]).0, 2);
    assert_eq!(call(&folder, &["fly"]).0, 2);
}

#[test]
fn without_a_display_the_message_names_render() {
    let output =
        program().env_remove("DISPLAY").env_remove("WAYLAND_DISPLAY").env_remove("WAYLAND_SOCKET").output().unwrap();
    if cfg!(target_os = "linux") {
        assert_eq!(output.status.code(), Some(1));
        assert!(String::from_utf8(output.stderr).unwrap().contains("sampler-lab render"));
    }
}

#[test]
fn lessons_are_the_same_after_writing_and_reading() {
    for lesson in LESSONS {
        let scenario = lesson.scenario().unwrap();
        let text = scenario::write(&scenario);
        let again = scenario::read(&text, lesson.name, &scenario.folder).unwrap();
        assert_eq!(scenario, again, "{}", lesson.name);
        assert_eq!(text, scenario::write(&again));
    }
}
