//! From the expression that a formula says to boxes.

use super::names::split;
use super::{FRACTION_MARGINS, MarkBox, Measure};
use crate::formula::Form;
use crate::formula::functions::Function;
use crate::formula::subject::COORDINATES;
use crate::formula::syntax::{Condition, Expression, Fold, Read};

/// The size of raised and lowered text, in the size of the text beside it.
const SCRIPT: f32 = 0.74;

/// The smallest size of raised text.
const LEAST: f32 = 0.6;

/// Distance between two factors, and on both sides of a sign.
const THIN: f32 = 0.14;
const MEDIUM: f32 = 0.24;

/// Makes boxes of one formula.
pub(super) struct Setter<'a> {
    read: &'a Read,
    measure: Measure<'a>,
}

impl<'a> Setter<'a> {
    pub(super) fn new(read: &'a Read, measure: Measure<'a>) -> Self {
        Self { read, measure }
    }

    /// All lines.
    pub(super) fn formula(&self, form: Form, width: f32) -> MarkBox {
        let mut lines = Vec::with_capacity(self.read.abbreviations.len() + 1);
        for (name, value) in &self.read.abbreviations {
            lines.push(self.equation(self.name(name, 1.0), "=", value, width));
        }
        let (minus, sign) = match form {
            Form::LogDensity => ("log ", "="),
            Form::Density => ("", "∝"),
            Form::Energy => ("−log ", "="),
        };
        let left = MarkBox::row([self.upright(minus, 1.0), self.slanted("p", 1.0)]);
        lines.push(self.equation(left, sign, &self.read.value, width));
        MarkBox::column(lines, 1.3, 0.0)
    }

    fn equation(&self, left: MarkBox, sign: &str, value: &Expression, width: f32) -> MarkBox {
        let left = MarkBox::row([left, self.sign(sign, 1.0)]);
        let value = self.part(value, 1.0, width - left.width);
        MarkBox::row([left, value])
    }

    fn upright(&self, text: &str, size: f32) -> MarkBox {
        MarkBox::text(text, false, size, self.measure)
    }

    fn slanted(&self, text: &str, size: f32) -> MarkBox {
        MarkBox::text(text, true, size, self.measure)
    }

    /// A sign with space on both sides.
    fn sign(&self, sign: &str, size: f32) -> MarkBox {
        let space = || MarkBox::space(MEDIUM * size);
        MarkBox::row([space(), self.upright(sign, size), space()])
    }

    fn bracketed(&self, part: MarkBox, size: f32) -> MarkBox {
        part.bracketed(size, self.measure)
    }

    fn part(&self, expression: &Expression, size: f32, width: f32) -> MarkBox {
        match expression {
            Expression::Number(value) => self.number(*value, size),
            Expression::Constant("e", _) => self.upright("e", size),
            Expression::Constant(..) => self.upright("π", size),
            Expression::Coordinate(number) if self.read.numbered.is_some() => {
                self.element(&(number + 1).to_string(), false, size)
            }
            Expression::Coordinate(axis) => self.slanted(COORDINATES[*axis], size),
            Expression::Shifted(shift) => self.element(&row(*shift), true, size),
            Expression::Parameter(number) => self.name(&self.read.parameters[*number].0, size),
            Expression::Abbreviation(number) => self.name(&self.read.abbreviations[*number].0, size),
            Expression::Sum(terms) => self.sum(terms, size, width),
            Expression::Product(factors) => self.product(factors, size, width),
            Expression::Power(base, power) => self.power(base, power, size, width),
            Expression::Column(number) => self.column(&self.read.columns[*number].0, size),
            Expression::Over(fold, _, inner) => self.over(*fold, inner, size, width),
            Expression::Cases(condition, both) => self.cases(condition, both, size, width),
            Expression::Call(function, arguments) => self.call(*function, arguments, size, width),
        }
    }

    /// A number; very large and very small ones with a power of ten.
    fn number(&self, value: f64, size: f32) -> MarkBox {
        let text = |text: String| self.upright(&text.replace('-', "−"), size);
        if !is_spelt_with_power(value) {
            return text(format!("{value}"));
        }
        let spelt = format!("{value:e}");
        let (digits, power) = spelt.split_once('e').unwrap_or((&spelt, "0"));
        let ten = if digits == "1" { "10".to_owned() } else { format!("{digits}·10") };
        let small = (SCRIPT * size).max(LEAST);
        text(ten).raised(self.upright(&power.replace('-', "−"), small), size)
    }

