//! Handles on the curves of step sizes.
//!
//! What a handle changes is data ([`samplers::schedules::HandleSpec`]). Here are its position on the screen, pointer and keys.

use egui::{
    Align2, Button, Color32, CursorIcon, EventFilter, Key, Modifiers, PointerButton, Pos2, Rect, Response, Sense,
    Stroke, Vec2, WidgetInfo, accesskit, pos2, vec2,
};

use super::course::{ScheduleEdit, course, edit, is_free, symbol};
use super::curve::ScheduleCache;
use super::editor::Editor;
use super::preview;
use crate::kit::gestures::Gesture;
use crate::kit::overlay_label::OverlayLabel;
use crate::words::numbers;
use base::params::Value;
use samplers::schedules::{self, ALPHA, Course, Handle, Moves, Spot};

/// What can be done with the handles.
pub(crate) const GESTURES: [Gesture; 6] = [
    Gesture::at("Schedule", "Drag a handle", "Change the step sizes of the run"),
    Gesture::at("Schedule", "Arrow keys on a handle", "Change it a little; with Shift ten times as much"),
    Gesture::at("Schedule", "Double-click the curve", "Add a knot to custom step sizes"),
    Gesture::at("Schedule", "Delete, or right-click on a knot", "Remove the knot"),
    Gesture::at("Schedule", "Point near a curve", "Its handles become the ones in use"),
    Gesture::at("Schedule, Draw", "Drag", "Draw step sizes by hand"),
];

/// Side of the area of a handle that takes the pointer, in units of the theme.
const AREA: f32 = 4.5;

/// Distance from the curve up to which a double click adds a knot, in units of the theme.
const NEAR: f32 = 4.0;

/// How much nearer to the pointer another curve has to be for its handles to be the ones in use, in units of the theme.
const KEPT: f32 = 1.0;

/// Opacity of the handles of other runs than the one in use.
const FAINT: f32 = 0.45;

/// Small steps of a handle with Shift.
const LEAP: f64 = 10.0;

/// What the handles keep from one frame to the next.
#[derive(Debug, Default)]
pub struct HandleState {
    /// The run whose handles are in use.
    active: Option<usize>,
    /// The run that was changed last, or chosen for what is said of one run.
    pub(super) chosen: Option<usize>,
    /// The stroke under way, as points (step, α).
    pub(super) stroke: Vec<[f64; 2]>,
    /// The largest step size when the present drag began: the axis stays as it is while a handle is dragged.
    held: Option<f64>,
}

impl HandleState {
    /// The largest step size that the axis is made for, where `largest` is the present one.
    pub(super) fn largest(&self, largest: f64) -> f64 {
        self.held.unwrap_or(largest)
    }

    /// The run whose handles are in use, among the runs shown.
    pub(super) fn active(&self, runs: &[usize]) -> Option<usize> {
        self.active.filter(|run| runs.contains(run)).or_else(|| runs.first().copied())
    }

    /// The run of which more is said, among the runs shown: a pointer that passes another curve does not change it.
    pub(super) fn chosen(&self, runs: &[usize]) -> Option<usize> {
        self.chosen.filter(|run| runs.contains(run)).or_else(|| self.active(runs))
    }
}

/// A handle on the screen.
struct PlacedHandle<'a> {
    run: usize,
    course: &'a Course,
    handle: Handle,
    at: Pos2,
}

/// A handle and its schedule at the start of a drag, with the distance of the pointer from it.
#[derive(Clone)]
struct Begun {
    course: Course,
    handle: Handle,
    offset: Vec2,
}

