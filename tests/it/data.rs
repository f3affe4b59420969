//! Numbers that leave the program: schedules in other languages, draws with cycles, Zarr stores.

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::{Value as Json, json};
use tempfile::TempDir;

use super::cli::{SMALL, call, entries, folder_with, program, read_npy};

/// A run of every schedule, two whose schedule an event changes, and one that has no draws.
const SCHEDULES: &str = r#"
format = 1
seed = 5
[target]
kind = "bivariate-mixture"
[[run]]
name = "falling"
method = "sgld"
steps = 900
gradient = { kind = "minibatch", size = 20 }
step_size = { kind = "polynomial", first = 0.01, last = 0.0001, hold = 50, convention = "welling-teh" }
collect = { burn_in = 100, thin = 4 }
[[run]]
name = "cycles"
method = "csgld"
steps = 997
step_size = { kind = "cyclical", initial = 0.004, cycles = 7, exploration = 0.3 }
collect = { burn_in = 30, thin = 3, weighted = true }
[[run]]
name = "exact cycles"
method = "csghmc"
steps = 1000
step_size = { kind = "cyclical", initial = 0.002, cycles = 7, rounding = "exact", exploration_steps = 20 }
[[run]]
name = "knots"
method = "sgd"
steps = 600
step_size = { kind = "custom", knots = [[5, 5e-4], [77, 1e-4], [78, 3.98e-6], [500, 2e-4]] }
[[run]]
name = "events"
method = "sgld"
steps = 800
step_size = { kind = "constant", value = 0.001 }
[[run]]
name = "fit"
method = "svi"
steps = 300
gradient = { kind = "minibatch", size = 10 }
[[event]]
run = "events"
step = 200
set = { "step_size" = { kind = "cyclical", initial = 0.004, cycles = 4, exploration = 0.25 }, "collect.thin" = 2 }
[[event]]
run = "events"
step = 500
set = { "method" = "sgd", "step_size" = { kind = "constant", value = 0.001 } }
"#;

const RUNS: [&str; 6] = ["falling", "cycles", "exact cycles", "knots", "events", "fit"];

fn json_of(folder: &TempDir, run: &str) -> Json {
    let (code, out, err) = call(folder, &["schedule", "all.toml", "--run", run, "--as", "json"]);
    assert_eq!((code, err.as_str()), (0, ""), "{run}");
    serde_json::from_str(&out).unwrap()
}

/// The reader of JSON in these tests is off by a last bit now and then.
fn same(one: f64, other: f64) -> bool {
    (one - other).abs() <= f64::EPSILON * other.abs()
}

/// What plain Python prints for a program; `None` without Python.
fn python(folder: &Path, text: &str) -> Option<String> {
    fs::write(folder.join("check.py"), text).unwrap();
    let output = match Command::new("python3").arg("check.py").current_dir(folder).output() {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return None,
        output => output.unwrap(),
    };
    let err = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success(), "{err}\n{text}");
    Some(String::from_utf8(output.stdout).unwrap())
}

/// Every step of every schedule: sizes to 1e-12, cycles and masks exactly.
#[test]
fn python_gives_the_step_sizes_and_masks_of_the_program() {
    let folder = folder_with("all.toml", SCHEDULES);
    for run in RUNS {
        let expected = json_of(&folder, run);
        let (code, text, err) = call(&folder, &["schedule", "all.toml", "--run", run, "--as", "python"]);
        assert_eq!((code, err.as_str()), (0, ""), "{run}");
        for line in text.lines().filter(|line| line.starts_with("import") || line.starts_with("from")) {
            let module = line.strip_prefix("import ").filter(|module| ["bisect", "math"].contains(module));
            assert!(module.is_some_and(|module| text.contains(&format!("{module}."))), "{line}");
        }
        assert_eq!(text.lines().filter(|line| line.starts_with("    (")).count(), 5, "five reference values");
        let steps = expected["steps"].as_u64().unwrap();
        let print = format!("for k in range(1, {steps} + 1):\n    print(repr(step_size(k)), int(collected(k)))\n");
        let Some(printed) = python(folder.path(), &format!("{text}\n{print}")) else {
            println!("python3 is not there; the text was not run");
            return;
        };
        let largest = expected["step_size"].as_array().unwrap().iter().filter_map(Json::as_f64).fold(0.0, f64::max);
        let lines: Vec<&str> = printed.lines().collect();
        assert_eq!(lines.len() as u64, steps);
        for (index, line) in lines.iter().enumerate() {
            let (size, kept) = line.split_once(' ').unwrap();
            let (size, ours): (f64, f64) = (size.parse().unwrap(), expected["step_size"][index].as_f64().unwrap());
            assert!((size - ours).abs() <= 1e-12 * ours + f64::EPSILON * largest, "{run}, step {}", index + 1);
            assert_eq!(kept == "1", expected["collected"][index], "{run}, step {}", index + 1);
        }
    }
}

/// A text whose formula has changed stops with an error.
#[test]
fn a_changed_python_function_is_refused_by_its_own_values() {
    let folder = folder_with("all.toml", SCHEDULES);
    let (_, text, _) = call(&folder, &["schedule", "all.toml", "--run", "cycles", "--as", "python"]);
    let run = |text: &str| {
        fs::write(folder.path().join("check.py"), text).unwrap();
        Command::new("python3").arg("check.py").current_dir(&folder).output().ok()
    };
    let changes =
        [("initial = 0.004", "initial = 0.0040001"), ("share = 0.3", "share = 0.31"), ("% 3 == 0", "% 4 == 0")];
    for (from, to) in changes {
        assert!(text.contains(from), "{from} in\n{text}");
        let Some(output) = run(&text.replace(from, to)) else { return };
        assert!(!output.status.success(), "{to}");
        assert!(String::from_utf8(output.stderr).unwrap().contains("AssertionError"), "{to}");
    }
}

