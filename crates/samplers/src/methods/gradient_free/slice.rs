//! Univariate slice sampling, a part of other methods: a draw from a density on a line that is known up to a constant, from one point to the next.
//!
//! Neal (2003), "Slice sampling", Ann. Statist. 31:705, figures 3 (stepping out) and 5 (shrinkage). From x₀ with log density f(x₀):
//!
//! 1. The level is f(x₀) + ln u; the slice is where f lies above it.
//! 2. An interval of width w is laid around x₀, x₀ anywhere in it with equal probability, and extended by w at either end until
//!    the end is outside the slice, in all by at most m − 1 widths, which are shared between the ends at random beforehand.
//! 3. A point of the interval is tried. Outside the slice it becomes an end of the interval, on its side of x₀; then the next one
//!    is tried.
//!
//! Deviation: after a largest number of points the draw is x₀ itself. The map stays exact: the points that were tried in vain are
//! tried with the same probability on the way back from x₁ to x₀, so that all moves to other points are balanced as in the
//! paper (section 4.3), and a move from a point to itself is balanced whatever its probability.
//!
//! The density is evaluated at most m − 1 times for the interval, and once for every point tried. Where it is 0 or NaN is outside.

use base::math::elementary::ln;

/// Uniforms of a draw besides one for each point tried: for the level, the position of the interval, and the shares of its ends.
pub(crate) const FIRST: usize = 3;

/// How a slice is sampled.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Search {
    /// w, above 0.
    pub(crate) width: f64,
    /// m, at least 1.
    pub(crate) most_widths: u32,
    /// The largest number of points tried, at least 1.
    pub(crate) most_tries: u32,
}

impl Search {
    /// The largest number of evaluations of a draw.
    pub(crate) fn most_evaluations(&self) -> u32 {
        self.most_widths - 1 + self.most_tries
    }

    /// Uniforms of a draw.
    pub(crate) fn uniforms(&self) -> usize {
        FIRST + self.most_tries as usize
    }
}

/// What the density is asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Asked {
    /// The lower end of the interval.
    #[default]
    Low,
    /// The upper end.
    High,
    /// A point within.
    Within,
}

/// A draw on its way: between two evaluations of the density, so that those of many chains are computed side by side.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Slice {
    /// x₀.
    from: f64,
    level: f64,
    low: f64,
    high: f64,
    /// Widths that are left at the lower and at the upper end.
    left: [f64; 2],
    tried: u32,
    asked: Asked,
    /// Where the density is asked for.
    pub(crate) at: f64,
}

/// What follows from an evaluation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SliceOutcome {
    /// Nothing yet: the density is asked for elsewhere.
    Nothing,
    /// The last point is the draw.
    Draw,
    /// All points were tried: the draw is x₀.
    Start,
}

impl Slice {
    /// Begins at `from`, where the log density is `log_density`. `uniform` gives the uniforms of the draw by their numbers, the
    /// same ones in every call.
    pub(crate) fn begin(from: f64, log_density: f64, search: &Search, uniform: impl Fn(usize) -> f64) -> Self {
        let low = from - search.width * uniform(1);
        let most = f64::from(search.most_widths);
        let lower = (uniform(2) * most).floor().min(most - 1.0);
        let mut slice = Self {
            from,
            level: log_density + ln(uniform(0)),
            low,
            high: low + search.width,
            left: [lower, most - 1.0 - lower],
            ..Self::default()
        };
        slice.ask(uniform);
        slice
    }

    /// Goes on with the log density at [`Slice::at`].
    pub(crate) fn go_on(&mut self, log_density: f64, search: &Search, uniform: impl Fn(usize) -> f64) -> SliceOutcome {
        let inside = log_density > self.level;
        match self.asked {
            Asked::Low if inside => (self.low, self.left[0]) = (self.low - search.width, self.left[0] - 1.0),
            Asked::Low => self.left[0] = 0.0,
            Asked::High if inside => (self.high, self.left[1]) = (self.high + search.width, self.left[1] - 1.0),
            Asked::High => self.left[1] = 0.0,
            Asked::Within if inside => return SliceOutcome::Draw,
            Asked::Within => {
                let end = if self.at < self.from { &mut self.low } else { &mut self.high };
                *end = self.at;
                self.tried += 1;
                if self.tried == search.most_tries {
                    return SliceOutcome::Start;
                }
            }
        }
        self.ask(uniform);
        SliceOutcome::Nothing
    }

