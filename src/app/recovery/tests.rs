//! Tests of the session that comes back.

use std::sync::Arc;
use std::time::Duration;

use super::typed::{Typed, Writing};
use super::*;
use crate::app::experiment::model::RefusedTarget;
use crate::app::experiment::origin::Origin;
use crate::app::trials::testing::trial;
use crate::platform::Instant;
use base::params::ParamError;
use engine::scenario::view::Clock;
use engine::scenario::{LESSONS, Scenario, ViewSpec};

/// A lesson with another seed.
fn work(lesson: usize, seed: u64, step: u64) -> Work {
    let loaded = LESSONS[lesson].unbuilt().unwrap();
    let scenario = Scenario { seed, ..loaded.clone() };
    let view = ViewSpec { clock: Some(Clock::Gradients), ..loaded.view.clone() };
    let origin = Origin::of(Arc::new(loaded), None);
    Work { scenario: Arc::new(scenario), view, step, instant: false, origin, typed: Typed::default(), built: true }
}

fn session(window: Work) -> Session {
    let (unsaved, trials) = (UnsavedWork::default(), Notebook::default());
    Session { window, start_page: false, unsaved, course: Course::default(), trials }
}

/// Writes a session as a process with this id that is gone.
fn left_by(folder: &Path, id: u32, session: Session) {
    let path = folder.join(format!("{PREFIX}{id}.{EXTENSION}"));
    let keeper = Keeper::new(path, None, Vec::new());
    keeper.hold(session);
    keeper.write().unwrap();
}

fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn the_session_of_a_process_that_is_gone_comes_back_equal() {
    let folder = tempfile::tempdir().unwrap();
    let mut before = session(work(3, 77, 120));
    before.unsaved.keep(work(4, 9, 5));
    left_by(folder.path(), 1, before.clone());
    let (recovery, found) = Recovery::begin(folder.path());
    assert_eq!(found.problems, [""; 0]);
    let after = found.session.unwrap();
    let folder_of_data = after.window.scenario.folder.clone();
    assert!(folder_of_data.is_absolute());
    let moved = |scenario: &Scenario| Scenario { folder: folder_of_data.clone(), ..scenario.clone() };
    assert_eq!(after.window.seen(), moved(&before.window.seen()));
    assert_eq!(*after.window.origin.saved().as_ref(), moved(before.window.origin.saved()));
    assert_eq!((after.window.step, after.window.instant), (120, false));
    assert!(after.window.is_unsaved());
    assert_eq!(after.window.origin.lesson(&after.window.scenario), Some((3, true)));
    assert_eq!(found.unsaved.all()[0].1.scenario.seed, 9);
    assert!(names(folder.path()).contains(&"session-1.json".to_owned()), "it stays until the new file is there");
    let keeper = recovery.keeper().unwrap();
    keeper.hold(after);
    keeper.write().unwrap();
    let own = std::process::id();
    assert_eq!(names(folder.path()), [format!("session-{own}.json"), format!("session-{own}.lock")]);
}

#[test]
fn trials_of_all_sessions_come_back_whatever_is_in_the_window() {
    let folder = tempfile::tempdir().unwrap();
    let with = |seed: u64, trials: Vec<_>| Session {
        trials: Notebook::restored(trials, Some(vec!["tv".to_owned()])),
        ..session(work(3, seed, 1))
    };
    left_by(folder.path(), 1, with(11, vec![trial(1, 0.1, &[0.5]), trial(2, 0.2, &[f64::NAN])]));
    std::thread::sleep(Duration::from_millis(20));
    left_by(folder.path(), 2, with(22, vec![trial(1, 0.3, &[0.25, 0.125])]));
    let (_recovery, found) = Recovery::begin(folder.path());
    let kept: Vec<_> = found.trials.all().iter().map(|trial| (trial.number, trial.runs.len())).collect();
    assert_eq!(kept, [(3, 1), (2, 1), (1, 2)], "the older session has counted from 1 as well");
    assert_eq!(found.trials.all()[2].as_ref(), &trial(1, 0.3, &[0.25, 0.125]));
    assert_eq!(found.trials.chosen(), Some(&["tv".to_owned()][..]));
}