impl Editor<'_> {
    /// Paints the handles of `runs`, and returns the edit that a person made.
    pub fn handles(&self, runs: &[usize], cache: &ScheduleCache, state: &mut HandleState) -> Option<ScheduleEdit> {
        let courses: Vec<(usize, Course)> =
            runs.iter().filter_map(|&run| Some((run, course(self.input.frame, self.scenario, run)?))).collect();
        self.follow_pointer(runs, cache, state);
        let active = state.active(runs);
        let mut placed: Vec<PlacedHandle<'_>> =
            courses.iter().flat_map(|(run, course)| self.placed(*run, course)).collect();
        // The handles in use come last: the pointer finds them above the others. For Tab the order stays as it is.
        if self.pointer().is_some() {
            placed.sort_by_key(|handle| Some(handle.run) == active);
        }
        runs.iter().for_each(|&run| preview::paint(self, run));
        let (mut edit, mut dragged) = (None, false);
        for handle in &placed {
            let (response, wanted) = self.handle(handle, Some(handle.run) == active);
            dragged |= response.dragged();
            if response.has_focus() || response.dragged() {
                (state.active, state.chosen) = (Some(handle.run), Some(handle.run));
            }
            edit = edit.or(wanted);
        }
        state.held = if dragged { Some(state.largest(self.scale.largest)) } else { None };
        let doubled = if self.plot.double_clicked() { self.plot.interact_pointer_pos() } else { None };
        edit.or_else(|| self.added(courses.iter().find(|(run, _)| Some(*run) == active)?, doubled?, cache))
    }

    /// Where the pointer is on the plot; an open menu above the plot covers it.
    fn pointer(&self) -> Option<Pos2> {
        self.ui.input(|input| input.pointer.hover_pos()).filter(|_| self.plot.contains_pointer())
    }

    /// The run whose curve is nearest to the pointer is the one in use.
    fn follow_pointer(&self, runs: &[usize], cache: &ScheduleCache, state: &mut HandleState) {
        let Some(at) = self.pointer() else { return };
        if self.ui.input(|input| input.pointer.any_down()) {
            return;
        }
        // Where curves lie on one another, the handles stay those of the run that has them.
        let has = state.active(runs);
        let distances = runs.iter().map(|&run| {
            let kept = if has == Some(run) { self.theme.space(KEPT) } else { 0.0 };
            (run, self.distance(run, at, cache) - kept)
        });
        if let Some((run, _)) = distances.filter(|(_, far)| far.is_finite()).min_by(|a, b| a.1.total_cmp(&b.1)) {
            state.active = Some(run);
        }
    }

    /// Distance of a position on the screen from the curve of a run.
    fn distance(&self, run: usize, at: Pos2, cache: &ScheduleCache) -> f32 {
        let reach = self.theme.space(NEAR);
        let along = self.input.along(run);
        let step = |x: f32| along.step(self.transform.value_from_position(pos2(x, at.y)).x);
        let (low, high) = (step(at.x - reach), step(at.x + reach));
        let points = cache.points(run);
        let from = points.partition_point(|point| point[0] < low).saturating_sub(1);
        let until = (points.partition_point(|point| point[0] <= high) + 1).min(points.len());
        let screen: Vec<Pos2> =
            points[from..until].iter().map(|&[step, alpha]| self.screen(run, Spot { step, alpha })).collect();
        screen.windows(2).map(|pair| to_line(at, pair[0], pair[1])).fold(f32::INFINITY, f32::min)
    }

    /// The handles of a run that are within the plot, but of what the file locks. Handles that would cover each other are moved apart.
    fn placed<'c>(&self, run: usize, course: &'c Course) -> Vec<PlacedHandle<'c>> {
        let area = self.plot.rect.expand(self.theme.space(2.0));
        let mut placed: Vec<PlacedHandle<'c>> = Vec::new();
        for handle in course.handles() {
            if !is_free(self.scenario, run, Some(handle.spec.key)) {
                continue;
            }
            let mut at = self.screen(run, handle.spot);
            let near = |at: Pos2, other: &PlacedHandle<'_>| other.at.distance(at) < self.theme.space(AREA);
            while handle.spec.moves != Moves::Both && placed.iter().any(|other| near(at, other)) {
                at.x += self.theme.space(1.0);
            }
            if area.contains(at) {
                placed.push(PlacedHandle { run, course, handle, at: self.plot.rect.clamp(at) });
            }
        }
        placed
    }

    /// One handle: its response and the edit that it asks for.
    fn handle(&self, placed: &PlacedHandle<'_>, active: bool) -> (Response, Option<ScheduleEdit>) {
        let PlacedHandle { run, course, handle, at } = placed;
        let id = self.plot.id.with(("handle", run, handle.spec.key, handle.index));
        let area = Rect::from_center_size(*at, Vec2::splat(self.theme.space(AREA)));
        let response = self.ui.interact(area, id, Sense::click_and_drag());
        let response = response.on_hover_cursor(cursor(handle.spec.moves));
        let words = self.words(*run, course, handle);
        let name = self.name(*run, course, handle);
        response.widget_info(|| WidgetInfo::slider(true, handle.number(course), &name));
        self.ui.ctx().accesskit_node_builder(response.id, |node| {
            node.add_action(accesskit::Action::Increment);
            node.add_action(accesskit::Action::Decrement);
        });
        let edit = self.dragged(placed, &response).or_else(|| self.pressed(placed, &response));
        let edit = edit.or_else(|| self.assisted(placed, &response));
        let edit = edit.or_else(|| self.removed(placed, &response));
        self.paint(*at, *run, active, &response);
        if response.hovered() || response.dragged() || response.has_focus() {
            self.label(&words, *at);
        }
        let response = if response.dragged() { response } else { response.on_hover_text(help(&name, handle)) };
        (response, edit)
    }

    /// The edit of a drag. It counts from the schedule before the drag, so that handles do not change their roles on the way.
    fn dragged(&self, placed: &PlacedHandle<'_>, response: &Response) -> Option<ScheduleEdit> {
        let store = response.id.with("begun");
        if !response.dragged_by(PointerButton::Primary) {
            return None;
        }
        let pointer = response.interact_pointer_pos()?;
        if response.drag_started() {
            let pressed = self.ui.input(|input| input.pointer.press_origin()).unwrap_or(pointer);
            let offset = pressed - self.screen(placed.run, placed.handle.spot);
            let begun = Begun { course: placed.course.clone(), handle: placed.handle, offset };
            self.ui.data_mut(|data| data.insert_temp(store, begun));
        }
        let begun: Begun = self.ui.data(|data| data.get_temp(store))?;
        let mut to = self.spot(placed.run, pointer - begun.offset);
        match begun.handle.spec.moves {
            Moves::Up => to.step = begun.handle.spot.step,
            Moves::Along => to.alpha = begun.handle.spot.alpha,
            Moves::Both => {}
        }
        self.edit(placed, begun.handle.moved(&begun.course, to)?)
    }

    /// The edit of a key, while the handle has the focus.
    fn pressed(&self, placed: &PlacedHandle<'_>, response: &Response) -> Option<ScheduleEdit> {
        if !response.has_focus() {
            return None;
        }
        let arrows = EventFilter { horizontal_arrows: true, vertical_arrows: true, ..EventFilter::default() };
        self.ui.memory_mut(|memory| memory.set_focus_lock_filter(response.id, arrows));
        let PlacedHandle { course, handle, .. } = placed;
        let pressed = |key| {
            self.ui.input_mut(|input| {
                let leaps = input.count_and_consume_key(Modifiers::SHIFT, key) as f64 * LEAP;
                leaps + input.count_and_consume_key(Modifiers::NONE, key) as f64
            })
        };
        let up = pressed(Key::ArrowUp) - pressed(Key::ArrowDown);
        let right = pressed(Key::ArrowRight) - pressed(Key::ArrowLeft);
        let value = match handle.spec.moves {
            Moves::Both if right != 0.0 => handle.shifted(course, right),
            Moves::Both => (up != 0.0).then(|| handle.nudged(course, up)).flatten(),
            Moves::Up | Moves::Along => {
                let times = up + right;
                (times != 0.0).then(|| handle.nudged(course, times)).flatten()
            }
        };
        self.edit(placed, value?)
    }

    /// The edit of a screen reader: as with the arrow keys up and down.
    fn assisted(&self, placed: &PlacedHandle<'_>, response: &Response) -> Option<ScheduleEdit> {
        let asked = |action| self.ui.input(|input| input.num_accesskit_action_requests(response.id, action)) as f64;
        let times = asked(accesskit::Action::Increment) - asked(accesskit::Action::Decrement);
        let PlacedHandle { course, handle, .. } = placed;
        self.edit(placed, (times != 0.0).then(|| handle.nudged(course, times)).flatten()?)
    }

    /// The edit that removes a knot: Delete or the context menu.
    fn removed(&self, placed: &PlacedHandle<'_>, response: &Response) -> Option<ScheduleEdit> {
        let removed = placed.handle.spec.removed?;
        let at_hand = (response.hovered() || response.has_focus()) && !self.ui.ctx().text_edit_focused();
        let mut wanted = at_hand
            && self.ui.input_mut(|input| {
                input.consume_key(Modifiers::NONE, Key::Delete) || input.consume_key(Modifiers::NONE, Key::Backspace)
            });
        let value = removed(placed.course, placed.handle.index);
        response.context_menu(|ui| {
            let button = ui.add_enabled(value.is_some(), Button::new("Remove this knot"));
            if button.on_hover_text("The last knot stays").clicked() {
                wanted = true;
                ui.close();
            }
        });
        self.edit(placed, value.filter(|_| wanted)?)
    }

    /// The edit that adds a knot where the curve was clicked twice.
    fn added(&self, (run, course): &(usize, Course), at: Pos2, cache: &ScheduleCache) -> Option<ScheduleEdit> {
        if self.distance(*run, at, cache) > self.theme.space(NEAR) {
            return None;
        }
        let (key, value) =
            course.added(self.spot(*run, at)).filter(|(key, _)| is_free(self.scenario, *run, Some(key)))?;
        edit(*run, course, key, value)
    }

    fn edit(&self, placed: &PlacedHandle<'_>, value: Value) -> Option<ScheduleEdit> {
        edit(placed.run, placed.course, placed.handle.spec.key, value)
    }

    /// What a handle shows in step: symbol and value.
    fn words(&self, run: usize, course: &Course, handle: &Handle) -> String {
        let symbol = symbol(self.scenario, run, &course.settings);
        let value = numbers::significant(handle.number(course), 3);
        let text = format!("{} {value}", handle.spec.symbol.replace(ALPHA, &symbol));
        if handle.spec.moves == Moves::Both {
            #[expect(clippy::cast_sign_loss, reason = "steps are below 2⁵³")]
            let step = numbers::count(handle.spot.step.round() as u64);
            return format!("step {step}, {text}");
        }
        text
    }

    /// The name of a handle for screen readers: `Handle: initial step size α₀ of cSGLD`.
    fn name(&self, run: usize, course: &Course, handle: &Handle) -> String {
        let name = self.scenario.runs.get(run).map_or("", |run| run.name.as_str());
        let symbol = symbol(self.scenario, run, &course.settings);
        let what = match course.settings.kind.param(handle.spec.key) {
            Some(_) if handle.spec.moves == Moves::Both => format!("knot {}", handle.index + 1),
            Some(spec) => schedules::label(&course.settings, spec).replace(ALPHA, &symbol),
            None => handle.spec.key.to_owned(),
        };
        format!("Handle: {what} of {name}")
    }

    /// A ring in the colour of the run; full under the pointer, with a second ring around it while it has the focus.
    fn paint(&self, at: Pos2, run: usize, active: bool, response: &Response) {
        let theme = self.theme;
        let colour: Color32 = theme.run(run).colour;
        let colour = if active { colour } else { colour.gamma_multiply(FAINT) };
        let full = response.hovered() || response.dragged();
        let (radius, painter) = (theme.space(1.5), self.painter());
        painter.circle(at, radius, if full { colour } else { theme.paper }, Stroke::new(theme.line(), colour));
        if response.has_focus() {
            painter.circle_stroke(at, radius + theme.space(1.0), Stroke::new(theme.line(), theme.accent));
        }
    }

    fn label(&self, text: &str, at: Pos2) {
        let rect = self.plot.rect;
        let gap = self.theme.space(2.5);
        let (at, align) = if at.x > rect.center().x {
            (at - vec2(gap, gap), Align2::RIGHT_BOTTOM)
        } else {
            (at + vec2(gap, -gap), Align2::LEFT_BOTTOM)
        };
        let (font, colour) = (self.theme.strong(), self.theme.ink);
        OverlayLabel { text, font, colour, at, align }.paint(self.ui, self.theme, rect);
    }
}

