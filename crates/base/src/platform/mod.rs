//! Platform: the few things that a browser does in another way than a desktop. All other modules are the same in both.
//!
//! - [`Instant`]: a clock.
//! - [`spawn`]: work beside the window, piece by piece. On a desktop each has a thread of its own; a page has one thread, on which
//!   the pieces take turns between two frames.
//! - [`compute`]: a computation beside the window. It is a future that awaits [`pause`] wherever a page may draw in between; [`now`]
//!   computes it at once.
//! - [`files`]: files to read, by the names of [`std::fs`]. A page has those that a person gave to it, and those that the browser keeps.
//! - [`HAS_PATHS`]: whether a person names files by paths.
//! - [`drawing_time`]: what a picture costs those who have to wait for it.
//! - [`process_number`]: of this process, or of this tab.
//!
//! The window asks for more, of egui and of the window system; that is where the window is.

use std::pin::pin;
use std::task::{Context, Poll, Waker};
use std::time::Duration;

#[cfg(all(feature = "browser", target_arch = "wasm32"))]
pub mod files;
#[cfg(all(feature = "browser", target_arch = "wasm32"))]
pub mod kept;
#[cfg(all(feature = "browser", target_arch = "wasm32"))]
mod page;
#[cfg(any(test, all(feature = "browser", target_arch = "wasm32")))]
mod share;
#[cfg(not(all(feature = "browser", target_arch = "wasm32")))]
mod threads;

#[cfg(all(feature = "browser", target_arch = "wasm32"))]
pub use kept::process_number;
#[cfg(all(feature = "browser", target_arch = "wasm32"))]
pub use page::{Helper, ask_for_frame, compute, drawing_time, note_pointer, pause, set_frames, spawn};
#[cfg(not(all(feature = "browser", target_arch = "wasm32")))]
pub use std::fs as files;
#[cfg(not(all(feature = "browser", target_arch = "wasm32")))]
pub use std::process::id as process_number;
#[cfg(not(all(feature = "browser", target_arch = "wasm32")))]
pub use std::time::Instant;
#[cfg(not(all(feature = "browser", target_arch = "wasm32")))]
pub use threads::{Helper, compute, drawing_time, pause, spawn};
#[cfg(all(feature = "browser", target_arch = "wasm32"))]
pub use web_time::Instant;

/// Whether files have paths by which a person can name them. A page only has files that are given to it, and gives files away.
pub const HAS_PATHS: bool = cfg!(not(target_arch = "wasm32"));

/// Whether a browser is around the window: it has keys of its own, and closes the window.
pub const IN_BROWSER: bool = cfg!(target_arch = "wasm32");

/// What work wants after one of its pieces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turn {
    /// To go on.
    More,
    /// To go on, after all work that somebody waits for.
    Later,
    /// To go on after this time, or once it is woken.
    Wait(Duration),
    /// To go on once it is woken.
    Idle,
    /// Nothing: it is done.
    Over,
}

/// Whether everything takes turns on one thread, so that work in large pieces keeps the window from being drawn.
pub const ONE_THREAD: bool = cfg!(target_arch = "wasm32");

/// The result of a computation, at once: its pauses are left out.
pub fn now<T>(computation: impl Future<Output = T>) -> T {
    let mut computation = pin!(computation);
    loop {
        if let Poll::Ready(result) = computation.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
            return result;
        }
    }
}

/// How long a piece of work may take that others wait for: on a page drawing does.
pub const PIECE: Duration = Duration::from_millis(if cfg!(target_arch = "wasm32") { 8 } else { 50 });

#[cfg(test)]
mod tests;
