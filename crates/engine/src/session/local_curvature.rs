//! Curvature where the chains are, of a model in more dimensions than are drawn: it limits step sizes there, as that of the highest
//! mode does at the mode. Away from a mode it is often larger.

use super::frame::RunFrame;
use base::math::symmetric_eigen;
use models::targets::Model;

/// Chains that are looked at, at most.
const MOST_CHAINS: usize = 4;

/// Dimensions at most: the eigenvalues of a matrix with so many rows take some 50 ms.
const MOST_WEIGHTS: usize = 200;

/// λ, the largest eigenvalue of −∇² log p at the positions of some chains.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LocalCurvature {
    /// The step after which the chains were there.
    pub step: u64,
    /// λ, the largest of the first chains; positive.
    pub curvature: f64,
}

impl LocalCurvature {
    /// At the newest vectors that are kept of a run. `None` if its method has no limit of stability, if the model has too many
    /// dimensions or no Hessian, and where no eigenvalue is positive.
    pub(super) fn of(run: &RunFrame, model: &dyn Model) -> Option<Self> {
        run.plan.segment_of(run.step).method.stable_below(1.0)?;
        let newest = run.newest_vectors.as_ref().filter(|at| at.step >= run.target_since)?;
        if model.dimension() > MOST_WEIGHTS {
            return None;
        }
        let largest = |chain: usize| {
            let at: Vec<f64> = newest.positions.vector(chain).collect();
            let curvature = -model.hessian(&at).filter(|_| at.iter().all(|value| value.is_finite()))?;
            symmetric_eigen(&curvature)?.values.last().copied().filter(|largest| *largest > 0.0)
        };
        let chains = 0..newest.positions.len().min(MOST_CHAINS);
        let curvature = chains.filter_map(largest).reduce(f64::max)?;
        Some(Self { step: newest.step, curvature })
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;
    use std::sync::Arc;

    use super::*;
    use crate::scenario::read;
    use crate::session::{Analyser, Session, VectorsAt};
    use base::math::Coords;
    use base::platform::now;
    use models::targets::network::{DataSet, Layout, Likelihood, Network, Noise, Prior};

    /// The reference problem of classes.
    const MOONS: &str = "kind = \"network\"\nhidden = 8\ndata = { kind = \"moons\" }\nprior = { kind = \"fan-in\", weight_sd = 5.0, bias_sd = 2.0 }";

    fn analysed(method: &str, steps: u64) -> (Option<LocalCurvature>, RunFrame) {
        let text = format!(
            "format = 1\ntitle = \"x\"\nseed = 3\n[target]\nkind = \"network\"\n[[run]]\nname = \"A\"\nmethod = \"{method}\"\n\
             steps = 40000\nstep_size = {{ kind = \"constant\", value = 2e-5 }}\n"
        );
        let mut session = Session::new(read(&text, "x", Path::new("")).unwrap()).unwrap();
        session.advance(steps);
        let frame = session.frame();
        (now(Analyser::default().analyse(&frame, &frame.runs[0])).here, frame.runs[0].clone())
    }

    #[test]
    fn it_is_the_largest_eigenvalue_of_the_hessian_where_the_chain_is() {
        let layout = Layout::new(&[1, 10, 1]).unwrap();
        let prior = Prior::FanIn { weight: 2.0, bias: 1.0 };
        let data = DataSet::GapSine { sd: 0.1 }.train(Noise::Lattice);
        let network = Network::new(layout, prior, Likelihood::Gaussian { sd: 0.1 }, data).unwrap();
        let (here, run) = analysed("sgld", 3000);
        let (here, newest) = (here.unwrap(), run.newest_vectors.as_ref().unwrap());
        let at: Vec<f64> = newest.positions.vector(0).collect();
        assert_eq!(here.step, newest.step);
        assert!(
            here.step > 2900
                && (network.spectrum(&at).unwrap().largest_stable_step() - 2.0 / here.curvature).abs() < 1e-15
        );
    }

    /// At the best modes, the last column of the files, where the limits 2/λ are 8.39e-5 and 0.0534 (JAX).
    #[test]
    fn at_a_mode_it_is_the_curvature_of_the_mode() {
        let mut run = analysed("sgld", 10).1;
        let gap = include_str!("../../../../tests/data/network/gap_weights.csv");
        let moons = include_str!("../../../../tests/data/network/moons_weights.csv");
        for (text, file, expected) in [("kind = \"network\"", gap, 23_843.936_73), (MOONS, moons, 37.435_275_33)] {
            let scenario =
                format!("format = 1\ntitle = \"x\"\n[target]\n{text}\n[[run]]\nname = \"A\"\nmethod = \"sgld\"\n");
            let frame = Session::new(read(&scenario, "x", Path::new("")).unwrap()).unwrap().frame();
            let model = frame.target.model().unwrap();
            let last = |line: &str| line.rsplit(',').next().and_then(|value| value.trim().parse().ok());
            let mode: Vec<f64> = file.lines().filter_map(last).collect();
            let positions = Coords::of(mode.len(), [&mode[..]].into_iter());
            run.newest_vectors = Some(Arc::new(VectorsAt { step: 7, positions, told: Default::default() }));
            let here = LocalCurvature::of(&run, model).unwrap();
            assert!(here.step == 7 && (here.curvature / expected - 1.0).abs() < 1e-6, "{here:?}");
        }
    }

    #[test]
    fn methods_without_a_limit_have_none() {
        assert_eq!(analysed("adam", 50).0, None);
        assert_eq!(analysed("mc-dropout", 50).0, None);
    }
}
