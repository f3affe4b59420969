//! A density painted by hand: levels on the cells of a grid, made smooth by cubic B-splines, over a broad Gaussian.
//!
//! Normaliser, moments, probabilities of rectangles and draws are exact (`density.rs`, `survey.rs`). The Gaussian in the background has
//! its middle in the middle of the grid, and two standard deviations reach two cells beyond it: as far as splines do. Thanks to it the
//! density is positive everywhere, and its logarithm has two continuous derivatives.

mod density;
pub(super) mod spline;
mod survey;

use std::sync::Arc;

use self::density::Painting;
use super::{Editor, Folder, Target, TargetEntry};
use crate::targets::kit::analytic::Analytic;
use base::params::{DefaultValue, Interval, KindSpec, ParamError, ParamSpec, ParamType, Picture, Settings};

/// The default picture: a face. The outline, the eyes and the mouth are far apart for a chain.
const FACE: [&str; 30] = [
    "................12333321................",
    ".............136BFIJJIFB631.............",
    "............38GMONLJJLNOMG83............",
    "..........15FNNGA643346AGNNF51..........",
    ".........17JOG731......137GOJ71.........",
    "........17KNC31..........13CNK71........",
    "........5JNA2..............2ANJ5........",
    ".......3FOC2................2COF3.......",
    "......18NG3..13431....13431..3GN81......",
    "......3GN71.15EJE51..15EJE51.17NG3......",
    "......6MG3..3DYlYD3..3DYlYD3..3GM6......",
    ".....1BOA1..3HiziH3..3HiziH3..1AOB1.....",
    ".....2FN6...2CUfUC2..2CUfUC2...6NF2.....",
    ".....3IL4...14BFB41..14BFB41...4LI3.....",
    ".....3JJ3....12321....12321....3JJ3.....",
    ".....3JJ3......................3JJ3.....",
    ".....3IL4..1583..........3851..4LI3.....",
    ".....2FN6..4NYD2........2DYN4..6NF2.....",
    ".....1BOA1.4PiS81......18SiP4.1AOB1.....",
    "......6MG3.1BYhQ931..139QhYB1.3GM6......",
    "......3GN71.3FaiXJB88BJXiaF3.17NG3......",
    "......18NG3..3EVghcZZchgVE3..3GN81......",
    ".......3FOC2..28ITaddaTI82..2COF3.......",
    "........5JNA2..1259BB9521..2ANJ5........",
    "........17KNC31...1111...13CNK71........",
    ".........17JOG731......137GOJ71.........",
    "..........15FNNGA643346AGNNF51..........",
    "............38GMONLJJLNOMG83............",
    ".............136BFIJJIFB631.............",
    "................12333321................",
];

const PARAMS: [ParamSpec; 3] = [
    ParamSpec::of(
        "picture",
        "picture",
        ParamType::Picture,
        DefaultValue::Picture(&FACE),
        "The levels of the cells, by rows from the top. The density is in proportion to them.",
    ),
    ParamSpec::number(
        "cell",
        "width of a cell",
        0.2,
        Interval::closed(1e-3, 1e3),
        (0.05, 1.0),
        "Width and height of a cell. The middle of the picture is at 0.",
    )
    .log(),
    ParamSpec::number(
        "background",
        "background",
        0.01,
        Interval::closed(1e-6, 1.0),
        (0.001, 0.5),
        "Probability of the broad Gaussian behind the picture. With a small one, chains rarely cross what is not painted.",
    )
    .log(),
];

/// The description of this target.
const SPEC: KindSpec = KindSpec {
    name: "painted",
    label: "Painting",
    help: "A density that you paint on the canvas with a brush, an eraser and blur. Moments and draws are known exactly, so \
           that every method can be compared with the truth.",
    params: &PARAMS,
};

/// The line of the registry.
pub const ENTRY: TargetEntry = TargetEntry { editor: Some(Editor::Brush("picture")), ..TargetEntry::new(SPEC, build) };

/// Makes the target.
///
/// # Errors
/// None beyond what a picture and the ranges of the parameters allow.
fn build(settings: &Settings, _folder: &Folder) -> Result<Target, Vec<ParamError>> {
    let density = painting(settings);
    let info = survey::survey(&density);
    Ok(Target::plane(Arc::new(Analytic { info, density })))
}

/// The target that settings of this kind describe without its modes, which take time to find: a picture of a painting under the brush
/// does not show them.
#[must_use]
pub fn painting_alone(settings: &Settings) -> Arc<Target> {
    let density = painting(settings);
    let info = survey::outline(&density);
    Target::plane(Arc::new(Analytic { info, density })).into()
}

fn painting(settings: &Settings) -> Painting {
    let (cell, background) = (settings.number("cell"), settings.number("background"));
    // There is always a picture: it has a default.
    let picture = settings.picture("picture").cloned().unwrap_or_else(Picture::empty);
    Painting::new(&picture, cell, background)
}
