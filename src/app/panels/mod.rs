//! Panels of the window and their layout: menu, target and runs, canvases, plots, readout and lesson, transport.
//!
//! The canvases get what the panels leave: at least 40 % of a window of 1366 × 768 points with every panel open, 49 % of
//! one of 1920 × 1080, and 70 % with panels folded, 67 % while presenting. A plot has at least 140 points, or is folded away, and a
//! lesson shows its whole text: what has no space scrolls, and a button says so. `tests/it/layout.rs` holds the panels to that.

mod answer;
mod bottom;
mod canvas_tools;
mod canvases;
mod challenge;
mod chips;
mod entries;
mod formula;
mod formula_below;
mod formula_form;
mod hand_out;
mod lesson;
mod menu;
mod messages;
mod mixture;
mod neighbours;
mod opening;
mod painting;
pub mod pen;
mod present;
mod readout;
mod right;
mod runs;
mod seed;
pub mod start_page;
mod strips;
mod tabs;
mod target;
mod transport;
mod widgets;

use egui::{Align, CentralPanel, Color32, Id, Layout, Panel, Rect, Ui, UiBuilder, vec2};

use super::action::Action;
use super::state::Ctx;
use super::view::folding::Side;
use draw::kit::gestures::Gesture;
use draw::kit::named::part;
use draw::theme::Scale;
use draw::views::{applying, instead_of_canvases};
use widgets::scrolling;

/// First sizes of the panels in windows of a class, in units of the theme. A size that a person drags is kept for each class.
#[derive(Clone, Copy, Debug)]
struct Sizes {
    /// The windows of this class have less than this width or height, in points.
    below: f32,
    /// First size of the panel.
    first: f32,
}

/// First widths of target and runs.
const LEFT: [Sizes; 3] = [
    Sizes { below: 1600.0, first: 58.0 },
    Sizes { below: 2200.0, first: 66.0 },
    Sizes { below: f32::INFINITY, first: 82.0 },
];

/// First widths of readout and lesson.
const RIGHT: [Sizes; 3] = [
    Sizes { below: 1600.0, first: 57.0 },
    Sizes { below: 2200.0, first: 64.0 },
    Sizes { below: f32::INFINITY, first: 82.0 },
];

/// First heights of the plots.
const BOTTOM: [Sizes; 4] = [
    Sizes { below: 820.0, first: 52.0 },
    Sizes { below: 1000.0, first: 53.0 },
    Sizes { below: 1300.0, first: 57.0 },
    Sizes { below: f32::INFINITY, first: 76.0 },
];

/// How high the plots are at first while presenting, as a share: they are shown on demand, to people far away.
const WHILE_PRESENTING: f32 = 1.05;

/// Smallest width of a panel at the side, in units of the theme, and smallest height of a plot, in points.
const NARROWEST: f32 = 44.0;
const LOWEST: f32 = 140.0;

/// Margin of the plots at the left and right, and above and below, in units of the theme.
const AROUND_PLOTS: [f32; 2] = [2.0, 1.0];

/// The largest share of the window that a panel at the side may take, of a narrow window, where the other one is folded, and that a panel at the
/// bottom may take.
const SIDE_SHARE: f32 = 0.3;
const ALONE_SHARE: f32 = 0.42;
const BOTTOM_SHARE: f32 = 0.5;

/// Sizes that differ by no more are the same, in points: rectangles are rounded to pixels.
const SAME_SIZE: f32 = 1.5;

/// The share of the middle that canvases have beside a step, while presenting.
const BESIDE_STEP: f32 = 0.58;

/// Space between the canvases and a plot beside them, in units of the theme.
const GAP: f32 = 2.5;

/// What can be done with panels.
pub const GESTURES: [Gesture; 4] = [
    Gesture::at("Panels", "Drag an edge", "Make the panel larger or smaller"),
    Gesture::at("Panels", "Click a strip", "Unfold the panel"),
    Gesture::at("A formula", "Enter", "Use the formula as the target"),
    Gesture::at("A formula", "Shift + Enter", "Begin a new line"),
];

