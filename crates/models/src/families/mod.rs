//! Families of targets: what a kind of target means to whoever shows, runs and explains it, as data. The mathematics of a target is in
//! [`targets`](crate::targets).
//!
//! A family has a file here and a line in [`FAMILIES`]. Measures, tabs, methods, starts and parameters are named by their keys; tests of the
//! crates that have them look for each.

mod classes;
mod coefficients;
mod functions;
mod line;
mod plane;
mod topics;
mod vectors;

pub use classes::CLASSES;
pub use coefficients::COEFFICIENTS;
pub use functions::FUNCTIONS;
pub use line::LINE;
pub use plane::PLANE;
pub use topics::TOPICS;
pub use vectors::VECTORS;

/// All families.
pub static FAMILIES: &[&Family] = &[&LINE, &PLANE, &FUNCTIONS, &CLASSES, &COEFFICIENTS, &VECTORS, &TOPICS];

/// What a kind of target means.
#[derive(Debug)]
pub struct Family {
    /// Its name, of which there is one.
    pub name: &'static str,
    /// The measures that come first in the readout.
    pub leading: Leading,
    /// Tabs of plots, and what stands in the place of the canvases.
    pub tabs: Tabs,
    /// What a run costs.
    pub cost: Cost,
    /// Paths of parameters of runs that mean nothing, and of kinds that cannot be chosen: on the line there is no y.
    pub without: &'static [&'static str],
    /// Paths of those that no other family has.
    pub alone: &'static [&'static str],
    /// The start of chains that are told nothing; `None` for the point that the target suggests.
    pub start: Option<&'static str>,
    /// What takes the place of a method that does not suit the target.
    pub substitute: Substitute,
    /// Whether steps may take seconds: they can be stopped, and runs that are computed out of sight are shown before they are complete.
    pub long_steps: bool,
    /// Why what needs positions of chains is refused; `None` where chains have positions in a space of coordinates.
    pub no_positions: Option<NoPositions>,
}

impl PartialEq for Family {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for Family {}

impl Family {
    /// Paths of parameters of runs and of kinds that are not offered on its targets.
    #[must_use]
    pub fn hidden(&self) -> Vec<&'static str> {
        let others = FAMILIES.iter().filter(|other| **other != self).flat_map(|other| other.alone);
        self.without.iter().chain(others).copied().collect()
    }
}

/// Keys of the measures that come first, the headline at their head.
#[derive(Clone, Copy, Debug)]
pub struct Leading {
    /// Of samplers on a target with several modes.
    pub modes: &'static [&'static str],
    /// Of samplers on one with a single mode.
    pub single: &'static [&'static str],
    /// Where all runs are approximations.
    pub fits: &'static [&'static str],
}

impl Leading {
    /// The same measures whatever the target and the methods.
    const fn always(keys: &'static [&'static str]) -> Self {
        Self { modes: keys, single: keys, fits: keys }
    }

    /// The measures for a number of modes, and for approximations alone (`fits`).
    #[must_use]
    pub fn keys(&self, fits: bool, modes: usize) -> &'static [&'static str] {
        match (fits, modes) {
            (true, _) => self.fits,
            (false, 2..) => self.modes,
            (false, _) => self.single,
        }
    }
}

/// Keys of tabs of plots.
#[derive(Clone, Copy, Debug)]
pub struct Tabs {
    /// The tab that is open first; `None` for the first of all.
    pub first: Option<&'static str>,
    /// The tab whose plot stands in the place of the canvases; `None` where there are canvases.
    pub canvases: Option<&'static str>,
    /// The tab whose plot is below these on a sheet; `None` for that of the methods.
    pub sheet: Option<&'static str>,
    /// Tabs that say nothing, with the reason.
    pub silent: &'static [(&'static [&'static str], &'static str)],
    /// How much higher plots are at first; `None` if their tab decides.
    pub higher: Option<f32>,
}

/// The unit in which the cost of runs is counted, in the words of the window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cost {
    /// What is counted.
    pub name: &'static str,
    /// What has been spent, as the name of a control.
    pub spent: &'static str,
    /// What runs have in common at every moment at which they have spent the same.
    pub help: &'static str,
    /// The label of an axis: of the only chain, of each chain, of all chains of a run.
    pub axis: [&'static str; 3],
    /// What a logarithmic axis is.
    pub log: &'static str,
    /// Whether data are counted, of which an evaluation of a gradient is a pass over all N; else evaluations.
    pub counts_data: bool,
    /// Whether the computing time of steps is known as well.
    pub seconds: bool,
}

impl Cost {
    /// Gradient evaluations.
    pub const GRADIENTS: Self = Self {
        name: "gradients",
        spent: "Gradient evaluations",
        help: "All runs have spent the same number of gradient evaluations: they are equal in cost at every moment. Where the target \
               changes during the runs, they meet at steps.",
        axis: ["gradient evaluations"; 3],
        log: "Evaluations on a logarithmic axis, which shows the first steps",
        counts_data: false,
        seconds: false,
    };
}

/// A method in the place of another.
#[derive(Clone, Copy, Debug)]
pub struct Substitute {
    /// Its name.
    pub method: &'static str,
    /// The data in its minibatches, where there are as many; `None` for the gradients that are its default.
    pub batch: Option<f64>,
}

/// Reasons for what needs positions of chains.
#[derive(Clone, Copy, Debug)]
pub struct NoPositions {
    /// The target cannot follow another one during runs.
    pub follows: &'static str,
    /// There is no challenge.
    pub challenge: &'static str,
    /// There is no noise of gradients.
    pub noise: &'static str,
    /// Chains share no minibatches.
    pub shared_batches: &'static str,
}
