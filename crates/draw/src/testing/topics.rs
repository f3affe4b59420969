//! Frames of latent Dirichlet allocation.

use std::path::Path;

use engine::scenario::read;
use engine::session::{Frame, Session};

/// Runs of SVI with two chains, of CAVI, and of Gibbs sampling with two chains.
const RUNS: &str = r#"
[[run]]
name = "SVI"
method = "svi"
chains = 2
steps = 60
gradient = { kind = "minibatch", size = 50 }
step_size = { kind = "polynomial", a = 1.0, b = 1.0, gamma = 0.7 }
[[run]]
name = "CAVI"
method = "cavi"
steps = 12
[[run]]
name = "Gibbs"
method = "collapsed-gibbs"
chains = 2
steps = 60
collect = { burn_in = 20 }
"#;

/// Topics of a corpus, after all steps and with all measures; `target` has the settings of the target.
pub fn topics_frame(target: &str) -> Frame {
    let text = format!("format = 1\ntitle = \"Topics\"\nseed = 5\n[target]\nkind = \"topics\"\n{target}\n{RUNS}");
    let mut session = Session::new(read(&text, "test", Path::new(".")).unwrap()).unwrap();
    session.advance(u64::MAX);
    session.analyse();
    session.frame()
}
