//! Measures of the newest step: drift, gradient noise and injected noise of the newest step, kinetic temperature, and the
//! stability limit of the step size. Means are over the chains whose steps are recorded, the first 64.

mod input;
mod kinetic_temperature;
mod magnitudes;
mod stability;

pub use input::DynamicsInput;
pub use stability::curvature;

use super::{Measure, MeasureEntry, MeasureSpec, Outcome, specs};

/// The function that computes a readout.
type DynamicsFunction = fn(&DynamicsInput) -> Outcome;

/// The registry: one line for each readout, in the order in which they are shown.
const ENTRIES: &[MeasureEntry<DynamicsFunction>] = &[
    MeasureEntry { spec: stability::SPEC, value: stability::value },
    MeasureEntry { spec: magnitudes::DRIFT, value: magnitudes::drift },
    MeasureEntry { spec: magnitudes::GRADIENT_NOISE, value: magnitudes::gradient_noise },
    MeasureEntry { spec: magnitudes::INJECTED_NOISE, value: magnitudes::injected_noise },
    MeasureEntry { spec: kinetic_temperature::SPEC, value: kinetic_temperature::value },
];

/// The readouts of the dynamics, in the order in which they are shown.
pub static DYNAMICS: [MeasureSpec; ENTRIES.len()] = specs(ENTRIES);

/// All readouts, in the order of [`DYNAMICS`].
#[must_use]
pub fn measure_dynamics(input: &DynamicsInput) -> Vec<Measure> {
    ENTRIES.iter().map(|entry| Measure::new(entry.spec.key, (entry.value)(input))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::math::Point;

    fn values(input: &DynamicsInput) -> Vec<(&'static str, Option<f64>)> {
        measure_dynamics(input).into_iter().map(|measure| (measure.key, measure.value)).collect()
    }

    #[test]
    fn magnitudes_are_root_mean_squares_over_the_chains() {
        let input = DynamicsInput {
            alpha: 0.03,
            dimension: 2,
            stability: Some(0.06),
            drift: vec![Point::new(3.0, 4.0), Point::new(0.0, 1.0)],
            gradient_noise: vec![Point::zeros(); 2],
            injected_noise: vec![Point::new(1.0, 1.0), Point::new(1.0, -1.0)],
            momenta: vec![Point::new(1.0, 2.0), Point::new(0.0, -1.0)],
        };
        let expected = [
            ("alpha_lambda", Some(1.0)),
            ("drift", Some(13.0_f64.sqrt())),
            ("gradient_noise", Some(0.0)),
            ("injected_noise", Some(2.0_f64.sqrt())),
            ("kinetic_temperature", Some(1.5)),
        ];
        assert_eq!(values(&input), expected);
    }

    #[test]
    fn on_the_line_a_momentum_has_one_degree_of_freedom() {
        let input = DynamicsInput { dimension: 1, momenta: vec![Point::new(2.0, 0.0)], ..Default::default() };
        assert_eq!(values(&input)[4], ("kinetic_temperature", Some(4.0)));
    }

    #[test]
    fn before_the_first_step_there_are_reasons() {
        for measure in measure_dynamics(&DynamicsInput::default()) {
            assert!(measure.value.is_none() && !measure.reason.is_empty(), "{}", measure.key);
        }
        let far = DynamicsInput { drift: vec![Point::repeat(f64::INFINITY)], ..Default::default() };
        assert_eq!(measure_dynamics(&far)[1].reason, "the chains have left");
    }

    #[test]
    fn keys_are_those_of_the_specs() {
        let measures = measure_dynamics(&DynamicsInput::default());
        assert!(measures.iter().map(|measure| measure.key).eq(DYNAMICS.iter().map(|spec| spec.key)));
    }
}
