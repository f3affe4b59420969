//! Convergence curves: a measure against evaluations or steps, with mean and band over repeats.

use base::math::quantile;
use engine::diagnostics::NoiseFloor;
use engine::session::Clock;
use engine::session::repeats::{Repeat, Stop};

/// The share of repeats below the lower edge of the band, and above its upper edge.
pub const TAIL: f64 = 0.1;

/// A measure at one stop.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct At {
    /// Steps, or evaluations.
    pub x: f64,
    /// Mean over the repeats that have a value.
    pub mean: f64,
    /// The quantile at [`TAIL`] over these.
    pub low: f64,
    /// The quantile at 1 − [`TAIL`].
    pub high: f64,
    /// What as many exact draws score, if it is known.
    pub floor: Option<NoiseFloor>,
}

/// The curve of the measure called `key` for the run with number `run`. Stops at which no repeat has a value are left
/// out.
#[must_use]
pub fn convergence(repeats: &[Repeat], run: usize, key: &str, against: Clock) -> Vec<At> {
    let Some(first) = repeats.first().and_then(|repeat| repeat.runs.get(run)) else { return Vec::new() };
    // The measures of all stops are in the same order.
    let measure_index = first.first().and_then(|stop| stop.measures.iter().position(|measure| measure.key == key));
    let Some(measure_index) = measure_index else { return Vec::new() };
    let value = |stop: &Stop| stop.measures.get(measure_index)?.value;
    let at = |(index, stop): (usize, &Stop)| {
        let stops = repeats.iter().filter_map(|repeat| repeat.runs.get(run)?.get(index));
        let mut values: Vec<f64> = stops.filter_map(value).collect();
        values.sort_by(f64::total_cmp);
        let floor = stop.measures.get(measure_index)?.floor;
        let x = match against {
            Clock::Gradients => stop.evaluations,
            Clock::Steps => stop.step as f64,
        };
        let mean = values.iter().sum::<f64>() / values.len() as f64;
        let (low, high) = (quantile(&values, TAIL)?, quantile(&values, 1.0 - TAIL)?);
        Some(At { x, mean, low, high, floor })
    };
    first.iter().enumerate().filter_map(at).collect()
}

/// Points of an exact line, which are steps and values, at the places of a run's stops: a step that is none has the place that its share of
/// the last one has.
#[must_use]
pub fn placed(line: &[(u64, f64)], repeats: &[Repeat], run: usize, against: Clock) -> Vec<[f64; 2]> {
    let stops: &[Stop] = repeats.first().and_then(|repeat| repeat.runs.get(run)).map_or(&[], Vec::as_slice);
    let place = |step: u64| match against {
        Clock::Steps => Some(step as f64),
        Clock::Gradients => {
            let last = stops.last()?;
            let same = stops.iter().find(|stop| stop.step == step);
            Some(same.map_or(last.evaluations * step as f64 / last.step as f64, |stop| stop.evaluations))
        }
    };
    line.iter().filter_map(|&(step, value)| Some([place(step)?, value])).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::diagnostics::Measure;

    const FLOOR: NoiseFloor = NoiseFloor { mean: 0.5, low: 0.4, high: 0.7 };

    fn repeat(values: &[Option<f64>]) -> Repeat {
        let measure = |value| Measure { key: "tv", value, floor: Some(FLOOR), reason: "" };
        let stop = |(index, value): (usize, &Option<f64>)| Stop {
            step: 10 * (index as u64 + 1),
            evaluations: 40.0 * (index as f64 + 1.0),
            measures: vec![measure(*value)],
        };
        Repeat { seed: 1, runs: vec![values.iter().enumerate().map(stop).collect()] }
    }

    #[test]
    fn mean_and_band_are_over_the_repeats_that_have_a_value() {
        let values = [0.1, 0.2, 0.3, 0.4, 1.0];
        let mut repeats: Vec<Repeat> = values.iter().map(|&value| repeat(&[None, Some(value)])).collect();
        repeats.push(repeat(&[None, None]));
        let curve = convergence(&repeats, 0, "tv", Clock::Gradients);
        assert_eq!(curve.len(), 1, "the first stop has no value in any repeat");
        let At { x, mean, low, high, floor } = curve[0];
        assert_eq!((x, floor), (80.0, Some(FLOOR)));
        assert!((mean - 0.4).abs() < 1e-12 && (low - 0.14).abs() < 1e-12 && (high - 0.76).abs() < 1e-12);
        assert!((convergence(&repeats, 0, "tv", Clock::Steps)[0].x - 20.0).abs() < 1e-12);
    }

    #[test]
    fn exact_lines_stand_at_the_places_of_stops() {
        let repeats = [repeat(&[Some(0.3), Some(0.2)])];
        let line = [(5, 0.4), (10, 0.3), (20, 0.1)];
        assert_eq!(placed(&line, &repeats, 0, Clock::Steps), [[5.0, 0.4], [10.0, 0.3], [20.0, 0.1]]);
        assert_eq!(placed(&line, &repeats, 0, Clock::Gradients), [[20.0, 0.4], [40.0, 0.3], [80.0, 0.1]]);
        assert!(placed(&line, &[], 0, Clock::Gradients).is_empty());
    }

    #[test]
    fn an_unknown_run_or_measure_has_no_curve() {
        assert!(convergence(&[], 0, "tv", Clock::Steps).is_empty());
        assert!(convergence(&[repeat(&[Some(1.0)])], 1, "tv", Clock::Steps).is_empty());
        assert!(convergence(&[repeat(&[Some(1.0)])], 0, "kl", Clock::Steps).is_empty());
    }

    #[test]
    fn a_single_repeat_is_its_own_band() {
        let At { mean, low, high, .. } = convergence(&[repeat(&[Some(2.0)])], 0, "tv", Clock::Steps)[0];
        assert_eq!((mean, low, high), (2.0, 2.0, 2.0));
    }
}