    fn name(&self, name: &str, size: f32) -> MarkBox {
        let (head, index) = self.split(name);
        let head = self.slanted(&head, size);
        let is_number = index.chars().all(|letter| letter.is_ascii_digit());
        let small = (SCRIPT * size).max(LEAST);
        if index.is_empty() { head } else { head.lowered(MarkBox::text(index, !is_number, small, self.measure), size) }
    }

    /// The letters and the index of a name. Where two names would look the same, both stay as they are written.
    fn split(&self, name: &str) -> (String, String) {
        let found = split(name);
        let parameters = self.read.parameters.iter().map(|(name, _)| name);
        let mut names = parameters.chain(self.read.abbreviations.iter().map(|(name, _)| name));
        let is_taken =
            found == ("π".to_owned(), String::new()) || names.any(|other| other != name && split(other) == found);
        if is_taken { (name.to_owned(), String::new()) } else { found }
    }

    fn sum(&self, terms: &[(bool, Expression)], size: f32, width: f32) -> MarkBox {
        let mut parts = Vec::with_capacity(terms.len());
        for (index, (plus, term)) in terms.iter().enumerate() {
            let sign = if *plus { "+" } else { "−" };
            let sign = match (index, plus) {
                (0, true) => MarkBox::default(),
                (0, false) => MarkBox::row([self.upright(sign, size), MarkBox::space(0.3 * THIN * size)]),
                _ => self.sign(sign, size),
            };
            let value = self.part(term, size, width - sign.width);
            let value = if matches!(term, Expression::Sum(_)) { self.bracketed(value, size) } else { value };
            parts.push(MarkBox::row([sign, value]));
        }
        MarkBox::wrapped(parts, size, width)
    }

    /// Factors in their order; what is divided becomes a fraction.
    fn product(&self, factors: &[(bool, Expression)], size: f32, width: f32) -> MarkBox {
        let mut parts: Vec<MarkBox> = Vec::new();
        let mut left = factors;
        let mut after_number = false;
        while !left.is_empty() {
            let times = left.iter().take_while(|(times, _)| *times).count();
            let divided = left[times..].iter().take_while(|(times, _)| !times).count();
            let (above, rest) = left.split_at(times);
            let (below, rest) = rest.split_at(divided);
            left = rest;
            if below.is_empty() {
                let first = parts.is_empty();
                parts.extend(self.factors(above, size, width, (!first).then_some(after_number)));
                continue;
            }
            // What is one factor has no brackets of its own.
            let width_inside = width - FRACTION_MARGINS * size;
            let [above, below] = [above, below].map(|of| match of {
                [(_, only)] => self.part(only, size, width_inside),
                _ => MarkBox::wrapped(self.factors(of, size, width_inside, None), size, width_inside),
            });
            let fraction = MarkBox::fraction(above, below, size);
            let between = if parts.is_empty() { MarkBox::default() } else { MarkBox::space(THIN * size) };
            parts.push(MarkBox::row([between, fraction]));
            after_number = false;
        }
        MarkBox::wrapped(parts, size, width)
    }

    /// Factors side by side, with a dot where the next one begins with a digit; `before` says whether a number comes before
    /// the first, if anything does.
    fn factors(&self, factors: &[(bool, Expression)], size: f32, width: f32, before: Option<bool>) -> Vec<MarkBox> {
        let mut before = before;
        let mut parts = Vec::with_capacity(factors.len());
        for (_, factor) in factors {
            let value = self.part(factor, size, width);
            let value = if matches!(factor, Expression::Sum(_)) { self.bracketed(value, size) } else { value };
            let between = match before {
                None => MarkBox::default(),
                Some(after_number) if begins_with_digit(factor) || after_number && is_fraction(factor) => {
                    self.sign("·", size)
                }
                Some(_) => MarkBox::space(THIN * size),
            };
            before = Some(matches!(factor, Expression::Number(_)));
            parts.push(MarkBox::row([between, value]));
        }
        parts
    }

    fn power(&self, base: &Expression, power: &Expression, size: f32, width: f32) -> MarkBox {
        let below = self.part(base, size, width);
        let stands_alone = match base {
            Expression::Sum(_) | Expression::Product(_) | Expression::Power(..) | Expression::Over(..) => false,
            Expression::Call(function, _) => *function != Function::Sqrt,
            Expression::Number(value) => !is_spelt_with_power(*value),
            _ => true,
        };
        let below = if stands_alone { below } else { self.bracketed(below, size) };
        below.raised(self.part(power, (SCRIPT * size).max(LEAST), width), size)
    }

    /// A coordinate with its number.
    fn element(&self, number: &str, slanted: bool, size: f32) -> MarkBox {
        let small = (SCRIPT * size).max(LEAST);
        self.slanted(COORDINATES[0], size).lowered(MarkBox::text(number, slanted, small, self.measure), size)
    }

