//! Specification of parameters: types, ranges, defaults, labels, help texts.

use super::picture;

/// Numbers a parameter may take: a closed or open interval on the real line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// Lower end.
    pub min: f64,
    /// Upper end.
    pub max: f64,
    /// Whether `min` itself is excluded.
    pub open_min: bool,
    /// Whether `max` itself is excluded.
    pub open_max: bool,
}

impl Interval {
    /// All finite numbers.
    pub const ANY: Self = Self { min: f64::NEG_INFINITY, max: f64::INFINITY, open_min: true, open_max: true };
    /// Finite numbers above zero.
    pub const POSITIVE: Self = Self { min: 0.0, max: f64::INFINITY, open_min: true, open_max: true };
    /// Finite numbers from zero up.
    pub const NON_NEGATIVE: Self = Self { min: 0.0, max: f64::INFINITY, open_min: false, open_max: true };

    /// Numbers from `min` to `max`, both included.
    #[must_use]
    pub const fn closed(min: f64, max: f64) -> Self {
        Self { min, max, open_min: false, open_max: false }
    }

    /// Numbers between `min` and `max`, neither included.
    #[must_use]
    pub const fn open(min: f64, max: f64) -> Self {
        Self { min, max, open_min: true, open_max: true }
    }

    /// Numbers above `min` up to and including `max`.
    #[must_use]
    pub const fn above_to(min: f64, max: f64) -> Self {
        Self { min, max, open_min: true, open_max: false }
    }

    /// Whether `value` is finite and inside.
    #[must_use]
    pub fn contains(&self, value: f64) -> bool {
        let above = if self.open_min { value > self.min } else { value >= self.min };
        let below = if self.open_max { value < self.max } else { value <= self.max };
        value.is_finite() && above && below
    }

    /// The interval in words, for messages: `a number above 0`, `from 1 to 100`.
    #[must_use]
    pub fn in_words(&self) -> String {
        let low = if self.open_min { "above" } else { "at least" };
        let high = if self.open_max { "below" } else { "at most" };
        match (self.min.is_finite(), self.max.is_finite()) {
            (false, false) => "any finite number".to_owned(),
            (true, false) => format!("{low} {}", self.min),
            (false, true) => format!("{high} {}", self.max),
            (true, true) if !self.open_min && !self.open_max => format!("from {} to {}", self.min, self.max),
            (true, true) => format!("{low} {} and {high} {}", self.min, self.max),
        }
    }
}

/// One option of a [`ParamType::Choice`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Choice {
    /// The word in a scenario file.
    pub name: &'static str,
    /// The word in the window.
    pub label: &'static str,
    /// What it does, in one sentence.
    pub help: &'static str,
}

