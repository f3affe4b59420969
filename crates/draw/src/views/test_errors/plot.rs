//! Table of errors on test data by method and number of chains: for each measure a row per run, and columns for pools of 1, 2,
//! 4, … chains. The numbers are those of the analysis of each run, so the table keeps nothing.

use std::collections::BTreeSet;

use egui::{Align, Grid, Label, Layout, RichText, ScrollArea, Ui, vec2};

use super::printed;
use super::values::{of, value};
use crate::kit::background::Computing;
use crate::kit::{run_header, run_marker, shortened};
use crate::theme::Theme;
use crate::views::reliability::{NO_TESTS, has_tests, missing};
use crate::words::numbers;
use engine::diagnostics::MeasureSpec;
use engine::diagnostics::predictions::{Kind, OF_TESTS, measures_of};
use engine::session::{Frame, PooledError, PooledErrors, RunFrame};

/// Space between columns and between rows, in units of the theme.
const GAPS: [f32; 2] = [4.0, 1.0];

/// Draws the table of some runs into the available space; in figures, which are computed at once, without scrolling.
pub fn show(ui: &mut Ui, (frame, runs): (&Frame, &[usize]), computing: Computing, theme: &Theme) {
    if !has_tests(frame.target.as_ref()) {
        ui.label(NO_TESTS);
        return;
    }
    run_header::titled(ui, "Errors on test data by number of chains", theme, &theme.heading(), &[]);
    let shown: Vec<(usize, &RunFrame)> = runs.iter().filter_map(|run| Some((*run, frame.runs.get(*run)?))).collect();
    let sizes: BTreeSet<usize> =
        shown.iter().flat_map(|(_, run)| &run.analysis.predicted.errors).map(|pooled| pooled.chains).collect();
    if sizes.is_empty() {
        ui.label(RichText::new(missing(&shown)).font(theme.small()).color(theme.soft));
        return;
    }
    let Some(kind) = Kind::of(frame.target.as_ref()) else { return };
    let specs: Vec<&MeasureSpec> = measures_of(kind).filter(|spec| OF_TESTS.contains(&spec.key)).collect();
    if computing == Computing::Now {
        ui.add_space(theme.space(GAPS[1]));
        printed::show(ui, theme, &shown, &measured(&shown, specs));
        return;
    }
    ScrollArea::both().auto_shrink(false).show(ui, |ui| {
        let spacing = vec2(theme.space(GAPS[0]), theme.space(GAPS[1]));
        Grid::new("test errors").spacing(spacing).show(ui, |ui| {
            for spec in measured(&shown, specs) {
                head(ui, theme, spec, &sizes);
                shown.iter().for_each(|(index, run)| row(ui, theme, spec, &sizes, (*index, run)));
            }
        });
    });
}

/// The measures that some run has.
fn measured<'a>(runs: &[(usize, &RunFrame)], specs: Vec<&'a MeasureSpec>) -> Vec<&'a MeasureSpec> {
    let has = |run: &RunFrame, spec| run.analysis.predicted.errors.iter().any(|pooled| of(pooled, spec).is_some());
    specs.into_iter().filter(|spec| runs.iter().any(|(_, run)| has(run, spec))).collect()
}

/// The name of a measure and the columns.
fn head(ui: &mut Ui, theme: &Theme, spec: &MeasureSpec, sizes: &BTreeSet<usize>) {
    ui.label(RichText::new(spec.label).font(theme.strong())).on_hover_text(spec.help);
    for size in sizes {
        let text = if *size == 1 { "1 chain".to_owned() } else { format!("{} chains", numbers::count(*size as u64)) };
        right(ui, RichText::new(text).font(theme.small()).color(theme.soft));
    }
    ui.end_row();
}

/// The errors of a run.
fn row(ui: &mut Ui, theme: &Theme, spec: &MeasureSpec, sizes: &BTreeSet<usize>, (index, run): (usize, &RunFrame)) {
    ui.horizontal(|ui| {
        run_marker::show(ui, theme, theme.run(index));
        shortened::label(ui, &run.plan.name, &theme.body(), theme.ink);
    });
    for size in sizes {
        let pooled = run.analysis.predicted.errors.iter().find(|pooled| pooled.chains == *size);
        match pooled.and_then(|pooled| Some((pooled, of(pooled, spec)?))) {
            Some((pooled, error)) => cell(ui, theme, error, &origin(run, pooled)),
            None => {
                drop(
                    right(ui, RichText::new("–").color(theme.soft)).on_hover_text("This run has no pool of this size"),
                );
            }
        }
    }
    ui.end_row();
}

/// The mean over pools, and below it how much they differ.
fn cell(ui: &mut Ui, theme: &Theme, error: &PooledError, origin: &str) {
    let Some(sd) = error.sd else {
        right(ui, RichText::new(value(error.mean))).on_hover_text(origin);
        return;
    };
    ui.with_layout(Layout::top_down(Align::Max), |ui| {
        ui.spacing_mut().item_spacing.y = 0.0;
        ui.add(Label::new(value(error.mean)).extend()).on_hover_text(origin);
        let spread = RichText::new(format!("± {}", value(sd))).font(theme.small()).color(theme.soft);
        ui.add(Label::new(spread).extend()).on_hover_text(origin);
    });
}

fn right(ui: &mut Ui, text: RichText) -> egui::Response {
    ui.with_layout(Layout::right_to_left(Align::Center), |ui| ui.add(Label::new(text).extend())).inner
}

/// What a number is made from.
fn origin(run: &RunFrame, pooled: &PooledErrors) -> String {
    let chains = numbers::count(pooled.chains as u64);
    if run.fits.is_some() {
        "of the fit".to_owned()
    } else if pooled.pools == 1 {
        format!("all draws of {chains} chains together")
    } else {
        format!("mean and standard deviation of {} pools of {chains} chains", numbers::count(pooled.pools as u64))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_a_column_have_as_many_decimals() {
        let numbers = [0.123_45, 0.1, -0.86, 0.000_93, 28.71];
        assert_eq!(numbers.map(value), ["0.123", "0.100", "−0.860", "0.001", "28.7"]);
    }
}