/// The program collects in a run what the masks of its schedule say.
#[test]
fn masks_are_the_steps_of_the_draws() {
    let folder = folder_with("all.toml", SCHEDULES);
    assert_eq!(call(&folder, &["run", "all.toml", "--out", "results", "--draws", "csv", "--quiet"]).0, 0);
    for run in RUNS.into_iter().filter(|&run| run != "fit") {
        let expected = json_of(&folder, run);
        let text = fs::read_to_string(folder.path().join(format!("results/draws/{run}.csv"))).unwrap();
        let mut drawn = text.lines().skip(1).map(|line| line.split(',').collect::<Vec<_>>());
        let collected = expected["collected"].as_array().unwrap();
        for (index, _) in collected.iter().enumerate().filter(|(_, kept)| **kept == json!(true)) {
            let draw = drawn.next().unwrap_or_else(|| panic!("{run}: step {} is not collected", index + 1));
            assert_eq!(draw[1], (index + 1).to_string(), "{run}");
            let cycle = expected["cycle"][index].as_u64().unwrap();
            let (number, stage) = if cycle == 0 { (String::new(), "") } else { (cycle.to_string(), "sampling") };
            assert_eq!((draw[5], draw[6]), (number.as_str(), stage), "{run}, step {}", index + 1);
            let weight = if run == "cycles" { expected["step_size"][index].as_f64().unwrap() } else { 1.0 };
            assert!(same(draw[4].parse().unwrap(), weight), "{run}, step {}", index + 1);
        }
        assert_eq!(drawn.next(), None, "{run}");
    }
}

#[test]
fn a_schedule_for_numpy_has_the_numbers_of_json() {
    let folder = folder_with("all.toml", SCHEDULES);
    for run in RUNS {
        let expected = json_of(&folder, run);
        let arguments = ["schedule", "all.toml", "--run", run, "--as", "npy"];
        let out = program().current_dir(&folder).args(arguments).output().unwrap().stdout;
        let (code, _, err) = call(&folder, &[&arguments[..], &["--out", "s.npy", "--force"]].concat());
        assert_eq!((code, err.as_str()), (0, ""));
        let bytes = fs::read(folder.path().join("s.npy")).unwrap();
        assert_eq!(bytes, out, "the same bytes to standard output");
        let length = 10 + usize::from(u16::from_le_bytes([bytes[8], bytes[9]]));
        let header = std::str::from_utf8(&bytes[10..length]).unwrap();
        let steps = expected["steps"].as_u64().unwrap();
        assert_eq!(length % 64, 0);
        assert_eq!(
            header.trim_end(),
            format!(
                "{{'descr': [('step_size', '<f8'), ('cycle', '<i8'), ('exploring', '|b1'), ('collected', '|b1')], \
                 'fortran_order': False, 'shape': ({steps},), }}"
            )
        );
        let entries: Vec<&[u8]> = bytes[length..].chunks(18).collect();
        assert_eq!(entries.len() as u64, steps);
        for (index, entry) in entries.into_iter().enumerate() {
            let size = f64::from_le_bytes(entry[..8].try_into().unwrap());
            assert!(same(size, expected["step_size"][index].as_f64().unwrap()), "{run}, step {}", index + 1);
            assert_eq!(u64::from_le_bytes(entry[8..16].try_into().unwrap()), expected["cycle"][index]);
            assert_eq!(entry[16] == 1, expected["exploring"][index]);
            assert_eq!(entry[17] == 1, expected["collected"][index]);
        }
    }
}

#[test]
fn a_schedule_says_what_its_numbers_are() {
    let folder = folder_with("all.toml", SCHEDULES);
    let text = |run: &str, format: &str| call(&folder, &["schedule", "all.toml", "--run", run, "--as", format]).1;
    for format in ["python", "torch", "optax", "toml", "json"] {
        let falling = text("falling", format);
        for words in
            ["n = 20 of N = 100 data, so N/n = 5", "√(2α) ξ", "T = 1", "lr = Nα = 100 α", "as ε", "after 100 steps"]
        {
            assert!(falling.contains(words), "{format}: {words}\n{falling}");
        }
        assert!(text("cycles", format).contains("none in exploration stages"), "{format}");
        let events = text("events", format);
        for words in ["From step 201 on:", "From step 501 on:", "Method sgd", "one draw in 2 of a sampling stage"] {
            assert!(events.contains(words), "{format}: {words}\n{events}");
        }
    }
    let expected = json_of(&folder, "falling");
    assert_eq!(
        (&expected["data"], &expected["batch"], &expected["gradient_factor"]),
        (&json!(100), &json!(20), &json!(5.0))
    );
    let cold = "format = 1\n[target]\nkind = \"network\"\nhidden = 3\ntemperature = 0.1\n\
                [[run]]\nname = \"A\"\nmethod = \"sghmc\"\nsteps = 20\n";
    fs::write(folder.path().join("cold.toml"), cold).unwrap();
    assert!(call(&folder, &["schedule", "cold.toml", "--as", "python"]).1.contains("Temperature: T = 0.1"));
}

/// The tables of `--as toml` under the head of a scenario make the same run.
#[test]
fn toml_gives_the_schedule_back() {
    let folder = folder_with("all.toml", SCHEDULES);
    for run in RUNS {
        let (code, tables, _) = call(&folder, &["schedule", "all.toml", "--run", run, "--as", "toml"]);
        assert_eq!(code, 0);
        let head = "format = 1\nseed = 5\n[target]\nkind = \"bivariate-mixture\"\n";
        let again = TempDir::new().unwrap();
        fs::write(again.path().join("all.toml"), format!("{head}{tables}")).unwrap();
        assert_eq!(json_of(&again, run), json_of(&folder, run), "{run}");
    }
}

