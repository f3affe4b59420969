//! Thinning of the vectors that are kept of a model in more dimensions than are drawn.

use std::sync::Arc;

use engine::session::{RunFrame, VectorsAt, stride};

/// Weights beyond this size are those of a chain that has diverged; products of smaller ones are finite.
const FAR: f64 = 1e100;

/// Where a chain was in all dimensions after a step.
#[derive(Clone, Debug)]
pub struct KeptVector {
    /// Number of the chain.
    pub chain: usize,
    /// The vectors of all chains after that step.
    pub at: Arc<VectorsAt>,
}

impl KeptVector {
    /// Chain and step.
    #[must_use]
    pub fn name(&self) -> (usize, u64) {
        (self.chain, self.at.step)
    }

    /// The coordinates.
    #[must_use]
    pub fn weights(&self) -> Vec<f64> {
        self.at.positions.vector(self.chain).collect()
    }
}

/// Whether the function of these weights has finite outputs.
pub fn is_drawable(mut weights: impl Iterator<Item = f64>) -> bool {
    weights.all(|weight| weight.abs() < FAR)
}

/// At most `most` of the collected vectors, and about half as many at least of a long run: all of them, or the middle of every two,
/// four, …
/// While a run goes on, the same ones are chosen until there are twice as many. All chains have their turn, in an order that
/// fits no such number. Of an ensemble only the newest are chosen: its members as they are now.
#[must_use]
pub fn thinned_vectors(run: &RunFrame, most: usize) -> Vec<KeptVector> {
    let collected = run.collected_vectors();
    let chains = collected.first().map_or(0, |at| at.positions.len());
    let count = collected.len() * chains;
    let kept = |number: usize| {
        let (row, first) = (number / chains, number % chains);
        KeptVector { chain: (first + turned(row, chains)) % chains, at: collected[row].clone() }
    };
    let apart = stride(count, most);
    (apart / 2..count).step_by(apart).map(kept).collect()
}

/// The chain from which a row is counted: the share row·φ of them, φ the golden ratio.
#[expect(clippy::cast_sign_loss, reason = "a number below that of the chains")]
fn turned(row: usize, chains: usize) -> usize {
    let share = row as f64 * 0.618_033_988_749_894_9;
    ((share - share.floor()) * chains as f64) as usize
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::path::Path;

    use super::*;
    use engine::scenario::read;
    use engine::session::Session;

    fn run(chains: usize, steps: u64) -> RunFrame {
        let text = format!(
            "format = 1\ntitle = \"x\"\n[target]\nkind = \"network\"\nhidden = 2\n\
             [[run]]\nname = \"A\"\nmethod = \"sgld\"\nsteps = 4000\nchains = {chains}\n"
        );
        let mut session = Session::new(read(&text, "x", Path::new("")).unwrap()).unwrap();
        session.advance(steps);
        session.frame().runs[0].clone()
    }

    #[test]
    fn few_vectors_of_all_chains_stay_the_same_while_a_run_grows() {
        for chains in [1, 2, 16, 17, 48] {
            let (short, long) = (run(chains, 600), run(chains, 700));
            for most in [2, 30, 300, 100_000] {
                let names =
                    |run: &RunFrame| thinned_vectors(run, most).iter().map(KeptVector::name).collect::<Vec<_>>();
                let (before, after) = (names(&short), names(&long));
                assert!(before.len() <= most && !before.is_empty(), "{chains}, {most}");
                assert!(after.starts_with(&before) || after.len() < before.len(), "{chains}, {most}");
                let distinct: BTreeSet<_> = before.iter().collect();
                assert_eq!(distinct.len(), before.len(), "{chains}, {most}");
                let seen: BTreeSet<usize> = before.iter().map(|name| name.0).collect();
                assert!(seen.len() >= chains.min(most) / 2, "{chains}, {most}: {seen:?}");
            }
        }
    }
}
