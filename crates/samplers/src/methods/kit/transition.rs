//! Transitions: what methods that follow Hamiltonian dynamics tell of every step of every chain, in the words of Stan and ArviZ.

/// The error of the energy above which a transition is divergent, as in Stan.
pub const LARGEST_ERROR: f64 = 1000.0;

/// How a transition went.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Course {
    /// The chain took no step along the dynamics.
    #[default]
    Nowhere,
    /// It belongs to the warm-up, in which step size and mass matrix are adapted.
    WarmUp,
    /// Its energy error stayed below [`LARGEST_ERROR`].
    Sound,
    /// After the warm-up, its energy error exceeded [`LARGEST_ERROR`] or was not a number.
    Divergent,
}

/// One transition of one chain.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Transition {
    /// H at the draw with its momentum; NaN where the chain is nowhere.
    pub energy: f64,
    /// log p at the draw, in the coordinates of the chains.
    pub log_density: f64,
    /// The step size h of the chain.
    pub step_size: f64,
    /// The acceptance probability, of a trajectory its mean over the leapfrog steps.
    pub acceptance: f64,
    /// Leapfrog steps.
    pub leapfrog_steps: u16,
    /// Finished doublings; 0 of methods without any.
    pub depth: u8,
    /// How it went.
    pub course: Course,
}

impl Default for Transition {
    fn default() -> Self {
        Self::NOWHERE
    }
}

impl Transition {
    /// That of a chain that takes no step.
    pub const NOWHERE: Self = Self {
        energy: f64::NAN,
        log_density: f64::NAN,
        step_size: f64::NAN,
        acceptance: f64::NAN,
        leapfrog_steps: 0,
        depth: 0,
        course: Course::Nowhere,
    };

    /// Whether it counts as a divergence.
    #[must_use]
    pub fn is_divergent(&self) -> bool {
        self.course == Course::Divergent
    }
}

/// What the transitions of a method have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Transitions {
    /// Whether trajectories double.
    pub doubles: bool,
    /// Whether every chain adapts a step size of its own.
    pub adapts: bool,
}

impl Course {
    /// Of a transition of the warm-up or after it, divergent or not.
    pub(crate) fn of(warm_up: bool, divergent: bool) -> Self {
        match (warm_up, divergent) {
            (true, _) => Self::WarmUp,
            (false, true) => Self::Divergent,
            (false, false) => Self::Sound,
        }
    }
}
