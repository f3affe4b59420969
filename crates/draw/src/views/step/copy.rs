//! Copies of a step: its formula as LaTeX or Typst, its lines in words, its code.

use egui::Ui;

use crate::geometry::algorithm_of;
use crate::views::PlotContext;
use crate::words::notation::{Notation, written};
use samplers::methods::Algorithm;

/// Adds the menu; it copies from all runs that are shown.
pub(super) fn menu(ui: &mut Ui, cx: &PlotContext<'_>) {
    let button = ui.menu_button("Copy", |ui| {
        for (name, help, text) in [
            ("Formula as LaTeX", "One line for each formula", latex as fn(&Algorithm) -> String),
            ("Formula as Typst", "One line for each formula", typst),
            ("Lines in words", "The algorithm, a numbered line for each part", lines),
            ("NumPy code", "A Python function that takes one step", code),
        ] {
            if ui.button(name).on_hover_text(help).clicked() {
                ui.ctx().copy_text(of_runs(cx, text));
                ui.close();
            }
        }
    });
    button.response.on_hover_text("Copy the step: formula, lines or code");
}

/// The texts of the runs that are shown, each once.
fn of_runs(cx: &PlotContext<'_>, text: fn(&Algorithm) -> String) -> String {
    let mut texts: Vec<String> = Vec::new();
    for run in cx.runs.iter().filter_map(|&run| cx.frame.runs.get(run)) {
        let text = algorithm_of(cx.frame, run).map(text).unwrap_or_default();
        if !texts.contains(&text) {
            texts.push(text);
        }
    }
    texts.join("\n\n")
}

fn formulas(algorithm: &Algorithm, notation: Notation) -> String {
    algorithm.formula().lines().map(|line| written(line, notation)).collect::<Vec<_>>().join("\n")
}

fn latex(algorithm: &Algorithm) -> String {
    formulas(algorithm, Notation::Latex)
}

fn typst(algorithm: &Algorithm) -> String {
    formulas(algorithm, Notation::Typst)
}

fn lines(algorithm: &Algorithm) -> String {
    let numbered = algorithm.lines.iter().enumerate().map(|(number, line)| format!("{}. {}", number + 1, line.words));
    numbered.collect::<Vec<_>>().join("\n")
}

fn code(algorithm: &Algorithm) -> String {
    algorithm.code.to_owned()
}
