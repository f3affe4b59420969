//! Log densities with their normalisers, made of other functions. They have Stan's names and parameters (Stan Functions Reference).
//!
//! Those of counts take any number in the place of a count: the formula is that of whole ones.

use std::f64::consts::{LN_2, PI, SQRT_2};

use super::functions::Distribution;
use super::graph::{Graph, Id, NewNode};
use super::tape::Unary;
use base::math::elementary::ln;

impl Graph {
    /// The log density of a distribution with parameters `of` at x.
    pub(super) fn lpdf(&mut self, distribution: Distribution, x: Id, of: &[Id]) -> NewNode {
        match distribution {
            Distribution::Normal => self.normal(x, of[0], of[1]),
            Distribution::StdNormal => {
                let [zero, one] = [self.number(0.0)?, self.number(1.0)?];
                self.normal(x, zero, one)
            }
            Distribution::SkewNormal => self.skew_normal(x, of),
            Distribution::Lognormal => {
                let y = self.logarithm(x)?;
                let normal = self.normal(y, of[0], of[1])?;
                self.difference(normal, y)
            }
            Distribution::StudentT => self.student_t(x, of),
            Distribution::Cauchy => self.cauchy(x, of[0], of[1]),
            Distribution::DoubleExponential => {
                let [z, scale] = self.standard(x, of[0], of[1])?;
                let size = self.unary(Unary::Abs, z)?;
                let fall = self.negative(size)?;
                self.all(-LN_2, &[scale, fall])
            }
            Distribution::Logistic => self.logistic(x, of[0], of[1]),
            Distribution::Gumbel => {
                let [z, scale] = self.standard(x, of[0], of[1])?;
                let negative = self.negative(z)?;
                let power = self.unary(Unary::Exp, negative)?;
                let sum = self.sum(negative, scale)?;
                self.difference(sum, power)
            }
            Distribution::Uniform => self.uniform(x, of[0], of[1]),
            Distribution::Exponential => {
                let one = self.number(1.0)?;
                self.gamma(x, one, of[0])
            }
            Distribution::Gamma => self.gamma(x, of[0], of[1]),
            Distribution::InvGamma => self.inv_gamma(x, of[0], of[1]),
            Distribution::ChiSquare | Distribution::InvChiSquare => {
                let [shape, half] = [self.scaled(0.5, of[0])?, self.number(0.5)?];
                match distribution {
                    Distribution::ChiSquare => self.gamma(x, shape, half),
                    _ => self.inv_gamma(x, shape, half),
                }
            }
            Distribution::ScaledInvChiSquare => {
                let shape = self.scaled(0.5, of[0])?;
                let square = self.product(of[1], of[1])?;
                let scale = self.product(shape, square)?;
                self.inv_gamma(x, shape, scale)
            }
            Distribution::Weibull | Distribution::Frechet | Distribution::Loglogistic => {
                self.of_ratio(distribution, x, of)
            }
            Distribution::Rayleigh => self.rayleigh(x, of[0]),
            Distribution::Pareto => self.pareto(x, of[0], of[1]),
            Distribution::Beta => self.beta(x, of[0], of[1]),
            Distribution::BetaProportion => {
                let rest = self.rest(of[0])?;
                let [a, b] = [self.product(of[0], of[1])?, self.product(rest, of[1])?];
                self.beta(x, a, b)
            }
            _ => self.lpmf(distribution, x, of),
        }
    }

    /// The log probability of a count.
    fn lpmf(&mut self, distribution: Distribution, n: Id, of: &[Id]) -> NewNode {
        match distribution {
            Distribution::Bernoulli => {
                let one = self.number(1.0)?;
                self.trials(n, one, of[0])
            }
            Distribution::Binomial => {
                let [ways, trials] = [self.ways(of[0], n)?, self.trials(n, of[0], of[1])?];
                self.sum(ways, trials)
            }
            Distribution::BernoulliLogit => {
                let one = self.number(1.0)?;
                self.trials_of_logit(n, one, of[0])
            }
            Distribution::BinomialLogit => {
                let [ways, trials] = [self.ways(of[0], n)?, self.trials_of_logit(n, of[0], of[1])?];
                self.sum(ways, trials)
            }
            Distribution::BetaBinomial => {
                let ways = self.ways(of[0], n)?;
                let missed = self.difference(of[0], n)?;
                let [a, b] = [self.sum(n, of[1])?, self.sum(missed, of[2])?];
                let [after, before] = [self.lbeta(a, b)?, self.lbeta(of[1], of[2])?];
                let gain = self.difference(after, before)?;
                self.sum(ways, gain)
            }
            Distribution::Poisson | Distribution::PoissonLog => {
                let (logarithm, mean) = match distribution {
                    Distribution::Poisson => (self.logarithm(of[0])?, of[0]),
                    _ => (of[0], self.unary(Unary::Exp, of[0])?),
                };
                let power = self.times(n, logarithm)?;
                let orders = self.factorial(n)?;
                let rest = self.sum(mean, orders)?;
                self.difference(power, rest)
            }
            _ => self.negative_binomial(distribution, n, of),
        }
    }

