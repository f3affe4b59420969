//! Tests of data files: numbers read, and messages about bad files.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use super::super::{Folder, Target, build, sha256};
use super::{group, settings};
use base::params::{ParamError, ParamType, Value};

/// Builds `kind` from a file with `bytes` and reports N, or the errors.
fn read(kind: &str, column: &str, bytes: &[u8]) -> Result<usize, Vec<ParamError>> {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("data.csv"), bytes).unwrap();
    read_in(kind, "data.csv", column, folder.path())
}

fn read_in(kind: &str, path: &str, column: &str, folder: &Path) -> Result<usize, Vec<ParamError>> {
    let values = [("path", Value::Text(path.to_owned())), ("column", Value::Text(column.to_owned()))];
    let settings = settings(kind, &[("data", group(kind, "data", "csv", &values))]);
    build(&settings, folder).map(|target| target.data_count().unwrap())
}

#[test]
fn files_that_can_be_read() {
    for (column, text, n) in [
        ("1", "1\n2.5\n-3e-2\n", 3),
        ("1", "1\r\n2\r\n\r\n3", 3),
        ("1", "\u{feff}x\n1\n2\n", 2),
        ("x", "t,x\n0,1\n1,2\n", 2),
        ("2", "t;x\n0;1\n1;2\n2;3\n", 3),
        ("2", "0\t1\n1\t2\n", 2),
        ("body mass", "id,\"body mass\"\n a, 1\n b, 2\n", 2),
        ("2", "2,3\n0,0\n", 2),
        ("2020", "year,2020,2021\na,1,2\n", 1),
        ("2", ",x\n0,1\n1,2\n", 2),
        ("2", "0,1,\n1,2,\n", 2),
        ("x", "# made by hand; in May\n\n  # and in June, twice\nt,x\n0,1\n1,\u{2212}2.5\n", 2),
        ("2", "\u{2212}0.5\t1e\u{2212}3\n1\t\u{2212}2\n", 2),
    ] {
        assert_eq!(read("bivariate-mixture", column, text.as_bytes()), Ok(n), "{text:?}");
    }
    assert_eq!(read("beta-posterior", "1", b"0\n1\n1.0\n"), Ok(3));
    assert_eq!(read("normal-gamma", "x", b"x\n0.5\n-1.0\n"), Ok(2));
}

