//! Formulas in more than two coordinates: runs on them, files and commands, against what is known otherwise.

use std::fs;
use std::path::Path;

use sampler_lab::diagnostics::chain::{ess_bulk, mcse_mean, mcse_sd, rhat};
use sampler_lab::formula::{Form, Formula};
use sampler_lab::math::{Purpose, Stream};
use sampler_lab::methods::METHODS;
use sampler_lab::params::{NamedNumber, ParamType, Settings, Value, find_kind};
use sampler_lab::scenario::{self, Scenario};
use sampler_lab::session::{Frame, QuantityDraws, Session};
use sampler_lab::targets::{TARGETS, build};
use serde_json::Value as Json;

use super::cli::{call, folder_with};

const NUTS: &str = "[[run]]\nname = \"A\"\nmethod = \"nuts\"\nchains = 4\nsteps = 3000\nwarm_up = 1000\n\
                    collect = { burn_in = 1000 }\nadapt_step_size = true\nmass = \"dense\"\n";

fn read(target: &str, run: &str) -> Scenario {
    let text = format!("format = 1\ntitle = \"x\"\nseed = 5\n[target]\nkind = \"formula\"\n{target}\n{run}");
    scenario::read(&text, "x", Path::new("")).unwrap_or_else(|errors| panic!("{target}: {errors:?}"))
}

fn finished(scenario: Scenario) -> Frame {
    let mut session = Session::new(scenario).unwrap();
    session.advance(u64::MAX);
    session.frame()
}

/// Asserts that means and standard deviations of these quantities are these, within four standard errors.
fn compare(frame: &Frame, expected: &[(&str, [f64; 2])]) {
    let names = frame.target.quantities().unwrap().names();
    let draws = QuantityDraws::of(frame.target.as_ref(), &frame.runs[0]).unwrap();
    for (name, [mean, sd]) in expected {
        let number = names.iter().position(|known| known == name).unwrap_or_else(|| panic!("no {name}: {names:?}"));
        let chains: Vec<&[f64]> = draws.chains[number].iter().map(Vec::as_slice).collect();
        assert!(ess_bulk(&chains).unwrap() > 400.0 && rhat(&chains).unwrap() < 1.01, "{name}");
        let all = chains.concat();
        let found = all.iter().sum::<f64>() / all.len() as f64;
        let spread = (all.iter().map(|draw| (draw - found).powi(2)).sum::<f64>() / (all.len() - 1) as f64).sqrt();
        let errors = [mcse_mean(&chains).unwrap(), mcse_sd(&chains).unwrap()];
        assert!((found - mean).abs() < 4.0 * errors[0], "{name}: mean {found}, not {mean} ± {}", errors[0]);
        assert!((spread - sd).abs() < 4.0 * errors[1], "{name}: sd {spread}, not {sd} ± {}", errors[1]);
    }
}

/// Gaussians x = m + L z with a random triangle L and standard normal z, which a formula finds line by line: the covariance is L Lᵀ.
#[test]
fn gaussians_have_their_means_and_deviations() {
    let mut stream = Stream::derive(21, Purpose::Data, 0, 0);
    for d in [3, 6, 10] {
        let mut normal = || stream.normal_pair().0;
        let means: Vec<f64> = (0..d).map(|_| 5.0 * normal()).collect();
        let triangle: Vec<Vec<f64>> = (0..d)
            .map(|row| (0..=row).map(|column| if column == row { 1.0 + normal().abs() } else { normal() }).collect())
            .collect();
        let line = |row: usize| {
            let before: String = (0..row).map(|column| format!(" − ({:?}) z{column}", triangle[row][column])).collect();
            format!("z{row} = (x[{}] − ({:?}){before})/{:?}", row + 1, means[row], triangle[row][row])
        };
        let lines: Vec<String> = (0..d).map(line).collect();
        let squares: String = (0..d).map(|row| format!(" − z{row}²/2")).collect();
        let frame = finished(read(&format!("density = \"{}\\n{squares}\"", lines.join("\\n")), NUTS));
        let names: Vec<String> = (0..d).map(|row| format!("x[{}]", row + 1)).collect();
        let sd = |row: usize| triangle[row].iter().map(|entry| entry * entry).sum::<f64>().sqrt();
        let mut expected: Vec<(&str, [f64; 2])> =
            names.iter().enumerate().map(|(row, name)| (name.as_str(), [means[row], sd(row)])).collect();
        // Lines that are numbers are reported as well.
        expected.push(("z2", [0.0, 1.0]));
        compare(&frame, &expected);
    }
}