#[test]
fn errors_of_a_schedule_name_the_place() {
    let folder = folder_with("all.toml", format!("{SCHEDULES}[[run]]\nname = \"Laplace\"\nmethod = \"laplace\"\n"));
    fs::write(folder.path().join("long.toml"), SMALL.replace("steps = 500", "steps = 1000001")).unwrap();
    fs::write(folder.path().join("mine.py"), "mine").unwrap();
    let all = ["schedule", "all.toml"];
    let cases: [(&[&str], &[&str]); 7] = [
        (&["--as", "python"], &["--run:", "6 runs", "falling, cycles"]),
        (&["--as", "python", "--run", "none"], &["--run:", "no run \"none\"", "falling"]),
        (&["--as", "python", "--run", "Laplace"], &["--run:", "Laplace has no step size", "falling"]),
        (&["--as", "fortran", "--run", "fit"], &["--as", "fortran", "optax"]),
        (&["--as", "python", "--run", "fit", "--out", "mine.py"], &["--out:", "mine.py exists already", "--force"]),
        (&["--as", "python", "--run", "fit", "--out", "no/x.py"], &["--out:", "there is no folder no"]),
        (&["--as", "python", "--run", "fit", "--out", "."], &["--out:"]),
    ];
    for (arguments, expected) in cases {
        let (code, out, err) = call(&folder, &[&all, arguments].concat());
        assert_eq!((code, out.as_str()), (2, ""), "{arguments:?}: {err}");
        assert!(expected.iter().all(|words| err.contains(words)), "{arguments:?}: {err}");
    }
    let (code, _, err) = call(&folder, &["schedule", "long.toml", "--as", "json"]);
    assert!(code == 2 && err.contains("--as:") && err.contains("npy"), "{err}");
    assert_eq!(fs::read_to_string(folder.path().join("mine.py")).unwrap(), "mine");
    assert_eq!(entries(folder.path()).len(), 3, "nothing is left");
}

/// Every position of a run, with its stage; what is not collected has no weight.
#[test]
fn every_step_can_be_written_with_its_stage() {
    let folder = folder_with("all.toml", SCHEDULES);
    for format in ["csv", "npy"] {
        let arguments = ["run", "all.toml", "--out", format, "--draws", format, "--every-step", "--quiet"];
        let (code, _, err) = call(&folder, &arguments);
        assert_eq!((code, err.as_str()), (0, ""));
    }
    let (expected, text) =
        (json_of(&folder, "cycles"), fs::read_to_string(folder.path().join("csv/draws/cycles.csv")).unwrap());
    let rows: Vec<Vec<&str>> = text.lines().skip(1).map(|line| line.split(',').collect()).collect();
    assert_eq!((rows.len(), rows[0][1], rows[0][4], rows[0][5], rows[0][6]), (998, "0", "0.0", "", ""));
    let (shape, numbers) = read_npy(&folder.path().join("npy/draws/cycles.npy"));
    assert_eq!(shape, [998, 7]);
    for (row, line) in rows.iter().enumerate().skip(1) {
        let exploring = expected["exploring"][row - 1] == json!(true);
        assert_eq!(line[6], if exploring { "exploration" } else { "sampling" }, "step {row}");
        assert_eq!(line[4] == "0.0", expected["collected"][row - 1] == json!(false), "step {row}");
        let numbers = &numbers[7 * row..7 * row + 7];
        assert_eq!(numbers[6].to_bits(), (if exploring { 1.0_f64 } else { 2.0 }).to_bits());
        assert_eq!(numbers[2].to_bits(), line[2].parse::<f64>().unwrap().to_bits());
    }
    let (code, _, err) = call(&folder, &["run", "all.toml", "--out", "z", "--draws", "zarr", "--every-step"]);
    assert!(code == 2 && err.contains("--every-step:") && err.contains("csv"), "{err}");
}

/// The numbers of an array of a store, in the order of its dimensions, put together from its chunks as its metadata say.
fn zarr_array(store: &Path, path: &str) -> (Vec<usize>, Vec<[u8; 8]>) {
    let metadata: Json = serde_json::from_slice(&fs::read(store.join(path).join("zarr.json")).unwrap()).unwrap();
    assert_eq!((&metadata["zarr_format"], &metadata["node_type"]), (&json!(3), &json!("array")));
    assert_eq!(metadata["codecs"], json!([{ "name": "bytes", "configuration": { "endian": "little" } }]));
    let root: Json = serde_json::from_slice(&fs::read(store.join("zarr.json")).unwrap()).unwrap();
    assert_eq!(root["consolidated_metadata"]["metadata"][path], metadata);
    let list =
        |value: &Json| value.as_array().unwrap().iter().map(|n| n.as_u64().unwrap() as usize).collect::<Vec<_>>();
    let (shape, chunk) = (list(&metadata["shape"]), list(&metadata["chunk_grid"]["configuration"]["chunk_shape"]));
    let width = if metadata["data_type"] == "bool" { 1 } else { 8 };
    let (chains, draws) = if shape.len() == 2 { (shape[0], shape[1]) } else { (1, shape[0]) };
    let of_chunk = *chunk.last().unwrap();
    assert!(shape.len() == 1 || chunk[0] == shape[0]);
    let mut numbers = vec![[0; 8]; chains * draws];
    for number in 0..draws.div_ceil(of_chunk) {
        let place = if shape.len() == 2 { format!("c/0/{number}") } else { format!("c/{number}") };
        let bytes = fs::read(store.join(path).join(place)).unwrap();
        assert_eq!(bytes.len(), chains * of_chunk * width, "chunks have one length");
        for (index, cell) in bytes.chunks(width).enumerate() {
            let (chain, draw) = (index / of_chunk, number * of_chunk + index % of_chunk);
            if draw < draws {
                numbers[chain * draws + draw][..width].copy_from_slice(cell);
            }
        }
    }
    (shape, numbers)
}

