//! Platform: what a window and its files ask of a desktop or of a browser. All other modules of this crate are the same in both.
//!
//! - What the engine asks for as well: [`base::platform`], here under the same names.
//! - `file_to_open`, `file_to_write`, `received`, `given`: how a person names files; `address`: of the page. [`HAS_PATHS`] says whether by paths.
//! - `show_title`, `show_address`: where a person sees what is open.
//! - `has_clipboard`: whether copying works by itself.
//! - `keep_freed_memory`: for a window, which needs it again in the next frame.

#[cfg(target_arch = "wasm32")]
mod browser;
#[cfg(not(target_arch = "wasm32"))]
mod desktop;
#[cfg(not(target_arch = "wasm32"))]
mod memory;

pub use base::platform::{
    HAS_PATHS, Helper, IN_BROWSER, Instant, ONE_THREAD, PIECE, Turn, compute, drawing_time, files, now, pause,
    process_number, spawn,
};
#[cfg(target_arch = "wasm32")]
pub use base::platform::{kept, set_frames};
#[cfg(target_arch = "wasm32")]
pub use browser::{
    address, before_leaving, copy_text, download, file_to_open, file_to_write, folder_to_open, follow_links, given,
    has_clipboard, lacks_file_dialog, link, received, returns, show_address, show_title, watch_canvas, watch_pointer,
};
#[cfg(not(target_arch = "wasm32"))]
pub use desktop::{
    address, file_to_open, file_to_write, folder_to_open, given, has_clipboard, lacks_file_dialog, received,
    show_address, show_title,
};
#[cfg(not(target_arch = "wasm32"))]
pub use memory::keep_freed_memory;
