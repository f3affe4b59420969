//! The line above a plot of a run: its marker, its name, and its key numbers.

use egui::{Align, FontId, Label, Layout, RichText, Ui};

use crate::app::theme::Theme;
use crate::schedules::Stage;
use crate::session::{Frame, RunFrame};

use super::{marker, numbers};

/// Width that a marker and some letters of a name need, in units of the theme.
const ROOM_FOR_NAME: f32 = 14.0;

/// Shows names and markers of `runs`; with one run alone also its key numbers.
pub fn show(ui: &mut Ui, frame: &Frame, runs: &[usize], theme: &Theme) {
    let numbers = match runs {
        [index] => frame.runs.get(*index).map(key_numbers).unwrap_or_default(),
        _ => Vec::new(),
    };
    line(ui, frame, runs, theme, &theme.heading(), &numbers);
}

/// Shows names and markers of `runs` in `font`, and at the right end as many of `parts` as there is room for; the
/// last ones stay longest.
pub fn line<T: AsRef<str>>(ui: &mut Ui, frame: &Frame, runs: &[usize], theme: &Theme, font: &FontId, parts: &[T]) {
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = theme.space(1.5);
        for &index in runs {
            let Some(run) = frame.runs.get(index) else { continue };
            // A name that would be cut to nothing is left out: the plot below must not be pushed out of its place.
            if ui.available_width() < theme.space(ROOM_FOR_NAME) {
                break;
            }
            marker::show(ui, theme, theme.run(index));
            let name = RichText::new(&run.plan.name).font(font.clone()).color(theme.ink);
            ui.add(Label::new(name).truncate().selectable(false));
            ui.add_space(theme.space(1.0));
        }
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            ui.spacing_mut().item_spacing.x = theme.space(3.0);
            for part in parts.iter().rev() {
                let galley = ui.painter().layout_no_wrap(part.as_ref().to_owned(), theme.small(), theme.soft);
                if galley.size().x > ui.available_width() {
                    break;
                }
                ui.add(Label::new(galley).selectable(false));
            }
        });
    });
}

/// Cycle and stage, step size, draws.
fn key_numbers(run: &RunFrame) -> Vec<String> {
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
    parts
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
