//! Formats of figures: what a path asks for, and the scenario inside a file.

use std::path::Path;

use thiserror::Error;

use super::SCENARIO_KEY;
use crate::figure::{png, svg};

/// Format of a figure.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Format {
    /// Pixels.
    #[default]
    Png,
    /// Lines, areas and selectable text.
    Svg,
}

/// Why no scenario was read from a figure.
#[derive(Debug, Error)]
pub enum ReadError {
    /// The PNG is broken.
    #[error(transparent)]
    Png(#[from] png::ReadError),
    /// The SVG is broken.
    #[error(transparent)]
    Svg(#[from] svg::ReadError),
}

impl Format {
    /// All of them.
    pub const ALL: [Self; 2] = [Self::Png, Self::Svg];

    /// The extension of its files.
    #[must_use]
    pub const fn extension(self) -> &'static str {
        match self {
            Self::Png => "png",
            Self::Svg => "svg",
        }
    }

    /// Its name, as the window writes it.
    #[must_use]
    pub const fn label(self) -> &'static str {
        match self {
            Self::Png => "PNG",
            Self::Svg => "SVG",
        }
    }

    /// What it is for.
    #[must_use]
    pub const fn help(self) -> &'static str {
        match self {
            Self::Png => "Pixels: for slides and web pages.",
            Self::Svg => {
                "Lines and text that stay sharp at any size and can be edited; text can be selected. Densities and very large \
                          clouds are images inside."
            }
        }
    }

    /// The format of a path, by its extension.
    #[must_use]
    pub fn of(path: &Path) -> Option<Self> {
        let extension = path.extension()?;
        Self::ALL.into_iter().find(|format| extension.eq_ignore_ascii_case(format.extension()))
    }

    /// The scenario in a file of this format, if there is one.
    ///
    /// # Errors
    /// If it is no such file.
    pub fn scenario(self, bytes: &[u8]) -> Result<Option<String>, ReadError> {
        Ok(match self {
            Self::Png => png::read_text(bytes, SCENARIO_KEY)?,
            Self::Svg => svg::read_text(bytes, SCENARIO_KEY)?,
        })
    }
}
