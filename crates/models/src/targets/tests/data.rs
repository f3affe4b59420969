//! Tests of data files: numbers read, and messages about bad files.

use std::fs;
use std::path::Path;

use super::super::{Folder, build};
use super::{group, settings};
use base::params::{ParamError, Value};

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
        ("bivariate-mixture", "1", b"1\n\"2,5\"\n", "data.path", "line 2, column 1: \"2,5\" is not a number"),
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