#[test]
fn files_that_cannot_be_read() {
    let big = "1\n".repeat(100_001);
    let wide = "1,".repeat(1001);
    let cases: [(&str, &str, &[u8], &str, &str); 35] = [
        ("bivariate-mixture", "1", b"", "data.path", "the file is empty"),
        ("bivariate-mixture", "1", b"\n  \n\n", "data.path", "the file is empty"),
        ("bivariate-mixture", "1", b"x\n", "data.path", "no data below the header"),
        ("bivariate-mixture", "1", b"1\nabc\n", "data.path", "line 2, column 1: \"abc\" is not a number"),
        ("bivariate-mixture", "1", b"1\n0.5\n\"2,5\"\n", "data.path", "line 3, column 1: \"2,5\" is not a number"),
        ("bivariate-mixture", "1", b"# a\n# b\n1\nabc\n", "data.path", "line 4, column 1: \"abc\" is not a number"),
        (
            "bivariate-mixture",
            "1",
            b"1\n# b\n",
            "data.path",
            "line 2, column 1: \"# b\" begins with #, below the first row",
        ),
        ("bivariate-mixture", "1", b"# a", "data.path", "the file is empty"),
        (
            "bivariate-mixture",
            "1",
            b"# a\n1.0 2.0\n",
            "data.column",
            "line 2: \"1.0 2.0\" has spaces between its numbers",
        ),
        (
            "bivariate-mixture",
            "x",
            b"x\n1.0 2.0\n",
            "data.path",
            "line 2, column \"x\": \"1.0 2.0\" has spaces between",
        ),
        ("bivariate-mixture", "1", b"1\n2\nNaN\n", "data.path", "line 3, column 1: NaN is not allowed"),
        ("bivariate-mixture", "1", b"x\n-inf\n", "data.path", "line 2, column 1: -inf is not allowed"),
        ("bivariate-mixture", "1", b"x\n1e300\n", "data.path", "line 2, column 1: 1e300 is not allowed"),
        ("bivariate-mixture", "2", b"1,2\n3\n", "data.path", "line 2, column 2: the column is missing"),
        ("bivariate-mixture", "2", b"1,2\n3,\n", "data.path", "line 2, column 2: the cell is empty"),
        ("bivariate-mixture", "x", b"x,y\n1,2\n3,4,5\n", "data.path", "line 3: 3 cells, where the first row has 2"),
        ("bivariate-mixture", "1", b"\x89PNG\r\n\x1a\n\x00\x00", "data.path", "not a text file"),
        ("bivariate-mixture", "1", b"1\n2\x00\n", "data.path", "not a text file"),
        ("bivariate-mixture", "z", b"x,y\n1,2\n", "data.column", "has no column \"z\""),
        ("bivariate-mixture", "3", b"1,2\n", "data.column", "has no column \"3\""),
        ("bivariate-mixture", "x", b"x,y,x\n1,2,3\n", "data.column", "has 2 columns called \"x\""),
        (
            "bivariate-mixture",
            "3",
            b"a,3,b\nx,1,y\n",
            "data.column",
            "the name of column 2 of data.csv, and the number of column 3",
        ),
        ("bivariate-mixture", "2", b"a,2\n1,2\n", "data.column", "is the name and the number of column 2"),
        ("bivariate-mixture", "1", b"x,2020\n1,2\n", "data.column", "line 1: the line has numbers and words"),
        (
            "bivariate-mixture",
            "2",
            b"setosa,5.1\nsetosa,4.9\n",
            "data.column",
            "line 1: the line has numbers and words",
        ),
        ("bivariate-mixture", "2020", b"2019,2020\n1,2\n", "data.column", "has no column \"2020\""),
        ("bivariate-mixture", "1", b"1.5.2\n2\n", "data.column", "line 1: \"1.5.2\" may be the name"),
        ("bivariate-mixture", "1", b"-3x\n2\n", "data.column", "line 1: \"-3x\" may be the name"),
        ("bivariate-mixture", "1", b"NA\n2\n", "data.column", "line 1: \"NA\" may be the name"),
        ("bivariate-mixture", "1", b",x\n1,2\n", "data.column", "line 1: the column has neither a name nor a number"),
        ("bivariate-mixture", "1", b"\"1\n2\n3\n", "data.column", "line 1: \"1"),
        ("bivariate-mixture", "1", b"1\n\"2\n3\n", "data.path", "line 2, column 1: a quotation mark opens"),
        ("bivariate-mixture", "1", wide.as_bytes(), "data.path", "there are 1002 columns"),
        ("bivariate-mixture", "1", big.as_bytes(), "data.path", "too many"),
        ("beta-posterior", "1", b"0\n1\n2\n", "data.path", "line 3, column 1: 2 is not allowed"),
    ];
    for (kind, column, bytes, path, problem) in cases {
        let errors = read(kind, column, bytes).unwrap_err();
        assert_eq!(errors.len(), 1, "{errors:?}");
        assert_eq!(errors[0].path, path, "{errors:?}");
        assert!(errors[0].problem.contains("data.csv") && errors[0].problem.contains(problem), "{errors:?}");
        assert!(!errors[0].allowed.is_empty());
    }
}

#[test]
fn the_same_fault_is_told_once_with_its_lines() {
    let errors = read("beta-posterior", "1", "1\n".repeat(3).as_bytes()).map(|_| ());
    assert_eq!(errors, Ok(()));
    let errors = read("beta-posterior", "1", "1\nx\n".repeat(20).as_bytes()).unwrap_err();
    let problems = |errors: &[ParamError]| errors.iter().map(|error| error.problem.clone()).collect::<Vec<_>>();
    assert_eq!(problems(&errors), ["data.csv, line 2, column 1: \"x\" is not a number (the first of 20 such lines)"]);
    assert_eq!(errors[0].allowed, "0 or 1 on every line");
    let errors = read("beta-posterior", "a", b"t,a\n0,1\n1,x\n2,7\n3,y\n4,\n").unwrap_err();
    assert_eq!(
        problems(&errors),
        [
            "data.csv, line 3, column \"a\": \"x\" is not a number (the first of 2 such lines)",
            "data.csv, line 4, column \"a\": 7 is not allowed",
            "data.csv, line 6, column \"a\": the cell is empty",
        ]
    );
}