    /// (x − m)/s and −ln s.
    fn standard(&mut self, x: Id, location: Id, scale: Id) -> Result<[Id; 2], super::TooLarge> {
        let difference = self.difference(x, location)?;
        let z = self.quotient(difference, scale)?;
        let logarithm = self.logarithm(scale)?;
        Ok([z, self.negative(logarithm)?])
    }

    /// 0 where a gap is positive, and no number where it is not.
    fn within(&mut self, gap: Id) -> NewNode {
        if let Some(gap) = self.number_of(gap) {
            return self.number(if gap >= 0.0 { 0.0 } else { f64::NAN });
        }
        let [zero, logarithm] = [self.number(0.0)?, self.logarithm(gap)?];
        self.times(zero, logarithm)
    }

    fn uniform(&mut self, x: Id, low: Id, high: Id) -> NewNode {
        let [width, above, below] = [self.difference(high, low)?, self.difference(x, low)?, self.difference(high, x)?];
        let logarithm = self.logarithm(width)?;
        let density = self.negative(logarithm)?;
        let [above, below] = [self.within(above)?, self.within(below)?];
        self.all(0.0, &[density, above, below])
    }

    fn cauchy(&mut self, x: Id, location: Id, scale: Id) -> NewNode {
        let [z, scale] = self.standard(x, location, scale)?;
        let square = self.product(z, z)?;
        let above = self.plus(1.0, square)?;
        let logarithm = self.logarithm(above)?;
        let fall = self.negative(logarithm)?;
        self.all(-ln(PI), &[scale, fall])
    }

    fn logistic(&mut self, x: Id, location: Id, scale: Id) -> NewNode {
        let [z, scale] = self.standard(x, location, scale)?;
        let negative = self.negative(z)?;
        let softplus = self.unary(Unary::Softplus, negative)?;
        let fall = self.scaled(-2.0, softplus)?;
        self.all(0.0, &[negative, fall, scale])
    }

    /// The normal times 2 Φ(αz).
    fn skew_normal(&mut self, x: Id, of: &[Id]) -> NewNode {
        let normal = self.normal(x, of[0], of[1])?;
        let [z, _] = self.standard(x, of[0], of[1])?;
        let skewed = self.product(of[2], z)?;
        let scaled = self.scaled(-SQRT_2.recip(), skewed)?;
        let share = self.unary(Unary::Erfc, scaled)?;
        let logarithm = self.logarithm(share)?;
        self.sum(normal, logarithm)
    }

    /// Those of r = ln x − ln s with a shape α: of Weibull ln α − ln s + (α − 1) r − e^αr, of Fréchet the same with −α, and the log-logistic with
    /// 2 ln(1 + e^αr) at the end.
    fn of_ratio(&mut self, distribution: Distribution, x: Id, of: &[Id]) -> NewNode {
        let (shape, scale) = if distribution == Distribution::Loglogistic { (of[1], of[0]) } else { (of[0], of[1]) };
        let [own, unit, norm] = [self.logarithm(x)?, self.logarithm(scale)?, self.logarithm(shape)?];
        let [ratio, norm] = [self.difference(own, unit)?, self.difference(norm, unit)?];
        let signed = if distribution == Distribution::Frechet { self.negative(shape)? } else { shape };
        let u = self.product(signed, ratio)?;
        let fall = if distribution == Distribution::Loglogistic {
            let softplus = self.unary(Unary::Softplus, u)?;
            self.scaled(2.0, softplus)?
        } else {
            self.unary(Unary::Exp, u)?
        };
        // 0 times a logarithm stays: it keeps to x > 0.
        let less = self.plus(-1.0, signed)?;
        let power = self.times(less, ratio)?;
        let sum = self.sum(norm, power)?;
        self.difference(sum, fall)
    }

    fn rayleigh(&mut self, x: Id, scale: Id) -> NewNode {
        let [own, unit, z] = [self.logarithm(x)?, self.logarithm(scale)?, self.quotient(x, scale)?];
        let square = self.product(z, z)?;
        let [unit, fall] = [self.scaled(-2.0, unit)?, self.scaled(-0.5, square)?];
        self.all(0.0, &[own, unit, fall])
    }

    fn pareto(&mut self, x: Id, least: Id, shape: Id) -> NewNode {
        let [own, unit, norm] = [self.logarithm(x)?, self.logarithm(least)?, self.logarithm(shape)?];
        let beyond = self.difference(x, least)?;
        let beyond = self.within(beyond)?;
        let ratio = self.difference(unit, own)?;
        let power = self.times(shape, ratio)?;
        let own = self.negative(own)?;
        self.all(0.0, &[norm, power, own, beyond])
    }

    fn inv_gamma(&mut self, x: Id, a: Id, b: Id) -> NewNode {
        let norm = self.gamma_norm(a, b)?;
        let logarithm = self.logarithm(x)?;
        let power = self.plus(1.0, a)?;
        let power = self.times(power, logarithm)?;
        let inverse = self.quotient(b, x)?;
        let rest = self.sum(power, inverse)?;
        self.difference(norm, rest)
    }

