//! Work beside the window on a page, which has one thread: a queue, from which every frame takes pieces.

use std::cell::{Cell, RefCell};
use std::future::poll_fn;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use super::{Instant, PIECE, Turn};

/// Time for all work in a frame, at least and at most. Between the two it is as long as drawing takes.
const BUDGET: [Duration; 2] = [Duration::from_millis(10), Duration::from_millis(30)];

/// Work in the queue.
struct Queued {
    work: Box<dyn FnMut() -> Turn>,
    /// When it goes on by itself; `None` for work that waits to be woken.
    due: Option<Instant>,
    /// Whether other work goes first.
    later: bool,
    flags: Arc<Flags>,
}

/// What work and its [`Helper`] share.
#[derive(Debug, Default)]
struct Flags {
    woken: AtomicBool,
    ended: AtomicBool,
}

thread_local! {
    /// Asks for a frame.
    static FRAME: RefCell<Option<Box<dyn Fn()>>> = const { RefCell::new(None) };
    /// When the piece under way should end.
    static PIECE_ENDS: Cell<Option<Instant>> = const { Cell::new(None) };
    /// When the turns of the frame before ended.
    static ENDED: Cell<Option<Instant>> = const { Cell::new(None) };
    static QUEUE: RefCell<Vec<Queued>> = const { RefCell::new(Vec::new()) };
}

/// Says how to ask for a frame, in which work takes its turns.
pub fn set_frames(ask: impl Fn() + 'static) {
    FRAME.set(Some(Box::new(ask)));
}

/// Asks for a frame, if there is a window.
pub(super) fn ask_for_frame() {
    FRAME.with_borrow(|ask| ask.iter().for_each(|ask| ask()));
}

/// Work that was begun with [`spawn`]. When it is dropped, the work goes on.
#[derive(Debug)]
pub struct Helper(Arc<Flags>);

impl Helper {
    /// Wakes the work if it waits, now or the next time.
    pub fn wake(&self) {
        self.0.woken.store(true, Ordering::Relaxed);
        ask_for_frame();
    }

    /// Whether it has ended.
    #[must_use]
    pub fn ended(&self) -> bool {
        self.0.ended.load(Ordering::Relaxed)
    }

    /// Waits until it has ended, if it can be waited for. On a page it ends at its next turn.
    pub fn join(self) {
        self.wake();
    }
}

/// Begins work beside the window: `work` is called again and again, as it says itself.
///
/// # Errors
/// None on a page.
pub fn spawn(_name: &str, work: impl FnMut() -> Turn + Send + 'static) -> io::Result<Helper> {
    let flags = Arc::<Flags>::default();
    let queued = Queued { work: Box::new(work), due: Some(Instant::now()), later: false, flags: flags.clone() };
    QUEUE.with_borrow_mut(|queue| queue.push(queued));
    ask_for_frame();
    Ok(Helper(flags))
}

/// Computes beside the window, from pause to pause.
pub fn compute(work: impl Future<Output = ()> + Send + 'static) {
    let mut work = Box::pin(work);
    let piece = move || match work.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(()) => Turn::Over,
        Poll::Pending => Turn::More,
    };
    // The queue takes everything.
    spawn("", piece).ok();
}

/// A place in a computation where the window may be drawn: it waits for the next turn if this one has taken [`PIECE`].
pub async fn pause() {
    let mut waited = false;
    poll_fn(|_| {
        let spent = PIECE_ENDS.get().is_some_and(|end| Instant::now() >= end);
        if waited || !spent {
            return Poll::Ready(());
        }
        waited = true;
        Poll::Pending
    })
    .await;
}

/// Lets all work take its turn, where there is one thread for it; returns after which time to call again, if not only work that is woken
/// goes on.
#[must_use]
pub fn take_turns() -> Option<Duration> {
    let begun = Instant::now();
    let drawing = ENDED.get().map_or(BUDGET[0], |ended| begun - ended);
    let budget = drawing.clamp(BUDGET[0], BUDGET[1]);
    while begun.elapsed() < budget && (round(false) || round(true)) {}
    let now = Instant::now();
    ENDED.set(Some(now));
    QUEUE.with_borrow(|queue| {
        let due = |queued: &Queued| if queued.flags.woken.load(Ordering::Relaxed) { Some(now) } else { queued.due };
        queue.iter().filter_map(due).min().map(|due| due.saturating_duration_since(now))
    })
}

/// Lets the first work in the queue that is due do a piece, of that which goes `later` or of all other; it goes to the end of the queue.
/// Returns whether there was any.
fn round(later: bool) -> bool {
    let now = Instant::now();
    let found = QUEUE.with_borrow_mut(|queue| {
        let woken = |queued: &Queued| queued.flags.woken.load(Ordering::Relaxed);
        let due = |queued: &Queued| woken(queued) || queued.due.is_some_and(|due| due <= now);
        let place = queue.iter().position(|queued| queued.later == later && due(queued))?;
        Some(queue.remove(place))
    });
    // The work may begin other work: the queue is free meanwhile.
    let Some(mut queued) = found else { return false };
    queued.flags.woken.store(false, Ordering::Relaxed);
    PIECE_ENDS.set(Some(now + PIECE));
    let turn = (queued.work)();
    PIECE_ENDS.set(None);
    queued.later = turn == Turn::Later;
    queued.due = match turn {
        Turn::More | Turn::Later => Some(now),
        Turn::Wait(time) => Some(Instant::now() + time),
        Turn::Idle => None,
        Turn::Over => {
            queued.flags.ended.store(true, Ordering::Relaxed);
            return true;
        }
    };
    QUEUE.with_borrow_mut(|queue| queue.push(queued));
    true
}
