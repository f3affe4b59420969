//! Export dialog: picture, format, size, colours and parts of a figure, and the figure itself, small.

use egui::{
    Align, Button, Color32, ComboBox, Context, DragValue, Image, Label, Layout, Rect, Response, RichText, ScrollArea,
    Sense, Stroke, StrokeKind, Ui, Vec2, pos2, vec2,
};

use super::figure;
use super::modal::{buttons, main_button, modal_of_fields};
use super::motion;
use super::warnings::{TOLD, warnings};
use crate::app::action::Action;
use crate::app::controls::labelled;
use crate::app::files::figures;
use crate::app::files::preview::{Preview, Wish};
use crate::app::state::Ctx;
use crate::platform::has_clipboard;
use draw::sheet::{
    CaptionForm, Dimensions, ExportOptions, Format, Group, Paper, Parts, Picture, Preset, RESOLUTIONS, SizeError,
    TEXTS, Unit,
};
use draw::theme::{STALE, Theme};
use draw::words::numbers;
use engine::scenario::Scenario;
use engine::scenario::figures::row_count;
use engine::session::Frame;

/// Widths of the options and of the preview, and the gap between them, in units of the theme; wider for a figure of panels.
const OPTIONS: f32 = 100.0;
const PREVIEW: f32 = 110.0;
const INSPECTOR: f32 = 112.0;
const LARGE_PREVIEW: f32 = 150.0;
const GAP: f32 = 6.0;

/// Heights of the previews, in units of the theme.
const HEIGHT: f32 = 84.0;
const LARGE_HEIGHT: f32 = 110.0;

/// Width that the window has beyond that of the dialog at least, in units of the theme.
const AROUND: f32 = 16.0;

/// Width of the bar beside options that are scrolled, in units of the theme.
const BAR: f32 = 3.0;

/// The largest share of the height of the window that the preview takes, and what the dialog has above and below its options, in units of the
/// theme.
const SHARE: f32 = 0.9;
const OTHER_ROWS: f32 = 52.0;

/// Shows the dialog; returns whether it stays open.
pub fn show(ctx: &mut Ctx<'_>, context: &Context, actions: &mut Vec<Action>) -> bool {
    let seen = figures::wish(ctx.model, ctx.view, ctx.prefs);
    let (theme, scenario, options) = (ctx.theme, ctx.model.scenario().clone(), &mut ctx.view.files.export);
    let (preview, frame) = (&mut ctx.view.files.preview, ctx.model.frame());
    let mut scales = figure::Scales {
        open: ctx.view.plots.tab,
        options: &mut ctx.view.plots.options,
        measure: &mut ctx.view.studies.convergence.choice.log,
    };
    let inspected = options.picture == Picture::Panels;
    let [left, right, height] =
        if inspected { [INSPECTOR, LARGE_PREVIEW, LARGE_HEIGHT] } else { [OPTIONS, PREVIEW, HEIGHT] };
    let room = context.content_rect().size();
    // In a narrow window the preview is as wide as there is space, down to half.
    let right = right.min((room.x / theme.unit - AROUND - left - GAP).max(0.5 * right));
    let whole = left + GAP + right;
    let beside = room.x >= theme.space(whole + AROUND);
    let width = if beside { whole } else { left };
    let wish = |options: &ExportOptions| Wish { options: options.clone(), ..seen.clone() };
    let mut caption = None;
    let open = modal_of_fields(context, theme, "Export a figure", width, |ui| {
        let mut state = Ok([0, 0]);
        let usual = ui.spacing().item_spacing;
        ui.horizontal_top(|ui| {
            ui.spacing_mut().item_spacing.x = theme.space(GAP);
            ui.vertical(|ui| {
                ui.spacing_mut().item_spacing = usual;
                ui.set_width(theme.space(left));
                // The height of a figure of panels is the same whatever is unfolded: nothing moves under the pointer.
                let most = (room.y - theme.space(OTHER_ROWS)).max(theme.space(20.0));
                let area = ScrollArea::vertical().max_height(most).auto_shrink([false, !inspected]);
                area.show(ui, |ui| {
                    // The bar at the right lies on no control.
                    ui.set_max_width(ui.available_width() - if inspected { theme.space(BAR) } else { 0.0 });
                    let before = options.clone();
                    rows(ui, theme, (&scenario, frame), options);
                    if inspected {
                        let resized = Dimensions { dpi: before.size.dpi, ..options.size } != before.size;
                        let options = (&mut *options, resized.then_some(before));
                        let shown = (&*scenario, &**frame, preview.told());
                        figure::show(ui, theme, shown, options, &mut scales, actions);
                    }
                });
                state = possible(options).figure().map(|figure| figure.pixels());
                result(ui, theme, options, &state);
            });
            if beside && let Ok(pixels) = state {
                ui.vertical(|ui| {
                    ui.spacing_mut().item_spacing = usual;
                    let high = theme.space(height).min(SHARE * room.y - theme.space(36.0 + TOLD));
                    let space = (vec2(theme.space(right), high), pixels);
                    let behind = preview.is_behind(&wish(options));
                    picture(ui, theme, (preview, &scenario, options), (space, behind), actions);
                });
            }
        });
        ui.weak("The file contains the scenario: drop the figure on the window to open it again.");
        let wrong = inspected && !figure::Inspected::of(ui, &scenario).wrong.is_empty();
        let told = if wrong { "What is red is not drawn. Mend it, then the figure can be exported." } else { "" };
        ui.label(RichText::new(told).font(theme.small()).color(theme.error));
        let of = (state.is_ok() && !wrong, inspected.then_some(&*scenario), &*options);
        choices(ui, theme, of, (&mut *actions, &mut caption))
    });
    let moment = (frame.generation, frame.time.tick);
    if open && beside && possible(options).figure().is_ok() && preview.is_due(&wish(options), moment) {
        let most = theme.space(right) * context.pixels_per_point();
        actions.push(Action::PreviewFigure(f64::from(most)));
    }
    if !open {
        preview.close();
    }
    if let Some(form) = caption {
        context.copy_text(figures::described(ctx.model, ctx.view, ctx.prefs).worded(form));
        let what = if form == CaptionForm::Alternative { "alternative text" } else { "caption" };
        ctx.view.messages.news(format!("The {what} is in the clipboard."));
    }
    open
}

