//! What is said of functions and coefficients whose draws are not those of the posterior yet: bands, maps and intervals look alike either way.

use super::legend::{Entry, Sample, WARNING_SIGN};
use crate::words::numbers;
use engine::diagnostics::quantities::AGREEMENT;
use engine::session::RunFrame;

/// R̂ from which chains, or the halves of a chain, plainly disagree; of converged ones it is below 1.01.
const DISAGREE: f64 = 1.05;

/// The measures of agreement, with what they are called in the note: of functions, and of quantities with names.
const KEYS: [(&str, &str); 2] = [("rhat_functions", "R-hat of f"), (AGREEMENT, "largest R-hat")];

/// That the chains of a run disagree about the functions, for a legend; `None` as far as they agree, and where nobody knows.
pub(crate) fn unconverged(run: &RunFrame) -> Option<Entry> {
    disagreement(run).map(|words| Entry::new(Sample::Warning, format!("{WARNING_SIGN} {words}")))
}

/// The same in words.
pub(crate) fn disagreement(run: &RunFrame) -> Option<String> {
    let value = |key: &str| run.analysis.all().find(|measure| measure.key == key)?.value;
    let (rhat, name) = KEYS.into_iter().find_map(|(key, name)| Some((value(key)?, name)))?;
    let who = if run.plan.chains > 1 { "chains disagree" } else { "halves of the chain disagree" };
    (rhat > DISAGREE).then(|| format!("Not converged, {who}: {name} {}", numbers::significant(rhat, 3)))
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use base::platform::now;
    use engine::diagnostics::all_measures;
    use engine::scenario::read;
    use engine::session::{Analyser, Session};

    /// Chains from the prior that hardly move have other functions; those of long HMC paths have the same.
    #[test]
    fn chains_that_disagree_are_named() {
        assert!(KEYS.iter().all(|(key, _)| all_measures().any(|spec| spec.key == *key)));
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
