//! The command line under fault: signals and kills at any moment, files that are not ours, places that cannot be written,
//! and text that a terminal would obey.
//!
//! `FAULTS=200 cargo test --test it faults` kills 200 times instead of 6 times. Moments are spread over the time that the
//! command takes when nothing disturbs it.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::os::unix::process::ExitStatusExt;
use std::path::PathBuf;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use tempfile::TempDir;

use super::cli::{SMALL, call, entries, folder_with};

const PROGRAM: &str = env!("CARGO_BIN_EXE_sampler-lab");

/// How soon after a signal the process has to be gone.
const SOON: Duration = Duration::from_secs(1);

const RUN: &[&str] = &["run", "small.toml", "--out", "results", "--draws", "csv", "--quiet"];
const RUN_ZARR: &[&str] = &["run", "small.toml", "--out", "results", "--draws", "zarr", "--data", "--quiet"];
const SCHEDULE: &[&str] = &["schedule", "small.toml", "--as", "npy", "--out", "steps.npy", "--force"];
const RENDER: &[&str] = &["render", "small.toml", "--out", "x.png", "--size", "400x300"];

/// How often a fault is tried: 6 times, or as often as FAULTS says.
fn times() -> u32 {
    std::env::var("FAULTS").ok().and_then(|text| text.parse().ok()).unwrap_or(6)
}

