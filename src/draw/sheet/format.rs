//! Formats of figures: what a path asks for, and the scenario inside a file.

use std::path::Path;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::{SCENARIO_FILE, SCENARIO_KEY};
use crate::figure::{pdf, png, svg};

/// Format of a figure.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Eq, Serialize)]
pub enum Format {
    /// Pixels.
    #[default]
    Png,
    /// Lines, areas and selectable text, for web pages and drawing programs.
    Svg,
    /// Lines, areas and selectable text, for papers.
    Pdf,
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
    /// The PDF is broken.
    #[error(transparent)]
    Pdf(#[from] pdf::ReadError),
}

impl Format {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Png, Self::Svg, Self::Pdf];

    /// The extension of its files.
    #[must_use]
    pub const fn extension(self) -> &'static str {
        match self {
            Self::Png => "png",
            Self::Svg => "svg",
            Self::Pdf => "pdf",
        }
    }

    /// Its name, as the window writes it.
    #[must_use]
    pub const fn label(self) -> &'static str {
        match self {
            Self::Png => "PNG",
            Self::Svg => "SVG",
            Self::Pdf => "PDF",
        }
    }

    /// What it is for.
    #[must_use]
    pub const fn help(self) -> &'static str {
        match self {
            Self::Png => "Pixels: for slides and web pages.",
            Self::Svg => {
                "Lines and text that stay sharp at any size, for web pages and drawing programs; text can be selected. \
                 Densities and very large clouds are images inside."
            }
            Self::Pdf => {
                "Lines and text that stay sharp at any size, for papers and LaTeX; text can be selected. Densities and very \
                 large clouds are images inside."
            }
        }
    }

    /// The names of all, as a sentence lists them: `a PNG, an SVG or a PDF`.
    pub const IN_WORDS: &str = "a PNG, an SVG or a PDF";

    /// The extensions of all, as a sentence lists them.
    pub const EXTENSIONS_IN_WORDS: &str = ".png, .svg or .pdf";

    /// Whether its files consist of lines and texts rather than of pixels.
    #[must_use]
    pub const fn is_vector(self) -> bool {
        matches!(self, Self::Svg | Self::Pdf)
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
            Self::Pdf => pdf::read_text(bytes, SCENARIO_FILE)?,
        })
    }
}
