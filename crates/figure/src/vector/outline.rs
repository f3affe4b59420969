//! Outlines of paths: straight lines and cubic Bézier curves.

use std::borrow::Cow;

use egui::epaint::CornerRadius;
use egui::{Pos2, Rect, Vec2, vec2};

/// Distance of the handles of a Bézier curve from its ends, for a quarter of a circle of radius 1.
const QUARTER: f32 = 0.552_284_8;

/// One step along an outline, to a position in points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Step {
    /// Begins a new line.
    Move(Pos2),
    /// A straight line.
    Line(Pos2),
    /// A cubic Bézier curve: two handles and the end.
    Cubic([Pos2; 3]),
    /// Back to where the line began.
    Close,
}

/// The outline of a path.
#[derive(Clone, Debug, PartialEq)]
pub enum Outline {
    /// Steps, the first of which is a [`Step::Move`].
    Steps(Vec<Step>),
    /// A circle, of which clouds have thousands.
    Circle {
        /// Its centre in points.
        centre: Pos2,
        /// In points.
        radius: f32,
    },
}

impl Outline {
    /// Straight lines from point to point. Points that are not finite interrupt a line.
    pub(crate) fn line(points: &[Pos2], closed: bool) -> Self {
        let mut steps = Vec::with_capacity(points.len() + 1);
        let mut drawing = false;
        for at in points {
            if at.is_finite() {
                steps.push(if drawing { Step::Line(*at) } else { Step::Move(*at) });
            }
            drawing = at.is_finite();
        }
        if closed && !steps.is_empty() {
            steps.push(Step::Close);
        }
        Self::Steps(steps)
    }

    /// An ellipse, turned clockwise around its centre by an angle in radians.
    pub(super) fn ellipse(centre: Pos2, radius: Vec2, angle: f32) -> Self {
        let rect = Rect::from_center_size(centre, 2.0 * radius);
        Self::Steps(turned(rounded(rect, [radius; 4]), centre, angle))
    }

    /// A rectangle with round corners, whose radii grow by `more`, turned clockwise around its centre by an angle in radians.
    pub(super) fn rectangle(rect: Rect, corners: CornerRadius, more: f32, angle: f32) -> Self {
        let most = 0.5 * rect.size().min_elem();
        let radius = |corner: u8| match corner {
            0 => Vec2::ZERO,
            corner => Vec2::splat((f32::from(corner) + more).clamp(0.0, most.max(0.0))),
        };
        let radii = [corners.nw, corners.ne, corners.se, corners.sw].map(radius);
        Self::Steps(turned(rounded(rect, radii), rect.center(), angle))
    }

    /// A quadratic Bézier curve.
    pub(super) fn quadratic([from, handle, to]: [Pos2; 3], closed: bool) -> Self {
        let third = 2.0 / 3.0;
        Self::cubic([from, from.lerp(handle, third), to.lerp(handle, third), to], closed)
    }

    /// A cubic Bézier curve.
    pub(super) fn cubic([from, first, second, to]: [Pos2; 4], closed: bool) -> Self {
        let close = closed.then_some(Step::Close);
        Self::Steps([Step::Move(from), Step::Cubic([first, second, to])].into_iter().chain(close).collect())
    }

    /// A rectangle around it, with the handles of its curves.
    #[must_use]
    pub(crate) fn bounds(&self) -> Rect {
        let mut bounds = Rect::NOTHING;
        for step in self.steps().iter() {
            match step {
                Step::Move(to) | Step::Line(to) => bounds.extend_with(*to),
                Step::Cubic(points) => points.iter().for_each(|at| bounds.extend_with(*at)),
                Step::Close => {}
            }
        }
        bounds
    }

    /// The steps, those of a circle as four curves.
    #[must_use]
    pub fn steps(&self) -> Cow<'_, [Step]> {
        match self {
            Self::Steps(steps) => Cow::Borrowed(steps),
            Self::Circle { centre, radius } => {
                let radius = Vec2::splat(*radius);
                Cow::Owned(rounded(Rect::from_center_size(*centre, 2.0 * radius), [radius; 4]))
            }
        }
    }

    /// Whether there is something to draw, at points that are finite.
    pub(super) fn is_finite(&self) -> bool {
        match self {
            Self::Circle { centre, radius } => centre.is_finite() && radius.is_finite() && *radius > 0.0,
            Self::Steps(steps) => {
                steps.len() > 1
                    && steps.iter().all(|step| match step {
                        Step::Move(to) | Step::Line(to) => to.is_finite(),
                        Step::Cubic(points) => points.iter().all(|point| point.is_finite()),
                        Step::Close => true,
                    })
            }
        }
    }
}

