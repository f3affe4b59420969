//! Output: files and folders that are whole or not there at all, whatever ends the program.
//!
//! Everything is written into a [`Staging`] folder beside its place and moved there in one step. A signal, a closed
//! window or an error removes the staging folder; after a kill the next [`Staging`] for the same place does. [`closing`]
//! ends the program on signals. [`Lines`] are for what takes so long that it goes on after a kill. On a page a file becomes a download. [`draws`] has the formats of files of draws.

#[cfg(not(target_arch = "wasm32"))]
mod claim;
#[cfg(not(target_arch = "wasm32"))]
pub mod closing;
pub mod draws;
#[cfg(not(target_arch = "wasm32"))]
pub mod foresight;
#[cfg(not(target_arch = "wasm32"))]
mod lines;
#[cfg(target_arch = "wasm32")]
mod page;
#[cfg(not(target_arch = "wasm32"))]
mod staging;

#[cfg(not(target_arch = "wasm32"))]
pub use claim::{Claim, set_aside};
#[cfg(not(target_arch = "wasm32"))]
pub use lines::Lines;
#[cfg(target_arch = "wasm32")]
pub use page::{Claim, Staging, closing, foresight};
#[cfg(not(target_arch = "wasm32"))]
pub use staging::Staging;
