//! The digests of all lessons for a program without files or standard output: WebAssembly under a host.
//!
//! `run.mjs` asks for one line after the other: `line(n)` computes that of lesson n, and returns how long it is; `at()` is
//! where it begins.

mod digest;

use std::sync::Mutex;

use sampler_lab::scenario::LESSONS;

/// The line that was asked for last.
static LINE: Mutex<String> = Mutex::new(String::new());

/// The line of a lesson in `tests/data/golden_lessons.txt`: `lesson NAME DIGEST`. `None` beyond the last lesson.
#[must_use]
pub fn line_of(number: usize) -> Option<String> {
    let lesson = LESSONS.get(number)?;
    Some(match digest::lesson(lesson) {
        Ok(digest) => format!("lesson {} {digest:016x}", lesson.name),
        Err(error) => format!("lesson {} cannot be built: {error}", lesson.name),
    })
}

/// Computes the line of a lesson and returns its length in bytes; 0 beyond the last lesson.
#[unsafe(no_mangle)]
pub extern "C" fn line(number: u32) -> u32 {
    let line = line_of(number as usize).unwrap_or_default();
    let length = u32::try_from(line.len()).unwrap_or(0);
    *LINE.lock().unwrap_or_else(std::sync::PoisonError::into_inner) = line;
    length
}

/// Where the bytes of that line are.
#[unsafe(no_mangle)]
pub extern "C" fn at() -> *const u8 {
    LINE.lock().unwrap_or_else(std::sync::PoisonError::into_inner).as_ptr()
}
