//! What `run` says at its end: of every run its cost, the coordinates or named quantities as a table, and what is wrong with it.

use std::path::Path;

use serde_json::Value as Json;

use draw::readout;
use draw::words::numbers::{against, aligned, count, duration, significant};
use engine::diagnostics::chain::CONVERGED;
use engine::session::Frame;

/// Most rows of a table; the file has all.
const MOST_ROWS: usize = 24;

/// Independent draws that those of a chain should be worth (Vehtari et al. 2021, §4.1).
const FEWEST: f64 = 100.0;

/// The columns of draws and of fits.
const OF_DRAWS: [&str; 5] = ["mean", "sd", "MCSE", "R-hat", "bulk ESS"];
const OF_FITS: [&str; 2] = ["mean", "sd"];
const OF_TRUTH: [&str; 2] = ["true mean", "true sd"];

/// What stands above the names of coefficients of standardised columns, which are told as if the columns were as in the file.
const IN_FILE_UNITS: &str = "units of the file";

/// From so many standard errors, and so large a share of the true standard deviation, on what draws say is biased.
const FAR: (f64, f64) = (8.0, 0.1);

/// A coordinate or a quantity with a name: what the draws say of it, and what is known.
struct Row {
    name: String,
    mean: Option<f64>,
    sd: Option<f64>,
    mcse: Option<f64>,
    mcse_sd: Option<f64>,
    rhat: Option<f64>,
    ess: Option<f64>,
    /// Its true mean and standard deviation.
    truth: [Option<f64>; 2],
}

/// The end of all runs, from what `summary.json` says of them.
pub fn words(frame: &Frame, summary: &Json, folder: &Path) -> String {
    let runs = summary["runs"].as_array().into_iter().flatten().enumerate();
    let mut said: Vec<String> = runs.map(|(number, run)| of_run(frame, number, run)).collect();
    said.push(format!("results: {}", folder.display()));
    said.join("\n")
}

fn of_run(frame: &Frame, number: usize, run: &Json) -> String {
    let originals = named(&run["quantities"]["in_file_units"]);
    let (about, mut rows) = match originals.is_empty() {
        true => ("", rows(frame, number, run)),
        false => (IN_FILE_UNITS, originals),
    };
    if !frame.truth.is_known() || frame.scenario.view.truth == Some(false) {
        rows.iter_mut().for_each(|row| row.truth = [None; 2]);
    }
    let is_fit = frame.runs[number].fits.is_some();
    let mut lines = vec![head(run, is_fit)];
    let doubt = doubt(frame, number).filter(|_| rows.iter().any(|row| row.ess.is_some()));
    lines.extend(table(about, &rows, (is_fit, doubt.is_some())));
    if rows.len() > MOST_ROWS {
        lines.push(format!("  and {} more, in summary.json", rows.len() - MOST_ROWS));
    }
    let warnings = run["warnings"].as_array().into_iter().flatten().filter_map(Json::as_str);
    lines.extend(warnings.map(|warning| format!("  warning: {warning}")));
    lines.extend(doubt.map(|doubt| format!("  note: bulk ESS in brackets: {doubt}")));
    let corrects = frame.runs[number].acceptance.proposals > 0;
    lines.extend(biases(&rows, corrects).map(|bias| format!("  note: {bias}")));
    let remarks = run["remarks"].as_array().into_iter().flatten().filter_map(Json::as_str);
    lines.extend(remarks.map(|remark| format!("  note: {remark}")));
    lines.join("\n") + "\n"
}

/// Why the effective sample sizes of a run say less than they seem to, if they do: as in the readout of the window.
fn doubt(frame: &Frame, number: usize) -> Option<String> {
    let table = readout::Table::seen(frame, frame.scenario.view.truth != Some(false));
    let doubt = ["ess_bulk", "quantity_ess"].into_iter().find_map(|key| table.row(key)?.doubt(number));
    doubt.map(readout::in_text)
}

/// Name and cost of a run.
fn head(run: &Json, is_fit: bool) -> String {
    let whole = |key: &str| run[key].as_u64().map_or_else(|| "?".to_owned(), count);
    let of_draws = run["draws"].as_u64().map(|draws| format!("{} draws, ", count(draws))).unwrap_or_default();
    let evaluations =
        run["gradient_evaluations"].as_f64().unwrap_or(0.0) + run["density_evaluations"].as_f64().unwrap_or(0.0);
    let seconds = std::time::Duration::try_from_secs_f64(run["seconds"].as_f64().unwrap_or(0.0)).unwrap_or_default();
    let plural = if run["chains"] == 1 { "" } else { "s" };
    format!(
        "{}: {} steps, {} {}{plural}, {of_draws}{} evaluations, {}",
        run["name"].as_str().unwrap_or_default(),
        whole("steps"),
        whole("chains"),
        if is_fit { "fit" } else { "chain" },
        significant(evaluations, 4),
        duration(seconds),
    )
}