/// The arrays of a store against the draws of the same run as CSV: several chunks, weights and cycles.
#[test]
fn a_zarr_store_has_the_draws_of_the_csv_file() {
    let many = SMALL
        .replace("chains = 4", "chains = 600")
        .replace("burn_in = 100, thin = 4", "weighted = true")
        .replace("kind = \"constant\", value = 0.01", "kind = \"cyclical\", cycles = 3, exploration = 0.2");
    let many = many.replace("steps = 500", "steps = 2500");
    let folder = folder_with("many.toml", many);
    for format in ["csv", "zarr"] {
        let (code, _, err) = call(&folder, &["run", "many.toml", "--out", format, "--draws", format, "--quiet"]);
        assert_eq!((code, err.as_str()), (0, ""));
    }
    let store = folder.path().join("zarr/draws/SGLD.zarr");
    let (shape, x) = zarr_array(&store, "posterior/x");
    let ((_, y), (_, diverging)) = (zarr_array(&store, "posterior/y"), zarr_array(&store, "sample_stats/diverging"));
    let [step, weight, cycle] =
        ["step", "weight", "cycle"].map(|name| zarr_array(&store, &format!("sample_stats/{name}")).1);
    let text = fs::read_to_string(folder.path().join("csv/draws/SGLD.csv")).unwrap();
    let rows: Vec<Vec<&str>> = text.lines().skip(1).map(|line| line.split(',').collect()).collect();
    assert_eq!(shape, [600, rows.len() / 600]);
    assert!(shape[1] > 1747, "more than a chunk");
    for (index, row) in rows.iter().enumerate() {
        let (draw, chain) = (index / 600, index % 600);
        let at = chain * shape[1] + draw;
        let number = |cell: &str| cell.parse::<f64>().unwrap().to_le_bytes();
        assert_eq!((x[at], y[at], diverging[at]), (number(row[2]), number(row[3]), [0; 8]));
        let whole = |cell: &str| cell.parse::<u64>().unwrap().to_le_bytes();
        assert_eq!((step[draw], weight[draw], cycle[draw]), (whole(row[1]), number(row[4]), whole(row[5])));
    }
}

/// A chain that has left is NaN, and said to have left, which is no divergent transition; the line has no y; a fit has one chain; there may be no draws.
#[test]
fn zarr_stores_of_all_kinds_of_runs_have_their_shapes() {
    let wild = SMALL.replace("value = 0.01", "value = 1.0").replace("gaussian-grid", "gaussian");
    let folder = folder_with("wild.toml", wild);
    let fit = |kind: &str| {
        format!("format = 1\n[target]\nkind = \"{kind}\"\n[[run]]\nname = \"fit\"\nmethod = \"laplace\"\nsteps = 30\n")
    };
    fs::write(folder.path().join("line.toml"), fit("beta-posterior")).unwrap();
    fs::write(folder.path().join("none.toml"), fit("network")).unwrap();
    for name in ["wild", "line", "none"] {
        let file = format!("{name}.toml");
        let (code, _, err) = call(&folder, &["run", &file, "--out", name, "--draws", "zarr", "--quiet"]);
        assert_eq!((code, err.as_str()), (0, ""));
    }
    let wild = folder.path().join("wild/draws/SGLD.zarr");
    let ((shape, x), (_, left)) = (zarr_array(&wild, "posterior/x"), zarr_array(&wild, "sample_stats/left"));
    assert!(zarr_array(&wild, "sample_stats/diverging").1.iter().all(|diverging| *diverging == [0; 8]));
    assert_eq!(shape, [4, 100]);
    let gone = |number: &[u8; 8]| f64::from_le_bytes(*number).is_nan();
    assert!(x.iter().any(gone));
    assert!(x.iter().zip(&left).all(|(x, left)| gone(x) == (left[0] == 1)));
    let (fit, none) = (folder.path().join("line/draws/fit.zarr"), folder.path().join("none/draws/fit.zarr"));
    assert_eq!((zarr_array(&fit, "posterior/x").0, fit.join("posterior/y").exists()), (vec![1, 1000], false));
    let weights: Json = serde_json::from_slice(&fs::read(none.join("posterior/theta/zarr.json")).unwrap()).unwrap();
    assert_eq!((&weights["shape"][0], &weights["shape"][1]), (&json!(1), &json!(0)));
    let root: Json = serde_json::from_slice(&fs::read(fit.join("zarr.json")).unwrap()).unwrap();
    assert_eq!((&root["attributes"]["run"], &root["attributes"]["method"]), (&json!("fit"), &json!("laplace")));
    assert!(root["attributes"]["scenario"].as_str().unwrap().starts_with("format = 1"));
}

/// What keywords of JSON Schema say, as far as `docs/summary.schema.json` uses them; one that is not known here is an error.
pub(super) fn check(schema: &Json, root: &Json, value: &Json, place: &str) {
    for (keyword, rule) in schema.as_object().unwrap() {
        let is = |name: &Json| match name.as_str().unwrap() {
            "object" => value.is_object(),
            "array" => value.is_array(),
            "string" => value.is_string(),
            "number" => value.is_number(),
            "integer" => value.as_f64().is_some_and(|number| number.fract().abs() < f64::EPSILON),
            "boolean" => value.is_boolean(),
            "null" => value.is_null(),
            other => panic!("{other}"),
        };
        let right = match keyword.as_str() {
            "$ref" => {
                let definition = rule.as_str().unwrap().strip_prefix("#").unwrap();
                check(root.pointer(definition).unwrap(), root, value, place);
                true
            }
            "type" => rule.as_array().map_or_else(|| is(rule), |names| names.iter().any(is)),
            "const" => value == rule,
            "enum" => rule.as_array().unwrap().contains(value),
            "minimum" => value.as_f64().is_none_or(|number| number >= rule.as_f64().unwrap()),
            "minLength" => value.as_str().is_none_or(|text| text.len() as u64 >= rule.as_u64().unwrap()),
            "minItems" => value.as_array().is_none_or(|list| list.len() as u64 >= rule.as_u64().unwrap()),
            "maxItems" => value.as_array().is_none_or(|list| list.len() as u64 <= rule.as_u64().unwrap()),
            "required" => value.as_object().is_none_or(|entries| {
                rule.as_array().unwrap().iter().all(|name| entries.contains_key(name.as_str().unwrap()))
            }),
            "items" => {
                for (index, item) in value.as_array().into_iter().flatten().enumerate() {
                    check(rule, root, item, &format!("{place}.{index}"));
                }
                true
            }
            "properties" | "additionalProperties" => {
                for (name, entry) in value.as_object().into_iter().flatten() {
                    let place = format!("{place}.{name}");
                    match (keyword.as_str(), schema.pointer(&format!("/properties/{name}"))) {
                        ("properties", Some(rule)) => check(rule, root, entry, &place),
                        ("additionalProperties", None) if rule.is_object() => check(rule, root, entry, &place),
                        ("additionalProperties", None) => panic!("{place} is not described"),
                        _ => {}
                    }
                }
                true
            }
            "$schema" | "$id" | "title" | "description" | "$defs" => true,
            other => panic!("{other} is not checked"),
        };
        assert!(right, "{place}: {keyword} {rule} does not hold for {value}");
    }
}