/// The size of the figure, of whose pixels files of lines and text need no more than there can be.
fn possible(options: &ExportOptions) -> Dimensions {
    match options.format {
        format if format.is_vector() => options.size.with_possible_pixels(),
        format if format.moves() => options.size.moving(),
        _ => options.size,
    }
}

/// The buttons of the dialog; returns whether it stays open.
fn choices(
    ui: &mut Ui,
    theme: &Theme,
    (possible, inspected, options): (bool, Option<&Scenario>, &ExportOptions),
    (actions, caption): (&mut Vec<Action>, &mut Option<CaptionForm>),
) -> bool {
    buttons(ui, theme, |ui| {
        let (mut export, mut copy) = (false, false);
        ui.add_enabled_ui(possible, |ui| {
            export = main_button(ui, theme, "Export…");
            let (help, possible) = if options.format.is_source() {
                ("Copy the source as text into the clipboard", true)
            } else {
                ("Copy the figure as pixels into the clipboard", has_clipboard())
            };
            copy = ui
                .add_enabled(possible, Button::new("Copy"))
                .on_hover_text(help)
                .on_disabled_hover_text("Browsers let pages copy pictures only from https or from this computer")
                .clicked();
        });
        let forms = ui.menu_button("Copy in words", |ui| {
            ui.ctx().move_to_top(ui.layer_id());
            for (form, name) in CaptionForm::ALL {
                if ui.button(name).clicked() {
                    *caption = Some(form);
                    ui.close();
                }
            }
        });
        forms.response.on_hover_text(
            "A caption for a document, long or short, or the alternative text for those who do not see the figure",
        );
        // What is chosen of panels belongs to the scenario and stays.
        let cancel = ui.button(if inspected.is_some() { "Close" } else { "Cancel" }).clicked();
        if let Some(scenario) = inspected.filter(|_| export) {
            figure::Inspected::settle(ui, scenario, options, actions);
        }
        actions.extend(export.then_some(Action::ExportTo));
        actions.extend(copy.then_some(Action::CopyFigure));
        !(export || cancel)
    })
}

/// The figure as it will be, with what it tells below; notes of panels are dragged on it.
fn picture(
    ui: &mut Ui,
    theme: &Theme,
    (preview, scenario, options): (&Preview, &Scenario, &ExportOptions),
    (space, behind): ((Vec2, [u32; 2]), bool),
    actions: &mut Vec<Action>,
) {
    let (area, pixels) = space;
    let (picture, response) = shown(ui, theme, preview, space, behind);
    if let Some(picture) = picture.filter(|_| options.picture == Picture::Panels) {
        let layout = Vec2::from(pixels.map(|side| (f64::from(side) / possible(options).scale()) as f32));
        let of = (figure::placing::Shown { picture, layout }, &response);
        let inspected = figure::Inspected::of(ui, scenario).figure;
        if let Some(moved) = figure::placing::drag(ui, theme, (&inspected, preview.told()), of) {
            figure::Inspected::take(ui, scenario, (moved, options), actions);
        }
    }
    warnings(ui, theme, &preview.told().warnings, area.x);
}