fn cursor(moves: Moves) -> CursorIcon {
    match moves {
        Moves::Up => CursorIcon::ResizeVertical,
        Moves::Along => CursorIcon::ResizeHorizontal,
        Moves::Both => CursorIcon::Move,
    }
}

/// The tooltip of a handle.
fn help(name: &str, handle: &Handle) -> String {
    let name = name.strip_prefix("Handle: ").unwrap_or(name);
    let drag = match handle.spec.moves {
        Moves::Up => "Drag up or down.",
        Moves::Along => "Drag left or right.",
        Moves::Both => "Drag. Delete removes it; a double click on the curve adds a knot.",
    };
    format!("{name}\n{drag} After Tab, arrow keys change it by a step, with Shift by ten.")
}

/// Distance of a point from a line between two others.
fn to_line(at: Pos2, from: Pos2, to: Pos2) -> f32 {
    let along = to - from;
    let share = if along.length_sq() > 0.0 { (at - from).dot(along) / along.length_sq() } else { 0.0 };
    at.distance(from + share.clamp(0.0, 1.0) * along)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_distance_from_a_line_ends_at_its_ends() {
        let line = (pos2(0.0, 0.0), pos2(10.0, 0.0));
        for (at, far) in [(pos2(5.0, 3.0), 3.0), (pos2(-3.0, 4.0), 5.0), (pos2(13.0, 0.0), 3.0)] {
            assert!((to_line(at, line.0, line.1) - far).abs() < 1e-6);
        }
        assert!((to_line(pos2(1.0, 0.0), line.0, line.0) - 1.0).abs() < 1e-6, "a line of no length is a point");
    }
}
