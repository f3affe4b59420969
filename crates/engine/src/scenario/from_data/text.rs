//! The head and the target of a scenario of data, as text with comments.

use models::targets::{ColumnKind, DecimalChoice, MissingChoice, Sheet, SheetColumn};

use super::terms::{named, term, word};
use super::{Draft, Question, topics_fault};
use crate::scenario::write::{number_text, quote};

/// Standard deviations of priors in units of standardised data: wide enough for any effect that data can show.
const PRIOR_SD: f64 = 2.5;
const INTERCEPT_SD: f64 = 5.0;

/// Texts of comments have no line breaks.
fn comment(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    format!("# {}\n", base::params::printable(&words.join(" ")))
}

/// What stands above the target.
pub(super) fn head(draft: &Draft, sheet: &Sheet, file: &str) -> String {
    let of = draft.response.and_then(|index| sheet.columns.get(index)).map(|column| format!(" of {}", column.title()));
    let label = draft.question.label();
    let mut letters = label.chars();
    let capital: String = letters.next().into_iter().flat_map(char::to_uppercase).chain(letters).collect();
    let title: String = format!("{capital}{}: {file}", of.unwrap_or_default()).chars().take(150).collect();
    let mut text = comment(&format!("Made from {file}: {}.", sheet.in_words()));
    text += &comment(&format!("The question: {}. {}", label, sentence(&draft.why)));
    for (column, why) in draft.left_out.iter().take(10) {
        text += &comment(&format!("Left out: \"{column}\": {why}."));
    }
    text + &format!("format = 1\ntitle = {}\nseed = 1\n\n", quote(base::params::printable(&title).as_ref()))
}

fn sentence(words: &str) -> String {
    let mut letters = words.chars();
    letters.next().into_iter().flat_map(char::to_uppercase).chain(letters).chain(['.']).collect()
}

/// The table of the target.
///
/// # Errors
/// What a person has still to choose.
pub(super) fn target(draft: &Draft, sheet: &Sheet, path: &str) -> Result<String, String> {
    let response = draft.response.and_then(|index| sheet.columns.get(index));
    let response = response.ok_or_else(|| format!("{} needs a column to explain", draft.question.label()))?;
    if !draft.question.suits(response) && draft.trials.is_none() {
        return Err(format!("{} does not suit column \"{}\"", draft.question.label(), response.title()));
    }
    let predictors: Vec<&SheetColumn> = draft.predictors.iter().filter_map(|index| sheet.columns.get(*index)).collect();
    match draft.question {
        Question::Coin => coin(draft, sheet, response, path),
        Question::Arms => arms(draft, response, (&predictors, sheet), path),
        Question::Function | Question::Classes => network(draft, response, (&predictors, sheet), path),
        Question::Topics => topics(sheet, response, path),
        _ => regression(draft, response, (&predictors, sheet), path),
    }
}

/// The entries of data from a file that say how it is read.
fn reading(draft: &Draft, sheet: &Sheet) -> String {
    let mut text = String::new();
    if draft.decimal != DecimalChoice::Automatic {
        text += &format!("decimal = {}\n", quote(draft.decimal.word()));
    }
    if draft.missing == MissingChoice::LeaveOut {
        let rows = draft.rows_without(sheet);
        text += &comment(&format!(
            "Rows that lack a value in one of these columns are left out: {rows} of {}.",
            sheet.rows
        ));
        text += &format!("missing = {}\n", quote(draft.missing.word()));
    }
    text += &comment("Another or a changed file is an error; without this line it is accepted.");
    text + &format!("sha256 = {}\n", quote(&sheet.sha256))
}

/// What a reader of columns calls one.
fn reference(column: &SheetColumn) -> Result<String, String> {
    let found = column.reference.as_deref().map(quote);
    found.ok_or_else(|| format!("{} has no name of its own in the first line", column.title()))
}

/// The word of two that counts as 1.
fn one<'a>(draft: &'a Draft, response: &'a SheetColumn) -> Option<&'a str> {
    let ColumnKind::Words(levels) = &response.kind else { return None };
    let chosen = levels.iter().find(|level| level.word == draft.one).or_else(|| levels.get(1));
    chosen.map(|level| level.word.as_str())
}

