//! Terms of a regression, as a scenario writes them, and the columns of numbers that they are.
//!
//! Terms stand with commas between them. `1` is the intercept; any other is an [expression](super::expression) of columns, a factor, or a
//! product a:b of these. `factor(c)` has an indicator for each level of column c but the first in their order, `factor(c, level)` for each
//! but that one.

use super::expression::{Expression, Source};
use base::params::{ParamError, excerpt};

/// The parameter.
pub(super) const KEY: &str = "terms";

/// What the intercept is called.
pub(super) const INTERCEPT: &str = "intercept";

/// Characters of all terms, of one term, and terms at most.
const LONGEST: usize = 20_000;
const LONGEST_TERM: usize = 1_000;
const MOST_TERMS: usize = 200;

/// What the columns of a table are made into.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Terms {
    /// Whether there is an intercept.
    pub(super) intercept: bool,
    /// The others.
    pub(super) terms: Vec<Term>,
    /// Columns of numbers.
    pub(super) numbers: Vec<Source>,
    /// Names of columns of levels.
    pub(super) factors: Vec<String>,
}

/// A product of one part or more.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Term {
    /// As it is written, with single spaces.
    pub(super) name: String,
    parts: Vec<(String, Part)>,
}

#[derive(Clone, Debug, PartialEq)]
enum Part {
    Numbers(Expression),
    /// The number of a column of levels, and the level of reference if one is named.
    Factor(usize, Option<String>),
}

/// A column of levels: the number of the level of every row, and the levels.
pub(super) type Levels = (Vec<f64>, Vec<String>);

/// A column of the matrix X.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Made {
    pub(super) name: String,
    /// The number of the term that it belongs to.
    pub(super) term: usize,
    pub(super) values: Vec<f64>,
    /// Whether it has an indicator as a factor, and so is never standardised.
    pub(super) is_indicator: bool,
}

impl Terms {
    /// Reads a list of terms, and the names in the other expressions of the same columns: the response, the trials.
    ///
    /// # Errors
    /// At `terms`.
    pub(super) fn read(text: &str, mut numbers: Vec<Source>) -> Result<Self, ParamError> {
        let wrong = |problem: String, allowed: &str| ParamError::new(KEY, problem, allowed);
        if text.len() > LONGEST {
            return Err(wrong("the list of terms is too long".to_owned(), &format!("at most {LONGEST} characters")));
        }
        let (mut intercept, mut terms, mut factors) = (false, Vec::<Term>::new(), Vec::new());
        for term in split(text, ',') {
            let name = term.split_whitespace().collect::<Vec<_>>().join(" ");
            if name.is_empty() || name.len() > LONGEST_TERM {
                let problem = if name.is_empty() { "a term is empty" } else { "a term is too long" };
                let allowed = "terms with commas between them: 1 for the intercept, columns, expressions of columns";
                return Err(wrong(problem.to_owned(), allowed));
            }
            let is_intercept = name == "1";
            if terms.iter().any(|known| known.name == name) || is_intercept && intercept {
                return Err(wrong(format!("the term \"{}\" is there twice", excerpt(&name)), "each term once"));
            }
            intercept |= is_intercept;
            if !is_intercept {
                let term = Term::read(name, &mut numbers, &mut factors)?;
                terms.push(term);
            }
        }
        if terms.len() > MOST_TERMS {
            return Err(wrong(format!("{} terms are too many", terms.len()), &format!("at most {MOST_TERMS} terms")));
        }
        Ok(Self { intercept, terms, numbers, factors })
    }

    /// The columns of X behind the intercept, of columns with so many rows.
    ///
    /// # Errors
    /// At `terms`: a factor has one level only or lacks its level of reference, or a number is none.
    pub(super) fn columns(
        &self,
        numbers: &[Vec<f64>],
        factors: &[Levels],
        rows: usize,
    ) -> Result<Vec<Made>, ParamError> {
        let mut made = Vec::new();
        for (index, term) in self.terms.iter().enumerate() {
            made.extend(term.columns(index, numbers, factors, rows)?);
        }
        Ok(made)
    }
}

