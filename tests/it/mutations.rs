//! Damaged files: scenarios, CSV files and figures with flipped bits, missing and repeated parts, huge numbers, deep nesting,
//! control characters and long words. Nothing panics, everything ends, and every error has a place, a problem and a
//! remedy of bounded length.
//!
//! The damage follows from a number, so a failure names the case and comes again. `MUTATIONS=100000 cargo test --test it
//! mutations` makes as many of each kind; the time of the slowest case is printed. `MUTATION=12` makes that case alone.

#![expect(clippy::print_stdout, reason = "a test says how much it has tried")]

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::sync::mpsc;
use std::time::{Duration, Instant};

use sampler_lab::draw::sheet::SCENARIO_KEY;
use sampler_lab::figure::png::read_text;
use sampler_lab::math::{Purpose, Stream};
use sampler_lab::params::{ParamType, Settings, Value, find_kind};
use sampler_lab::scenario::{self, LESSONS};
use sampler_lab::targets::{self, TARGETS};

/// Cases of each kind, unless `MUTATIONS` says otherwise.
const CASES: u32 = 2000;

/// Time for one case: far more than any needs, so that only one that does not end takes longer.
const PATIENCE: Duration = Duration::from_mins(2);

/// Bytes of one message at most: every part of it has a bound.
const LONGEST_MESSAGE: usize = 3000;

/// Bytes at most that repeated lines add, so that four repeats of repeats stay a file that is made in no time.
const LONGEST_REPEAT: usize = 1 << 20;

/// Words that are put into a file.
const WORDS: [&str; 34] = [
    "1e308",
    "-1e308",
    "1e-320",
    "99999999999999999999",
    "9223372036854775807",
    "18446744073709551616",
    "-0.0",
    "nan",
    "inf",
    "-1",
    "0",
    "0x7f",
    "1_000",
    "1979-05-27",
    "true",
    "\"\"",
    "''",
    "\"\"\"",
    "[",
    "]",
    "{",
    "}",
    "[[",
    "]]",
    "=",
    ".",
    ",",
    "#",
    "\n",
    "\r",
    "\0",
    "\u{1b}[31m",
    "\u{202e}",
    "\u{feff}",
];

/// Random choices, the same for the same number.
struct Chooser(Stream);

impl Chooser {
    fn new(case: u32) -> Self {
        Self(Stream::derive(u64::from(case), Purpose::Data, 0, 0))
    }

    /// A number below `count`; 0 if that is 0.
    fn below(&mut self, count: usize) -> usize {
        self.0.below(u32::try_from(count).unwrap()) as usize
    }

    fn of<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.below(list.len())]
    }

    /// A range of at most `most` bytes.
    fn range(&mut self, length: usize, most: usize) -> std::ops::Range<usize> {
        let start = self.below(length + 1);
        start..(start + self.below(most + 1)).min(length)
    }
}

/// The beginning of the line of a byte, and the end of it.
fn line_at(bytes: &[u8], place: usize) -> std::ops::Range<usize> {
    let start = bytes[..place].iter().rposition(|byte| *byte == b'\n').map_or(0, |newline| newline + 1);
    let end = bytes[place..].iter().position(|byte| *byte == b'\n').map_or(bytes.len(), |newline| place + newline + 1);
    start..end
}

