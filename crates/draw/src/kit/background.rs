//! Computation of pictures in the background: the last one is shown until the next is ready.

use std::future::poll_fn;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::pin;
use std::sync::mpsc::{Receiver, TryRecvError, channel};
use std::sync::{Arc, Weak};
use std::task::Poll;

use egui::Context;

use base::platform::{compute, now};
use engine::scenario::RunPlan;
use engine::session::{Frame, RunFrame};
use models::targets::Target;

/// When expensive pictures are made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Computing {
    /// In the background: the frame shows the last picture and requests a repaint for the next.
    #[default]
    Background,
    /// Before the call returns: for figures, which must be complete.
    Now,
}

/// Something shared, equal only to itself: what was built again is another one.
#[derive(Debug)]
pub struct Same<T: ?Sized>(pub Arc<T>);

/// A target, equal only to itself.
pub type SameTarget = Same<Target>;

/// What is computed of a run without its draws depends on its target and its plan.
#[derive(Clone, Debug, PartialEq)]
pub struct OfPlan {
    /// The target.
    pub target: SameTarget,
    /// The plan.
    pub plan: Same<RunPlan>,
}

impl OfPlan {
    /// That of a run of a frame.
    #[must_use]
    pub fn new(frame: &Frame, run: &RunFrame) -> Self {
        Self { target: Same(frame.target.clone()), plan: Same(run.plan.clone()) }
    }
}

impl<T: ?Sized> Clone for Same<T> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<T: ?Sized> PartialEq for Same<T> {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::addr_eq(Arc::as_ptr(&self.0), Arc::as_ptr(&other.0))
    }
}

/// Whoever waits for a result. A computation that asks ends when nobody does any more.
#[derive(Debug, Default)]
pub struct Asker(Arc<()>);

/// What a computation asks whether its result is still wanted.
#[derive(Clone, Debug)]
pub struct Wanted(Weak<()>);

impl Asker {
    /// For the computation.
    #[must_use]
    pub fn wanted(&self) -> Wanted {
        Wanted(Arc::downgrade(&self.0))
    }
}

impl Wanted {
    /// Whether someone still waits.
    #[must_use]
    pub fn still(&self) -> bool {
        self.0.strong_count() > 0
    }
}

/// The two newest results of a computation, and the running one, each with its key. The older result is for a frame that is
/// still shown while the pictures of the next are made.
#[derive(Debug)]
pub struct Slot<K, T> {
    done: Option<(K, T)>,
    before: Option<(K, T)>,
    running: Option<Running<K, T>>,
    failed: Option<K>,
}

/// A computation that is running.
#[derive(Debug)]
struct Running<K, T> {
    key: K,
    result: Receiver<T>,
    /// That of one that can be stopped: it ends when another result is requested.
    asker: Option<Asker>,
}

impl<K, T> Default for Slot<K, T> {
    fn default() -> Self {
        Self { done: None, before: None, running: None, failed: None }
    }
}

impl<K: PartialEq, T: Send + 'static> Slot<K, T> {
    /// The newest result, for any key.
    pub fn latest(&self) -> Option<&T> {
        self.done.as_ref().map(|(_, result)| result)
    }

    /// All results, the newest first.
    pub fn all(&self) -> impl Iterator<Item = &(K, T)> {
        self.done.iter().chain(&self.before)
    }

    /// The result for `key`, if it is there.
    pub fn get(&self, key: &K) -> Option<&T> {
        self.all().find(|(done, _)| done == key).map(|(_, result)| result)
    }

    fn keep(&mut self, key: K, result: T) {
        self.before = self.done.replace((key, result));
    }

    /// Whether the result for `key` is there or being computed.
    pub fn knows(&self, key: &K) -> bool {
        self.get(key).is_some() || self.running.as_ref().is_some_and(|running| running.key == *key)
    }

    /// Takes over a result that is ready.
    pub fn poll(&mut self) {
        let Some(running) = self.running.take() else { return };
        match running.result.try_recv() {
            Ok(result) => self.keep(running.key, result),
            Err(TryRecvError::Empty) => self.running = Some(running),
            Err(TryRecvError::Disconnected) => self.failed = Some(running.key),
        }
    }

    /// Requests the result for `key`; returns whether it is still missing. One computation runs at a time: a later request waits
    /// for it.
    pub fn request(
        &mut self,
        key: K,
        computing: Computing,
        ctx: &Context,
        make: impl Future<Output = T> + Send + 'static,
    ) -> bool {
        self.compute(key, computing, ctx, None, make)
    }

    /// The same of a computation that asks whether its result is still wanted: it ends when the result for another key is requested, which
    /// is computed at once.
    pub fn request_newest<F: Future<Output = T> + Send + 'static>(
        &mut self,
        key: K,
        computing: Computing,
        ctx: &Context,
        make: impl FnOnce(Wanted) -> F,
    ) -> bool {
        let asker = Asker::default();
        let make = make(asker.wanted());
        if self.running.as_ref().is_some_and(|running| running.asker.is_some() && running.key != key) {
            self.poll();
            self.running = None;
        }
        self.compute(key, computing, ctx, Some(asker), make)
    }

    fn compute(
        &mut self,
        key: K,
        computing: Computing,
        ctx: &Context,
        asker: Option<Asker>,
        make: impl Future<Output = T> + Send + 'static,
    ) -> bool {
        self.poll();
        if self.get(&key).is_some() || self.failed.as_ref() == Some(&key) {
            return false;
        }
        if computing == Computing::Now {
            self.keep(key, now(make));
            return false;
        }
        if self.running.is_none() {
            self.running = Some(Running { key, result: spawned(ctx.clone(), make), asker });
        }
        true
    }
}

