//! `new`: a scenario of a person's own data, with the question and the columns that suit it or that were chosen.

use std::path::{Component, Path, PathBuf};

use anyhow::Context;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};

use engine::scenario::from_data::{Draft, PriorOf, Question, Source, propose_with, rivals, topics_of_texts};
use engine::scenario::{Folder, ScenarioErrors, read};
use models::targets::{Ambiguity, DecimalChoice, MissingChoice, Reading, Sheet, SheetColumn};

use super::report::{ends, new_file, wrong_name};
use super::{Failure, complain, say};
use crate::app::files::data::texts_in;

/// Largest size of a file of data; reading it says so of one that is larger.
const MAX_BYTES: u64 = (64 << 20) + 1;

/// Arguments of `new`.
#[derive(Args, Debug)]
pub struct NewArgs {
    /// The file with the data: text with commas, semicolons, tabs or | between columns, or an array of NumPy (.npy); or a folder with .txt files, for topics
    #[arg(long)]
    data: PathBuf,
    /// The column to explain, by its name or its number from 1; chosen from the names and kinds of columns if left out
    #[arg(long, value_name = "COLUMN")]
    response: Option<String>,
    /// The columns that explain it, with commas between them; all that suit if left out
    #[arg(long, value_name = "COLUMNS", value_delimiter = ',')]
    predictors: Option<Vec<String>>,
    /// More terms of a regression, such as age:dose or age^2, with commas between them
    #[arg(long)]
    terms: Option<String>,
    /// The question; chosen by the response if left out
    #[arg(long = "as", value_name = "QUESTION", value_parser = questions())]
    question: Option<Question>,
    /// The word of the response that counts as 1, of two
    #[arg(long, value_name = "WORD")]
    one: Option<String>,
    /// The column with numbers of trials, of which the response counts successes
    #[arg(long, value_name = "COLUMN")]
    trials: Option<String>,
    /// Of means of groups: the column with the standard error of the response in each row
    #[arg(long, value_name = "COLUMN")]
    sd: Option<String>,
    /// The level of a column of words with which the others are compared; the most frequent one if left out. Of an A/B test arm A
    #[arg(long, value_name = "COLUMN=LEVEL")]
    reference: Vec<String>,
    /// The prior of the coefficients, as normal,sd=1 or student-t,df=4,scale=2.5; a weakly informative normal if left out
    #[arg(long, value_name = "PRIOR")]
    prior: Option<String>,
    /// The prior of the standard deviation of the noise, as half-cauchy,scale=2.5 or known,value=1; a half-t if left out
    #[arg(long, value_name = "PRIOR")]
    prior_sigma: Option<String>,
    /// Leave numbers in the units of the file; columns of numbers are shifted and scaled to mean 0 and sd 1 otherwise
    #[arg(long)]
    no_standardise: bool,
    /// Shift the columns of a regression to mean 0, and leave them in the units of the file otherwise
    #[arg(long)]
    centre: bool,
    /// What becomes of rows without a value
    #[arg(long)]
    missing: Option<Missing>,
    /// The mark before decimals; found out if left out
    #[arg(long)]
    decimal: Option<Decimal>,
    /// The file to write: .toml; standard output if left out
    #[arg(long, short, visible_alias = "out")]
    output: Option<PathBuf>,
    /// Replace a file that exists
    #[arg(long)]
    force: bool,
}

/// The words of the questions.
fn questions() -> impl TypedValueParser<Value = Question> {
    let words = Question::ALL.map(|question| PossibleValue::new(question.word()).help(question.help()));
    PossibleValuesParser::new(words)
        .try_map(|word| Question::of(&word).ok_or_else(|| format!("there is no question \"{word}\"")))
}

/// What becomes of rows without a value.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Missing {
    /// They are an error
    Refuse,
    /// They are left out
    LeaveOut,
}

/// The mark before decimals.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Decimal {
    /// 0.5
    Point,
    /// 0,5
    Comma,
}