/// The paths of all `null`s.
fn nulls(value: &Json, path: &str, found: &mut Vec<String>) {
    let below = |key: &str| if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") };
    match value {
        Json::Null => found.push(path.to_owned()),
        Json::Array(list) => {
            list.iter().enumerate().for_each(|(index, item)| nulls(item, &below(&index.to_string()), found));
        }
        Json::Object(entries) => entries.iter().for_each(|(key, entry)| nulls(entry, &below(key), found)),
        _ => {}
    }
}

fn summary(folder: &TempDir, arguments: &[&str]) -> Json {
    let (code, _, err) = call(folder, &[arguments, &["--out", "results", "--quiet"]].concat());
    assert_eq!((code, err.as_str()), (0, ""), "{arguments:?}");
    serde_json::from_slice(&fs::read(folder.path().join("results/summary.json")).unwrap()).unwrap()
}

/// A challenge of every kind.
const CHALLENGES: &str = "[[challenge]]\nkind = \"mass\"\n[[challenge]]\nkind = \"mass\"\nrun = \"SGLD\"\n\
    [[challenge]]\nkind = \"number\"\nrun = \"SGLD\"\nmeasure = \"modes_covered\"\n\
    [[challenge]]\nkind = \"goal\"\nask = \"Cover them.\"\nrun = \"SGLD\"\nmeasure = \"modes_covered\"\nat_least = 25\nwithin = 10000\n";

/// Samplers, approximations, topics, a network, a line, challenges, a diverged run: each summary is as its schema says, and every null has its
/// reason.
#[test]
fn summaries_are_as_their_schema_says() {
    let text = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/summary.schema.json")).unwrap();
    let schema: Json = serde_json::from_str(&text).unwrap();
    let folder = folder_with("all.toml", SCHEDULES);
    let run = |name: &str, method: &str| format!("[[run]]\nname = \"{name}\"\nmethod = \"{method}\"\nsteps = 30\n");
    let target = |kind: &str| format!("format = 1\n[target]\nkind = \"{kind}\"\n");
    let (line, plane) = (target("beta-posterior"), target("gaussian"));
    let files = [
        ("line.toml", [line, run("a", "laplace"), run("b", "sgnht"), run("c", "random-walk")].concat()),
        ("plane.toml", [plane, run("a", "gaussian-vi"), run("b", "hmc"), run("c", "swag")].concat()),
        ("ng.toml", [target("normal-gamma"), run("a", "cavi"), run("b", "sgld")].concat()),
        ("net.toml", [target("network"), run("a", "laplace"), run("b", "sgld"), run("c", "mc-dropout")].concat()),
        ("named.toml", [target("regression"), run("a", "hmc"), run("b", "laplace")].concat()),
        ("topics.toml", [target("topics"), run("a", "svi"), run("b", "collapsed-gibbs")].concat()),
        ("ask.toml", SMALL.to_owned() + CHALLENGES),
        ("wild.toml", SMALL.replace("value = 0.01", "value = 1.0").replace("gaussian-grid", "gaussian")),
    ];
    for (name, text) in &files {
        fs::write(folder.path().join(name), text).unwrap();
    }
    for name in ["all.toml"].into_iter().chain(files.iter().map(|file| file.0)) {
        let summary = summary(&folder, &["run", name, "--natural", "--data"]);
        check(&schema, &schema, &summary, name);
        for run in summary["runs"].as_array().unwrap() {
            let reasons = run["reasons"].as_object().unwrap();
            let (mut own, mut of_coordinates) = (Vec::new(), Vec::new());
            nulls(run, "", &mut own);
            for (axis, coordinate) in run["coordinates"].as_array().into_iter().flatten().enumerate() {
                let mut found = Vec::new();
                nulls(coordinate, "", &mut found);
                found.sort();
                let told = coordinate["reasons"].as_object().unwrap();
                assert_eq!(told.keys().collect::<Vec<_>>(), found.iter().collect::<Vec<_>>(), "{name}");
                of_coordinates.extend(found.iter().map(|path| format!("coordinates.{axis}.{path}")));
            }
            let mut expected: Vec<&String> = own.iter().filter(|path| !of_coordinates.contains(path)).collect();
            expected.sort();
            assert_eq!(reasons.keys().collect::<Vec<_>>(), expected, "{name}: a reason for each null and for no other");
        }
    }
    // A schema that is not followed is noticed.
    let mut wrong = summary(&folder, &["run", "line.toml"]);
    wrong["runs"][0]["beauty"] = json!(1);
    assert!(std::panic::catch_unwind(|| check(&schema, &schema, &wrong, "wrong")).is_err());
}

/// The worst of the coordinates are the measures of the run; MCSE of both make that of the run.
#[test]
fn coordinates_have_the_measures_that_the_run_is_summed_up_by() {
    let folder = folder_with("small.toml", SMALL.replace("gaussian-grid", "gaussian"));
    let summary = summary(&folder, &["run", "small.toml"]);
    let run = &summary["runs"][0];
    let of = |key: &str| [0, 1].map(|axis| run["coordinates"][axis][key].as_f64().unwrap());
    let whole = |key: &str| run["metrics"][key].as_f64().unwrap();
    assert!(same(whole("rhat"), of("rhat").into_iter().fold(0.0, f64::max)));
    for key in ["ess_bulk", "ess_tail"] {
        assert!(same(whole(key), of(key).into_iter().fold(f64::INFINITY, f64::min)), "{key}");
    }
    let [x, y] = of("mcse_mean");
    assert!((whole("mcse_mean") - x.hypot(y)).abs() < 1e-14);
    assert_eq!((&run["coordinates"][1]["column"], &run["thinning"]["rhat"]), (&json!("y"), &json!(1)));
}