#[test]
fn paths_without_a_file() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("inside")).unwrap();
    for (path, problem) in [("", "no file is named"), ("gone.csv", "there is no such file"), ("inside", "not a file")] {
        let errors = read_in("bivariate-mixture", path, "1", folder.path()).unwrap_err();
        assert_eq!(errors[0].path, "data.path");
        assert!(errors[0].problem.contains(problem), "{errors:?}");
    }
    let absolute = folder.path().join("absolute.csv");
    fs::write(&absolute, "1\n2\n").unwrap();
    assert_eq!(read_in("bivariate-mixture", absolute.to_str().unwrap(), "1", Path::new("elsewhere")), Ok(2));
}

#[test]
fn columns_are_offered_by_what_stands_for_each_without_doubt() {
    let kept = tempfile::tempdir().unwrap();
    let folder = Folder::from(kept.path());
    for (text, offered) in [
        ("1,2\n3,4\n", &["1", "2"][..]),
        ("# a\nx,y\n3,4\n", &["x", "y"]),
        ("x,y,x\n1,2,3\n", &["1", "y", "3"]),
        ("x,2020\n1,2\n", &["x"]),
        ("id,\n1,2\n", &["id"]),
    ] {
        fs::write(folder.join("data.csv"), text).unwrap();
        let values = [("path", Value::Text("data.csv".to_owned())), ("column", Value::Text("1".to_owned()))];
        let settings = settings("bivariate-mixture", &[("data", group("bivariate-mixture", "data", "csv", &values))]);
        // Whether the column is found does not matter.
        build(&settings, &folder).ok();
        assert_eq!(
            folder.columns("data.csv").as_deref(),
            Some(&offered.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>()[..]),
            "{text}"
        );
    }
}

