//! Between which modes chains move: matrices of modes, and what follows of them.
//!
//! C_ij = P(mode at the end = j | mode i at the start), where the position inside mode i at the start is distributed as the target restricted
//! to it. A sequence of cycles is then a chain of modes, up to what a cycle remembers of the position inside a mode.

use base::math::elementary::{exp, ln};
use nalgebra::DMatrix;

use crate::eigenvalues::eigenvalues;
use crate::line::{Line, Masses, Transitions};
use crate::linear::solve_matrix;
use crate::spline::cell_masses;
use crate::{Refusal, Step};

/// Squarings of a matrix after which only its largest eigenvalue is left.
const SQUARINGS: usize = 64;

/// A target is symmetric if its gradients are antisymmetric up to this share of the largest one.
const SYMMETRY: f64 = 1e-9;

/// The line cut into modes.
#[derive(Clone, Debug, PartialEq)]
pub struct Modes {
    /// Borders between neighbouring modes, ascending. They should be on faces of cells.
    borders: Vec<f64>,
}

impl Modes {
    /// The nearest of some centres, in ascending order.
    #[must_use]
    pub fn nearest(centres: &[f64]) -> Self {
        Self { borders: centres.windows(2).map(|pair| 0.5 * (pair[0] + pair[1])).collect() }
    }

    /// How many there are.
    #[must_use]
    pub fn count(&self) -> usize {
        self.borders.len() + 1
    }

    /// The probability of each mode.
    #[must_use]
    pub fn masses(&self, line: &Line, masses: &Masses) -> Vec<f64> {
        let cumulative = line.cumulative(masses);
        let mut below: Vec<f64> = self.borders.iter().map(|&border| cumulative.at(border)).collect();
        below.push(cumulative.at(line.ends().1));
        let mut before = 0.0;
        below.iter().map(|&below| below - std::mem::replace(&mut before, below)).collect()
    }

    fn of(&self, x: f64) -> usize {
        self.borders.partition_point(|&border| border < x)
    }

    /// A distribution restricted to each mode.
    ///
    /// # Errors
    /// If a mode has no mass.
    pub fn restricted(&self, line: &Line, masses: &Masses) -> Result<Vec<Masses>, Refusal> {
        let part = |mode: usize| {
            let inside = |(&x, &mass): (&f64, &f64)| if self.of(x) == mode { mass } else { 0.0 };
            let nodes: Vec<f64> = line.nodes().iter().zip(&masses.nodes).map(inside).collect();
            let sum: f64 = nodes.iter().sum();
            if sum > 0.0 {
                Ok(Masses { nodes: nodes.iter().map(|mass| mass / sum).collect(), lost: 0.0 })
            } else {
                Err(Refusal::Unsuited("a mode has no mass on this grid"))
            }
        };
        (0..self.count()).map(part).collect()
    }

    /// For each mode the function whose expectation is the probability of the mode: 1 on its cells, with the correction of cells.
    #[must_use]
    pub fn indicators(&self, line: &Line) -> Vec<Vec<f64>> {
        let indicator = |mode: usize| {
            let inside: Vec<f64> = line.nodes().iter().map(|&x| f64::from(self.of(x) == mode)).collect();
            cell_masses(&inside)
        };
        (0..self.count()).map(indicator).collect()
    }

    /// Whether target and modes look the same from both sides.
    fn symmetric(&self, line: &Line) -> bool {
        let (low, high) = line.ends();
        let largest = line.gradients().iter().fold(0.0, |most: f64, value| most.max(value.abs()));
        let mirrored = |values: &[f64], about: f64, error: f64| {
            values.iter().zip(values.iter().rev()).all(|(a, b)| (a + b - about).abs() <= error)
        };
        mirrored(line.gradients(), 0.0, SYMMETRY * largest)
            && mirrored(&self.borders, low + high, SYMMETRY * (high - low))
    }

    /// The target restricted to each mode; where target and modes look the same from both sides, to those of the lower half alone.
    ///
    /// # Errors
    /// As [`Self::restricted`].
    pub fn starts(&self, line: &Line) -> Result<Vec<Masses>, Refusal> {
        let mut starts = self.restricted(line, &line.truth()?)?;
        starts.truncate(if self.symmetric(line) { self.count().div_ceil(2) } else { self.count() });
        Ok(starts)
    }

    /// The matrix of modes, of what has become of the [starts](Self::starts).
    #[must_use]
    pub fn matrix_of(&self, line: &Line, masses: &[Masses]) -> DMatrix<f64> {
        let count = self.count();
        let rows: Vec<Vec<f64>> = masses.iter().map(|masses| self.masses(line, masses)).collect();
        let entry = |i: usize, j: usize| rows.get(i).map_or_else(|| rows[count - 1 - i][count - 1 - j], |row| row[j]);
        DMatrix::from_fn(count, count, entry)
    }

