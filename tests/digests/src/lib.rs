//! The digests of all lessons and of some exact distributions, for a program without files or standard output: WebAssembly under a host.
//!
//! `run.mjs` asks for one line after the other: `line(n)` computes that of lesson n, or of a distribution after the `lessons()`, and returns
//! how long it is; `at()` is where it begins.

mod digest;
mod distributions;

use std::sync::Mutex;

use sampler_lab::scenario::LESSONS;

/// The line that was asked for last.
static LINE: Mutex<String> = Mutex::new(String::new());

/// A line of `tests/data/golden_lessons.txt`: `lesson NAME DIGEST`, and after the last lesson `exact NAME DIGEST`. `None` beyond the last
/// distribution.
#[must_use]
pub fn line_of(number: usize) -> Option<String> {
    let (kind, name, digest) = match LESSONS.get(number) {
        Some(lesson) => ("lesson", lesson.name, digest::lesson(lesson)),
        None => {
            let case = distributions::CASES.get(number - LESSONS.len())?;
            ("exact", case.name, distributions::digest(case))
        }
    };
    Some(match digest {
        Ok(digest) => format!("{kind} {name} {digest:016x}"),
        Err(error) => format!("{kind} {name} cannot be computed: {error}"),
    })
}

/// How many lessons there are.
#[unsafe(no_mangle)]
pub extern "C" fn lessons() -> u32 {
    u32::try_from(LESSONS.len()).unwrap_or(0)
}

/// Computes a line and returns its length in bytes; 0 beyond the last one.
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