/// The target of settings of data from a file, besides its path.
fn target(kind: &str, data: &str, bytes: &[u8], more: &[(&'static str, &str)]) -> Result<Arc<Target>, Vec<ParamError>> {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("data.csv"), bytes).unwrap();
    let values: Vec<_> = std::iter::once(("path", "data.csv")).chain(more.iter().copied()).collect();
    let group = group_of_words(kind, data, &values);
    build(&settings(kind, &[("data", group)]), folder.path())
}

/// A group whose values are words: of choices and of texts.
fn group_of_words(kind: &str, data: &str, words: &[(&'static str, &str)]) -> Value {
    let Value::Group(mut group) = group(kind, "data", data, &[]) else { panic!() };
    for (key, word) in words {
        let value = match group.kind.param(key).unwrap().ty {
            ParamType::Choice(choices) => {
                Value::Choice(choices.iter().find(|choice| choice.name == *word).unwrap().name)
            }
            _ => Value::Text((*word).to_owned()),
        };
        group.set(key, value).unwrap();
    }
    Value::Group(group)
}

fn told(errors: &[ParamError]) -> String {
    assert_eq!(errors.len(), 1, "{errors:?}");
    errors[0].to_string()
}

#[test]
fn files_of_spreadsheets_are_read() {
    let utf16: Vec<u8> = "\u{feff}dose\tsick\n0.5\t1\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
    for (text, rows) in [
        (&b"name;dose;sick\na;-0,5;0\nb;1,25;1\n"[..], 2),
        (b"sep=;\r\nname;dose;sick\r\na;-0.5;0\r\nb;1.25;1\r\n", 2),
        (b"# by me\nname,dose,sick\na,-0.5,0\n", 1),
        ("name|dose|sick\na|\u{2212}0,5|0\n".as_bytes(), 1),
        (b"dose,sick\n\"1,234,567.5e0\",1\n\"1,200\",1\n", 0),
        (b"dose,sick\n\"12,345.5\",1\n\"1,200\",0\n", 2),
        (b"dose,sick\n0.5,True\n1.5,FALSE\n2,true\n", 3),
        (b"dose,sick\n0.5,yes\n1.5,No\n", 2),
        (&utf16, 1),
    ] {
        for (key, column) in [("bivariate-mixture", "dose"), ("beta-posterior", "sick")] {
            let found = target(key, "csv", text, &[("column", column)]).map(|target| target.data_count().unwrap());
            match rows {
                0 if column == "dose" => assert!(found.is_err()),
                0 => {}
                _ => assert_eq!(found, Ok(rows), "{key}: {}", String::from_utf8_lossy(text)),
            }
        }
    }
}

#[test]
fn a_number_with_two_readings_is_refused_until_one_is_chosen() {
    let text = b"dose,sick\n\"1,120\",0\n\"2,300\",1\n";
    let read = |decimal| target("normal-gamma", "csv", text, &[("column", "dose"), ("decimal", decimal)]);
    assert_eq!(
        told(&read("automatic").unwrap_err()),
        "data.decimal: data.csv, line 2, column \"dose\": \"1,120\" is 1120 with a decimal point, and 1.12 with a decimal comma; \
         allowed: decimal = \"point\" or decimal = \"comma\""
    );
    let mean = |decimal| read(decimal).unwrap().info().mean.x;
    assert!(mean("point") > 500.0 && mean("comma") < 2.5);
    // A column of words does not need it, and neither does another one.
    assert!(target("beta-posterior", "csv", text, &[("column", "sick")]).is_ok());
}

#[test]
fn rows_without_a_value_are_refused_or_left_out_and_counted() {
    let text = b"dose,sick\n0.5,0\nNA,0\n,1\n1.5,\n2,1\n";
    let read = |column, missing| target("normal-gamma", "csv", text, &[("column", column), ("missing", missing)]);
    let errors = read("dose", "refuse").unwrap_err();
    assert_eq!(errors.len(), 2);
    assert_eq!(
        errors[0].to_string(),
        "data.path: data.csv, line 3, column \"dose\": \"NA\" stands for a missing value; allowed: a number from -1000000 to 1000000 on \
         every line, or missing = \"leave-out\", which leaves such rows out"
    );
    let note = |column| read(column, "leave-out").unwrap().data_note().cloned().unwrap();
    assert_eq!((note("dose").rows, note("dose").left_out, note("dose").first_left_out), (3, 2, Some(3)));
    assert_eq!(note("dose").in_words(), "3 rows; 2 left out: a cell is missing, first in line 3");
    assert_eq!(note("sick").in_words(), "4 rows; 1 left out: a cell is missing in line 5");
    assert_eq!((note("sick").file.as_str(), note("sick").sha256), ("data.csv", sha256(text)));
    let empty = target("normal-gamma", "csv", b"x\nNA\n?\n", &[("missing", "leave-out")]).unwrap_err();
    assert!(told(&empty).contains("all 2 rows lack a value"), "{empty:?}");
}

#[test]
fn a_file_that_has_changed_is_refused() {
    let text = b"x\n1\n2\n";
    let sum = sha256(text);
    assert!(target("normal-gamma", "csv", text, &[("sha256", &sum.to_uppercase())]).is_ok());
    let errors = target("normal-gamma", "csv", b"x\n1\n3\n", &[("sha256", &sum)]).unwrap_err();
    let told = told(&errors);
    assert!(told.starts_with("data.sha256: data.csv has changed since the scenario was written"), "{told}");
    assert!(told.ends_with("remove sha256"), "{told}");
    let errors = target("normal-gamma", "csv", text, &[("sha256", "abc")]).unwrap_err();
    assert!(errors[0].problem.contains("\"abc\" is no SHA-256") && errors[0].allowed.contains(&sum), "{errors:?}");
}

#[test]
fn classes_may_be_words() {
    let read = |text: &str| {
        let built = target("network", "class-csv", text.as_bytes(), &[]).map_err(|errors| told(&errors))?;
        let classes = built.classification().unwrap();
        Ok::<_, String>((0..classes.classes()).map(|class| classes.class_name(class)).collect::<Vec<_>>())
    };
    assert_eq!(read("x,y,c\n0,1,red\n1,0,blue\n1,1,red\n").unwrap(), ["red", "blue"]);
    assert_eq!(read("x,y,c\n0,1,3\n1,0,1\n1,1,2\n").unwrap(), ["1", "2", "3"]);
    assert_eq!(read("x,y,c\n0,1,3\n1,0,other\n1,1,3\n").unwrap(), ["3", "other"]);
    for (text, problem) in [
        ("x,y,c\n0,1,red\n1,0,red\n", "every row is of the class \"red\""),
        ("x,y,c\n0,1,1\n1,0,1.5\n", "1.5 is not allowed"),
        ("x,y,c\n0,1,a\n1,0,NA\n", "\"NA\" stands for a missing value"),
        ("x,y,c\n0,1,a\n0,1,b\n0,1,c\n0,1,d\n0,1,e\n0,1,f\n", "f is one class more than 5"),
    ] {
        let error = read(text).unwrap_err();
        assert!(error.contains(problem), "{error}");
    }
}