/// The type of a parameter, with the values it allows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ParamType {
    /// A real number. `slider` is the range offered by a slider; typed values may lie anywhere in `legal`.
    Number {
        /// Values that are allowed.
        legal: Interval,
        /// Ends of the slider.
        slider: (f64, f64),
        /// Whether the slider runs in equal ratios.
        log: bool,
    },
    /// A whole number, held as an `f64` (exact up to 2⁵³).
    Integer {
        /// Values that are allowed.
        legal: Interval,
        /// Ends of the slider.
        slider: (f64, f64),
        /// Whether the slider runs in equal ratios.
        log: bool,
    },
    /// On or off.
    Flag,
    /// One of a few words.
    Choice(&'static [Choice]),
    /// Free text: a path, a column name.
    Text,
    /// Two numbers, one per coordinate.
    Pair {
        /// Values that each of the two may take.
        legal: Interval,
    },
    /// A symmetric positive definite 2 × 2 matrix, written by rows.
    Covariance,
    /// Points (step, value) with increasing steps and positive values.
    Knots,
    /// Points in the plane, one or more.
    Points {
        /// Values that each coordinate may take.
        legal: Interval,
    },
    /// A table of one of several kinds, told apart by its `kind` key (left out where there is only one).
    Group(&'static [KindSpec]),
    /// A list of one or more tables of the same kind.
    List(&'static KindSpec),
    /// Numbers with names that another parameter gives them, each with the range of its slider.
    Named,
    /// Levels on a grid of cells, by rows from the top.
    Picture,
}

/// The value a parameter has when a scenario leaves it out.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum DefaultValue {
    /// None: the parameter is optional and absent means something (said in its help).
    Absent,
    /// None: the parameter must be given.
    Required,
    /// For `Number` and `Integer`.
    Number(f64),
    /// For `Flag`.
    Flag(bool),
    /// For `Choice` and `Text`.
    Word(&'static str),
    /// For `Pair`.
    Pair([f64; 2]),
    /// For `Points`.
    Points(&'static [[f64; 2]]),
    /// For `Group`: the kind, with that kind's own defaults.
    Kind(&'static str),
    /// For `Named`: names and numbers.
    Named(&'static [(&'static str, f64)]),
    /// For `Picture`: its rows.
    Picture(&'static [&'static str]),
}

/// One parameter of a kind.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ParamSpec {
    /// Its key in a scenario file: lower case with underscores.
    pub key: &'static str,
    /// Its name in the window: one to three words with the symbol, e.g. "noise variance V".
    pub label: &'static str,
    /// Its unit (`steps`, `draws`), empty if it has none.
    pub unit: &'static str,
    /// What it does, in one or two sentences; shown as a tooltip.
    pub help: &'static str,
    /// Its type and range.
    pub ty: ParamType,
    /// Its value when left out.
    pub default: DefaultValue,
    /// Whether it may change during a run (an event), or only at step 0.
    pub live: bool,
    /// Whether its control is always in sight. Others are folded under "More": two to four of a method are primary.
    pub primary: bool,
    /// Keys beside it of which one has to differ from its default for this one to have an effect; empty if it always has.
    pub with: &'static [&'static str],
}

impl ParamSpec {
    /// A real number with its legal range and a slider from `slider.0` to `slider.1`.
    #[must_use]
    pub const fn number(
        key: &'static str,
        label: &'static str,
        default: f64,
        legal: Interval,
        slider: (f64, f64),
        help: &'static str,
    ) -> Self {
        let ty = ParamType::Number { legal, slider, log: false };
        Self::of(key, label, ty, DefaultValue::Number(default), help)
    }

    /// A whole number from `min` to `max` with a slider.
    #[must_use]
    pub const fn integer(
        key: &'static str,
        label: &'static str,
        default: f64,
        legal: Interval,
        slider: (f64, f64),
        help: &'static str,
    ) -> Self {
        let ty = ParamType::Integer { legal, slider, log: false };
        Self::of(key, label, ty, DefaultValue::Number(default), help)
    }

    /// A parameter of any other type.
    #[must_use]
    pub const fn of(
        key: &'static str,
        label: &'static str,
        ty: ParamType,
        default: DefaultValue,
        help: &'static str,
    ) -> Self {
        Self { key, label, unit: "", help, ty, default, live: true, primary: true, with: &[] }
    }

    /// The words of a choice; none for other types.
    #[must_use]
    pub const fn choices(&self) -> &'static [Choice] {
        match self.ty {
            ParamType::Choice(choices) => choices,
            _ => &[],
        }
    }

    /// The same with a slider that runs in equal ratios.
    #[must_use]
    pub const fn log(mut self) -> Self {
        self.ty = match self.ty {
            ParamType::Number { legal, slider, .. } => ParamType::Number { legal, slider, log: true },
            ParamType::Integer { legal, slider, .. } => ParamType::Integer { legal, slider, log: true },
            other => other,
        };
        self
    }

    /// The same with a unit.
    #[must_use]
    pub const fn unit(mut self, unit: &'static str) -> Self {
        self.unit = unit;
        self
    }

    /// The same with another default.
    #[must_use]
    pub const fn default(mut self, default: DefaultValue) -> Self {
        self.default = default;
        self
    }

    /// The same, optional: absent when left out.
    #[must_use]
    pub const fn optional(self) -> Self {
        self.default(DefaultValue::Absent)
    }

    /// The same, folded under "More" in the window.
    #[must_use]
    pub const fn folded(mut self) -> Self {
        self.primary = false;
        self
    }

    /// The same, without effect unless one of these parameters differs from its default.
    #[must_use]
    pub const fn only_with(mut self, keys: &'static [&'static str]) -> Self {
        self.with = keys;
        self
    }

    /// The same, always in sight.
    #[must_use]
    pub const fn primary(mut self) -> Self {
        self.primary = true;
        self
    }

    /// The same, but fixed during a run: a change restarts the run from its first step.
    #[must_use]
    pub const fn fixed(mut self) -> Self {
        self.live = false;
        self
    }
}

