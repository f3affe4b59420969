//! Random directions in weight space with filter normalisation (H. Li, Z. Xu, G. Taylor, C. Studer & T. Goldstein 2018,
//! arXiv:1712.09913, section 4).
//!
//! A network with large weights in a unit bears large steps in them, so a random direction says little by itself. Here a direction
//! has independent standard normals, and then, for every unit of a hidden layer or of the output, the part that leads to the unit is
//! scaled to the length of the same part of the weights: d ← d ‖θ‖/‖d‖. Of a fully connected layer that part is a row of W; here the
//! bias of the unit belongs to it, where Li et al. leave biases as they are.

use base::math::{Purpose, Stream, normal_quantile};
use models::targets::network::Layout;

/// Direction number `number` at the weights θ, as long as they are in every unit; 0 in a unit whose weights are 0.
#[must_use]
pub fn filter_direction(layout: &Layout, theta: &[f64], number: u64) -> Vec<f64> {
    let mut stream = Stream::derive(number, Purpose::Measure, 0, 0);
    let mut direction: Vec<f64> = theta.iter().map(|_| normal_quantile(stream.uniform())).collect();
    for layer in layout.layers() {
        for unit in 0..layer.outputs {
            let part = || (0..=layer.inputs).map(|column| layer.index(unit, column));
            let length = |of: &[f64]| part().map(|axis| of[axis] * of[axis]).sum::<f64>().sqrt();
            let scale = length(theta) / length(&direction);
            part().for_each(|axis| direction[axis] *= scale);
        }
    }
    direction
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_unit_has_the_length_of_its_weights() {
        let layout = Layout::new(&[2, 3, 2, 1]).unwrap();
        let theta: Vec<f64> = (0..layout.dimension()).map(|axis| f64::from(axis as u8) * 0.3 - 2.0).collect();
        let direction = filter_direction(&layout, &theta, 1);
        // The weights to the units of [2, 3, 2, 1], with the bias of each at the end.
        let units: [&[usize]; 6] =
            [&[0, 1, 6], &[2, 3, 7], &[4, 5, 8], &[9, 10, 11, 15], &[12, 13, 14, 16], &[17, 18, 19]];
        assert_eq!(units.iter().map(|unit| unit.len()).sum::<usize>(), layout.dimension());
        for unit in units {
            let length = |of: &[f64]| unit.iter().map(|axis| of[*axis] * of[*axis]).sum::<f64>().sqrt();
            assert!((length(&direction) - length(&theta)).abs() < 1e-12, "{unit:?}");
        }
        // Scaling the weights to a unit scales its part of the direction, and nothing else.
        let mut scaled = theta.clone();
        units[1].iter().for_each(|axis| scaled[*axis] *= 5.0);
        for (axis, (a, b)) in direction.iter().zip(filter_direction(&layout, &scaled, 1)).enumerate() {
            let factor = if units[1].contains(&axis) { 5.0 } else { 1.0 };
            assert!((a * factor - b).abs() < 1e-12, "{axis}");
        }
        assert_ne!(filter_direction(&layout, &theta, 2), direction);
        assert_eq!(filter_direction(&layout, &theta, 1), direction);
        assert!(filter_direction(&layout, &vec![0.0; layout.dimension()], 1).iter().all(|value| value.abs() <= 0.0));
    }

    /// Before they are scaled directions are standard normal: of a unit with one weight beside its bias, the angle is uniform.
    #[test]
    fn directions_are_uniform() {
        let layout = Layout::new(&[1, 1]).unwrap();
        let count = 4000;
        let eighth = |number| {
            let direction = filter_direction(&layout, &[3.0, 4.0], number);
            assert!((direction[0].hypot(direction[1]) - 5.0).abs() < 1e-12);
            // Eighths of the circle.
            let angle = direction[1].atan2(direction[0]).rem_euclid(std::f64::consts::TAU);
            (0..7).take_while(|end| angle >= f64::from(end + 1) * std::f64::consts::FRAC_PI_4).count()
        };
        let mut counts = [0_u32; 8];
        (0..count).for_each(|number| counts[eighth(number)] += 1);
        // χ² with 7 degrees of freedom exceeds 24.3 once in a thousand.
        let expected = count as f64 / 8.0;
        let square: f64 = counts.iter().map(|seen| (f64::from(*seen) - expected).powi(2) / expected).sum();
        assert!(square < 24.3, "{counts:?}");
    }
}
