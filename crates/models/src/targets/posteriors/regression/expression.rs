//! Expressions of columns: what a term of a regression says, and its numbers row by row.
//!
//! ```text
//! comparison = sum [ ("==" | "!=" | "<" | "<=" | ">" | ">=") sum ]
//! sum        = product { ("+" | "-") product }
//! product    = signed { ("*" | "/") signed }
//! signed     = "-" signed | power
//! power      = factor [ "^" signed ]
//! factor     = number | column | is | function "(" comparison ")" | "(" comparison ")"
//! is         = column ("==" | "!=") word
//! ```
//!
//! A word in quotation marks makes 0 and 1 of a column of words: `smoker == "yes"`.
//!
//! Formulas of densities ([`formula`](crate::formula)) are another language: there x and y are coordinates, e and π numbers, and points
//! belong to no name. Names of columns are whatever a file says: `cut.L`, x, `` `body mass` ``, $3 for the third column.

use base::math::elementary::{exp, ln};
use base::math::mean_and_sd;

/// Brackets, powers and signs within each other at most.
const DEEPEST: usize = 60;

/// Functions of a column; `mean` and `sd` (divisor N − 1) are the same number in every row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Function {
    Ln,
    Log10,
    Log2,
    Sqrt,
    Exp,
    Abs,
    Mean,
    Sd,
}

const FUNCTIONS: [(&str, Function); 9] = [
    ("log", Function::Ln),
    ("ln", Function::Ln),
    ("log10", Function::Log10),
    ("log2", Function::Log2),
    ("sqrt", Function::Sqrt),
    ("exp", Function::Exp),
    ("abs", Function::Abs),
    ("mean", Function::Mean),
    ("sd", Function::Sd),
];

/// What is allowed in the place of a function.
const ALLOWED_FUNCTIONS: &str = "log, log10, log2, sqrt, exp, abs, mean, sd, or factor";

/// An operation on two numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operation {
    Plus,
    Minus,
    Times,
    Over,
    Power,
    Equal,
    Different,
    Below,
    AtMost,
    Above,
    AtLeast,
}

impl Operation {
    fn of(self, a: f64, b: f64) -> f64 {
        let flag = |is: bool| f64::from(u8::from(is));
        // Equal as numbers of a file are: bits, but for the sign of 0.
        let equal = (a - b).abs() <= 0.0;
        match self {
            Self::Plus => a + b,
            Self::Minus => a - b,
            Self::Times => a * b,
            Self::Over => a / b,
            Self::Power => power(a, b),
            Self::Equal => flag(equal),
            Self::Different => flag(!equal),
            Self::Below => flag(a < b),
            Self::AtMost => flag(a <= b),
            Self::Above => flag(a > b),
            Self::AtLeast => flag(a >= b),
        }
    }
}

/// Whole powers up to this size are products.
const MOST_FACTORS: f64 = 64.0;

/// aᵇ; NaN for broken powers of negative numbers.
fn power(a: f64, b: f64) -> f64 {
    if b.fract().abs() > 0.0 || b.abs() > MOST_FACTORS {
        return if a > 0.0 {
            exp(b * ln(a))
        } else if a.abs() <= 0.0 && b > 0.0 {
            0.0
        } else {
            f64::NAN
        };
    }
    let mut product = 1.0;
    let mut left = b.abs();
    while left > 0.5 {
        product *= a;
        left -= 1.0;
    }
    if b < 0.0 { 1.0 / product } else { product }
}

/// A column that expressions name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Source {
    pub(super) name: String,
    /// The word that is 1, of a column of words; others are 0.
    pub(super) word: Option<String>,
}

/// An expression.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Expression {
    Number(f64),
    /// A column, by its number among the names that were found.
    Column(usize),
    Minus(Box<Expression>),
    Call(Function, Box<Expression>),
    Two(Operation, Box<[Expression; 2]>),
}

impl Expression {
    /// Reads a text; columns that are not among `sources` are added there.
    ///
    /// # Errors
    /// What is wrong, and what is allowed.
    pub(super) fn read(text: &str, sources: &mut Vec<Source>) -> Result<Self, (String, String)> {
        let tokens = tokens(text)?;
        let mut reader = Reader { tokens: &tokens, next: 0, depth: 0, sources };
        let expression = reader.comparison()?;
        match reader.tokens.get(reader.next) {
            None => Ok(expression),
            Some(token) => Err(unexpected(Some(token), "an operation: + − * / ^ ==")),
        }
    }

