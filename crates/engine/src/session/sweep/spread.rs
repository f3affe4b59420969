//! Spread of a measure over the seeds of a cell: mean, standard deviation, and the standard error of the mean.
//!
//! Means, because bias and mean squared error are means over repetitions; a seed without a value is left out and counted.

/// A measure over the seeds of a cell.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spread {
    /// Seeds with a value, at least 1.
    pub seeds: usize,
    /// Their mean.
    pub mean: f64,
    /// Their standard deviation, with seeds − 1 in the denominator; `None` of one seed.
    pub sd: Option<f64>,
    /// The smallest.
    pub least: f64,
    /// The largest.
    pub most: f64,
}

impl Spread {
    /// The spread of the values that there are; `None` without any.
    #[must_use]
    pub fn of(values: &[Option<f64>]) -> Option<Self> {
        let values: Vec<f64> = values.iter().flatten().copied().collect();
        let count = values.len() as f64;
        let mean = values.iter().sum::<f64>() / count;
        let squares: f64 = values.iter().map(|value| (value - mean) * (value - mean)).sum();
        let (least, most) = values
            .iter()
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(least, most), value| (least.min(*value), most.max(*value)));
        (!values.is_empty()).then(|| Self {
            seeds: values.len(),
            mean,
            sd: (values.len() > 1).then(|| (squares / (count - 1.0)).sqrt()),
            least,
            most,
        })
    }

    /// The standard error of the mean, sd/√seeds.
    #[must_use]
    pub fn standard_error(&self) -> Option<f64> {
        self.sd.map(|sd| sd / (self.seeds as f64).sqrt())
    }
}

/// The absolute bias and the mean squared error of an estimate, from its errors with their signs: |mean|, and the mean square. `None`
/// without any.
#[must_use]
pub fn bias_and_mse(errors: &[Option<f64>]) -> Option<(f64, f64)> {
    let squares: Vec<Option<f64>> = errors.iter().map(|error| error.map(|error| error * error)).collect();
    Some((Spread::of(errors)?.mean.abs(), Spread::of(&squares)?.mean))
}

#[cfg(test)]
mod tests {
    use approx::assert_relative_eq;

    use super::*;

    #[test]
    fn the_spread_is_that_of_the_values_that_there_are() {
        let found = Spread::of(&[Some(2.0), None, Some(4.0), Some(9.0)]).unwrap();
        // Deviations −3, −1, 4: sum of squares 26.
        let expected = Spread { seeds: 3, mean: 5.0, sd: Some(13.0_f64.sqrt()), least: 2.0, most: 9.0 };
        assert_eq!(found, expected);
        assert_relative_eq!(found.standard_error().unwrap(), (13.0_f64 / 3.0).sqrt());
        assert_eq!(Spread::of(&[None, None]), None);
        assert_eq!(Spread::of(&[Some(1.0)]).unwrap().sd, None);
    }

    #[test]
    fn the_mean_squared_error_is_squared_bias_and_variance() {
        let errors = [Some(0.5), Some(-0.25), Some(1.0), Some(0.75)];
        let (bias, mse) = bias_and_mse(&errors).unwrap();
        let spread = Spread::of(&errors).unwrap();
        assert_relative_eq!(mse, bias * bias + spread.sd.unwrap().powi(2) * 3.0 / 4.0);
        assert_relative_eq!(bias, 0.5);
    }
}