/// Starts the program in `folder`, with signals that are not ignored whatever the parent of the test has told it.
fn start(folder: &TempDir, arguments: &[&str], seed: u32) -> Child {
    Command::new("env")
        .args(["--default-signal=INT,TERM,HUP", PROGRAM])
        .args(arguments)
        .args(["--seed", &seed.to_string()])
        .current_dir(folder)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

fn signal(child: &Child, name: &str) {
    // An error means that the process has just ended, which the callers see at its status.
    Command::new("kill").args([name, &child.id().to_string()]).stderr(Stdio::null()).status().unwrap();
}

/// The time that the program takes to its end, the shortest of three.
fn duration(folder: &TempDir, arguments: &[&str]) -> Duration {
    let once = |seed| {
        let since = Instant::now();
        assert!(start(folder, arguments, seed).wait().unwrap().success());
        since.elapsed()
    };
    (1..4).map(once).min().unwrap()
}

/// A number between 0 and 1 for each of 1, 2, 3, …, without pattern: multiples of the golden ratio.
fn spread(number: u32) -> f64 {
    (f64::from(number) * 0.618_033_988_75).fract()
}

/// Moments from the start to after the end. Machines have other work: the end is taken to be at two thirds.
fn moments(duration: Duration, count: u32) -> impl Iterator<Item = (u32, Duration)> {
    (1..=count).map(move |number| (number, duration.mul_f64(spread(number) * 1.5)))
}

/// Kills the program at a moment: after some time, or, every other time, within milliseconds of the file `last` being
/// staged, when publishing begins.
fn kill(mut child: Child, folder: &TempDir, last: &str, number: u32, moment: Duration) {
    if number.is_multiple_of(2) {
        let is_staged = || staged(folder).iter().any(|root| root.join(last).exists());
        while !is_staged() && child.try_wait().unwrap().is_none() {
            std::thread::sleep(Duration::from_micros(100));
        }
        std::thread::sleep(Duration::from_millis(4).mul_f64(spread(number)));
    } else {
        std::thread::sleep(moment);
    }
    child.kill().unwrap();
    child.wait().unwrap();
}

/// The staging folders: nothing else here begins with a dot.
fn staged(folder: &TempDir) -> Vec<PathBuf> {
    let hidden = |path: &PathBuf| path.file_name().unwrap().to_str().unwrap().starts_with('.');
    entries(folder.path()).into_iter().filter(hidden).collect()
}

/// The seed of the results, after checking that they are whole: their files are those of the manifest with their lengths,
/// and every draw is there.
fn seed_of_whole_results(folder: &TempDir) -> u64 {
    let place = folder.path().join("results");
    let json =
        |name: &str| -> serde_json::Value { serde_json::from_slice(&fs::read(place.join(name)).unwrap()).unwrap() };
    let manifest = json("manifest.json");
    let files = manifest["files"].as_array().unwrap();
    for file in files {
        let length = fs::metadata(place.join(file["path"].as_str().unwrap())).unwrap().len();
        assert_eq!(file["bytes"].as_u64(), Some(length), "{file}");
    }
    if place.join("draws/SGLD.zarr").exists() {
        // Root, two groups and twelve arrays with a chunk each; the summary; truth, readout and five curves.
        assert_eq!(files.len(), 3 + 2 * 12 + 1 + 7);
        let x = fs::read(place.join("draws/SGLD.zarr/posterior/x/c/0/0")).unwrap();
        assert_eq!(x.len(), 8 * 400);
    } else {
        assert_eq!(files.len(), 2);
        let draws = fs::read_to_string(place.join("draws/SGLD.csv")).unwrap();
        assert_eq!(draws.lines().count(), 401);
    }
    json("summary.json")["seed"].as_u64().unwrap()
}

/// Sends signals at many moments; checks time, status and what is left.
#[expect(clippy::print_stdout, reason = "part of tests, which say how long it took")]
fn interrupt(target: &str, arguments: &[&str], result: &str) {
    let text = SMALL.replace("steps = 500", "steps = 40000").replace("burn_in = 100, thin = 4", "thin = 1");
    let text = text.replace("gaussian-grid", target);
    let folder = folder_with("small.toml", text);
    let whole = duration(&folder, arguments);
    let (mut longest, mut ended) = (Duration::ZERO, 0);
    for (number, moment) in moments(whole, times()) {
        let (name, code) = [("-INT", 2), ("-TERM", 15), ("-HUP", 1)][number as usize % 3];
        let mut child = start(&folder, arguments, number);
        std::thread::sleep(moment);
        let since = Instant::now();
        signal(&child, name);
        let status = child.wait().unwrap();
        longest = longest.max(since.elapsed());
        // Before the program is loaded there is nothing to remove, and after its work it ends well.
        assert!(status.signal() == Some(code) || status.success(), "{name} after {moment:?}: {status}");
        ended += u32::from(!status.success());
        let left: Vec<_> =
            entries(folder.path()).into_iter().map(|path| path.file_name().unwrap().to_owned()).collect();
        let mut expected = [result, "small.toml"].map(std::ffi::OsString::from);
        expected.sort();
        assert_eq!(left, expected, "{name} after {moment:?}");
    }
    println!("{} of {}: ended by a signal, the longest in {longest:?}; undisturbed {whole:?}", ended, times());
    assert!(ended * 4 > times(), "enough signals must come before the end: {ended}");
    assert!(longest < SOON, "{longest:?} after a signal");
}

#[test]
fn signals_end_a_run_soon_and_leave_nothing() {
    interrupt("gaussian-grid", RUN, "results");
}

#[test]
fn signals_end_a_figure_soon_and_leave_nothing() {
    let arguments = [RENDER, &["--view", "truth", "--repeats", "3"]].concat();
    // Floors of measures are computed twenty times as fast on the line.
    interrupt("double-well", &arguments, "x.png");
}

#[test]
fn a_signal_that_the_parent_ignores_is_ignored() {
    let folder = folder_with("small.toml", SMALL);
    let line = format!("trap '' INT HUP; touch ready; exec {PROGRAM} run small.toml --out results --quiet");
    let mut child = Command::new("sh").args(["-c", &line]).current_dir(&folder).spawn().unwrap();
    let since = Instant::now();
    while !folder.path().join("ready").exists() {
        assert!(since.elapsed() < Duration::from_secs(60));
    }
    while child.try_wait().unwrap().is_none() {
        signal(&child, "-INT");
        signal(&child, "-HUP");
        assert!(since.elapsed() < Duration::from_secs(60));
    }
    assert!(child.wait().unwrap().success());
}

#[test]
fn kills_of_a_run_leave_old_or_new_results_whole() {
    kill_runs(RUN);
}

#[test]
fn kills_of_a_run_with_zarr_leave_old_or_new_results_whole() {
    kill_runs(RUN_ZARR);
}

/// Kills a run with one seed after the other: the results are those of the last seed that got through or of the one just
/// killed, and always whole. Every kill may leave one staging folder, which the next start removes.
#[expect(clippy::print_stdout, reason = "part of tests, which say what they met")]
fn kill_runs(arguments: &[&str]) {
    let folder = folder_with("small.toml", SMALL);
    let whole = duration(&folder, arguments);
    let (mut seed, mut published, mut left) = (seed_of_whole_results(&folder), 0, 0);
    for (number, moment) in moments(whole, times()) {
        kill(start(&folder, arguments, number + 10), &folder, "new/manifest.json", number, moment);
        let now = seed_of_whole_results(&folder);
        assert!(now == seed || now == u64::from(number + 10), "the results of {now} came back");
        published += u32::from(now != seed);
        left += staged(&folder).len();
        assert!(staged(&folder).len() <= 1, "the start removes what was left before");
        seed = now;
    }
    println!("{} kills: {published} after publishing, {left} folders left to the next start", times());
    assert!(left > 0 && published < times(), "kills must come before the end");
    assert!(start(&folder, arguments, 1).wait().unwrap().success());
    assert_eq!((seed_of_whole_results(&folder), entries(folder.path()).len()), (1, 2));
}

/// A schedule of one of two scenarios, the other one each time: what is there is one of both, whole.
#[test]
fn kills_of_a_schedule_leave_the_old_or_the_new_one_whole() {
    let long = SMALL.replace("steps = 500", "steps = 1000000");
    let folder = folder_with("small.toml", &long);
    let array = || fs::read(folder.path().join("steps.npy")).unwrap();
    let texts = [long.clone(), long.replace("0.01", "0.02")];
    let write = |text: &str| {
        fs::write(folder.path().join("small.toml"), text).unwrap();
        let program = Command::new(PROGRAM).args(SCHEDULE).current_dir(&folder).spawn();
        program.unwrap()
    };
    let since = Instant::now();
    let arrays = texts.each_ref().map(|text| {
        assert!(write(text).wait().unwrap().success());
        array()
    });
    let whole = since.elapsed() / 2;
    assert_ne!(arrays[0], arrays[1]);
    let mut left = 0;
    for (number, moment) in moments(whole, times()) {
        kill(write(&texts[number as usize / 2 % 2]), &folder, "new", number, moment);
        assert!(arrays.contains(&array()), "after {moment:?}");
        left += staged(&folder).len();
        assert!(staged(&folder).len() <= 1, "the start removes what was left before");
    }
    assert!(left > 0, "kills must come before the end");
    assert!(write(&texts[0]).wait().unwrap().success());
    assert_eq!((array() == arrays[0], entries(folder.path()).len()), (true, 2));
}

#[test]
fn kills_of_a_picture_leave_the_old_or_the_new_one_whole() {
    kill_figures("x.png", &[]);
}

#[test]
fn kills_of_an_svg_leave_the_old_or_the_new_one_whole() {
    kill_figures("x.svg", &[]);
}

#[test]
fn kills_of_a_pdf_leave_the_old_or_the_new_one_whole() {
    kill_figures("x.pdf", &[]);
}

#[test]
fn kills_of_a_figure_that_moves_leave_the_old_or_the_new_one_whole() {
    kill_figures("x.gif", &["--frames", "3"]);
}

/// Draws the figure with one of two seeds, the other one after every two kills: what is there is one of both, whole.
#[expect(clippy::print_stdout, reason = "part of tests, which say what they met")]
fn kill_figures(out: &str, options: &[&str]) {
    let arguments = [&["render", "small.toml", "--out", out, "--size", "400x300"], options].concat();
    let folder = folder_with("small.toml", SMALL);
    let picture = || fs::read(folder.path().join(out)).unwrap();
    let whole = duration(&folder, &arguments);
    let pictures = [1, 2].map(|seed| {
        assert!(start(&folder, &arguments, seed).wait().unwrap().success());
        picture()
    });
    assert_ne!(pictures[0], pictures[1]);
    let (mut left, mut published) = (0, 0);
    for (number, moment) in moments(whole, times()) {
        let before = picture();
        // Each picture twice in a row, so that both ways to kill meet both.
        kill(start(&folder, &arguments, number / 2 % 2 + 1), &folder, "new", number, moment);
        assert!(pictures.contains(&picture()), "after {moment:?}");
        published += u32::from(picture() != before);
        left += staged(&folder).len();
        assert!(staged(&folder).len() <= 1, "the start removes what was left before");
    }
    println!("{out}, {} kills: {published} after publishing, {left} folders left to the next start", times());
    assert!(left > 0, "kills must come before the end");
    assert!(start(&folder, &arguments, 1).wait().unwrap().success());
    assert_eq!((picture() == pictures[0], entries(folder.path()).len()), (true, 2));
}

/// Kills at each call to the system that changes files or their names, one after the other: the first `mkdir`, the second,
/// and so on for every name of a call.
#[test]
#[ignore = "needs strace, and the right to trace"]
fn kills_at_every_change_of_the_file_system_leave_results_whole() {
    const CHANGES: [&str; 14] = [
        "mkdir",
        "mkdirat",
        "rmdir",
        "unlink",
        "unlinkat",
        "rename",
        "renameat",
        "renameat2",
        "link",
        "linkat",
        "fsync",
        "chmod",
        "fchmod",
        "fchmodat",
    ];
    let folder = folder_with("small.toml", SMALL);
    let traced = |arguments: &[&str], call: &str, number: u32| {
        let kill = format!("inject={call}:signal=KILL:when={number}");
        let strace = ["-f", "-qq", "-o", "/dev/null", "-e", &format!("trace={call}"), "-e", &kill, PROGRAM];
        let seed = ["--seed", "1"];
        Command::new("strace").args(strace).args(arguments).args(seed).current_dir(&folder).status().unwrap().success()
    };
    for (arguments, least) in [(RUN, 12), (RUN_ZARR, 60), (RENDER, 6)] {
        assert!(start(&folder, arguments, 1).wait().unwrap().success());
        let picture = || fs::read(folder.path().join("x.png")).ok();
        let (before, mut kills) = (picture(), 0);
        for call in CHANGES {
            for number in 1.. {
                if traced(arguments, call, number) {
                    break;
                }
                kills += 1;
                assert_eq!((seed_of_whole_results(&folder), picture()), (1, before.clone()), "at {call}");
                assert!(staged(&folder).len() <= 1, "at {call}");
            }
            assert!(staged(&folder).is_empty(), "after {call}");
        }
        println!("{}: {kills} kills", arguments[0]);
        assert!(kills >= least, "too few changes of the file system were seen");
    }
}

#[test]
fn what_a_run_has_not_written_is_never_removed() {
    let folder = folder_with("small.toml", SMALL);
    let run = || call(&folder, RUN);
    assert_eq!(run().0, 0);
    assert_eq!(run().0, 0, "results are replaced");
    let at = |name: &str| folder.path().join("results").join(name);
    let refused = |name: &str, why: &str| {
        let (code, _, err) = run();
        assert_eq!(code, 2, "{err}");
        assert!(err.contains(&format!("{name} {why}")) && err.contains("a new folder"), "{err}");
        assert!(staged(&folder).is_empty());
    };
    fs::write(at("draws/precious.csv"), "mine").unwrap();
    refused("results/draws/precious.csv", "was not written by a run");
    assert_eq!(fs::read_to_string(at("draws/precious.csv")).unwrap(), "mine");
    fs::remove_file(at("draws/precious.csv")).unwrap();
    fs::create_dir(at("mine")).unwrap();
    refused("results/mine", "was not written by a run");
    fs::remove_dir(at("mine")).unwrap();
    let summary = fs::read(at("summary.json")).unwrap();
    fs::write(at("summary.json"), [&summary[..], b"\n"].concat()).unwrap();
    refused("results/summary.json", "has changed");
    fs::remove_file(at("summary.json")).unwrap();
    fs::write(folder.path().join("elsewhere"), &summary).unwrap();
    symlink("../elsewhere", at("summary.json")).unwrap();
    refused("results/summary.json", "was not written by a run");
    fs::remove_file(at("summary.json")).unwrap();
    fs::remove_file(at("manifest.json")).unwrap();
    refused("results/draws", "was not written by a run");
    fs::remove_dir_all(at("draws")).unwrap();
    assert_eq!(run().0, 0, "an empty folder takes results");
    fs::remove_file(at("draws/SGLD.csv")).unwrap();
    assert_eq!(run().0, 0, "results that miss a file are results");
}

/// A file that appears among the results while a run computes: it is kept, and so are the new results.
#[test]
fn a_file_that_appears_during_a_run_is_kept_beside_the_new_results() {
    let folder = folder_with("small.toml", SMALL.replace("steps = 500", "steps = 60000"));
    let arguments = ["run", "small.toml", "--out", "results", "--quiet"];
    assert_eq!(call(&folder, &arguments).0, 0);
    let mut child = start(&folder, &arguments, 4);
    let since = Instant::now();
    while staged(&folder).is_empty() {
        assert!(since.elapsed() < Duration::from_secs(30) && child.try_wait().unwrap().is_none());
        std::thread::sleep(Duration::from_millis(1));
    }
    fs::write(folder.path().join("results/notes.txt"), "mine").unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(1));
    let seed = |name: &str| -> serde_json::Value {
        let text = fs::read(folder.path().join(name).join("summary.json")).unwrap();
        serde_json::from_slice::<serde_json::Value>(&text).unwrap()["seed"].clone()
    };
    assert_eq!((seed("results"), seed("results-2")), (3.into(), 4.into()));
    assert_eq!(fs::read_to_string(folder.path().join("results/notes.txt")).unwrap(), "mine");
    assert!(staged(&folder).is_empty());
}

