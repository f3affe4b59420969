//! Gauss–Hermite quadrature for the standard normal distribution: Σ wᵢ f(xᵢ) = E f(x), x ~ N(0, 1), for all polynomials
//! f of degree below 2n.
//!
//! The nodes are the zeros of the Hermite polynomial of degree n, here in its orthonormal form h₀ = 1, h₁ = x, √(k+1)
//! h₍ₖ₊₁₎ = x hₖ − √k h₍ₖ₋₁₎, with hₙ′ = √n h₍ₙ₋₁₎; the weights are wᵢ = 1/Σ_{k<n} hₖ(xᵢ)² (Szegő 1939, *Orthogonal
//! polynomials*, eq. 3.4.8). The zeros of one degree lie between those of the degree before (theorem 3.3.2), which
//! gives Newton's method an interval with exactly one zero. Only + − × ÷ √ are used: the same bits on every machine.

/// Largest number of nodes.
pub const MOST_NODES: usize = 64;

/// Largest number of Newton steps or halvings; about six are needed.
const MOST_ITERATIONS: usize = 200;

/// Nodes, in ascending order, and weights of the rule with `count` nodes; `count` is clamped to 1..=[`MOST_NODES`].
#[must_use]
pub fn gauss_hermite(count: usize) -> Vec<(f64, f64)> {
    let count = count.clamp(1, MOST_NODES);
    let mut positive = Vec::new();
    for degree in 1..=count {
        positive = positive_zeros(degree, &positive);
    }
    let negative = positive.iter().rev().map(|zero| -zero);
    let middle = (count % 2 == 1).then_some(0.0);
    let nodes = negative.chain(middle).chain(positive.iter().copied());
    nodes.map(|node| (node, weight(count, node))).collect()
}

/// The positive zeros of a degree, in ascending order, from those of the degree before.
fn positive_zeros(degree: usize, before: &[f64]) -> Vec<f64> {
    // All zeros are below √(4n + 2) (Szegő, eq. 6.31.19, for this normalisation). An odd degree before has a zero at 0.
    let bound = (4.0 * degree as f64 + 2.0).sqrt();
    let zero = degree.is_multiple_of(2).then_some(0.0);
    let edges: Vec<f64> = zero.into_iter().chain(before.iter().copied()).chain([bound]).collect();
    let last = edges.len() - 1;
    let between = |(index, ends): (usize, &[f64])| {
        // The polynomial is positive above all zeros and changes its sign at each.
        let rises = (last - 1 - index).is_multiple_of(2);
        zero_between(degree, ends[0], ends[1], rises)
    };
    edges.windows(2).enumerate().map(between).collect()
}

/// The zero between two points, where the polynomial of this degree rises or falls.
fn zero_between(degree: usize, mut low: f64, mut high: f64, rises: bool) -> f64 {
    let mut at = 0.5 * (low + high);
    for _ in 0..MOST_ITERATIONS {
        let (value, slope) = value_and_slope(degree, at);
        if (value > 0.0) == rises {
            high = at;
        } else {
            low = at;
        }
        let newton = at - value / slope;
        let next = if newton > low && newton < high { newton } else { 0.5 * (low + high) };
        let moved = (next - at).abs();
        at = next;
        if moved <= f64::EPSILON * at {
            break;
        }
    }
    at
}

/// hₙ and its derivative.
fn value_and_slope(degree: usize, at: f64) -> (f64, f64) {
    let (before, value) = last_two(degree, at, |_| {});
    (value, (degree as f64).sqrt() * before)
}

/// 1/Σ hₖ² over k < `count`.
fn weight(count: usize, at: f64) -> f64 {
    let mut sum = 0.0;
    last_two(count, at, |value| sum += value * value);
    1.0 / sum
}

