//! Layers of the canvases and ways to draw draws, as `[view]` of a scenario file names them.

use super::plots::canvas::{Draws, Layers};
use crate::scenario::ViewSpec;
use crate::scenario::view::LAYERS;

/// The ways to draw draws, with their words in a file.
const DRAWS: [(&str, Draws); 8] = [
    ("hidden", Draws::Hidden),
    ("auto", Draws::Auto),
    ("points", Draws::Points),
    ("density", Draws::Density),
    ("by-chain", Draws::ByChain),
    ("by-cycle", Draws::ByCycle),
    ("by-step", Draws::ByStep),
    ("ensemble", Draws::Ensemble),
];

/// The layers that a file names, and what it says of draws and truth; for what it does not say, the standard.
#[must_use]
pub fn of_file(spec: &ViewSpec, standard: Layers) -> Layers {
    let mut layers = standard;
    if let Some(names) = &spec.layers {
        for name in LAYERS {
            if let Some(on) = layer(&mut layers, name) {
                *on = names.iter().any(|named| named == name);
            }
        }
    }
    let drawn = spec.draws.as_ref().and_then(|word| DRAWS.iter().find(|(known, _)| known == word));
    layers.draws = drawn.map_or(layers.draws, |(_, draws)| *draws);
    layers.truth = spec.truth != Some(false);
    layers
}

/// Whether the layer with a name is on.
#[must_use]
pub fn is_on(layers: &Layers, name: &str) -> bool {
    layer(&mut layers.clone(), name).is_some_and(|on| *on)
}

/// The layer with this name in a file.
fn layer<'l>(layers: &'l mut Layers, name: &str) -> Option<&'l mut bool> {
    Some(match name {
        "density" => &mut layers.heat,
        "contours" => &mut layers.contours,
        "modes" => &mut layers.modes,
        "trail" => &mut layers.trail,
        "arrows" => &mut layers.arrows,
        "marginals" => &mut layers.marginals,
        "fits" => &mut layers.fits,
        "ellipses" => &mut layers.ellipses,
        _ => return None,
    })
}

/// The word for a way to draw draws.
#[must_use]
pub fn word(draws: Draws) -> &'static str {
    DRAWS.iter().find(|(_, known)| *known == draws).map_or(DRAWS[1].0, |(word, _)| word)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenario::view;

    #[test]
    fn names_of_layers_and_draws_are_those_of_files() {
        let mut layers = Layers::default();
        assert!(LAYERS.iter().all(|name| layer(&mut layers, name).is_some()));
        assert!(DRAWS.iter().map(|(word, _)| *word).eq(view::DRAWS));
    }
}
