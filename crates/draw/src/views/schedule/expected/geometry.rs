//! What is expected of a cyclical schedule along one of its numbers: values to look at, values between them, and where a bound is reached.

use engine::distributions::Glance;

/// A number of a cyclical schedule.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Knob {
    /// The first step size of a cycle.
    #[default]
    Initial,
    /// The number of cycles.
    Cycles,
    /// The share of a cycle that explores.
    Exploration,
    /// The number of steps of a cycle that explore.
    ExplorationSteps,
}

impl Knob {
    /// All, in the order in which they are offered.
    pub const ALL: [Self; 4] = [Self::Initial, Self::Cycles, Self::Exploration, Self::ExplorationSteps];

    /// Its path in the settings of a run.
    pub fn path(self) -> &'static str {
        match self {
            Self::Initial => "step_size.initial",
            Self::Cycles => "step_size.cycles",
            Self::Exploration => "step_size.exploration",
            Self::ExplorationSteps => "step_size.exploration_steps",
        }
    }

    /// Its symbol, or a word.
    pub fn symbol(self) -> &'static str {
        match self {
            Self::Initial => "α₀",
            Self::Cycles => "cycles",
            Self::Exploration => "β",
            Self::ExplorationSteps => "D",
        }
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Initial => "first step size α₀",
            Self::Cycles => "cycles",
            Self::Exploration => "exploration β",
            Self::ExplorationSteps => "exploration steps",
        }
    }

    /// Values around the present one, ascending.
    pub fn values(self, present: f64) -> Vec<f64> {
        let shares: &[f64] = match self {
            Self::Initial => &[0.4, 0.5, 0.57, 0.64, 0.71, 0.79, 0.86, 0.93, 1.0, 1.07, 1.14, 1.29],
            Self::Cycles => &[0.33, 0.5, 0.67, 0.83, 1.0, 1.33, 1.67, 2.0, 2.5, 3.2],
            Self::ExplorationSteps => &[0.0, 0.5, 1.0, 2.0, 4.0, 8.0, 12.0],
            Self::Exploration => return (0..9).map(|number| 0.1 * f64::from(number)).collect(),
        };
        let mut values: Vec<f64> = shares.iter().map(|share| share * present).collect();
        let least = match self {
            Self::Cycles => 1.0,
            Self::ExplorationSteps => 0.0,
            Self::Initial | Self::Exploration => return values,
        };
        values.iter_mut().for_each(|value| *value = value.round().max(least));
        values.dedup();
        values
    }
}

/// Which of ascending values is looked at next: those around the present one, then always the one that is farthest from all that are known, so
/// that a curve is coarse first and finer later.
pub fn next(values: &[f64], is_known: impl Fn(usize) -> bool, present: f64) -> Option<usize> {
    let above = values.partition_point(|value| *value < present);
    let below = if values.get(above).is_some_and(|value| *value <= present) { above } else { above.wrapping_sub(1) };
    let open = |number: &usize| *number < values.len() && !is_known(*number);
    let around = [below, above].into_iter().find(open);
    let gap =
        |number: &usize| (0..values.len()).filter(|other| is_known(*other)).map(|other| other.abs_diff(*number)).min();
    around.or_else(|| (0..values.len()).rev().filter(open).max_by_key(gap))
}

/// What is expected at a value.
pub type At = (f64, Glance);

/// What is expected between the values that are known.
pub fn between(points: &[At], value: f64) -> Option<Glance> {
    let next = points.partition_point(|(at, _)| *at < value);
    let (high, of_high) = points.get(next)?;
    if (high - value).abs() <= 1e-12 * high.abs() {
        return Some(*of_high);
    }
    let (low, of_low) = points.get(next.checked_sub(1)?)?;
    let share = (value - low) / (high - low);
    let mix = |a: f64, b: f64| a + share * (b - a);
    Some(Glance {
        end_modes: mix(of_low.end_modes, of_high.end_modes),
        end_modes_sd: mix(of_low.end_modes_sd, of_high.end_modes_sd),
        tv: mix(of_low.tv, of_high.tv),
        within_3sd: of_low.within_3sd.zip(of_high.within_3sd).map(|(a, b)| mix(a, b)),
    })
}

