//! Texts that are files inside PDF files.

use std::sync::Arc;

use hayro_syntax::Pdf;
use hayro_syntax::object::dict::keys;
use hayro_syntax::object::{self, Array, Dict, Object};

/// Levels of lists of attachments that are looked into, and lists in each.
const DEPTH: usize = 4;
const MOST_KIDS: usize = 32;

/// The largest text that is read from a file, in bytes; and the largest that is read from a compressed part of it, which may be a
/// thousand times as long.
const LONGEST: usize = 1 << 24;
const LONGEST_COMPRESSED: usize = 1 << 18;

/// Why no text was read from a PDF file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReadError {
    /// It is no PDF, or one that is locked by a password.
    #[error("it is not a PDF file that can be read")]
    NoPdf,
    /// The text is there and cannot be read.
    #[error("the text inside is damaged or too long")]
    Damaged,
}

/// The attachment of a PDF file with a name, if there is one.
///
/// # Errors
/// If this is no PDF file, or if the attachment cannot be read.
pub fn read_text(bytes: &[u8], name: &str) -> Result<Option<String>, ReadError> {
    let pdf = Pdf::new(Arc::new(bytes.to_vec())).map_err(|_| ReadError::NoPdf)?;
    let root: Dict<'_> = pdf.xref().get(pdf.xref().root_id()).ok_or(ReadError::NoPdf)?;
    let files = root.get::<Dict<'_>>(keys::NAMES).and_then(|names| names.get::<Dict<'_>>("EmbeddedFiles".as_bytes()));
    let Some(file) = files.and_then(|files| attached(&files, name, DEPTH)) else { return Ok(None) };
    let raw = file.raw_data().len();
    let longest = if file.filters().is_empty() { LONGEST } else { LONGEST_COMPRESSED };
    let text = if raw <= longest { file.decoded().ok() } else { None };
    let text = text.and_then(|text| String::from_utf8(text.into_owned()).ok());
    text.map(Some).ok_or(ReadError::Damaged)
}

/// The contents of the file with a name in a tree of names (ISO 32000-2, 7.9.6 and 7.11.4).
fn attached<'a>(tree: &Dict<'a>, name: &str, depth: usize) -> Option<object::Stream<'a>> {
    // Names and files by turns.
    let entries = tree.get::<Array<'_>>(keys::NAMES);
    for entry in entries.iter().flat_map(Array::iter::<Object<'_>>) {
        let Object::Dict(file) = entry else { continue };
        let named = |key: &str| file.get::<object::String<'_>>(key.as_bytes());
        if ["UF", "F"].into_iter().filter_map(named).any(|path| is_text(path.as_bytes(), name)) {
            let contents = file.get::<Dict<'_>>("EF".as_bytes())?;
            return contents.get("F".as_bytes()).or_else(|| contents.get("UF".as_bytes()));
        }
    }
    let deeper = depth.checked_sub(1)?;
    let kids = tree.get::<Array<'_>>(keys::KIDS)?;
    kids.iter::<Dict<'_>>().take(MOST_KIDS).find_map(|kid| attached(&kid, name, deeper))
}

/// Whether the bytes of a string are a text, in ASCII or in UTF-16 with its mark.
fn is_text(bytes: &[u8], text: &str) -> bool {
    match bytes.strip_prefix(&[0xfe, 0xff]) {
        Some(wide) => text.encode_utf16().flat_map(u16::to_be_bytes).eq(wide.iter().copied()),
        None => bytes == text.as_bytes(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_in_utf_16_is_a_name() {
        assert!(is_text(b"\xfe\xff\x00a\x03\xb8", "aθ") && !is_text(b"\xfe\xff\x00a", "b") && is_text(b"ab", "ab"));
    }
}