/// Damages a file once.
fn damage(bytes: &mut Vec<u8>, chooser: &mut Chooser) {
    let place = chooser.below(bytes.len().max(1)).min(bytes.len());
    match chooser.below(12) {
        0 => {
            if let Some(byte) = bytes.get_mut(place) {
                *byte ^= 1 << chooser.below(8);
            }
        }
        1 => bytes.truncate(place),
        2 => drop(bytes.drain(chooser.range(bytes.len(), 20))),
        3 => drop(bytes.drain(line_at(bytes, place))),
        4 => {
            let line = bytes[line_at(bytes, place)].to_vec();
            let times = 1 + chooser.below(3) * chooser.below(100);
            let times = times.min(LONGEST_REPEAT / line.len().max(1));
            bytes.splice(place..place, line.repeat(times));
        }
        5 => {
            let line = bytes[line_at(bytes, place)].to_vec();
            let other = line_at(bytes, chooser.below(bytes.len().max(1)).min(bytes.len())).start;
            bytes.splice(other..other, line);
        }
        6 => {
            let nested = chooser.of(&["[", "{a=", "a.", "[[", "\"a\"."]).repeat(1 + chooser.below(2000));
            bytes.splice(place..place, nested.into_bytes());
        }
        7 => {
            let long = chooser.of(&["x", "é", "9", "\u{1b}", "\"", " "]).repeat(1 + chooser.below(5000));
            bytes.splice(place..place, long.into_bytes());
        }
        8 => {
            // A number in the place of another.
            let from = bytes[place..].iter().position(u8::is_ascii_digit).map(|digit| place + digit);
            if let Some(from) = from {
                let length = bytes[from..].iter().take_while(|byte| byte.is_ascii_digit() || **byte == b'.').count();
                bytes.splice(from..from + length, chooser.of(&WORDS[..12]).bytes());
            }
        }
        9 => {
            let garbage: Vec<u8> = (0..chooser.below(16)).map(|_| chooser.below(256).to_le_bytes()[0]).collect();
            bytes.splice(place..place, garbage);
        }
        _ => drop(bytes.splice(chooser.range(bytes.len(), 3), chooser.of(&WORDS).bytes())),
    }
}

/// One of the files, damaged up to four times.
fn damaged(files: &[Vec<u8>], case: u32) -> (Vec<u8>, Chooser) {
    let mut chooser = Chooser::new(case);
    let mut bytes = files[chooser.below(files.len())].clone();
    (0..=chooser.below(4)).for_each(|_| damage(&mut bytes, &mut chooser));
    (bytes, chooser)
}

/// The message of an error, checked.
fn check_message(message: &str, case: u32) {
    assert!(!message.is_empty() && message.len() <= LONGEST_MESSAGE, "case {case}: {} bytes: {message}", message.len());
}

/// Calls `check` for every case in a thread, which must not take longer for any of them than it may, and returns the number of
/// cases that it accepts.
fn all_cases(name: &'static str, check: impl Fn(u32) -> bool + Send + 'static) -> usize {
    let number = |name: &str| std::env::var(name).ok().map(|number| number.parse::<u32>().unwrap());
    let cases = number("MUTATION").map_or(0..number("MUTATIONS").unwrap_or(CASES), |case| case..case + 1);
    let count = cases.len();
    let (done, waiting) = mpsc::channel();
    let body = move || {
        let mut slowest = (Duration::ZERO, 0);
        let mut accepted = 0;
        for case in cases {
            done.send(Some(case)).unwrap();
            let start = Instant::now();
            accepted += usize::from(check(case));
            slowest = slowest.max((start.elapsed(), case));
        }
        done.send(None).unwrap();
        (accepted, slowest)
    };
    let thread = std::thread::Builder::new().spawn(body).unwrap();
    let mut at = None;
    loop {
        match waiting.recv_timeout(PATIENCE) {
            Ok(Some(case)) => at = Some(case),
            Ok(None) => break,
            Err(mpsc::RecvTimeoutError::Timeout) => panic!("{name}: case {at:?} does not end"),
            Err(mpsc::RecvTimeoutError::Disconnected) => {
                println!("{name}: case {at:?} panics");
                std::panic::resume_unwind(thread.join().unwrap_err());
            }
        }
    }
    let (accepted, (time, case)) = thread.join().unwrap();
    println!("{name}: {count} cases, {accepted} accepted, slowest {time:?} (case {case})");
    accepted
}

/// Whether a single case is asked for.
fn is_one() -> bool {
    std::env::var_os("MUTATION").is_some()
}

/// Reads a scenario that may be damaged; whether it is accepted.
fn check_scenario(text: &str, case: u32) -> bool {
    let Err(errors) = scenario::read(text, "damaged.toml", Path::new("no-such-folder")) else { return true };
    assert!(!errors.errors.is_empty() && errors.errors.len() <= 200, "case {case}");
    for error in &errors.errors {
        assert!(error.line > 0 && error.column > 0, "case {case}: {error}");
        assert!(!error.problem.is_empty() && !error.allowed.is_empty(), "case {case}: {error}");
        check_message(&error.to_string(), case);
    }
    false
}