impl Term {
    fn read(name: String, numbers: &mut Vec<Source>, factors: &mut Vec<String>) -> Result<Self, ParamError> {
        let wrong = |(problem, allowed): (String, String)| {
            ParamError::new(KEY, format!("\"{}\": {problem}", excerpt(&name)), allowed)
        };
        let mut parts = Vec::new();
        for part in split(&name, ':') {
            let text = part.trim();
            if let Some(inside) = text.strip_prefix("factor(").and_then(|rest| rest.strip_suffix(')')) {
                let (column, level) = factor(inside);
                if column.is_empty() {
                    let allowed = "factor(column), or factor(column, level of reference)";
                    return Err(wrong(("factor has no column".to_owned(), allowed.to_owned())));
                }
                let known = factors.iter().position(|known| *known == column);
                let number = known.unwrap_or_else(|| {
                    factors.push(column.clone());
                    factors.len() - 1
                });
                parts.push((column, Part::Factor(number, level)));
                continue;
            }
            let expression = Expression::read(text, numbers).map_err(wrong)?;
            if expression.is_constant() {
                let problem = "it has no column, and is the same number in every row".to_owned();
                return Err(wrong((problem, "1 for the intercept, or an expression with a column".to_owned())));
            }
            parts.push((text.to_owned(), Part::Numbers(expression)));
        }
        Ok(Self { name, parts })
    }

    fn columns(
        &self,
        term: usize,
        numbers: &[Vec<f64>],
        factors: &[Levels],
        rows: usize,
    ) -> Result<Vec<Made>, ParamError> {
        let one = Made { name: String::new(), term, values: vec![1.0; rows], is_indicator: false };
        let mut made = vec![one];
        for (name, part) in &self.parts {
            let columns: Vec<(String, Vec<f64>, bool)> = match part {
                Part::Numbers(expression) => vec![(name.clone(), expression.values(numbers, rows), false)],
                Part::Factor(number, level) => {
                    let indicators = indicators(name, &factors[*number], level.as_deref())?;
                    indicators.into_iter().map(|(name, values)| (name, values, true)).collect()
                }
            };
            let product = |before: &Made, (name, values, is_indicator): &(String, Vec<f64>, bool)| Made {
                name: if before.name.is_empty() { name.clone() } else { format!("{}:{name}", before.name) },
                term,
                values: before.values.iter().zip(values).map(|(a, b)| a * b).collect(),
                is_indicator: before.is_indicator || *is_indicator,
            };
            made = made.iter().flat_map(|before| columns.iter().map(|column| product(before, column))).collect();
        }
        for column in &made {
            if let Some(row) = column.values.iter().position(|value| !value.is_finite()) {
                let problem = format!("\"{}\" is not a number in row {}", excerpt(&column.name), row + 1);
                return Err(ParamError::new(KEY, problem, "expressions that are finite numbers in every row"));
            }
        }
        Ok(made)
    }
}

/// An indicator for every level but that of reference, with its name.
fn indicators(
    column: &str,
    (of_rows, levels): &Levels,
    reference: Option<&str>,
) -> Result<Vec<(String, Vec<f64>)>, ParamError> {
    let mut order: Vec<usize> = (0..levels.len()).collect();
    let numbers: Option<Vec<f64>> = levels.iter().map(|level| level.parse().ok()).collect();
    match numbers {
        Some(numbers) => order.sort_by(|a, b| numbers[*a].total_cmp(&numbers[*b])),
        None => order.sort_by(|a, b| levels[*a].cmp(&levels[*b])),
    }
    let wrong = |problem: String, allowed: String| Err(ParamError::new(KEY, problem, allowed));
    if let [only] = &levels[..] {
        let problem = format!("factor({column}) has one level only, \"{}\"", excerpt(only));
        return wrong(problem, "a column with two levels or more".to_owned());
    }
    let first = match reference {
        None => order.first().copied(),
        Some(name) => order.iter().copied().find(|level| levels[*level] == name),
    };
    let Some(first) = first else {
        let names: Vec<String> = order.iter().map(|level| excerpt(&levels[*level])).collect();
        let problem = format!("factor({column}) has no level \"{}\"", excerpt(reference.unwrap_or_default()));
        return wrong(problem, names.join(", "));
    };
    let indicator = |level: usize| {
        let is = |of: &f64| if (of - level as f64).abs() < 0.5 { 1.0 } else { 0.0 };
        (format!("{column}[{}]", levels[level]), of_rows.iter().map(is).collect())
    };
    Ok(order.into_iter().filter(|level| *level != first).map(indicator).collect())
}