#[test]
fn a_figure_replaces_only_figures_of_this_program_unless_forced() {
    let folder = folder_with("small.toml", SMALL);
    let render = |out: &str, more: &[&str]| {
        let arguments = ["render", "small.toml", "--size", "400x300", "--out", out];
        call(&folder, &[&arguments, more].concat())
    };
    assert_eq!(render("x.png", &[]).0, 0);
    assert_eq!(render("x.png", &[]).0, 0, "a figure with a scenario inside is replaced");
    for content in [&b"mine"[..], include_bytes!("../../assets/icon.png")] {
        fs::write(folder.path().join("mine.png"), content).unwrap();
        let (code, _, err) = render("mine.png", &[]);
        assert_eq!(code, 2);
        assert!(err.contains("mine.png was not made by this program") && err.contains("--force"), "{err}");
        assert_eq!(fs::read(folder.path().join("mine.png")).unwrap(), content);
    }
    assert_eq!(render("mine.png", &["--force"]).0, 0);
    assert_eq!(fs::read(folder.path().join("mine.png")).unwrap(), fs::read(folder.path().join("x.png")).unwrap());
    for name in ["x.jpg", "x", "x.webp"] {
        let (code, _, err) = render(name, &[]);
        assert_eq!(code, 2);
        assert!(
            err.contains("a name that ends in .png, .svg, .pdf, .gif, .apng, .pgf, .typ, .py or .vl.json"),
            "{err}"
        );
    }
    assert_eq!(entries(folder.path()).len(), 3);
}

