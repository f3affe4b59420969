//! Random and damaged formulas: none makes reading, deriving or building panic or go on without end, and every error has a
//! place, a problem and what is allowed.
//!
//! All are read, differentiated and typeset; some are built as targets too, which takes a hundred times as long.
//! `FORMULAS=100000 BUILDS=5000 cargo test --test it formula_mutations -- --nocapture` tries as many; it prints the time, the
//! slowest formulas and, on Linux, the largest memory. `FORMULA=12` tries that one alone.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use sampler_lab::formula::{EXAMPLES, Form, Formula, NAMES};
use sampler_lab::math::{Point, Purpose, Stream};
use sampler_lab::params::{NamedNumber, Settings, Value, find_kind};
use sampler_lab::targets::{TARGETS, build};

/// Formulas, unless `FORMULAS` says otherwise.
const CASES: u32 = 4000;

/// How many of them are built, unless `BUILDS` says otherwise.
const BUILDS: u32 = 60;

/// Time for one formula: some ten times what the slowest needs on a slow machine, optimised as tests are.
const PATIENCE: Duration = Duration::from_secs(60);

/// Memory at most, in MiB, on Linux.
const MOST_MEMORY: u64 = 1500;

/// What is put into a damaged formula.
const PIECES: [&str; 44] = [
    "x",
    "y",
    "+",
    "-",
    "−",
    "*",
    "/",
    "^",
    "(",
    ")",
    ",",
    "=",
    "\n",
    ";",
    "²",
    "⁻¹",
    "1e308",
    "1e-308",
    "0",
    "-1",
    "2",
    "0.5",
    "1e999",
    "exp(",
    "ln(",
    "sqrt(",
    "logsumexp(",
    "max(",
    "abs(",
    "tan(",
    "x^",
    "^y",
    "(x",
    "y)",
    " a",
    "σ",
    "e",
    "π",
    "\0",
    "\u{202e}",
    "漢",
    "|",
    "..",
    "exp",
];

struct Chooser(Stream);

impl Chooser {
    fn below(&mut self, count: usize) -> usize {
        self.0.below(u32::try_from(count).unwrap()) as usize
    }

    fn of<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.below(list.len())]
    }

    /// A formula by the grammar.
    fn formula(&mut self) -> String {
        let mut text = String::new();
        for number in 0..self.below(3) {
            text += &format!("r{number} = {}\n", self.expression(3));
        }
        // Many should be densities.
        text + &match self.below(4) {
            0 => self.expression(5),
            1 => format!("{} − x² − y²", self.expression(4)),
            2 => format!("−({})² − x²/9 − y²/4", self.expression(4)),
            _ => format!("−({})²/2 − (x − {})²", self.expression(3), self.expression(3)),
        }
    }

    fn expression(&mut self, depth: usize) -> String {
        if depth == 0 {
            return self.of(&["x", "y", "x", "y", "a", "b", "2", "0.5", "1", "3", "e", "0", "r0"]).to_owned();
        }
        let mut part = || {
            let less = 1 + self.below(depth);
            self.expression(depth - less)
        };
        let (first, second, third) = (part(), part(), part());
        match self.below(12) {
            0 | 1 => format!("{first} + {second}"),
            2 => format!("({first} − {second})"),
            3 | 4 => format!("({first})*({second})"),
            5 => format!("({first})/({second})"),
            6 => format!("({first})^{}", self.of(&["2", "3", "4", "-1", "0.5", "1.5", "y", "(x + 1)"])),
            7 => format!("logsumexp({first}, {second}, {third})"),
            8 => format!("max({first}, {second})"),
            _ => {
                let name = self.of(&NAMES[..12]);
                format!("{name}({first})")
            }
        }
    }

    /// Damages a text.
    fn damage(&mut self, text: &mut Vec<char>) {
        let place = self.below(text.len() + 1);
        let end = (place + self.below(8)).min(text.len());
        match self.below(7) {
            0 => drop(text.drain(place..end)),
            1 => text.truncate(place),
            2 => {
                let copy = text[place..end].to_vec();
                let times = 1 + self.below(4) * self.below(30);
                text.splice(place..place, copy.repeat(times));
            }
            3 => {
                let to = self.below(text.len() + 1);
                let copy = text[place..end].to_vec();
                text.splice(to..to, copy);
            }
            _ => {
                let piece: Vec<char> = self.of(&PIECES).chars().collect();
                text.splice(place..end.min(place + 2), piece);
            }
        }
    }
}

/// The text of a case.
fn text(case: u32) -> String {
    let mut chooser = Chooser(Stream::derive(u64::from(case), Purpose::Data, 1, 0));
    let text = if case.is_multiple_of(2) { chooser.formula() } else { chooser.of(&EXAMPLES).text.to_owned() };
    let mut letters: Vec<char> = text.chars().collect();
    let damages = if case.is_multiple_of(4) { 0 } else { 1 + chooser.below(4) };
    for _ in 0..damages {
        chooser.damage(&mut letters);
    }
    letters.into_iter().collect()
}

