//! `sampler-lab exact`: its table, files, refusals and exit codes.

use std::fs;
use std::path::Path;

use serde_json::{Value as Json, json};

use super::cli::{SMALL, call, folder_with};
use super::data::check;

/// Two runs, one of which is not computed.
const TWO: &str = r#"
format = 1
title = "Two"
[target]
kind = "gaussian"
mean = [0.0, 0.0]
sd = [1.0, 1.0]
correlation = 0.0
[[run]]
name = "cold"
method = "langevin"
chains = 4
steps = 60
start = { kind = "point", x = 1.0, y = 0.0 }
step_size = { kind = "constant", value = 0.1 }
[[run]]
name = "paths"
method = "nuts"
steps = 60
"#;

fn schema(name: &str) -> Json {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs").join(name);
    serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap()
}

#[test]
fn a_table_and_files_of_what_is_computed() {
    let folder = folder_with("two.toml", TWO);
    let (code, out, err) = call(&folder, &["exact", "two.toml", "--at", "5", "60", "--out", "results"]);
    assert_eq!(code, 0, "{err}");
    assert_eq!(err, "", "what is refused is told once, in the table");
    assert!(out.contains("paths: no exact distribution: paths of Hamiltonian dynamics"), "{out}");
    let (code, quiet, err) = call(&folder, &["exact", "two.toml", "--at", "5", "60", "--quiet"]);
    assert!(code == 0 && quiet.is_empty() && err.contains("note: paths: paths of Hamiltonian dynamics"), "{err}");
    assert!(out.contains("cold: exact distribution, as a product of two lines"), "{out}");
    for line in ["step 5", "collected", "stationary", "relaxation time: 9.49", "error of the mean of"] {
        assert!(out.contains(line), "{line}: {out}");
    }
    let exact: Json = serde_json::from_slice(&fs::read(folder.path().join("results/exact.json")).unwrap()).unwrap();
    let schema = schema("exact.schema.json");
    check(&schema, &schema, &exact, "exact");
    assert!(exact["runs"][1]["not_computed"].as_str().unwrap().contains("Hamiltonian"));
    let found = &exact["runs"][0]["found"];
    // θ' = 0.9 θ + √0.2 ξ from θ = 1: mean 0.9⁵ and variance (1 − 0.81⁵)/0.95 after five steps, 1/0.95 at the end of time.
    let (mean, variance) = (0.9f64.powi(5), (1.0 - 0.81f64.powi(5)) / 0.95);
    let near = |value: &Json, expected: f64| (value["value"].as_f64().unwrap() - expected).abs() < 1e-9;
    assert!(
        near(&found["steps"][0]["mean"][0], mean) && near(&found["steps"][0]["covariance"][1][1], variance),
        "{found:#}"
    );
    assert!(near(&found["stationary"]["covariance"][0][0], 1.0 / 0.95));
    assert!(near(&found["stationary"]["autocorrelation_times"][0], 19.0));
    assert!(near(&found["errors"]["coordinates"][0]["bias"], 0.0));
    // The mean of 60 draws of four chains.
    let average = (1..=60).map(|k| 0.9f64.powi(k)).sum::<f64>() / 60.0;
    assert!(near(&found["errors"]["coordinates"][0]["transient"], average));
    let bytes = fs::read(folder.path().join("results/cells/cold/step-5.npy")).unwrap();
    assert_eq!(bytes.len(), 128 + 8 * 240 * 240);
    let cells: f64 = bytes[128..].chunks_exact(8).map(|cell| f64::from_le_bytes(cell.try_into().unwrap())).sum();
    assert!((cells - 1.0).abs() < 1e-3, "{cells}");
    // Results are replaced, and nothing else is.
    let (code, ..) = call(&folder, &["exact", "two.toml", "--run", "cold", "--out", "results", "--quiet"]);
    assert_eq!((code, folder.path().join("results/cells/cold/step-5.npy").exists()), (0, false));
}