    /// The matrix of modes over some steps.
    ///
    /// # Errors
    /// As [`Transitions::step`], and if something is no number.
    pub fn matrix(&self, line: &Line, steps: impl IntoIterator<Item = Step>) -> Result<DMatrix<f64>, Refusal> {
        let mut masses = self.starts(line)?;
        evolve(line, &mut masses, steps, |_, _| ())?;
        Ok(self.matrix_of(line, &masses))
    }

    /// The probability to be in another mode at the end of some steps, which are given from the last to the first, for chains that are
    /// distributed as the target restricted to a mode before a step: row k for chains before step k, from 0, a number for each mode.
    ///
    /// # Errors
    /// As [`Transitions::step`].
    pub fn changes(&self, line: &Line, backwards: impl IntoIterator<Item = Step>) -> Result<Vec<Vec<f64>>, Refusal> {
        let starts = self.starts(line)?;
        let mut functions = self.indicators(line);
        functions.truncate(starts.len());
        let mut transitions = Transitions::new(line);
        let mut rows = Vec::new();
        for step in backwards {
            let transition = transitions.step(step)?;
            transition.pull(&mut functions);
            transitions.reuse(transition);
            let dot = |(start, function): (&Masses, &Vec<f64>)| {
                1.0 - start.nodes.iter().zip(function).map(|(mass, value)| mass * value).sum::<f64>()
            };
            let mut row: Vec<f64> = starts.iter().zip(&functions).map(dot).collect();
            let mirrored = self.count() - row.len();
            row.extend((0..mirrored).rev().map(|mode| row[mode]).collect::<Vec<f64>>());
            rows.push(row);
        }
        rows.reverse();
        Ok(rows)
    }
}

/// Moves distributions along, and shows them after every step with its number from 1.
///
/// # Errors
/// As [`Transitions::step`], and with the step after which something is no number.
pub fn evolve(
    line: &Line,
    masses: &mut [Masses],
    steps: impl IntoIterator<Item = Step>,
    mut show: impl FnMut(u64, &[Masses]),
) -> Result<(), Refusal> {
    let mut transitions = Transitions::new(line);
    for (step, number) in steps.into_iter().zip(1..) {
        let transition = transitions.step(step)?;
        transition.push(masses);
        transitions.reuse(transition);
        if masses.iter().any(|masses| !masses.lost.is_finite()) {
            return Err(Refusal::NotANumber { step: number });
        }
        show(number, masses);
    }
    Ok(())
}

/// The product of two matrices by plain sums: the same bits everywhere.
fn product(a: &DMatrix<f64>, b: &DMatrix<f64>) -> DMatrix<f64> {
    let entry = |i: usize, j: usize| (0..a.ncols()).map(|k| a[(i, k)] * b[(k, j)]).sum::<f64>();
    DMatrix::from_fn(a.nrows(), b.ncols(), entry)
}

/// The matrix of modes of a product: mode (i, k) of the first and the second factor has the number i + `first.nrows()`·k.
#[must_use]
pub fn of_product(first: &DMatrix<f64>, second: &DMatrix<f64>) -> DMatrix<f64> {
    let (a, b) = (first.nrows(), second.nrows());
    DMatrix::from_fn(a * b, a * b, |i, j| first[(i % a, j % a)] * second[(i / a, j / a)])
}

/// λ₂ of a matrix with rows that add up to 1: how much of a start is remembered.
#[must_use]
pub fn second_eigenvalue(matrix: &DMatrix<f64>) -> Option<f64> {
    if matrix.nrows() < 2 {
        return Some(0.0);
    }
    eigenvalues(matrix).map(|values| values[1].norm_sqr().sqrt())
}

/// The shares of modes after endlessly many times.
#[must_use]
pub fn long_run_shares(matrix: &DMatrix<f64>) -> Vec<f64> {
    let mut power = matrix.clone();
    for _ in 0..SQUARINGS {
        power = product(&power, &power);
        for i in 0..power.nrows() {
            let sum: f64 = (0..power.ncols()).map(|j| power[(i, j)]).sum();
            (0..power.ncols()).for_each(|j| power[(i, j)] /= sum);
        }
    }
    (0..power.ncols()).map(|j| power[(0, j)]).collect()
}

/// λ₂ of a single step of a metastable chain, from matrices of modes after n and after 2n of them: the second eigenvalue of Q_n⁻¹ Q_2n to the
/// power 1/n. What happens inside modes cancels in the quotient; the same from two n shows that n is large enough.
#[must_use]
pub fn second_eigenvalue_of_step(after: &DMatrix<f64>, after_twice: &DMatrix<f64>, steps: u64) -> Option<f64> {
    let quotient = solve_matrix(after, after_twice)?;
    let second = second_eigenvalue(&quotient)?;
    (second > 0.0).then(|| exp(ln(second) / steps as f64))
}

