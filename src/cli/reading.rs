//! Reading a scenario with a progress bar: a corpus of its own can take seconds; and what may be meant where there is none.

use std::path::Path;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread::{Builder, scope};
use std::time::Duration;

use indicatif::ProgressBar;

use crate::app::files::{OpenError, read_scenario};
use engine::scenario::{Folder, LESSONS, Scenario, folder_of, meant};

use super::progress;

/// Time between two looks at how far reading is; what takes no longer has no bar.
const LOOK: Duration = Duration::from_millis(200);

/// Parts of the bar.
const PARTS: u64 = 1000;

/// Reads the scenario of a file or figure, with a bar on standard error if that is a terminal. A signal ends it.
///
/// # Errors
/// As [`read_scenario`].
pub fn scenario(path: &Path) -> Result<Scenario, OpenError> {
    let folder = folder_of(path);
    let looked = &folder;
    scope(|scope| {
        let (end, ended) = channel::<()>();
        let look = move || {
            let mut bar = None;
            while matches!(ended.recv_timeout(LOOK), Err(RecvTimeoutError::Timeout)) {
                show(&mut bar, looked);
            }
            bar.iter().for_each(ProgressBar::finish_and_clear);
        };
        // Without a thread to show it the scenario is read all the same.
        let shown = Builder::new().name("progress".to_owned()).spawn_scoped(scope, look);
        let scenario = read_scenario(path, &folder);
        drop(end);
        if let Ok(shown) = shown {
            shown.join().ok();
        }
        scenario
    })
}

/// Shows how far reading is, once it takes long.
#[expect(clippy::cast_sign_loss, reason = "parts of a bar")]
fn show(bar: &mut Option<ProgressBar>, folder: &Folder) {
    let Some(share) = folder.reading() else { return };
    let fresh = || progress::bar("reading documents {bar:40} {percent} %", PARTS);
    bar.get_or_insert_with(fresh).set_position((share * PARTS as f32) as u64);
}

/// The lessons that may be meant, if there is no such file.
pub fn hint(path: &Path) -> Option<String> {
    let lessons: Vec<&str> = LESSONS.iter().map(|lesson| lesson.name).collect();
    let near = meant(path.to_str().unwrap_or_default(), &lessons, 5);
    let all = "a lesson can be named instead of a file: sampler-lab list lessons has their names";
    let said = if near.is_empty() { all.to_owned() } else { format!("did you mean {}? {all}", near.join(", ")) };
    (!path.exists()).then_some(said)
}
