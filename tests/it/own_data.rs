//! Tests of `new`: a file of data becomes a scenario that is checked and run.

use std::fs;

use super::cli::{call, folder_with};

/// A file as a spreadsheet in Europe writes it: a line that names the separator, decimal commas, a missing cell.
const SHEET: &str = "sep=;\r\nnr;dose;group;sick\r\n1;-0,9;low;no\r\n2;-0,3;low;no\r\n3;0,1;high;yes\r\n4;NA;low;yes\r\n5;0,4;high;no\r\n\
                     6;0,7;high;yes\r\n7;1,3;low;yes\r\n8;-1,2;high;no\r\n9;0,2;low;yes\r\n10;-0,4;high;no\r\n";

#[test]
fn a_file_becomes_a_scenario_that_is_checked_and_run() {
    let folder = folder_with("my data.csv", SHEET);
    let (code, out, err) = call(&folder, &["new", "--data", "my data.csv", "--output", "made.toml"]);
    assert_eq!((code, out.as_str()), (0, ""), "{err}");
    assert_eq!(
        err,
        "my data.csv: 10 rows and 4 columns, separated by semicolons, with a decimal comma\n\
         question: logistic regression of \"sick\": the response \"sick\" is guessed, as the last column that suits a question; \"sick\" has two values\n\
         explained by: dose, group\n\
         reference of \"group\": \"high\"\n\
         rows: 9 used, 1 left out: a cell is missing\n\
         not used: \"nr\": it numbers the rows\n"
    );
    let (code, out, err) = call(&folder, &["check", "made.toml"]);
    assert_eq!((code, err.as_str()), (0, ""));
    assert!(out.contains("data: my data.csv: 9 rows; 1 left out: a cell is missing in line 6"), "{out}");
    let (code, _, err) = call(&folder, &["run", "made.toml", "--out", "results", "--quiet"]);
    assert_eq!(code, 0, "{err}");
    let summary: serde_json::Value =
        serde_json::from_slice(&fs::read(folder.path().join("results/summary.json")).unwrap()).unwrap();
    assert_eq!((&summary["data"]["rows"], &summary["data"]["left_out"]), (&9.into(), &1.into()));
    assert_eq!(summary["data"]["sha256"].as_str().map(str::len), Some(64));
    // A changed file is told.
    fs::write(folder.path().join("my data.csv"), SHEET.replace("0,7", "0,8")).unwrap();
    let (code, _, err) = call(&folder, &["check", "made.toml"]);
    assert!(code == 2 && err.contains("my data.csv has changed since the scenario was written"), "{err}");
    fs::remove_file(folder.path().join("my data.csv")).unwrap();
    let (code, _, err) = call(&folder, &["check", "made.toml"]);
    assert!(code == 2 && err.contains("my data.csv: there is no such file"), "{err}");
}

#[test]
fn choices_of_a_person_are_taken_or_refused_in_words() {
    let folder = folder_with(
        "a.csv",
        "price,\"sold\",area\n\"1,120\",3,a\n\"2,300\",0,b\n\"1,900\",1,a\n\"1,000\",4,b\n\"1,200\",2,a\n",
    );
    let (code, out, err) = call(&folder, &["new", "--data", "a.csv"]);
    assert_eq!((code, out.as_str()), (2, ""));
    let unclear = "--decimal: \"1,120\" in line 2 is 1120 with a decimal point, and 1.12 with a decimal comma; allowed: point or comma\n";
    assert_eq!(err, unclear);
    let arguments = [
        "new",
        "--data",
        "a.csv",
        "--decimal",
        "point",
        "--response",
        "price",
        "--predictors",
        "area,sold",
        "--as",
        "robust",
    ];
    let (code, out, err) = call(&folder, &arguments);
    assert_eq!(code, 0, "{err}");
    for line in [
        "response = \"price\"",
        "terms = \"1, factor(area, \\\"a\\\"), sold\"",
        "likelihood = { kind = \"student-t\", df = 4.0, sigma = { kind = \"half-student-t\", df = 3.0, scale = 2.5 } }",
        "decimal = \"point\"",
        "path = \"a.csv\"",
    ] {
        assert!(out.lines().any(|found| found == line), "{line}\n{out}");
    }
    for (arguments, said) in [
        (&["--response", "z"][..], "--response: there is no column \"z\"; allowed: price, sold, area"),
        (&["--response", "price", "--predictors", "sold*area"], "are terms: --terms sold:area; allowed: price"),
        (&["--response", "area", "--as", "linear"], "linear regression does not suit column \"area\""),
        (&["--as", "topics"], "no column suits topics"),
        (&["--response", "area", "--as", "classes", "--centre"], "--centre: classes by a network has no terms"),
        (&["--output", "a.csv"], "allowed: a name that ends in .toml"),
    ] {
        let all: Vec<&str> =
            ["new", "--data", "a.csv", "--decimal", "point"].iter().chain(arguments).copied().collect();
        let (code, _, err) = call(&folder, &all);
        assert!(code == 2 && err.contains(said), "{err}");
    }
    let (code, out, err) =
        call(&folder, &["new", "--data", "a.csv", "--decimal", "point", "--response", "price", "--centre"]);
    assert!(code == 0 && out.contains("standardise = false\n") && out.contains("centre = true\n"), "{out}{err}");
    let (code, _, err) = call(&folder, &["new", "--data", "none.csv"]);
    assert!(code == 2 && err.starts_with("--data: none.csv: "), "{err}");
}