    /// Its numbers, of columns with so many rows.
    pub(super) fn values(&self, columns: &[Vec<f64>], rows: usize) -> Vec<f64> {
        match self {
            Self::Number(number) => vec![*number; rows],
            Self::Column(number) => columns[*number].clone(),
            Self::Minus(of) => of.values(columns, rows).into_iter().map(|value| -value).collect(),
            Self::Call(function, of) => function.values(of.values(columns, rows)),
            Self::Two(operation, both) => {
                let [a, b] = both.each_ref().map(|of| of.values(columns, rows));
                a.into_iter().zip(b).map(|(a, b)| operation.of(a, b)).collect()
            }
        }
    }

    /// Whether it has no column.
    pub(super) fn is_constant(&self) -> bool {
        match self {
            Self::Number(_) => true,
            Self::Column(_) => false,
            Self::Minus(of) | Self::Call(_, of) => of.is_constant(),
            Self::Two(_, both) => both.iter().all(Self::is_constant),
        }
    }
}

impl Function {
    fn values(self, mut values: Vec<f64>) -> Vec<f64> {
        let one: fn(f64) -> f64 = match self {
            Self::Mean | Self::Sd => {
                let (mean, sd) = mean_and_sd(&values);
                values.fill(if self == Self::Mean { mean } else { sd });
                return values;
            }
            Self::Ln => ln,
            Self::Log10 => |x| ln(x) / std::f64::consts::LN_10,
            Self::Log2 => |x| ln(x) / std::f64::consts::LN_2,
            Self::Sqrt => f64::sqrt,
            Self::Exp => exp,
            Self::Abs => f64::abs,
        };
        values.iter_mut().for_each(|value| *value = one(*value));
        values
    }
}

#[derive(Clone, Debug, PartialEq)]
enum Token {
    Number(f64),
    Name(String),
    Word(String),
    Sign(&'static str),
}

/// Signs, longer ones first.
const SIGNS: [&str; 14] = ["==", "!=", "<=", ">=", "**", "<", ">", "+", "-", "*", "/", "^", "(", ")"];

/// Signs that stand for others.
const ALIKE: [(char, &str); 6] = [('−', "-"), ('·', "*"), ('×', "*"), ('≤', "<="), ('≥', ">="), ('≠', "!=")];

fn tokens(text: &str) -> Result<Vec<Token>, (String, String)> {
    let mut rest = text.trim_start();
    let mut found = Vec::new();
    while let Some(first) = rest.chars().next() {
        let length = if let Some(sign) = SIGNS.iter().find(|sign| rest.starts_with(**sign)) {
            found.push(Token::Sign(if *sign == "**" { "^" } else { sign }));
            sign.len()
        } else if let Some((letter, sign)) = ALIKE.iter().find(|(letter, _)| *letter == first) {
            found.push(Token::Sign(sign));
            letter.len_utf8()
        } else if first == '`' {
            let end = rest[1..].find('`').ok_or_else(|| {
                ("a name in ` has no end".to_owned(), "a second ` behind the name of the column".to_owned())
            })?;
            found.push(Token::Name(rest[1..=end].to_owned()));
            end + 2
        } else if first == '"' {
            let end = rest[1..]
                .find('"')
                .ok_or_else(|| ("a word in \" has no end".to_owned(), "a second \" behind the word".to_owned()))?;
            found.push(Token::Word(rest[1..=end].to_owned()));
            end + 2
        } else if first == '$' {
            let end = end_of(&rest[1..], |letter| letter.is_ascii_digit());
            if end == 0 {
                return Err(("$ has no number".to_owned(), "$ with the number of a column from 1: $3".to_owned()));
            }
            found.push(Token::Name(rest[1..=end].to_owned()));
            end + 1
        } else if first.is_ascii_digit() || first == '.' {
            let end = end_of_number(rest);
            let wrong = || (format!("\"{}\" is not a number", &rest[..end]), "for example 2, 0.5 or 1e-3".to_owned());
            found.push(Token::Number(rest[..end].parse().ok().filter(|x: &f64| x.is_finite()).ok_or_else(wrong)?));
            end
        } else if first.is_alphabetic() || first == '_' {
            let end = end_of(rest, |letter| letter.is_alphanumeric() || letter == '_' || letter == '.');
            found.push(Token::Name(rest[..end].to_owned()));
            end
        } else {
            let allowed = "names of columns, numbers, + − * / ^ == and brackets; a name with other characters stands in `backquotes`";
            return Err((format!("\"{}\" has no meaning here", first.escape_debug()), allowed.to_owned()));
        };
        rest = rest[length..].trim_start();
    }
    Ok(found)
}

fn end_of(text: &str, belongs: impl Fn(char) -> bool) -> usize {
    text.find(|letter| !belongs(letter)).unwrap_or(text.len())
}

/// The end of digits with points and an exponent: what is no number is an error with all of it.
fn end_of_number(text: &str) -> usize {
    let mut end = end_of(text, |letter| letter.is_ascii_digit() || letter == '.');
    if text[end..].starts_with(['e', 'E']) {
        let signed = usize::from(text[end + 1..].starts_with(['+', '-']));
        let digits = end_of(&text[end + 1 + signed..], |letter| letter.is_ascii_digit());
        if digits > 0 {
            end += 1 + signed + digits;
        }
    }
    end
}

fn unexpected(token: Option<&Token>, allowed: &str) -> (String, String) {
    let problem = match token {
        None => "it ends too early".to_owned(),
        Some(Token::Number(number)) => format!("{number} has no meaning here"),
        Some(Token::Name(name) | Token::Word(name)) => format!("\"{name}\" has no meaning here"),
        Some(Token::Sign(sign)) => format!("\"{sign}\" has no meaning here"),
    };
    (problem, allowed.to_owned())
}

struct Reader<'a> {
    tokens: &'a [Token],
    next: usize,
    depth: usize,
    sources: &'a mut Vec<Source>,
}