#[test]
fn a_damaged_trial_hides_no_other() {
    let folder = tempfile::tempdir().unwrap();
    let trials = Notebook::restored(vec![trial(1, 0.1, &[0.5]), trial(2, 0.2, &[0.4])], None);
    left_by(folder.path(), 1, Session { trials, ..session(work(3, 11, 1)) });
    let path = folder.path().join(format!("{PREFIX}1.{EXTENSION}"));
    let text = std::fs::read_to_string(&path).unwrap();
    let damaged = text.replacen("\"number\": 1,", "\"number\": \"one\",", 1);
    assert_ne!(damaged, text);
    std::fs::write(&path, damaged).unwrap();
    let (_recovery, found) = Recovery::begin(folder.path());
    assert_eq!(found.trials.all().iter().map(|trial| trial.number).collect::<Vec<_>>(), [2]);
    assert!(found.session.is_some());
}

#[test]
fn the_newest_is_restored_and_older_ones_become_unsaved_work() {
    let folder = tempfile::tempdir().unwrap();
    left_by(folder.path(), 1, session(work(4, 11, 1)));
    let mut unchanged = session(work(2, 22, 2));
    unchanged.window.scenario = unchanged.window.origin.saved().clone();
    left_by(folder.path(), 2, unchanged);
    std::thread::sleep(Duration::from_millis(20));
    left_by(folder.path(), 3, session(work(3, 33, 3)));
    let (_recovery, found) = Recovery::begin(folder.path());
    assert_eq!(found.session.unwrap().window.scenario.seed, 33);
    let seeds: Vec<u64> = found.unsaved.all().iter().map(|(_, work)| work.scenario.seed).collect();
    assert_eq!(seeds, [11], "what is not changed is not kept");
}

#[test]
fn what_is_typed_and_refused_comes_back_with_its_reason() {
    let errors = vec![ParamError::new("target.data.path", "gone.csv: there is no such file", "a CSV file")];
    let target = without_its_data(1).scenario.target.clone();
    let formula = Writing { base: "−x²".to_owned(), text: "−x² − qq(\"x\")".to_owned() };
    let typed = Typed { formula: Some(formula), refused: Some(RefusedTarget { target, errors }) };
    let mut window = work(3, 77, 120);
    window.scenario = window.origin.saved().clone();
    window.typed = typed.clone();
    let found = |change: fn(&mut serde_json::Value)| {
        let folder = tempfile::tempdir().unwrap();
        let mut json = stored_json(window.clone());
        change(&mut json);
        std::fs::write(folder.path().join("session-1.json"), json.to_string()).unwrap();
        let (_recovery, found) = Recovery::begin(folder.path());
        assert_eq!(found.problems, [""; 0]);
        found.session.unwrap().window
    };
    let whole = found(|_| {});
    assert_eq!(whole.typed, typed);
    assert!(whole.is_unsaved() && whole.discarded().typed.is_empty());
    let damaged = found(|json| json["window"]["typed"]["refused"]["scenario"] = "[".into());
    assert_eq!(damaged.typed, Typed { refused: None, ..typed.clone() });
    assert!(found(|json| json["window"]["typed"] = 7.into()).typed.is_empty());
    // It makes way where there is no space for it.
    let mut large = session(work(0, 1, 0));
    let alone = stored::to_text(&large, LARGEST).unwrap();
    large.window.typed = typed;
    assert_eq!(stored::to_text(&large, alone.len()).unwrap(), alone);
}

