//! Layers of the canvases, ways to draw draws, and exact distributions, as `[view]` of a scenario file names them.

use super::{Draws, Layers};
use engine::distributions::Followed;
use engine::scenario::ViewSpec;
use engine::scenario::view::LAYERS;

/// A way to draw draws.
#[derive(Clone, Copy, Debug)]
pub struct Way {
    /// Its word in a file.
    pub word: &'static str,
    /// What it is.
    pub help: &'static str,
    draws: Draws,
}

/// The ways to draw draws.
pub const DRAWS: [Way; 8] = [
    Way { word: "hidden", help: "Not at all", draws: Draws::Hidden },
    Way { word: "auto", help: "As points while they are few, then as a density", draws: Draws::Auto },
    Way { word: "points", help: "As points", draws: Draws::Points },
    Way { word: "density", help: "As a density", draws: Draws::Density },
    Way { word: "by-chain", help: "As points coloured by chain", draws: Draws::ByChain },
    Way { word: "by-cycle", help: "As points coloured by cycle", draws: Draws::ByCycle },
    Way { word: "by-step", help: "As points, pale at the start of the run", draws: Draws::ByStep },
    Way {
        word: "ensemble",
        help: "The positions of all chains at the end, as a density, instead of the draws",
        draws: Draws::Ensemble,
    },
];

/// The way that a word names.
#[must_use]
pub fn draws(word: &str) -> Option<Draws> {
    DRAWS.iter().find(|way| way.word == word).map(|way| way.draws)
}

/// An exact distribution on a canvas.
#[derive(Clone, Copy, Debug)]
pub struct Distribution {
    /// Its word in a file.
    pub word: &'static str,
    /// What it is.
    pub help: &'static str,
    /// Which one is followed.
    pub followed: Option<Followed>,
}

/// The exact distributions that can be shown.
pub const EXACT: [Distribution; 4] = [
    Distribution { word: "hidden", help: "Not at all", followed: None },
    Distribution { word: "now", help: "After the present step", followed: Some(Followed::Now) },
    Distribution { word: "collected", help: "Of all steps collected so far", followed: Some(Followed::Collected) },
    Distribution {
        word: "stationary",
        help: "Of a constant step size, after endlessly many steps",
        followed: Some(Followed::Stationary),
    },
];

/// The exact distribution that a word names.
#[must_use]
pub fn exact(word: &str) -> Option<Distribution> {
    EXACT.into_iter().find(|of| of.word == word)
}

/// The word for an exact distribution.
#[must_use]
pub fn exact_word(followed: Option<Followed>) -> &'static str {
    EXACT.iter().find(|of| of.followed == followed).map_or(EXACT[0].word, |of| of.word)
}

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
    layers.draws = spec.draws.as_ref().and_then(|word| draws(word)).unwrap_or(layers.draws);
    layers.exact = spec.exact.as_ref().and_then(|word| exact(word)).map_or(layers.exact, |of| of.followed);
    layers.truth = !spec.hides_target();
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
        "divergences" => &mut layers.divergences,
        "between-modes" => &mut layers.between_modes,
        _ => return None,
    })
}

/// The word for a way to draw draws.
#[must_use]
pub fn word(draws: Draws) -> &'static str {
    DRAWS.iter().find(|way| way.draws == draws).map_or(DRAWS[1].word, |way| way.word)
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::scenario::view;

    #[test]
    fn names_of_layers_and_draws_are_those_of_files() {
        let mut layers = Layers::default();
        assert!(LAYERS.iter().all(|name| layer(&mut layers, name).is_some()));
        assert!(DRAWS.iter().map(|way| way.word).eq(view::DRAWS));
        assert!(EXACT.iter().map(|of| of.word).eq(view::EXACT));
        assert!(EXACT.iter().all(|of| exact_word(of.followed) == of.word));
    }
}
