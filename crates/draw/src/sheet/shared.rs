//! Canvases side by side: what is inside of their axes is of one size and on one line, so that they show the same part of the plane, however
//! long their names are. Where they share the vertical axis, the first one has it.
//!
//! How far a plot is from the edges of its panel is known once it was drawn; the next frame moves it to the others.

use std::ops::Range;

use egui::{Id, Rect, Ui, Vec2, vec2};

use crate::kit::told;
use engine::scenario::figures::{OwnAxis, Panel, Row};
use engine::session::Frame;

/// What a canvas takes of its space.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fit {
    /// The space.
    pub space: Vec2,
    /// What is inside of its axes at one scale for both; `None` where it may have any shape.
    pub picture: Option<Vec2>,
    /// What is around that.
    pub around: Vec2,
    /// The width of the names of its runs.
    pub header: f32,
}

impl Fit {
    /// The least that a canvas leaves of the width of its space, so that its name has some.
    const LEAST: f32 = 0.3;

    /// The size with what is around.
    pub(super) fn size(&self) -> Vec2 {
        let Some(picture) = self.picture else { return self.space };
        let size = picture + self.around;
        vec2(size.x.max(self.header).max(Self::LEAST * self.space.x).min(self.space.x), size.y.min(self.space.y))
    }
}

/// The canvases of a row that belong together: of a plane, side by side and of one width, or with one vertical axis.
pub(super) fn groups(row: &Row, frame: &Frame, share: bool) -> Vec<Range<usize>> {
    let plane = frame.target.info().dimension > 1;
    let canvas = |at: usize| matches!(row.panels[at].0, Panel::Canvas(_) | Panel::Overlay);
    let same = |at: usize| share || (row.panels[at].1 - row.panels[at - 1].1).abs() < 1e-9;
    let mut groups: Vec<Range<usize>> = Vec::new();
    for at in (1..row.panels.len()).filter(|at| plane && canvas(*at) && canvas(*at - 1) && same(*at)) {
        match groups.last_mut().filter(|group| group.end == at) {
            Some(group) => group.end = at + 1,
            None => groups.push(at - 1..at + 1),
        }
    }
    groups
}

/// Which panels of a row have the vertical axis of the panel at their left: those of a group with the same limits.
pub(super) fn without_axis(row: &Row, groups: &[Range<usize>], axes: impl Fn(usize) -> [OwnAxis; 2]) -> Vec<bool> {
    let one = |at: usize| {
        let follows = groups.iter().any(|group| group.start < at && group.contains(&at));
        follows && axes(at)[1] == axes(at - 1)[1]
    };
    (0..row.panels.len()).map(one).collect()
}

/// The sizes of canvases that belong together, the longest names of which take `header`.
pub(super) fn together(fits: &[Fit], header: f32) -> Vec<Vec2> {
    let least = |of: &dyn Fn(&Fit) -> f32| fits.iter().map(of).fold(f32::INFINITY, f32::min);
    let most = |of: &dyn Fn(&Fit) -> f32| fits.iter().map(of).fold(0.0, f32::max);
    let below = most(&|fit| fit.around.y);
    let free = vec2(least(&|fit| fit.space.x - fit.around.x), least(&|fit| fit.space.y) - below);
    let pictures: Vec<Vec2> = fits.iter().filter_map(|fit| fit.picture).collect();
    let inside = if pictures.is_empty() {
        free
    } else {
        let named = most(&|fit| header.max(Fit::LEAST * fit.space.x) - fit.around.x);
        let wide = pictures.iter().map(|picture| picture.x).fold(named, f32::max);
        let high = pictures.iter().map(|picture| picture.y).fold(f32::INFINITY, f32::min);
        vec2(wide, high).min(free)
    };
    // Plots are laid out at whole points: sides that are whole are rounded alike.
    let inside = inside.floor().max(Vec2::splat(1.0));
    fits.iter().map(|fit| inside + vec2(fit.around.x, below)).collect()
}

/// Where the plot of a panel is: how far it moves from its header down and from the lower edge up, and what is at its left, which is its
/// vertical axis, and at its right, if that is known.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Place {
    inset: [f32; 2],
    beside: Option<[f32; 2]>,
}