/// The scenario in the summary makes the same run again.
#[test]
fn the_summary_has_the_whole_scenario() {
    let folder = folder_with("all.toml", SCHEDULES);
    let first = summary(&folder, &["run", "all.toml", "--seed", "9"]);
    fs::write(folder.path().join("again.toml"), first["scenario_text"].as_str().unwrap()).unwrap();
    let mut again = summary(&folder, &["run", "again.toml"]);
    let without = |summary: &Json| {
        let mut summary = summary.clone();
        summary["scenario"] = Json::Null;
        summary["runs"].as_array_mut().unwrap().iter_mut().for_each(|run| run["seconds"] = Json::Null);
        summary
    };
    assert_eq!(without(&first), without(&again));
    assert_eq!((&again["seed"], &again["program"]["version"]), (&json!(9), &json!(env!("CARGO_PKG_VERSION"))));
    again["seed"] = json!(8);
    assert_ne!(without(&first), without(&again));
}

/// ξ of every chain, at first A; natural parameters of N(m, S): S⁻¹m and S⁻¹.
#[test]
fn thermostats_and_natural_parameters_are_told() {
    let text = "format = 1\n[target]\nkind = \"gaussian\"\nmean = [1.0, -2.0]\nsd = [1.0, 0.5]\ncorrelation = 0.6\n\
                [[run]]\nname = \"a\"\nmethod = \"sgnht\"\nchains = 3\nsteps = 200\n[[run]]\nname = \"b\"\nmethod = \"laplace\"\n";
    let folder = folder_with("two.toml", text);
    let with = summary(&folder, &["run", "two.toml", "--natural"]);
    let thermostats = with["runs"][0]["thermostats"].as_array().unwrap();
    assert!(thermostats.len() == 3 && thermostats.iter().all(|xi| xi.as_f64().unwrap().abs() < 100.0));
    assert_ne!(thermostats[0], thermostats[1]);
    assert!(with["runs"][1]["thermostats"].is_null());
    let component = &with["runs"][1]["fit"]["components"][0];
    let number = |path: &str| component.pointer(path).and_then(Json::as_f64).unwrap();
    let precision = |row: usize, column: usize| number(&format!("/natural/precision/{row}/{column}"));
    for (row, mean) in [1.0, -2.0].into_iter().enumerate() {
        let shift: f64 = [1.0, -2.0].into_iter().enumerate().map(|(column, m)| precision(row, column) * m).sum();
        assert!((number(&format!("/natural/precision_mean/{row}")) - shift).abs() < 1e-6, "{component}");
        assert!((number(&format!("/mean/{row}")) - mean).abs() < 1e-6);
    }
    // The inverse of [[1, 0.3], [0.3, 0.25]], whose determinant is 0.16.
    assert!((precision(0, 0) - 0.25 / 0.16).abs() < 1e-6 && (precision(0, 1) + 0.3 / 0.16).abs() < 1e-6);
    assert!(summary(&folder, &["run", "two.toml"])["runs"][1]["fit"]["components"][0]["natural"].is_null());
}

/// The rows of a CSV file under its header.
fn table(path: &Path, header: &str) -> Vec<Vec<String>> {
    let text = fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let mut lines = text.lines();
    assert_eq!(lines.next(), Some(header), "{}", path.display());
    lines.map(|line| line.split(',').map(str::to_owned).collect()).collect()
}

/// The folder `data`: the truth of a Gaussian, and curves that agree with the summary and with the schedule.
#[test]
fn the_numbers_behind_the_plots_can_be_written() {
    let text = "format = 1\n[target]\nkind = \"gaussian\"\nmean = [1.0, -2.0]\nsd = [1.0, 0.5]\ncorrelation = 0.6\n\
                [[run]]\nname = \"a\"\nmethod = \"sgld\"\nchains = 2\nsteps = 400\nstep_size = { kind = \"constant\", value = 0.02 }\n\
                [[run]]\nname = \"b\"\nmethod = \"svi\"\nsteps = 60\n";
    let folder = folder_with("two.toml", text);
    let summary = summary(&folder, &["run", "two.toml", "--data"]);
    let at = |name: &str| folder.path().join("results/data").join(name);
    let truth: Json = serde_json::from_slice(&fs::read(at("truth.json")).unwrap()).unwrap();
    // log of the normaliser of exp(log density), whatever constant the density leaves out: here it is normalised.
    assert!(truth["log_normaliser"].as_f64().unwrap().is_finite());
    let near = |path: &str, expected: f64| (truth.pointer(path).unwrap().as_f64().unwrap() - expected).abs() < 1e-9;
    assert!(
        near("/mean/0", 1.0) && near("/mean/1", -2.0) && near("/covariance/0/1", 0.3) && near("/modes/0/weight", 1.0)
    );
    let edges = truth["grid"]["edges"].as_array().unwrap();
    let cells: usize = edges.iter().map(|axis| axis.as_array().unwrap().len() - 1).product();
    let probabilities: Vec<f64> =
        truth["grid"]["probabilities"].as_array().unwrap().iter().map(|p| p.as_f64().unwrap()).collect();
    assert_eq!(probabilities.len(), cells);
    let total = probabilities.iter().sum::<f64>() + truth["grid"]["outside"].as_f64().unwrap();
    assert!((total - 1.0).abs() < 1e-6, "{total}");
    let readout = table(&at("readout.csv"), "run,measure,label,value,floor,floor_low,floor_high,reason");
    let row = readout.iter().find(|row| row[0] == "a" && row[1] == "tv").unwrap();
    assert!(same(row[3].parse().unwrap(), summary["runs"][0]["metrics"]["tv"].as_f64().unwrap()));
    assert!(readout.iter().all(|row| row[3].is_empty() != row.last().unwrap().is_empty()), "a value or a reason");
    assert_eq!(table(&at("schedule/a.csv"), "step,step_size").last().unwrap(), &["400", "0.02"]);
    let steps = "step,step_size,momentum_x,momentum_y,drift_x,drift_y,gradient_noise_x,gradient_noise_y,injected_noise_x,\
                 injected_noise_y";
    assert!(table(&at("steps/a.csv"), steps).len() > 50);
    let correlation = table(&at("autocorrelation/a.csv"), "coordinate,lag,autocorrelation");
    assert_eq!(correlation[0], ["x", "0", "1.0"]);
    let running = table(&at("running-mean/a.csv"), "coordinate,draws_per_chain,mean,mcse");
    let last = running.iter().rfind(|row| row[0] == "x").unwrap();
    assert!((last[2].parse::<f64>().unwrap() - summary["runs"][0]["mean"][0].as_f64().unwrap()).abs() < 1e-9);
    let elbo = table(&at("elbo/b.csv"), "chain,step,elbo,standard_error,log_evidence,state");
    assert_eq!((elbo.first().unwrap()[1].as_str(), elbo.last().unwrap()[1].as_str()), ("0", "60"));
    let smoothing = table(&at("smoothing/b.csv"), "average,window,step,squared_bias,variance,squared_error");
    for average in ["own", "estimates", "gradients", "realised"] {
        assert!(smoothing.iter().any(|row| row[0] == average), "{average}");
    }
    let ranks = table(&at("ranks/a.csv"), "coordinate,chain,bin,ratio");
    let of_chain = ranks.iter().filter(|row| row[0] == "x" && row[1] == "0").map(|row| row[3].parse::<f64>().unwrap());
    let (bins, sum) = of_chain.fold((0.0, 0.0), |(bins, sum), ratio| (bins + 1.0, sum + ratio));
    assert!(bins > 1.0 && (sum / bins - 1.0_f64).abs() < 1e-12, "the ratios of a chain have the mean 1");
    assert!(!at("elbo/a.csv").exists() && !at("autocorrelation/b.csv").exists() && !at("path/a.csv").exists());
    assert_eq!(call(&folder, &["run", "two.toml", "--out", "results", "--quiet"]).0, 0, "results are replaced");
    assert!(!at("truth.json").exists());
}