/// Computes `make` beside the window. A panic in it closes the channel and nothing else.
pub fn spawned<T: Send + 'static>(ctx: Context, make: impl Future<Output = T> + Send + 'static) -> Receiver<T> {
    let (sender, receiver) = channel();
    compute(async move {
        let mut make = pin!(make);
        let result = poll_fn(|cx| match catch_unwind(AssertUnwindSafe(|| make.as_mut().poll(cx))) {
            Ok(poll) => poll.map(Some),
            Err(_) => Poll::Ready(None),
        });
        // The receiver may be gone by now; then nobody needs the result.
        result.await.into_iter().for_each(|result| _ = sender.send(result));
        ctx.request_repaint();
    });
    receiver
}

#[cfg(test)]
mod tests {
    use super::*;

    fn waited(slot: &mut Slot<u32, u32>, key: u32, make: fn() -> u32) {
        while slot.request(key, Computing::Background, &Context::default(), async move { make() }) {
            std::thread::yield_now();
        }
    }

    #[test]
    fn results_made_at_once_are_there_at_once() {
        let mut slot = Slot::<u32, u32>::default();
        assert!(!slot.request(1, Computing::Now, &Context::default(), async { 10 }));
        assert_eq!(slot.get(&1), Some(&10));
        assert_eq!(slot.get(&2), None);
    }

    #[test]
    fn the_last_result_stays_until_the_next_is_ready() {
        let mut slot = Slot::<u32, u32>::default();
        waited(&mut slot, 1, || 10);
        assert_eq!(slot.get(&1), Some(&10));
        if slot.request(2, Computing::Background, &Context::default(), async { 20 }) {
            assert!(slot.knows(&2));
            assert!(slot.latest().is_some());
        }
        waited(&mut slot, 2, || 20);
        assert_eq!(slot.latest(), Some(&20));
        assert_eq!(slot.get(&1), Some(&10), "the one before is still there");
        waited(&mut slot, 3, || 30);
        assert_eq!(slot.get(&1), None);
    }

    #[test]
    fn a_result_is_wanted_as_long_as_someone_waits() {
        let asker = Asker::default();
        let wanted = asker.wanted();
        assert!(wanted.still());
        drop(asker);
        assert!(!wanted.still());
    }

    #[test]
    fn what_can_be_stopped_ends_when_another_result_is_requested() {
        let mut slot = Slot::<u32, u32>::default();
        let (sender, ended) = channel();
        let endless = |wanted: Wanted| async move {
            while wanted.still() {
                std::thread::yield_now();
            }
            sender.send(()).unwrap();
            0
        };
        assert!(slot.request_newest(1, Computing::Background, &Context::default(), endless));
        while slot.request_newest(2, Computing::Background, &Context::default(), |_| async { 20 }) {
            std::thread::yield_now();
        }
        ended.recv().unwrap();
        assert_eq!((slot.get(&1), slot.get(&2)), (None, Some(&20)));
    }

    #[test]
    fn a_computation_that_panics_is_given_up() {
        let mut slot = Slot::<u32, u32>::default();
        waited(&mut slot, 1, || panic!("on purpose"));
        assert_eq!(slot.latest(), None);
    }
}
