//! Bytes of a data file as the text of a table: a text in any of the known encodings, or an array of NumPy.

use sha2::{Digest, Sha256};
use thiserror::Error;

use super::npy;
use crate::encoding::{self, Encoding};

/// How a ZIP archive begins.
const ARCHIVE: &[u8] = b"PK\x03\x04";

/// Why bytes are no table.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum NoTable {
    /// They are no text.
    #[error("this is not a text file in UTF-8, UTF-16 or Windows-1252; save it as \"CSV UTF-8\"")]
    NotText,
    /// They are a ZIP archive.
    #[error(
        "this is a ZIP archive, such as a workbook (.xlsx) or arrays (.npz): save the sheet as \"CSV UTF-8\", or one array as .npy"
    )]
    Archive,
    /// They are an array that is no table.
    #[error("the NumPy array {0}")]
    Array(String),
}

/// The text, with \n at line ends, and how it is encoded.
pub(super) fn decode(bytes: Vec<u8>) -> Result<(String, Encoding), NoTable> {
    match &bytes[..] {
        found if found.starts_with(npy::MAGIC) => {
            npy::table(found).map(|text| (text, Encoding::NumPy)).map_err(NoTable::Array)
        }
        found if found.starts_with(ARCHIVE) => Err(NoTable::Archive),
        _ => encoding::decode(bytes).ok_or(NoTable::NotText),
    }
}

/// The SHA-256 of bytes, in hexadecimal digits.
#[must_use]
pub fn sha256(bytes: &[u8]) -> String {
    let digits = b"0123456789abcdef";
    let nibbles = |byte: u8| [byte >> 4, byte & 15].map(|nibble| char::from(digits[usize::from(nibble)]));
    Sha256::digest(bytes).iter().flat_map(|byte| nibbles(*byte)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The values of FIPS 180-2, appendix B.
    #[test]
    fn sums_of_known_bytes() {
        assert_eq!(sha256(b"abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
        assert_eq!(sha256(b""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    }

    #[test]
    fn what_is_no_text_says_what_it_may_be() {
        for (bytes, words) in [
            (&b"PK\x03\x04\x14\0"[..], "a workbook (.xlsx)"),
            (b"\x89PNG\r\n\x1A\n", "CSV UTF-8"),
            (b"\x93NUMPY\x09\0", "NumPy array"),
        ] {
            let found = decode(bytes.to_vec()).unwrap_err().to_string();
            assert!(found.contains(words), "{found}");
        }
    }
}
