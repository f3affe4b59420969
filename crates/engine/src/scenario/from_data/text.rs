//! The head and the target of a scenario of data, as text with comments.

use models::targets::{ColumnKind, DecimalChoice, MissingChoice, Sheet, SheetColumn};

use super::guess::topics_fault;
use super::terms::{levels, named, term, word};
use super::words::comment;
use super::{Draft, Question, Source, priors};
use crate::scenario::write::quote;

/// What stands above the target.
pub(super) fn head(draft: &Draft, sheet: &Sheet, file: &str) -> String {
    let of = draft.response.and_then(|index| sheet.columns.get(index)).map(|column| format!(" of {}", column.title()));
    let label = draft.question.label();
    let mut letters = label.chars();
    let capital: String = letters.next().into_iter().flat_map(char::to_uppercase).chain(letters).collect();
    let title: String = format!("{capital}{}: {file}", of.unwrap_or_default()).chars().take(150).collect();
    let mut text = comment(&format!("Made from {file}: {}.", sheet.in_words()));
    text += &comment(&format!("The question: {label}, since {}.", draft.why));
    for (column, why) in draft.left_out.iter().take(10) {
        text += &comment(&format!("Left out: \"{column}\": {why}."));
    }
    text + &format!("format = 1\ntitle = {}\nseed = 1\n\n", quote(base::params::printable(&title).as_ref()))
}

/// The table of the target.
///
/// # Errors
/// What a person has still to choose.
pub(super) fn target(draft: &Draft, sheet: &Sheet, source: Source<'_>) -> Result<String, String> {
    let response = draft.response.and_then(|index| sheet.columns.get(index));
    let response = response.ok_or_else(|| match &draft.why {
        why if why.is_empty() => format!("{} needs a column to explain", draft.question.label()),
        why => format!("{} needs a column to explain: {why}", draft.question.label()),
    })?;
    if !draft.question.suits(response) && draft.trials.is_none() {
        return Err(format!("{} does not suit column \"{}\"", draft.question.label(), response.title()));
    }
    let predictors: Vec<&SheetColumn> = draft.predictors.iter().filter_map(|index| sheet.columns.get(*index)).collect();
    match draft.question {
        Question::Groups => groups(draft, response, (&predictors, sheet), source),
        Question::Coin => coin(draft, sheet, response, source),
        Question::Arms => arms(draft, response, (&predictors, sheet), source),
        Question::Function | Question::Classes => network(draft, response, (&predictors, sheet), source),
        Question::Topics => topics(sheet, response, source),
        _ => regression(draft, response, (&predictors, sheet), source),
    }
}

