//! Many data as fewer nodes with weights, at which sums over the data are the same to rounding.
//!
//! A datum x contributes −(x − θ₁)²/2σ² + ln(1 + eᵘ) and a constant to the log density, u = θ₂ (x − θ₁ − θ₂/2)/σ². As a function
//! of x this is smooth: the nearest poles of its derivatives are where u = ±iπ. In a cell of width 2σ²/|θ₂| or less, u changes by 2 at
//! most, and the polynomial through it at the 16 Chebyshev nodes of the cell is off by about (π + √(π² + 1))⁻¹⁶ ≈ 10⁻¹³ of it (Trefethen
//! 2013, Approximation Theory and Approximation Practice, theorem 8.2). So a cell of any number of data may be replaced by its
//! nodes: node m has the weight Σ Lₘ(x), Lₘ the Lagrange polynomials. The same weights serve gradients and second derivatives.

use std::f64::consts::PI;

/// Nodes of a cell.
const NODES: usize = 16;

/// Fewer data are summed one by one.
const FEWEST: usize = 8192;

/// Data for each node at least: else a summary is not worth its rounding errors.
const GAIN: usize = 8;

/// Nodes with weights.
#[derive(Clone, Debug)]
pub(super) struct Summary {
    /// Nodes and their weights, which add up to the number of data; as many as fill whole lanes.
    pub(super) nodes: Vec<f64>,
    pub(super) weights: Vec<f64>,
    /// The largest |θ₂| for which it holds.
    pub(super) reach: f64,
}

impl Summary {
    /// A summary of data of components with this variance, for |θ₂| up to the distance of the farthest data; `None` where it would
    /// not have far fewer nodes.
    #[expect(clippy::cast_sign_loss, reason = "a number of cells, which is below that of data")]
    pub(super) fn of(data: &[f64], variance: f64) -> Option<Self> {
        let (min, max) =
            data.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(min, max), &x| (min.min(x), max.max(x)));
        let reach = max - min;
        let count = (reach * reach / (2.0 * variance)).ceil().max(1.0);
        let worth = reach > 0.0 && count * (NODES * GAIN) as f64 <= data.len() as f64;
        if data.len() < FEWEST || !worth {
            return None;
        }
        let half = 0.5 * reach / count;
        let (nodes, rule) = chebyshev();
        let mut cells = vec![([0.0; NODES], false); count as usize];
        for x in data {
            let number = ((x - min) / (2.0 * half)).min(count - 1.0).floor();
            let (weights, used) = &mut cells[number as usize];
            *used = true;
            add(weights, &nodes, &rule, (x - min) / half - (2.0 * number + 1.0));
        }
        let mut summary = Self { nodes: Vec::new(), weights: Vec::new(), reach };
        for (number, (weights, _)) in cells.iter().enumerate().filter(|(_, (_, used))| *used) {
            let middle = min + half * (2.0 * number as f64 + 1.0);
            summary.nodes.extend(nodes.map(|node| middle + half * node));
            summary.weights.extend(weights);
        }
        Some(summary)
    }
}

/// The Chebyshev nodes in [−1, 1] with their barycentric weights (Berrut and Trefethen 2004, SIAM Review 46:501).
fn chebyshev() -> ([f64; NODES], [f64; NODES]) {
    let angle = |node: usize| PI * (2 * node + 1) as f64 / (2 * NODES) as f64;
    let nodes = std::array::from_fn(|node| libm::cos(angle(node)));
    let rule = std::array::from_fn(|node| if node % 2 == 0 { 1.0 } else { -1.0 } * libm::sin(angle(node)));
    (nodes, rule)
}

/// Adds the Lagrange polynomials at a point to the weights of the nodes.
fn add(weights: &mut [f64; NODES], nodes: &[f64; NODES], rule: &[f64; NODES], at: f64) {
    if let Some(same) = nodes.iter().position(|node| at.to_bits() == node.to_bits()) {
        weights[same] += 1.0;
        return;
    }
    let terms: [f64; NODES] = std::array::from_fn(|node| rule[node] / (at - nodes[node]));
    let sum: f64 = terms.iter().sum();
    weights.iter_mut().zip(terms).for_each(|(weight, term)| *weight += term / sum);
}

#[cfg(test)]
mod tests {
    use super::super::posterior::Posterior;
    use super::*;
    use crate::targets::kit::modes::Surface;
    use base::math::{Point, Purpose, Stream};

    /// Log density, gradient and Hessian by the summary and datum by datum agree to rounding, wherever the summary is used.
    #[test]
    fn sums_over_a_summary_are_those_over_the_data() {
        for (count, variance, gap) in [(20_000, 2.0, 1.0), (50_000, 0.5, 3.0), (100_000, 4.0, 0.1)] {
            let mut stream = Stream::derive(3, Purpose::Data, 0, 0);
            let sd = f64::sqrt(variance);
            let data: Vec<f64> = (0..count)
                .map(|_| if stream.uniform() < 0.5 { gap } else { 0.0 } + sd * stream.normal_pair().0)
                .collect();
            let posterior = Posterior::new(data, Point::new(10.0, 1.0), variance);
            let summary = posterior.summary.as_ref().expect("many data");
            assert!(summary.nodes.len() * GAIN <= count);
            let plain = Posterior { summary: None, ..posterior.clone() };
            for number in 0..60 {
                let scale = [0.05, 1.0, 3.0][number % 3];
                let at = Point::new(scale * stream.normal_pair().0, gap + scale * stream.normal_pair().0);
                let near = |found: f64, expected: f64, size: f64| {
                    assert!((found - expected).abs() <= 1e-12 * size, "{at}: {found} for {expected}");
                };
                let size = plain.log_density(at).abs();
                near(posterior.log_density(at), plain.log_density(at), size);
                let (found, expected) = (posterior.gradient(at), plain.gradient(at));
                (0..2).for_each(|axis| near(found[axis], expected[axis], size));
                let (found, expected) = (posterior.hessian(at), plain.hessian(at));
                (0..4).for_each(|entry| near(found[entry], expected[entry], 1e2 * size));
            }
            let far = Point::new(0.3, 1.5 * summary.reach);
            assert_eq!(posterior.log_density(far).to_bits(), plain.log_density(far).to_bits(), "out of reach");
        }
    }

    #[test]
    fn few_or_scattered_data_have_none() {
        let even =
            |count: u32, width: f64| (0..count).map(|k| width * f64::from(k) / f64::from(count)).collect::<Vec<_>>();
        assert!(Summary::of(&even(8000, 10.0), 2.0).is_none(), "few");
        assert!(Summary::of(&even(100_000, 1e3), 2.0).is_none(), "scattered");
        assert!(Summary::of(&vec![1.5; 20_000], 2.0).is_none(), "all at one place");
        assert!(Summary::of(&even(100_000, 10.0), 2.0).is_some());
    }
}
