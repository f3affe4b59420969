//! Formats of figures: what a path asks for, and the scenario inside a file.

use std::path::Path;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use figure::remake::{python, vega};
use figure::{movie, pdf, png, source, svg, tex, typst, vector};

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
    /// Commands of the package `pgf`, whose texts a LaTeX document sets.
    Pgf,
    /// A box of curves and texts, which a Typst document sets.
    Typst,
    /// A script of matplotlib with its data beside it.
    Python,
    /// A description for Vega-Lite with its data inside.
    VegaLite,
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
    /// The description for Vega-Lite is broken.
    #[error(transparent)]
    VegaLite(#[from] vega::ReadError),
}

impl Format {
    /// All of them.
    pub const ALL: [Self; 9] =
        [Self::Png, Self::Svg, Self::Pdf, Self::Gif, Self::Apng, Self::Pgf, Self::Typst, Self::Python, Self::VegaLite];

    /// Those of figures that do not move.
    pub const STILL: [Self; 7] =
        [Self::Png, Self::Svg, Self::Pdf, Self::Pgf, Self::Typst, Self::Python, Self::VegaLite];

    /// The extension of its files.
    #[must_use]
    pub const fn extension(self) -> &'static str {
        match self {
            Self::Png => "png",
            Self::Svg => "svg",
            Self::Pdf => "pdf",
            Self::Gif => "gif",
            Self::Apng => "apng",
            Self::Pgf => "pgf",
            Self::Typst => "typ",
            Self::Python => "py",
            Self::VegaLite => "vl.json",
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
            Self::Pgf => "PGF",
            Self::Typst => "Typst",
            Self::Python => "Python",
            Self::VegaLite => "Vega-Lite",
        }
    }

    /// Whether its files are text that people put into documents and programs.
    #[must_use]
    pub const fn is_source(self) -> bool {
        matches!(self, Self::Pgf | Self::Typst | Self::Python | Self::VegaLite)
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
            Self::Pgf => {
                "For \\input in LaTeX, with the package pgf: the document sets the texts in its own letters. Densities and large clouds are \
                 PNG files beside it."
            }
            Self::Typst => "For include in Typst, without packages: the document sets the texts in its own letters.",
            Self::Python => {
                "A script of matplotlib that draws the same plots, with its data beside it (.npz). Tables are not redrawn."
            }
            Self::VegaLite => "The plots with their data, for web pages with Vega-Lite. Tables are not redrawn.",
        }
    }

    /// The names of all, as a sentence lists them: `a PNG, an SVG or a PDF`.
    pub const IN_WORDS: &str = "a PNG, SVG, PDF, GIF, APNG, PGF, Typst, Python or Vega-Lite file";

    /// The extensions of all, as a sentence lists them.
    pub const EXTENSIONS_IN_WORDS: &str = ".png, .svg, .pdf, .gif, .apng, .pgf, .typ, .py or .vl.json";

    /// Whether its files consist of lines and texts rather than of pixels.
    #[must_use]
    pub const fn is_vector(self) -> bool {
        !matches!(self, Self::Png | Self::Gif | Self::Apng)
    }

    /// The most dots that its files draw one by one: a cloud of more is an image there.
    #[must_use]
    pub(super) const fn most_dots(self) -> usize {
        match self {
            Self::Pgf => tex::MOST_CIRCLES,
            _ => vector::MOST_CIRCLES,
        }
    }

    /// Whether its files have several pictures, one after another.
    #[must_use]
    pub const fn moves(self) -> bool {
        matches!(self, Self::Gif | Self::Apng)
    }

    /// The format of a path, by its extension.
    #[must_use]
    pub fn of(path: &Path) -> Option<Self> {
        let name = path.file_name()?.to_str()?.to_ascii_lowercase();
        let ends = |format: &Self| name.strip_suffix(format.extension()).is_some_and(|stem| stem.ends_with('.'));
        Self::ALL.into_iter().find(ends).filter(|_| path.extension().is_some())
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
            Self::Pgf => source::read_text(bytes, tex::COMMENT, SCENARIO_KEY),
            Self::Typst => source::read_text(bytes, typst::COMMENT, SCENARIO_KEY),
            Self::Python => source::read_text(bytes, python::COMMENT, SCENARIO_KEY),
            Self::VegaLite => vega::read_text(bytes, SCENARIO_KEY)?,
        })
    }
}
