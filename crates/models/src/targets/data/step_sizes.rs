//! Step sizes in a file: one column of a table, or a number on each line. A folder keeps what was read, so that a run that is built again
//! reads no file.

use std::sync::Arc;

use super::cells::Cells;
use super::header::WantedColumn;
use super::parse::parse;
use super::reading::DecimalChoice;
use super::{DECIMAL, PATH, SHA256, column, file_of};
use crate::targets::Folder;
use base::params::{DefaultValue, ParamError, ParamSpec, Settings, excerpt};

/// The parameters for a file of step sizes.
pub const STEP_FILE: [ParamSpec; 4] = [
    ParamSpec {
        help: "A text file with a step size on each line, or a CSV file. A relative path starts at the folder of the scenario.",
        ..PATH
    }
    .default(DefaultValue::Absent),
    ParamSpec {
        help: "Which column of a table has the step sizes: its name in the first line, or its number counted from 1.",
        ..column("column", "column", "1")
    }
    .default(DefaultValue::Absent),
    DECIMAL,
    SHA256,
];

/// Columns that an error names at most.
const NAMED: usize = 6;

/// The step sizes in the file that `settings` name, as they are written there.
///
/// # Errors
/// If there is no such file, or something in it is no step size, with its line and column.
pub fn step_sizes(settings: &Settings, folder: &Folder) -> Result<Arc<[f64]>, Vec<ParamError>> {
    let [path, name, decimal, sha256] = STEP_FILE.map(|spec| settings.word(spec.key));
    folder.list([path, name, decimal, sha256].map(str::to_owned), || {
        let mut file = file_of(settings, folder)?;
        if name.is_empty() && has_decimal_commas(&file.text) {
            file.text = file.text.replace(',', ".");
            file.reading.decimal = DecimalChoice::Point;
        }
        // What the columns of the table of the target may be called stays known.
        let apart = Folder::default();
        let column = |name: &str| -> Result<Vec<f64>, Vec<ParamError>> {
            let found = parse(&file, &apart, &[WantedColumn { key: "column", name, cells: Cells::StepSize }])?;
            Ok(found.into_iter().next().map(|column| column.values).unwrap_or_default())
        };
        let found = column(if name.is_empty() { "1" } else { name });
        let Some(names) = apart.columns(path).filter(|names| name.is_empty() && names.len() > 1) else { return found };
        // Nobody means the numbers of the steps.
        if names.len() == 2 && found.is_ok_and(|values| counts(&values)) {
            return column("2");
        }
        let problem = format!("{path} has {} columns, and it is not said which has the step sizes", names.len());
        let names: Vec<String> = names.iter().take(NAMED).map(|name| excerpt(name)).collect();
        Err(vec![ParamError::new("column", problem, format!("one of {}", names.join(", ")))])
    })
}

/// Whether each line of a text is one number, and commas are the decimal marks; above them there may be a name.
fn has_decimal_commas(text: &str) -> bool {
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')).peekable();
    let is_name = |line: &&str| line.starts_with(char::is_alphabetic) && !line.contains([',', ';', '\t', '|', '=']);
    lines.next_if(is_name);
    let mut commas = 0;
    let is_number = |line: &str| {
        commas += line.matches(',').count();
        !line.contains('.') && line.matches(',').count() <= 1 && line.replace(',', ".").parse::<f64>().is_ok()
    };
    lines.all(is_number) && commas > 0
}

/// Whether each number is the next whole one: of a step.
fn counts(values: &[f64]) -> bool {
    values.len() > 1 && values.windows(2).all(|pair| (pair[1] - pair[0] - 1.0).abs() < 1e-9)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use base::params::{KindSpec, Value};

    static KIND: KindSpec = KindSpec { name: "list", label: "List", help: "", params: &STEP_FILE };

    fn read(content: &str, values: &[(&str, &str)]) -> Result<Vec<f64>, String> {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("steps.csv"), content).unwrap();
        let mut settings = Settings::defaults(&KIND);
        settings.set("path", Value::Text("steps.csv".to_owned())).unwrap();
        for (key, value) in values {
            let choice = (*key == "decimal").then_some(Value::Choice("comma"));
            settings.set(key, choice.unwrap_or_else(|| Value::Text((*value).to_owned()))).unwrap();
        }
        let sizes = step_sizes(&settings, &folder.path().into());
        sizes.map(|sizes| sizes.to_vec()).map_err(|errors| errors.iter().map(ToString::to_string).collect())
    }

    #[test]
    fn lists_and_columns_are_read() {
        assert_eq!(read("0.1\n0.05\n1e-3\n0\n", &[]).unwrap(), [0.1, 0.05, 0.001, 0.0]);
        assert_eq!(read("step,lr\n1,0.1\n2,0.05\n", &[("column", "lr")]).unwrap(), [0.1, 0.05]);
        assert_eq!(read("t;a\n1;0,5\n2;0,25\n", &[("column", "a")]).unwrap(), [0.5, 0.25]);
        assert_eq!(read("step,lr\n1,0.1\n2,0.05\n", &[]).unwrap(), [0.1, 0.05]);
        assert_eq!(read("0,1\n0,05\n1e-3\n0\n", &[]).unwrap(), [0.1, 0.05, 0.001, 0.0]);
        assert_eq!(read("lr\n0,125\n0,250\n", &[]).unwrap(), [0.125, 0.25]);
        assert_eq!(read("# mine\n0,125\n0,250\n", &[("decimal", "comma")]).unwrap(), [0.125, 0.25]);
        assert_eq!(read("sep=;\n0,125\n0,250\n", &[("decimal", "comma")]).unwrap(), [0.125, 0.25]);
    }

    #[test]
    fn errors_name_the_line_and_the_column() {
        for (content, values, words) in [
            ("0.1\nx\n", &[][..], "steps.csv, line 2, column 1: \"x\" is not a number; allowed: a step size from 0"),
            ("0.1\n-0.2\n", &[], "line 2, column 1: -0.2 is not allowed"),
            (
                "step,lr\n1,0.1\n2,\n",
                &[("column", "lr")],
                "line 3, column \"lr\": the cell is empty; allowed: a step size",
            ),
            ("0.1,0.2,0.3\n", &[], "column: steps.csv has 3 columns, and it is not said which"),
            ("0,1\n0.05,2\n", &[], "has 2 columns"),
            (
                "a,lr\n7,0.1\n3,0.2\n",
                &[],
                "has 2 columns, and it is not said which has the step sizes; allowed: one of a, lr",
            ),
            ("0.1\n", &[("sha256", "00")], "is no SHA-256"),
            ("0.1\n", &[("path", "other.csv")], "there is no such file"),
        ] {
            let error = read(content, values).unwrap_err();
            assert!(error.contains(words), "{error}");
            assert!(!error.contains("leave-out"), "{error}");
        }
    }

    #[test]
    fn a_list_is_read_once() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("steps.csv");
        fs::write(&path, "0.5\n").unwrap();
        let mut settings = Settings::defaults(&KIND);
        settings.set("path", Value::Text("steps.csv".to_owned())).unwrap();
        let of = Folder::from(folder.path());
        let first = step_sizes(&settings, &of).unwrap();
        fs::write(&path, "0.25\n").unwrap();
        assert!(Arc::ptr_eq(&first, &step_sizes(&settings, &of).unwrap()));
        assert_eq!(step_sizes(&settings, &folder.path().into()).unwrap()[..], [0.25]);
    }
}
