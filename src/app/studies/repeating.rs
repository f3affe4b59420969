//! A repeat of a scenario that is computed slice by slice beside the window.

use std::future::poll_fn;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use crate::platform::Instant;
use engine::session::repeats::{Repeat, RepeatRun};

/// A repeat under way until it is complete, with the share of its steps that is taken.
pub(super) struct Repeating {
    share: Arc<AtomicU32>,
    future: Pin<Box<dyn Future<Output = Repeat> + Send>>,
}

impl Repeating {
    /// Begins.
    pub(super) fn new(mut run: RepeatRun) -> Self {
        let share = Arc::<AtomicU32>::default();
        let told = share.clone();
        let future = Box::pin(async move {
            while !run.advance().await {
                told.store(run.share().to_bits(), Ordering::Relaxed);
                between_slices().await;
            }
            run.finish()
        });
        Self { share, future }
    }

    /// The share of the steps that is taken.
    pub(super) fn share(&self) -> f32 {
        f32::from_bits(self.share.load(Ordering::Relaxed))
    }
}

impl Repeating {
    /// Computes until the repeat is complete or the budget is spent, which began at a moment.
    pub(super) fn go_on(&mut self, begun: Instant, budget: Duration) -> Option<Repeat> {
        loop {
            if let Poll::Ready(repeat) = self.future.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
                return Some(repeat);
            }
            if begun.elapsed() >= budget {
                return None;
            }
        }
    }
}

/// Waits for the next poll.
async fn between_slices() {
    let mut waited = false;
    poll_fn(|_| if std::mem::replace(&mut waited, true) { Poll::Ready(()) } else { Poll::Pending }).await;
}
