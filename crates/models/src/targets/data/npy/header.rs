//! The header of a NumPy file: a dictionary with the type of the elements, their order, and the shape.

use super::MAGIC;
use super::elements::{Element, Kind};

/// Longest header that is read: of a thousand named columns.
const LONGEST: usize = 1 << 18;

/// Brackets within each other at most.
const DEEPEST: usize = 8;

/// Why a header is not understood.
const UNKNOWN: &str = "has a header that is not understood";

/// What a header says.
#[derive(Debug)]
pub(super) struct Header {
    pub(super) fields: Vec<Field>,
    /// Whether the first column comes first, then the second.
    pub(super) is_by_columns: bool,
    pub(super) shape: Vec<usize>,
}

/// A field of an item; an array that is not structured has one without a name.
#[derive(Debug)]
pub(super) struct Field {
    pub(super) name: Option<String>,
    pub(super) element: Element,
    /// How many elements it has.
    pub(super) count: usize,
}

impl Header {
    /// The header of a file, and what follows it.
    pub(super) fn read(bytes: &[u8]) -> Result<(Self, &[u8]), String> {
        let unknown = || UNKNOWN.to_owned();
        let rest = bytes.strip_prefix(MAGIC).ok_or_else(unknown)?;
        let ([version, _], rest) = rest.split_first_chunk::<2>().ok_or_else(unknown)?;
        let (length, rest) = match version {
            1 => rest.split_first_chunk::<2>().map(|(length, rest)| (u16::from_le_bytes(*length).into(), rest)),
            2 | 3 => rest.split_first_chunk::<4>().map(|(length, rest)| (u32::from_le_bytes(*length), rest)),
            _ => None,
        }
        .ok_or_else(unknown)?;
        let length = usize::try_from(length).ok().filter(|length| *length <= LONGEST).ok_or_else(unknown)?;
        let (text, data) = rest.split_at_checked(length).ok_or_else(unknown)?;
        // Before format 3 every byte is a letter.
        let text = match str::from_utf8(text) {
            Ok(text) if *version > 2 => text.to_owned(),
            _ => text.iter().map(|letter| char::from(*letter)).collect(),
        };
        let Some(Literal::Entries(entries)) = Reader { text: &text, depth: 0 }.literal() else { return Err(unknown()) };
        let entry = |key: &str| {
            let mut pairs = entries.chunks_exact(2);
            pairs.find(|pair| matches!(&pair[0], Literal::Text(found) if found == key)).map(|pair| &pair[1])
        };
        let (Some(descr), Some(Literal::Flag(is_by_columns)), Some(Literal::List(shape))) =
            (entry("descr"), entry("fortran_order"), entry("shape"))
        else {
            return Err(unknown());
        };
        Ok((Self { fields: fields(descr)?, is_by_columns: *is_by_columns, shape: sizes(shape)? }, data))
    }

    /// Bytes of an item.
    pub(super) fn item(&self) -> usize {
        self.fields
            .iter()
            .fold(0, |sum: usize, field| sum.saturating_add(field.count.saturating_mul(field.element.size)))
    }

    /// Whether its fields have names.
    pub(super) fn is_structured(&self) -> bool {
        self.fields.iter().any(|field| field.name.is_some())
    }
}

fn sizes(shape: &[Literal]) -> Result<Vec<usize>, String> {
    let size = |of: &Literal| match of {
        Literal::Number(size) => Ok(*size),
        _ => Err(UNKNOWN.to_owned()),
    };
    shape.iter().map(size).collect()
}

/// The fields that a type says.
fn fields(descr: &Literal) -> Result<Vec<Field>, String> {
    match descr {
        Literal::Text(name) => Ok(vec![Field { name: None, element: known(name)?, count: 1 }]),
        Literal::List(fields) => fields.iter().map(field).collect(),
        _ => Err(UNKNOWN.to_owned()),
    }
}

