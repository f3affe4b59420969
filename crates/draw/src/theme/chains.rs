//! Styles of chains, where they differ from one another.

use super::{Dash, MARKERS, RunStyle, Theme};

/// Shares of ink in the colours of the chains of a run (chosen by eye).
const CHAIN_SHADES: [f32; 4] = [0.0, 0.5, 0.25, 0.75];

impl Theme {
    /// The style of a chain when chains have colours of their own: eight colours, and different markers for chains of one
    /// colour. After 64 chains the styles repeat.
    #[must_use]
    pub fn chain(&self, chain: usize) -> RunStyle {
        let count = self.runs.len();
        let marker = MARKERS[(chain + chain / count) % count];
        RunStyle { colour: self.runs[chain % count].colour, marker, dash: Dash::Solid }
    }

    /// The style of a chain of a run, which may be `alone` in its plot. Among several runs it is a shade of the colour of its run, which
    /// no other run has, with the marker of its run. After four chains the shades repeat.
    #[must_use]
    pub fn chain_of(&self, run: RunStyle, chain: usize, alone: bool) -> RunStyle {
        if alone {
            return self.chain(chain);
        }
        let share = CHAIN_SHADES[chain % CHAIN_SHADES.len()];
        RunStyle { colour: run.colour.lerp_to_gamma(self.ink, share), ..run }
    }
}
