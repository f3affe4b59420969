//! Report: what a student hands in. Questions and answers, the figure, measures, trials and remarks, and the experiment itself inside.

use std::sync::Arc;

use super::{Block, Document, Table};
use crate::app::studies::challenge::{ChallengeStudy, Item};
use crate::app::trials::table::{Column, Quantity, Sheet};
use crate::app::trials::trial::Trial;
use base::params::printable;
use draw::readout;
use draw::words::challenge::{answered, goal_words, said, truth};
use draw::words::{numbers, sentences, tries};
use engine::scenario::{Challenge, Scenario};
use engine::session::Frame;
use engine::session::challenge::{Answer, Key};

/// What a report is made of.
#[derive(Clone, Debug)]
pub struct Contents<'a> {
    /// The frame that the figure shows.
    pub frame: &'a Frame,
    /// The measures that may be seen.
    pub measures: &'a readout::Table,
    /// Who hands it in.
    pub name: &'a str,
    /// What they have to say.
    pub remarks: &'a str,
    /// Questions with their answers.
    pub questions: Vec<Asked>,
    /// The trials of the experiment.
    pub trials: Option<&'a Sheet>,
    /// Whether the target is still to be found out, so that of what there is to notice only questions are told.
    pub hides_target: bool,
}

/// A question or a goal, with what was answered and what is known of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Asked {
    /// The question.
    pub question: String,
    /// The answer, and what came out, a line for each.
    pub lines: Vec<String>,
}

/// The questions of a scenario that nobody has answered.
#[must_use]
pub fn unanswered(challenges: &[Challenge]) -> Vec<Asked> {
    let of = |challenge: &Challenge| Asked { question: plain(&challenge.words()), lines: vec![NO_ANSWER.to_owned()] };
    challenges.iter().map(of).collect()
}

/// What stands below a question without an answer.
const NO_ANSWER: &str = "No answer.";

/// The questions in the text of a scenario: of what there is to notice, and of what can be tried.
#[must_use]
pub fn asked_in_text(scenario: &Scenario) -> Vec<String> {
    let tries = tries::possible(scenario).into_iter();
    let texts = std::iter::once(scenario.caption.notice.as_str()).chain(tries);
    texts.flat_map(sentences::each_question).map(plain).collect()
}

/// These questions with what a person has written to them, if that is anything.
#[must_use]
pub fn written(scenario: &Scenario, answer: impl Fn(&str) -> String) -> Vec<Asked> {
    let of = |question: String| {
        let text = plain_lines(answer(&question).trim());
        let lines =
            if text.is_empty() { vec![NO_ANSWER.to_owned()] } else { text.lines().map(str::to_owned).collect() };
        Asked { question, lines }
    };
    let all: Vec<Asked> = asked_in_text(scenario).into_iter().map(of).collect();
    if all.iter().all(|asked| asked.lines == [NO_ANSWER]) { Vec::new() } else { all }
}

/// The questions of the window with the answers so far. What is true is told once it was revealed.
#[must_use]
pub fn questions(study: &ChallengeStudy, frame: &Frame) -> Vec<Asked> {
    let runs: Vec<&str> = frame.runs.iter().map(|run| run.plan.name.as_str()).collect();
    let of = |item: &Item| {
        let lines = match (item.key(), &item.answer) {
            (Ok(Key::Goal(attempt)), _) => {
                let met = if attempt.is_met() { "Met" } else { "Not met" };
                let best = item.best_in_words().map(|best| format!("Best so far: {best}."));
                let now = format!("{met}: {}.", goal_words(&item.challenge, attempt));
                [Some(now), best].into_iter().flatten().collect()
            }
            (Ok(key), answer) if !study.asks() => {
                let told = item.score().map(|score| {
                    let verdict = if score.right { "Right" } else { "Not right" };
                    format!("{verdict}. {}", answered(&item.challenge, key, answer.as_ref(), score, &runs))
                });
                vec![told.unwrap_or_else(|| NO_ANSWER.to_owned()), truth(&item.challenge, key, &runs)]
            }
            (_, answer) => vec![answer.as_ref().map_or_else(|| NO_ANSWER.to_owned(), |one: &Answer| said(one, &runs))],
        };
        Asked { question: plain(&item.challenge.words()), lines }
    };
    study.items().iter().map(of).collect()
}

