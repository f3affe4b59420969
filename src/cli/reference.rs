//! `--reference`: the posterior of the functions of a network by a long HMC run, as *Compute reference (HMC)* makes it in the window.

use std::sync::Arc;

use engine::session::{ReferenceKey, Session, reference_run};

use super::{Failure, progress};

/// Iterations between two updates of the progress bar.
const SLICE: u64 = 20;

/// Computes the reference of the target that a session is at, and gives it to the session.
///
/// # Errors
/// [`Failure::Option`] if the target has none.
pub fn compute(session: &mut Session, quiet: bool) -> Result<(), Failure> {
    let frame = session.frame();
    let refused =
        |reason: &str| Failure::option("reference", reason, "a target whose draws are functions that are not known");
    let mut run = reference_run(frame.target.as_ref()).map_err(refused)?;
    let model = &frame.target.in_vectors().ok_or_else(|| refused("the target is no model"))?.model;
    let (_, all) = run.made();
    let bar = progress::unless(quiet, "reference    {bar:40} {human_pos}/{human_len} iterations  {eta}", all);
    while !run.finished() {
        run.advance(model.as_ref(), SLICE);
        bar.set_position(run.made().0);
    }
    bar.finish_and_clear();
    session.set_reference(ReferenceKey::of(&frame.scenario, frame.step), Arc::new(run.reference()));
    Ok(())
}