#[test]
fn files_have_the_permissions_that_the_umask_leaves_and_keep_them() {
    for (mask, file, directory) in [("022", 0o644, 0o755), ("027", 0o640, 0o750), ("000", 0o666, 0o777)] {
        let folder = folder_with("small.toml", SMALL);
        let shell = |mask: &str| {
            for arguments in [RUN, RENDER] {
                let line = format!("umask {mask}; exec {PROGRAM} {}", arguments.join(" "));
                assert!(Command::new("sh").args(["-c", &line]).current_dir(&folder).status().unwrap().success());
            }
        };
        let mode = |name: &str| fs::metadata(folder.path().join(name)).unwrap().permissions().mode() & 0o777;
        let modes =
            || ["x.png", "results/summary.json", "results/draws/SGLD.csv", "results/draws", "results"].map(mode);
        shell(mask);
        assert_eq!(modes(), [file, file, file, directory, directory], "umask {mask}");
        for (name, mode) in [("x.png", 0o600), ("results", 0o700)] {
            fs::set_permissions(folder.path().join(name), fs::Permissions::from_mode(mode)).unwrap();
        }
        shell(mask);
        assert_eq!((mode("x.png"), mode("results")), (0o600, 0o700), "private results stay private");
    }
}

/// A run of hours must not fail at its end for what was known at its start. This scenario would take far longer than the
/// test waits.
#[test]
fn what_keeps_a_place_from_being_written_is_said_before_the_work() {
    let text = SMALL.replace("chains = 4", "chains = 4096").replace("steps = 500", "steps = 20000000");
    let folder = folder_with("long.toml", text.replace("burn_in = 100, thin = 4", "thin = 1"));
    let file = folder.path().join("locked.png");
    fs::write(&file, "").unwrap();
    fs::set_permissions(&file, fs::Permissions::from_mode(0o444)).unwrap();
    let locked = folder.path().join("locked");
    fs::create_dir(&locked).unwrap();
    fs::set_permissions(&locked, fs::Permissions::from_mode(0o555)).unwrap();
    symlink("nowhere", folder.path().join("link")).unwrap();
    let cases: [(&[&str], &str); 8] = [
        (&["run", "long.toml", "--out", "no/results"], "there is no folder no"),
        (&["run", "long.toml", "--out", "locked"], "read-only"),
        (&["run", "long.toml", "--out", "link"], "points to nothing"),
        (&["run", "long.toml", "--out", "/proc"], "mounted"),
        (&["run", "long.toml", "--out", "results", "--draws", "csv"], "MB are needed"),
        (&["render", "long.toml", "--out", "no/x.png"], "there is no folder no"),
        (&["render", "long.toml", "--out", "locked.png", "--force"], "read-only"),
        (&["render", "long.toml", "--out", "x.png", "--measure", "beauty"], "no measure \"beauty\""),
    ];
    for (arguments, expected) in cases {
        let (code, _, err) = call(&folder, arguments);
        assert_eq!(code, 2, "{arguments:?}: {err}");
        assert!(err.contains(expected) && err.lines().count() == 1, "{arguments:?}: {err}");
        assert_eq!(entries(folder.path()).len(), 4, "{arguments:?}");
    }
}

