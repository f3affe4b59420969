//! A scenario of data, as its text and as what this is read as.

use super::runs::lines;
use crate::scenario::{Folder, Scenario, read};

/// A scenario that was made of data.
#[derive(Clone, Debug)]
pub struct Made {
    /// Its text, with comments.
    pub text: String,
    /// What the text is read as.
    pub scenario: Scenario,
}

impl Made {
    pub(super) fn read(text: String, name: &str, folder: &Folder) -> Result<Self, Vec<String>> {
        let scenario = read(&text, name, folder).map_err(|errors| lines(&errors))?;
        Ok(Self { text, scenario })
    }
}