/// Asks for one more frame if the head has another height than in the frame before: a panel gets its space before its contents are
/// known.
fn repaint_if_resized(ui: &Ui, height: f32) {
    let id = Id::unique("height of the head");
    if ui.data(|data| data.get_temp(id)) != Some(height) {
        ui.data_mut(|data| data.insert_temp(id, height));
        ui.ctx().request_repaint();
    }
}

/// The rectangles of what shows the runs.
#[derive(Debug)]
pub struct Areas {
    middle: Rect,
    right: Option<Rect>,
    bottom: Option<Rect>,
    transport: Option<Rect>,
    /// Whether a plot is beside the canvases.
    beside: bool,
    /// Where the pointer was on a path.
    pointed: Option<f64>,
}

/// Draws what is under a dialog, if one is open, as if there were no pointer: what was told where it rests is told no longer.
fn under_dialog<R>(ctx: &mut Ctx<'_>, ui: &mut Ui, draw: impl FnOnce(&mut Ctx<'_>, &mut Ui) -> R) -> R {
    if ctx.view.forms.dialog.is_none() {
        return draw(ctx, ui);
    }
    let pointer = ui.input_mut(|input| std::mem::take(&mut input.pointer));
    let drawn = draw(ctx, ui);
    ui.input_mut(|input| input.pointer = pointer);
    drawn
}

/// Lays out the window, on paper if it is `cleared` already, and shows what changes the runs; [`results`] shows the rest. The start
/// page has none.
pub fn controls(ctx: &mut Ctx<'_>, ui: &mut Ui, cleared: bool, actions: &mut Vec<Action>) -> Option<Areas> {
    under_dialog(ctx, ui, |ctx, ui| lay_out(ctx, ui, cleared, actions))
}

fn lay_out(ctx: &mut Ctx<'_>, ui: &mut Ui, cleared: bool, actions: &mut Vec<Action>) -> Option<Areas> {
    let theme = ctx.theme;
    let start_page = ctx.view.window.start_page;
    let presents = theme.scale == Scale::Present && !start_page;
    let frame = |margin: [f32; 2]| {
        let [x, y] = margin.map(|units| theme.space(units));
        egui::Frame::new().fill(theme.panel).inner_margin(egui::vec2(x, y))
    };
    if presents {
        let head = Panel::top("presented").frame(frame([3.0, 1.0])).show(ui, |ui| present::show(ctx, ui, actions));
        repaint_if_resized(ui, head.response.rect.height());
    } else if ctx.offers("menu") || start_page {
        Panel::top("menu").frame(frame([1.0, 0.5])).show(ui, |ui| menu::show(ctx, ui, actions));
    } else {
        Panel::top("hand-out").frame(frame([1.5, 0.5])).show(ui, |ui| hand_out::show(ctx, ui, actions));
    }
    let transport = (ctx.offers("transport") && !start_page).then(|| {
        let panel = Panel::bottom("transport").frame(frame([2.0, 1.0]));
        panel.show(ui, |ui| ui.allocate_space(vec2(ui.available_width(), transport::height(ui, theme))).1).inner
    });
    messages::show(ctx, ui, actions);
    if !presents && !start_page {
        right::in_narrow(ctx, ui, frame([1.5, 0.5]));
    }
    if start_page {
        start_page::show(ctx, ui, actions);
        return None;
    }
    let margins = |side| frame(if side == Side::Bottom { AROUND_PLOTS } else { [1.5, 1.5] });
    let beside = ctx.shows_beside(ui.ctx());
    let mut areas = [None; 3];
    for (area, side) in areas.iter_mut().zip(Side::ALL) {
        if !ctx.offers_side(side) {
            continue;
        }
        if !ctx.folded(side, ui.ctx()) {
            let mut sized = None;
            let panel = if side == Side::Bottom && beside {
                // Its plot is in the middle.
                Panel::bottom("tabs").resizable(false).exact_size(tabs::height(ui) + theme.space(2.0 * AROUND_PLOTS[1]))
            } else {
                let frame = ctx.model.frame();
                let height = match side {
                    Side::Bottom => {
                        let of_tab = ctx.plots.tab(applying(ctx.view.plots.tab, frame)).height(frame);
                        frame.target.family().tabs.higher.unwrap_or(of_tab)
                    }
                    Side::Left | Side::Right => 1.0,
                };
                let (panel, key) = panel(ui, ctx, side, height);
                sized = Some(key);
                panel
            };
            let shown = panel.frame(margins(side)).show(ui, whole_area);
            if ui.input(|input| input.pointer.any_down() || input.pointer.any_released()) {
                note_size(ctx, sized, side, shown.response.rect);
            }
            *area = Some(shown.inner);
        } else if !presents {
            strips::show(ctx, ui, side);
        }
    }
    // Without a graphics card every pixel that is painted twice counts.
    let fill_of_paper = if cleared { Color32::TRANSPARENT } else { theme.paper };
    let paper = egui::Frame::new().fill(fill_of_paper).inner_margin(theme.space(1.0));
    let middle = CentralPanel::default().frame(paper).show(ui, whole_area).inner;
    // Panels get their rectangles from the edges inwards, and their contents in the order in which Tab goes through them.
    let [left, right, bottom] = areas;
    let pointed = ctx.view.plots.path.pointed;
    ctx.view.shown.pointing.begin();
    fill(ui, ("left", left), |ui| contents(ctx, ui, Side::Left, actions));
    Some(Areas { middle, right, bottom, transport, beside, pointed })
}