/// Whether a text has nothing in it that a terminal would obey, but line breaks.
fn is_harmless(text: &str) -> bool {
    !text.chars().any(|c| (c.is_control() && c != '\n') || ('\u{202a}'..='\u{202e}').contains(&c) || c == '\u{200b}')
}

#[test]
fn no_control_character_of_the_input_reaches_the_terminal() {
    let evil = "\u{1b}[2J\u{7}\u{9b}31m\u{202e}\u{200b}";
    let toml = "\\u001B[2J\\u0007\\u009B31m\\u202E\\u200B\\nerror: forged";
    let csv = "kind = \"bivariate-mixture\"\ndata = { kind = \"csv\", path = \"x.csv\", column = \"none\" }";
    let files = [
        SMALL.replace("method = \"sgld\"", &format!("method = \"{toml}\"")),
        SMALL.replace("kind = \"constant\"", &format!("kind = \"{toml}\"")),
        SMALL.replace("chains", &format!("\"{toml}\"")),
        SMALL.replace("\"SGLD\"", &format!("\"{toml}\"")),
        SMALL.replace("kind = \"gaussian-grid\"", csv),
        SMALL.replace("kind = \"gaussian-grid\"", &csv.replace("x.csv", toml)),
        SMALL.replace("seed = 3", &format!("seed = {evil}")),
        format!("{evil}\n"),
        SMALL.replace("seed = 3", &format!("seed = \"{}\"", "a".repeat(1_000_000))),
    ];
    for text in files {
        let folder = folder_with("bad.toml", &text);
        fs::write(folder.path().join("x.csv"), format!("\"{evil}\na\",b\n1,2\n")).unwrap();
        let (code, out, err) = call(&folder, &["check", "bad.toml"]);
        assert_eq!((code, out.as_str()), (2, ""), "{text}");
        assert!(is_harmless(&err) && !err.lines().any(|line| line.starts_with("error: forged")), "{err:?}");
        assert!(err.len() < 4000, "{} bytes", err.len());
    }
    let name = format!("{evil}\nerror: forged.toml");
    let folder = folder_with(&name, SMALL);
    fs::write(folder.path().join(format!("{evil}.png")), "no picture").unwrap();
    let picture = format!("{evil}.png");
    for arguments in [
        &["check", &name][..],
        &["check", &picture],
        &["check", &format!("none{name}")],
        &["render", &name, "--out", &format!("none/{evil}.png")],
        &["render", &name, "--out", &picture],
        &["render", &name, "--out", "x.png", "--view", evil],
        &["render", &name, "--out", "x.png", "--run", evil],
        &["render", &name, "--out", "x.png", "--measure", evil],
        &["render", &name, "--out", "x.png", "--size", evil],
        &["render", &name, "--out", "x.png", "--preset", evil],
        &["render", &name, "--out", "x.png", "--without", evil],
        &["run", &name, "--out", &format!("{evil}/{evil}")],
        &[evil, evil],
    ] {
        let (code, out, err) = call(&folder, arguments);
        assert!(is_harmless(&out) && is_harmless(&err), "{arguments:?}: {out:?} {err:?}");
        assert!(!err.lines().any(|line| line.starts_with("error: forged")), "{err:?}");
        assert_eq!(code == 0, arguments == ["check", &name], "{arguments:?}: {err}");
    }
}

