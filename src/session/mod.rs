//! A session: commands in, runs advanced, history kept, frames out. No threads, no clock, no files.

mod frame;
mod history;

pub use frame::{Frame, RunFrame};
pub use history::{Chunk, Draw, History};
