//! Coordinates with their numbers, as words of a formula: `x[3]`, and `x[i]`, `x[i+1]` in sums.

use std::ops::Range;

use super::FormulaError;

/// Coordinates with numbers at most.
pub(super) const MOST: usize = 100;

/// The name of coordinates with numbers.
pub(super) const NAME: &str = "x";

/// A word with brackets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Element {
    /// A coordinate by its number, from 0.
    Number(usize),
    /// `x[i + k]` in a sum, with this k.
    Shifted(i32),
}

/// The word that begins here and where it ends; `None` if it has no brackets, or is the column of another name in row i.
pub(super) fn element(letters: &[char], from: usize, end: usize) -> Option<Result<(Element, usize), FormulaError>> {
    if letters.get(end) != Some(&'[') {
        return None;
    }
    let name: String = letters[from..end].iter().collect();
    let inside = letters[end + 1..].iter().take_while(|letter| !['[', ']', '\n', ';'].contains(*letter)).count();
    let close = end + 1 + inside;
    if letters.get(close) != Some(&']') {
        let problem = "this bracket is not closed";
        return Some(Err(FormulaError::new(end..end + 1, problem, "a ] for each [: x[1], or x[i] in a sum")));
    }
    let index: String = letters[end + 1..close].iter().filter(|letter| !letter.is_whitespace()).collect();
    let (word, at) = (format!("{name}[{index}]"), from..close + 1);
    let found = read(&index);
    if name != NAME {
        return match found {
            Some(Ok(Element::Shifted(0))) => None,
            _ => Some(Err(no_coordinate(&name, &word, at, found.as_ref()))),
        };
    }
    Some(match found {
        Some(Ok(element)) => Ok((element, close + 1)),
        Some(Err(problem)) => {
            let allowed = format!("coordinates are x[1] to x[{MOST}]");
            Err(FormulaError::new(at, format!("there is no {word}: {problem}"), allowed))
        }
        None => {
            let allowed = "a whole number, as in x[1]; in a sum x[i], or as x[i+1] or x[i-1] one beside it";
            Err(FormulaError::new(at, format!("\"{word}\" is no coordinate"), allowed))
        }
    })
}

/// What stands between the brackets; `None` if it is neither a whole number nor i with a number added to it.
fn read(index: &str) -> Option<Result<Element, String>> {
    let digits = |text: &str| !text.is_empty() && text.chars().all(|letter| letter.is_ascii_digit());
    if digits(index) {
        return Some(match index.parse() {
            Ok(0) => Err("the first coordinate has the number 1".to_owned()),
            Ok(number @ 1..=MOST) => Ok(Element::Number(number - 1)),
            _ => Err(format!("a formula has at most {MOST} coordinates")),
        });
    }
    let mut letters = index.chars();
    let is_letter = letters.next().is_some_and(char::is_alphabetic);
    let rest = letters.as_str();
    if !is_letter {
        return None;
    }
    if rest.is_empty() {
        return Some(Ok(Element::Shifted(0)));
    }
    let (sign, size) = rest.split_at(rest.chars().next().map_or(0, char::len_utf8));
    let sign = match sign {
        "+" => 1,
        "-" | "−" | "–" => -1,
        _ => return None,
    };
    let size = digits(size).then(|| size.parse::<i32>().ok())?;
    Some(match size {
        Some(size) if size <= MOST as i32 => Ok(Element::Shifted(sign * size)),
        _ => Err(format!("a formula has at most {MOST} coordinates")),
    })
}

/// The error about another name with brackets.
fn no_coordinate(name: &str, word: &str, at: Range<usize>, found: Option<&Result<Element, String>>) -> FormulaError {
    let problem = format!("\"{word}\" has no meaning here");
    let allowed = match found {
        Some(Ok(Element::Shifted(_))) => {
            format!("{name}[i] for a column of data in row i; only coordinates have others beside them: x[i+1]")
        }
        _ => format!(
            "x[1], x[2], … for coordinates, of which a line such as {name} = x[1] names one; {name}[i] in a sum for a column of data"
        ),
    };
    FormulaError::new(at, problem, allowed)
}
