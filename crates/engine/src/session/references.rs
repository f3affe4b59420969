//! References for the targets of a session: posteriors of functions by long HMC runs, computed elsewhere and kept for the
//! frames of the targets that they belong to.

use std::path::PathBuf;
use std::sync::Arc;

use crate::diagnostics::hmc_reference::{Inputs, Reference, ReferencePlan, ReferenceRun};
use crate::diagnostics::predictions::Kind;
use crate::scenario::Scenario;
use base::math::{Grid, Simd};
use base::params::Settings;
use models::targets::{Behind, Target, places};

/// References that are kept; some megabytes each.
const MOST: usize = 8;

/// Probes along the input of a regression, and along both of a classification.
const PROBES: usize = 16;
const PROBES_EACH: usize = 5;

/// What a reference belongs to: a target, by everything that it is built from.
#[derive(Clone, Debug, PartialEq)]
pub struct ReferenceKey {
    target: Settings,
    folder: PathBuf,
}

impl ReferenceKey {
    /// The target of a scenario at a step.
    #[must_use]
    pub fn of(scenario: &Scenario, step: u64) -> Self {
        Self { target: scenario.target_at(step).clone(), folder: scenario.folder.to_path_buf() }
    }

    /// Whether this is the target of a scenario at a step.
    #[must_use]
    pub fn is_of(&self, scenario: &Scenario, step: u64) -> bool {
        self.target == *scenario.target_at(step) && *self.folder == *scenario.folder
    }
}

/// The newest references, the last used at the end.
#[derive(Clone, Debug, Default)]
pub struct References(Vec<(ReferenceKey, Arc<Reference>)>);

impl References {
    /// Keeps a reference and drops an earlier one of the same target; forgets the oldest if there are too many.
    pub fn put(&mut self, key: ReferenceKey, reference: Arc<Reference>) {
        self.0.retain(|(known, _)| *known != key);
        self.0.push((key, reference));
        if self.0.len() > MOST {
            self.0.remove(0);
        }
    }

    /// The reference of the target of a scenario at a step.
    #[must_use]
    pub fn get(&self, scenario: &Scenario, step: u64) -> Option<&Arc<Reference>> {
        self.0.iter().find(|(key, _)| key.is_of(scenario, step)).map(|(_, reference)| reference)
    }
}

/// Whether a target has a reference: a posterior of functions that is not known exactly.
#[must_use]
pub fn has_reference(target: &Target) -> bool {
    Kind::of(target).is_some()
}

/// The inputs at which draws of functions are compared, one after the other: evenly spaced over those that are shown, the middles
/// of 5 × 5 equal parts of a map.
#[must_use]
pub fn probes(target: &Target) -> Vec<f64> {
    match target.behind() {
        Behind::Nothing => Vec::new(),
        Behind::Function(regression) => {
            let (from, to) = regression.shown();
            (0..PROBES).map(|number| from + (to - from) * number as f64 / (PROBES - 1) as f64).collect()
        }
        Behind::Classes(model) => {
            let grid = Grid::new(model.shown(), PROBES_EACH, PROBES_EACH);
            (0..grid.len()).flat_map(|cell| <[f64; 2]>::from(grid.centre(cell))).collect()
        }
    }
}

/// The reference of a target before its first iteration: probes over the inputs that are shown, and bands of a regression.
///
/// # Errors
/// In a few words, if the target has no reference.
pub fn reference_run(target: &Target) -> Result<ReferenceRun, &'static str> {
    let vectors =
        target.in_vectors().filter(|_| has_reference(target)).ok_or("the target is no posterior of functions")?;
    let inputs = Inputs { probes: probes(target), fine: target.regression().map(places).unwrap_or_default() };
    ReferenceRun::new(vectors.model.as_ref(), inputs, ReferencePlan::default(), Simd::widest())
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::scenario::read;
    use crate::session::Session;
    use base::params::{Value, find_kind};
    use models::targets::{TARGETS, build};

    fn scenario(hidden: u32) -> Scenario {
        let text = format!(
            "format = 1\ntitle = \"x\"\nseed = 3\n[target]\nkind = \"network\"\nhidden = {hidden}\n\
             [[run]]\nname = \"A\"\nmethod = \"sgld\"\nsteps = 100\n"
        );
        read(&text, "x", Path::new("")).unwrap()
    }

    const MOONS: &str = "format = 1\ntitle = \"x\"\n[target]\nkind = \"network\"\n[target.data]\nkind = \"moons\"\n\
                         [[run]]\nname = \"A\"\nmethod = \"sgld\"\n";

    #[test]
    fn a_reference_comes_back_with_its_target() {
        let mut session = Session::new(scenario(3)).unwrap();
        let target = session.frame().target;
        let mut run = reference_run(target.as_ref()).unwrap();
        run.advance(target.model().unwrap(), 5);
        let reference = Arc::new(run.reference());
        assert_eq!((reference.probes.len(), reference.fine.len()), (PROBES, models::targets::PLACES));
        let known = |session: &Session| session.frame().reference.is_some_and(|known| Arc::ptr_eq(&known, &reference));
        assert!(!known(&session));
        session.set_reference(ReferenceKey::of(&scenario(3), 0), reference.clone());
        assert!(known(&session));
        session.advance(10);
        assert!(known(&session));
        for (hidden, there) in [(4, false), (3, true)] {
            let mut settings = session.scenario().target.clone();
            settings.set("hidden", Value::Number(f64::from(hidden))).unwrap();
            let edited = Scenario { target: settings, ..session.scenario().as_ref().clone() };
            session.edit(crate::scenario::Edit::Replace(Box::new(edited))).unwrap();
            assert_eq!(known(&session), there, "with {hidden} units");
        }
    }

    #[test]
    fn only_so_many_are_kept_and_not_every_target_has_one() {
        let target =
            |name: &str| build(&Settings::defaults(find_kind(&TARGETS, name).unwrap()), Path::new("")).unwrap();
        let network = target("network");
        let reference = Arc::new(reference_run(network.as_ref()).unwrap().reference());
        let mut references = References::default();
        for hidden in 1..=10 {
            references.put(ReferenceKey::of(&scenario(hidden), 0), reference.clone());
        }
        let kept: Vec<u32> = (1..=10).filter(|hidden| references.get(&scenario(*hidden), 0).is_some()).collect();
        assert_eq!(kept, [3, 4, 5, 6, 7, 8, 9, 10]);
        assert!(has_reference(network.as_ref()));
        let moons = Session::new(read(MOONS, "x", Path::new("")).unwrap()).unwrap().frame().target;
        let reference = reference_run(moons.as_ref()).unwrap().reference();
        assert_eq!((reference.probes.len(), reference.fine.len()), (PROBES_EACH * PROBES_EACH, 0));
        let (shown, inputs) = (moons.classification().unwrap().shown(), &reference.inputs.probes);
        let middle = 0.5 * (shown.min + shown.max);
        assert!((inputs[24] - middle.x).abs() < 1e-12 && (inputs[25] - middle.y).abs() < 1e-12);
        assert!((inputs[0] - shown.min.x - 0.1 * (shown.max.x - shown.min.x)).abs() < 1e-12);
        for name in ["gaussian", "two-weight-sign", "linear-regression"] {
            assert!(!has_reference(target(name).as_ref()) && reference_run(target(name).as_ref()).is_err(), "{name}");
        }
    }
}
