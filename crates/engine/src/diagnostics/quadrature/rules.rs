//! Rules of quadrature on an interval, and how far those with 2, 3 and 5 points per direction can be trusted.

/// A rule on [−1, 1]: nodes and weights that add up to 1.
pub(super) type Rule = &'static [(f64, f64)];

pub(super) const TWO_POINTS: Rule = &[(-0.577_350_269_189_625_8, 0.5), (0.577_350_269_189_625_8, 0.5)];
pub(super) const THREE_POINTS: Rule =
    &[(-0.774_596_669_241_483_4, 5.0 / 18.0), (0.0, 8.0 / 18.0), (0.774_596_669_241_483_4, 5.0 / 18.0)];
pub(super) const FIVE_POINTS: Rule = &[
    (-0.906_179_845_938_664, 0.118_463_442_528_094_54),
    (-0.538_469_310_105_683_1, 0.239_314_335_249_683_23),
    (0.0, 64.0 / 225.0),
    (0.538_469_310_105_683_1, 0.239_314_335_249_683_23),
    (0.906_179_845_938_664, 0.118_463_442_528_094_54),
];
pub(super) const ON_AXIS: Rule = &[(0.0, 1.0)];

/// The Gauss–Lobatto rules of the same degrees as those with 2, 3 and 5 points.
pub(super) const LOBATTO: [Rule; 3] = [
    &[(-1.0, 1.0 / 6.0), (0.0, 4.0 / 6.0), (1.0, 1.0 / 6.0)],
    &[
        (-1.0, 1.0 / 12.0),
        (-0.447_213_595_499_957_9, 5.0 / 12.0),
        (0.447_213_595_499_957_9, 5.0 / 12.0),
        (1.0, 1.0 / 12.0),
    ],
    &[
        (-1.0, 1.0 / 30.0),
        (-0.765_055_323_929_464_7, 0.189_237_478_148_923_5),
        (-0.285_231_516_480_645_1, 0.277_429_188_517_743_2),
        (0.285_231_516_480_645_1, 0.277_429_188_517_743_2),
        (0.765_055_323_929_464_7, 0.189_237_478_148_923_5),
        (1.0, 1.0 / 30.0),
    ],
];

/// The corners of a box.
pub(super) const ENDS: Rule = &[(-1.0, 0.5), (1.0, 0.5)];

/// What the points of a rule show of a box.
pub(super) struct Probe {
    /// The average density.
    pub(super) average: f64,
    average_log: f64,
    pub(super) lowest: f64,
    pub(super) highest: f64,
}

impl Default for Probe {
    fn default() -> Self {
        Self { average: 0.0, average_log: 0.0, lowest: f64::INFINITY, highest: f64::NEG_INFINITY }
    }
}

impl Probe {
    pub(super) fn add(&mut self, log: f64, weight: f64) {
        self.average += weight * libm::exp(log);
        self.average_log += weight * log;
        self.lowest = self.lowest.min(log);
        self.highest = self.highest.max(log);
    }

    /// Estimates, on the high side, of the errors of the rules with 2, 3 and 5 points, relative to the highest density;
    /// this probe is the one with 2. Where it has met a density of 0 they are infinite.
    pub(super) fn relative_errors(&self, log_at_middle: f64) -> [f64; 3] {
        // The two points of a direction are 1/√3 of the width apart, and their mean bends off by k/24.
        let range = self.highest - self.lowest;
        let s = 3.0 * (range * range);
        let k = 24.0 * (self.average_log - log_at_middle).abs();
        if !(s.is_finite() && k.is_finite()) {
            return [f64::INFINITY; 3];
        }
        // h⁵ f⁗/4320, h⁷ f⁽⁶⁾/2016000 and h¹¹ f⁽¹⁰⁾/2.53·10¹² with f⁗/f = a⁴ + 6a²k + 3k² and so on, s = a².
        let fourth = s * (s + 6.0 * k) + 3.0 * k * k;
        let sixth = s * (s * (s + 15.0 * k) + 45.0 * k * k) + 15.0 * (k * k * k);
        let inner = s * (s * (s + 45.0 * k) + 630.0 * k * k) + 3150.0 * (k * k * k);
        let tenth = s * (s * inner + 4725.0 * (k * k * k * k)) + 945.0 * (k * k * k * k * k);
        [fourth / 4320.0, sixth / 2_016_000.0, tenth / 2.53e12]
    }
}