/// Writes a scenario of data.
///
/// # Errors
/// If the data cannot be read, the choices do not suit them, or the file cannot be written.
pub fn new(args: &NewArgs) -> Result<(), Failure> {
    if let Some(output) = args.output.as_deref().filter(|output| !ends(output, "toml")) {
        return Err(wrong_name(output, ".toml"));
    }
    let folder = args.output.as_deref().and_then(Path::parent).unwrap_or(Path::new(""));
    let path = from_folder(&args.data, folder);
    let text = if args.data.is_dir() {
        of_texts(args, &path, &Folder::from(folder))?
    } else {
        let sheet = read_sheet(args)?;
        let draft = draft(args, &sheet)?;
        let made = draft.make(&sheet, Source::File(&path), &Folder::from(folder));
        let made = made.map_err(|lines| unclear(&sheet, lines))?;
        complain(&told(&draft, &sheet, &args.data));
        made.text
    };
    match &args.output {
        None => say(text.trim_end()),
        Some(path) => Ok(new_file(path, args.force)?.write(text.as_bytes()).context("the scenario")?),
    }
}

/// The scenario of topics of a folder of texts.
fn of_texts(args: &NewArgs, path: &str, folder: &Folder) -> Result<String, Failure> {
    let of_columns = [
        ("response", args.response.is_some()),
        ("predictors", args.predictors.is_some()),
        ("terms", args.terms.is_some()),
        ("one", args.one.is_some()),
        ("trials", args.trials.is_some()),
        ("sd", args.sd.is_some()),
        ("reference", !args.reference.is_empty()),
        ("no-standardise", args.no_standardise),
        ("centre", args.centre),
        ("prior", args.prior.is_some()),
        ("prior-sigma", args.prior_sigma.is_some()),
        ("as", args.question.is_some_and(|question| question != Question::Topics)),
    ];
    if let Some((option, _)) = of_columns.into_iter().find(|(_, is_given)| *is_given) {
        let problem = format!("{} is a folder of texts, for topics, and has no columns", args.data.display());
        return Err(Failure::option(option, problem, "this option with a file that has a table"));
    }
    let documents = texts_in(&args.data);
    if documents == 0 {
        let problem = format!("{}: the folder has no files with the ending .txt", args.data.display());
        return Err(Failure::option("data", problem, "a file with a table, or a folder with texts, each a .txt file"));
    }
    let text = topics_of_texts(path, documents);
    let lines = |errors: ScenarioErrors| Failure::Scenario(errors.errors.iter().map(ToString::to_string).collect());
    read(&text, path, folder).map_err(lines)?;
    complain(&[
        format!("{}: {documents} texts", args.data.display()),
        "question: topics, each text a document".to_owned(),
    ]);
    Ok(text)
}

fn read_sheet(args: &NewArgs) -> Result<Sheet, Failure> {
    let allowed = "a text file with a table, of at most 64 MiB";
    let wrong = |problem: String| Failure::option("data", format!("{}: {problem}", args.data.display()), allowed);
    let read = || {
        let size = std::fs::metadata(&args.data)?;
        if !size.is_file() || size.len() > MAX_BYTES {
            return Ok(None);
        }
        std::fs::read(&args.data).map(Some)
    };
    let bytes = read().map_err(|error: std::io::Error| wrong(error.to_string()))?;
    let bytes = bytes.ok_or_else(|| wrong("this is no file, or too large".to_owned()))?;
    let decimal = match args.decimal {
        None => DecimalChoice::Automatic,
        Some(Decimal::Point) => DecimalChoice::Point,
        Some(Decimal::Comma) => DecimalChoice::Comma,
    };
    Sheet::read(&bytes, &Reading { decimal, ..Reading::default() }).map_err(|error| wrong(error.to_string()))
}

