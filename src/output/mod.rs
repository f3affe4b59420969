//! Output: files and folders that are whole or not there at all, whatever ends the program.
//!
//! Everything is written into a [`Staging`] folder beside its place and moved there in one step. A signal, a closed
//! window or an error removes the staging folder; after a kill the next [`Staging`] for the same place does. [`closing`]
//! ends the program on signals.

mod claim;
pub mod closing;
pub mod foresight;
mod staging;

pub use claim::Claim;
pub use staging::Staging;
