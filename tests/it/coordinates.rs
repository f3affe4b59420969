//! Draws in all coordinates of a target in more dimensions than are drawn: the same numbers in every format, under their names.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde_json::{Value as Json, json};

use super::cli::{call, folder_with};

const REGRESSION: &str = r#"
format = 1
seed = 4
[target]
kind = "regression"
terms = "1, speed, speed/2 + speed^2"
standardise = false
[[run]]
name = "NUTS"
method = "nuts"
chains = 3
steps = 600
warm_up = 200
adapt_step_size = true
mass = "dense"
collect = { burn_in = 200, thin = 2 }
[[run]]
name = "fit"
method = "laplace"
steps = 30
draws = 70
"#;

/// Names, and the rows of a table without quoted cells.
fn table(path: &Path) -> (Vec<String>, Vec<Vec<f64>>) {
    let text = fs::read_to_string(path).unwrap();
    let mut lines = text.lines();
    let names = lines.next().unwrap().split(',').map(str::to_owned).collect();
    (names, lines.map(|line| line.split(',').map(|cell| cell.parse().unwrap()).collect()).collect())
}

/// The numbers of an array in one chunk.
fn array(store: &Path, path: &str) -> (Json, Vec<f64>) {
    let metadata: Json = serde_json::from_slice(&fs::read(store.join(path).join("zarr.json")).unwrap()).unwrap();
    let index = if metadata["shape"].as_array().unwrap().len() == 3 { "c/0/0/0" } else { "c/0/0" };
    let bytes = fs::read(store.join(path).join(index)).unwrap();
    let numbers = bytes.chunks(8).map(|number| f64::from_le_bytes(number.try_into().unwrap())).collect();
    (metadata, numbers)
}

#[test]
fn draws_leave_in_all_coordinates_under_their_names() {
    let folder = folder_with("all.toml", REGRESSION);
    for format in ["csv", "npy", "zarr"] {
        let (code, _, err) = call(&folder, &["run", "all.toml", "--out", format, "--draws", format, "--quiet"]);
        assert_eq!((code, err.as_str()), (0, ""), "200 steps are fewer than are kept");
    }
    let (names, rows) = table(&folder.path().join("csv/coordinates/NUTS.csv"));
    let before = ["chain", "step", "weight", "diverging"];
    let own = ["intercept", "speed", "speed/2 + speed^2", "log_sigma", "sigma"];
    assert_eq!(names, before.iter().chain(&own).copied().collect::<Vec<_>>());
    assert_eq!(rows.len(), 3 * 200);
    // The first coordinates are those of the usual file, and σ is exp(ln σ).
    let (_, usual) = csv_of(&folder.path().join("csv/draws/NUTS.csv"));
    for (row, usual) in rows.iter().zip(&usual) {
        assert_eq!(
            [row[0], row[1], row[4], row[5]].map(f64::to_bits),
            [usual[0], usual[1], usual[2], usual[3]].map(f64::to_bits)
        );
        assert!((row[7].exp() / row[8] - 1.0).abs() < 1e-12);
    }
    let summary: Json = serde_json::from_slice(&fs::read(folder.path().join("csv/summary.json")).unwrap()).unwrap();
    for (run, rows) in [(0, &rows), (1, &table(&folder.path().join("csv/coordinates/fit.csv")).1)] {
        for (number, value) in summary["runs"][run]["quantities"]["values"].as_array().unwrap().iter().enumerate() {
            assert_eq!(value["name"], own[number]);
            let mean = rows.iter().map(|row| row[4 + number]).sum::<f64>() / rows.len() as f64;
            let (expected, sd) = (value["draws"]["mean"].as_f64().unwrap(), value["draws"]["sd"].as_f64().unwrap());
            // Of a sampler the same draws; of a fit 70 draws from it.
            let error = if run == 0 { 1e-9 * sd } else { 4.0 * sd / 70.0_f64.sqrt() };
            assert!((mean - expected).abs() < error, "{run} {}: {mean} {expected}", own[number]);
        }
    }
    // NumPy: four numbers of 8, 8, 8 and 1 bytes, then the coordinates.
    let npy = fs::read(folder.path().join("npy/coordinates/NUTS.npy")).unwrap();
    let header = 10 + usize::from(u16::from_le_bytes([npy[8], npy[9]]));
    let text = String::from_utf8(npy[10..header].to_vec()).unwrap();
    assert!(text.contains("('speed/2 + speed^2', '<f8')") && text.contains(&format!("({:>20},)", 600)), "{text}");
    for (record, row) in npy[header..].chunks_exact(25 + 8 * own.len()).zip(&rows) {
        let number = |at: usize| f64::from_le_bytes(record[at..at + 8].try_into().unwrap());
        assert!((u64::from_le_bytes(record[8..16].try_into().unwrap()) as f64 - row[1]).abs() < 0.5);
        own.iter().enumerate().for_each(|(k, _)| assert_eq!(number(25 + 8 * k).to_bits(), row[4 + k].to_bits()));
    }
    assert_eq!(npy.len() - header, 600 * (25 + 8 * own.len()));
    // Zarr: by chain and draw, under a name that a folder can have.
    let store = folder.path().join("zarr/draws/NUTS.zarr");
    for (k, node) in ["intercept", "speed", "speed_2 + speed^2", "log_sigma", "sigma"].iter().enumerate() {
        let (metadata, numbers) = array(&store, &format!("posterior/{node}"));
        assert_eq!((&metadata["shape"], &metadata["attributes"]["long_name"]), (&json!([3, 200]), &json!(own[k])));
        for (number, row) in rows.iter().enumerate() {
            assert_eq!(numbers[number % 3 * 200 + number / 3].to_bits(), row[4 + k].to_bits(), "{node}");
        }
    }
    assert!(!store.join("posterior/x").exists() && store.join("sample_stats/diverging").exists());
    let mass = &summary["runs"][0]["inverse_mass"];
    let chain = mass["chains"][0].as_array().unwrap();
    assert_eq!((mass["kind"].as_str(), chain.len(), chain[0].as_array().map(Vec::len)), (Some("dense"), 4, Some(4)));
    assert_eq!(chain[1][2], chain[2][1], "a covariance is symmetric");
}