/// The largest value at which a quantity is at least a bound, between the values that are known; or the smallest one.
pub fn reached(points: &[At], of: impl Fn(&Glance) -> Option<f64>, least: f64, largest: bool) -> Option<f64> {
    let known: Vec<[f64; 2]> = points.iter().filter_map(|(at, glance)| Some([*at, of(glance)?])).collect();
    let crossing = |pair: &[[f64; 2]]| {
        let ([a, before], [b, after]) = (pair[0], pair[1]);
        let inside = if largest { before >= least && after < least } else { before < least && after >= least };
        inside.then(|| a + (least - before) / (after - before) * (b - a))
    };
    let found: Vec<f64> = known.windows(2).filter_map(crossing).collect();
    let end = if largest { known.last() } else { known.first() };
    if end.is_some_and(|[_, value]| *value >= least) {
        return end.map(|[at, _]| *at);
    }
    if largest { found.last().copied() } else { found.first().copied() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(value: f64, end_modes: f64, within: f64) -> At {
        (value, Glance { end_modes, end_modes_sd: 1.0, tv: 1.0 - within, within_3sd: Some(within) })
    }

    #[test]
    fn bounds_are_reached_between_known_values() {
        let points = [at(0.04, 6.6, 0.92), at(0.05, 16.9, 0.86), at(0.07, 17.5, 0.68)];
        let middle = between(&points, 0.06).unwrap();
        assert!((middle.end_modes - 17.2).abs() < 1e-9 && (middle.within_3sd.unwrap() - 0.77).abs() < 1e-9);
        assert_eq!(between(&points, 0.05), Some(points[1].1));
        assert!(between(&points, 0.08).is_none() && between(&points, 0.03).is_none());
        let within = |glance: &Glance| glance.within_3sd;
        assert!((reached(&points, within, 0.8, true).unwrap() - 0.056_666_666).abs() < 1e-6);
        let modes = |glance: &Glance| Some(glance.end_modes);
        let first = reached(&points, modes, 10.0, false).unwrap();
        assert!((first - (0.04 + 0.01 * 3.4 / 10.3)).abs() < 1e-9);
        assert_eq!(reached(&points, modes, 24.0, false), None);
        assert_eq!(reached(&points, modes, 17.0, true), Some(0.07), "the last one is still good");
    }

    #[test]
    fn the_present_value_is_first_and_gaps_are_filled_from_the_widest_on() {
        let order = |values: &[f64], present: f64| {
            let mut known: Vec<usize> = Vec::new();
            while let Some(number) = next(values, |number| known.contains(&number), present) {
                known.push(number);
            }
            known
        };
        let values = [0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0];
        assert_eq!(order(&values, 6.0)[..4], [6, 0, 3, 8]);
        assert_eq!(order(&values, 2.5)[..4], [2, 3, 8, 0], "both neighbours of the mark");
        for present in [-1.0, 0.0, 4.2, 8.0, 9.0] {
            let mut all = order(&values, present);
            all.sort_unstable();
            assert!(all.into_iter().eq(0..values.len()));
        }
    }

    #[test]
    fn values_are_around_the_present_one_and_cycles_are_whole() {
        for knob in Knob::ALL {
            let values = knob.values(30.0);
            assert!(values.windows(2).all(|pair| pair[0] < pair[1]), "{values:?}");
        }
        assert!(Knob::Initial.values(0.07).contains(&0.07) && Knob::Cycles.values(30.0).contains(&30.0));
        assert_eq!(Knob::Cycles.values(1.0), [1.0, 2.0, 3.0]);
    }
}
