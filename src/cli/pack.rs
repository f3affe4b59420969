//! `pack`: a scenario as a hand-out, whose file does not tell what is to be found out, or as a file that anyone can read.

use std::path::PathBuf;

use anyhow::Context;
use clap::Args;

use engine::scenario::{Scenario, ViewSpec, write};

use super::report::{ends, new_file, wrong_name};
use super::{Failure, read, say};

/// Arguments of `pack`.
#[derive(Args, Debug)]
pub struct PackArgs {
    /// A .toml file, a figure or report made by this program, a link, or the name of a lesson
    scenario: PathBuf,
    /// The file to write: .toml
    #[arg(long, short, visible_alias = "out")]
    output: PathBuf,
    /// Write it so that anyone can read it
    #[arg(long)]
    plain: bool,
    /// Replace a file that exists
    #[arg(long)]
    force: bool,
}

/// Writes a scenario packed, or plain.
///
/// # Errors
/// If it cannot be read, or the file cannot be written.
pub fn pack(args: &PackArgs) -> Result<(), Failure> {
    if !ends(&args.output, "toml") {
        return Err(wrong_name(&args.output, ".toml"));
    }
    let scenario = read(&args.scenario)?;
    let shown = !scenario.view.hides_target();
    let view = ViewSpec { packed: !args.plain, ..scenario.view.clone() };
    let text = write(&Scenario { view, ..scenario });
    new_file(&args.output, args.force)?.write(text.as_bytes()).context("the hand-out")?;
    if shown && !args.plain {
        say("The window shows the target at once: put truth = \"hidden\" into [view] if it is to be found out.")?;
    }
    Ok(())
}
