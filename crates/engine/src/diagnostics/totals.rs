//! Numbers of all draws of a run that are told beside its measures.

/// Numbers of all collected draws of a run besides their count, exact however many they are.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Totals {
    /// The number of draws of equal weight that are worth as much, (Σw)²/Σw² (Kish 1965).
    pub effective: f64,
    /// Visits of chains to modes: one for every chain with draws, and one for every switch.
    pub visits: u64,
    /// Draws whose nearest mode is not that of the draw before them of the same chain.
    pub switches: u64,
    /// Draws outside of the target's view, see [`Truth::grid`](super::Truth::grid).
    pub outside: u64,
    /// Draws far from the target, there or in the view, see [`Truth::far`](super::Truth::far).
    pub far: u64,
    /// Draws after divergent transitions, which methods along Hamiltonian dynamics tell of.
    pub divergent: u64,
    /// Draws of the warm-up of an adaptation.
    pub warm_up: u64,
}