/// The lessons, and a scenario with what they do not have.
fn scenarios() -> Vec<Vec<u8>> {
    const OTHERS: &str = "format = 1\ntitle = \"all\"\nseed = 7\n[target]\nkind = \"gaussian-mixture\"\n\
        component = [{ weight = 1, mean = [0, 0], covariance = [[1, 0], [0, 1]] }, { weight = 2, mean = [3, 1] }]\n\
        [[run]]\nname = \"a\"\nmethod = \"sgld\"\nchains = 3\nsteps = 500\nstart = { kind = \"uniform\", low = -1, high = 1 }\n\
        gradient = { kind = \"noisy\", variance = 1 }\nstep_size = { kind = \"custom\", knots = [[1, 0.1], [100, 0.01]] }\n\
        collect = { burn_in = 10, thin = 2 }\n[[run]]\nname = \"b\"\nmethod = \"gaussian-vi\"\n\
        [[event]]\nrun = \"a\"\nstep = 100\nset = { \"step_size.knots\" = [[1, 0.2]], collect = { thin = 3 } }\n\
        [[event]]\nrun = \"a\"\nstep = 200\nset = { method = \"csgld\" }\n[[event]]\nstep = 300\ntarget = { kind = \"banana\" }\n";
    LESSONS.iter().map(|lesson| lesson.text.as_bytes().to_vec()).chain([OTHERS.as_bytes().to_vec()]).collect()
}

#[test]
fn damaged_scenarios_are_read_or_refused() {
    let files = scenarios();
    for file in &files {
        scenario::read(std::str::from_utf8(file).unwrap(), "whole.toml", Path::new("")).unwrap();
    }
    let accepted = all_cases("scenarios", move |case| {
        let (bytes, _) = damaged(&files, case);
        check_scenario(&String::from_utf8_lossy(&bytes), case)
    });
    assert!(accepted > 0 || is_one(), "some damage is in a comment or a number");
}

/// Targets whose data may come from a table.
const OF_TABLES: [&str; 8] = [
    "bivariate-mixture",
    "beta-posterior",
    "normal-gamma",
    "beta-pair",
    "logistic-regression",
    "linear-regression",
    "regression",
    "hierarchical-normal",
];

#[test]
fn damaged_tables_of_data_are_read_or_refused() {
    let long = (0..200).fold("n,value,flag\n".to_owned(), |mut text, number| {
        writeln!(text, "{number},{},{}", f64::from(number % 17) - 8.5, number % 2).unwrap();
        text
    });
    let files: Vec<Vec<u8>> = [
        "1\n2.5\n-3e-2\n",
        "x;flag;name\n0,5;1;a\n1;0;b\n",
        "x,flag,name\n1,1,a\n2,0,b\n4,1,a\n",
        "\u{feff}t\tx\r\n1\t2\r\n\r\n3\t4",
        "\"a \"\"quoted\"\" name\",x\n1,2\n3,4\n",
        &long,
    ]
    .map(|text| text.as_bytes().to_vec())
    .to_vec();
    let folder = tempfile::tempdir().unwrap();
    let accepted = all_cases("tables", move |case| {
        let (bytes, mut chooser) = damaged(&files, case);
        fs::write(folder.path().join("data.csv"), bytes).unwrap();
        let kind = find_kind(&TARGETS, chooser.of(&OF_TABLES)).unwrap();
        let mut settings = Settings::defaults(kind);
        let ParamType::Group(kinds) = kind.param("data").unwrap().ty else { panic!("no group") };
        let mut data = Settings::defaults(find_kind(kinds, "csv").unwrap());
        for spec in data.kind.params.iter().filter(|spec| spec.ty == ParamType::Text) {
            let text = match spec.key {
                "path" => "data.csv",
                "one" => chooser.of(&["1", "a", "-8.5"]),
                "arm_b" => chooser.of(&["B", "b", "1"]),
                "predictors" => chooser.of(&["1", "2", "x", "value, n", "1,2", "n,", "name"]),
                "shown_x" | "shown_y" | "sha256" => continue,
                _ => chooser.of(&["1", "2", "3", "x", "value", "flag", "9", "no such column"]),
            };
            data.set(spec.key, Value::Text(text.to_owned())).unwrap();
        }
        settings.set("data", Value::Group(data)).unwrap();
        let Err(errors) = targets::build(&settings, folder.path()) else { return true };
        assert!(!errors.is_empty() && errors.len() <= 10, "case {case}: {errors:?}");
        for error in errors {
            assert!(!error.problem.is_empty() && !error.allowed.is_empty(), "case {case}: {error}");
            assert!(!error.path.is_empty(), "case {case}: {error}");
            check_message(&error.to_string(), case);
        }
        false
    });
    assert!(accepted > 0 || is_one(), "some damage is in a cell that does not count");
}

