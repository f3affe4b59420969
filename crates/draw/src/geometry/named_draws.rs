//! Names of draws: which draw of a frame one is, in whatever plot it is shown, and where its weights are.

use std::sync::Arc;

use super::vectors::{KeptVector, is_drawable, thinned_vectors};
use base::math::Point;
use engine::session::{Frame, RunFrame, VectorsAt};

/// Which draw of a frame: its run, its chain (of a fit, the number of the draw), and the step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct DrawName {
    /// Number of the run.
    pub run: usize,
    /// Number of the chain, or of the draw from a fit.
    pub chain: usize,
    /// The step.
    pub step: u64,
    /// Whether it is a draw from a fitted distribution.
    pub fitted: bool,
}

impl DrawName {
    /// Whether both are the same draw. Draws of a fit move with it from step to step.
    #[must_use]
    pub fn is(self, other: Self) -> bool {
        let same = (self.run, self.chain, self.fitted) == (other.run, other.chain, other.fitted);
        same && (self.fitted || self.step == other.step)
    }
}

/// A draw, whose weights are looked up when they are needed.
#[derive(Clone, Debug)]
pub struct NamedDraw {
    /// Which one it is.
    pub name: DrawName,
    source: Source,
}

#[derive(Clone, Debug)]
enum Source {
    Chain(KeptVector),
    Fit(Arc<Vec<Vec<f64>>>),
}

impl NamedDraw {
    /// Its weights; `None` of a chain that has diverged.
    #[must_use]
    pub fn weights(&self) -> Option<Vec<f64>> {
        let weights = match &self.source {
            Source::Chain(kept) => kept.weights(),
            Source::Fit(vectors) => vectors.get(self.name.chain)?.clone(),
        };
        is_drawable(weights.iter().copied()).then_some(weights)
    }
}

/// At most about `most` draws of the given runs together, each run with its share; none of targets in the plane, whose draws are
/// not kept as vectors.
#[must_use]
pub fn named_draws(frame: &Frame, runs: &[usize], most: usize) -> Vec<NamedDraw> {
    let share = most / runs.len().max(1);
    let mut draws = Vec::new();
    for &index in runs {
        let Some(run) = frame.runs.get(index) else { continue };
        let name = |chain, step, fitted| DrawName { run: index, chain, step, fitted };
        match &run.fits {
            Some(fits) => {
                let fit = |number| NamedDraw {
                    name: name(number, run.step, true),
                    source: Source::Fit(fits.vectors.clone()),
                };
                draws.extend((0..fits.vectors.len().min(share)).map(fit));
            }
            None => {
                let kept = thinned_vectors(run, share).into_iter();
                draws.extend(kept.map(|kept| NamedDraw {
                    name: name(kept.chain, kept.at.step, false),
                    source: Source::Chain(kept),
                }));
            }
        }
    }
    draws
}

/// Where a draw is on the canvases; `None` if it is not kept any more, or its chain has diverged.
#[must_use]
pub fn point_of_draw(frame: &Frame, name: DrawName) -> Option<Point> {
    let run = run_of(frame, name)?;
    let point = match (&run.fits, frame.target.in_vectors()) {
        (Some(fits), _) => *fits.draws.get(name.chain)?,
        (None, Some(behind)) => behind.projection.point(&vectors_at(run, name)?.positions, name.chain),
        (None, None) => position(run, name)?,
    };
    is_drawable(point.iter().copied()).then_some(point)
}

/// The weights of a draw: all coordinates of a target with a model in more dimensions, otherwise those in the plane. `None` if it
/// is not kept any more, or its chain has diverged.
#[must_use]
pub fn weights_of(frame: &Frame, name: DrawName) -> Option<Vec<f64>> {
    let run = run_of(frame, name)?;
    let weights = match (&run.fits, frame.target.in_vectors()) {
        (_, None) => point_of_draw(frame, name)?.as_slice().to_vec(),
        (Some(fits), Some(_)) => fits.vectors.get(name.chain)?.clone(),
        (None, Some(_)) => vectors_at(run, name)?.positions.vector(name.chain).collect(),
    };
    is_drawable(weights.iter().copied()).then_some(weights)
}

