//! Draws in all coordinates of a target in more dimensions than are drawn, under their names, with what follows from them, coefficients in
//! the units of the data file among it.
//!
//! They are the vectors that a run has kept: every one of the collected steps, or one of two, four … of them, evenly, as the memory allows
//! ([`thinning`]). Of an approximation they are draws from it. Targets whose coordinates have no names, such as networks, have one array
//! `theta` with all of them.

use std::io::{Result as Written, Seek, SeekFrom, Write};
use std::ops::Range;

use anyhow::Context;
use serde_json::json;

use base::math::Coords;
use engine::session::{Frame, RunFrame, VectorsAt};
use models::targets::Target;

use super::zarr_draws::{Draw, Variable, ZarrDraws};
use super::{Destination, DrawChoice, DrawFormat, Step, attributes, chains_of, npy, quoted, stats};

/// The array of coordinates without names.
const THETA: &str = "theta";

/// What the names of coefficients in the units of the data file begin with.
const IN_FILE_UNITS: &str = "file.";

/// Columns of every draw before its coordinates, in text.
const BEFORE: &str = "chain,step,weight,diverging";

/// Names of what is written of a vector.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Columns {
    /// Coordinates and quantities with names.
    Named(Vec<String>),
    /// So many coordinates without names.
    Theta(usize),
}

impl Columns {
    /// Those of a target in more dimensions than are drawn; `None` of others.
    #[must_use]
    pub fn of(target: &Target) -> Option<Self> {
        let vectors = target.in_vectors()?;
        let originals = target.originals().iter().map(|original| format!("{IN_FILE_UNITS}{}", original.name));
        let named =
            target.quantities().map(|known| Self::Named(known.names().iter().cloned().chain(originals).collect()));
        Some(named.unwrap_or_else(|| Self::Theta(vectors.model.dimension())))
    }

    /// Their number.
    #[must_use]
    pub fn count(&self) -> usize {
        match self {
            Self::Named(names) => names.len(),
            Self::Theta(count) => *count,
        }
    }

    /// The names in the first line of a text.
    fn header(&self) -> String {
        let names: Vec<String> = match self {
            Self::Named(names) => names.iter().map(|name| quoted(name)).collect(),
            Self::Theta(count) => (0..*count).map(|axis| format!("{THETA}[{axis}]")).collect(),
        };
        format!("{BEFORE},{}", names.join(","))
    }

    /// The type of a row of a NumPy file.
    fn numpy(&self) -> String {
        let own = match self {
            Self::Named(names) => names.iter().map(|name| format!("({}, '<f8')", python(name))).collect::<Vec<_>>(),
            Self::Theta(count) => vec![format!("('{THETA}', '<f8', ({count},))")],
        };
        format!("[('chain', '<i8'), ('step', '<i8'), ('weight', '<f8'), ('diverging', '|b1'), {}]", own.join(", "))
    }

    /// The arrays of a store. Names that no file can have are changed; an attribute has the name as it is.
    fn variables(&self) -> Vec<Variable> {
        match self {
            Self::Theta(count) => {
                vec![Variable { node: THETA.to_owned(), name: THETA.to_owned(), length: Some(*count) }]
            }
            Self::Named(names) => {
                let mut found: Vec<Variable> = Vec::new();
                for name in names {
                    let plain = node(name);
                    let is_free = |node: &String| !found.iter().any(|of| of.node.eq_ignore_ascii_case(node));
                    let numbered = (2..).map(|number: usize| format!("{plain}_{number}"));
                    let node = std::iter::once(plain.clone()).chain(numbered).find(is_free);
                    found.push(Variable { node: node.unwrap_or(plain), name: name.clone(), length: None });
                }
                found
            }
        }
    }
}

/// A name as that of a folder on every system, and of a node of a Zarr store: not empty, without separators, and neither dots nor two
/// underscores at its head.
fn node(name: &str) -> String {
    let allowed = |letter: char| if letter.is_control() || "/\\:*?\"<>|".contains(letter) { '_' } else { letter };
    let plain: String = name.chars().map(allowed).collect();
    let plain = plain.trim_end_matches(['.', ' ']);
    let is_reserved = plain.is_empty() || plain.starts_with("__") || ["chain", "draw"].contains(&plain);
    if is_reserved { format!("v{plain}") } else { plain.to_owned() }
}

/// A text as Python writes it, in ASCII.
fn python(text: &str) -> String {
    let escaped = text.chars().map(|letter| match letter {
        '\'' | '\\' => format!("\\{letter}"),
        ' '..='~' => letter.to_string(),
        other => format!("\\U{:08x}", u32::from(other)),
    });
    format!("'{}'", escaped.collect::<String>())
}

