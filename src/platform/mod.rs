//! Platform: the few things that a browser does in another way than a desktop. All other modules are the same in both.
//!
//! - [`Instant`]: a clock.
//! - [`spawn`]: work beside the window, piece by piece. On a desktop each has a thread of its own; a page has one thread, and calls
//!   [`take_turns`] in every frame.
//! - [`compute`]: a computation beside the window in one piece.
//! - [`files`]: files to read, by the names of [`std::fs`]. A page has those that a person gave to it.
//! - `file_to_open`, `file_to_write`, `received`, `given`: how a person names files; `address`: of the page. [`HAS_PATHS`] says whether by paths.

use std::time::Duration;

#[cfg(all(feature = "window", target_arch = "wasm32"))]
mod browser;
#[cfg(all(feature = "window", not(target_arch = "wasm32")))]
mod desktop;
#[cfg(target_arch = "wasm32")]
pub mod files;
#[cfg(target_arch = "wasm32")]
mod page;
#[cfg(not(target_arch = "wasm32"))]
mod threads;

#[cfg(all(feature = "window", target_arch = "wasm32"))]
pub use browser::{address, download, file_to_open, file_to_write, follow_links, given, received};
#[cfg(all(feature = "window", not(target_arch = "wasm32")))]
pub use desktop::{address, file_to_open, file_to_write, given, received};
#[cfg(target_arch = "wasm32")]
pub use page::{Helper, compute, set_frames, spawn, take_turns};
#[cfg(not(target_arch = "wasm32"))]
pub use std::fs as files;
#[cfg(not(all(feature = "window", target_arch = "wasm32")))]
pub use std::time::Instant;
#[cfg(not(target_arch = "wasm32"))]
pub use threads::{Helper, compute, spawn, take_turns};
#[cfg(all(feature = "window", target_arch = "wasm32"))]
pub use web_time::Instant;

/// Whether files have paths by which a person can name them. A page only has files that are given to it, and gives files away.
pub const HAS_PATHS: bool = cfg!(not(target_arch = "wasm32"));

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

/// How long a piece of work may take that others wait for: on a page drawing does.
pub const PIECE: Duration = Duration::from_millis(if cfg!(target_arch = "wasm32") { 8 } else { 50 });

#[cfg(test)]
mod tests;
