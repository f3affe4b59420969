//! What is said of functions whose draws are not those of the posterior yet: bands and maps look alike either way.

use super::legend::{Entry, Sample, WARNING_SIGN};
use crate::words::numbers;
use engine::session::{Frame, RunFrame};

/// R̂ of f from which chains, or the halves of a chain, plainly disagree about it. That of converged ones is below 1.01.
const DISAGREE: f64 = 1.1;

/// The key of the measure.
const KEY: &str = "rhat_functions";

/// That the chains of a run disagree about the functions, for a legend; `None` as far as they agree, and where nobody knows.
pub(crate) fn unconverged(run: &RunFrame) -> Option<Entry> {
    disagreement(run).map(|words| Entry::new(Sample::Warning, format!("{WARNING_SIGN} {words}")))
}

/// The same in words.
pub(crate) fn disagreement(run: &RunFrame) -> Option<String> {
    let rhat = run.analysis.predicted.measures.iter().find(|measure| measure.key == KEY)?.value?;
    let who = if run.plan.chains > 1 { "chains disagree" } else { "halves of the chain disagree" };
    (rhat > DISAGREE).then(|| format!("Not converged, {who}: R-hat of f {}", numbers::significant(rhat, 3)))
}

/// That the chains of a run disagree about coordinates with names, in words.
pub(crate) fn disagreement_of_names(frame: &Frame, run: &RunFrame) -> Option<String> {
    frame.target.quantities()?;
    let rhat = run.analysis.measures.iter().find(|measure| measure.key == "rhat")?.value?;
    (rhat > DISAGREE).then(|| format!("Not converged, chains disagree: R-hat {}", numbers::significant(rhat, 3)))
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use base::platform::now;
    use engine::diagnostics::predictions::PREDICTION_MEASURES;
    use engine::scenario::read;
    use engine::session::{Analyser, Session};

    /// Chains from the prior that hardly move have other functions; those of long HMC paths have the same.
    #[test]
    fn chains_that_disagree_are_named() {
        assert!(PREDICTION_MEASURES.iter().any(|spec| spec.key == KEY));
        let run = |settings: &str| {
            let text = format!(
                "format = 1\ntitle = \"x\"\nseed = 3\n[target]\nkind = \"network\"\nhidden = 2\ndata = {{ kind = \"points\" }}\n\
                 [[run]]\nname = \"A\"\nchains = 4\nstart = {{ kind = \"prior\" }}\n{settings}\n"
            );
            let mut session = Session::new(read(&text, "x", Path::new("")).unwrap()).unwrap();
            session.advance(u64::MAX);
            let frame = session.frame();
            let analysis = now(Analyser::default().analyse(&frame, &frame.runs[0]));
            session.set_analysis(0, analysis);
            disagreement(&session.frame().runs[0])
        };
        let stuck = run("method = \"sgld\"\nsteps = 300\nstep_size = { kind = \"constant\", value = 1e-7 }");
        assert!(stuck.is_some_and(|text| text.starts_with("Not converged, chains disagree: R-hat of f ")));
    }
}