/// The number of collected steps of which one is in the file: 1, 2, 4 …
#[must_use]
pub fn thinning(run: &RunFrame) -> u64 {
    let kept = run.collected_vectors();
    match (&run.fits, &kept[..]) {
        (None, [first, second, ..]) => (first.step + 1..=second.step).filter(|step| run.collects(*step)).count() as u64,
        _ => 1,
    }
}

/// Bytes that draws of a run may take, in a format: of as many numbers as are kept at most, of all steps or not.
#[must_use]
pub fn bytes(target: &Target, run: &RunFrame, choice: DrawChoice, unthinned: bool) -> u64 {
    /// Characters of a number in text at most, with its comma, where most have as many.
    const TEXT: u64 = 19;
    let Some(columns) = Columns::of(target) else { return 0 };
    let each = if choice.format == DrawFormat::Csv { TEXT } else { 8 };
    let most = if unthinned { VectorsAt::most_unthinned } else { VectorsAt::most };
    let kept = most(target.model().map_or(1, |model| model.dimension()), run.plan.chains) as u64;
    let rows =
        DrawChoice { every_step: false, ..choice }.rows(&run.plan).min(kept).saturating_mul(run.plan.chains as u64);
    rows.saturating_mul(each * (columns.count() as u64 + 4))
}

/// The file of one run's vectors.
#[derive(Debug)]
pub struct CoordinateFile<F> {
    name: String,
    columns: Columns,
    form: Form<F>,
    written: u64,
}

#[derive(Debug)]
enum Form<F> {
    /// Text, one line per draw, and what every line begins with.
    Csv(F, String),
    /// A structured array, one row per draw: its file, the type of a row, and the number of rows.
    Npy(F, String, u64),
    /// Arrays by chain and draw.
    Zarr(Box<ZarrDraws>),
}

impl<F: Write + Seek> CoordinateFile<F> {
    /// The file, or for Zarr the folder, with this name for the vectors of a run of a frame, by its number; `None` of targets that have none.
    ///
    /// # Errors
    /// If the file cannot be created.
    pub fn new(
        destination: &impl Destination<File = F>,
        name: String,
        (frame, run): (&Frame, &RunFrame),
        choice: DrawChoice,
    ) -> anyhow::Result<Option<Self>> {
        let Some(columns) = Columns::of(frame.target.as_ref()) else { return Ok(None) };
        let form = match choice.format {
            DrawFormat::Csv => {
                let mut file = destination.file(&name)?;
                let first = if choice.named { "run," } else { "" };
                writeln!(file, "{first}{}", columns.header()).with_context(|| name.clone())?;
                Form::Csv(file, if choice.named { format!("{},", quoted(&run.plan.name)) } else { String::new() })
            }
            DrawFormat::Npy => {
                let (mut file, ty) = (destination.file(&name)?, columns.numpy());
                file.write_all(&structured(&ty, 0)).with_context(|| name.clone())?;
                Form::Npy(file, ty, 0)
            }
            DrawFormat::Zarr => {
                let mut about = attributes(&frame.scenario, &run.plan);
                about["thinning"] = json!(thinning(run));
                let size = (chains_of(&run.plan), rows(run) as u64);
                let told = run.plan.transitions();
                Form::Zarr(Box::new(ZarrDraws::of_variables(name.clone(), size, (columns.variables(), told), about)))
            }
        };
        Ok(Some(Self { name, columns, form, written: 0 }))
    }

    /// Number of draws that are written.
    pub fn written(&self) -> u64 {
        self.written
    }