/// Work on data that are not there any more: it can be read, and not built.
fn without_its_data(seed: u64) -> Work {
    let text = format!(
        "format = 1\nseed = {seed}\n[target]\nkind = \"logistic-regression\"\n[target.data]\nkind = \"csv\"\npath = \"gone.csv\"\n\
         response = \"y\"\npredictors = \"x\"\n[[run]]\nname = \"a\"\nmethod = \"sgld\"\n"
    );
    let scenario = engine::scenario::read_unbuilt(&text, "gone.toml", Path::new(".")).unwrap();
    assert!(scenario.build().is_err());
    Work { scenario: Arc::new(scenario), ..work(0, seed, 3) }
}

#[test]
fn a_start_builds_nothing_of_what_was_left() {
    let folder = tempfile::tempdir().unwrap();
    let mut before = session(without_its_data(70));
    before.unsaved.keep(without_its_data(71));
    left_by(folder.path(), 1, before);
    let (_recovery, found) = Recovery::begin(folder.path());
    assert_eq!(found.problems, [""; 0]);
    let window = found.session.unwrap().window;
    assert_eq!((window.scenario.seed, window.step, window.built), (70, 3, false));
    let (number, work) = &found.unsaved.all()[0];
    assert_eq!(work.scenario.seed, 71);
    assert!(found.unsaved.not_built(*number).is_some());
}

#[test]
fn a_start_reads_the_newest_and_what_it_has_time_for() {
    let folder = tempfile::tempdir().unwrap();
    for id in 1..30 {
        left_by(folder.path(), id, session(work(1, u64::from(id), 1)));
        std::thread::sleep(Duration::from_millis(2));
    }
    let paths = || Claim::paths(folder.path(), PREFIX, EXTENSION);
    for time in [0, 3] {
        let asked = std::cell::Cell::new(0);
        let late = || asked.replace(asked.get() + 1) == time;
        let (found, taken) = take_over(paths(), late);
        assert_eq!(found.session.unwrap().window.scenario.seed, 29);
        let seeds: Vec<u64> = found.unsaved.all().iter().map(|(_, work)| work.scenario.seed).collect();
        assert_eq!(seeds, [28, 27, 26][..time]);
        assert_eq!(taken.len(), 1 + time, "no other file is claimed");
        assert_eq!(paths().iter().filter(|path| Claim::on(path).unwrap().is_some()).count(), 28 - time);
    }
}

#[test]
fn unsaved_work_without_space_waits_for_a_later_start() {
    let folder = tempfile::tempdir().unwrap();
    for id in 1..10 {
        left_by(folder.path(), id, session(work(1, u64::from(id), 1)));
        std::thread::sleep(Duration::from_millis(2));
    }
    let begin = || {
        let (found, mut taken) = take_over(Claim::paths(folder.path(), PREFIX, EXTENSION), || false);
        let seeds: Vec<u64> = found.unsaved.all().iter().map(|(_, work)| work.scenario.seed).collect();
        taken.drain(..).for_each(Claim::remove);
        (found.session.map(|session| session.window.scenario.seed), seeds)
    };
    assert_eq!(begin(), (Some(9), vec![8, 7, 6, 5, 4]));
    assert_eq!(begin(), (Some(3), vec![2, 1]), "as if all before was saved");
    assert_eq!(begin(), (None, vec![]));
    assert_eq!(names(folder.path()), [""; 0]);
}

#[test]
fn the_file_of_a_process_that_lives_stays() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("session-1.json");
    let living = Claim::on(&path).unwrap().unwrap();
    left_by(folder.path(), 1, session(work(1, 11, 1)));
    let (_recovery, found) = Recovery::begin(folder.path());
    assert!(found.session.is_none() && found.unsaved.all().is_empty());
    assert!(path.exists());
    drop(living);
}