    /// Chooses where the density is asked for next.
    fn ask(&mut self, uniform: impl Fn(usize) -> f64) {
        let goes_out = self.left.map(|left| left > 0.0);
        (self.asked, self.at) = match goes_out {
            [true, _] => (Asked::Low, self.low),
            [false, true] => (Asked::High, self.high),
            [false, false] => {
                let share = uniform(FIRST + self.tried as usize);
                (Asked::Within, self.low + share * (self.high - self.low))
            }
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::math::{Purpose, Stream, normal_cdf};

    const SEARCH: Search = Search { width: 1.0, most_widths: 4, most_tries: 3 };

    /// A draw with the given uniforms from a log density, with the number of evaluations.
    fn draw(from: f64, search: &Search, uniforms: &[f64], log_density: impl Fn(f64) -> f64) -> (f64, u32) {
        let uniform = |number: usize| uniforms[number];
        let mut slice = Slice::begin(from, log_density(from), search, uniform);
        for evaluations in 1.. {
            match slice.go_on(log_density(slice.at), search, uniform) {
                SliceOutcome::Nothing => {}
                SliceOutcome::Draw => return (slice.at, evaluations),
                SliceOutcome::Start => return (from, evaluations),
            }
        }
        unreachable!()
    }

    /// On the interval from −1 to 1 with a constant density the slice is the interval. From 0.2 with w = 1: the interval is
    /// laid from −0.3 to 0.7; two of three widths are for the lower end: −0.3 and −1.3 are asked, the second is outside; then
    /// 0.7 for the upper one, which goes to 1.7, where no width is left.
    #[test]
    fn an_interval_is_extended_and_shrunk_as_in_the_paper() {
        let flat = |x: f64| if x.abs() < 1.0 { 0.0 } else { f64::NEG_INFINITY };
        // −1.3 + 0.02 · 3 = −1.24 is outside and becomes the lower end; −1.24 + 0.9 · 2.94 = 1.406 the upper one; then 0.083.
        let (at, evaluations) = draw(0.2, &SEARCH, &[0.5, 0.5, 0.6, 0.02, 0.9, 0.5], flat);
        assert!((at - 0.083).abs() < 1e-12 && evaluations == 6, "{at} {evaluations}");
        // All widths for the lower end: −0.3 and −1.3 are asked; the interval ends at 0.7.
        let (at, evaluations) = draw(0.2, &SEARCH, &[0.5, 0.5, 0.99, 0.5, 0.5, 0.5], flat);
        assert!((at + 0.3).abs() < 1e-12 && evaluations == 3, "{at} {evaluations}");
        // Three points in vain: the draw is the start.
        let (at, evaluations) = draw(0.2, &SEARCH, &[0.5, 0.5, 0.6, 0.01, 0.01, 0.01], flat);
        assert!((at - 0.2).abs() < 1e-15 && evaluations == 6, "{at} {evaluations}");
        assert_eq!(SEARCH.most_evaluations(), 6);
    }

    #[test]
    fn a_place_without_density_is_outside_and_is_left() {
        let half = |x: f64| if x > 0.0 { -x } else { f64::NAN };
        let (at, _) = draw(-0.1, &SEARCH, &[0.5, 0.5, 0.0, 0.9, 0.9, 0.9], half);
        assert!((at + 0.1).abs() < 1e-15, "without a level nothing is above it: {at}");
        let none = |x: f64| if x > 0.0 { -x } else { f64::NEG_INFINITY };
        let (at, _) = draw(-0.1, &SEARCH, &[0.5, 0.5, 0.0, 0.9, 0.9, 0.9], none);
        // Every point with density is above: the interval goes up to 3.4.
        assert!((at - 3.0).abs() < 1e-12, "{at}");
    }

    /// One draw from each of 4096 exact ones of N(0, 1), also where the search is so short that many draws stay: the statistic of
    /// Kolmogorov and Smirnov exceeds 2.69/√4096 with probability 10⁻⁶.
    #[test]
    fn a_density_is_kept_whatever_the_search() {
        let normal = |x: f64| -0.5 * x * x;
        for (width, most_widths, most_tries) in [(2.0, 10, 20), (0.3, 1, 2), (0.3, 8, 1), (40.0, 3, 2), (40.0, 1, 30)] {
            let search = Search { width, most_widths, most_tries };
            let mut stream = Stream::derive(3, Purpose::Data, 0, u64::from(most_tries));
            let (mut moved, mut most) = (0, 0);
            let mut points: Vec<f64> = (0..4096)
                .map(|_| {
                    let mut at = stream.normal_pair().0;
                    for _ in 0..4 {
                        let uniforms: Vec<f64> = (0..search.uniforms()).map(|_| stream.uniform()).collect();
                        let (to, evaluations) = draw(at, &search, &uniforms, normal);
                        (moved, most) = (moved + i32::from((to - at).abs() > 0.0), most.max(evaluations));
                        at = to;
                    }
                    normal_cdf(at)
                })
                .collect();
            points.sort_by(f64::total_cmp);
            let gap = |(number, point): (usize, &f64)| {
                let share = number as f64 / 4096.0;
                (point - share).abs().max((point - share - 1.0 / 4096.0).abs())
            };
            let distance = points.iter().enumerate().map(gap).fold(0.0, f64::max);
            assert!(distance < 2.69 / 64.0, "{search:?}: {distance}");
            assert!(most <= search.most_evaluations() && moved > 400, "{search:?}: {most}, {moved} moves");
        }
    }
}