fn place(panel: usize) -> Id {
    Id::unique(("place of the plot of a panel", panel))
}

fn placed(ui: &Ui, panel: usize) -> Place {
    ui.data(|data| data.get_temp(place(panel))).unwrap_or_default()
}

/// How far the plot of a panel is moved down from its header, and up from its lower edge.
pub(super) fn inset(ui: &Ui, panel: usize) -> [f32; 2] {
    placed(ui, panel).inset
}

/// The widths of what is at the left and at the right of the plot of a panel, if it has been drawn with others.
pub(super) fn beside(ui: &Ui, panel: usize) -> Option<[f32; 2]> {
    placed(ui, panel).beside
}

/// Notes where the plots of panels that belong together are, by their numbers and their spaces, and moves them to one line. Beside a plot with
/// limits of its own the others have the `aspect` of what they show, or are wider: then all show the same along their vertical axes.
///
/// Labels depend on the space, and the space on the labels: an axis keeps the largest width it had, so that this comes to an end.
pub(super) fn note(ui: &Ui, panels: Range<usize>, cells: &[Rect], aspect: Option<f32>) {
    /// Layouts that differ by less are the same.
    const SAME: f32 = 0.1;
    let spots = told::taken(ui.ctx()).spots;
    let area = |panel: usize| spots.iter().find(|spot| spot.panel == panel).map(|spot| spot.area);
    let Some(found) = panels.clone().map(|panel| Some((cells.get(panel)?, area(panel)?))).collect::<Option<Vec<_>>>()
    else {
        return;
    };
    let before: Vec<Place> = panels.clone().map(|panel| placed(ui, panel)).collect();
    // Without what moves them.
    let own = |((cell, area), place): (&(&Rect, Rect), &Place)| {
        [area.top() - cell.top() - place.inset[0], cell.bottom() - area.bottom() - place.inset[1]]
    };
    let own: Vec<[f32; 2]> = found.iter().zip(&before).map(own).collect();
    let top = own.iter().map(|[top, _]| *top).fold(0.0, f32::max);
    let free = found.iter().zip(&own).map(|((cell, _), [_, bottom])| cell.height() - top - bottom);
    let width = found.iter().map(|(_, area)| area.width()).fold(f32::INFINITY, f32::min);
    let most = aspect.map_or(f32::INFINITY, |aspect| (width + SAME) / aspect);
    let height = free.fold(most, f32::min).floor();
    for (number, panel) in panels.enumerate() {
        let ((cell, area), [above, below]) = (found[number], own[number]);
        let inset = [top - above, (cell.height() - top - below - height).max(0.0)];
        let axis = (area.left() - cell.left()).max(before[number].beside.map_or(0.0, |[left, _]| left));
        let beside = [axis, cell.right() - area.right()];
        let now = Place { inset, beside: Some(beside) };
        let moved = |one: f32, other: f32| (one - other).abs() > SAME;
        let known = before[number].beside.is_some_and(|before| (0..2).all(|side| !moved(beside[side], before[side])));
        if !known || (0..2).any(|end| moved(inset[end], before[number].inset[end])) {
            ui.data_mut(|data| data.insert_temp(place(panel), now));
            ui.ctx().request_repaint();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fit(picture: Option<Vec2>, around: Vec2, header: f32) -> Fit {
        Fit { space: vec2(200.0, 150.0), picture, around, header }
    }

    #[test]
    fn canvases_together_are_inside_of_one_size() {
        let fits = [
            fit(Some(vec2(90.0, 90.0)), vec2(40.0, 50.0), 80.0),
            fit(Some(vec2(110.0, 90.0)), vec2(10.0, 60.0), 150.0),
            fit(None, vec2(10.0, 50.0), 20.0),
        ];
        let sizes = together(&fits, 150.0);
        let inside: Vec<Vec2> = sizes.iter().zip(&fits).map(|(size, fit)| *size - vec2(fit.around.x, 60.0)).collect();
        assert_eq!(inside, [vec2(140.0, 90.0); 3]);
        let free = together(&[fit(None, vec2(40.0, 50.0), 0.0), fit(None, vec2(10.0, 50.0), 0.0)], 0.0);
        assert_eq!(free, [vec2(200.0, 150.0), vec2(170.0, 150.0)]);
    }
}
