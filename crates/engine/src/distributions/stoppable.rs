//! A chain of which the long run is looked for only as long as someone waits.

use std::cell::{Cell, RefCell};

use exact::{Chain, LongRun, Refusal, long_run};

use super::NotComputed;

/// A chain that asks before every step whether to go on, and stands still once it is not.
struct Stoppable<'c, C> {
    chain: &'c C,
    go_on: RefCell<&'c mut dyn FnMut() -> bool>,
    ended: Cell<bool>,
}

/// The [`long_run`] of a chain, as long as `go_on` says yes.
///
/// # Errors
/// As [`long_run`], and [`NotComputed::Ended`].
pub(super) fn long_run_while(
    chain: &impl Chain,
    start: &[f64],
    go_on: &mut dyn FnMut() -> bool,
) -> Result<LongRun, NotComputed> {
    let asking = Stoppable { chain, go_on: RefCell::new(go_on), ended: Cell::new(false) };
    let found: Result<LongRun, Refusal> = long_run(&asking, start);
    if asking.ended.get() { Err(NotComputed::Ended) } else { Ok(found?) }
}

impl<C: Chain> Stoppable<'_, C> {
    fn goes_on(&self) -> bool {
        let on = !self.ended.get() && (self.go_on.borrow_mut())();
        self.ended.set(!on);
        on
    }
}

impl<C: Chain> Chain for Stoppable<'_, C> {
    fn size(&self) -> usize {
        self.chain.size()
    }

    fn place(&self, node: usize) -> [f64; 2] {
        self.chain.place(node)
    }

    fn push_masses(&self, masses: &mut Vec<f64>) {
        if self.goes_on() {
            self.chain.push_masses(masses);
        }
    }

    fn pull_functions(&self, functions: &mut [Vec<f64>]) {
        if self.goes_on() {
            self.chain.pull_functions(functions);
        }
    }
}