#[test]
fn a_broken_file_is_reported_once_and_put_aside() {
    let folder = tempfile::tempdir().unwrap();
    for (id, text) in [(1, "{"), (2, "{\"format\": 9}"), (3, "")] {
        std::fs::write(folder.path().join(format!("session-{id}.json")), text).unwrap();
    }
    std::fs::write(folder.path().join("session-4.json"), vec![b' '; LARGEST + 1]).unwrap();
    let (recovery, found) = Recovery::begin(folder.path());
    assert_eq!(found.problems.len(), 4);
    assert!(found.session.is_none() && recovery.keeps());
    drop(recovery);
    assert_eq!(Recovery::begin(folder.path()).1.problems, [""; 0]);
    assert!(folder.path().join("session-1.unreadable").exists());
}

/// The text of a session with two unsaved works, as JSON that can be changed.
fn stored_json(window: Work) -> serde_json::Value {
    let mut session = session(window);
    session.unsaved.keep(work(4, 9, 5));
    session.unsaved.keep(work(5, 10, 6));
    serde_json::from_str(&stored::to_text(&session, LARGEST).unwrap()).unwrap()
}

#[test]
fn a_damaged_field_hides_nothing_else() {
    let seeds = |change: fn(&mut serde_json::Value)| {
        let folder = tempfile::tempdir().unwrap();
        let mut json = stored_json(work(3, 77, 120));
        change(&mut json);
        std::fs::write(folder.path().join("session-1.json"), json.to_string()).unwrap();
        let (_recovery, found) = Recovery::begin(folder.path());
        let window = found.session.map(|session| (session.window.scenario.seed, session.window.step));
        let others: Vec<u64> = found.unsaved.all().iter().map(|(_, work)| work.scenario.seed).collect();
        (window, others, found.problems.len())
    };
    assert_eq!(seeds(|_| {}), (Some((77, 120)), vec![10, 9], 0));
    assert_eq!(seeds(|json| json["window"]["step"] = (-1).into()), (Some((77, 0)), vec![10, 9], 0));
    assert_eq!(seeds(|json| json["window"]["file"] = 7.into()), (Some((77, 120)), vec![10, 9], 0));
    assert_eq!(seeds(|json| json["start_page"] = "maybe".into()), (Some((77, 120)), vec![10, 9], 0));
    assert_eq!(seeds(|json| json["window"]["scenario"] = "[".into()), (None, vec![10, 9], 1));
    assert_eq!(seeds(|json| json["window"] = 1.into()), (None, vec![10, 9], 1));
    assert_eq!(seeds(|json| json["unsaved"] = 1.into()), (Some((77, 120)), vec![], 1));
    assert_eq!(seeds(|json| drop(json.as_object_mut().unwrap().remove("unsaved"))), (Some((77, 120)), vec![], 1));
    assert_eq!(seeds(|json| json["unsaved"][0]["saved"] = true.into()), (Some((77, 120)), vec![9], 1));
}

/// A pipe is not waited for, and many sessions are read for a short time only.
#[test]
#[cfg(unix)]
fn what_was_left_holds_no_start_up() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["session-1.json", "session-2.lock"] {
        let made = std::process::Command::new("mkfifo").arg(folder.path().join(name)).status().unwrap();
        assert!(made.success());
    }
    let (recovery, found) = Recovery::begin(folder.path());
    assert!(found.problems.iter().any(|problem| problem.contains("this is not a file")), "{:?}", found.problems);
    assert!(folder.path().join("session-1.unreadable").exists());
    drop(recovery);
    let folder = tempfile::tempdir().unwrap();
    for id in 100..400 {
        left_by(folder.path(), id, session(work(id as usize % 9, u64::from(id), 1)));
    }
    let begun = Instant::now();
    let (_recovery, found) = Recovery::begin(folder.path());
    let took = begun.elapsed();
    assert!(took < Duration::from_secs(2), "{took:?}");
    assert_eq!(found.session.map(|session| session.window.scenario.seed), Some(399));
}