/// The column of a factor and its level of reference, as they stand between brackets.
fn factor(inside: &str) -> (String, Option<String>) {
    let (column, level) = match split(inside, ',')[..] {
        [column] => (column, None),
        [column, ..] => (column, Some(inside[column.len() + 1..].trim())),
        [] => ("", None),
    };
    let bare = |text: &str| text.strip_prefix('"').and_then(|text| text.strip_suffix('"')).unwrap_or(text).to_owned();
    (column.trim().trim_matches('`').trim_start_matches('$').to_owned(), level.map(bare))
}

/// The parts of a text between separators outside of brackets, backquotes and quotation marks.
fn split(text: &str, separator: char) -> Vec<&str> {
    let (mut depth, mut quote, mut from, mut parts) = (0_i32, None, 0, Vec::new());
    for (at, letter) in text.char_indices() {
        let quoted = quote.is_some();
        match letter {
            '`' | '"' if quote == Some(letter) => quote = None,
            '`' | '"' if !quoted => quote = Some(letter),
            '(' if !quoted => depth += 1,
            ')' if !quoted => depth -= 1,
            letter if letter == separator && depth == 0 && !quoted => {
                parts.push(&text[from..at]);
                from = at + separator.len_utf8();
            }
            _ => {}
        }
    }
    parts.push(&text[from..]);
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    fn made(text: &str) -> Result<Vec<(String, Vec<f64>)>, ParamError> {
        let terms = Terms::read(text, Vec::new())?;
        let number = |source: &Source| match source.name.as_str() {
            "age" => vec![1.0, 2.0, 3.0, 4.0],
            _ => vec![0.0, 1.0, 0.0, 1.0],
        };
        let level = |name: &String| match name.as_str() {
            "one" => (vec![0.0; 4], vec!["x".to_owned()]),
            "year" => (vec![0.0, 1.0, 2.0, 0.0], vec!["10".to_owned(), "9".to_owned(), "8".to_owned()]),
            _ => (vec![0.0, 1.0, 2.0, 1.0], vec!["red".to_owned(), "blue".to_owned(), "green".to_owned()]),
        };
        let (numbers, factors): (Vec<_>, Vec<_>) =
            (terms.numbers.iter().map(number).collect(), terms.factors.iter().map(level).collect());
        Ok(terms.columns(&numbers, &factors, 4)?.into_iter().map(|made| (made.name, made.values)).collect())
    }

    #[test]
    fn factors_have_an_indicator_for_every_other_level() {
        let columns = made("1, factor(colour)").unwrap();
        assert_eq!(
            columns,
            [
                ("colour[green]".to_owned(), vec![0.0, 0.0, 1.0, 0.0]),
                ("colour[red]".to_owned(), vec![1.0, 0.0, 0.0, 0.0])
            ]
        );
        let names = |text: &str| made(text).unwrap().into_iter().map(|(name, _)| name).collect::<Vec<_>>();
        assert_eq!(names("factor(year)"), ["year[9]", "year[10]"]);
        assert_eq!(names("factor( colour , red )"), ["colour[blue]", "colour[green]"]);
        assert_eq!(names("factor(colour, \"red\")"), ["colour[blue]", "colour[green]"]);
        assert_eq!(names("factor(`a, (b`, red):age"), ["a, (b[blue]:age", "a, (b[green]:age"]);
        assert_eq!(made("age, sick == \"1, 2:3\"").unwrap()[1].0, "sick == \"1, 2:3\"");
        assert_eq!(made("factor(year):age").unwrap()[1], ("year[10]:age".to_owned(), vec![1.0, 0.0, 0.0, 4.0]));
        assert_eq!(made("age:sick, age^2").unwrap()[0].1, [0.0, 2.0, 0.0, 4.0]);
        assert_eq!(names("  age  *  sick ,log(age)"), ["age * sick", "log(age)"]);
    }

    #[test]
    fn what_is_wrong_with_terms_is_named() {
        for (text, problem) in [
            ("1, age,", "a term is empty"),
            ("1, 1", "the term \"1\" is there twice"),
            ("age,  age", "the term \"age\" is there twice"),
            ("2", "\"2\": it has no column"),
            ("factor()", "\"factor()\": factor has no column"),
            ("factor(one)", "factor(one) has one level only, \"x\""),
            ("factor(colour, pink)", "factor(colour) has no level \"pink\""),
            ("log(sick)", "\"log(sick)\" is not a number in row 1"),
            ("age:", "it ends too early"),
        ] {
            let error = made(text).unwrap_err();
            assert!(error.path == KEY && error.problem.contains(problem), "{text}: {error}");
        }
        assert!(made(&"a,".repeat(30_000)).unwrap_err().problem.contains("too long"));
    }
}
