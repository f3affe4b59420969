//! Shell: the [`window`] and what happens in one frame of it. It is opened on a desktop (`launch`) or in a page of a browser (`page`), which may
//! take long ([`awaited`]). Keys and dropped files become actions ([`input`]); results of tasks are taken in ([`task_results`]).

pub mod awaited;
pub mod focus_ring;
pub mod input;
#[cfg(not(target_arch = "wasm32"))]
pub mod launch;
#[cfg(target_arch = "wasm32")]
pub mod page;
pub mod page_address;
#[cfg(test)]
mod random_actions;
pub mod task_results;
pub mod window;