/// h₍ₙ₋₁₎ and hₙ; shows all before hₙ on the way.
fn last_two(degree: usize, at: f64, mut show: impl FnMut(f64)) -> (f64, f64) {
    let (mut before, mut value) = (0.0, 1.0);
    for k in 0..degree {
        show(value);
        let next = (at * value - (k as f64).sqrt() * before) / (k as f64 + 1.0).sqrt();
        (before, value) = (value, next);
    }
    (before, value)
}

#[cfg(test)]
mod tests {
    use approx::assert_relative_eq;

    use super::*;

    /// The rules of few nodes have a closed form.
    #[test]
    fn small_rules_are_the_known_ones() {
        let (three, six) = (3.0_f64.sqrt(), 6.0_f64.sqrt());
        let (inner, outer) = ((3.0 - six).sqrt(), (3.0 + six).sqrt());
        let (heavy, light) = (1.0 / (4.0 * (3.0 - six)), 1.0 / (4.0 * (3.0 + six)));
        let known: [&[(f64, f64)]; 4] = [
            &[(0.0, 1.0)],
            &[(-1.0, 0.5), (1.0, 0.5)],
            &[(-three, 1.0 / 6.0), (0.0, 2.0 / 3.0), (three, 1.0 / 6.0)],
            &[(-outer, light), (-inner, heavy), (inner, heavy), (outer, light)],
        ];
        for (index, expected) in known.iter().enumerate() {
            let rule = gauss_hermite(index + 1);
            assert_eq!(rule.len(), expected.len());
            for (found, expected) in rule.iter().zip(*expected) {
                assert_relative_eq!(found.0, expected.0, epsilon = 1e-15, max_relative = 1e-14);
                assert_relative_eq!(found.1, expected.1, max_relative = 1e-14);
            }
        }
    }

    /// E x^2k = (2k − 1)!! for every even degree below 2n. The terms are positive, so that rounding adds up and does not
    /// grow: at most one part in 10¹³ for degrees up to 126, since a node's error is multiplied by the degree.
    #[test]
    fn moments_are_exact_below_degree_2n() {
        for count in 1..=MOST_NODES {
            let rule = gauss_hermite(count);
            let mut expected = 1.0;
            for half in 0..count {
                let power = |x: f64| (0..half).fold(1.0, |power, _| power * x * x);
                let moment: f64 = rule.iter().map(|(node, weight)| weight * power(*node)).sum();
                assert_relative_eq!(moment, expected, max_relative = 1e-13);
                expected *= 2.0 * half as f64 + 1.0;
            }
        }
    }

    #[test]
    fn rules_are_symmetric_ascending_and_positive() {
        for count in 1..=MOST_NODES {
            let rule = gauss_hermite(count);
            assert_eq!(rule.len(), count);
            assert!(rule.windows(2).all(|pair| pair[0].0 < pair[1].0), "{count}");
            assert!(rule.iter().all(|(_, weight)| *weight > 0.0), "{count}");
            for (left, right) in rule.iter().zip(rule.iter().rev()) {
                assert_eq!((left.0, left.1.to_bits()), (-right.0, right.1.to_bits()), "{count}");
            }
        }
    }

    /// Largest nodes and weights as numpy.polynomial.hermite_e.hermegauss has them.
    #[test]
    fn large_rules_agree_with_another_program() {
        for (count, node, weight) in KNOWN {
            let rule = gauss_hermite(count);
            let last = rule[count - 1];
            assert_relative_eq!(last.0, node, max_relative = 1e-13);
            assert_relative_eq!(last.1, weight, max_relative = 1e-11);
        }
        assert_eq!((gauss_hermite(0), gauss_hermite(1000)), (gauss_hermite(1), gauss_hermite(MOST_NODES)));
    }

    const KNOWN: [(usize, f64, f64); 4] = [
        (10, 4.859462828332312, 4.310652630718312e-06),
        (20, 7.619048541679758, 1.2578006724379264e-13),
        (33, 10.258495626138684, 6.5068899704026354e-24),
        (64, 14.886186143339453, 3.1231879651077347e-49),
    ];
}
