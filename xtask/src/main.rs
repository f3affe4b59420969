//! Tasks of the project that need more than cargo.
//!
//! `cargo run -p xtask -- web` makes `target/web`: a folder with the page, which any web server can serve as it is.
//! With `--quick` it is built in a third of the time, is larger and slower, and its functions keep their names for a profiler.

mod web;

use anyhow::{Result, bail};

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["web"] => web::build(&web::SMALL),
        ["web", "--quick"] => web::build(&web::QUICK),
        _ => bail!("tasks: web [--quick] (makes target/web, the page for browsers)"),
    }
}