/// The report.
#[must_use]
pub fn report(contents: &Contents<'_>) -> Document {
    let Contents { frame, measures, name, remarks, questions, trials, .. } = contents;
    let scenario = &frame.scenario;
    let title = if scenario.title.is_empty() { "Report".to_owned() } else { plain(&scenario.title) };
    let mut document = Document { title, blocks: Vec::new() };
    let fields = [("Name", plain(name.trim())), ("Date", String::new()), ("Points", String::new())];
    document.add(Block::Fields(fields.to_vec()));
    let (step, total) = (numbers::count(frame.step), numbers::count(frame.total));
    let version = env!("CARGO_PKG_VERSION");
    document.add(Block::Small(format!("Seed {} · step {step} of {total} · Sampler Lab {version}", scenario.seed)));
    document.add(Block::Small(
        "The experiment is inside this file: drop the file on the window of Sampler Lab to open it again. What the window hides is packed, \
         so that the file does not tell it."
            .to_owned(),
    ));
    document.section("What is shown", &plain(&scenario.caption.watch));
    let notice = &scenario.caption.notice;
    let notice = if contents.hides_target { sentences::questions(notice) } else { notice.clone() };
    document.section("What to notice", &plain(&notice));
    let tries = tries::possible(scenario);
    if !tries.is_empty() {
        let tasks = tries.into_iter().enumerate().map(|(index, text)| format!("{}. {}", index + 1, plain(text)));
        document.section("What to try", &tasks.collect::<Vec<_>>().join("\n"));
    }
    if !questions.is_empty() {
        document.add(Block::Heading("Questions and answers".to_owned()));
        for Asked { question, lines } in questions {
            document.add(Block::Question(question.clone()));
            document.add(Block::Paragraph(lines.join("\n")));
        }
    }
    document.section("My remarks", &plain_lines(remarks));
    document.add(Block::Heading("Measures".to_owned()));
    document.add(Block::Small(of_figure(contents)));
    let (table, doubts) = of_measures(measures);
    document.add(Block::Table(table));
    if measures.rows().flat_map(|row| &row.cells).any(|cell| cell.floor.is_some()) {
        document.add(Block::Small(readout::BRACKETS.to_owned()));
    }
    if !doubts.is_empty() {
        document.add(Block::Small(doubts.join("\n")));
    }
    if let Some(sheet) = trials.filter(|sheet| !sheet.trials.is_empty()) {
        document.add(Block::Heading("Trials".to_owned()));
        let (table, alike) = of_trials(sheet);
        document.add(Block::Table(table));
        if !alike.is_empty() {
            document.add(Block::Small(alike));
        }
        let notes = notes_on(sheet);
        if !notes.is_empty() {
            document.add(Block::Question("Notes on the trials".to_owned()));
            document.add(Block::List(notes));
        }
    }
    document.add(Block::Heading("Figure".to_owned()));
    document.add(Block::Figure);
    document
}

/// Which runs the figure shows: those of the window, at its step, and the trial that they are, if they are one.
fn of_figure(contents: &Contents<'_>) -> String {
    let Contents { frame, trials, .. } = contents;
    if frame.step == 0 {
        return "No step is taken yet: figure and measures show the runs before their first step.".to_owned();
    }
    let trials = trials.iter().flat_map(|sheet| &sheet.trials);
    let mut same =
        trials.filter(|trial| (trial.seed, trial.step) == (frame.scenario.seed, frame.step) && trial.shows(frame));
    let of = same.next_back().map(|trial| format!(" They are those of trial {}.", trial.number)).unwrap_or_default();
    let step = numbers::count(frame.step);
    format!("Figure and measures show the runs at step {step}, with seed {}.{of}", frame.scenario.seed)
}

/// The sign of a value that says less than it seems to.
const DOUBTED: char = '*';

/// The measures of all runs, and why some say less than they seem to: these have a sign.
fn of_measures(measures: &readout::Table) -> (Table, Vec<String>) {
    let names = measures.runs.iter().map(|name| plain(name));
    let head = [String::new()].into_iter().chain(names).collect();
    let (mut rows, mut doubts) = (Vec::<Vec<String>>::new(), Vec::<String>::new());
    for reading in readout::readings(measures) {
        if reading.run == 0 {
            rows.push(vec![reading.label.to_owned()]);
        }
        let mut words = reading.words;
        if let Some(doubt) = reading.doubt {
            words.push(DOUBTED);
            let name = measures.runs.get(reading.run).map(|name| plain(name)).unwrap_or_default();
            let why = format!("{DOUBTED} {name}: {}", readout::in_text(doubt));
            if !doubts.contains(&why) {
                doubts.push(why);
            }
        }
        if let Some(row) = rows.last_mut() {
            row.push(words);
        }
    }
    (Table { head, rows }, doubts)
}

/// The table of the trials, without notes, which have no space in a column of a page; and what is the same of all, in words.
fn of_trials(sheet: &Sheet) -> (Table, String) {
    let value = |column: &Column, trial: &Arc<Trial>| column.value(trial).text;
    let alike = |column: &&Column| {
        let mut values = sheet.trials.iter().map(|trial| value(column, trial));
        let first = values.next();
        let everywhere = matches!(column.quantity, Quantity::Seed | Quantity::Step);
        everywhere && values.all(|value| Some(&value) == first.as_ref())
    };
    let in_columns = |column: &&Column| column.quantity != Quantity::Note && !alike(column);
    let columns: Vec<&Column> = sheet.columns.iter().filter(in_columns).collect();
    let head = columns.iter().map(|column| plain(&column.head(sheet.several()))).collect();
    let row = |trial: &Arc<Trial>| columns.iter().map(|column| value(column, trial)).collect();
    let of_all =
        sheet.columns.iter().filter(alike).filter_map(|column| {
            sheet.trials.first().map(|trial| format!("{} {}", column.label, value(column, trial)))
        });
    let of_all = of_all.collect::<Vec<_>>().join(", ");
    let of_all = if of_all.is_empty() { of_all } else { format!("All trials: {of_all}.") };
    (Table { head, rows: sheet.trials.iter().map(row).collect() }, of_all)
}

/// The notes on trials that have one.
fn notes_on(sheet: &Sheet) -> Vec<String> {
    let noted = sheet.trials.iter().filter(|trial| !trial.note.trim().is_empty());
    noted.map(|trial| format!("Trial {}: {}", trial.number, plain(trial.note.trim()))).collect()
}

fn plain(text: &str) -> String {
    printable(text).into_owned()
}

fn plain_lines(text: &str) -> String {
    text.lines().map(plain).collect::<Vec<_>>().join("\n")
}