    fn beta(&mut self, x: Id, a: Id, b: Id) -> NewNode {
        let rest = self.rest(x)?;
        let mut sum = self.lbeta(a, b)?;
        sum = self.negative(sum)?;
        for (shape, at) in [(a, x), (b, rest)] {
            let logarithm = self.logarithm(at)?;
            let less = self.plus(-1.0, shape)?;
            let part = self.times(less, logarithm)?;
            sum = self.sum(sum, part)?;
        }
        Ok(sum)
    }

    /// ln n!.
    fn factorial(&mut self, n: Id) -> NewNode {
        let next = self.plus(1.0, n)?;
        self.lgamma(next)
    }

    /// ln of the number of ways to choose n of m.
    fn ways(&mut self, m: Id, n: Id) -> NewNode {
        let missed = self.difference(m, n)?;
        let [all, taken, missed] = [self.factorial(m)?, self.factorial(n)?, self.factorial(missed)?];
        let orders = self.sum(taken, missed)?;
        self.difference(all, orders)
    }

    /// n ln p + (m − n) ln(1 − p).
    fn trials(&mut self, n: Id, m: Id, p: Id) -> NewNode {
        let [missed, rest] = [self.difference(m, n)?, self.rest(p)?];
        let [yes, no] = [self.logarithm(p)?, self.logarithm(rest)?];
        let [yes, no] = [self.times(n, yes)?, self.times(missed, no)?];
        self.sum(yes, no)
    }

    /// The same of p = 1/(1 + e^−a): n a − m ln(1 + eᵃ).
    fn trials_of_logit(&mut self, n: Id, m: Id, a: Id) -> NewNode {
        let softplus = self.unary(Unary::Softplus, a)?;
        let [yes, all] = [self.times(n, a)?, self.times(m, softplus)?];
        self.difference(yes, all)
    }

    /// With the shape φ: ln Γ(n + φ) − ln n! − ln Γ(φ) + n ln p + φ ln(1 − p), where ln p and ln(1 − p) follow from the other parameter.
    fn negative_binomial(&mut self, distribution: Distribution, n: Id, of: &[Id]) -> NewNode {
        let shape = if distribution == Distribution::NegBinomial { of[0] } else { of[1] };
        let both = self.sum(n, shape)?;
        let [all, own, orders] = [self.lgamma(both)?, self.lgamma(shape)?, self.factorial(n)?];
        let own = self.sum(own, orders)?;
        let ways = self.difference(all, own)?;
        // ln of the odds p/(1 − p).
        let odds = match distribution {
            Distribution::NegBinomial => {
                let rate = self.logarithm(of[1])?;
                self.negative(rate)?
            }
            _ => {
                let unit = self.logarithm(shape)?;
                let mean = if distribution == Distribution::NegBinomial2 { self.logarithm(of[0])? } else { of[0] };
                self.difference(mean, unit)?
            }
        };
        let softplus = self.unary(Unary::Softplus, odds)?;
        let [counted, fall] = [self.times(n, odds)?, self.times(both, softplus)?];
        let sum = self.sum(ways, counted)?;
        self.difference(sum, fall)
    }

    fn normal(&mut self, x: Id, location: Id, scale: Id) -> NewNode {
        let [z, scale] = self.standard(x, location, scale)?;
        let square = self.product(z, z)?;
        let fall = self.scaled(-0.5, square)?;
        self.all(-0.5 * ln(2.0 * PI), &[scale, fall])
    }

    fn student_t(&mut self, x: Id, of: &[Id]) -> NewNode {
        let [z, scale] = self.standard(x, of[1], of[2])?;
        let degrees = of[0];
        let more = self.plus(1.0, degrees)?;
        let [half_more, half] = [self.scaled(0.5, more)?, self.scaled(0.5, degrees)?];
        let [above, below] = [self.lgamma(half_more)?, self.lgamma(half)?];
        let norm = self.difference(above, below)?;
        let wide = self.scaled(PI, degrees)?;
        let logarithm = self.logarithm(wide)?;
        let width = self.scaled(-0.5, logarithm)?;
        let square = self.product(z, z)?;
        let share = self.quotient(square, degrees)?;
        let one_more = self.plus(1.0, share)?;
        let logarithm = self.logarithm(one_more)?;
        let fall = self.product(half_more, logarithm)?;
        let sum = self.all(0.0, &[norm, width, scale])?;
        self.difference(sum, fall)
    }

    /// a ln b − ln Γ(a).
    fn gamma_norm(&mut self, a: Id, b: Id) -> NewNode {
        let logarithm = self.logarithm(b)?;
        let power = self.product(a, logarithm)?;
        let norm = self.lgamma(a)?;
        self.difference(power, norm)
    }

    fn gamma(&mut self, x: Id, a: Id, b: Id) -> NewNode {
        let norm = self.gamma_norm(a, b)?;
        let logarithm = self.logarithm(x)?;
        let less = self.plus(-1.0, a)?;
        // 0 times a logarithm stays: it keeps to x > 0.
        let power = self.times(less, logarithm)?;
        let sum = self.sum(norm, power)?;
        let fall = self.product(b, x)?;
        self.difference(sum, fall)
    }
}