/// A named thing with parameters: a target, a method, a schedule, a way to start.
#[derive(Clone, Copy, Debug)]
pub struct KindSpec {
    /// The word in a scenario file: lower case with hyphens.
    pub name: &'static str,
    /// The name in the window.
    pub label: &'static str,
    /// What it is, in one or two sentences.
    pub help: &'static str,
    /// Its parameters, in the order in which they are shown and written.
    pub params: &'static [ParamSpec],
}

impl KindSpec {
    /// A kind that the window does not show: its label is its name.
    #[must_use]
    pub const fn unlabelled(name: &'static str, help: &'static str, params: &'static [ParamSpec]) -> Self {
        Self { name, label: name, help, params }
    }

    /// The parameter called `key`.
    #[must_use]
    pub fn param(&self, key: &str) -> Option<&'static ParamSpec> {
        self.params.iter().find(|param| param.key == key)
    }
}

impl PartialEq for KindSpec {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

/// The kind called `name` among `kinds`.
#[must_use]
pub fn find_kind(kinds: &'static [KindSpec], name: &str) -> Option<&'static KindSpec> {
    kinds.iter().find(|kind| kind.name == name)
}

/// One line of a registry: the description of a kind and the function that makes one from settings.
#[derive(Clone, Copy, Debug)]
pub struct Entry<B: Copy> {
    /// Name, label, parameters.
    pub spec: KindSpec,
    /// Makes one.
    pub build: B,
}

/// The descriptions in a registry, as a table of their own: of a constant list of entries of any type with a field `spec`.
#[macro_export]
macro_rules! kinds {
    ($entries:expr) => {{
        let mut kinds = [$entries[0].spec; $entries.len()];
        let mut index = 0;
        while index < kinds.len() {
            kinds[index] = $entries[index].spec;
            index += 1;
        }
        kinds
    }};
}

/// A type in words, for messages.
#[must_use]
pub fn type_in_words(ty: ParamType) -> String {
    let joined = |names: Vec<&str>| names.iter().map(|name| format!("\"{name}\"")).collect::<Vec<_>>().join(", ");
    match ty {
        ParamType::Number { legal, .. } => format!("a number, {}", legal.in_words()),
        ParamType::Integer { legal, .. } => format!("a whole number, {}", legal.in_words()),
        ParamType::Flag => "true or false".to_owned(),
        ParamType::Choice(choices) => joined(choices.iter().map(|choice| choice.name).collect()),
        ParamType::Text => "text in quotes".to_owned(),
        ParamType::Pair { .. } => "two numbers [x, y]".to_owned(),
        ParamType::Covariance => "a matrix [[a, b], [b, c]]".to_owned(),
        ParamType::Knots => "a list of [step, value]".to_owned(),
        ParamType::Points { .. } => "a list of [x, y]".to_owned(),
        ParamType::Group([only]) => {
            format!("a table with {}", only.params.iter().map(|p| p.key).collect::<Vec<_>>().join(", "))
        }
        ParamType::Group(kinds) => {
            format!("a table with kind = {}", joined(kinds.iter().map(|kind| kind.name).collect()))
        }
        ParamType::Named => "a table of numbers: { a = 1.0, b = { value = 0.5, from = 0.0, to = 2.0 } }".to_owned(),
        ParamType::Picture => picture::in_words(),
        ParamType::List(kind) => {
            let keys: Vec<&str> = kind.params.iter().map(|param| param.key).collect();
            format!("a list of tables with the keys {}", keys.join(", "))
        }
    }
}
