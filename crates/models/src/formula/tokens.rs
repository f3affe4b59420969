//! Tokens: the words of a formula.

use std::ops::Range;

use super::FormulaError;
use super::elements::{Element, element};
use super::hints;
use super::subject::Subject;

/// A word of a formula.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Token {
    Number(f64),
    Name(String),
    /// A column of data in the row of a sum: `t[i]`, `` `a name`[i] ``, `$3[i]`.
    Column(String),
    /// A coordinate with its number, `x[3]`, or `x[i]`, which is one or the column x.
    Element(Element),
    /// A small raised whole number, as in x².
    Raised(i32),
    /// One of `+ - * / ^ ( ) , = < > ≤ ≥`, `≡` for `==`, and `%` in sequences.
    Sign(char),
    /// The end of a line or a `;`.
    Break,
}

/// A word and the characters that it is made of.
pub(super) type SpannedToken = (Token, Range<usize>);

const SIGNS: &str = "numbers, names, + − * / ^ ( ) , = and ;";

const RAISED: [char; 10] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];

/// The largest raised number that is written in small digits.
const LARGEST_RAISED: i32 = 99;

/// Cuts a text into its words.
pub(super) fn tokens(text: &str, subject: Subject) -> Result<Vec<SpannedToken>, FormulaError> {
    let letters = plain(text);
    let mut found = Vec::new();
    let mut at = 0;
    while at < letters.len() {
        let from = at;
        let letter = letters[at];
        at += 1;
        let token = match letter {
            '\n' | ';' => Token::Break,
            letter if letter.is_whitespace() => continue,
            '−' | '‐' | '‑' | '‒' | '–' | '—' | '－' => Token::Sign('-'),
            '*' if letters.get(at) == Some(&'*') => {
                return Err(FormulaError::new(from..at + 1, "\"**\" has no meaning here", "^ for a power: x^2, or x²"));
            }
            '<' | '>' if letters.get(at) == Some(&'=') => {
                at += 1;
                Token::Sign(if letter == '<' { '≤' } else { '≥' })
            }
            '=' if letters.get(at) == Some(&'=') => {
                at += 1;
                Token::Sign('≡')
            }
            '<' | '>' | '=' | '!' | '&' if is_of_case(letter, letters.get(at)) => {
                let sign: String = letters[from..=at].iter().collect();
                return Err(FormulaError::new(from..at + 1, format!("\"{sign}\" has no meaning here"), hints::CASES));
            }
            '+' | '*' | '/' | '^' | '(' | ')' | ',' | '=' | '-' | '<' | '>' | '≤' | '≥' => Token::Sign(letter),
            '%' if subject == Subject::Sequence => Token::Sign(letter),
            '·' | '×' | '⋅' | '∗' => Token::Sign('*'),
            '÷' => Token::Sign('/'),
            letter if letter.is_ascii_digit() || letter == '.' => {
                at = end_of_number(&letters, from);
                // No second number begins behind a point: 1.2.3 is none.
                if letters.get(at) == Some(&'.') {
                    at = end_of(&letters, at, |letter| letter.is_ascii_digit() || letter == '.');
                }
                let digits: String = letters[from..at].iter().collect();
                let number = digits.replace('−', "-").parse().ok().filter(|number: &f64| number.is_finite());
                Token::Number(number.ok_or_else(|| {
                    FormulaError::new(from..at, format!("\"{digits}\" is not a number"), "for example 2, 0.5 or 1e-3")
                })?)
            }
            letter if letter == '⁻' || RAISED.contains(&letter) => {
                at = end_of(&letters, at, |letter| RAISED.contains(&letter));
                Token::Raised(raised(&letters[from..at]).ok_or_else(|| {
                    FormulaError::new(
                        from..at,
                        "this is no power",
                        "a raised whole number up to 99, or ^ and any other power",
                    )
                })?)
            }
            letter if is_of_name(letter) => {
                at = end_of(&letters, at, |letter| {
                    is_of_name(letter) || letter.is_numeric() && !RAISED.contains(&letter)
                });
                named(&letters, from, &mut at, subject)?
            }
            '`' | '$' => {
                let (token, end) = column(&letters, from)?;
                at = end;
                token
            }
            '\\' => {
                at = end_of(&letters, at, |letter| letter.is_alphabetic());
                let [command, name] = [from, from + 1].map(|from| letters[from..at].iter().collect::<String>());
                let problem = format!("\"{command}\" has no meaning here");
                return Err(FormulaError::new(from..at, problem, hints::for_command(&name)));
            }
            other => {
                return Err(FormulaError::new(
                    from..at,
                    format!("\"{}\" has no meaning here", other.escape_debug()),
                    hints::for_sign(other).unwrap_or(SIGNS),
                ));
            }
        };
        found.push((token, from..at));
    }
    Ok(found)
}