/// The entries of data from a table that say how it is read.
fn reading(draft: &Draft, sheet: &Sheet, source: Source<'_>) -> String {
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
    if !source.is_file() {
        return text;
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
    source: Source<'_>,
) -> Result<String, String> {
    let cannot = || format!("no expression can name column \"{}\"", response.title());
    let name = named(response).ok_or_else(cannot)?;
    let explained = match one(draft, response) {
        None => name,
        Some(one) => format!("{name} == {}", word(one).ok_or_else(cannot)?),
    };
    let mut terms = vec!["1".to_owned()];
    for column in predictors {
        let made = term(column, draft.reference(column));
        terms.push(made.map_err(|why| format!("column \"{}\" cannot be a term: {why}", column.title()))?);
    }
    let more = draft.interactions.trim();
    terms.extend((!more.is_empty()).then(|| more.to_owned()));
    let mut text = comment("The posterior of the coefficients of a regression.");
    text += "[target]\nkind = \"regression\"\n";
    text += &format!("response = {}\n", quote(&explained));
    text += &comment(
        "1 is the intercept; of a factor, the level in its brackets is the reference, with which others are compared.",
    );
    text += &format!("terms = {}\n", quote(&terms.join(", ")));
    text += &likelihood(draft, sheet, response)?;
    text += &priors::coefficients(draft, response, predictors);
    text += &format!("standardise = {}\n", draft.standardise);
    if draft.centre && !draft.standardise {
        text += &comment(
            "Columns are shifted to mean 0: the intercept is the response where all are at their means. summary.json and draws have that of the file, too.",
        );
        text += "centre = true\n";
    }
    text += "\n";
    if source.is_file() {
        text += &comment("The file, from the folder of this scenario.");
    }
    let table = source.lines(["csv", "inline"]);
    text += &format!("[target.data]\n{table}{}\n", reading(draft, sheet, source));
    if draft.standardise {
        text += &comment(
            "Chains and priors are in units of standardised columns. The coefficients are shown in those of the file; summary.json and draws have both.",
        );
        text += "[view]\ntab = \"coefficients\"\noptions = { scale = \"file-units\" }\n\n";
    }
    Ok(text)
}

fn likelihood(draft: &Draft, sheet: &Sheet, response: &SheetColumn) -> Result<String, String> {
    let sigma = priors::sigma(draft, response);
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

/// How many of the response are 0 and 1.
fn counted(draft: &Draft, sheet: &Sheet, response: &SheetColumn) -> [usize; 2] {
    match &response.kind {
        // Of a column of one number.
        ColumnKind::Numbers { low, .. } => {
            let n = sheet.rows.saturating_sub(response.missing);
            if *low > 0.5 { [0, n] } else { [n, 0] }
        }
        ColumnKind::YesNo([no, yes]) => [no.count, yes.count],
        ColumnKind::Words(levels) => {
            let ones: usize =
                levels.iter().filter(|level| one(draft, response) == Some(&level.word)).map(|level| level.count).sum();
            [levels.iter().map(|level| level.count).sum::<usize>() - ones, ones]
        }
        _ => [0, 0],
    }
}

fn coin(draft: &Draft, sheet: &Sheet, response: &SheetColumn, source: Source<'_>) -> Result<String, String> {
    let [zeros, ones] = counted(draft, sheet, response);
    let mut text = comment("The posterior of a probability.");
    text += "[target]\nkind = \"beta-posterior\"\n";
    text += &comment("The prior Beta(a, b): [1, 1] is even, [2, 2] keeps off 0 and 1.");
    text += if zeros.min(ones) == 0 { "prior = [2.0, 2.0]\n" } else { "prior = [1.0, 1.0]\n" };
    text += "boundary = \"logit\"\n\n";
    let one = one(draft, response);
    if one.is_some() || !source.is_file() {
        let one = one.map_or_else(|| "that are 1".to_owned(), |one| format!("with \"{one}\""));
        text += &comment(&format!("Rows of {} {one}, and all with a value.", response.title()));
        return Ok(text + &format!("[target.data]\nkind = \"counts\"\nones = {ones}\nn = {}\n\n", ones + zeros));
    }
    let table = source.lines(["csv", "inline"]);
    let data = format!("[target.data]\n{table}column = {}\n", reference(response)?);
    Ok(text + &data + &reading(draft, sheet, source) + "\n")
}

fn arms(
    draft: &Draft,
    response: &SheetColumn,
    (predictors, sheet): (&[&SheetColumn], &Sheet),
    source: Source<'_>,
) -> Result<String, String> {
    let arm = predictors.first().ok_or("an A/B test needs the column of the arm, with two words")?;
    let control = draft.reference(arm);
    let b = levels(arm).iter().map(|level| level.word.as_str()).find(|word| Some(*word) != control);
    let Some(b) = b.filter(|_| levels(arm).len() == 2) else {
        return Err(format!("column \"{}\" has not two words", arm.title()));
    };
    let mut text = comment("The posterior of two probabilities, one for each arm.");
    text += "[target]\nkind = \"beta-pair\"\n";
    text += &comment("The prior Beta(a, b) of both: [2, 2] keeps off 0 and 1, also where an arm has no ones.");
    text += "prior = [2.0, 2.0]\nboundary = \"logit\"\n\n";
    text += &format!("[target.data]\n{}arm = {}\n", source.lines(["csv", "inline"]), reference(arm)?);
    text += &comment("The word for arm B; the other one is A.");
    text += &format!("arm_b = {}\noutcome = {}\n", quote(b), reference(response)?);
    Ok(text + &reading(draft, sheet, source) + "\n")
}

fn groups(
    draft: &Draft,
    response: &SheetColumn,
    (predictors, sheet): (&[&SheetColumn], &Sheet),
    source: Source<'_>,
) -> Result<String, String> {
    let allowed = "2 to 100 different words or whole numbers";
    let sd = draft.sd.and_then(|index| sheet.columns.get(index));
    let of = predictors.first().ok_or_else(|| {
        format!("{} need a column that says which rows belong together, with {allowed}", draft.question.label())
    })?;
    if !draft.takes(of) {
        return Err(format!("column \"{}\" cannot say which rows belong together: it needs {allowed}", of.title()));
    }
    let mut text =
        comment("The posterior of the means of groups, of their common mean μ and of the spread τ between them.");
    text += "[target]\nkind = \"hierarchical-normal\"\n";
    text += &comment(
        "Chains move in z = (θ − μ)/τ; \"centred\" moves in the means θ, a funnel where groups have few rows.",
    );
    text += "parametrisation = \"non-centred\"\n";
    text += &priors::of_groups(response);
    text += "\n";
    if source.is_file() {
        text += &comment("The file, from the folder of this scenario.");
    }
    let kinds = if sd.is_some() { ["csv", "inline"] } else { ["csv-rows", "inline-rows"] };
    text += &format!("[target.data]\n{}", source.lines(kinds));
    match sd {
        Some(sd) => text += &format!("sd = {}\n", reference(sd)?),
        None => text += &comment("Each group counts with the mean of its rows and the standard error of this mean."),
    }
    text += &format!("response = {}\ngroup = {}\n", reference(response)?, reference(of)?);
    Ok(text + &reading(draft, sheet, source) + "\n")
}

fn network(
    draft: &Draft,
    response: &SheetColumn,
    (predictors, sheet): (&[&SheetColumn], &Sheet),
    source: Source<'_>,
) -> Result<String, String> {
    let few = |count: usize| format!("{} needs {count} columns of numbers", draft.question.label());
    let mut text = comment("The posterior of the weights of a small neural network.");
    text += "[target]\nkind = \"network\"\nhidden = 8\n\n";
    let mut data = String::new();
    match (draft.question, predictors) {
        (Question::Function, [x, ..]) => {
            text += &format!("[target.data]\n{}", source.lines(["csv", "inline"]));
            data += &format!("x_column = {}\ny_column = {}\n", reference(x)?, reference(response)?);
            data += &comment("The noise, in standard deviations of y.");
            data += "noise_sd = 0.3\n";
        }
        (Question::Classes, [x, y, ..]) => {
            text += &comment("Wide priors, for boundaries that may be sharp.");
            text += "[target.prior]\nkind = \"fan-in\"\nweight_sd = 5.0\nbias_sd = 2.0\n\n";
            text += &format!("[target.data]\n{}", source.lines(["class-csv", "class-inline"]));
            let [x, y, label] = [reference(x)?, reference(y)?, reference(response)?];
            data += &format!("x_column = {x}\ny_column = {y}\nlabel_column = {label}\n");
        }
        (Question::Function, _) => return Err(few(1)),
        _ => return Err(few(2)),
    }
    data += &format!("standardise = {}\n", draft.standardise);
    data += &comment("A fifth of the rows is held out, to test predictions with.");
    data += "test_share = 0.2\n";
    Ok(text + &data + &reading(draft, sheet, source) + "\n")
}

fn topics(sheet: &Sheet, response: &SheetColumn, source: Source<'_>) -> Result<String, String> {
    let Source::File(path) = source else {
        return Err("topics are read from a file: save the table as CSV, and open that".to_owned());
    };
    if let Some(fault) = topics_fault(sheet) {
        return Err(fault.to_owned());
    }
    let mut text = comment("Topics of the texts of a column.");
    text += "[target]\nkind = \"topics\"\ntopics = 10\n\n";
    let column = response.name.as_deref().map(quote).ok_or("the column of texts has no name")?;
    Ok(text + &format!("[target.corpus]\nkind = \"csv\"\npath = {}\ncolumn = {column}\n\n", quote(path)))
}

/// The text of the scenario of a folder with so many texts, each a document.
pub(super) fn of_folder(path: &str, documents: usize) -> String {
    let file = std::path::Path::new(path).file_name().map_or(path.into(), |name| name.to_string_lossy());
    let title: String = format!("Topics of {file}").chars().take(150).collect();
    let mut text = comment(&format!("Made from {file}: {documents} texts, each .txt file a document."));
    text += &format!("format = 1\ntitle = {}\nseed = 1\n\n", quote(base::params::printable(&title).as_ref()));
    text += &comment("Topics of the texts of a folder.");
    text + &format!(
        "[target]\nkind = \"topics\"\ntopics = 10\n\n[target.corpus]\nkind = \"folder\"\npath = {}\n\n",
        quote(path)
    )
}