#[test]
fn a_picture_without_a_scenario_is_refused_in_plain_words() {
    let folder = folder_with("x.png", "no picture");
    let whole = include_bytes!("../../assets/icon.png");
    fs::write(folder.path().join("cut.png"), &whole[..40]).unwrap();
    fs::write(folder.path().join("other.png"), whole).unwrap();
    fs::write(folder.path().join("cut.svg"), "<svg><metadata").unwrap();
    fs::write(folder.path().join("other.svg"), "<svg/>").unwrap();
    fs::write(folder.path().join("cut.pdf"), "%PDF-1.7\n1 0 obj").unwrap();
    for (name, expected) in [
        ("x.png", "not a PNG"),
        ("cut.png", "again"),
        ("other.png", "contains no scenario"),
        ("cut.svg", "not an SVG file"),
        ("cut.pdf", "not a PDF file"),
        ("other.svg", "contains no scenario"),
    ] {
        let (code, _, err) = call(&folder, &["check", name]);
        assert_eq!(code, 2);
        assert!(err.contains(expected) && err.contains(name), "{err}");
    }
}

/// A pipe with a name may have nobody who writes to it: it is refused at once. What a shell passes on is read.
#[test]
fn a_pipe_with_a_name_is_refused_and_what_is_passed_on_is_read() {
    let folder = folder_with("small.toml", SMALL);
    for name in ["fifo.toml", "fifo.png"] {
        assert!(Command::new("mkfifo").arg(folder.path().join(name)).status().unwrap().success());
        for arguments in
            [&["check"][..], &["run", "--out", "results"], &["render", "--out", "x.png"], &["sweep", "--out", "s"]]
        {
            let (code, out, err) = call(&folder, &[arguments, &[name][..]].concat());
            assert_eq!((code, out.as_str()), (2, ""), "{arguments:?}: {err}");
            assert!(err.contains(&format!("{name}: this is a pipe or a device, and no file")), "{arguments:?}: {err}");
        }
    }
    for path in ["/dev/stdin", "/dev/fd/0"] {
        let pipe = format!("cat small.toml | {PROGRAM} check {path}");
        let Output { status, stdout, .. } =
            Command::new("sh").args(["-c", &pipe]).current_dir(&folder).output().unwrap();
        assert!(status.success() && String::from_utf8_lossy(&stdout).contains("valid"), "{path}");
    }
}

/// A file that is missing has the same words whatever its kind, and so has a place in what is no folder.
#[test]
fn what_is_missing_is_told_in_the_same_words() {
    let folder = folder_with("small.toml", SMALL);
    for name in ["gone.toml", "gone.png", "small.toml/x.png", "small.toml/x.toml"] {
        let (code, _, err) = call(&folder, &["check", name]);
        let expected = format!("{name}: there is no such file; check its name and its folder");
        assert_eq!((code, err.lines().next()), (2, Some(expected.as_str())));
    }
    for place in ["/dev/full/x", "/dev/full/x/y"] {
        let (code, _, err) = call(&folder, &["run", "small.toml", "--out", place, "--quiet"]);
        assert_eq!(code, 2);
        assert!(err.contains("/dev/full is not a folder; name a place in a folder"), "{err}");
    }
}