/// Whether it is read, and a density if it is built.
fn try_out(case: u32, text: &str, built: bool) -> [bool; 2] {
    let formula = match Formula::read(text) {
        Ok(formula) => formula,
        Err(error) => {
            let count = text.chars().count();
            assert!(error.at.start <= error.at.end && error.at.end <= count, "{error:?}");
            assert!(
                !error.problem.is_empty() && !error.allowed.is_empty() && error.to_string().len() < 3000,
                "{error:?}"
            );
            return [false; 2];
        }
    };
    let mut chooser = Chooser(Stream::derive(u64::from(case), Purpose::Data, 2, 0));
    let numbers: Vec<NamedNumber> = formula
        .parameters()
        .map(|name| NamedNumber::new(name, chooser.of(&[1.0, 0.3, 2.0, -1.0, 0.0, 1e3, 1e-3])))
        .collect();
    let values: Vec<f64> = numbers.iter().map(|number| number.value).collect();
    let (word, form) =
        chooser.of(&[("log-density", Form::LogDensity), ("density", Form::Density), ("energy", Form::Energy)]);
    let density = formula.density(&values, form).unwrap();
    let _any_numbers = (density.value(0.3, -0.7), density.gradient(0.3, -0.7), density.hessian(0.3, -0.7));
    let set = formula.typeset(form, 30.0, &|text, _| 0.5 * text.chars().count() as f32);
    assert!(set.size.iter().all(|size| size.is_finite()));
    if !built {
        return [true, false];
    }
    let mut settings = Settings::defaults(find_kind(&TARGETS, "formula").unwrap());
    settings.set("density", Value::Text(text.to_owned())).unwrap();
    settings.set("form", Value::Choice(word)).unwrap();
    settings.set("parameters", Value::Named(numbers)).unwrap();
    match build(&settings, ".") {
        Ok(target) => {
            let density = target.density().unwrap();
            let info = target.info();
            let (min, max) = (info.view.min, info.view.max);
            assert!(min.x < max.x && min.y < max.y && info.log_normaliser.is_finite(), "{info:?}");
            assert!(density.log_density(info.start) > f64::NEG_INFINITY, "{info:?}");
            let far = Point::new(1e300, -1e300);
            for at in [info.start, min, max, far, Point::zeros()] {
                let height = density.log_density(at);
                assert!(height < f64::INFINITY, "{at}");
                let slope = density.gradient(at);
                assert!(height == f64::NEG_INFINITY || slope.iter().all(|slope| !slope.is_nan()), "{at}: {slope}");
            }
            [true; 2]
        }
        Err(errors) => {
            assert!(!errors.is_empty());
            for error in errors {
                assert!(!error.path.is_empty() && !error.problem.is_empty() && !error.allowed.is_empty(), "{error:?}");
            }
            [true, false]
        }
    }
}

/// The largest memory so far, in MiB.
fn peak_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().trim_end_matches(" kB").parse::<u64>().ok().map(|kib| kib / 1024)
}

#[test]
fn random_and_damaged_formulas_are_densities_or_say_why_not() {
    let number = |name: &str| std::env::var(name).ok().and_then(|count| count.parse().ok());
    let cases: Vec<u32> =
        number("FORMULA").map_or_else(|| (0..number("FORMULAS").unwrap_or(CASES)).collect(), |case| vec![case]);
    let began = Instant::now();
    let count = u32::try_from(cases.len()).unwrap();
    let builds = number("BUILDS").unwrap_or(BUILDS).clamp(1, count);
    let (mut read, mut densities, mut slowest) = (0, 0, Vec::new());
    for &case in &cases {
        let text = text(case);
        let from = Instant::now();
        // Evenly among all, of all kinds: the kinds have a period of four.
        let built = count == 1 || case % (count / builds).max(1) == case / 7 % (count / builds).max(1);
        let found = catch_unwind(AssertUnwindSafe(|| try_out(case, &text, built)));
        let [is_read, is_density] = found.unwrap_or_else(|_| panic!("formula {case}: {text:?}"));
        read += usize::from(is_read);
        densities += usize::from(is_density);
        let took = from.elapsed();
        assert!(took < PATIENCE, "formula {case} took {took:?}: {text:?}");
        slowest.push((took, case));
        slowest.sort_unstable_by(|one, other| other.cmp(one));
        slowest.truncate(5);
    }
    println!(
        "{count} formulas, {read} of them read, about {builds} built, {densities} densities, in {:.1?}",
        began.elapsed()
    );
    for (took, case) in slowest {
        println!("{took:.2?} for number {case}: {:?}", text(case));
    }
    if let Some(memory) = peak_memory() {
        println!("{memory} MiB at most");
        assert!(memory < MOST_MEMORY, "{memory} MiB");
    }
}
