//! Reader of `[[run]]`: the name of a run, its method, and the settings of it.

use toml::de::DeTable;

use super::RunSpec;
use super::read::read_text;
use super::table_reader::{TableReader, TextRange};
use base::params::{KindSpec, ParamError, Settings};
use samplers::methods::set_usual_unless;

/// The keys of a `[[run]]` that are not its method's.
const BESIDE_METHOD: [&str; 2] = ["name", "method"];

/// What could be read of a `[[run]]`.
#[derive(Debug)]
pub(super) struct DraftRun {
    pub name: Option<String>,
    pub settings: Option<Settings>,
}

impl DraftRun {
    /// The run, if all of it could be read.
    pub fn spec(&self) -> Option<RunSpec> {
        Some(RunSpec { name: self.name.clone()?, settings: self.settings.clone()? })
    }
}

/// Reads the run in a table. What a file says nothing of is as people know its method; `budget` bounds a warm-up.
pub(super) fn read_run(
    table: &DeTable<'_>,
    at: &TextRange,
    path: &str,
    (methods, budget): (&'static [KindSpec], Option<f64>),
    reader: &mut TableReader,
) -> DraftRun {
    reader.locate(path, at.clone());
    let before = reader.count();
    let kind = reader.kind(table, at, path, "method", methods);
    let settings = kind.map(|kind| reader.settings(table, at, path, kind, &BESIDE_METHOD));
    let mut settings = settings.filter(|_| reader.count() == before);
    if let Some(settings) = &mut settings {
        set_usual_unless(settings, budget, |key| table.contains_key(key));
    }
    let name_path = format!("{path}.name");
    if !table.contains_key("name") {
        reader.fault(at, ParamError::new(&name_path, "is missing", "text in quotes"));
    }
    DraftRun { name: read_text(table, "name", &name_path, reader), settings }
}