type Read = Result<Expression, (String, String)>;

impl Reader<'_> {
    /// The next sign, if it is one of these; it is passed.
    fn sign<T: Copy>(&mut self, of: &[(&str, T)]) -> Option<T> {
        let Some(Token::Sign(sign)) = self.tokens.get(self.next) else { return None };
        let found = of.iter().find(|(known, _)| known == sign)?;
        self.next += 1;
        Some(found.1)
    }

    fn deeper(&mut self, read: fn(&mut Self) -> Read) -> Read {
        if self.depth == DEEPEST {
            return Err((
                "it is nested too deeply".to_owned(),
                format!("at most {DEEPEST} brackets within each other"),
            ));
        }
        self.depth += 1;
        let found = read(self);
        self.depth -= 1;
        found
    }

    fn comparison(&mut self) -> Read {
        use Operation::{Above, AtLeast, AtMost, Below, Different, Equal};
        let first = self.sum()?;
        let signs = [("==", Equal), ("!=", Different), ("<=", AtMost), (">=", AtLeast), ("<", Below), (">", Above)];
        match self.sign(&signs) {
            Some(operation) => Ok(two(operation, first, self.sum()?)),
            None => Ok(first),
        }
    }

    fn sum(&mut self) -> Read {
        let mut sum = self.product()?;
        while let Some(operation) = self.sign(&[("+", Operation::Plus), ("-", Operation::Minus)]) {
            sum = two(operation, sum, self.product()?);
        }
        Ok(sum)
    }

    fn product(&mut self) -> Read {
        let mut product = self.signed()?;
        while let Some(operation) = self.sign(&[("*", Operation::Times), ("/", Operation::Over)]) {
            product = two(operation, product, self.signed()?);
        }
        Ok(product)
    }

    fn signed(&mut self) -> Read {
        match self.sign(&[("-", ())]) {
            Some(()) => Ok(Expression::Minus(Box::new(self.deeper(Self::signed)?))),
            None => self.power(),
        }
    }

    fn power(&mut self) -> Read {
        let base = self.factor()?;
        match self.sign(&[("^", Operation::Power)]) {
            Some(operation) => Ok(two(operation, base, self.deeper(Self::signed)?)),
            None => Ok(base),
        }
    }

    fn factor(&mut self) -> Read {
        let token = self.tokens.get(self.next);
        self.next += 1;
        match token {
            Some(Token::Number(number)) => Ok(Expression::Number(*number)),
            Some(Token::Sign("(")) => self.bracket(),
            Some(Token::Name(name)) if self.sign(&[("(", ())]).is_some() => {
                let known = FUNCTIONS.iter().find(|(known, _)| known == name);
                let (_, function) = known.ok_or_else(|| {
                    (format!("\"{name}\" is no function"), format!("{ALLOWED_FUNCTIONS}; products have a *"))
                })?;
                Ok(Expression::Call(*function, Box::new(self.bracket()?)))
            }
            Some(Token::Name(name)) => {
                let word = match self.tokens.get(self.next..self.next + 2) {
                    Some([Token::Sign(sign @ ("==" | "!=")), Token::Word(word)]) => Some((*sign, word.clone())),
                    _ => None,
                };
                let Some((sign, word)) = word else { return Ok(self.column(name.clone(), None)) };
                self.next += 2;
                let is = self.column(name.clone(), Some(word));
                Ok(if sign == "==" { is } else { two(Operation::Minus, Expression::Number(1.0), is) })
            }
            token => Err(unexpected(token, "a column, a number, a function or a bracket")),
        }
    }

    fn column(&mut self, name: String, word: Option<String>) -> Expression {
        let source = Source { name, word };
        let known = self.sources.iter().position(|known| *known == source);
        Expression::Column(known.unwrap_or_else(|| {
            self.sources.push(source);
            self.sources.len() - 1
        }))
    }

    /// What follows an opening bracket, and the closing one.
    fn bracket(&mut self) -> Read {
        let inside = self.deeper(Self::comparison)?;
        match self.sign(&[(")", ())]) {
            Some(()) => Ok(inside),
            None => Err(unexpected(self.tokens.get(self.next), "a closing bracket")),
        }
    }
}