    /// Writes some [`rows`] of the run.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn write(
        &mut self,
        destination: &mut impl Destination<File = F>,
        (target, run): (&Target, &RunFrame),
        part: Range<usize>,
    ) -> anyhow::Result<()> {
        if let Some(fits) = &run.fits {
            let step = Step { number: run.plan.steps, weight: 1.0, cycle: None };
            for vector in fits.vectors.get(part).unwrap_or_default() {
                self.push(destination, (target, run), (step, &[Some(vector.clone())], &|_| None))?;
            }
            return Ok(());
        }
        for at in run.collected_vectors().get(part).unwrap_or_default() {
            let mut step = Step::of(&run.plan, at.step);
            step.weight *= at.told.weight;
            let vectors: Vec<_> = (0..at.positions.len()).map(|chain| vector(&at.positions, chain)).collect();
            self.push(destination, (target, run), (step, &vectors, &|chain| at.told.transitions.get(chain).copied()))?;
        }
        Ok(())
    }

    fn push(
        &mut self,
        destination: &mut impl Destination<File = F>,
        (target, run): (&Target, &RunFrame),
        (step, vectors, transition): (Step, &[Option<Vec<f64>>], Told<'_>),
    ) -> anyhow::Result<()> {
        let values: Vec<Option<Vec<f64>>> =
            vectors.iter().map(|vector| Some(self.values(target, vector.as_ref()?))).collect();
        self.written += values.iter().flatten().count() as u64;
        match &mut self.form {
            Form::Csv(file, first) => {
                for (chain, values) in values.iter().enumerate() {
                    let Some(values) = values else { continue };
                    let diverging = u8::from(transition(chain).is_some_and(|of| of.is_divergent()));
                    write!(file, "{first}{chain},{},{:?},{diverging}", step.number, step.weight)
                        .and_then(|()| values.iter().try_for_each(|value| write!(file, ",{value:?}")))
                        .and_then(|()| writeln!(file))
                        .with_context(|| self.name.clone())?;
                }
            }
            Form::Npy(file, _, count) => {
                for (chain, values) in values.iter().enumerate() {
                    let Some(values) = values else { continue };
                    let diverging = u8::from(transition(chain).is_some_and(|of| of.is_divergent()));
                    let mut row = (chain as u64).to_le_bytes().to_vec();
                    row.extend(step.number.to_le_bytes());
                    row.extend(step.weight.to_le_bytes());
                    row.push(diverging);
                    row.extend(values.iter().flat_map(|value| value.to_le_bytes()));
                    file.write_all(&row).with_context(|| self.name.clone())?;
                    *count += 1;
                }
            }
            Form::Zarr(draws) => {
                let draw = |chain: usize| {
                    let values = values.get(chain).and_then(Option::as_deref);
                    Draw { at: None, values, transition: transition(chain) }
                };
                draws.push(destination, stats(&run.plan, step), draw)?;
            }
        }
        Ok(())
    }

    /// What is written of a vector.
    fn values(&self, target: &Target, vector: &[f64]) -> Vec<f64> {
        match (&self.columns, target.quantities()) {
            (Columns::Named(_), Some(known)) => {
                let mut values = vec![0.0; known.names().len()];
                known.values(vector, &mut values);
                let originals: Vec<f64> = target.originals().iter().map(|original| original.value(&values)).collect();
                values.extend(originals);
                values
            }
            _ => vector.to_vec(),
        }
    }

    /// Completes the file.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn finish(self, destination: &mut impl Destination<File = F>) -> anyhow::Result<()> {
        let file = match self.form {
            Form::Csv(file, _) => file,
            Form::Npy(mut file, ty, rows) => {
                let again = || -> Written<F> {
                    file.seek(SeekFrom::Start(0))?;
                    file.write_all(&structured(&ty, rows))?;
                    Ok(file)
                };
                again().with_context(|| self.name.clone())?
            }
            Form::Zarr(draws) => return draws.finish(destination),
        };
        destination.close(&self.name, file)
    }
}

/// The transition of a chain, if its method tells of any.
type Told<'a> = &'a dyn Fn(usize) -> Option<engine::session::Transition>;

/// Rows of the file of a run: steps whose vectors are kept, or draws from its fit.
#[must_use]
pub fn rows(run: &RunFrame) -> usize {
    run.fits.as_ref().map_or_else(|| run.collected_vectors().len(), |fits| fits.vectors.len())
}

/// The vector of a chain; `None` once it has left.
fn vector(positions: &Coords, chain: usize) -> Option<Vec<f64>> {
    let vector: Vec<f64> = positions.vector(chain).collect();
    vector.iter().all(|value| value.is_finite()).then_some(vector)
}

/// The header of a structured array, of the same length whatever the number of rows.
fn structured(ty: &str, rows: u64) -> Vec<u8> {
    npy::header(ty, &format!("({rows:>20},)"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_of_folders_and_all_are_different() {
        let names = ["x/y", "x:y", "x_y", "", "a\u{7}", "chain", "β", "speed^2"].map(str::to_owned).to_vec();
        let nodes: Vec<String> = Columns::Named(names).variables().into_iter().map(|variable| variable.node).collect();
        assert_eq!(nodes, ["x_y", "x_y_2", "x_y_3", "v", "a_", "vchain", "β", "speed^2"]);
    }

    #[test]
    fn a_text_is_one_of_python() {
        assert_eq!(python("it's β\\"), "'it\\'s \\U000003b2\\\\'");
    }

    #[test]
    fn the_header_of_a_structured_array_has_its_length_for_any_number_of_rows() {
        let ty = Columns::Named(vec!["a,b".to_owned(), "c".to_owned()]);
        let headers = [0, 12_345, u64::MAX].map(|rows| structured(&ty.numpy(), rows));
        assert!(headers.iter().all(|header| header.len() == headers[0].len() && header.len().is_multiple_of(64)));
        assert_eq!(ty.header(), "chain,step,weight,diverging,\"a,b\",c");
        assert_eq!(Columns::Theta(2).header(), "chain,step,weight,diverging,theta[0],theta[1]");
    }
}
