//! The newest step kept in sight while it is explained part by part: canvases follow it from step to step, until a person looks elsewhere.

use base::math::Bounds;

/// The largest share of the view of the target that a step takes that is too small to be read there, with the space around it.
const SMALL: f64 = 0.25;

/// How many times as large as a step with the space around it canvases may be before they come nearer.
const FAR: f64 = 3.0;

/// What canvases follow.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct InSight {
    /// The bounds that were chosen for a step; `None` while none is followed.
    bounds: Option<Bounds>,
    /// The tick of that step.
    tick: u64,
    /// Whether nobody has asked for it: the step could not be read.
    unasked: bool,
    /// Whether a person has looked elsewhere since the step is explained.
    left: bool,
    /// Whether slow motion has ended and nothing was explained since.
    rests: bool,
}

/// A step as it is shown.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    /// Its tick.
    pub tick: u64,
    /// Its part of the plane with space around it, twice as large as the step; `None` where there is nothing to see.
    pub around: Option<Bounds>,
    /// Whether it is shown part by part.
    pub explained: bool,
    /// Whether it is drawn as it is, however small.
    pub to_scale: bool,
    /// The part of the plane that the target is shown with.
    pub home: Bounds,
}

impl InSight {
    /// Follows steps from these bounds of the step of a tick on: a person has asked for it.
    pub fn ask(&mut self, bounds: Option<Bounds>, tick: u64) {
        *self = Self { bounds, tick, ..Self::default() };
    }

    /// Whether these bounds were chosen although nobody has asked for them.
    #[must_use]
    pub fn is_unasked(&self, shown: Option<Bounds>) -> bool {
        self.unasked && self.bounds.is_some() && self.bounds == shown
    }

    /// The bounds of canvases when slow motion ends, where they were `shown` in it: those that it has come from, until the step is explained on.
    #[must_use]
    pub fn rest(&mut self, shown: Option<Bounds>) -> Option<Bounds> {
        if !self.is_unasked(shown) {
            return shown;
        }
        *self = Self { rests: true, ..Self::default() };
        None
    }

    /// The step is explained on.
    pub fn go_on(&mut self) {
        self.rests = false;
    }

    /// The bounds of canvases for a step, where they were `shown` before.
    pub fn next(&mut self, shown: Option<Bounds>, step: &Step) -> Option<Bounds> {
        if self.bounds.is_some() && self.bounds != shown {
            *self = Self { left: true, ..Self::default() };
        }
        if !step.explained {
            (self.left, self.rests) = (false, false);
            if self.is_unasked(shown) {
                *self = Self::default();
                return None;
            }
            return shown;
        }
        let Some(around) = step.around else { return shown };
        let may_begin = self.bounds.is_none() && shown.is_none() && !self.left && !self.rests;
        let begins = may_begin && step.to_scale && small(&around, step);
        let goes_on = self.bounds.is_some_and(|own| self.tick != step.tick && !fits(&own, &around));
        if self.bounds.is_some() {
            self.tick = step.tick;
        }
        if begins || goes_on {
            let unasked = begins || self.unasked;
            *self = Self { bounds: Some(around), tick: step.tick, unasked, ..Self::default() };
            return self.bounds;
        }
        shown
    }
}

fn small(around: &Bounds, step: &Step) -> bool {
    around.size().component_div(&step.home.size()).amax() < SMALL
}

/// Whether a step with this part of the plane around it can be read in these bounds.
fn fits(bounds: &Bounds, around: &Bounds) -> bool {
    let (centre, half) = ((around.min + around.max) / 2.0, around.size() / 4.0);
    let inside = bounds.contains(centre - half) && bounds.contains(centre + half);
    inside && bounds.size().amax() <= FAR * around.size().amax()
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOME: Bounds = Bounds { min: base::math::Point::new(-10.0, -10.0), max: base::math::Point::new(10.0, 10.0) };

    /// A step about a point on the diagonal, with the space around it 2 wide.
    fn step(tick: u64, at: f64) -> Step {
        let around = Some(Bounds::new((at - 1.0, at + 1.0), (at - 1.0, at + 1.0)));
        Step { tick, around, explained: true, to_scale: true, home: HOME }
    }

    #[test]
    fn steps_are_followed_once_it_is_asked_for_until_a_person_looks_elsewhere() {
        let mut sight = InSight::default();
        let first = step(1, 0.0).around;
        sight.ask(first, 1);
        assert_eq!(sight.next(first, &step(1, 0.0)), first);
        assert_eq!(sight.next(first, &step(2, 0.3)), first, "it can be read where it is");
        let far = step(3, 4.0);
        assert_eq!(sight.next(first, &Step { explained: false, ..far }), first, "whole steps run by");
        let next = sight.next(first, &far);
        assert_eq!(next, far.around);
        assert!(!sight.is_unasked(next));
        let elsewhere = Some(HOME);
        assert_eq!(sight.next(elsewhere, &step(4, -4.0)), elsewhere);
        assert_eq!(sight.next(None, &step(5, 4.0)), None, "nor by itself after that");
    }

    #[test]
    fn a_step_that_cannot_be_read_is_shown_from_near_by_while_it_is_explained() {
        let mut sight = InSight::default();
        let near = sight.next(None, &step(1, 2.0));
        assert!(near == step(1, 2.0).around && sight.is_unasked(near));
        assert_eq!(sight.next(near, &Step { explained: false, ..step(1, 2.0) }), None, "and then as before");
        assert_eq!(sight, InSight::default());
        let enlarged = Step { to_scale: false, ..step(2, 2.0) };
        assert_eq!(sight.next(None, &enlarged), None, "what is enlarged can be read");
        let large = Step { around: Some(HOME), ..step(3, 0.0) };
        assert_eq!(sight.next(None, &large), None);
    }

    /// Slow motion ends in the middle of a step: canvases are as before, and come nearer again with its next part. What a person chose stays.
    #[test]
    fn canvases_are_as_before_when_slow_motion_ends() {
        let mut sight = InSight::default();
        let near = sight.next(None, &step(1, 2.0));
        assert!(near.is_some() && sight.rest(near).is_none());
        assert_eq!(sight.next(None, &step(1, 2.0)), None, "the step is still explained");
        sight.go_on();
        assert_eq!(sight.next(None, &step(1, 2.0)), near);
        sight.ask(near, 1);
        assert_eq!(sight.rest(near), near);
        assert_eq!(InSight::default().rest(Some(HOME)), Some(HOME));
    }
}
