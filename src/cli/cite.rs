//! `cite`: the papers behind a scenario, of its methods and of the measures that it shows, and the program itself; for a bibliography.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use base::params::ParamErrors;
use draw::words::citations::{bibtex, cited, text};

use super::{Failure, read, say};

/// Arguments of `cite`.
#[derive(Args, Debug)]
pub struct CiteArgs {
    /// A .toml file, a figure made by this program, a link, or the name of a lesson
    scenario: PathBuf,
    /// Form of the list
    #[arg(long = "as", value_enum, default_value_t = Form::Bibtex)]
    form: Form,
}

/// Form of a list of sources.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Form {
    /// Entries for BibTeX and BibLaTeX
    Bibtex,
    /// A line for each, with what it is cited for
    Text,
}

/// Lists the sources of a scenario.
pub fn cite(args: &CiteArgs) -> Result<(), Failure> {
    let scenario = read(&args.scenario)?;
    let built = scenario.build().map_err(ParamErrors)?;
    let cited = cited(&scenario, built.spans.iter().map(|span| span.target.as_ref()));
    say(&match args.form {
        Form::Bibtex => bibtex(&cited),
        Form::Text => text(&cited),
    })
}
