//! Draws after divergent transitions, to be marked among the others.

use crate::geometry::Draw;
use engine::session::RunFrame;

/// Kept positions that are looked through at most.
const LOOKED_THROUGH: usize = 200_000;

/// The newest `most` collected draws of a run that follow divergent transitions, the newest first; of long runs those among their
/// newest draws.
#[must_use]
pub fn divergences(run: &RunFrame, most: usize) -> Vec<Draw> {
    if run.totals.divergent == 0 {
        return Vec::new();
    }
    let (history, chains) = (&run.history, run.history.chains().max(1));
    let newest = history.rows().saturating_sub(LOOKED_THROUGH.div_ceil(chains));
    let first = history.row_from(run.target_since + 1).max(newest);
    let rows = (first..history.rows()).rev().filter(|row| run.collects(history.step(*row)));
    let draws = rows.flat_map(|row| (0..history.chains()).map(move |chain| (row, chain)));
    let divergent = draws.filter(|(row, chain)| history.transition(*row, *chain).is_some_and(|of| of.is_divergent()));
    let draw = |(row, chain)| Some(Draw { chain, step: history.step(row), at: history.position(row, chain)? });
    divergent.filter_map(draw).take(most).collect()
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use engine::scenario::read;
    use engine::session::Session;

    /// A narrow Gaussian, on which steps of 20 are divergent, and steps of 0.01 are not.
    fn run(method: &str, step_size: f64) -> RunFrame {
        let text = format!(
            "format = 1\ntitle = \"x\"\n[target]\nkind = \"gaussian\"\nsd = [0.01, 1.0]\ncorrelation = 0.0\n\
             [[run]]\nname = \"A\"\nmethod = \"{method}\"\nsteps = 150\nchains = 2\n\
             step_size = {{ kind = \"constant\", value = {step_size} }}\n"
        );
        let mut session = Session::new(read(&text, "x", Path::new("")).unwrap()).unwrap();
        session.advance(150);
        session.frame().runs[0].clone()
    }

    #[test]
    fn every_divergent_transition_is_found_the_newest_first() {
        for method in ["hmc", "nuts"] {
            let wild = run(method, 20.0);
            let all = divergences(&wild, 1000);
            assert_eq!(all.len() as u64, wild.totals.divergent, "{method}");
            assert!(!all.is_empty() && all.is_sorted_by_key(|draw| std::cmp::Reverse(draw.step)), "{method}");
            for draw in &all {
                let row = wild.history.row_from(draw.step);
                assert_eq!(wild.history.position(row, draw.chain), Some(draw.at), "{method}");
            }
            assert_eq!(divergences(&wild, 7), all[..7], "{method}: the newest");
            assert!(divergences(&run(method, 0.01), 1000).is_empty(), "{method}: sound");
        }
        assert!(divergences(&run("langevin", 0.001), 1000).is_empty(), "a method without energies");
    }
}
