//! Sampler Lab: parse the command line and dispatch, or open the window in a page; nothing else.

#[cfg(not(target_arch = "wasm32"))]
fn main() -> std::process::ExitCode {
    sampler_lab::cli::main()
}

#[cfg(target_arch = "wasm32")]
fn main() {
    sampler_lab::app::page::run();
}
