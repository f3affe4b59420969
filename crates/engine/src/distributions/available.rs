//! For which methods and targets distributions are computed, and why not for others: as lists tell it.

use std::path::Path;

use base::params::{KindSpec, Settings};
use exact::factors;
use models::targets;
use samplers::methods::{self, Dynamics};

/// Where the distribution of a method with its default options is computed, or why it is not.
///
/// # Errors
/// With the reason in words.
pub fn of_method(kind: &'static KindSpec) -> Result<&'static str, &'static str> {
    let Ok(method) = methods::build(&Settings::defaults(kind)) else {
        return Err("it depends on the options of the method");
    };
    match method.dynamics() {
        Dynamics::Langevin => Ok("on the line and in the plane"),
        Dynamics::RandomWalk | Dynamics::AdjustedLangevin => {
            Ok("on the line and in the plane, there on at most 64 × 64 nodes")
        }
        Dynamics::Friction { .. } => Ok("on the line, with one step size"),
        Dynamics::NotComputed(why) => Err(why),
    }
}

/// As what distributions on a target with its default options are computed, or why they are not.
///
/// # Errors
/// With the reason in words.
pub fn of_target(kind: &'static KindSpec) -> Result<&'static str, &'static str> {
    let Ok(target) = targets::build(&Settings::defaults(kind), Path::new(".")) else {
        return Err("it depends on the data of the target");
    };
    let sampled = target.sampled();
    match sampled.in_plane() {
        None => Err("the target has more than two coordinates"),
        Some(density) if density.info().dimension == 1 => Ok("on the line"),
        Some(density) if factors(density, density.info().view).is_some() => Ok("as a product of two lines"),
        Some(_) => Ok("in the plane"),
    }
}
