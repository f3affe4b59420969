//! Work beside the window on a page, which has one thread: a queue, from which a timer takes pieces between the frames.

use std::cell::{Cell, RefCell};
use std::future::poll_fn;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use wasm_bindgen::JsCast;
use wasm_bindgen::prelude::Closure;

use super::share::Share;
use super::{Instant, PIECE, Turn};

/// How long a pointer that is pressed holds work back that nobody waits for, unless it is released before.
const PRESSED: Duration = Duration::from_secs(10);

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
    /// What the timer calls.
    static TICK: Closure<dyn FnMut()> = Closure::new(take_turns);
    /// The number of the timer that is set, and when it calls.
    static TIMER: Cell<Option<(i32, Instant)>> = const { Cell::new(None) };
    static QUEUE: RefCell<Vec<Queued>> = const { RefCell::new(Vec::new()) };
    /// The share of the browser, and when it was given the thread last.
    static SHARE: Cell<(Share, Option<Instant>)> = const { Cell::new((Share::NEW, None)) };
    /// When a pointer was pressed that is still down.
    static DOWN: Cell<Option<Instant>> = const { Cell::new(None) };
}

/// How long the browser has needed for its newest picture.
#[must_use]
pub fn drawing_time() -> Duration {
    SHARE.get().0.drawing()
}

/// Notes that a pointer was pressed, or that it is up again. In between, work that nobody waits for rests: its pieces may take longer than a
/// tap, which would then count as a long press.
pub fn note_pointer(down: bool) {
    DOWN.set(down.then(Instant::now));
    call_at(Instant::now());
}

fn holds_back() -> bool {
    DOWN.get().is_some_and(|since| since.elapsed() < PRESSED)
}

/// Says how to ask for a frame.
pub fn set_frames(ask: impl Fn() + 'static) {
    FRAME.set(Some(Box::new(ask)));
}

/// Asks for a frame, if there is a window.
pub fn ask_for_frame() {
    FRAME.with_borrow(|ask| ask.iter().for_each(|ask| ask()));
}

/// Work that was begun with [`spawn`]. When it is dropped, the work goes on.
#[derive(Debug)]
pub struct Helper(Arc<Flags>);

impl Helper {
    /// Wakes the work if it waits, now or the next time.
    pub fn wake(&self) {
        self.0.woken.store(true, Ordering::Relaxed);
        call_at(Instant::now());
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
    call_at(Instant::now());
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

/// A point in a computation where the window may be drawn: it waits for the next turn if this one has taken [`PIECE`].
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

/// Lets all work take its turn, and sets the timer for the next one, if not only work that is woken goes on.
fn take_turns() {
    let begun = Instant::now();
    let (mut share, left) = SHARE.get();
    // The browser has had the thread since the timer was to call, or since the turn before.
    let since = TIMER.take().map(|(_, due)| due).max(left).unwrap_or(begun);
    let time = share.after(begun.saturating_duration_since(since));
    while begun.elapsed() < time && (round(false) || !holds_back() && round(true)) {}
    let now = Instant::now();
    SHARE.set((share, Some(now)));
    let held = holds_back();
    let next = QUEUE.with_borrow(|queue| {
        let due = |queued: &Queued| if queued.flags.woken.load(Ordering::Relaxed) { Some(now) } else { queued.due };
        queue.iter().filter(|queued| !(held && queued.later)).filter_map(due).min()
    });
    if let Some(next) = next {
        call_at(next);
    } else if held {
        call_at(now + PRESSED);
    }
}

/// Sets the timer, if it would call later.
fn call_at(time: Instant) {
    let set = TIMER.get();
    if set.is_some_and(|(_, before)| before <= time) {
        return;
    }
    let Some(window) = web_sys::window() else { return };
    if let Some((number, _)) = set {
        window.clear_timeout_with_handle(number);
    }
    let wait = time.saturating_duration_since(Instant::now()).as_micros().div_ceil(1000);
    let wait = i32::try_from(wait).unwrap_or(i32::MAX);
    let number = TICK
        .with(|tick| window.set_timeout_with_callback_and_timeout_and_arguments_0(tick.as_ref().unchecked_ref(), wait));
    TIMER.set(number.ok().map(|number| (number, time)));
}

/// Lets the first work in the queue that is due do a piece, of that which goes `later` or of all other; it goes to the end of the queue.
/// Returns whether there was any.
fn round(later: bool) -> bool {
    let now = Instant::now();
    let found = QUEUE.with_borrow_mut(|queue| {
        let woken = |queued: &Queued| queued.flags.woken.load(Ordering::Relaxed);
        let due = |queued: &Queued| woken(queued) || queued.due.is_some_and(|due| due <= now);
        let index = queue.iter().position(|queued| queued.later == later && due(queued))?;
        Some(queue.remove(index))
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