fn field(of: &Literal) -> Result<Field, String> {
    let Literal::List(parts) = of else { return Err(UNKNOWN.to_owned()) };
    let (name, ty, shape) = match &parts[..] {
        [name, ty] => (name, ty, &[][..]),
        [name, ty, Literal::List(shape)] => (name, ty, &shape[..]),
        _ => return Err(UNKNOWN.to_owned()),
    };
    let name = match name {
        Literal::Text(name) => name,
        // A title and the name.
        Literal::List(names) => match &names[..] {
            [_, Literal::Text(name)] => name,
            _ => return Err(UNKNOWN.to_owned()),
        },
        _ => return Err(UNKNOWN.to_owned()),
    };
    let Literal::Text(ty) = ty else {
        return Err(format!("has fields within fields (\"{name}\"): fields with numbers are read"));
    };
    let count = sizes(shape)?.into_iter().try_fold(1_usize, usize::checked_mul);
    let count = count.filter(|count| *count <= LONGEST).ok_or_else(|| format!("has too many numbers in \"{name}\""))?;
    let element = if name.is_empty() { Element::of(ty)? } else { known(ty)? };
    Ok(Field { name: Some(name.clone()), element, count })
}

/// An element that is more than padding.
fn known(name: &str) -> Result<Element, String> {
    let element = Element::of(name)?;
    if element.kind == Kind::Nothing || element.size == 0 {
        return Err(format!("has elements of the type '{name}', which say nothing"));
    }
    Ok(element)
}

/// A value as Python writes it.
#[derive(Debug)]
enum Literal {
    Text(String),
    Number(usize),
    Flag(bool),
    /// A tuple or a list.
    List(Vec<Literal>),
    /// Keys and values of a dictionary, one after the other.
    Entries(Vec<Literal>),
}

struct Reader<'a> {
    text: &'a str,
    depth: usize,
}

impl Reader<'_> {
    fn literal(&mut self) -> Option<Literal> {
        self.text = self.text.trim_start();
        let first = self.text.chars().next()?;
        match first {
            '(' => self.list(')').map(Literal::List),
            '[' => self.list(']').map(Literal::List),
            '{' => self.list('}').map(Literal::Entries),
            '\'' | '"' => self.quoted(first).map(Literal::Text),
            '0'..='9' => {
                let end = self.text.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(self.text.len());
                let (digits, rest) = self.text.split_at(end);
                // Python 2 wrote long numbers with an L.
                self.text = rest.strip_prefix('L').unwrap_or(rest);
                Some(Literal::Number(digits.parse().ok()?))
            }
            _ => [("True", true), ("False", false)].into_iter().find_map(|(word, flag)| {
                self.text = self.text.strip_prefix(word)?;
                Some(Literal::Flag(flag))
            }),
        }
    }

    /// What stands up to a closing bracket, with commas or colons between.
    fn list(&mut self, end: char) -> Option<Vec<Literal>> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return None;
        }
        let mut found = Vec::new();
        self.text = &self.text[1..];
        loop {
            self.text = self.text.trim_start();
            if let Some(rest) = self.text.strip_prefix(end) {
                self.text = rest;
                self.depth -= 1;
                return Some(found);
            }
            found.push(self.literal()?);
            self.text = self.text.trim_start();
            match self.text.strip_prefix([',', ':']) {
                Some(rest) => self.text = rest,
                None if self.text.starts_with(end) => {}
                None => return None,
            }
        }
    }

    /// A word between marks, in which a backslash is before a mark or a code point.
    fn quoted(&mut self, mark: char) -> Option<String> {
        let mut letters = self.text[1..].char_indices();
        let mut word = String::new();
        while let Some((at, letter)) = letters.next() {
            match letter {
                _ if letter == mark => {
                    self.text = &self.text[1 + at + letter.len_utf8()..];
                    return Some(word);
                }
                '\\' => {
                    let digits = match letters.next()?.1 {
                        'x' => 2,
                        'u' => 4,
                        'U' => 8,
                        plain => {
                            word.push(plain);
                            continue;
                        }
                    };
                    let digits: String = letters.by_ref().take(digits).map(|(_, digit)| digit).collect();
                    word.push(char::from_u32(u32::from_str_radix(&digits, 16).ok()?)?);
                }
                letter => word.push(letter),
            }
        }
        None
    }
}