const SCHOOLS: &str = "y,s\\n28,15\\n8,10\\n-3,16\\n7,11\\n-1,9\\n1,11\\n18,10\\n12,18\\n";

/// Eight schools without a centre. The numbers are those of the reference of posteriordb, by quadrature.
#[test]
fn eight_schools_have_the_numbers_of_the_reference() {
    let density = "mu = x[1]; log_tau = x[2]; tau = exp(log_tau); first = mu + tau x[3]; third = mu + tau x[5]\\n\
                   sum(normal_lpdf(y[i] | mu + tau x[i+2], s[i])) + sum(normal_lpdf(x[i+2] | 0, 1)) + \
                   normal_lpdf(mu | 0, 5) + cauchy_lpdf(tau | 0, 5) + log_tau";
    let target = format!("density = \"{density}\"\ndata = {{ kind = \"inline\", text = \"{SCHOOLS}\" }}");
    let frame = finished(read(&target, NUTS));
    compare(
        &frame,
        &[
            ("log_tau", [0.802_139_210_8, 1.171_226_466]),
            ("tau", [3.597_705_484, 3.219_958_415]),
            ("first", [6.211_884_204, 5.593_126_195]),
            ("third", [3.927_004_403, 5.262_615_105]),
        ],
    );
}

const OWN: &str = "density = \"a = x[1]; s = exp(x[3])\\nsum(normal_lpdf(y[i] | a + x[2] t[i], s)) + normal_lpdf(x[3] | 0, 1)\"\n\
                   data = { kind = \"inline\", text = \"t,y\\n0,1.2\\n1,2.9\\n2,5.3\\n3,6.8\\n\" }\nshown_x = \"x[2]\"\nshown_y = \"a\"";

/// Every method runs on a formula that runs on a regression with as many coordinates.
#[test]
fn every_method_runs_that_runs_on_regressions() {
    let mut ran = 0;
    for kind in &METHODS {
        let run = format!("[[run]]\nname = \"A\"\nmethod = \"{}\"\nsteps = 4\n", kind.name);
        let session = |target: &str| {
            let text = format!("format = 1\ntitle = \"x\"\nseed = 5\n[target]\n{target}\n{run}");
            Session::new(scenario::read(&text, "x", Path::new("")).ok()?).ok()
        };
        let regression = session("kind = \"regression\"\nterms = \"1, speed\"");
        let own = session(&format!("kind = \"formula\"\n{OWN}"));
        assert_eq!(own.is_some(), regression.is_some(), "{}", kind.name);
        if let Some(mut own) = own {
            own.advance(4);
            assert!(own.frame().runs[0].step > 0, "{}", kind.name);
            ran += 1;
        }
    }
    assert!(ran > 15, "{ran}");
}

/// What is written is read again as it was, with all that runs on it.
#[test]
fn a_scenario_comes_back_as_it_was_written() {
    let scenario = read(OWN, NUTS);
    let text = scenario::write(&scenario);
    let again = scenario::read(&text, "x", Path::new("")).unwrap();
    assert_eq!(again.target, scenario.target);
    assert!(text.contains("x[1]") && text.contains("shown_x = \"x[2]\""), "{text}");
}

