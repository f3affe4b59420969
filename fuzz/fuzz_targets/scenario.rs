//! Any text as a scenario: it is read and built, or refused with errors that name a place, a problem and a remedy.

#![no_main]

use std::path::Path;

use libfuzzer_sys::fuzz_target;
use sampler_lab::scenario;

fuzz_target!(|text: &str| {
    if let Err(errors) = scenario::read(text, "fuzz.toml", Path::new("no-such-folder")) {
        assert!(!errors.errors.is_empty());
        assert!(errors.errors.iter().all(|error| error.line > 0 && !error.problem.is_empty() && !error.allowed.is_empty()));
        assert!(errors.errors.iter().all(|error| error.to_string().len() < 3000));
    }
});
