//! Help: keys, gestures and the glossary, with a search over all three.

use egui::{Context, Grid, Label, ScrollArea, Ui};

use super::current::Search;
use super::modal::{buttons, main_button, modal};
use super::search_field::{marked, search_field};
use crate::app::commands::TABLE;
use crate::app::commands::search::{rank, rank_of_term};
use crate::app::shell::input;
use crate::app::{controls, panels};
use draw::kit::gestures::Gesture;
use draw::theme::Theme;
use draw::views::gesture_list;
use draw::words::glossary;

/// Width of the dialog, and of its column of names, in units of the theme.
const WIDTH: f32 = 170.0;
const NAMES: f32 = 48.0;

/// Share of the height of the window that the lists take.
const HEIGHT: f32 = 0.58;

/// A row: what is looked up, what it means, and where.
type Row = [String; 3];

/// Rows that match a query under their title, with the rank of the best one.
type Ranked = (usize, &'static str, Vec<Row>);

/// Shows the dialog; returns whether it stays open.
pub fn show(search: &mut Search, context: &Context, theme: &Theme) -> bool {
    let height = context.content_rect().height() * HEIGHT;
    let width = WIDTH.min(context.content_rect().width() / theme.unit - 16.0);
    modal(context, theme, "Help", width, |ui| {
        search_field(ui, search, "Search keys, gestures and words");
        ui.add_space(theme.space(2.0));
        let lists = lists(&search.text);
        ScrollArea::vertical().auto_shrink(false).max_height(height).min_scrolled_height(height).show(ui, |ui| {
            for (_, title, rows) in &lists {
                list(ui, theme, title, rows, &search.text);
            }
            if lists.is_empty() {
                ui.weak("Nothing has these words");
            }
        });
        !buttons(ui, theme, |ui| main_button(ui, theme, "Close"))
    })
}

/// The lists with the rows that match, the best list and the best rows first; without a query all rows in order.
fn lists(query: &str) -> Vec<Ranked> {
    let terms = glossary::terms().iter().map(|term| (rank_of_term(query, term), row(term)));
    let others = |rows: Vec<Row>| rows.into_iter().map(|row| (rank_of(query, &row), row)).collect::<Vec<_>>();
    let all = [("Keys", others(keys())), ("Gestures", others(gestures())), ("Words", terms.collect::<Vec<_>>())];
    let mut lists: Vec<Ranked> = Vec::new();
    for (title, rows) in all {
        let mut rows: Vec<(usize, Row)> = rows.into_iter().filter_map(|(rank, row)| Some((rank?, row))).collect();
        if !query.trim().is_empty() {
            rows.sort_by_key(|(rank, _)| *rank);
        }
        if let Some((best, _)) = rows.first() {
            lists.push((*best, title, rows.into_iter().map(|(_, row)| row).collect()));
        }
    }
    if !query.trim().is_empty() {
        lists.sort_by_key(|(best, ..)| *best);
    }
    lists
}

/// How well a row matches a query.
fn rank_of(query: &str, [name, meaning, element]: &Row) -> Option<usize> {
    rank(query, name, &format!("{meaning} {element}"))
}

/// The rows of a list under its title, with the words of the query marked.
fn list(ui: &mut Ui, theme: &Theme, title: &str, rows: &[Row], query: &str) {
    ui.heading(title);
    let gap = theme.space(4.0);
    let meanings = ui.available_width() - theme.space(NAMES) - gap - ui.spacing().scroll.bar_width;
    Grid::new(title).num_columns(2).spacing([gap, theme.space(1.0)]).show(ui, |ui| {
        for [name, meaning, element] in rows {
            ui.vertical(|ui| {
                ui.set_width(theme.space(NAMES));
                ui.add(Label::new(marked(theme, name, query, (theme.strong(), theme.ink))).wrap());
            });
            ui.vertical(|ui| {
                ui.set_width(meanings);
                ui.spacing_mut().item_spacing.y = 0.0;
                ui.add(Label::new(marked(theme, meaning, query, (theme.body(), theme.ink))).wrap());
                if !element.is_empty() {
                    ui.add(Label::new(marked(theme, element, query, (theme.small(), theme.soft))).wrap());
                }
            });
            ui.end_row();
        }
    });
    ui.add_space(theme.space(3.0));
}

/// The keys of all commands, and those that are no commands.
fn keys() -> Vec<Row> {
    let of_commands = TABLE.iter().filter(|spec| !spec.keys.is_empty());
    let rows = of_commands.map(|spec| [spec.all_keys(), spec.name.to_owned(), spec.help.to_owned()]);
    rows.chain(input::KEYS.iter().map(|(key, does)| [*key, *does, ""].map(str::to_owned))).collect()
}

/// All gestures.
fn gestures() -> Vec<Row> {
    let of_window: [&[Gesture]; 5] = [
        &controls::GESTURES,
        &panels::GESTURES,
        &panels::pen::GESTURES,
        &input::GESTURES,
        &super::figure::placing::GESTURES,
    ];
    let all = gesture_list::ALL.into_iter().chain(of_window).flatten();
    all.map(|Gesture { element, how, does }| [*how, *does, *element].map(str::to_owned)).collect()
}

/// The row of a term of the glossary.
fn row(term: &glossary::Term) -> Row {
    let title = term.title();
    let name = if term.symbol.is_empty() { title } else { format!("{title}  {}", term.symbol) };
    [name, term.meaning.clone(), term.used_on_screen().replace('`', "")]
}

#[cfg(test)]
mod tests {
    use std::path::{Path, PathBuf};

    use super::*;

    /// What a source calls to read a gesture; the last one on plots only, since every button is clicked.
    const CALLS: [&str; 8] = [
        "double_clicked()",
        ".dragged()",
        "drag_started()",
        "dragged_by(",
        ".context_menu(",
        "Key::Delete",
        "dropped_files",
        "response.clicked()",
    ];

    /// Files that read a gesture which a table elsewhere describes, with the file of the table.
    const ELSEWHERE: [(&str, &str); 11] = [
        ("kit/steps.rs", "kit/gestures.rs"),
        ("path/mod.rs", "path/plot.rs"),
        ("weights/points.rs", "weights/plot.rs"),
        ("pairs/cell.rs", "pairs/plot.rs"),
        ("schedule/by_hand.rs", "schedule/handles.rs"),
        ("topics/cell.rs", "topics/plot.rs"),
        ("topics/triangle.rs", "topics/plot.rs"),
        ("sweep/answers.rs", "sweep/input.rs"),
        ("sweep/curve.rs", "sweep/input.rs"),
        ("sweep/front.rs", "sweep/input.rs"),
        ("sweep/map.rs", "sweep/input.rs"),
    ];

    fn sources(folder: &Path) -> Vec<(PathBuf, String)> {
        let mut found = Vec::new();
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                found.extend(sources(&path));
            } else {
                let text = std::fs::read_to_string(&path).unwrap();
                found.push((path, text.split("#[cfg(test)]\nmod tests").next().unwrap().to_owned()));
            }
        }
        found
    }

    #[test]
    fn every_file_that_reads_gestures_describes_them_in_a_table() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let all: Vec<_> =
            ["crates/draw/src", "src/app"].iter().flat_map(|folder| sources(&root.join(folder))).collect();
        let tables = |text: &str| text.matches("const GESTURES: [Gesture; ").count();
        let mut seen = 0;
        for (path, text) in &all {
            let plot =
                path.components().any(|part| ["kit", "canvas", "views"].iter().any(|name| part.as_os_str() == *name));
            let calls = &CALLS[..if plot { CALLS.len() } else { CALLS.len() - 1 }];
            let reads = calls.iter().any(|call| text.contains(call));
            let tests = path.components().any(|part| {
                ["tests", "tests.rs", "testing", "testing.rs"].iter().any(|name| part.as_os_str() == *name)
            });
            if !reads || tests || tables(text) > 0 {
                continue;
            }
            let elsewhere = ELSEWHERE.iter().find(|(file, _)| path.ends_with(file));
            let Some((_, table)) = elsewhere else { panic!("{} has no table of its gestures", path.display()) };
            assert!(all.iter().any(|(path, text)| path.ends_with(table) && tables(text) > 0), "{table}");
            seen += 1;
        }
        assert_eq!(seen, ELSEWHERE.len());
        let listed = gesture_list::ALL.len() + 5;
        assert_eq!(all.iter().map(|(_, text)| tables(text)).sum::<usize>(), listed, "a table is not in the help");
    }

    #[test]
    fn the_rows_of_all_lists_are_found_by_their_words() {
        let words: Vec<Row> = glossary::terms().iter().map(row).collect();
        for rows in [keys(), gestures(), words] {
            assert!(rows.iter().all(|row| !row[0].is_empty() && !row[1].is_empty()));
            for row in &rows {
                let word = row[1].split_whitespace().max_by_key(|word| word.len()).unwrap();
                let count = rows.iter().filter(|other| rank_of(word, other).is_some()).count();
                assert!(rank_of(word, row).is_some() && count < rows.len(), "{word}");
            }
        }
    }

    /// What somebody who is new to the field types, and the beginning of what should be found first.
    const TYPED: [(&str, &str); 60] = [
        ("MCMC", "Markov chain Monte Carlo"),
        ("mcmc", "Markov chain Monte Carlo"),
        ("Markov chain", "Markov chain"),
        ("Monte Carlo", "Monte Carlo"),
        ("VI", "variational inference"),
        ("variational inference", "variational inference"),
        ("SGLD", "SGLD"),
        ("posterior", "posterior"),
        ("prior", "prior"),
        ("likelihood", "likelihood"),
        ("density", "density"),
        ("pdf", "density"),
        ("gradient", "gradient"),
        ("slope", "gradient"),
        ("sample", "draw"),
        ("draw", "draw"),
        ("mode", "mode"),
        ("peak", "mode"),
        ("bias", "bias"),
        ("variance", "variance"),
        ("burn-in", "burn-in"),
        ("warmup", "warm-up"),
        ("acceptance", "acceptance"),
        ("acceptance rate", "acceptance"),
        ("step size", "step size"),
        ("learning rate", "learning rate"),
        ("minibatch", "minibatch"),
        ("batch size", "minibatch"),
        ("epoch", "epoch"),
        ("effective sample size", "bulk ESS"),
        ("ESS", "bulk ESS"),
        ("convergence", "convergence"),
        ("HMC", "HMC"),
        ("Hamiltonian Monte Carlo", "Hamiltonian Monte Carlo"),
        ("NUTS", "NUTS"),
        ("MALA", "MALA"),
        ("ELBO", "ELBO"),
        ("KL", "KL divergence"),
        ("MAP", "MAP estimate"),
        ("MLE", "maximum likelihood"),
        ("i.i.d.", "independent"),
        ("iid", "independent"),
        ("SVI", "SVI"),
        ("CAVI", "CAVI"),
        ("GGN", "GGN"),
        ("Gibbs sampling", "Gibbs sampling"),
        ("Metropolis", "Metropolis rule"),
        ("rhat", "R-hat"),
        ("Gaussian", "Gaussian"),
        ("normal distribution", "Gaussian"),
        ("sd", "standard deviation"),
        ("mean", "mean"),
        ("correlation", "correlation"),
        ("Bayes", "Bayesian inference"),
        ("noise", "noise"),
        ("Hessian", "curvature"),
        ("momentum", "momentum"),
        ("Langevin dynamics", "Langevin dynamics"),
        ("loss", "loss"),
        ("LDA", "latent Dirichlet allocation"),
    ];

    #[test]
    fn what_a_newcomer_types_is_found_first() {
        for (typed, expected) in TYPED {
            let found = lists(typed);
            let (_, title, rows) = &found[0];
            assert_eq!(*title, "Words", "{typed}");
            assert!(rows[0][0].starts_with(expected), "{typed}: {}", rows[0][0]);
        }
        assert!(lists("zzzz").is_empty());
    }
}
