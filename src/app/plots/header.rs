//! The line above a plot of a run: its marker, its name, and its key numbers.

use egui::{Align, FontId, Label, Layout, RichText, Ui};

use crate::app::theme::Theme;
use crate::schedules::Stage;
use crate::session::{Frame, RunFrame};

use super::{marker, numbers};

/// Shows names and markers of `runs`; with one run alone also its key numbers.
pub fn show(ui: &mut Ui, frame: &Frame, runs: &[usize], theme: &Theme) {
    let numbers = match runs {
        [index] => frame.runs.get(*index).map(key_numbers).unwrap_or_default(),
        _ => String::new(),
    };
    line(ui, frame, runs, theme, &theme.heading(), &numbers);
}

/// Shows names and markers of `runs` in `font`, and `remark` at the right end.
pub fn line(ui: &mut Ui, frame: &Frame, runs: &[usize], theme: &Theme, font: &FontId, remark: &str) {
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = theme.space(1.5);
        for &index in runs {
            let Some(run) = frame.runs.get(index) else { continue };
            marker::show(ui, theme, theme.run(index));
            let name = RichText::new(&run.plan.name).font(font.clone()).color(theme.ink);
            ui.add(Label::new(name).truncate().selectable(false));
            ui.add_space(theme.space(1.0));
        }
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let text = RichText::new(remark).font(theme.small()).color(theme.soft);
            ui.add(Label::new(text).truncate().selectable(false));
        });
    });
}

/// Draws, cycle and stage, step size.
fn key_numbers(run: &RunFrame) -> String {
    let mut parts = Vec::new();
    if let Some(cycle) = run.cycle {
        let stage = if run.stage == Stage::Sampling { "sampling" } else { "exploring" };
        parts.push(format!("cycle {} · {stage}", numbers::count(cycle + 1)));
    }
    parts.push(format!("α {}", numbers::significant(run.alpha, 3)));
    parts.push(match run.collected {
        1 => "1 draw".to_owned(),
        collected => format!("{} draws", numbers::count(collected)),
    });
    parts.join("   ")
}

/// What to say about the chains of a run that diverged; `None` if none did.
#[must_use]
pub fn divergence(run: &RunFrame) -> Option<String> {
    let first = run.diverged.iter().map(|&(_, step)| step).min()?;
    let first = numbers::count(first);
    Some(match (run.diverged.len(), run.plan.chains) {
        (1, 1) => format!("The chain diverged at step {first}"),
        (count, chains) if count == chains => format!("All {chains} chains diverged, the first at step {first}"),
        (1, chains) => format!("1 of {chains} chains diverged at step {first}"),
        (count, chains) => format!("{count} of {chains} chains diverged, the first at step {first}"),
    })
}
