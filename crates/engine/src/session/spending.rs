//! Cost along a run, as it is shown: a curve between steps and gradient evaluations.

/// Straight lines between (step, evaluations), both from 0 on. Exact where all steps of a run cost the same; else exact at the
/// present step and at earlier knots, and an estimate for steps to come.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Spending {
    knots: Vec<[f64; 2]>,
}

/// The relative distance from a straight line up to which a knot says nothing.
const STRAIGHT: f64 = 1e-9;

impl Spending {
    /// The curve through points (step, evaluations) in the order of their steps. Those that do not rise are left out.
    #[must_use]
    pub fn through(points: impl IntoIterator<Item = [f64; 2]>) -> Self {
        let mut knots = vec![[0.0, 0.0]];
        for point in points {
            let last = knots[knots.len() - 1];
            if !(point[0] > last[0] && point[1] > last[1]) {
                continue;
            }
            // A knot on the line between its neighbours is no knot.
            if let [.., before, between] = knots[..]
                && (line(before, point, between[0]) - between[1]).abs() <= STRAIGHT * between[1]
            {
                knots.pop();
            }
            knots.push(point);
        }
        Self { knots }
    }

    /// Gradient evaluations by all chains at a step; steps themselves where no cost is known.
    #[must_use]
    pub fn at(&self, step: f64) -> f64 {
        self.on(step, 0)
    }

    /// The step at which so many evaluations are spent, not rounded.
    #[must_use]
    pub fn step(&self, evaluations: f64) -> f64 {
        self.on(evaluations, 1)
    }

    /// The ends of the lines: (step, evaluations).
    #[must_use]
    pub fn knots(&self) -> &[[f64; 2]] {
        &self.knots
    }

    /// Evaluations at the last step.
    #[must_use]
    pub fn end(&self) -> f64 {
        self.knots.last().map_or(0.0, |knot| knot[1])
    }

    /// The other coordinate at a value of coordinate `from`; beyond the ends the lines go on.
    fn on(&self, value: f64, from: usize) -> f64 {
        if self.knots.len() < 2 {
            return value;
        }
        let after = self.knots.partition_point(|knot| knot[from] < value).clamp(1, self.knots.len() - 1);
        let turned = |knot: [f64; 2]| [knot[from], knot[1 - from]];
        line(turned(self.knots[after - 1]), turned(self.knots[after]), value)
    }
}

/// The height at `x` of the line through two points.
fn line(one: [f64; 2], other: [f64; 2], x: f64) -> f64 {
    one[1] + (other[1] - one[1]) * (x - one[0]) / (other[0] - one[0])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_costs_are_one_line() {
        let spending = Spending::through([[10.0, 5.0], [20.0, 10.0], [90.0, 45.0]]);
        assert_eq!(spending.knots, [[0.0, 0.0], [90.0, 45.0]]);
        assert!((spending.at(30.0) - 15.0).abs() < 1e-12 && (spending.step(15.0) - 30.0).abs() < 1e-12);
    }

    #[test]
    fn steps_and_evaluations_convert_back_where_costs_differ() {
        let spending = Spending::through([[10.0, 5.0], [10.0, 6.0], [20.0, 105.0], [30.0, 106.0]]);
        assert_eq!(spending.knots.len(), 4);
        for step in [0.0, 3.0, 10.0, 14.5, 29.0, 40.0] {
            assert!((spending.step(spending.at(step)) - step).abs() < 1e-9, "{step}");
        }
        assert!((spending.at(15.0) - 55.0).abs() < 1e-12);
        assert!((spending.end() - 106.0).abs() < 1e-12);
    }

    #[test]
    fn without_costs_steps_count() {
        assert!((Spending::default().at(7.0) - 7.0).abs() < 1e-12);
        assert!((Spending::through([]).step(7.0) - 7.0).abs() < 1e-12);
    }
}
