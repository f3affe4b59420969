//! Frame of a dialog: heading, contents, and buttons at the lower right.

use egui::{Align, Button, Context, Frame, Id, Key, Layout, Modal, Modifiers, RichText, Ui, vec2};

use draw::theme::Theme;

/// A dialog in the middle of the window with a heading; returns whether it stays open.
pub fn modal(context: &Context, theme: &Theme, name: &str, width: f32, contents: impl FnOnce(&mut Ui) -> bool) -> bool {
    framed(context, theme, (name, width), contents, false)
}

/// The same for a dialog of many fields, in one of which Escape ends the typing and no more.
pub fn modal_of_fields(
    context: &Context,
    theme: &Theme,
    name: &str,
    width: f32,
    contents: impl FnOnce(&mut Ui) -> bool,
) -> bool {
    framed(context, theme, (name, width), contents, types_in_field(context))
}

fn framed(
    context: &Context,
    theme: &Theme,
    (name, width): (&str, f32),
    contents: impl FnOnce(&mut Ui) -> bool,
    keeps: bool,
) -> bool {
    let frame = Frame::window(&context.global_style()).inner_margin(theme.space(5.0));
    let response = Modal::new(Id::unique(name)).frame(frame).show(context, |ui| {
        ui.set_width(theme.space(width));
        ui.heading(name);
        ui.add_space(theme.space(2.0));
        contents(ui)
    });
    if keeps {
        // The field has had the key.
        context.input_mut(|input| input.consume_key(Modifiers::NONE, Key::Escape));
    }
    response.inner && !response.should_close()
}

/// Whether somebody types in a field, or did in the frame before: at Escape a field has lost the focus already.
pub fn types_in_field(context: &Context) -> bool {
    let (memory, frame) = (Id::unique("frame with typing"), context.cumulative_frame_nr());
    if context.text_edit_focused() {
        context.data_mut(|data| data.insert_temp(memory, frame));
        return true;
    }
    context.data(|data| data.get_temp::<u64>(memory)).is_some_and(|last| frame <= last + 1)
}

/// Buttons at the lower right, the first one outermost.
pub fn buttons<R>(ui: &mut Ui, theme: &Theme, contents: impl FnOnce(&mut Ui) -> R) -> R {
    ui.add_space(theme.space(3.0));
    // In the middle of a row: a dialog whose contents have become lower has the height of before once more, and would keep it.
    let row = vec2(ui.available_width(), ui.spacing().interact_size.y);
    ui.allocate_ui_with_layout(row, Layout::right_to_left(Align::Center), contents).inner
}

/// The main button of a dialog; returns whether it was clicked, or Enter was pressed in this dialog where nothing else has the focus.
pub fn main_button(ui: &mut Ui, theme: &Theme, text: &str) -> bool {
    let button = Button::new(RichText::new(text).font(theme.strong()).color(theme.paper)).fill(theme.accent);
    let clicked = ui.add(button).clicked();
    let context = ui.ctx();
    let (focused, topmost) = context.memory(|memory| (memory.focused(), memory.top_modal_layer()));
    // Enter ends the typing in a field, and no more.
    let free = focused.is_none() && !types_in_field(context) && topmost == Some(ui.layer_id());
    clicked || (free && ui.is_enabled() && context.input_mut(|input| input.consume_key(Modifiers::NONE, Key::Enter)))
}

#[cfg(test)]
mod tests {
    use egui_kittest::Harness;
    use egui_kittest::kittest::Queryable;

    use super::*;
    use draw::theme;

    /// A dialog of a field and a main button, which counts what the button is asked for.
    fn dialog_of_a_field() -> Harness<'static, (String, usize)> {
        let look = Theme::default();
        let builder = Harness::builder().with_size(vec2(800.0, 600.0)).with_context_setup(theme::install_fonts);
        builder.build_ui_state(
            move |ui, (text, asked): &mut (String, usize)| {
                modal_of_fields(ui.ctx(), &look, "Dialog", 60.0, |ui| {
                    let name = ui.label("Name").id;
                    ui.text_edit_singleline(text).labelled_by(name);
                    *asked += usize::from(buttons(ui, &look, |ui| main_button(ui, &look, "Go on")));
                    true
                });
            },
            Default::default(),
        )
    }

    #[test]
    fn enter_is_for_the_main_button_unless_somebody_types() {
        let mut harness = dialog_of_a_field();
        harness.run();
        harness.key_press(Key::Enter);
        harness.run();
        assert_eq!(harness.state().1, 1);
        harness.get_by_role(egui::accesskit::Role::TextInput).focus();
        harness.run();
        harness.key_press(Key::Enter);
        harness.run();
        assert_eq!(harness.state().1, 1, "Enter in a field ends the typing");
        harness.key_press(Key::Enter);
        harness.run();
        assert_eq!(harness.state().1, 2);
    }

    #[test]
    fn a_dialog_becomes_as_low_as_its_contents() {
        let look = Theme::default();
        let builder = Harness::builder().with_size(vec2(800.0, 600.0)).with_context_setup(theme::install_fonts);
        let mut harness = builder.build_ui_state(
            move |ui, height: &mut f32| {
                theme::apply(ui.ctx(), &look);
                modal(ui.ctx(), &look, "Dialog", 100.0, |ui| {
                    ui.label("First");
                    ui.add_space(*height);
                    buttons(ui, &look, |ui| _ = ui.button("Close"));
                    true
                });
            },
            20.0,
        );
        let mut distance = |height: f32| {
            *harness.state_mut() = height;
            harness.run_steps(4);
            let [first, close] = ["First", "Close"].map(|name| harness.get_by_label(name).rect());
            close.top() - first.bottom()
        };
        let low = distance(20.0);
        assert!(distance(300.0) > low + 270.0);
        approx::assert_abs_diff_eq!(distance(20.0), low, epsilon = 1.0);
    }
}
