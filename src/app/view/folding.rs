//! Folding of the panels around the canvases: what a person has chosen, and what the size of the window chooses until then.

use egui::Vec2;
use engine::scenario::view::FOLDABLE;
use engine::scenario::{Scenario, ViewSpec};
use serde::{Deserialize, Serialize};

/// Width of the window below which the panel of target and runs folds by itself, in points.
const LEFT_BELOW: f32 = 1280.0;

/// Width of the window below which the panel of readout and lesson folds by itself, in points.
const RIGHT_BELOW: f32 = 900.0;

/// Height of the window below which the panel of plots folds by itself, in points.
const BOTTOM_BELOW: f32 = 640.0;

/// A panel that can be folded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// Target and runs.
    Left,
    /// Readout and lesson.
    Right,
    /// Plots.
    Bottom,
}

impl Side {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Left, Self::Right, Self::Bottom];

    /// The name of the panel.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Left => "Target and runs",
            Self::Right => "Readout and lesson",
            Self::Bottom => "Plots",
        }
    }
}

/// The space for panels: the size of the window in points, and whether the window presents.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WindowSize {
    /// Width and height of the window.
    pub size: Vec2,
    /// Whether the window presents: then all panels fold by themselves.
    pub present: bool,
}

impl WindowSize {
    /// Whether there is space for one panel at the sides at most.
    #[must_use]
    pub fn is_narrow(self) -> bool {
        !self.present && self.size.x < RIGHT_BELOW
    }

    /// Whether a panel folds by itself.
    #[must_use]
    pub fn folds(self, side: Side) -> bool {
        let small = match side {
            Side::Left => self.size.x < LEFT_BELOW,
            Side::Right => self.size.x < RIGHT_BELOW,
            Side::Bottom => self.size.y < BOTTOM_BELOW,
        };
        self.present || small
    }
}

/// The panel at the sides that is open in a narrow window, if one is: a choice that lasts until the next scenario, and that no wider window
/// has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OneSide(Option<Side>);

impl OneSide {
    /// What is open at first: what is asked stands in the right panel, what students may change in the left one.
    #[must_use]
    pub fn at_first(scenario: &Scenario) -> Self {
        let side = if scenario.asks() { Some(Side::Right) } else { None };
        Self(side.or_else(|| has_knobs(&scenario.view).then_some(Side::Left)))
    }

    /// With a panel open, or with none.
    #[must_use]
    pub fn of(side: Option<Side>) -> Self {
        Self(side)
    }

    /// Whether a panel is folded; `None` where this is no window or no panel to say so.
    #[must_use]
    pub fn folds(self, side: Side, window: WindowSize) -> Option<bool> {
        (window.is_narrow() && side != Side::Bottom).then_some(self.0 != Some(side))
    }

    /// Folds a panel, or unfolds it in the place of the other one; returns whether this is a window and a panel to do so.
    pub fn toggle(&mut self, side: Side, window: WindowSize) -> bool {
        let Some(folded) = self.folds(side, window) else { return false };
        self.0 = folded.then_some(side);
        true
    }
}

/// Whether a file is a hand-out whose students may change something: then the panel with that is open at first.
fn has_knobs(view: &ViewSpec) -> bool {
    view.packed && view.locked.iter().any(|path| path == "*") && !view.unlocked.is_empty()
}

/// What a person has chosen for each panel: `true` for folded; `None` where the size of the window decides.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Eq, Serialize)]
#[serde(default)]
pub struct Folded {
    /// Target and runs.
    pub left: Option<bool>,
    /// Readout and lesson.
    pub right: Option<bool>,
    /// Plots.
    pub bottom: Option<bool>,
}

impl Folded {
    /// What is unfolded while a scenario is presented: the plot, if its file says so. What is asked for a score is asked without a draw.
    #[must_use]
    pub fn presenting(scenario: &Scenario) -> Self {
        let plots = !scenario.asks() && scenario.view.present.iter().any(|panel| panel == "plots");
        Self { bottom: plots.then_some(false), ..Self::default() }
    }

    /// What the file of a scenario says is folded; of one whose students may change something the left panel is open, and the others as the window
    /// chooses.
    #[must_use]
    pub fn of_file(view: &ViewSpec) -> Option<Self> {
        let named = view.folded.as_deref().map(|names| {
            let [left, right, bottom] = FOLDABLE.map(|name| Some(names.iter().any(|folded| folded == name)));
            Self { left, right, bottom }
        });
        named.or_else(|| has_knobs(view).then_some(Self { left: Some(false), ..Self::default() }))
    }

