//! Tasks of the project that need more than cargo.
//!
//! `cargo run -p xtask -- web` makes `target/web`: a folder with the page, which any web server can serve as it is.
//! With `--quick` it is built in a third of the time, is larger and slower, and its functions keep their names for a profiler.
//!
//! `cargo run -p xtask -- deb [--profile NAME] [--no-build] [-- OPTIONS OF CARGO DEB]` makes the package for Debian.
//!
//! `cargo run -p xtask -- icons` makes `target/package/icons`: the icon in all sizes.

#![expect(clippy::disallowed_methods, reason = "a failed task is run again")]

mod deb;
mod icons;
mod notices;
mod web;

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["web"] => web::build(&web::SMALL),
        ["web", "--quick"] => web::build(&web::QUICK),
        ["deb", ref arguments @ ..] => deb::build(arguments),
        ["icons"] => {
            let root = root()?;
            icons::write(&root.join("assets/icon.svg"), &root.join("target/package/icons"))
        }
        _ => bail!(
            "tasks: web [--quick] (makes target/web, the page for browsers), deb (makes the package for Debian), icons (makes \
             target/package/icons)"
        ),
    }
}

/// The folder of the project.
fn root() -> Result<&'static Path> {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().context("xtask is in the project")
}

/// The folder to which cargo builds.
fn target(root: &Path) -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from)
}

fn run(command: &mut Command) -> Result<()> {
    ensure!(command.status()?.success(), "failed: {command:?}");
    Ok(())
}