/// Lines between the ends of cycles: as many as the plot has, from the cycle's last draw on, as heights of −log p.
#[test]
fn lines_between_cycles_begin_and_end_at_the_ends_of_cycles() {
    let text = "format = 1\n[target]\nkind = \"gaussian\"\nmean = [0.0, 0.0]\nsd = [1.0, 1.0]\ncorrelation = 0.0\n\
                [[run]]\nname = \"c\"\nmethod = \"csgld\"\nsteps = 500\n\
                step_size = { kind = \"cyclical\", initial = 0.1, cycles = 50 }\n";
    let folder = folder_with("cycles.toml", text);
    summary(&folder, &["run", "cycles.toml", "--data", "--draws", "csv", "--every-step"]);
    let rows = table(&folder.path().join("results/data/path/c.csv"), "cycle,next_cycle,share,minus_log_p");
    let pairs: Vec<&str> = rows.iter().filter(|row| row[2] == "0.0").map(|row| row[0].as_str()).collect();
    assert_eq!((pairs.len(), pairs[0], pairs[39]), (40, "10", "49"));
    let draws = table(&folder.path().join("results/draws/c.csv"), "chain,step,x,y,weight,cycle,stage");
    let at = |step: &str| {
        let row = draws.iter().find(|row| row[1] == step).unwrap();
        [2, 3].map(|column| row[column].parse::<f64>().unwrap())
    };
    let height = |[x, y]: [f64; 2]| (x * x + y * y) / 2.0 + (2.0 * std::f64::consts::PI).ln();
    for (cycle, step) in [("10", "100"), ("49", "490")] {
        let found: f64 = rows.iter().find(|row| row[0] == cycle && row[2] == "0.0").unwrap()[3].parse().unwrap();
        assert!((found - height(at(step))).abs() < 1e-9, "{cycle}: {found}, not {}", height(at(step)));
    }
}

/// What draws predict: functions against the exact ones of a regression with two weights, maps whose classes sum to one.
#[test]
fn functions_and_maps_can_be_written() {
    let line = "format = 1\n[target]\nkind = \"two-weight-sign\"\n\
                [[run]]\nname = \"hmc\"\nmethod = \"hmc\"\nchains = 16\nsteps = 2500\n\
                start = { kind = \"uniform\", low = -2.0, high = 2.0 }\n\
                step_size = { kind = \"constant\", value = 0.04 }\ncollect = { burn_in = 50 }\n";
    let folder = folder_with("line.toml", line);
    summary(&folder, &["run", "line.toml", "--data"]);
    let number = |cell: &String| cell.parse::<f64>().unwrap();
    let rows = table(
        &folder.path().join("results/data/functions/hmc.csv"),
        "input,mean,sd,exact_mean,exact_sd,reference_mean,reference_sd",
    );
    assert!(rows.len() > 50);
    for row in &rows {
        let [mean, sd, exact_mean, exact_sd] = [1, 2, 3, 4].map(|column| number(&row[column]));
        // At 0 all functions are 0.
        let most = 0.2 * exact_sd;
        assert!((mean - exact_mean).abs() <= most && (sd - exact_sd).abs() <= most, "{row:?}");
    }
    let moons = "format = 1\n[target]\nkind = \"network\"\nhidden = 4\ndata = { kind = \"moons\" }\n\
                 [[run]]\nname = \"map\"\nmethod = \"laplace\"\ncurvature = \"ggn\"\n";
    let folder = folder_with("moons.toml", moons);
    summary(&folder, &["run", "moons.toml", "--data", "--repeats", "1"]);
    let at = |name: &str| folder.path().join("results/data").join(name);
    let header = "x,y,probability_0,probability_1,entropy,mutual_information";
    let cells = table(&at("maps/map.csv"), header);
    assert!(cells.len() > 1000);
    for row in &cells {
        let [first, second, entropy, information] = [2, 3, 4, 5].map(|column| number(&row[column]));
        assert!((first + second - 1.0).abs() < 1e-12 && (0.0..=0.694).contains(&entropy), "{row:?}");
        assert!(information <= entropy + 1e-12, "{row:?}");
    }
    let bins = table(&at("reliability/map.csv"), "said,found,predictions");
    assert!(bins.iter().all(|row| (0.5..=1.0).contains(&number(&row[0])) && row[2] != "0"));
    assert!(!table(&at("test-errors/map.csv"), "chains,pools,measure,mean,sd").is_empty());
}