/// A rectangle whose corners are quarters of ellipses, clockwise from the upper left one.
fn rounded(rect: Rect, [nw, ne, se, sw]: [Vec2; 4]) -> Vec<Step> {
    let (left, right, top, bottom) = (rect.min.x, rect.max.x, rect.min.y, rect.max.y);
    let mut steps = vec![Step::Move(Pos2::new(left + nw.x, top))];
    let mut side = |from: Pos2, corner: Pos2, to: Pos2| {
        if steps.last() != Some(&Step::Move(from)) {
            steps.push(Step::Line(from));
        }
        if from != to {
            steps.push(Step::Cubic([from.lerp(corner, QUARTER), to.lerp(corner, QUARTER), to]));
        }
    };
    let corner = Pos2::new(right, top);
    side(corner - vec2(ne.x, 0.0), corner, corner + vec2(0.0, ne.y));
    let corner = Pos2::new(right, bottom);
    side(corner - vec2(0.0, se.y), corner, corner - vec2(se.x, 0.0));
    let corner = Pos2::new(left, bottom);
    side(corner + vec2(sw.x, 0.0), corner, corner - vec2(0.0, sw.y));
    let corner = Pos2::new(left, top);
    side(corner + vec2(0.0, nw.y), corner, corner + vec2(nw.x, 0.0));
    steps.push(Step::Close);
    steps
}

/// Steps turned clockwise around a point by an angle in radians.
fn turned(mut steps: Vec<Step>, around: Pos2, angle: f32) -> Vec<Step> {
    if angle.abs() > 0.0 {
        let turn = egui::emath::Rot2::from_angle(angle);
        let turned = |at: Pos2| around + turn * (at - around);
        for step in &mut steps {
            *step = match *step {
                Step::Move(to) => Step::Move(turned(to)),
                Step::Line(to) => Step::Line(turned(to)),
                Step::Cubic(points) => Step::Cubic(points.map(turned)),
                Step::Close => Step::Close,
            };
        }
    }
    steps
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui::pos2;

    /// The ends of the steps.
    fn ends(outline: &Outline) -> Vec<Pos2> {
        let end = |step: &Step| match step {
            Step::Move(to) | Step::Line(to) | Step::Cubic([_, _, to]) => Some(*to),
            Step::Close => None,
        };
        outline.steps().iter().filter_map(end).collect()
    }

    #[test]
    fn a_round_ellipse_stays_within_a_thousandth_of_its_radius() {
        let circle = Outline::Circle { centre: pos2(3.0, -2.0), radius: 10.0 };
        assert_eq!(circle.steps(), Outline::ellipse(pos2(3.0, -2.0), vec2(10.0, 10.0), 0.0).steps());
        let outline = Outline::ellipse(pos2(3.0, -2.0), vec2(10.0, 10.0), 0.3);
        let mut from = Pos2::ZERO;
        for step in outline.steps().iter() {
            match *step {
                Step::Move(to) | Step::Line(to) => from = to,
                Step::Cubic([first, second, to]) => {
                    for share in [0.1_f32, 0.3, 0.5, 0.8] {
                        let rest = 1.0 - share;
                        let weights =
                            [rest.powi(3), 3.0 * rest * rest * share, 3.0 * rest * share * share, share.powi(3)];
                        let points = [from, first, second, to];
                        let at = weights
                            .into_iter()
                            .zip(points)
                            .fold(Vec2::ZERO, |sum, (weight, point)| sum + weight * point.to_vec2());
                        let radius = (at - vec2(3.0, -2.0)).length();
                        assert!((radius - 10.0).abs() < 0.01, "{radius}");
                    }
                    from = to;
                }
                Step::Close => {}
            }
        }
        assert_eq!(outline.steps().iter().filter(|step| matches!(step, Step::Cubic(_))).count(), 4);
    }

    #[test]
    fn a_rectangle_without_round_corners_has_four() {
        let rect = Rect::from_min_max(pos2(1.0, 2.0), pos2(5.0, 4.0));
        let outline = Outline::rectangle(rect, CornerRadius::ZERO, 0.0, 0.0);
        assert!(!outline.steps().iter().any(|step| matches!(step, Step::Cubic(_))));
        for corner in [rect.left_top(), rect.right_top(), rect.right_bottom(), rect.left_bottom()] {
            assert!(ends(&outline).contains(&corner));
        }
        let turned = Outline::rectangle(rect, CornerRadius::ZERO, 0.0, std::f32::consts::FRAC_PI_2);
        assert!(ends(&turned).iter().any(|at| at.distance(pos2(4.0, 1.0)) < 1e-5), "{turned:?}");
    }

    #[test]
    fn places_that_are_not_finite_interrupt_a_line() {
        let gap = pos2(f32::NAN, 0.0);
        let outline = Outline::line(&[pos2(0.0, 0.0), pos2(1.0, 0.0), gap, pos2(2.0, 0.0), pos2(3.0, 0.0)], false);
        assert_eq!(outline.steps().iter().filter(|step| matches!(step, Step::Move(_))).count(), 2);
        assert!(outline.is_finite());
        assert!(!Outline::line(&[gap, gap], false).is_finite());
    }
}