/// Shows the runs in their rectangles; while a scenario is being opened, its words alone.
pub fn results(ctx: &mut Ctx<'_>, ui: &mut Ui, areas: &Areas, actions: &mut Vec<Action>) {
    under_dialog(ctx, ui, |ctx, ui| show_results(ctx, ui, areas, actions));
}

fn show_results(ctx: &mut Ctx<'_>, ui: &mut Ui, areas: &Areas, actions: &mut Vec<Action>) {
    let Areas { middle, right, bottom, transport, beside, pointed } = *areas;
    let theme = ctx.theme;
    if ctx.model.opening().is_some() {
        fill(ui, ("canvases", Some(middle)), |ui| opening::show(ctx, ui));
        fill(ui, ("right", right), |ui| contents(ctx, ui, Side::Right, actions));
        fill(ui, ("transport", transport), |ui| transport::show(ctx, ui, actions));
        return;
    }
    // What stands in the place of the canvases is the plot of its tab as well: it has the whole middle.
    let halved = beside && instead_of_canvases(ctx.model.frame()).is_none();
    let share = if ctx.presents_step(ui.ctx()) { BESIDE_STEP } else { 0.5 };
    let (middle, plot) = if halved { parts(middle, share, theme.space(GAP)) } else { (middle, None) };
    fill(ui, ("canvases", Some(middle)), |ui| {
        // The paper is there.
        ui.visuals_mut().extreme_bg_color = Color32::TRANSPARENT;
        if !beside || !bottom::weights(ctx, ui, actions) {
            canvases::show(ctx, ui, actions);
        }
    });
    fill(ui, ("beside", plot), |ui| bottom::plot(ctx, ui, actions));
    fill(ui, ("bottom", bottom), |ui| contents(ctx, ui, Side::Bottom, actions));
    fill(ui, ("right", right), |ui| contents(ctx, ui, Side::Right, actions));
    fill(ui, ("transport", transport), |ui| transport::show(ctx, ui, actions));
    let moved = pointed.map(f64::to_bits) != ctx.view.plots.path.pointed.map(f64::to_bits);
    if moved || ctx.view.shown.pointing.changed() {
        // The canvases come before the plot that the pointer is on.
        ui.ctx().request_repaint();
    }
}

/// The area of the canvases, with this share, and that of a plot beside them, or below in a tall area.
fn parts(area: Rect, share: f32, gap: f32) -> (Rect, Option<Rect>) {
    if area.width() > area.height() {
        let (first, second) = area.split_left_right_at_fraction(share);
        (first.with_max_x(first.max.x - 0.5 * gap), Some(second.with_min_x(second.min.x + 0.5 * gap)))
    } else {
        let (first, second) = area.split_top_bottom_at_fraction(share);
        (first.with_max_y(first.max.y - 0.5 * gap), Some(second.with_min_y(second.min.y + 0.5 * gap)))
    }
}

