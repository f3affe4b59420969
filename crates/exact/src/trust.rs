//! Which digits of a number can be shown: those on which two grids agree.
//!
//! Everything is computed on a coarse and on a fine grid. Splines are of order 6, so that the fine result is about eight times better than
//! the difference of grids whose spacings have the ratio √2, 64 times for the ratio 2: the difference is a safe bound. It does not see what
//! both grids miss alike, so the stretching of a step is checked first, and refused.

use crate::Refusal;
use crate::line::Masses;

/// Lost mass that is told.
const TOLD: f64 = 1e-6;

/// Lost mass from which no distribution is shown.
const TOO_MUCH: f64 = 1e-2;

/// The least mass of a node, relative to the largest one, from which the grid is too coarse.
const NEGATIVE: f64 = -1e-10;

/// Decimals at most.
const MOST_DECIMALS: u32 = 12;

/// A number on a fine grid, with what a coarser one says.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Trusted {
    /// The value on the fine grid.
    pub value: f64,
    /// How far the coarse grid is from it.
    pub difference: f64,
}

impl Trusted {
    /// A number on two grids.
    #[must_use]
    pub fn new(coarse: f64, fine: f64) -> Self {
        Self { value: fine, difference: (fine - coarse).abs() }
    }

    /// Decimals on which both agree to half a unit of the last one, at most 12; `None` if not even whole numbers do.
    #[must_use]
    pub fn decimals(&self) -> Option<u32> {
        let mut unit = 1.0;
        let mut found = None;
        for decimals in 0..=MOST_DECIMALS {
            if self.difference <= 0.5 * unit {
                found = Some(decimals);
            }
            unit /= 10.0;
        }
        found
    }
}

impl std::fmt::Display for Trusted {
    /// The digits that can be trusted.
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.decimals() {
            Some(decimals) => {
                let text = format!("{:.*}", decimals as usize, self.value);
                // What is 0 in all of its digits has no sign.
                let is_zero = text.bytes().all(|digit| b"-0.".contains(&digit));
                formatter.write_str(if is_zero { text.trim_start_matches('-') } else { &text })
            }
            None => write!(formatter, "?"),
        }
    }
}

/// Numbers with the digits that can be trusted: `solve` computes them on a grid with so many nodes along an axis. The coarse grid has half of
/// them, so that faces of cells stay where they are.
///
/// # Errors
/// What `solve` refuses for one of the grids.
pub fn on_two_grids<const N: usize>(
    nodes: usize,
    mut solve: impl FnMut(usize) -> Result<[f64; N], Refusal>,
) -> Result<[Trusted; N], Refusal> {
    let (coarse, fine) = (solve(nodes / 2)?, solve(nodes)?);
    Ok(std::array::from_fn(|k| Trusted::new(coarse[k], fine[k])))
}

impl Masses {
    /// Whether the distribution can be shown, and the share that has left the box if it is worth telling.
    ///
    /// # Errors
    /// If a mass is no number, if more than 1 % has left, and if masses oscillate because the grid is too coarse.
    pub fn checked(&self) -> Result<Option<f64>, Refusal> {
        let (mut least, mut largest) = (0.0f64, 0.0f64);
        for &mass in &self.nodes {
            if !mass.is_finite() {
                return Err(Refusal::NotANumber { step: 0 });
            }
            (least, largest) = (least.min(mass), largest.max(mass));
        }
        if !self.lost.is_finite() {
            Err(Refusal::NotANumber { step: 0 })
        } else if self.lost > TOO_MUCH {
            Err(Refusal::Left { lost: self.lost })
        } else if least < NEGATIVE * largest {
            Err(Refusal::Coarse)
        } else {
            Ok((self.lost > TOLD).then_some(self.lost))
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::line::tests::{Normal, section};
    use crate::line::{Line, Transitions};
    use crate::{Noise, Step, long_run};

    #[test]
    fn digits_are_those_on_which_grids_agree() {
        let solve = |nodes: usize| {
            let line = Line::new(section("double-well", &[]), -3.0, 3.0, nodes)?;
            let transition = Transitions::new(&line).step(Noise::LANGEVIN.step(0.01, true))?;
            let found = long_run(&transition, &line.truth()?.nodes)?;
            let square = |(x, mass): (&f64, &f64)| x * x * mass;
            Ok([line.nodes().iter().zip(&found.masses).map(square).sum(), found.second.re])
        };
        for (nodes, least) in [(32, 2), (256, 8)] {
            let found = on_two_grids(nodes, solve).unwrap();
            for (number, exact) in found.iter().zip([0.825_814_088_0, 0.992_396_043_0]) {
                assert!(number.decimals().unwrap() >= least, "{nodes} {number:?}");
                assert!((number.value - exact).abs() <= number.difference + 1e-10, "{nodes} {number:?}");
            }
        }
        assert_eq!(Trusted::new(1.2340, 1.2344).to_string(), "1.234");
        assert_eq!(Trusted::new(-1e-17, -1e-17).to_string(), "0.000000000000");
        assert_eq!(Trusted::new(0.0, 3.0).to_string(), "?");
        assert_eq!(Trusted::new(f64::NAN, 3.0).decimals(), None);
    }

    #[test]
    fn what_cannot_be_shown_is_refused() {
        let line = Line::new(Arc::new(Normal(1.0)), -4.0, 4.0, 64).unwrap();
        let mut transitions = Transitions::new(&line);
        assert_eq!(line.normal(0.0, 0.25).checked(), Ok(None));
        assert!(matches!(line.normal(0.0, 0.8).checked(), Ok(Some(lost)) if lost < 1e-4));
        let mut hot = [line.normal(0.0, 1.0)];
        let transition = transitions.step(Noise::LANGEVIN.step(1.8, true)).unwrap();
        (0..5).for_each(|_| transition.push(&mut hot));
        assert!(matches!(hot[0].checked(), Err(Refusal::Left { .. })));
        assert!(hot[0].checked().unwrap_err().to_string().ends_with("% of the chains have left the box of the grid"));
        // A normal narrower than the spacing.
        let mut narrow = [line.masses_of(|x| f64::from((x - 0.06).abs() < 0.01)).unwrap()];
        transitions.step(Step { alpha: 0.3, variance: 1e-9 }).unwrap().push(&mut narrow);
        assert_eq!(narrow[0].checked(), Err(Refusal::Coarse));
        for step in [Step { alpha: f64::NAN, variance: 1.0 }, Step { alpha: 0.1, variance: -1.0 }] {
            assert!(matches!(transitions.step(step), Err(Refusal::NotANumber { .. })));
        }
        assert!(matches!(transitions.step(Step { alpha: 1e3, variance: 1e-6 }), Err(Refusal::Stretch { .. })));
        assert!(matches!(transitions.step(Step { alpha: 1.0, variance: 1e9 }), Err(Refusal::Unsuited(_))));
        assert!(matches!(Line::new(Arc::new(Normal(1.0)), -1.0, 1.0, 8193), Err(Refusal::Grid { .. })));
        assert!(matches!(Line::new(Arc::new(Normal(f64::NAN)), -1.0, 1.0, 64), Err(Refusal::NotANumber { step: 0 })));
        assert!(matches!(line.after_point(0.0, Noise::LANGEVIN.step(1e-4, true)), Err(Refusal::Narrow { .. })));
    }
}