fn draft(args: &NewArgs, sheet: &Sheet) -> Result<Draft, Failure> {
    let response = args.response.as_deref().map(|name| column(sheet, "response", name)).transpose()?;
    let trials = args.trials.as_deref().map(|name| column(sheet, "trials", name)).transpose()?;
    let mut asked = args.question;
    if response.is_none() && trials.is_none() && asked.is_none() {
        clear_response(sheet)?;
    }
    let draft = match (trials, response) {
        // Successes are no yes or no.
        (Some(_), Some(response)) => Ok(Draft::of(sheet, asked.take().unwrap_or(Question::Logistic), Some(response))),
        (Some(_), None) => Err("trials need --response, the column with the successes".to_owned()),
        (None, response) => propose_with(sheet, asked, response),
    };
    let mut draft = draft.map_err(|problem| {
        let words: Vec<&str> = Question::of_sheet(sheet).into_iter().map(Question::word).collect();
        Failure::option("as", problem, format!("questions that some column suits: {}", words.join(", ")))
    })?;
    if trials.is_some() {
        draft.trials = trials;
        draft.propose_predictors(sheet);
    }
    if let Some(name) = &args.sd {
        if draft.question != Question::Groups {
            let problem = format!("{} takes no column of standard errors", draft.question.label());
            return Err(Failure::option("sd", problem, "this option with --as groups"));
        }
        let index = column(sheet, "sd", name)?;
        draft.take_sd(sheet, index);
    }
    if let Some(names) = &args.predictors {
        let columns = names.iter().map(|name| column(sheet, "predictors", name.trim()));
        draft.predictors = columns.collect::<Result<_, _>>()?;
        draft.left_out.clear();
    }
    draft.missing = match args.missing {
        Some(Missing::Refuse) => MissingChoice::Refuse,
        Some(Missing::LeaveOut) => MissingChoice::LeaveOut,
        None if draft.rows_without(sheet) > 0 => MissingChoice::LeaveOut,
        None => MissingChoice::Refuse,
    };
    draft.standardise &= !args.no_standardise && !args.centre;
    draft.centre = args.centre;
    if args.centre && !draft.is_regression() {
        let problem = format!("{} has no terms", draft.question.label());
        return Err(Failure::option("centre", problem, "this option with a regression"));
    }
    draft.one = args.one.clone().unwrap_or_default();
    draft.interactions = args.terms.clone().unwrap_or_default();
    choose_references(args, sheet, &mut draft)?;
    choose_priors(args, &mut draft)?;
    Ok(draft)
}

/// Refuses to guess which column is explained where several are as likely.
fn clear_response(sheet: &Sheet) -> Result<(), Failure> {
    let rivals = rivals(sheet);
    if rivals.is_empty() {
        return Ok(());
    }
    let named = |(column, question): &(&SheetColumn, Question)| format!("{} ({})", column.title(), question.label());
    let allowed = rivals.iter().map(named).collect::<Vec<_>>().join(", ");
    Err(Failure::option("response", "it is not clear which column is to be explained", allowed))
}

/// Takes the levels of reference, each of a factor among the predictors.
fn choose_references(args: &NewArgs, sheet: &Sheet, draft: &mut Draft) -> Result<(), Failure> {
    for text in &args.reference {
        let wrong = |problem: String, allowed: String| Failure::option("reference", problem, allowed);
        let (name, level) = text.split_once('=').ok_or_else(|| {
            wrong(format!("\"{text}\" has no = between column and level"), "COLUMN=LEVEL, as group=control".to_owned())
        })?;
        let index = column(sheet, "reference", name.trim())?;
        let factors = draft.factors(sheet);
        let Some(factor) = factors.iter().find(|factor| factor.index == index) else {
            let titles: Vec<String> = factors.iter().map(|factor| factor.title()).collect();
            let allowed = if titles.is_empty() { "no predictor has words".to_owned() } else { titles.join(", ") };
            return Err(wrong(format!("column \"{}\" is no predictor of words", name.trim()), allowed));
        };
        let levels: Vec<&str> = Draft::levels(factor).iter().map(|level| level.word.as_str()).collect();
        if !levels.contains(&level.trim()) {
            let problem = format!("column \"{}\" has no level \"{}\"", name.trim(), level.trim());
            return Err(wrong(problem, levels.join(", ")));
        }
        draft.choose_reference(index, level.trim());
    }
    Ok(())
}

/// Takes the priors of a regression.
fn choose_priors(args: &NewArgs, draft: &mut Draft) -> Result<(), Failure> {
    for (of, option, text) in
        [(PriorOf::Coefficients, "prior", &args.prior), (PriorOf::Sigma, "prior-sigma", &args.prior_sigma)]
    {
        let Some(text) = text else { continue };
        let has_it = draft.is_regression() && (of == PriorOf::Coefficients || draft.has_noise());
        if !has_it {
            let what = if of == PriorOf::Sigma { "a σ" } else { "coefficients" };
            let problem = format!("{} has no prior of {what}", draft.question.label());
            return Err(Failure::option(option, problem, "this option with linear or robust regression"));
        }
        let prior = of.parse(text).map_err(|(problem, allowed)| Failure::option(option, problem, allowed))?;
        draft.priors.choose(of, Some(prior));
    }
    Ok(())
}