fn regression(
    draft: &Draft,
    response: &SheetColumn,
    (predictors, sheet): (&[&SheetColumn], &Sheet),
    path: &str,
) -> Result<String, String> {
    let cannot = || format!("no expression can name column \"{}\"", response.title());
    let name = named(response).ok_or_else(cannot)?;
    let explained = match one(draft, response) {
        None => name,
        Some(one) => format!("{name} == {}", word(one).ok_or_else(cannot)?),
    };
    let mut terms = vec!["1".to_owned()];
    for column in predictors {
        terms.push(term(column).map_err(|why| format!("column \"{}\" cannot be a term: {why}", column.title()))?);
    }
    let more = draft.interactions.trim();
    terms.extend((!more.is_empty()).then(|| more.to_owned()));
    let mut text = comment("The posterior of the coefficients of a regression.");
    text += "[target]\nkind = \"regression\"\n";
    text += &format!("response = {}\n", quote(&explained));
    text += &comment(
        "1 is the intercept; of a factor, the level in its brackets, the most frequent one, is the reference.",
    );
    text += &format!("terms = {}\n", quote(&terms.join(", ")));
    text += &likelihood(draft, sheet, response)?;
    text += &priors(draft, response, predictors);
    text += &format!("standardise = {}\n\n", draft.standardise);
    text += &comment("The file, from the folder of this scenario.");
    Ok(text + &format!("[target.data]\nkind = \"csv\"\npath = {}\n{}\n", quote(path), reading(draft, sheet)))
}

fn likelihood(draft: &Draft, sheet: &Sheet, response: &SheetColumn) -> Result<String, String> {
    // In units of the response.
    let unit = if draft.standardise { 1.0 } else { range(response).map_or(1.0, |(low, high)| high - low) };
    let sigma = format!("sigma = {{ kind = \"half-student-t\", df = 3.0, scale = {} }}", rounded(2.5 * unit));
    let trials = match draft.trials.and_then(|index| sheet.columns.get(index)) {
        None => String::new(),
        Some(column) => {
            let name = named(column).ok_or_else(|| format!("no expression can name column \"{}\"", column.title()))?;
            format!(", trials = {}", quote(&name))
        }
    };
    let of = match draft.question {
        Question::Logistic => format!("kind = \"bernoulli-logit\"{trials}"),
        Question::Counts => "kind = \"poisson-log\"".to_owned(),
        Question::Robust => format!("kind = \"student-t\", df = 4.0, {sigma}"),
        _ => format!("kind = \"normal\", {sigma}"),
    };
    Ok(format!("likelihood = {{ {of} }}\n"))
}

/// Weakly informative priors: of standardised terms alike, of others by the range of their columns.
fn priors(draft: &Draft, response: &SheetColumn, predictors: &[&SheetColumn]) -> String {
    let has_noise = matches!(draft.question, Question::Linear | Question::Robust);
    if draft.standardise {
        let mut text =
            comment(&format!("Weakly informative: of an effect of one standard deviation, N(0, {PRIOR_SD}²)."));
        text += &format!("prior = {{ kind = \"normal\", sd = {} }}\n", number_text(PRIOR_SD));
        if !has_noise {
            text += &format!(
                "coefficient = [{{ term = \"intercept\", prior = {{ kind = \"normal\", sd = {} }} }}]\n",
                number_text(INTERCEPT_SD)
            );
        }
        return text;
    }
    // Across the range of a column the response may change by ten times its own range, or its logarithm or log odds by ten.
    let (low, high) = range(response).filter(|_| has_noise).unwrap_or((0.0, 1.0));
    let unit = 10.0 * (high - low).max(1e-3);
    let mut text = comment("Weakly informative, by the ranges of the columns.");
    text += &format!("prior = {{ kind = \"normal\", sd = {} }}\n", rounded(unit));
    let middle = if has_noise { 0.5 * (low + high) } else { 0.0 };
    let mut entries = vec![format!(
        "{{ term = \"intercept\", prior = {{ kind = \"normal\", mean = {}, sd = {} }} }}",
        rounded(middle),
        rounded(unit + middle.abs())
    )];
    for column in predictors {
        if let (Some((low, high)), Ok(term)) = (range(column), term(column)) {
            let sd = rounded(unit / (high - low).clamp(1e-3, 1e6));
            entries.push(format!("{{ term = {}, prior = {{ kind = \"normal\", sd = {sd} }} }}", quote(&term)));
        }
    }
    text + &format!("coefficient = [\n    {},\n]\n", entries.join(",\n    "))
}

/// The ends of a column of numbers.
fn range(column: &SheetColumn) -> Option<(f64, f64)> {
    match column.kind {
        ColumnKind::Numbers { low, high, .. } => Some((low, high)),
        _ => None,
    }
}

/// A number with two digits.
pub(super) fn rounded(number: f64) -> String {
    format!("{number:.1e}").parse().map_or_else(|_| number_text(number), number_text)
}

/// How many of the response are 0 and 1.
fn counted(draft: &Draft, response: &SheetColumn) -> [usize; 2] {
    match &response.kind {
        ColumnKind::YesNo([no, yes]) => [no.count, yes.count],
        ColumnKind::Words(levels) => {
            let ones: usize =
                levels.iter().filter(|level| one(draft, response) == Some(&level.word)).map(|level| level.count).sum();
            [levels.iter().map(|level| level.count).sum::<usize>() - ones, ones]
        }
        _ => [0, 0],
    }
}

