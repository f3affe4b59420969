//! List of methods in groups, with a plain line for each.

use egui::text::LayoutJob;
use egui::{Button, ComboBox, Label, RichText, ScrollArea, TextFormat, Ui};

use base::params::KindSpec;
use draw::kit::named::named;
use draw::theme::Theme;
use samplers::methods::{MethodGroup, algorithm, in_group};

/// Width of the list and its largest height, in units of the theme.
const WIDTH: f32 = 96.0;
const HEIGHT: f32 = 110.0;

/// A list that is open: returns the method that was clicked. `current` is the one that is chosen, if one is.
pub fn methods(
    ui: &mut Ui,
    theme: &Theme,
    offered: impl Fn(&'static KindSpec) -> bool,
    current: Option<&KindSpec>,
) -> Option<&'static KindSpec> {
    let mut chosen = None;
    ui.set_width(theme.space(WIDTH).min(ui.ctx().content_rect().width() - theme.space(8.0)));
    let height = theme.space(HEIGHT).min(0.7 * ui.ctx().content_rect().height());
    ScrollArea::vertical().max_height(height).min_scrolled_height(height).show(ui, |ui| {
        ui.spacing_mut().item_spacing.y = theme.space(0.25);
        for group in MethodGroup::ALL {
            let mut members = in_group(group).filter(|kind| offered(kind)).peekable();
            if members.peek().is_none() {
                continue;
            }
            ui.add_space(theme.space(1.0));
            ui.label(RichText::new(group.name()).font(theme.strong()).color(theme.accent));
            ui.add(Label::new(RichText::new(group.about()).font(theme.small()).color(theme.soft)).wrap());
            for kind in members {
                let selected = current == Some(kind);
                let button = Button::selectable(selected, line(ui, theme, kind)).wrap();
                let button = named(ui.add_sized([ui.available_width(), 0.0], button.right_text("")), kind.label);
                if button.on_hover_text(kind.help).clicked() && !selected {
                    chosen = Some(kind);
                }
            }
        }
    });
    chosen
}

/// A box with the present method, which opens the list.
pub fn method(
    ui: &mut Ui,
    theme: &Theme,
    offered: impl Fn(&'static KindSpec) -> bool,
    current: &KindSpec,
) -> Option<&'static KindSpec> {
    let width = ui.available_width();
    let mut chosen = None;
    ui.name_inputs("Method", |ui| {
        let shown = ComboBox::from_id_salt("Method").selected_text(current.label).width(width).truncate();
        shown.height(theme.space(HEIGHT)).show_ui(ui, |ui| chosen = methods(ui, theme, offered, Some(current)));
    });
    chosen
}

/// The name of a method, and what it does below.
fn line(ui: &Ui, theme: &Theme, kind: &KindSpec) -> LayoutJob {
    let mut job = LayoutJob::default();
    job.append(kind.label, 0.0, TextFormat::simple(theme.body(), theme.ink));
    let about = format!("\n{}", algorithm(kind).summary);
    job.append(&about, 0.0, TextFormat::simple(theme.small(), theme.soft));
    job.wrap.max_width = ui.available_width();
    job
}
