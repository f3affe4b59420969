//! Texts of PNG files, read without the pixels. Needs nothing else of the program, so that the fuzz target of it does not either.

use std::io::Cursor;

use ::png::{Decoder, DecodingError, Info, Limits};

/// Most memory that reading may allocate, in bytes; a scenario has some kilobytes.
const READ_LIMIT: usize = 16 << 20;

/// The file is no PNG, is damaged, or needs too much memory.
#[derive(Debug, thiserror::Error)]
#[error("{}", reason(.0))]
pub struct ReadError(#[from] DecodingError);

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
/// `Ok(None)` if there is no such text. The pixels are not stored, and memory stays below some tens of megabytes for any
/// file.
///
/// # Errors
/// If the file is no PNG, if it is damaged before the text, or if the text is too long.
pub fn read_text(bytes: &[u8], keyword: &str) -> Result<Option<String>, ReadError> {
    let limits = Limits { bytes: READ_LIMIT };
    let decoder = Decoder::new_with_limits(Cursor::new(bytes), limits);
    let mut reader = decoder.read_info()?;
    if let Some(text) = find_text(reader.info(), keyword)? {
        return Ok(Some(text));
    }
    // Other programs may move the text behind the pixels.
    reader.finish()?;
    find_text(reader.info(), keyword)
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
