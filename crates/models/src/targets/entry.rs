//! What is known of a kind of target before one is built.

use super::{Folder, Target};
use crate::families::{Family, PLANE};
use base::params::{KindSpec, ParamError, Settings};

/// Makes a target from its settings; relative paths are looked up in `folder`.
type TargetBuilder = fn(settings: &Settings, folder: &Folder) -> Result<Target, Vec<ParamError>>;

/// A line of the registry.
#[derive(Clone, Copy)]
pub struct TargetEntry {
    /// Name, label, parameters.
    pub spec: KindSpec,
    /// Makes one.
    pub build: TargetBuilder,
    /// The family at default settings; a target says its own, see [`Target::family`].
    pub family: &'static Family,
    /// How it is edited other than by controls of its parameters.
    pub editor: Option<Editor>,
    /// The parameters that change nothing at some settings.
    pub idle: fn(&Settings) -> &'static [&'static str],
}

impl TargetEntry {
    /// A target of the family of the plane without an editor, all of whose parameters count.
    pub const fn new(spec: KindSpec, build: TargetBuilder) -> Self {
        Self { spec, build, family: &PLANE, editor: None, idle: |_| &[] }
    }
}

/// How a person edits a target other than by controls of its parameters; each names the parameter that it edits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Editor {
    /// With handles of Gaussians on the canvases.
    Handles(&'static str),
    /// With a brush on the canvases.
    Brush(&'static str),
    /// As the text of a formula.
    Text(&'static str),
}

impl Editor {
    /// The parameter that has no control beside the editor.
    #[must_use]
    pub fn replaces(self) -> Option<&'static str> {
        match self {
            Self::Handles(_) => None,
            Self::Brush(key) | Self::Text(key) => Some(key),
        }
    }

    /// Whether it is on the canvases.
    #[must_use]
    pub fn is_on_canvases(self) -> bool {
        !matches!(self, Self::Text(_))
    }
}