/// The run of a draw, if its draws are of that kind.
fn run_of(frame: &Frame, name: DrawName) -> Option<&RunFrame> {
    frame.runs.get(name.run).filter(|run| run.fits.is_some() == name.fitted)
}

/// The vectors of all chains at the step of a draw.
fn vectors_at(run: &RunFrame, name: DrawName) -> Option<&Arc<VectorsAt>> {
    run.vectors_after(name.step).filter(|at| name.chain < at.positions.len())
}

/// Where a chain was in the plane at the step of a draw: now, or in the history.
fn position(run: &RunFrame, name: DrawName) -> Option<Point> {
    if name.step == run.step {
        return run.positions.get(name.chain).copied();
    }
    let row = run.history.row_from(name.step);
    let kept = row < run.history.rows() && run.history.step(row) == name.step && name.chain < run.history.chains();
    if kept { run.history.position(row, name.chain) } else { None }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::geometry::thinning::thinned;
    use engine::scenario::read;
    use engine::session::Session;

    fn frame(target: &str, steps: u64) -> Frame {
        let text = format!(
            "format = 1\ntitle = \"x\"\nseed = 3\n[target]\n{target}\n\
             [[run]]\nname = \"A\"\nmethod = \"sgld\"\nsteps = 4000\nchains = 3\n\
             step_size = {{ kind = \"constant\", value = 1e-5 }}\n[[run]]\nname = \"B\"\nmethod = \"gaussian-vi\"\nsteps = 4000\n"
        );
        let mut session = Session::new(read(&text, "x", Path::new("")).unwrap()).unwrap();
        session.advance(steps);
        session.frame()
    }

    #[test]
    fn draws_are_found_by_their_names() {
        let frame = frame("kind = \"network\"\nhidden = 3", 900);
        let behind = frame.target.in_vectors().unwrap();
        let draws = named_draws(&frame, &[0, 1], 300);
        assert!([0, 1].into_iter().all(|run| draws.iter().any(|draw| draw.name.run == run)));
        for draw in draws {
            let weights = weights_of(&frame, draw.name).unwrap();
            assert_eq!(Some(&weights), draw.weights().as_ref());
            let point = behind.projection.image(weights.len(), |axis| weights[axis]);
            assert!((point_of_draw(&frame, draw.name).unwrap() - point).norm() < 1e-12, "{:?}", draw.name);
        }
        let name = |run, chain, step, fitted| DrawName { run, chain, step, fitted };
        for lost in [name(0, 3, 900, false), name(0, 0, 4000, false), name(0, 0, 900, true), name(2, 0, 1, false)] {
            assert_eq!((weights_of(&frame, lost), point_of_draw(&frame, lost)), (None, None), "{lost:?}");
        }
        assert!(name(1, 4, 10, true).is(name(1, 4, 11, true)) && !name(1, 4, 10, true).is(name(1, 5, 10, true)));
        assert!(!name(0, 1, 10, false).is(name(0, 1, 11, false)));
    }

    #[test]
    fn draws_in_the_plane_are_their_own_weights() {
        let frame = frame("kind = \"two-weight-sign\"", 900);
        assert!(named_draws(&frame, &[0, 1], 300).is_empty());
        for draw in thinned(&frame.runs[0].history, |_| Some(1), 100) {
            let name = DrawName { run: 0, chain: draw.chain, step: draw.step, fitted: false };
            assert_eq!(point_of_draw(&frame, name), Some(draw.at));
            assert_eq!(weights_of(&frame, name), Some(draw.at.as_slice().to_vec()));
        }
        let fitted = DrawName { run: 1, chain: 7, step: 0, fitted: true };
        assert_eq!(point_of_draw(&frame, fitted), Some(frame.runs[1].fits.as_ref().unwrap().draws[7]));
    }
}
