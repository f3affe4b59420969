//! Bounds of a formula over a box, by interval arithmetic (Moore 1966, *Interval Analysis*).
//!
//! Every operation gives an interval that holds its values for all operands in theirs, a little wider than rounding needs.

use super::tape::{Binary, Operand, Operation, Tape, Unary};

/// From the least to the largest value; both infinite where nothing is known.
pub(super) type Interval = [f64; 2];

const ANYTHING: Interval = [f64::NEG_INFINITY, f64::INFINITY];

/// Of what is no number anywhere in the box, as the logarithm of what is negative.
const NOTHING: Interval = [f64::INFINITY, f64::NEG_INFINITY];

/// Relative widening of every result, far above its rounding error.
const SLACK: f64 = 1e-12;

impl<const K: usize> Tape<K> {
    /// Bounds of the values over a box; [`NOTHING`] where they are no numbers.
    pub(super) fn bounds(&self, x: Interval, y: Interval) -> [Interval; K] {
        let mut registers = vec![ANYTHING; self.registers];
        (registers[0], registers[1]) = (x, y);
        let read = |registers: &[Interval], operand: Operand| match operand {
            Operand::Register(register) => registers[register as usize],
            Operand::Number(number) => [number; 2],
        };
        for instruction in &self.instructions {
            let found = match instruction.operation {
                Operation::Unary(unary, of) => unary.bounds(read(&registers, of)),
                Operation::Binary(binary, [first, second]) => {
                    let (one, other) = (read(&registers, first), read(&registers, second));
                    let is_square = binary == Binary::Product && first == second && one != NOTHING;
                    if is_square { square(one) } else { binary.bounds(one, other) }
                }
                Operation::ExpDifference([first, second]) => {
                    let (one, other) = (read(&registers, first), read(&registers, second));
                    // What is taken off is the largest term, so the result is at most 1.
                    let [low, high] = Unary::Exp.bounds(widened(Binary::Difference.bounds(one, other)));
                    if [low, high] == NOTHING { NOTHING } else { [low, high.min(1.0)] }
                }
                Operation::Choice(of) | Operation::SlopeOfJump(of) => {
                    let [first, second, then, other] = of.map(|of| read(&registers, of));
                    if first == NOTHING || second == NOTHING {
                        NOTHING
                    } else if first[0] >= second[1] {
                        then
                    } else if first[1] < second[0] {
                        other
                    } else if matches!(instruction.operation, Operation::SlopeOfJump(_)) {
                        ANYTHING
                    } else {
                        hull(&[then[0], then[1], other[0], other[1]])
                    }
                }
            };
            registers[instruction.to as usize] = widened(found);
        }
        self.outputs.map(|output| read(&registers, output))
    }
}

/// An interval with a margin, on the same side of 0, since signs have no rounding errors; anything if an end is NaN.
fn widened([low, high]: Interval) -> Interval {
    if [low, high] == NOTHING {
        return NOTHING;
    }
    if low.is_nan() || high.is_nan() {
        return ANYTHING;
    }
    let margin = |end: f64| if end.is_finite() { SLACK * end.abs() + f64::MIN_POSITIVE } else { 0.0 };
    let (below, above) = (low - margin(low), high + margin(high));
    [if low >= 0.0 { below.max(0.0) } else { below }, if high <= 0.0 { above.min(0.0) } else { above }]
}

/// The smallest interval with all of these; anything if one is NaN.
fn hull(values: &[f64]) -> Interval {
    if values.iter().any(|value| value.is_nan()) {
        return ANYTHING;
    }
    values.iter().fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], value| [low.min(*value), high.max(*value)])
}

fn square([low, high]: Interval) -> Interval {
    let ends = [low * low, high * high];
    if low <= 0.0 && high >= 0.0 { [0.0, ends[0].max(ends[1])] } else { hull(&ends) }
}

impl Unary {
    fn bounds(self, [low, high]: Interval) -> Interval {
        match self {
            _ if [low, high] == NOTHING => NOTHING,
            Self::Ln | Self::Sqrt if high < 0.0 => NOTHING,
            // All of these grow.
            Self::Exp | Self::Atan | Self::Tanh | Self::Erf | Self::Sigmoid | Self::Softplus | Self::Floor => {
                [self.of(low), self.of(high)]
            }
            Self::Erfc => [self.of(high), self.of(low)],
            Self::Ln | Self::Sqrt => [self.of(low.max(0.0)), self.of(high.max(0.0))],
            Self::Negative => [-high, -low],
            Self::Abs => {
                let ends = [low.abs(), high.abs()];
                if low <= 0.0 && high >= 0.0 { [0.0, ends[0].max(ends[1])] } else { hull(&ends) }
            }
            Self::Sin => wave(self, [low, high], 0.25),
            Self::Cos => wave(self, [low, high], 0.0),
        }
    }
}

/// Sine or cosine, which is 1 at this number of turns and at all whole turns from it.
fn wave(function: Unary, [low, high]: Interval, top: f64) -> Interval {
    let turns = [low, high].map(|end| end / std::f64::consts::TAU);
    let is_short = turns[1] - turns[0] < 1.0 && turns[0].abs().max(turns[1].abs()) < 1e6;
    if !is_short {
        return [-1.0, 1.0];
    }
    let holds = |turn: f64| (turns[0] - turn - 1e-9).ceil() <= turns[1] - turn + 1e-9;
    let ends = hull(&[function.of(low), function.of(high)]);
    [if holds(top + 0.5) { -1.0 } else { ends[0] }, if holds(top) { 1.0 } else { ends[1] }]
}

/// Quotients by numbers from 0 to `largest`.
fn above_zero([a, b]: Interval, largest: f64) -> Interval {
    [if a < 0.0 { f64::NEG_INFINITY } else { a / largest }, if b > 0.0 { f64::INFINITY } else { b / largest }]
}

impl Binary {
    fn bounds(self, [a, b]: Interval, [c, d]: Interval) -> Interval {
        // 0 times an end at infinity is 0: the factor is 0 and the other number finite.
        let times = |x: f64, y: f64| if x == 0.0 || y == 0.0 { 0.0 } else { x * y };
        match self {
            _ if [a, b] == NOTHING || [c, d] == NOTHING => NOTHING,
            Self::Sum => [a + c, b + d],
            Self::Difference => [a - d, b - c],
            Self::Product => hull(&[times(a, c), times(a, d), times(b, c), times(b, d)]),
            Self::Quotient if c > 0.0 || d < 0.0 => hull(&[a / c, a / d, b / c, b / d]),
            Self::Quotient if c == 0.0 => above_zero([a, b], d),
            // Where the largest number is 0 it may have either sign.
            Self::Quotient => ANYTHING,
            Self::Larger => [a.max(c), b.max(d)],
            Self::Smaller => [a.min(c), b.min(d)],
        }
    }
}