/// In which modes a chain is found at the ends of cycles.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EndModes {
    /// Expected number of modes in which at least one cycle ends.
    pub expected: f64,
    /// Standard deviation of that number.
    pub sd: f64,
    /// Expected Kullback–Leibler divergence of the frequencies of modes at the ends from the weights of the target, in nats.
    pub kl: f64,
}

/// Modes at the ends of cycles: of the first one with the probabilities `start`, of each later one by its matrix from the one before.
/// `weights` are those of the target, which add up to 1.
#[must_use]
pub fn end_modes<'a>(
    start: &[f64],
    later: &(impl Iterator<Item = &'a DMatrix<f64>> + Clone),
    weights: &[f64],
) -> EndModes {
    let count = start.len();
    let never = |j: usize, k: usize| {
        let mut v = start.to_vec();
        (v[j], v[k]) = (0.0, 0.0);
        for matrix in later.clone() {
            v = row_times(&v, matrix);
            (v[j], v[k]) = (0.0, 0.0);
        }
        v.iter().sum::<f64>()
    };
    let single: Vec<f64> = (0..count).map(|j| never(j, j)).collect();
    let expected = count as f64 - single.iter().sum::<f64>();
    // Var Σ 1(never j) = Σ Cov.
    let mut variance: f64 = single.iter().map(|p| p * (1.0 - p)).sum();
    for j in 0..count {
        for k in 0..j {
            variance += 2.0 * (never(j, k) - single[j] * single[k]);
        }
    }
    let kl = (0..count).map(|j| frequency_term(start, later.clone(), j, weights[j])).sum();
    EndModes { expected, sd: variance.max(0.0).sqrt(), kl }
}

/// Expected number of modes in which at least one cycle has ended, and its standard deviation, after each cycle; as [`end_modes`] has it after
/// the last one.
#[must_use]
pub fn end_modes_so_far<'a>(
    start: &[f64],
    later: &(impl Iterator<Item = &'a DMatrix<f64>> + Clone),
) -> Vec<(f64, f64)> {
    let count = start.len();
    let never = |j: usize, k: usize| {
        let mut v = start.to_vec();
        (v[j], v[k]) = (0.0, 0.0);
        let mut sums = vec![v.iter().sum::<f64>()];
        for matrix in later.clone() {
            v = row_times(&v, matrix);
            (v[j], v[k]) = (0.0, 0.0);
            sums.push(v.iter().sum::<f64>());
        }
        sums
    };
    let single: Vec<Vec<f64>> = (0..count).map(|j| never(j, j)).collect();
    let cycles = single.first().map_or(0, Vec::len);
    let mut found: Vec<(f64, f64)> = vec![(count as f64, 0.0); cycles];
    for (j, of_j) in single.iter().enumerate() {
        for ((expected, variance), p) in found.iter_mut().zip(of_j) {
            *expected -= p;
            *variance += p * (1.0 - p);
        }
        for (k, of_k) in single[..j].iter().enumerate() {
            for ((_, variance), (both, (p, q))) in
                found.iter_mut().zip(never(j, k).into_iter().zip(of_j.iter().zip(of_k)))
            {
                *variance += 2.0 * (both - p * q);
            }
        }
    }
    found.into_iter().map(|(expected, variance)| (expected, variance.max(0.0).sqrt())).collect()
}

/// E f ln(f/p) of the frequency f of mode j, from the distribution of (mode, visits of j).
fn frequency_term<'a>(start: &[f64], later: impl Iterator<Item = &'a DMatrix<f64>>, j: usize, weight: f64) -> f64 {
    let count = start.len();
    // visits[c] is the probability of each mode and of c visits so far.
    let mut visits = vec![start.to_vec(), vec![0.0; count]];
    visits[1][j] = std::mem::take(&mut visits[0][j]);
    for matrix in later {
        let mut moved: Vec<Vec<f64>> = visits.iter().map(|v| row_times(v, matrix)).collect();
        moved.push(vec![0.0; count]);
        for c in (1..moved.len()).rev() {
            moved[c][j] = std::mem::take(&mut moved[c - 1][j]);
        }
        visits = moved;
    }
    let cycles = (visits.len() - 1) as f64;
    let term = |(c, v): (usize, &Vec<f64>)| {
        let share = c as f64 / cycles;
        if c == 0 { 0.0 } else { v.iter().sum::<f64>() * share * ln(share / weight) }
    };
    visits.iter().enumerate().map(term).sum()
}

/// v C.
fn row_times(v: &[f64], matrix: &DMatrix<f64>) -> Vec<f64> {
    let column = |j: usize| v.iter().zip(matrix.column(j).iter()).map(|(v, entry)| v * entry).sum();
    (0..matrix.ncols()).map(column).collect()
}

#[cfg(test)]
mod tests;