/// CRC-32 of a chunk of a PNG (specification, annex D), so that damage inside of chunks reaches their readers.
fn checksum(bytes: &[u8]) -> u32 {
    let step = |sum: u32, byte: &u8| {
        (0..8).fold(sum ^ u32::from(*byte), |sum, _| if sum & 1 == 1 { (sum >> 1) ^ 0xedb8_8320 } else { sum >> 1 })
    };
    !bytes.iter().fold(u32::MAX, step)
}

/// A PNG with one of its chunks damaged, and right lengths and checksums.
fn with_damaged_chunk(file: &[u8], chooser: &mut Chooser) -> Vec<u8> {
    let (signature, mut rest) = file.split_at(8);
    let mut chunks = Vec::new();
    while let Some((length, after)) = rest.split_first_chunk::<4>() {
        let (chunk, after) = after.split_at(u32::from_be_bytes(*length) as usize + 4);
        chunks.push(chunk.to_vec());
        rest = &after[4..];
    }
    let chosen = chooser.below(chunks.len());
    let mut kind = chunks[chosen][..4].to_vec();
    let mut content = chunks[chosen].split_off(4);
    (0..=chooser.below(3)).for_each(|_| damage(&mut content, chooser));
    if chooser.below(8) == 0 {
        kind = chooser.of(&[b"tEXt", b"zTXt", b"iTXt", b"IDAT", b"IEND", b"PLTE", b"acTL", b"iCCP"]).to_vec();
    }
    chunks[chosen] = [kind, content].concat();
    let mut bytes = signature.to_vec();
    for chunk in chunks {
        bytes.extend(u32::try_from(chunk.len() - 4).unwrap().to_be_bytes());
        bytes.extend(&chunk);
        bytes.extend(checksum(&chunk).to_be_bytes());
    }
    bytes
}

/// Small pictures with a scenario in each of the three kinds of text chunk, before and behind the pixels.
fn pictures() -> Vec<Vec<u8>> {
    let text = LESSONS[0].text;
    let picture = |tail: bool, put: &dyn Fn(&mut png::Encoder<'_, &mut Vec<u8>>)| {
        let mut bytes = Vec::new();
        let mut encoder = png::Encoder::new(&mut bytes, 8, 8);
        encoder.set_color(png::ColorType::Rgb);
        put(&mut encoder);
        let mut writer = encoder.write_header().unwrap();
        writer.write_image_data(&[77; 8 * 8 * 3]).unwrap();
        if tail {
            writer.write_text_chunk(&png::text_metadata::TEXtChunk::new(SCENARIO_KEY, "format = 1")).unwrap();
        }
        writer.finish().unwrap();
        bytes
    };
    vec![
        picture(false, &|encoder| encoder.add_text_chunk(SCENARIO_KEY.to_owned(), "format = 1\n".to_owned()).unwrap()),
        picture(false, &|encoder| encoder.add_itxt_chunk(SCENARIO_KEY.to_owned(), text.to_owned()).unwrap()),
        picture(false, &|encoder| encoder.add_ztxt_chunk(SCENARIO_KEY.to_owned(), "format = 1\n".repeat(99)).unwrap()),
        picture(true, &|_| ()),
    ]
}

#[test]
fn damaged_figures_are_read_or_refused() {
    let files = pictures();
    for file in &files {
        assert!(read_text(file, SCENARIO_KEY).unwrap().is_some());
    }
    let accepted = all_cases("figures", move |case| {
        let mut chooser = Chooser::new(case);
        let bytes = if chooser.below(4) == 0 {
            damaged(&files, case).0
        } else {
            with_damaged_chunk(&files[chooser.below(files.len())], &mut chooser)
        };
        match read_text(&bytes, SCENARIO_KEY) {
            Ok(Some(text)) => {
                check_scenario(&text, case);
                true
            }
            Ok(None) => false,
            Err(error) => {
                check_message(&error.to_string(), case);
                false
            }
        }
    });
    assert!(accepted > 0 || is_one(), "some damage is in the pixels");
}
