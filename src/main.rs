//! Sampler Lab: parse the command line and dispatch; nothing else.

use std::process::ExitCode;

fn main() -> ExitCode {
    sampler_lab::cli::main()
}
