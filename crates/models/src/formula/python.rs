//! Sequences in Python, for plain numbers and for arrays of JAX.

use super::functions::Function;
use super::sequence::{Name, Sequence};
use super::syntax::Expression;

/// The names of a step in Python: counted from 0, from 1, and the number of steps.
const OF_STEPS: [&str; 3] = ["t", "k", "steps"];

/// Words that are no names in Python, and names that the lines around use.
const TAKEN: [&str; 46] = [
    "t", "k", "steps", "math", "jnp", "jax", "bisect", "value", "abs", "min", "max", "False", "None", "True", "and",
    "as", "assert", "async", "await", "break", "class", "continue", "def", "del", "elif", "else", "except", "finally",
    "for", "from", "global", "if", "import", "in", "is", "lambda", "nonlocal", "not", "or", "pass", "raise", "return",
    "try", "while", "with", "yield",
];

impl Sequence {
    /// Lines that make `value` of step `k`, where `t` and `steps` are there: for numbers with `math`, or for arrays with `jnp`.
    #[must_use]
    pub fn python(&self, parameters: &[f64], module: &str) -> Vec<String> {
        let writer = Writer { sequence: self, module };
        let given = self.parameters().zip(parameters).enumerate();
        let mut lines: Vec<String> = given
            .map(|(number, (name, value))| format!("{} = {value:?}", identifier(name, "parameter", number)))
            .collect();
        for (number, (name, value)) in self.read.abbreviations.iter().enumerate() {
            lines.push(format!("{} = {}", identifier(name, "part", number), writer.text(value)));
        }
        lines.push(format!("value = {}", writer.text(&self.read.value)));
        lines
    }
}

/// A name as Python has it, or another one with its number.
fn identifier(name: &str, other: &str, number: usize) -> String {
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
    let is_one = name.chars().all(is_plain) && !TAKEN.contains(&name) && !name.starts_with("__");
    if is_one { name.to_owned() } else { format!("{other}_{}", number + 1) }
}

struct Writer<'a> {
    sequence: &'a Sequence,
    module: &'a str,
}

impl Writer<'_> {
    fn text(&self, expression: &Expression) -> String {
        match expression {
            Expression::Number(value) => format!("{value:?}"),
            Expression::Constant("e", _) => format!("{}.e", self.module),
            Expression::Constant(..) => format!("{}.pi", self.module),
            Expression::Coordinate(_) | Expression::Shifted(_) => format!("{}.nan", self.module),
            Expression::Parameter(number) => match self.sequence.names[*number] {
                Name::OfSteps(number) => OF_STEPS[number].to_owned(),
                Name::Parameter(of) => identifier(&self.sequence.read.parameters[*number].0, "parameter", of),
            },
            Expression::Abbreviation(number) => {
                identifier(&self.sequence.read.abbreviations[*number].0, "part", *number)
            }
            Expression::Sum(terms) => self.joined(terms, ["+", "-"], "0.0"),
            Expression::Product(factors) => self.joined(factors, ["*", "/"], "1.0"),
            Expression::Power(base, power) => format!("({} ** {})", self.text(base), self.text(power)),
            // There are none in sequences.
            Expression::Cases(..) | Expression::Over(..) | Expression::Column(_) => format!("{}.nan", self.module),
            Expression::Call(function, arguments) => self.call(*function, arguments),
        }
    }

    /// Parts with a sign between them; a second kind of sign at the beginning follows `neutral`.
    fn joined(&self, parts: &[(bool, Expression)], [sign, other]: [&str; 2], neutral: &str) -> String {
        let mut text = String::new();
        for (index, (plain, part)) in parts.iter().enumerate() {
            match (index, plain) {
                (0, true) => {}
                (0, false) => text.push_str(&format!("{neutral} {other} ")),
                (_, true) => text.push_str(&format!(" {sign} ")),
                (_, false) => text.push_str(&format!(" {other} ")),
            }
            text.push_str(&self.text(part));
        }
        format!("({text})")
    }

    fn call(&self, function: Function, arguments: &[Expression]) -> String {
        let module = self.module;
        let all: Vec<String> = arguments.iter().map(|argument| self.text(argument)).collect();
        let nested = |name: &str| {
            all[1..].iter().fold(all[0].clone(), |found, next| format!("{module}.{name}({found}, {next})"))
        };
        match function {
            Function::Remainder => format!("({} % {})", all[0], all[1]),
            Function::Abs => format!("abs({})", all[0]),
            Function::Ln => format!("{module}.log({})", all[0]),
            Function::Atan if module == "jnp" => format!("jnp.arctan({})", all[0]),
            Function::Min if module == "jnp" => nested("minimum"),
            Function::Max if module == "jnp" => nested("maximum"),
            Function::Min => format!("min({})", all.join(", ")),
            Function::Max => format!("max({})", all.join(", ")),
            Function::Floor => format!("{module}.floor({})", all[0]),
            other => format!("{module}.{}({})", other.name(), all[0]),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_those_of_python() {
        let sequence = Sequence::read("w = t % T\nlambda/2*(cos(pi*w/α₀) + 1) − max(t, k, b)^-2").unwrap();
        let expected = [
            "parameter_1 = 0.5",
            "parameter_2 = 3.0",
            "b = 1e-7",
            "w = (t % steps)",
            "value = ((parameter_1 / 2.0 * (math.cos((math.pi * w / parameter_2)) + 1.0)) - (max(t, k, b) ** (0.0 - 2.0)))",
        ];
        assert_eq!(sequence.python(&[0.5, 3.0, 1e-7], "math"), expected);
        let jax = Sequence::read("min(t, k, 3) + atan(-t)").unwrap().python(&[], "jnp");
        assert_eq!(jax, ["value = (jnp.minimum(jnp.minimum(t, k), 3.0) + jnp.arctan((0.0 - t)))"]);
    }
}