/// Repeats have the seeds that follow, and the measures of the summary at their end.
#[test]
fn the_repeats_behind_convergence_can_be_written() {
    let folder = folder_with("small.toml", SMALL);
    let summary = summary(&folder, &["run", "small.toml", "--data", "--repeats", "3"]);
    let rows = table(&folder.path().join("results/data/repeats.csv"), "seed,run,step,evaluations,measure,value");
    let seeds: Vec<&str> = ["3", "4", "5"].into_iter().filter(|seed| rows.iter().any(|row| row[0] == *seed)).collect();
    assert_eq!(seeds, ["3", "4", "5"]);
    let last = rows.iter().find(|row| row[0] == "3" && row[2] == "500" && row[4] == "tv").unwrap();
    let expected = summary["runs"][0]["metrics"]["tv"].as_f64().unwrap();
    assert!((last[5].parse::<f64>().unwrap() - expected).abs() < 1e-12);
    assert!(rows.iter().any(|row| row[4] == "ess_bulk_x" || row[4] == "ess_x" || row[4].starts_with("ess")));
}

/// What the window computes on request, without a window: every measure of a network has a value.
#[test]
fn the_reference_of_a_network_is_computed_without_a_window() {
    let network = "format = 1\ntitle = \"x\"\nseed = 3\n[target]\nkind = \"network\"\nhidden = 2\ndata = { kind = \"points\" }\n\
                   [[run]]\nname = \"hmc\"\nmethod = \"hmc\"\nchains = 4\nsteps = 200\n";
    let folder = folder_with("net.toml", network);
    let without = summary(&folder, &["run", "net.toml"]);
    assert!(without["runs"][0]["metrics"]["w1_functions"].is_null());
    let with = summary(&folder, &["run", "net.toml", "--reference", "--data"]);
    assert!(
        with["runs"][0]["metrics"]["w1_functions"].as_f64().is_some_and(|w1| w1 > 0.0),
        "{:?}",
        with["runs"][0]["reasons"]
    );
    let text = fs::read_to_string(folder.path().join("results/data/functions/hmc.csv")).unwrap();
    let row: Vec<&str> = text.lines().nth(1).unwrap().split(',').collect();
    let [reference_mean, reference_sd] = [5, 6].map(|column| row[column].parse::<f64>().unwrap());
    assert!(reference_mean.is_finite() && reference_sd > 0.0, "{row:?}");
    let folder = folder_with(
        "plane.toml",
        "format = 1\ntitle = \"x\"\n[target]\nkind = \"gaussian\"\n[[run]]\nname = \"A\"\nmethod = \"sgld\"\nsteps = 10\n",
    );
    let (code, _, err) = call(&folder, &["run", "plane.toml", "--out", "results", "--reference"]);
    assert!(code == 2 && err.contains("--reference: the target is no posterior of functions"), "{err}");
}

/// Unadjusted Langevin draws mix well around the wrong distribution: how many they are worth is told with a doubt, in the table and in a report.
#[test]
fn a_biased_run_does_not_boast_of_its_effective_sample_size() {
    let lesson = include_str!("../../assets/lessons/bias-on-a-switch.toml");
    let folder = folder_with("bias.toml", lesson);
    let (code, out, err) = call(&folder, &["run", "bias.toml", "--out", "results"]);
    assert_eq!((code, err.as_str()), (0, ""));
    let (biased, right) = out.split_once("Metropolis: ").unwrap();
    let reason = "These draws are from another distribution than the target";
    assert!(biased.contains(&format!("note: bulk ESS in brackets: {reason}")) && biased.contains("  ("), "{biased}");
    assert!(!right.contains(reason) && !right.contains("  ("), "{right}");
    let (code, _, err) = call(&folder, &["report", "bias.toml", "--out", "bias.html"]);
    assert_eq!((code, err.as_str()), (0, ""));
    let report = fs::read_to_string(folder.path().join("bias.html")).unwrap();
    assert!(report.contains(&format!("* Unadjusted: {reason}")) && !report.contains("* Metropolis: "));
}

/// Whoever runs a scenario sees at its end what came of it, and what is wrong.
#[test]
fn a_run_ends_with_a_table_and_what_is_wrong() {
    let text = "format = 1\ntitle = \"x\"\nseed = 3\n[target]\nkind = \"gaussian\"\nmean = [1.0, -2.0]\n\
                [[run]]\nname = \"Long\"\nmethod = \"mala\"\nchains = 4\nsteps = 60000\nstep_size = { kind = \"constant\", value = 0.6 }\n\
                [[run]]\nname = \"Stuck\"\nmethod = \"mala\"\nchains = 4\nsteps = 40\nstart = { kind = \"target\" }\n\
                step_size = { kind = \"constant\", value = 1e-6 }\n[[run]]\nname = \"Fit\"\nmethod = \"laplace\"\n";
    let folder = folder_with("three.toml", text);
    let (code, out, err) = call(&folder, &["run", "three.toml", "--out", "results"]);
    assert_eq!((code, err.as_str()), (0, ""));
    let [long, stuck, fit] = ["Long: ", "Stuck: ", "Fit: "].map(|head| {
        let from = out.find(head).unwrap();
        let rest = &out[from..];
        rest[..rest.find("\n\n").unwrap_or(rest.len())].to_owned()
    });
    assert!(long.contains("4 chains, ") && long.contains("bulk ESS  true mean  true sd"), "{long}");
    let summary: Json = serde_json::from_slice(&fs::read(folder.path().join("results/summary.json")).unwrap()).unwrap();
    let x = long.lines().find(|line| line.trim_start().starts_with("x ")).unwrap();
    let cells: Vec<&str> = x.split_whitespace().collect();
    let told: f64 = cells[1].replace('−', "-").parse().unwrap();
    assert!((told - summary["runs"][0]["mean"][0].as_f64().unwrap()).abs() < 0.01, "{x}");
    assert!(!long.contains("warning"), "{long}");
    assert!(stuck.contains("warning: not converged: R-hat of "), "{stuck}");
    assert!(fit.contains("1 fit, ") && !fit.contains("R-hat") && fit.contains("  x   1.00"), "{fit}");
    assert!(out.trim_end().ends_with("results: results"), "{out}");
}
