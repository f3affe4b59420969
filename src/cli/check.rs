//! `check`: what is wrong with a scenario or a playlist, or what is known of its targets and what its runs cost.

use std::path::Path;

use base::params::{ParamErrors, printable};
use engine::scenario::{Playlist, Shows};
use engine::session::sweep::SweepPlan;
use models::lda::Dropped;
use models::targets::Target;

use super::cost::Cost;
use super::{Either, Failure, complain, read, read_either, say, truth};

/// Checks what is named.
///
/// # Errors
/// Everything that is wrong with it.
pub fn check(path: &Path) -> Result<(), Failure> {
    let scenario = match read_either(path)? {
        Either::Scenario(scenario) => *scenario,
        Either::Playlist(playlist) => return check_items(path, &playlist),
    };
    let runs = scenario.runs.len();
    // A file that hides its target does not have it named by accident; one that is packed tells nothing of it.
    let hides = scenario.view.hides_target();
    let target = if hides { "a hidden target" } else { scenario.target.kind.label };
    let file = path.display().to_string();
    let file = printable(&file);
    let experiment = scenario.build().map_err(ParamErrors)?;
    let costs: Vec<Cost> = experiment.runs.iter().map(|plan| Cost::of_run(&experiment, plan)).collect();
    say(&format!("{file}: valid; {runs} {} on {target}", if runs == 1 { "run" } else { "runs" }))?;
    let warnings =
        scenario.warnings().into_iter().chain(experiment.spans.iter().filter_map(|span| left_out(&span.target)));
    complain(&warnings.map(|warning| format!("{file}: warning: {warning}")).collect::<Vec<_>>());
    for words in experiment.spans.iter().filter_map(|span| span.target.left_out()?.words_in_words()) {
        say(&format!("words: {}", printable(&words)))?;
    }
    for note in experiment.spans.iter().filter_map(|span| span.target.data_note()) {
        say(&format!("data: {}: {}", printable(&note.file), note.in_words()))?;
    }
    for span in experiment.spans.iter().filter(|_| !(hides && scenario.view.packed)) {
        let since = if span.from > 0 { format!(" from step {} on", span.from) } else { String::new() };
        say(&format!("truth{since}: {}", truth::in_words(span.target.as_ref())))?;
    }
    for (plan, cost) in experiment.runs.iter().zip(&costs) {
        let name = printable(&plan.name);
        say(&format!("{name}: {}", cost.in_words()))?;
        plan.remarks().try_for_each(|remark| say(&format!("{name}: {remark}")))?;
    }
    if runs > 1 {
        say(&format!("together: {}", costs.into_iter().fold(Cost::default(), Cost::plus).in_words()))?;
    }
    for challenge in &scenario.challenges {
        say(&format!("challenge, {}: {}", challenge.task.kind(), printable(&challenge.words())))?;
    }
    if let Some(sweep) = &scenario.sweep {
        let plan = SweepPlan::new(&scenario).map_err(ParamErrors)?;
        let axes: Vec<&str> = sweep.axes.iter().map(|axis| axis.parameter.as_str()).collect();
        let (run, axes) = (printable(&sweep.run), axes.join(" and "));
        say(&format!("sweep: {} cells of {} seeds of {run}, over {axes}", plan.cells(), sweep.seeds))?;
    }
    Ok(())
}

/// Reads the items of a playlist; a line for each.
fn check_items(path: &Path, playlist: &Playlist) -> Result<(), Failure> {
    let (file, mut wrong) = (path.display().to_string(), Vec::new());
    say(&format!("{}: a playlist of {} items", printable(&file), playlist.items.len()))?;
    for (index, item) in playlist.items.iter().enumerate() {
        let read = match &item.shows {
            // These were read with the playlist.
            Shows::Lesson(_) | Shows::Scenario(_) => Ok(()),
            Shows::File(file) => read(&playlist.path_of(file)).map(drop),
        };
        let words = if read.is_ok() { "valid" } else { "not valid" };
        say(&format!("{}. {}: {words}", index + 1, printable(&item.title())))?;
        wrong.extend(read.err().into_iter().flat_map(|failure| failure.lines()));
    }
    if wrong.is_empty() { Ok(()) } else { Err(Failure::Scenario(wrong)) }
}

/// What is worth a warning about documents and words of a target that were left out.
pub fn left_out(target: &Target) -> Option<String> {
    target.left_out().and_then(Dropped::in_words)
}