fn two(operation: Operation, a: Expression, b: Expression) -> Expression {
    Expression::Two(operation, Box::new([a, b]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(text: &str) -> Result<Vec<f64>, (String, String)> {
        let source = |name: &str, word: Option<&str>| Source { name: name.to_owned(), word: word.map(str::to_owned) };
        let mut names =
            vec![source("x", None), source("cut.L", None), source("body mass", None), source("x", Some("a, b"))];
        let expression = Expression::read(text, &mut names)?;
        assert_eq!(names.len(), 4, "{text}: {names:?}");
        let columns = [vec![1.0, 2.0, 6.0], vec![2.0, 4.0, 4.0], vec![-1.0, 0.0, 3.0], vec![0.0, 1.0, 1.0]];
        Ok(expression.values(&columns, 3))
    }

    #[test]
    fn expressions_have_the_usual_meaning() {
        for (text, expected) in [
            ("x", [1.0, 2.0, 6.0]),
            ("x + 2 * cut.L", [5.0, 10.0, 14.0]),
            ("(x - mean(x)) / sd(x)", [-2.0 / 7.0_f64.sqrt(), -1.0 / 7.0_f64.sqrt(), 3.0 / 7.0_f64.sqrt()]),
            ("-x^2", [-1.0, -4.0, -36.0]),
            ("x^-1 * 6", [6.0, 3.0, 1.0]),
            ("2^x^2 / 2^(x·x)", [1.0, 1.0, 1.0]),
            ("cut.L == 4", [0.0, 1.0, 1.0]),
            ("(x >= 2) - (x ≠ 2)", [-1.0, 1.0, 0.0]),
            ("`body mass` ** 3 + 1e1", [9.0, 10.0, 37.0]),
            ("log10(10 ^ x)", [1.0, 2.0, 6.0]),
            ("exp(log(x)) - sqrt(x^2) + abs(−x)", [1.0, 2.0, 6.0]),
            ("x^0.5 * x^0.5", [1.0, 2.0, 6.0]),
            ("x == \"a, b\"", [0.0, 1.0, 1.0]),
            ("2 * x != \"a, b\"", [2.0, 0.0, 0.0]),
        ] {
            let found = values(text).unwrap();
            let close = |(a, b): (&f64, &f64)| (a - b).abs() < 1e-12 * b.abs().max(1.0);
            assert!(found.iter().zip(&expected).all(close), "{text}: {found:?}");
        }
        assert!(values("(−x)^0.5").unwrap().iter().all(|x| x.is_nan()));
        let mut names = Vec::new();
        Expression::read("a * b + a + $3", &mut names).unwrap();
        assert_eq!(names.iter().map(|source| source.name.as_str()).collect::<Vec<_>>(), ["a", "b", "3"]);
    }

    #[test]
    fn what_cannot_be_read_is_named() {
        for (text, problem) in [
            ("", "it ends too early"),
            ("x +", "it ends too early"),
            ("x y", "\"y\" has no meaning here"),
            ("(x", "it ends too early"),
            ("x)", "\")\" has no meaning here"),
            ("sin(x)", "\"sin\" is no function"),
            ("1.2.3", "\"1.2.3\" is not a number"),
            ("x ? 2", "\"?\" has no meaning here"),
            ("`x", "a name in ` has no end"),
            ("$x", "$ has no number"),
            ("x == \"a", "a word in \" has no end"),
            ("x < \"a\"", "\"a\" has no meaning here"),
            ("\"a\"", "\"a\" has no meaning here"),
        ] {
            let (found, allowed) = Expression::read(text, &mut Vec::new()).unwrap_err();
            assert!(found == problem && !allowed.is_empty(), "{text}: {found}");
        }
        let deep = format!("{}x{}", "(".repeat(1000), ")".repeat(1000));
        assert_eq!(Expression::read(&deep, &mut Vec::new()).unwrap_err().0, "it is nested too deeply");
    }
}
