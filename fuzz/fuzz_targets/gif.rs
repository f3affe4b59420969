//! Any bytes as a GIF figure: the scenario inside is found, or the file is refused.

#![no_main]

/// The reader of figures. It belongs to the window, of which nothing else is needed here.
#[path = "../../crates/figure/src/movie/comment.rs"]
mod comment;

use std::path::Path;

use libfuzzer_sys::fuzz_target;
use sampler_lab::scenario;

fuzz_target!(|bytes: &[u8]| match comment::comment(bytes) {
    Ok(Some(text)) => drop(scenario::read(&text, "fuzz.gif", Path::new("no-such-folder"))),
    Ok(None) => {}
    Err(error) => assert!(!error.to_string().is_empty()),
});
