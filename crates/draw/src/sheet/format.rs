//! Formats of figures: what a path asks for, and the scenario inside a file.

use std::path::Path;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use figure::{movie, pdf, png, svg};

/// The key of the scenario in a figure's file.
pub const SCENARIO_KEY: &str = "scenario";

/// The name of the scenario among the files inside a PDF.
pub const SCENARIO_FILE: &str = "scenario.toml";

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
    /// Pictures of 256 colours, one after another.
    Gif,
    /// Pictures of all colours, one after another.
    Apng,
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
    /// The GIF is broken.
    #[error(transparent)]
    Gif(#[from] movie::NoGif),
}

impl Format {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::Png, Self::Svg, Self::Pdf, Self::Gif, Self::Apng];

    /// Those of figures that do not move.
    pub const STILL: [Self; 3] = [Self::Png, Self::Svg, Self::Pdf];

    /// The extension of its files.
    #[must_use]
    pub const fn extension(self) -> &'static str {
        match self {
            Self::Png => "png",
            Self::Svg => "svg",
            Self::Pdf => "pdf",
            Self::Gif => "gif",
            Self::Apng => "apng",
        }
    }

    /// Its name, as the window writes it.
    #[must_use]
    pub const fn label(self) -> &'static str {
        match self {
            Self::Png => "PNG",
            Self::Svg => "SVG",
            Self::Pdf => "PDF",
            Self::Gif => "GIF",
            Self::Apng => "APNG",
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
            Self::Gif => "A figure that moves, of 256 colours: shown everywhere.",
            Self::Apng => "A figure that moves, of all colours: for web pages.",
        }
    }

    /// The names of all, as a sentence lists them: `a PNG, an SVG or a PDF`.
    pub const IN_WORDS: &str = "a PNG, SVG, PDF, GIF or APNG";

    /// The extensions of all, as a sentence lists them.
    pub const EXTENSIONS_IN_WORDS: &str = ".png, .svg, .pdf, .gif or .apng";

    /// Whether its files consist of lines and texts rather than of pixels.
    #[must_use]
    pub const fn is_vector(self) -> bool {
        matches!(self, Self::Svg | Self::Pdf)
    }

    /// Whether its files have several pictures, one after another.
    #[must_use]
    pub const fn moves(self) -> bool {
        matches!(self, Self::Gif | Self::Apng)
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
            Self::Png | Self::Apng => png::read_text(bytes, SCENARIO_KEY)?,
            Self::Gif => movie::comment(bytes)?,
            Self::Svg => svg::read_text(bytes, SCENARIO_KEY)?,
            Self::Pdf => pdf::read_text(bytes, SCENARIO_FILE)?,
        })
    }
}
