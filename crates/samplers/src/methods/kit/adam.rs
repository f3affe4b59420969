//! Adam ([`Decay`]) on the parameters of a Gaussian in the plane, as an ascent on a lower bound.
//!
//! β₁ᵗ is the product of the β₁ of all steps so far, so that the correction stays right when β₁ changes during the run. It is counted per
//! parameter, because one parameter can pause while others move: its t is the number of its own gradients.

use base::math::Decay;

/// Number of parameters.
const SIZE: usize = 5;

/// Parameters with their moving averages.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Adam {
    /// The parameters x.
    pub(crate) parameters: [f64; SIZE],
    /// m.
    first: [f64; SIZE],
    /// v.
    second: [f64; SIZE],
    /// β₁ᵗ and β₂ᵗ.
    decayed: [[f64; 2]; SIZE],
}

impl Adam {
    /// The state before the first step.
    pub(crate) fn new(parameters: [f64; SIZE]) -> Self {
        Self { parameters, first: [0.0; SIZE], second: [0.0; SIZE], decayed: [[1.0; 2]; SIZE] }
    }

    /// Resets the moving averages of one parameter.
    pub(crate) fn forget(&mut self, parameter: usize) {
        (self.first[parameter], self.second[parameter]) = (0.0, 0.0);
        self.decayed[parameter] = [1.0; 2];
    }

    /// m̂ and v̂: the moving averages without the share of their start at 0; 0 of parameters that have had no gradient.
    pub(crate) fn corrected(&self) -> [[f64; SIZE]; 2] {
        let of = |averages: &[f64; SIZE], which: usize| {
            std::array::from_fn(|entry| {
                let correction = 1.0 - self.decayed[entry][which];
                if correction > 0.0 { averages[entry] / correction } else { 0.0 }
            })
        };
        [of(&self.first, 0), of(&self.second, 1)]
    }

    /// The state after a step of size α; `None` if the gradient is NaN. Parameters without a gradient keep their value
    /// and their moving averages.
    #[must_use]
    pub(crate) fn after(&self, gradient: [Option<f64>; SIZE], alpha: f64, decay: Decay) -> Option<Self> {
        if gradient.iter().flatten().any(|entry| entry.is_nan()) {
            return None;
        }
        let mut next = *self;
        for (entry, gradient) in gradient.into_iter().enumerate() {
            let Some(gradient) = gradient else { continue };
            let [first, second] = self.decayed[entry];
            next.decayed[entry] = [first * decay.first, second * decay.second];
            let [first, second] = next.decayed[entry].map(|decayed| 1.0 - decayed);
            let averages = [&mut next.first[entry], &mut next.second[entry]];
            next.parameters[entry] += decay.step(averages, gradient, alpha, [first, second]);
        }
        Some(next)
    }
}

#[cfg(test)]
mod tests {
    use approx::assert_relative_eq;

    use super::*;

    const DECAY: Decay = Decay { first: 0.9, second: 0.999 };

    /// Up to ε, a constant gradient gives steps of size α, however large or small it is.
    #[test]
    fn steps_along_a_constant_gradient_have_size_alpha() {
        let gradient = [1e-3, -7.0, 1e20, 0.0, -1e-40];
        let mut adam = Adam::new([0.0; SIZE]);
        for step in 1..=50 {
            adam = adam.after(gradient.map(Some), 0.1, DECAY).unwrap();
            let distance = 0.1 * f64::from(step);
            let expected = [distance / (1.0 + 1e-5), -distance / (1.0 + 1e-8 / 7.0), distance, 0.0, 0.0];
            for (found, expected) in adam.parameters.iter().zip(expected) {
                assert_relative_eq!(*found, expected, epsilon = 1e-30, max_relative = 1e-12);
            }
        }
    }

    /// Two steps worked out by hand from the formulas.
    #[test]
    fn two_steps_follow_the_formulas_of_the_paper() {
        let adam = Adam::new([1.0; SIZE]).after([Some(2.0); SIZE], 0.5, DECAY).unwrap();
        let adam = adam.after([Some(-1.0); SIZE], 0.25, DECAY).unwrap();
        let mean = (0.9 * 0.1 * 2.0 - 0.1) / (1.0 - 0.81);
        let square = (0.999 * 0.001 * 4.0 + 0.001) / (1.0 - 0.999 * 0.999);
        let expected = 1.0 + 0.5 * 2.0 / (2.0 + 1e-8) + 0.25 * mean / (f64::sqrt(square) + 1e-8);
        assert_relative_eq!(adam.parameters[3], expected, max_relative = 1e-13);
    }

    /// NaN is rejected.
    #[test]
    fn infinite_gradients_keep_their_sign() {
        let adam = Adam::new([1.0; SIZE]);
        let after = adam.after([0.0, f64::INFINITY, -1e200, 0.0, 1.0].map(Some), 0.1, DECAY).unwrap();
        for (found, expected) in after.parameters.into_iter().zip([1.0, 1.1, 0.9, 1.0, 1.1]) {
            assert_relative_eq!(found, expected, max_relative = 1e-8);
        }
        assert_eq!(adam.after([0.0, f64::NAN, 0.0, 0.0, 0.0].map(Some), 0.1, DECAY), None);
    }

    /// A parameter without gradient stays where it is. Its first step afterwards has size α, whatever the number of
    /// steps of the others, and so has the first step after a reset.
    #[test]
    fn the_first_step_after_a_pause_has_size_alpha() {
        let (resting, moving) = ([Some(2.0), Some(2.0), Some(2.0), Some(2.0), None], [Some(2.0); SIZE]);
        let mut adam = Adam::new([0.0; SIZE]);
        for round in 1..=3 {
            let before = adam.parameters[4];
            for _ in 0..70 {
                adam = adam.after(resting, 0.1, DECAY).unwrap();
            }
            assert_eq!(adam.parameters[4].to_bits(), before.to_bits());
            adam = adam.after(moving, 0.1, DECAY).unwrap();
            assert_relative_eq!(adam.parameters[4], 0.1 * f64::from(round), max_relative = 1e-7);
            assert_relative_eq!(adam.parameters[3], 7.1 * f64::from(round), max_relative = 1e-7);
            adam.forget(4);
        }
    }
}