/// Damaged sessions are restored as far as they can be read, or put aside. `MUTATIONS` says how many are made.
#[test]
fn damaged_sessions_are_restored_or_put_aside() {
    use base::math::{Purpose, Stream};
    let cases = std::env::var("MUTATIONS").map_or(150, |text| text.parse().unwrap());
    let whole = stored_json(work(3, 77, 120)).to_string().into_bytes();
    let mut restored = 0;
    for case in 0..cases {
        let mut stream = Stream::derive(case, Purpose::Data, 0, 0);
        let mut bytes = whole.clone();
        for _ in 0..=stream.below(3) {
            let at = stream.below(bytes.len() as u32) as usize;
            match stream.below(5) {
                0 => bytes[at] ^= 1 << stream.below(8),
                1 => bytes.truncate(at.max(1)),
                2 => drop(bytes.drain(at..(at + 9).min(bytes.len()))),
                3 => drop(bytes.splice(at..at, b"-1e308".iter().copied())),
                _ => bytes[at] = b"0-9\"{}[],:n"[stream.below(11) as usize],
            }
            if bytes.is_empty() {
                bytes.push(b' ');
            }
        }
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("session-1.json"), bytes).unwrap();
        let begun = Instant::now();
        let (recovery, found) = Recovery::begin(folder.path());
        assert!(recovery.keeps(), "case {case}");
        assert!(begun.elapsed() < Duration::from_secs(2), "case {case}: {:?}", begun.elapsed());
        assert!(found.problems.iter().all(|problem| problem.len() < 5000), "case {case}");
        let whole = found.session.is_some() && found.unsaved.all().len() == 2;
        assert!(whole || !found.problems.is_empty(), "case {case}: what is missing is told");
        restored += usize::from(found.session.is_some());
    }
    assert!(restored > 0);
}

#[test]
fn a_session_that_is_too_large_loses_its_oldest_work_first() {
    let mut large = session(work(0, 1, 0));
    let alone = stored::to_text(&large, LARGEST).unwrap().len();
    for seed in 902..905 {
        large.unsaved.keep(work(0, seed, 0));
    }
    let text = stored::to_text(&large, 3 * alone).unwrap();
    assert!(text.len() <= 3 * alone && text.contains("seed = 904") && !text.contains("seed = 902"));
    assert!(matches!(stored::to_text(&large, alone / 2), Err(KeepError::TooLarge(_))));
}

/// When the session is written that changes as `change` says: number of the step, whether it plays, and the seed.
fn times(change: impl Fn(u64) -> (u64, bool, u64)) -> Vec<u64> {
    let mut autosave = Autosave::default();
    let start = Instant::now();
    let base = work(0, 1, 0);
    let mut written = Vec::new();
    for milliseconds in (0..10_000).step_by(50) {
        let now = start + Duration::from_millis(milliseconds);
        let (step, playing, seed) = change(milliseconds);
        let scenario = if seed == 1 {
            base.scenario.clone()
        } else {
            Arc::new(Scenario { seed, ..base.scenario.as_ref().clone() })
        };
        autosave.note(&session(Work { scenario, step, ..base.clone() }), playing, now);
        if autosave.rest(now).is_some_and(|rest| rest.is_zero()) {
            autosave.written(now);
            written.push(milliseconds);
        }
    }
    written
}

#[test]
fn a_session_is_written_every_two_seconds_while_it_plays_and_soon_after_a_pause_or_an_edit() {
    assert_eq!(times(|_| (0, false, 1)), [300], "once, if nothing changes");
    assert_eq!(times(|now| (now, true, 1)), [300, 2300, 4300, 6300, 8300], "while it plays");
    let paused = times(|now| (now.min(5000), now < 5000, 1));
    assert_eq!(paused, [300, 2300, 4300, 5300], "300 ms after the pause");
    let edited = times(|now| (0, false, if now < 3000 { 1 } else { 2 }));
    assert_eq!(edited, [300, 3300], "300 ms after an edit");
    let dragged = times(|now| (0, false, (now / 50).clamp(20, 140)));
    assert_eq!(dragged, [300, 2300, 4300, 6300, 7300], "a drag of six seconds");
}
