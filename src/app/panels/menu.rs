//! Menu bar: the way to the start page, menus, and the tools of the canvases on the left; seed, Present and Export on the right.
//! On the start page there is nothing that needs an experiment. Where the window is too narrow, the last menu has what has no space.

use egui::containers::menu::{MenuButton, MenuConfig};
use egui::{Align, Button, Layout, MenuBar, PopupCloseBehavior, RichText, ScrollArea, TextStyle, Ui, WidgetText};

use super::start_page;
use crate::app::action::Action;
use crate::app::commands::{Command, FILE_MENUS, Group, of, spec, tip};
use crate::app::state::Ctx;
use engine::scenario::LESSONS;

use super::canvas_tools;
use super::entries::{entries, entry};
use super::seed;

/// Width of the menus, in units of the theme.
const WIDTH: f32 = 44.0;

/// Width of a separator, in points.
const SEPARATOR: f32 = 6.0;

/// Width of the captions in the tooltips of the Lesson menu, in units of the theme.
const LESSON_WIDTH: f32 = 90.0;

/// Space left above and below the Lesson menu, in units of the theme.
const LESSON_MARGIN: f32 = 20.0;

/// Width of the menu of recent files, in units of the theme.
const RECENT_WIDTH: f32 = 80.0;

/// The menu of what has no space, and that of the runs, which goes into it in the narrowest windows.
const MORE: &str = "More ▾";
const RUN: &str = "Run";

/// What there is space for beside the menus.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Beside {
    /// The tools of the canvases, and the controls on the right.
    All,
    /// The tools.
    Tools,
    /// Neither.
    Nothing,
}

impl Beside {
    /// What there is space for after the menus.
    fn of(ctx: &Ctx<'_>, ui: &Ui) -> Self {
        let spacing = ui.spacing();
        let separator = SEPARATOR + spacing.item_spacing.x;
        let seed = spacing.interact_size.x.max(widths(ui, &[&ctx.model.scenario().seed.to_string()]));
        let tools = separator + widths(ui, &canvas_tools::names(ctx));
        let right = separator + seed + spacing.item_spacing.x + widths(ui, &["Export…", "Present", "⟳ New", "Seed"]);
        let available = ui.available_width();
        if tools + right <= available {
            Self::All
        } else if tools + widths(ui, &[MORE]) <= available {
            Self::Tools
        } else {
            Self::Nothing
        }
    }
}

/// The width of buttons with these texts beside each other.
fn widths(ui: &Ui, texts: &[&str]) -> f32 {
    let spacing = ui.spacing();
    let width = |text: &&str| {
        let text = WidgetText::from(*text).into_galley(ui, None, f32::INFINITY, TextStyle::Button);
        text.size().x + 2.0 * spacing.button_padding.x + spacing.item_spacing.x
    };
    texts.iter().map(width).sum()
}

/// Shows the menu bar.
pub fn show(ctx: &mut Ctx<'_>, ui: &mut Ui, actions: &mut Vec<Action>) {
    MenuBar::new().ui(ui, |ui| {
        let home = ui.add_enabled(!ctx.view.window.start_page, Button::new("Home"));
        let help = tip(Command::StartPage);
        if home.on_hover_text(&help).on_disabled_hover_text(help).clicked() {
            spec(Command::StartPage).run(ctx, &ui.ctx().clone(), actions);
        }
        ui.menu_button("File", |ui| file(ctx, ui, actions));
        menu(ctx, ui, "Edit", &[Group::Edit], actions);
        let runs =
            ctx.view.window.start_page || widths(ui, &[RUN, "Lesson", "View", "Help", MORE]) <= ui.available_width();
        if runs {
            menu(ctx, ui, RUN, &[Group::Run], actions);
        }
        ui.menu_button("Lesson", |ui| lessons(ctx, ui, actions));
        menu(ctx, ui, "View", &[Group::Colours, Group::Panels, Group::View], actions);
        menu(ctx, ui, "Help", &[Group::Help], actions);
        if ctx.view.window.start_page {
            return;
        }
        let beside = Beside::of(ctx, ui);
        if beside != Beside::Nothing {
            ui.separator();
            canvas_tools::show(ctx, ui, actions);
        }
        if beside == Beside::All {
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| right(ctx, ui, actions));
        } else {
            // A number can be typed in it.
            let config = MenuConfig::new().close_behavior(PopupCloseBehavior::CloseOnClickOutside);
            MenuButton::new(MORE).config(config).ui(ui, |ui| more(ctx, ui, (runs, beside), actions));
        }
    });
}

