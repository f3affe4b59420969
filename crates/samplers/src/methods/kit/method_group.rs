//! Groups of methods, by what they need and what they are for, as menus and lists show them.

/// What methods have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MethodGroup {
    /// Samplers that need the density alone.
    WithoutGradients,
    /// Samplers along the exact gradient.
    Gradients,
    /// Samplers along gradients of a few data points.
    StochasticGradients,
    /// Samplers that flatten the target.
    Tempering,
    /// Methods that end at a mode.
    Optimisers,
    /// Methods that fit a distribution.
    Approximations,
}

impl MethodGroup {
    /// All groups, in the order in which they are learnt.
    pub const ALL: [Self; 6] = [
        Self::WithoutGradients,
        Self::Gradients,
        Self::StochasticGradients,
        Self::Tempering,
        Self::Optimisers,
        Self::Approximations,
    ];

    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::WithoutGradients => "Random walks",
            Self::Gradients => "With the gradient",
            Self::StochasticGradients => "With gradients of minibatches",
            Self::Tempering => "Tempering",
            Self::Optimisers => "Optimisers",
            Self::Approximations => "Approximations",
        }
    }

    /// What its methods do, in a plain sentence.
    #[must_use]
    pub fn about(self) -> &'static str {
        match self {
            Self::WithoutGradients => "They draw from the target and need nothing but its density.",
            Self::Gradients => "They draw from the target and go uphill on the way.",
            Self::StochasticGradients => "They draw from a posterior and look at a few data points in each step.",
            Self::Tempering => "They flatten the target, so that chains cross its valleys.",
            Self::Optimisers => "They climb to the nearest mode and stay there; they do not draw.",
            Self::Approximations => "They fit a simple distribution to the target.",
        }
    }
}
