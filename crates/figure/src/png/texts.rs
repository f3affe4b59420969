//! Texts of PNG files, read without the pixels. Needs nothing else of the program, so that the fuzz target of it does not either.

use std::io::Cursor;

use ::png::{Decoder, DecodingError, Info, Limits};

/// Most memory that reading may allocate, in bytes; a scenario has some kilobytes.
const READ_LIMIT: usize = 16 << 20;

/// The bytes with which every PNG begins.
const SIGNATURE: usize = 8;

/// Length and kind of a chunk, and its check sum.
const HEAD: usize = 8;
const SUM: usize = 4;

/// Why no text was read from a PNG.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// The file is no PNG, is damaged, or needs too much memory.
    #[error("{}", reason(.0))]
    Decoding(#[from] DecodingError),
    /// The text is there, or another one whose name cannot be trusted, and is damaged.
    #[error("the scenario in this picture is damaged; copy or export it again")]
    Damaged,
}

/// Why a PNG cannot be read, and what helps.
fn reason(error: &DecodingError) -> &'static str {
    match error {
        DecodingError::LimitsExceeded => {
            "the texts in this picture are too long; open another copy, or the scenario file"
        }
        DecodingError::IoError(_) => "this picture ends too early; copy or export it again",
        DecodingError::Format(_) | DecodingError::Parameter(_) => {
            "this is not a PNG, or it is damaged; copy or export it again"
        }
    }
}

/// The first text with a keyword in a PNG, from any of the three kinds of text chunk.
///
/// `Ok(None)` if there is no such text, nor a damaged one that may have been it. The pixels are not stored, and memory stays below some tens of megabytes for any
/// file.
///
/// # Errors
/// If the file is no PNG, if it or the text is damaged, or if the text is too long.
pub fn read_text(bytes: &[u8], keyword: &str) -> Result<Option<String>, ReadError> {
    let limits = Limits { bytes: READ_LIMIT };
    let decoder = Decoder::new_with_limits(Cursor::new(bytes), limits);
    let mut reader = decoder.read_info()?;
    if let Some(text) = find_text(reader.info(), keyword)? {
        return Ok(Some(text));
    }
    // Other programs may move the text behind the pixels.
    reader.finish()?;
    match find_text(reader.info(), keyword)? {
        None if has_damaged_text(bytes, keyword) => Err(ReadError::Damaged),
        found => Ok(found),
    }
}

/// Whether there is a text with a wrong check sum, which the decoder passes over: one with this keyword or, where that is damaged itself, any.
fn has_damaged_text(bytes: &[u8], keyword: &str) -> bool {
    let mut rest = bytes.get(SIGNATURE..).unwrap_or_default();
    while let Some((head, after)) = rest.split_first_chunk::<HEAD>() {
        let [a, b, c, d, kind @ ..] = *head;
        let length = u32::from_be_bytes([a, b, c, d]) as usize;
        let Some((data, after)) = after.split_at_checked(length) else { return false };
        let Some((sum, after)) = after.split_first_chunk::<SUM>() else { return false };
        let named = data.strip_prefix(keyword.as_bytes()).is_some_and(|text| text.first() == Some(&0));
        if (named || [*b"tEXt", *b"iTXt", *b"zTXt"].contains(&kind))
            && check_sum(&kind, data) != u32::from_be_bytes(*sum)
        {
            return true;
        }
        rest = after;
    }
    false
}

/// The check sum of a chunk (PNG specification, section 5.5).
fn check_sum(kind: &[u8], data: &[u8]) -> u32 {
    let step = |sum: u32, _| if sum & 1 == 1 { sum >> 1 ^ 0xEDB8_8320 } else { sum >> 1 };
    !kind.iter().chain(data).fold(u32::MAX, |sum, byte| (0..8).fold(sum ^ u32::from(*byte), step))
}

fn find_text(info: &Info, keyword: &str) -> Result<Option<String>, ReadError> {
    let plain = info.uncompressed_latin1_text.iter();
    if let Some(chunk) = plain.clone().find(|chunk| chunk.keyword == keyword) {
        return Ok(Some(chunk.text.clone()));
    }
    if let Some(chunk) = info.utf8_text.iter().find(|chunk| chunk.keyword == keyword) {
        let mut chunk = chunk.clone();
        chunk.decompress_text_with_limit(READ_LIMIT)?;
        return Ok(Some(chunk.get_text()?));
    }
    let Some(chunk) = info.compressed_latin1_text.iter().find(|chunk| chunk.keyword == keyword) else {
        return Ok(None);
    };
    let mut chunk = chunk.clone();
    chunk.decompress_text_with_limit(READ_LIMIT)?;
    Ok(Some(chunk.get_text()?))
}