fn coin(draft: &Draft, sheet: &Sheet, response: &SheetColumn, path: &str) -> Result<String, String> {
    let [zeros, ones] = counted(draft, response);
    let mut text = comment("The posterior of a probability.");
    text += "[target]\nkind = \"beta-posterior\"\n";
    text += &comment("The prior Beta(a, b): [1, 1] is even, [2, 2] keeps off 0 and 1.");
    text += if zeros.min(ones) == 0 { "prior = [2.0, 2.0]\n" } else { "prior = [1.0, 1.0]\n" };
    text += "boundary = \"logit\"\n\n";
    if let Some(one) = one(draft, response) {
        text += &comment(&format!("Rows of {} with \"{one}\", and all with a word.", response.title()));
        return Ok(text + &format!("[target.data]\nkind = \"counts\"\nones = {ones}\nn = {}\n\n", ones + zeros));
    }
    let data = format!("[target.data]\nkind = \"csv\"\npath = {}\ncolumn = {}\n", quote(path), reference(response)?);
    Ok(text + &data + &reading(draft, sheet) + "\n")
}

fn arms(
    draft: &Draft,
    response: &SheetColumn,
    (predictors, sheet): (&[&SheetColumn], &Sheet),
    path: &str,
) -> Result<String, String> {
    let arm = predictors.first().ok_or("an A/B test needs the column of the arm, with two words")?;
    let words: Vec<&str> = match &arm.kind {
        ColumnKind::Words(levels) => levels.iter().map(|level| level.word.as_str()).collect(),
        ColumnKind::YesNo(both) => both.iter().map(|level| level.word.as_str()).collect(),
        _ => Vec::new(),
    };
    let [a, b] = words[..] else { return Err(format!("column \"{}\" has not two words", arm.title())) };
    // The control is A where it can be told.
    let is_b =
        |word: &str| ["b", "treatment", "treated", "test", "new", "variant"].contains(&word.to_lowercase().as_str());
    let b = if is_b(a) { a } else { b };
    let mut text = comment("The posterior of two probabilities, one for each arm.");
    text += "[target]\nkind = \"beta-pair\"\n";
    text += &comment("The prior Beta(a, b) of both: [2, 2] keeps off 0 and 1, also where an arm has no ones.");
    text += "prior = [2.0, 2.0]\nboundary = \"logit\"\n\n";
    text += &format!("[target.data]\nkind = \"csv\"\npath = {}\narm = {}\n", quote(path), reference(arm)?);
    text += &comment("The word for arm B; the other one is A.");
    text += &format!("arm_b = {}\noutcome = {}\n", quote(b), reference(response)?);
    Ok(text + &reading(draft, sheet) + "\n")
}

fn network(
    draft: &Draft,
    response: &SheetColumn,
    (predictors, sheet): (&[&SheetColumn], &Sheet),
    path: &str,
) -> Result<String, String> {
    let few = |count: usize| format!("{} needs {count} columns of numbers", draft.question.label());
    let mut text = comment("The posterior of the weights of a small neural network.");
    text += "[target]\nkind = \"network\"\nhidden = 8\n\n";
    let mut data = format!("path = {}\n", quote(path));
    match (draft.question, predictors) {
        (Question::Function, [x, ..]) => {
            text += "[target.data]\nkind = \"csv\"\n";
            data += &format!("x_column = {}\ny_column = {}\n", reference(x)?, reference(response)?);
            data += &comment("The noise, in standard deviations of y.");
            data += "noise_sd = 0.3\n";
        }
        (Question::Classes, [x, y, ..]) => {
            text += &comment("Wide priors, for boundaries that may be sharp.");
            text += "[target.prior]\nkind = \"fan-in\"\nweight_sd = 5.0\nbias_sd = 2.0\n\n";
            text += "[target.data]\nkind = \"class-csv\"\n";
            let [x, y, label] = [reference(x)?, reference(y)?, reference(response)?];
            data += &format!("x_column = {x}\ny_column = {y}\nlabel_column = {label}\n");
        }
        (Question::Function, _) => return Err(few(1)),
        _ => return Err(few(2)),
    }
    data += &format!("standardise = {}\n", draft.standardise);
    data += &comment("A fifth of the rows is held out, to test predictions with.");
    data += "test_share = 0.2\n";
    Ok(text + &data + &reading(draft, sheet) + "\n")
}

fn topics(sheet: &Sheet, response: &SheetColumn, path: &str) -> Result<String, String> {
    if let Some(fault) = topics_fault(sheet) {
        return Err(fault.to_owned());
    }
    let mut text = comment("Topics of the texts of a column.");
    text += "[target]\nkind = \"topics\"\ntopics = 10\n\n";
    let column = response.name.as_deref().map(quote).ok_or("the column of texts has no name")?;
    Ok(text + &format!("[target.corpus]\nkind = \"csv\"\npath = {}\ncolumn = {column}\n\n", quote(path)))
}
