//! What window, figures and command line say of numbers, settings, fits, references and challenges, and the glossary. Nothing here uses egui.

pub mod challenge;
pub mod citations;
pub mod fit_remarks;
pub mod glossary;
pub mod markup;
pub mod method_prose;
pub mod notation;
pub mod numbers;
pub mod prose;
pub mod reference_worth;
pub mod seed_table;
pub mod sentences;
pub mod settings;
pub mod tables;
pub mod terms;
pub mod tries;
pub mod word;