/// Takes the whole area in a panel. Contents that are too large must not enlarge the panel at the cost of the canvases.
fn whole_area(ui: &mut Ui) -> Rect {
    let area = ui.available_rect_before_wrap();
    ui.expand_to_include_rect(area);
    area
}

/// Shows the contents of a panel in their place.
fn fill(ui: &mut Ui, (name, area): (&str, Option<Rect>), contents: impl FnOnce(&mut Ui)) {
    let Some(area) = area else { return };
    let mut inner = ui.new_child(UiBuilder::new().id_salt(name).max_rect(area).layout(Layout::top_down(Align::Min)));
    // Scroll bars and frames reach into the margin of the panel.
    inner.shrink_clip_rect(area.expand(ui.spacing().item_spacing.y));
    contents(&mut inner);
}

/// The panel of a side with its range of sizes, and the name under which its size is kept, with the size at first. It is `higher`
/// times as large at first as it usually is. While presenting, and in windows of another class, it remembers another size.
fn panel(ui: &Ui, ctx: &Ctx<'_>, side: Side, higher: f32) -> (Panel, (String, f32)) {
    let theme = ctx.theme;
    let window = ui.ctx().content_rect().size();
    let side_share = if ctx.is_narrow(ui.ctx()) { ALONE_SHARE } else { SIDE_SHARE };
    let (classes, length, smallest, share): (&[Sizes], _, _, _) = match side {
        Side::Left => (&LEFT, window.x, NARROWEST, side_share),
        Side::Right => (&RIGHT, window.x, NARROWEST, side_share),
        Side::Bottom => (&BOTTOM, window.y, LOWEST / theme.unit, BOTTOM_SHARE),
    };
    // Tabs in several lines take nothing from the plot.
    let tabs = tabs::height(ui) + theme.space(2.0 * AROUND_PLOTS[1] + bottom::GAP);
    let smallest = theme.space(smallest) + if side == Side::Bottom { tabs } else { 0.0 };
    let class = classes.iter().position(|class| length < class.below).unwrap_or(0);
    let presents = theme.scale == Scale::Present;
    let id = (side.name(), class, presents, higher.to_bits());
    let panel = match side {
        Side::Left => Panel::left(id),
        Side::Right => Panel::right(id),
        Side::Bottom => Panel::bottom(id),
    };
    let largest = share * length;
    let range = smallest.min(largest)..=largest;
    let key = format!("{} {class} {presents} {higher}", side.name());
    let share = if presents && side == Side::Bottom { WHILE_PRESENTING } else { 1.0 };
    let first = theme.space(classes[class].first * higher * share).clamp(*range.start(), largest);
    let kept = ctx.prefs.panels.get(&key).copied().filter(|size| range.contains(size));
    let panel = panel.resizable(true).default_size(kept.unwrap_or(first)).size_range(range);
    (panel, (key, first))
}

/// Keeps the size of a panel that a person has dragged.
fn note_size(ctx: &mut Ctx<'_>, sized: Option<(String, f32)>, side: Side, rect: Rect) {
    let Some((key, first)) = sized else { return };
    let size = if side == Side::Bottom { rect.height() } else { rect.width() };
    let kept = ctx.prefs.panels.get(&key).copied();
    if (size - kept.unwrap_or(first)).abs() > SAME_SIZE {
        ctx.prefs.panels.insert(key, size);
    }
}

fn contents(ctx: &mut Ctx<'_>, ui: &mut Ui, side: Side, actions: &mut Vec<Action>) {
    let theme = ctx.theme;
    match side {
        Side::Left => {
            scrolling(ui, (side.name(), ctx.view.window.loads), None, |ui| {
                part(ui, "target", |ui| target::show(ctx, ui, actions));
                ui.add_space(theme.space(3.0));
                part(ui, "runs", |ui| runs::show(ctx, ui, actions));
            });
        }
        Side::Right => right::show(ctx, ui, actions),
        Side::Bottom => bottom::show(ctx, ui, actions),
    }
}