/// Standardised columns: coefficients in the units of the file stand beside the others, in `summary.json` and in every format. R's
/// `lm(dist ~ speed, cars)` says 3.932409 for the slope.
#[test]
fn coefficients_leave_in_the_units_of_the_file() {
    let text = REGRESSION.replace("standardise = false", "standardise = true").replace(", speed/2 + speed^2", "");
    let folder = folder_with("all.toml", &text);
    for format in ["csv", "npy", "zarr"] {
        let (code, _, err) = call(&folder, &["run", "all.toml", "--out", format, "--draws", format, "--quiet"]);
        assert_eq!((code, err.as_str()), (0, ""));
    }
    let (names, rows) = table(&folder.path().join("csv/coordinates/NUTS.csv"));
    assert_eq!(names[8..], ["file.intercept", "file.speed", "file.sigma"]);
    let summary: Json = serde_json::from_slice(&fs::read(folder.path().join("csv/summary.json")).unwrap()).unwrap();
    let run = &summary["runs"][0]["quantities"];
    assert_eq!(run["values"].as_array().unwrap().len(), 4);
    for (number, of) in run["in_file_units"].as_array().unwrap().iter().enumerate() {
        let column: Vec<f64> = rows.iter().map(|row| row[8 + number]).collect();
        let mean = column.iter().sum::<f64>() / column.len() as f64;
        let sd = of["truth"]["sd"].as_f64().unwrap();
        assert_eq!(format!("file.{}", of["name"].as_str().unwrap()), names[8 + number]);
        assert!((of["draws"]["mean"].as_f64().unwrap() - mean).abs() < 1e-9 * sd);
        assert!((of["truth"]["mean"].as_f64().unwrap() - mean).abs() < 5.0 * of["mcse_mean"].as_f64().unwrap());
        assert!(
            of["rhat"].as_f64().is_some_and(|rhat| rhat < 1.05)
                && of["ess_bulk"].as_f64().is_some_and(|ess| ess > 100.0)
        );
    }
    assert!((run["in_file_units"][1]["truth"]["mean"].as_f64().unwrap() - 3.932_409).abs() < 1e-6);
    let npy = fs::read(folder.path().join("npy/coordinates/NUTS.npy")).unwrap();
    assert!(String::from_utf8_lossy(&npy[..500]).contains("('file.speed', '<f8')"));
    let (_, numbers) = array(&folder.path().join("zarr/draws/NUTS.zarr"), "posterior/file.speed");
    assert_eq!(numbers[0].to_bits(), rows[0][9].to_bits());
}

/// A table by names; cells that are no numbers are left out.
fn csv_of(path: &Path) -> (BTreeMap<String, usize>, Vec<Vec<f64>>) {
    let text = fs::read_to_string(path).unwrap();
    let names = text.lines().next().unwrap().split(',').enumerate().map(|(at, name)| (name.to_owned(), at)).collect();
    let rows = text.lines().skip(1).map(|line| line.split(',').filter_map(|cell| cell.parse().ok()).collect());
    (names, rows.collect())
}

/// Weights of a network have no names; a run with more steps than are kept says so.
#[test]
fn coordinates_without_names_are_one_array_and_what_is_thinned_says_so() {
    let text = "format = 1\nseed = 4\n[target]\nkind = \"network\"\nhidden = 3\n[[run]]\nname = \"A\"\nmethod = \"sgld\"\nchains = 2\n\
                steps = 6000\nstep_size = { kind = \"constant\", value = 1e-5 }\n";
    let folder = folder_with("net.toml", text);
    for format in ["csv", "zarr"] {
        let (code, _, err) = call(&folder, &["run", "net.toml", "--out", format, "--draws", format, "--quiet"]);
        assert_eq!(code, 0, "{err}");
        assert!(
            err.contains("note: the draws of A in all coordinates are those of one of every 2 collected steps"),
            "{err}"
        );
    }
    let (code, _, err) =
        call(&folder, &["run", "net.toml", "--out", "whole", "--draws", "csv", "--unthinned", "--quiet"]);
    assert_eq!((code, err.contains("one of every")), (0, false), "{err}");
    let whole = table(&folder.path().join("whole/coordinates/A.csv")).1;
    assert_eq!(whole.len(), 2 * 6000);
    let (names, rows) = table(&folder.path().join("csv/coordinates/A.csv"));
    assert!(
        rows.iter().enumerate().all(|(number, row)| row[..] == whole[2 * (number - number % 2) + 2 + number % 2][..])
    );
    assert_eq!((names[4].as_str(), rows.len(), rows[0].len()), ("theta[0]", 2 * 3000, names.len()));
    let (metadata, numbers) = array(&folder.path().join("zarr/draws/A.zarr"), "posterior/theta");
    let weights = names.len() - 4;
    assert_eq!(
        (&metadata["shape"], &metadata["dimension_names"]),
        (&json!([2, 3000, weights]), &json!(["chain", "draw", "coordinate"]))
    );
    for (number, row) in rows.iter().enumerate() {
        let from = (number % 2 * 3000 + number / 2) * weights;
        assert_eq!(numbers[from..from + weights], row[4..], "draw {number}");
    }
}
