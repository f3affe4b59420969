//! Link dialog: the address of the page, the link to be copied, and its QR code.

use egui::{Color32, ColorImage, Context, Image, TextEdit, TextureHandle, TextureOptions, Ui, vec2};

use super::current::LinkDialog;
use super::modal::{buttons, main_button, modal};
use crate::app::files::link::fragment_of;
use crate::app::files::qr::{QUIET, Qr};
use crate::app::state::Ctx;
use crate::platform::address;

/// Width of the dialog, in units of the theme.
const WIDTH: f32 = 120.0;

/// The height of the code as a share of the window's, at a desk and for the back rows.
const CODE: f32 = 0.4;
const CODE_PRESENTED: f32 = 0.55;

/// Shows the link; returns whether the dialog stays open.
pub fn show(dialog: &mut LinkDialog, ctx: &mut Ctx<'_>, context: &Context) -> bool {
    let theme = ctx.theme;
    let share = if ctx.prefs.present { CODE_PRESENTED } else { CODE };
    let code_side = (context.content_rect().height() * share).min(theme.space(WIDTH));
    modal(context, theme, "Copy link", WIDTH, |ui| {
        let fragment = match &dialog.fragment {
            Ok(fragment) => fragment.clone(),
            Err(problem) => {
                ui.colored_label(theme.error, problem);
                return !buttons(ui, theme, |ui| ui.button("Close").clicked());
            }
        };
        ui.label(
            "The link holds the experiment itself: scenario, view and step. It opens in a browser, or in this window where it is pasted.",
        );
        if !dialog.files.is_empty() {
            let files = dialog.files.join(", ");
            ui.colored_label(
                theme.warning,
                format!("These files are not in the link: {files}. Save the experiment, and send them with it."),
            );
        }
        ui.add_space(theme.space(2.0));
        let name = ui.label("Address of the page");
        let field = TextEdit::singleline(&mut ctx.prefs.address).desired_width(f32::INFINITY);
        // A page knows its own address.
        ui.add_enabled(address().is_none(), field.hint_text("https://example.org/sampler-lab/")).labelled_by(name.id);
        let page = ctx.prefs.address.trim();
        let link = format!("{}#{fragment}", page.split('#').next().unwrap_or(page));
        let known = fragment_of(&link).is_some();
        if known {
            show_code(ui, code(dialog, &link, context), code_side);
            ui.label(format!("{} characters", link.chars().count()));
        } else {
            ui.label("Where is the page? The address begins with http:// or https://.");
        }
        buttons(ui, theme, |ui| {
            let copied = ui.add_enabled_ui(known, |ui| main_button(ui, theme, "Copy link")).inner;
            let closed = ui.button("Cancel").clicked();
            if copied {
                context.copy_text(link);
                ctx.view.messages.news("Copied the link");
            }
            !(copied || closed)
        })
    })
}

/// The QR code of a link, made anew when the link is another.
fn code<'a>(dialog: &'a mut LinkDialog, link: &str, context: &Context) -> Option<&'a TextureHandle> {
    if dialog.code.as_ref().is_none_or(|(of, _)| of != link) {
        let texture =
            Qr::of(link).map(|code| context.load_texture("code of the link", picture(&code), TextureOptions::NEAREST));
        dialog.code = Some((link.to_owned(), texture));
    }
    dialog.code.as_ref().and_then(|(_, texture)| texture.as_ref())
}

/// A code as a picture with a pixel for each module: black on white in every theme, as cameras expect it.
fn picture(code: &Qr) -> ColorImage {
    let side = code.side() + 2 * QUIET;
    let module = |pixel: usize| pixel.checked_sub(QUIET);
    let colour = |index: usize| {
        let cell = module(index % side).zip(module(index / side));
        if cell.is_some_and(|(x, y)| code.is_dark(x, y)) { Color32::BLACK } else { Color32::WHITE }
    };
    ColorImage::new([side, side], (0..side * side).map(colour).collect())
}

/// The code in the middle, with whole pixels of the screen for each module.
fn show_code(ui: &mut Ui, code: Option<&TextureHandle>, most: f32) {
    let Some(texture) = code else {
        ui.weak("The link is too long for a QR code.");
        return;
    };
    let modules = texture.size_vec2().x;
    let pixel = 1.0 / ui.ctx().pixels_per_point();
    let side = modules * ((most / modules / pixel).floor() * pixel).max(pixel);
    ui.vertical_centered(|ui| {
        ui.add(Image::new((texture.id(), vec2(side, side))).alt_text("QR code of the link"));
    });
}