/// The mean and the standard deviation that are furthest from the truth in their standard errors, where chains agree and that is far: biases,
/// or errors that are told too small where proposals are accepted or rejected, so that the target is kept.
fn biases(rows: &[Row], corrects: bool) -> impl Iterator<Item = String> {
    let why = if corrects { TOO_SMALL } else { A_BIAS };
    let agreed = || rows.iter().filter(|row| row.rhat.is_some_and(|rhat| rhat <= CONVERGED));
    let furthest = |one: &(&Row, f64, f64), other: &(&Row, f64, f64)| one.2.total_cmp(&other.2);
    let mean = agreed().filter_map(of_mean).max_by(furthest).map(|(row, _, errors)| {
        let (name, errors) = (&row.name, significant(errors, 2));
        format!("the mean of {name} is {errors} Monte Carlo standard errors from the truth: {why}")
    });
    let sd = agreed().filter_map(of_sd).max_by(furthest).map(|(row, away, errors)| {
        let (name, errors) = (&row.name, significant(errors, 2));
        let (share, side) = (significant(100.0 * away.abs(), 2), if away > 0.0 { "above" } else { "below" });
        format!("the sd of {name} is {share} % {side} the true one, {errors} Monte Carlo standard errors: {why}")
    });
    mean.into_iter().chain(sd)
}

/// How far the mean of a row is from the truth, also in its standard errors, where that is a bias.
fn of_mean(row: &Row) -> Option<(&Row, f64, f64)> {
    let ([mean, sd], error) = (row.truth, row.mcse?);
    let away = row.mean? - mean?;
    far(away, error, sd?).then_some((row, away, away.abs() / error))
}

/// By which share the standard deviation of a row is above the truth, and how many of its standard errors that is, where that is a bias.
fn of_sd(row: &Row) -> Option<(&Row, f64, f64)> {
    let (truth, found) = (row.truth[1]?, row.sd?);
    // As of normal draws, unless the draws say more.
    let error = (found / (2.0 * row.ess?).sqrt()).max(row.mcse_sd.unwrap_or(0.0));
    far(found - truth, error, truth).then_some((row, found / truth - 1.0, (found - truth).abs() / error))
}

/// What a distance from the truth is that chance does not explain.
const A_BIAS: &str = "a bias, which more draws do not cure";
const TOO_SMALL: &str = "the errors are larger than that, since in heavy tails and where transitions diverge draws do not show their own error";

/// Whether a distance from the truth is large in its standard errors, and as a share of the true standard deviation.
fn far(away: f64, error: f64, sd: f64) -> bool {
    away.abs() > FAR.0 * error && away.abs() > FAR.1 * sd
}

/// The named quantities of a run.
fn named(values: &Json) -> Vec<Row> {
    let of_quantity = |quantity: &Json| Row {
        name: quantity["name"].as_str().unwrap_or_default().to_owned(),
        mean: quantity["draws"]["mean"].as_f64(),
        sd: quantity["draws"]["sd"].as_f64().filter(|_| quantity["draws"]["mean"].is_number()),
        mcse: quantity["mcse_mean"].as_f64(),
        mcse_sd: quantity["mcse_sd"].as_f64(),
        rhat: quantity["rhat"].as_f64(),
        ess: quantity["ess_bulk"].as_f64(),
        truth: ["mean", "sd"].map(|key| quantity["truth"][key].as_f64()),
    };
    values.as_array().into_iter().flatten().map(of_quantity).collect()
}

fn rows(frame: &Frame, number: usize, run: &Json) -> Vec<Row> {
    let values = &run["quantities"]["values"];
    if values.is_array() { named(values) } else { coordinates(frame, number, run) }
}

/// The coordinates that are drawn, on a target without names.
fn coordinates(frame: &Frame, number: usize, run: &Json) -> Vec<Row> {
    let target = frame.target.as_ref();
    let (mean, covariance) = target.info().told_moments();
    let is_fit = frame.runs[number].fits.is_some();
    let found = if is_fit { &run["fit"] } else { run };
    let of = |axis: usize| {
        let of_chains = &run["coordinates"][axis];
        Row {
            name: target.axis_labels()[axis].to_owned(),
            mean: found["mean"][axis].as_f64(),
            // Without a mean there are no draws.
            sd: found["covariance"][axis][axis].as_f64().map(f64::sqrt).filter(|_| found["mean"][axis].is_number()),
            mcse: of_chains["mcse_mean"].as_f64(),
            mcse_sd: None,
            rhat: of_chains["rhat"].as_f64(),
            ess: of_chains["ess_bulk"].as_f64(),
            truth: [mean[axis], covariance[(axis, axis)].sqrt()]
                .map(|value| Some(value).filter(|value| value.is_finite())),
        }
    };
    // A target without a plane, such as topics, has nothing of this kind.
    let drawn = if found["mean"].is_array() { target.info().dimension } else { 0 };
    (0..drawn).map(of).collect()
}