/// What has no space in the bar; `runs` says whether the menu of the runs has.
fn more(ctx: &mut Ctx<'_>, ui: &mut Ui, (runs, beside): (bool, Beside), actions: &mut Vec<Action>) {
    let mut chosen = false;
    if !runs {
        chosen |= ui.menu_button(RUN, |ui| entries(ctx, ui, &[Group::Run], actions)).inner == Some(true);
    }
    if beside == Beside::Nothing {
        canvas_tools::show_within(ctx, ui, actions);
        ui.separator();
    }
    for command in [Command::Present, Command::Export, Command::NewSeed] {
        chosen |= entry(ctx, ui, spec(command), actions);
    }
    if !ctx.locks("seed") {
        ui.horizontal(|ui| {
            ui.label("Seed");
            seed::field(ctx, ui, actions);
        });
    }
    if chosen {
        ui.close();
    }
}

/// A menu with all commands of some groups.
fn menu(ctx: &mut Ctx<'_>, ui: &mut Ui, text: &str, groups: &[Group], actions: &mut Vec<Action>) {
    ui.menu_button(text, |ui| {
        ui.set_min_width(ctx.theme.space(WIDTH));
        entries(ctx, ui, groups, actions);
    });
}

fn file(ctx: &mut Ctx<'_>, ui: &mut Ui, actions: &mut Vec<Action>) {
    ui.set_min_width(ctx.theme.space(WIDTH));
    for command in of(Group::File) {
        match FILE_MENUS.iter().find(|(_, commands)| commands.contains(&command.command)) {
            None => _ = entry(ctx, ui, command, actions),
            Some((name, commands)) if commands.first() == Some(&command.command) => {
                ui.menu_button(*name, |ui| {
                    ui.set_min_width(ctx.theme.space(WIDTH));
                    for command in *commands {
                        entry(ctx, ui, spec(*command), actions);
                    }
                });
            }
            Some(_) => {}
        }
        if command.command == Command::Open {
            ui.menu_button("Open recent", |ui| recent(ctx, ui, actions));
        }
    }
}

/// The files that were opened or saved last, and what was changed and not saved.
fn recent(ctx: &Ctx<'_>, ui: &mut Ui, actions: &mut Vec<Action>) {
    ui.set_width(ctx.theme.space(RECENT_WIDTH));
    start_page::recent_files(ctx, ui, actions);
    if ctx.prefs.recent.is_empty() {
        ui.weak("No recent files");
    }
    ui.separator();
    ui.label(RichText::new("Unsaved work").font(ctx.theme.small()).color(ctx.theme.soft));
    start_page::unsaved_work(ctx, ui, actions);
    if ctx.unsaved.all().is_empty() {
        ui.weak("None: what you change and leave without saving is kept here");
    }
}

/// The titles of all lessons under the parts of a workshop, with what to watch as tooltips.
fn lessons(ctx: &Ctx<'_>, ui: &mut Ui, actions: &mut Vec<Action>) {
    let height = ui.ctx().content_rect().height() - ctx.theme.space(LESSON_MARGIN);
    ScrollArea::vertical().max_height(height).min_scrolled_height(height).show(ui, |ui| {
        // Closer than in other menus, so that all lessons fit on a small screen.
        ui.spacing_mut().item_spacing.y = 0.0;
        ui.spacing_mut().interact_size.y *= 0.75;
        let mut group = "";
        for (index, lesson) in LESSONS.iter().enumerate() {
            if lesson.group != group {
                group = lesson.group;
                ui.label(RichText::new(group).font(ctx.theme.small()).color(ctx.theme.soft));
            }
            let (title, caption) = lesson.words();
            let current = ctx.model.lesson().is_some_and(|(number, _)| number == index);
            let response = ui.add(Button::selectable(current, title)).on_hover_ui(|ui| {
                ui.set_max_width(ctx.theme.space(LESSON_WIDTH));
                ui.label(caption.watch);
                ui.weak(lesson.effort());
            });
            if response.clicked() {
                actions.push(Action::Lesson(index));
            }
        }
    });
}

/// The controls on the right, from the right edge inwards.
fn right(ctx: &mut Ctx<'_>, ui: &mut Ui, actions: &mut Vec<Action>) {
    for (text, command) in [("Export…", Command::Export), ("Present", Command::Present)] {
        if ui.button(text).on_hover_text(tip(command)).clicked() {
            spec(command).run(ctx, &ui.ctx().clone(), actions);
        }
    }
    if !ctx.locks("seed") {
        ui.separator();
        seed::show(ctx, ui, actions);
    }
}