/// The commands: what is not known is told to be so, everywhere, and draws leave under their names.
#[test]
fn commands_say_what_is_not_known() {
    let text = format!("format = 1\nseed = 5\n[target]\nkind = \"formula\"\n{OWN}\n{}", NUTS.replace("3000", "1400"));
    let folder = folder_with("own.toml", &text);
    let (code, out, err) = call(&folder, &["check", "own.toml"]);
    assert_eq!((code, err.as_str()), (0, ""));
    assert!(out.contains("not known: nothing is integrated for a formula in x[1], x[2]"), "{out}");
    let (code, _, err) = call(&folder, &["run", "own.toml", "--out", "out", "--draws", "csv", "--quiet"]);
    assert_eq!((code, err.as_str()), (0, ""));
    let summary: Json =
        serde_json::from_str(&fs::read_to_string(folder.path().join("out/summary.json")).unwrap()).unwrap();
    assert!(summary["truth_unknown"].as_str().unwrap().contains("nothing is integrated"));
    let run = &summary["runs"][0];
    assert!(run["metrics"]["quantity_means"].is_null() && run["metrics"]["quantity_rhat"].is_f64(), "{run}");
    let known = &run["quantities"];
    assert_eq!(known["truth"], "not known");
    let values = known["values"].as_array().unwrap();
    let names: Vec<&str> = values.iter().map(|value| value["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["a", "x[2]", "x[3]", "s"]);
    assert!(values.iter().all(|value| value["truth"]["mean"].is_null() && value["draws"]["mean"].is_f64()));
    let draws = fs::read_to_string(folder.path().join("out/coordinates/A.csv")).unwrap();
    assert!(draws.starts_with("chain,step,weight,diverging,a,x[2],x[3],s\n"), "{}", &draws[..80]);
    for view in ["coefficients", "pairs", "window"] {
        let file = format!("{view}.png");
        let (code, _, err) = call(&folder, &["render", "own.toml", "--view", view, "--out", &file]);
        assert_eq!((code, err.as_str()), (0, ""), "{view}");
    }
    let wrong = text.replace("x[3]", "x[4]");
    fs::write(folder.path().join("wrong.toml"), wrong).unwrap();
    let (code, _, err) = call(&folder, &["check", "wrong.toml"]);
    assert!(code != 0 && err.contains("x[3] is not in the density"), "{err}");
}

/// What is put into a damaged formula.
const PIECES: [&str; 16] = [
    "x[1]", "x[i]", "x[i+1]", "x[i−2]", "x[9]", "sum(", "dot(", ")", "[", "]", "d = 4\n", "y[i]", "x", "²", "/", "if(",
];

/// Damaged formulas are read or refused with a place, and what is read is built or refused.
#[test]
fn damaged_formulas_are_read_or_refused() {
    let texts = [
        "d = 5\n−sum((x[i+1] − x[i]²)²) − sum(x[i]²)",
        "a = x[1]; s = exp(x[3])\nsum(normal_lpdf(y[i] | a + x[2] y[i], s)) + normal_lpdf(x[3] | 0, 1)",
        "logsumexp(−x[1]² − x[2]², −dot(x[i] − 3, x[i] − 3)) + mean(x[i−1])",
        "if(x[1] > x[2], −sqrt(x[1] − x[2]), x[3]) − sum(x[i]⁴)",
    ];
    let kind = find_kind(&TARGETS, "formula").unwrap();
    let table = "y\n1\n2\n4\n";
    let (mut read, mut built) = (0, 0);
    for case in 0..1200 {
        let mut stream = Stream::derive(case, Purpose::Data, 1, 0);
        let mut below = |count: usize| {
            let share = stream.uniform() * count as f64;
            (1..count).take_while(|number| *number as f64 <= share).count()
        };
        let mut letters: Vec<char> = texts[below(texts.len())].chars().collect();
        for _ in 0..1 + below(3) {
            let at = below(letters.len());
            if below(2) == 0 {
                letters.remove(at);
            } else {
                letters.splice(at..at, PIECES[below(PIECES.len())].chars());
            }
        }
        let text: String = letters.into_iter().collect();
        let formula = match Formula::read(&text) {
            Ok(formula) => formula,
            Err(error) => {
                assert!(error.at.start <= error.at.end && error.at.end <= text.chars().count(), "{text}: {error:?}");
                assert!(!error.problem.is_empty() && !error.allowed.is_empty(), "{text}");
                continue;
            }
        };
        read += 1;
        let set = formula.typeset(Form::LogDensity, 30.0, &|text, _| 0.5 * text.chars().count() as f32);
        assert!(set.size.iter().all(|size| size.is_finite()));
        let mut settings = Settings::defaults(kind);
        let numbers = formula.parameters().map(|name| NamedNumber::new(name, 1.0)).collect();
        settings.set("density", Value::Text(text.clone())).unwrap();
        settings.set("parameters", Value::Named(numbers)).unwrap();
        if formula.columns().next().is_some() {
            let Some(ParamType::Group(kinds)) = kind.param("data").map(|spec| spec.ty) else { panic!("no group") };
            settings.set("data", Value::Group(Settings::defaults(find_kind(kinds, "inline").unwrap()))).unwrap();
            settings.set("data.text", Value::Text(table.to_owned())).unwrap();
        }
        if !formula.is_in_vectors() {
            continue;
        }
        match build(&settings, ".") {
            Ok(target) => {
                let view = target.info().view;
                assert!(view.min.x < view.max.x && view.min.y < view.max.y, "{text}: {view:?}");
                assert!(target.model().unwrap().start().iter().all(|at| at.is_finite()), "{text}");
                built += 1;
            }
            Err(errors) => assert!(errors.iter().all(|error| !error.allowed.is_empty()), "{text}: {errors:?}"),
        }
    }
    assert!(read > 60 && built > 50, "{read} {built}");
}
