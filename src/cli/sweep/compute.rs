//! Cells on all cores, handed over as they are finished.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::channel;
use std::thread::{Builder, scope};

use anyhow::Context;
use rayon::prelude::{ParallelBridge, ParallelIterator};

use base::params::{ParamError, ParamErrors};
use engine::session::sweep::Cell;

/// Computes the cell with a number; `None` if it is told not to go on.
pub type One<'o> = dyn Fn(usize, &(dyn Fn() -> bool + Sync)) -> Result<Option<Cell>, Vec<ParamError>> + Sync + 'o;

/// Computes cells, and calls `done` with each, about in their order. Ends at the first error.
///
/// # Errors
/// If a cell cannot be built, or `done` fails.
pub fn each(one: &One<'_>, cells: &[usize], mut done: impl FnMut(Cell) -> anyhow::Result<()>) -> anyhow::Result<()> {
    let ended = &AtomicBool::new(false);
    scope(|scope| {
        let (send, receive) = channel();
        let work = move || {
            // A bridge hands out the cells one by one, so that the cores are never far from one another.
            cells.iter().par_bridge().for_each_with(send, |send, cell| {
                let go_on = || !ended.load(Ordering::Relaxed);
                if go_on() && send.send(one(*cell, &go_on)).is_err() {
                    ended.store(true, Ordering::Relaxed);
                }
            });
        };
        let worker = Builder::new().name("sweep".to_owned()).spawn_scoped(scope, work).context("threads")?;
        let mut taken = || -> anyhow::Result<()> {
            for cell in &receive {
                if let Some(cell) = cell.map_err(ParamErrors)? {
                    done(cell)?;
                }
            }
            Ok(())
        };
        let result = taken();
        ended.store(true, Ordering::Relaxed);
        if worker.join().is_err() {
            anyhow::bail!("a cell could not be computed");
        }
        result
    })
}
