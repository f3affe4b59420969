//! Files dragged onto the window.

use std::path::PathBuf;

use egui::{Align2, Context, Id, LayerId, Order};

use super::actions::Action;
use crate::draw::theme::Theme;

/// Opens what was dropped; while something is held over the window, says what will happen.
pub fn read(context: &Context, theme: &Theme, actions: &mut Vec<Action>) {
    let (dropped, hovering) = context.input(|input| {
        let dropped: Vec<PathBuf> = input.raw.dropped_files.iter().map(|file| file.path().to_owned()).collect();
        (dropped, !input.raw.hovered_files.is_empty())
    });
    actions.extend(dropped.into_iter().map(Action::OpenFile));
    if hovering {
        invite(context, theme);
    }
}

fn invite(context: &Context, theme: &Theme) {
    let painter = context.layer_painter(LayerId::new(Order::Foreground, Id::unique("drop")));
    let screen = context.content_rect();
    painter.rect_filled(screen, 0.0, theme.paper.gamma_multiply(0.85));
    let text = "Drop a scenario, or a figure exported from here";
    painter.text(screen.center(), Align2::CENTER_CENTER, text, theme.title(), theme.ink);
}