/// The figure as it will be, in the space for the preview; returns where it is, if it is there.
fn shown(
    ui: &mut Ui,
    theme: &Theme,
    preview: &Preview,
    (area, pixels): (Vec2, [u32; 2]),
    behind: bool,
) -> (Option<Rect>, Response) {
    let (rect, response) = ui.allocate_exact_size(area, Sense::click_and_drag());
    let Some(texture) = preview.picture() else {
        let words = if preview.failed() { "This figure cannot be drawn." } else { "Drawing…" };
        let text = RichText::new(words).color(theme.faint);
        ui.put(rect, Label::new(text));
        return (None, response);
    };
    let [width, height] = pixels.map(|side| side as f32);
    let drawn = texture.size_vec2();
    // While another shape is being drawn, the last one stays as it was.
    let shape = if behind { drawn } else { vec2(width, height) };
    let size = shape * (area / shape).min_elem();
    let picture = Rect::from_center_size(rect.center(), size);
    checkerboard(ui, theme, picture);
    // A figure that is dragged or typed at stays as clear as it is.
    let same_shape = (drawn.x * height / (drawn.y * width) - 1.0).abs() < 0.02;
    let tint = if behind && !same_shape { STALE } else { 1.0 };
    Image::new((texture.id(), size)).tint(Color32::WHITE.gamma_multiply(tint)).paint_at(ui, picture);
    let edge = Stroke::new(theme.line(), theme.rule);
    ui.painter().rect_stroke(picture, 0.0, edge, StrokeKind::Outside);
    (Some(picture), response)
}

/// Squares behind what may be transparent.
fn checkerboard(ui: &Ui, theme: &Theme, picture: Rect) {
    let side = theme.space(3.0);
    let painter = ui.painter().with_clip_rect(picture);
    // Light squares in either theme: transparent figures have the colours for white paper.
    let light = Theme::default();
    painter.rect_filled(picture, 0.0, light.paper);
    let (mut top, mut even) = (picture.top(), true);
    while top < picture.bottom() {
        let mut left = if even { picture.left() } else { picture.left() + side };
        while left < picture.right() {
            painter.rect_filled(Rect::from_min_size(pos2(left, top), Vec2::splat(side)), 0.0, light.grid);
            left += 2.0 * side;
        }
        (top, even) = (top + side, !even);
    }
}

fn rows(ui: &mut Ui, theme: &Theme, (scenario, frame): (&Scenario, &Frame), options: &mut ExportOptions) {
    labelled(ui, "Picture", "The whole sheet, one canvas, the readout or one plot.", |ui| {
        ui.name_inputs("Picture", |ui| {
            combo(ui, theme, "picture", &options.picture.words(scenario)).show_ui(ui, |ui| {
                // Above the dialog, whichever was opened last.
                ui.ctx().move_to_top(ui.layer_id());
                let chosen = options.picture;
                let offered = |picture: &Picture| *picture == chosen || picture.applies(frame);
                for picture in Picture::all(scenario.runs.len()).filter(offered) {
                    if ui.selectable_label(options.picture == picture, picture.words(scenario)).clicked() {
                        options.choose(picture, scenario.view.figure.as_ref());
                        if let Some(look) = scenario.view.figure.as_ref().filter(|_| picture == Picture::Panels) {
                            options.follow(look);
                        }
                    }
                }
            })
        });
    });
    let help = "PNG is made of pixels, SVG and PDF of lines and text; GIF and APNG move. The others are source for documents and programs.";
    labelled(ui, "Format", help, |ui| {
        ui.vertical(|ui| {
            for line in Format::ALL.chunks(5) {
                ui.horizontal(|ui| {
                    for format in line {
                        ui.selectable_value(&mut options.format, *format, format.label()).on_hover_text(format.help());
                    }
                });
            }
        });
    });
    if options.format.moves() {
        motion::rows(ui, theme, (scenario, frame.time), &mut options.motion);
    }
    size_rows(ui, theme, scenario, options);
    labelled(ui, "Colours", "Light for print, dark for slides, transparent on paper of any light colour.", |ui| {
        for (paper, name) in Paper::ALL {
            ui.selectable_value(&mut options.paper, paper, name);
        }
    });
    labelled(ui, "Show", "What the figure says beside its plots.", |ui| {
        ui.vertical(|ui| {
            let is_sheet = options.picture == Picture::Sheet;
            let Parts { title, caption, legend, axis_labels, footer, readout } = &mut options.parts;
            for line in [
                &mut [(title, "Title", "The title of the scenario"), (caption, "Caption", "What to watch")][..],
                &mut [
                    (legend, "Legend", "Names and markers of runs, and legends"),
                    (axis_labels, "Names of axes", "Ticks stay"),
                ],
                &mut [(footer, "Methods, parameters and seed", "Below the figure, so that the run can be repeated")],
            ] {
                ui.horizontal(|ui| {
                    for (on, name, help) in line {
                        ui.checkbox(on, *name).on_hover_text(*help);
                    }
                });
            }
            if is_sheet {
                ui.checkbox(readout, "Readout").on_hover_text("The table of measures");
            }
        });
    });
}

