//! Any bytes as a figure: the scenario inside is found, or the file is refused.

#![no_main]

use std::path::Path;

use libfuzzer_sys::fuzz_target;
use sampler_lab::draw::sheet::SCENARIO_KEY;
use sampler_lab::figure::png::read_text;
use sampler_lab::scenario;

fuzz_target!(|bytes: &[u8]| match read_text(bytes, SCENARIO_KEY) {
    Ok(Some(text)) => drop(scenario::read(&text, "fuzz.png", Path::new("no-such-folder"))),
    Ok(None) => {}
    Err(error) => assert!(!error.to_string().is_empty()),
});