/// That the chains of a run do not agree on some coordinate or quantity, or that their draws are worth very few independent ones, from what
/// `summary.json` says of it (Vehtari et al. 2021, §4.1).
pub fn not_converged(frame: &Frame, number: usize, run: &Json) -> Option<String> {
    let rows = rows(frame, number, run);
    let worst = |of: fn(&Row) -> Option<f64>| {
        rows.iter().filter_map(|row| Some((row, of(row)?))).max_by(|(_, one), (_, other)| one.total_cmp(other))
    };
    if let Some((row, rhat)) = worst(|row| row.rhat).filter(|&(_, rhat)| rhat > CONVERGED) {
        let rhat = against(rhat, CONVERGED, 4);
        return Some(format!("not converged: R-hat of {} is {rhat}; below {CONVERGED} is asked for", row.name));
    }
    let chains = run["chains"].as_f64()?;
    let (row, ess) = worst(|row| Some(-row.ess?)).filter(|&(_, negative)| -negative < FEWEST * chains)?;
    let ess = significant(-ess, 2);
    Some(format!(
        "the draws are worth too few: bulk ESS of {} is {ess}; {FEWEST} for each chain are asked for",
        row.name
    ))
}

/// A table of text, its columns aligned; effective sample sizes that are doubted are in brackets.
fn table(about: &str, rows: &[Row], (is_fit, is_doubted): (bool, bool)) -> Vec<String> {
    if rows.is_empty() {
        return Vec::new();
    }
    let known = rows.iter().any(|row| row.truth.iter().any(Option::is_some));
    let columns: &[&str] = if is_fit { &OF_FITS } else { &OF_DRAWS };
    let columns = [about].into_iter().chain(columns.iter().copied()).chain(OF_TRUTH.into_iter().filter(|_| known));
    let head = columns.map(str::to_owned).collect();
    let cells = |row: &Row| {
        let number = |value: Option<f64>| value.map_or_else(|| "–".to_owned(), |value| beside(value, row.sd));
        let digits = |value: Option<f64>, digits| value.map_or_else(|| "–".to_owned(), |value| aligned(value, digits));
        let mut cells = vec![row.name.clone(), number(row.mean), digits(row.sd, 3)];
        if !is_fit {
            let worth = |ess: f64| significant(ess.round(), 4);
            let told = |ess: f64| if is_doubted { format!("({})", worth(ess)) } else { worth(ess) };
            let ess = row.ess.map_or_else(|| "–".to_owned(), told);
            let rhat = row.rhat.map_or_else(|| "–".to_owned(), |rhat| format!("{rhat:.3}"));
            cells.extend([digits(row.mcse, 2), rhat, ess]);
        }
        if known {
            cells.extend([number(row.truth[0]), digits(row.truth[1], 3)]);
        }
        cells
    };
    let all: Vec<Vec<String>> = std::iter::once(head).chain(rows.iter().take(MOST_ROWS).map(cells)).collect();
    let width = |column: usize| all.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..all[0].len()).map(width).collect();
    let line = |row: &Vec<String>| {
        let cells = row.iter().zip(&widths).enumerate();
        let padded = cells.map(|(column, (cell, width))| match column {
            0 => format!("  {cell:<width$}"),
            _ => format!("  {cell:>width$}"),
        });
        padded.collect::<String>().trim_end().to_owned()
    };
    all.iter().map(line).collect()
}

/// A mean with as many decimals as its standard deviation has in three digits.
fn beside(value: f64, sd: Option<f64>) -> String {
    let usual = || significant(value, 4);
    let Some(sd) = sd.filter(|sd| (1e-4..1e6).contains(sd)) else { return usual() };
    if value.abs() >= 1e7 {
        return usual();
    }
    let mut scaled = sd;
    let decimals = (0..6)
        .take_while(|_| {
            scaled < 100.0 && {
                scaled *= 10.0;
                true
            }
        })
        .count();
    let text = format!("{value:.decimals$}");
    // A zero has no sign.
    if text.chars().all(|character| "-0.".contains(character)) { text.replace('-', "") } else { text }
}