fn size_rows(ui: &mut Ui, theme: &Theme, scenario: &Scenario, options: &mut ExportOptions) {
    let panels = options.picture == Picture::Panels;
    let rows = if panels { row_count(scenario.view.figure.as_ref()) } else { 1 };
    let size = &mut options.size;
    labelled(ui, "For", "Sizes for usual places; the rows below change them.", |ui| {
        ui.name_inputs("For", |ui| {
            let chosen = Preset::for_rows(rows).find(|preset| preset.size == *size).map(|preset| preset.label);
            // In another unit or resolution a place is the same.
            let chosen = chosen.or_else(|| size.venue(rows).map(|venue| venue.choice.label));
            combo(ui, theme, "preset", chosen.unwrap_or("Own size")).show_ui(ui, |ui| {
                ui.ctx().move_to_top(ui.layer_id());
                for group in Group::ALL {
                    ui.label(RichText::new(group.label()).font(theme.small()).color(theme.faint));
                    for preset in Preset::for_rows(rows).filter(|preset| preset.group == group) {
                        ui.selectable_value(size, preset.size, preset.label);
                    }
                }
            })
        });
    });
    labelled(ui, "Size", "Width and height.", |ui| {
        let (speed, decimals) = match size.unit {
            Unit::Pixels => (4.0, 0),
            Unit::Millimetres => (0.2, 2),
            Unit::Inches => (0.01, 3),
        };
        for (side, name) in size.sides.iter_mut().zip(["Width", "Height"]) {
            ui.name_inputs(name, |ui| {
                ui.add(DragValue::new(side).range(0.1..=20_000.0).speed(speed).max_decimals(decimals))
            })
            .on_hover_text(name);
        }
        ui.name_inputs("Unit", |ui| {
            let unit = ComboBox::from_id_salt("unit").width(theme.space(14.0)).selected_text(size.unit.symbol());
            unit.show_ui(ui, |ui| {
                ui.ctx().move_to_top(ui.layer_id());
                for unit in Unit::ALL {
                    if ui.selectable_label(size.unit == unit, unit.symbol()).clicked() {
                        *size = size.in_unit(unit);
                    }
                }
            })
        });
    });
    labelled(ui, "Resolution", "Pixels per inch of paper. SVG and PDF use it for densities only.", |ui| {
        ui.add(DragValue::new(&mut size.dpi).range(RESOLUTIONS).max_decimals(0).suffix(" dpi"));
    });
    labelled(ui, "Text", "Size of text in points of 1/72 inch. The smaller it is, the more room plots have.", |ui| {
        ui.add(DragValue::new(&mut size.text).range(TEXTS).speed(0.05).max_decimals(1).suffix(" pt"));
    });
}

/// What comes out, or why nothing can.
fn result(ui: &mut Ui, theme: &Theme, options: &ExportOptions, state: &Result<[u32; 2], SizeError>) {
    let (text, colour) = match state {
        Ok([width, height]) => {
            let inches = options.size.in_inches().sides;
            let [wide, high] = inches.map(|inches| numbers::exact((inches * 2540.0).round() / 100.0));
            let paper = format!("{wide} × {high} mm on paper");
            let fewer = options.format.moves() && options.size.moving() != options.size;
            let fewer = if fewer { " (fewer than for print: files of more are large)" } else { "" };
            let pixels = format!("{width} × {height} pixels{fewer}, {paper}");
            let text = if options.format.is_vector() { paper } else { pixels };
            (text, theme.soft)
        }
        Err(error) => (error.to_string(), theme.error),
    };
    ui.with_layout(Layout::top_down(Align::Min), |ui| ui.label(RichText::new(text).font(theme.small()).color(colour)));
}

fn combo<'a>(ui: &Ui, theme: &Theme, name: &str, text: &'a str) -> ComboBox<'a> {
    let width = theme.space(56.0).min(ui.available_width());
    // All entries are in sight.
    ComboBox::from_id_salt(name).width(width).height(theme.space(150.0)).selected_text(text)
}