/// The index of a column by its name, or by its number from 1.
fn column(sheet: &Sheet, option: &'static str, name: &str) -> Result<usize, Failure> {
    let named = sheet.columns.iter().position(|column| column.name.as_deref() == Some(name));
    let counted = || name.parse::<usize>().ok().and_then(|number| number.checked_sub(1));
    named.or_else(counted).filter(|index| *index < sheet.columns.len()).ok_or_else(|| {
        let names: Vec<String> = sheet.columns.iter().map(SheetColumn::title).collect();
        let term = if option == "predictors" && name.contains([':', '^', '*']) {
            format!("; products and powers of columns are terms: --terms {}", name.replace('*', ":"))
        } else {
            String::new()
        };
        Failure::option(option, format!("there is no column \"{name}\"{term}"), names.join(", "))
    })
}

/// Why there is no scenario; where the file can be read in two ways, how to say which is meant.
fn unclear(sheet: &Sheet, lines: Vec<String>) -> Failure {
    match &sheet.ambiguity {
        Some(ambiguity @ Ambiguity::Decimal { .. }) => {
            Failure::option("decimal", ambiguity.in_words(), "point or comma")
        }
        _ => Failure::Scenario(lines),
    }
}

/// What was taken, in a few lines.
fn told(draft: &Draft, sheet: &Sheet, data: &Path) -> Vec<String> {
    let title = |index: &usize| sheet.columns.get(*index).map(SheetColumn::title).unwrap_or_default();
    let mut lines = vec![format!("{}: {}", data.display(), sheet.in_words())];
    let of = draft.response.as_ref().map(|index| format!(" of \"{}\"", title(index))).unwrap_or_default();
    lines.push(format!("question: {}{of}: {}", draft.question.label(), draft.why));
    if !draft.predictors.is_empty() {
        lines.push(format!("explained by: {}", draft.predictors.iter().map(title).collect::<Vec<_>>().join(", ")));
    }
    lines.extend(draft.sd.map(|index| format!("standard errors: {}", title(&index))));
    for factor in draft.factors(sheet) {
        lines.push(format!("reference of \"{}\": \"{}\"", factor.title(), draft.reference(factor).unwrap_or_default()));
    }
    let without = draft.rows_without(sheet);
    if without > 0 {
        lines.push(format!("rows: {} used, {without} left out: a cell is missing", sheet.rows - without));
    }
    lines.extend(draft.left_out.iter().map(|(column, why)| format!("not used: \"{column}\": {why}")));
    lines.extend(sheet.ambiguity.as_ref().map(|ambiguity| format!("unclear: {}", ambiguity.in_words())));
    lines
}

/// The path of a file from a folder, with slashes: relative where both are given relative to the same folder.
fn from_folder(file: &Path, folder: &Path) -> String {
    // An empty path, the present folder, has no absolute one.
    let named = |path: &Path| if path.as_os_str().is_empty() { PathBuf::from(".") } else { path.to_owned() };
    let absolute = |path: &Path| std::path::absolute(named(path)).unwrap_or_else(|_| path.to_owned());
    let (at, from) = (absolute(file), absolute(folder));
    let (at, from): (Vec<Component<'_>>, Vec<_>) = (at.components().collect(), from.components().collect());
    let common = at.iter().zip(&from).take_while(|(a, b)| a == b).count();
    let is_near = common > 1 || common > 0 && file.is_relative() && folder.is_relative();
    if !is_near || from[common..].contains(&Component::ParentDir) {
        return file.display().to_string();
    }
    let up = from[common..].iter().map(|_| "..".to_owned());
    let down = at[common..].iter().map(|part| part.as_os_str().to_string_lossy().into_owned());
    up.chain(down).collect::<Vec<_>>().join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_told_from_the_folder_of_the_scenario() {
        for (file, folder, path) in [
            ("a.csv", "", "a.csv"),
            ("data/a.csv", "", "data/a.csv"),
            ("data/a.csv", "data", "a.csv"),
            ("a.csv", "made/here", "../../a.csv"),
            ("/data/x/a.csv", "/data/y", "../x/a.csv"),
            ("/data/a.csv", "/made", "/data/a.csv"),
        ] {
            assert_eq!(from_folder(Path::new(file), Path::new(folder)), path);
        }
    }
}