    /// Whether a panel is folded: as a person has chosen, or by itself.
    #[must_use]
    pub fn is(&self, side: Side, window: WindowSize) -> bool {
        let chosen = match side {
            Side::Left => self.left,
            Side::Right => self.right,
            Side::Bottom => self.bottom,
        };
        chosen.unwrap_or_else(|| window.folds(side))
    }

    /// Folds a panel, or unfolds it. A choice that the window would make as well is no choice.
    pub fn toggle(&mut self, side: Side, window: WindowSize) {
        let folded = !self.is(side, window);
        let chosen = match side {
            Side::Left => &mut self.left,
            Side::Right => &mut self.right,
            Side::Bottom => &mut self.bottom,
        };
        *chosen = (folded != window.folds(side)).then_some(folded);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::scenario::Lesson;

    #[test]
    fn panels_fold_in_small_windows_until_a_person_chooses() {
        let large = WindowSize { size: Vec2::new(1366.0, 768.0), present: false };
        let small = WindowSize { size: Vec2::new(1024.0, 600.0), present: false };
        let mut folded = Folded::default();
        let now = |folded: &Folded, window| Side::ALL.map(|side| folded.is(side, window));
        assert_eq!(now(&folded, large), [false; 3]);
        assert_eq!(now(&folded, small), [true, false, true]);
        assert_eq!(now(&folded, WindowSize { present: true, ..large }), [true; 3]);
        folded.toggle(Side::Left, small);
        folded.toggle(Side::Right, small);
        assert_eq!(now(&folded, small), [false, true, true]);
        assert_eq!(now(&folded, large), [false, true, false], "the choice holds in any window");
        folded.toggle(Side::Right, large);
        assert_eq!(folded.right, None, "back to what the window chooses");
    }

    /// Of a file for students, what they may change is in sight in any window; before an audience the plot is, where its file says so.
    #[test]
    fn what_a_file_is_about_is_open_at_first() {
        let mut scenario = Lesson::find("bias-on-a-switch").unwrap().scenario().unwrap();
        assert_eq!((Folded::of_file(&scenario.view), OneSide::at_first(&scenario)), (None, OneSide::default()));
        assert_eq!(Folded::presenting(&scenario), Folded::default());
        (scenario.view.packed, scenario.view.locked) = (true, vec!["*".to_owned()]);
        assert_eq!(Folded::of_file(&scenario.view), None, "nothing can be changed");
        scenario.view.unlocked = vec!["seed".to_owned()];
        let small = WindowSize { size: Vec2::new(1024.0, 600.0), present: false };
        let folded = Folded::of_file(&scenario.view).unwrap();
        assert_eq!(Side::ALL.map(|side| folded.is(side, small)), [false, false, true]);
        assert_eq!(OneSide::at_first(&scenario), OneSide::of(Some(Side::Left)));
        scenario.view.folded = Some(vec![FOLDABLE[0].to_owned()]);
        assert_eq!(Folded::of_file(&scenario.view).unwrap().left, Some(true), "its file says otherwise");
        let about_a_matrix = Lesson::find("a-cycle-forgets").unwrap().scenario().unwrap();
        assert_eq!(Folded::presenting(&about_a_matrix), Folded { bottom: Some(false), ..Folded::default() });
    }

    #[test]
    fn a_narrow_window_has_one_panel_at_the_sides() {
        let narrow = WindowSize { size: Vec2::new(640.0, 720.0), present: false };
        let mut one = OneSide::default();
        let now = |one: OneSide| Side::ALL.map(|side| one.folds(side, narrow));
        assert_eq!(now(one), [Some(true), Some(true), None]);
        assert!(one.toggle(Side::Left, narrow));
        assert_eq!(now(one), [Some(false), Some(true), None]);
        assert!(one.toggle(Side::Right, narrow));
        assert_eq!(now(one), [Some(true), Some(false), None], "in the place of the other");
        assert!(one.toggle(Side::Right, narrow) && one == OneSide::default());
        for other in
            [WindowSize { size: Vec2::new(1024.0, 768.0), present: false }, WindowSize { present: true, ..narrow }]
        {
            assert!(!one.toggle(Side::Left, other) && one.folds(Side::Left, other).is_none());
        }
    }
}