/// The characters of a text, with blanks in the place of comments, from `#` or `//` to the ends of their lines, and a comma in that of the bar
/// of a density, as in normal_lpdf(x | 0, 1).
fn plain(text: &str) -> Vec<char> {
    let mut letters: Vec<char> = text.chars().collect();
    let mut at = 0;
    // Of every open bracket, whether a bar may follow.
    let mut bars: Vec<bool> = Vec::new();
    while at < letters.len() {
        match letters[at] {
            '#' | '/' if letters[at] == '#' || letters.get(at + 1) == Some(&'/') => {
                let end = end_of(&letters, at, |letter| letter != '\n');
                letters[at..end].fill(' ');
            }
            '(' => {
                let is_density = |name: &str| letters[..at].ends_with(&name.chars().collect::<Vec<_>>());
                bars.push(is_density("_lpdf") || is_density("_lpmf"));
            }
            ')' => _ = bars.pop(),
            '|' => {
                if let Some(bar) = bars.last_mut().filter(|bar| **bar) {
                    (*bar, letters[at]) = (false, ',');
                }
            }
            _ => {}
        }
        at += 1;
    }
    letters
}

/// Whether two signs are one, of a comparison or between two of them.
fn is_of_case(sign: char, next: Option<&char>) -> bool {
    match next {
        Some('=') => "<>=!".contains(sign),
        Some('>') => "<=".contains(sign),
        Some('<') => sign == '=',
        Some('&') => sign == '&',
        _ => false,
    }
}

/// The name that ends here, a column with its row, or a coordinate with its number.
fn named(letters: &[char], from: usize, at: &mut usize, subject: Subject) -> Result<Token, FormulaError> {
    if let Some(found) = element(letters, from, *at).filter(|_| subject == Subject::Plane) {
        let element;
        (element, *at) = found?;
        return Ok(Token::Element(element));
    }
    if let Some(end) = end_of_path(letters, *at) {
        let last = letters[*at..end].iter().rposition(|letter| *letter == '.').map_or(from, |dot| *at + dot + 1);
        let [path, prefix, name] =
            [from..end, from..last, last..end].map(|part| letters[part].iter().collect::<String>());
        let problem = format!("\"{path}\" has no meaning here");
        return Err(FormulaError::new(from..end, problem, hints::without(&prefix, &name)));
    }
    let name = letters[from..*at].iter().collect();
    Ok(match end_of_row(letters, *at) {
        Some(end) => {
            *at = end;
            Token::Column(name)
        }
        None => Token::Name(name),
    })
}

/// A column between backquotes or by its number, with its row, and where it ends.
fn column(letters: &[char], from: usize) -> Result<(Token, usize), FormulaError> {
    let end = if letters[from] == '`' {
        let quoted = end_of(letters, from + 1, |letter| letter != '`' && letter != '\n');
        quoted + usize::from(letters.get(quoted) == Some(&'`'))
    } else {
        end_of(letters, from + 1, |letter| letter.is_ascii_digit())
    };
    let name = letters[from..end].iter().filter(|letter| !['`', '$'].contains(*letter)).collect();
    let row = end_of_row(letters, end)
        .ok_or_else(|| FormulaError::new(from..end, "a column stands with its row", "`a name`[i] or $3[i]"))?;
    Ok((Token::Column(name), row))
}

/// The end of the row of a column, `[i]` with any letter, that begins here.
fn end_of_row(letters: &[char], at: usize) -> Option<usize> {
    match letters.get(at..at + 3)? {
        ['[', index, ']'] if index.is_alphabetic() => Some(at + 3),
        _ => None,
    }
}

fn is_of_name(letter: char) -> bool {
    letter.is_alphabetic() || letter == '_'
}

fn end_of(letters: &[char], from: usize, belongs: impl Fn(char) -> bool) -> usize {
    from + letters[from..].iter().take_while(|letter| belongs(**letter)).count()
}

/// The end of names with points between them, as in np.exp, of which the first name ends here; `None` if there is no second one.
fn end_of_path(letters: &[char], first: usize) -> Option<usize> {
    let mut at = first;
    while letters.get(at) == Some(&'.') && letters.get(at + 1).is_some_and(|letter| is_of_name(*letter)) {
        at = end_of(letters, at + 1, |letter| is_of_name(letter) || letter.is_numeric());
    }
    (at > first).then_some(at)
}

/// The end of digits, with a point and an exponent if there are any; `2e` is a number and a name.
fn end_of_number(letters: &[char], from: usize) -> usize {
    let digit = |letter: char| letter.is_ascii_digit();
    let mut at = end_of(letters, from, digit);
    if letters.get(at) == Some(&'.') {
        at = end_of(letters, at + 1, digit);
    }
    if matches!(letters.get(at), Some('e' | 'E')) {
        let signed = usize::from(matches!(letters.get(at + 1), Some('+' | '-' | '−')));
        let end = end_of(letters, (at + 1 + signed).min(letters.len()), digit);
        if end > at + 1 + signed {
            return end;
        }
    }
    at
}

fn raised(letters: &[char]) -> Option<i32> {
    let (sign, digits) = match letters {
        ['⁻', digits @ ..] => (-1, digits),
        digits => (1, digits),
    };
    let mut number = 0;
    for letter in digits {
        number = 10 * number + i32::try_from(RAISED.iter().position(|digit| digit == letter)?).ok()?;
        if number > LARGEST_RAISED {
            return None;
        }
    }
    (!digits.is_empty()).then_some(sign * number)
}