    /// A column in row i.
    fn column(&self, name: &str, size: f32) -> MarkBox {
        let small = (SCRIPT * size).max(LEAST);
        self.slanted(name, size).lowered(MarkBox::text("i", true, small, self.measure), size)
    }

    /// Σ, or the mean, over all rows.
    fn over(&self, fold: Fold, inner: &Expression, size: f32, width: f32) -> MarkBox {
        let small = (SCRIPT * size).max(LEAST);
        let sign = match fold {
            Fold::Sum => self.upright("Σ", 1.2 * size),
            Fold::Mean => self.upright("mean", size),
        };
        let sign = sign.lowered(MarkBox::text("i", true, small, self.measure), size);
        let value = self.part(inner, size, width - sign.width - size);
        let value = if matches!(inner, Expression::Sum(_)) { self.bracketed(value, size) } else { value };
        MarkBox::row([sign, MarkBox::space(THIN * size), value])
    }

    /// Two lines, each with its condition.
    fn cases(&self, condition: &Condition, both: &[Expression; 2], size: f32, width: f32) -> MarkBox {
        let when =
            MarkBox::row([self.upright("if", size), MarkBox::space(MEDIUM * size), self.condition(condition, size)]);
        let line = |value: &Expression, when: MarkBox| {
            let value = self.part(value, size, width - when.width - size);
            MarkBox::row([value, MarkBox::space(2.0 * MEDIUM * size), when])
        };
        let lines = vec![line(&both[0], when), line(&both[1], self.upright("else", size))];
        self.bracketed(MarkBox::column(lines, 1.2 * size, 0.0), size)
    }

    fn condition(&self, condition: &Condition, size: f32) -> MarkBox {
        let joined = |all: &[Condition], word: &str| {
            let parts = all.iter().enumerate().flat_map(|(number, one)| {
                let word = if number > 0 { self.sign(word, size) } else { MarkBox::default() };
                [word, self.condition(one, size)]
            });
            MarkBox::row(parts)
        };
        match condition {
            Condition::Less(both, or_equal) => {
                let [less, more] = [&both[0], &both[1]].map(|side| self.part(side, size, f32::INFINITY));
                MarkBox::row([less, self.sign(if *or_equal { "≤" } else { "<" }, size), more])
            }
            Condition::And(all) => joined(all, "and"),
            Condition::Or(all) => joined(all, "or"),
        }
    }

    fn call(&self, function: Function, arguments: &[Expression], size: f32, width: f32) -> MarkBox {
        let argument = |width: f32| self.part(&arguments[0], size, width);
        match function {
            Function::Sqrt => return argument(width - size).root(size),
            Function::Abs => return argument(width - size).between_bars(size),
            _ => {}
        }
        let name = self.upright(function.name(), size);
        let width_inside = width - name.width - 0.8 * size;
        let last = arguments.len() - 1;
        let parts: Vec<MarkBox> = arguments
            .iter()
            .enumerate()
            .map(|(index, argument)| {
                let comma = if index < last { self.upright(",", size) } else { MarkBox::default() };
                MarkBox::row([self.part(argument, size, width_inside), comma])
            })
            .collect();
        let total: f32 = parts.iter().map(|part| part.width + MEDIUM * size).sum();
        let inner = if total <= width_inside {
            let spaced =
                |(index, part)| MarkBox::row([MarkBox::space(if index == 0 { 0.0 } else { MEDIUM * size }), part]);
            MarkBox::row(parts.into_iter().enumerate().map(spaced))
        } else {
            MarkBox::column(parts, size, 0.0)
        };
        MarkBox::row([name, self.bracketed(inner, size)])
    }
}

/// i with a number added to it.
fn row(shift: i32) -> String {
    match shift {
        0 => "i".to_owned(),
        shift if shift < 0 => format!("i−{}", -shift),
        shift => format!("i+{shift}"),
    }
}

/// Whether a number is written as a power of ten.
fn is_spelt_with_power(value: f64) -> bool {
    value != 0.0 && !(1e-4..1e6).contains(&value.abs())
}

/// Whether the first character of an expression is a digit.
fn begins_with_digit(expression: &Expression) -> bool {
    match expression {
        Expression::Number(_) => true,
        Expression::Power(base, _) => matches!(**base, Expression::Number(_)),
        Expression::Product(factors) => {
            !is_fraction(expression) && factors.first().is_some_and(|(_, first)| begins_with_digit(first))
        }
        _ => false,
    }
}

/// Whether it begins with a fraction.
fn is_fraction(expression: &Expression) -> bool {
    matches!(expression, Expression::Product(factors) if factors.iter().any(|(times, _)| !times))
}