#[test]
fn cycles_have_matrices_and_curves() {
    let run = "step_size = { kind = \"cyclical\", initial = 0.05, cycles = 2 }";
    let text = SMALL
        .replace("step_size = { kind = \"constant\", value = 0.01 }", run)
        .replace("burn_in = 100, thin = 4", "thin = 10");
    let folder = folder_with("cycles.toml", text.replace("chains = 4", "chains = 1"));
    let (code, out, err) = call(&folder, &["exact", "cycles.toml", "--out", "results"]);
    assert_eq!((code, err.as_str()), (0, ""));
    assert!(
        out.contains("matrix of modes of a cycle along either axis") && out.contains("modes at the ends of cycles"),
        "{out}"
    );
    let matrix = fs::read_to_string(folder.path().join("results/cycles/SGLD/matrix-x.csv")).unwrap();
    let rows: Vec<f64> = matrix.lines().skip(1).map(|line| line.rsplit(',').next().unwrap().parse().unwrap()).collect();
    assert_eq!(rows.len(), 25);
    for row in rows.chunks(5) {
        assert!((row.iter().sum::<f64>() - 1.0).abs() < 1e-6, "{row:?}");
    }
    let schema = schema("exact.schema.json");
    let exact: Json = serde_json::from_slice(&fs::read(folder.path().join("results/exact.json")).unwrap()).unwrap();
    check(&schema, &schema, &exact, "exact");
    assert_eq!(exact["runs"][0]["found"]["cycles"]["count"], json!(2));
}

#[test]
fn what_cannot_be_asked_is_refused() {
    let folder = folder_with("two.toml", TWO);
    let (code, out, err) = call(&folder, &["exact", "two.toml", "--run", "paths"]);
    assert_eq!(code, 1);
    assert!(
        err.contains("no exact distribution: paths: ") && err.contains("Hamiltonian") && out.is_empty(),
        "{err}{out}"
    );
    let (code, _, err) = call(&folder, &["exact", "two.toml", "--run", "hot"]);
    assert!(code == 2 && err.contains("there is no run") && err.contains("cold, paths"), "{err}");
    let (code, _, err) = call(&folder, &["exact", "two.toml", "--run", "cold", "--at", "61"]);
    assert!(code == 2 && err.contains("61 is no step of the run"), "{err}");
    let (code, ..) = call(&folder, &["exact", "two.toml", "--at", "0"]);
    assert_eq!(code, 2);
}

/// `run` tells the same numbers where they are cheap.
#[test]
fn summaries_have_exact_parts() {
    let folder = folder_with("two.toml", TWO);
    let (code, _, err) = call(&folder, &["run", "two.toml", "--out", "results", "--quiet"]);
    assert_eq!((code, err.as_str()), (0, ""));
    let summary: Json = serde_json::from_slice(&fs::read(folder.path().join("results/summary.json")).unwrap()).unwrap();
    let exact = &summary["runs"][0]["exact"];
    assert_eq!(exact["kind"], "product");
    let tv = exact["collected"]["measures"]["tv"]["value"].as_f64().unwrap();
    let measured = summary["runs"][0]["metrics"]["tv"].as_f64().unwrap();
    assert!(tv > 0.0 && tv < measured, "Monte Carlo adds to it: {tv} {measured}");
    assert!(summary["runs"][1]["exact"]["not_computed"].as_str().unwrap().contains("Hamiltonian"));
}

#[test]
fn lists_say_where_distributions_are_computed() {
    let folder = folder_with("two.toml", TWO);
    let (code, out, _) = call(&folder, &["list", "methods"]);
    assert!(code == 0 && out.contains("exact distribution: on the line and in the plane"), "{out}");
    assert!(out.contains("no exact distribution: the method remembers more than the position of a chain"), "{out}");
    let (_, out, _) = call(&folder, &["list", "targets", "--json"]);
    let json: Json = serde_json::from_str(&out).unwrap();
    let of = |name: &str| {
        json["targets"].as_array().unwrap().iter().find(|target| target["name"] == name).unwrap()["exact"].clone()
    };
    assert_eq!(of("gaussian-grid"), json!({ "computed": "as a product of two lines" }));
    assert_eq!(of("banana"), json!({ "computed": "in the plane" }));
    assert_eq!(of("double-well"), json!({ "computed": "on the line" }));
    assert_eq!(of("network"), json!({ "not_computed": "the target has more than two coordinates" }));
}