/// A column of groups stands last: nothing tells that it is the response.
const GROUPS: &str = "dose,weight,group\n0.5,61,a\n1,62.5,b\n1.5,60,c\n2,59,a\n2.5,63,b\n3,58.5,c\n3.5,61,b\n4,60.5,a\n4.5,62,b\n\
    5,61.5,c\n5.5,58,a\n6,63.5,b\n6.5,59.5,c\n7,60,b\n7.5,62,a\n8,59,b\n8.5,61.5,c\n9,60.5,a\n9.5,63,b\n10,58,c\n\
    10.5,62.5,b\n";

#[test]
fn a_response_that_is_not_clear_is_asked_for() {
    let folder = folder_with("groups.csv", GROUPS);
    let (code, out, err) = call(&folder, &["new", "--data", "groups.csv"]);
    assert_eq!((code, out.as_str()), (2, ""));
    assert_eq!(
        err,
        "--response: it is not clear which column is to be explained; allowed: dose (linear regression), weight (linear regression), \
         group (classes by a network)\n"
    );
    let (code, out, err) = call(&folder, &["new", "--data", "groups.csv", "--as", "classes"]);
    assert!(code == 0 && out.contains("label_column = \"group\""), "{err}");
    let (code, out, err) = call(&folder, &["new", "--data", "groups.csv", "--response", "weight"]);
    assert!(code == 0 && out.contains("terms = \"1, dose, factor(group, \\\"b\\\")\""), "{err}\n{out}");
    assert!(err.contains("reference of \"group\": \"b\"\n"), "{err}");
    let (code, out, err) = call(&folder, &["new", "--data", "groups.csv", "--as", "sums"]);
    assert!(code == 2 && out.is_empty() && err.contains("linear"), "{err}");
}

#[test]
fn reference_and_priors_are_options() {
    let folder = folder_with("groups.csv", GROUPS);
    let new = |more: &[&str]| {
        let all: Vec<&str> =
            ["new", "--data", "groups.csv", "--response", "weight"].iter().chain(more).copied().collect();
        call(&folder, &all)
    };
    let (code, out, err) =
        new(&["--reference", "group=c", "--prior", "laplace,scale=1", "--prior-sigma", "known,value=0.5"]);
    assert_eq!(code, 0, "{err}");
    for line in [
        "terms = \"1, dose, factor(group, \\\"c\\\")\"",
        "prior = { kind = \"laplace\", mean = 0.0, scale = 1.0 }",
        "likelihood = { kind = \"normal\", sigma = { kind = \"known\", value = 0.5 } }",
    ] {
        assert!(out.lines().any(|found| found == line), "{line}\n{out}");
    }
    for (more, said) in [
        (&["--reference", "group"][..], "--reference: \"group\" has no = between column and level"),
        (&["--reference", "group=d"], "column \"group\" has no level \"d\"; allowed: a, b, c"),
        (&["--reference", "dose=1"], "column \"dose\" is no predictor of words; allowed: group"),
        (
            &["--prior", "ridge"],
            "--prior: there is no prior \"ridge\"; allowed: flat, normal, student-t, cauchy, laplace",
        ),
        (&["--as", "function", "--prior", "flat"], "function by a network has no prior of coefficients"),
    ] {
        let (code, _, err) = new(more);
        assert!(code == 2 && err.contains(said), "{err}");
    }
}

#[test]
fn a_folder_of_texts_becomes_topics() {
    let folder = folder_with("x.csv", "a\n1\n");
    let texts = folder.path().join("texts");
    fs::create_dir(&texts).unwrap();
    let (code, _, err) = call(&folder, &["new", "--data", "texts"]);
    assert!(code == 2 && err.contains("--data: texts: the folder has no files with the ending .txt"), "{err}");
    for number in 0..12 {
        let words = ["wolf lamb brook ", "fox grapes vine ", "crow cheese tree "][number % 3];
        fs::write(texts.join(format!("{number:02}.txt")), words.repeat(6)).unwrap();
    }
    let (code, out, err) = call(&folder, &["new", "--data", "texts", "--output", "topics.toml"]);
    assert_eq!(
        (code, out.as_str(), err.as_str()),
        (0, "", "texts: 12 texts\nquestion: topics, each text a document\n")
    );
    let (code, out, err) = call(&folder, &["check", "topics.toml"]);
    assert_eq!((code, err.as_str()), (0, ""), "{out}");
    let (code, _, err) = call(&folder, &["new", "--data", "texts", "--response", "a"]);
    assert!(code == 2 && err.contains("--response: texts is a folder of texts"), "{err}");
}
