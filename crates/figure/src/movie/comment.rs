//! Comments inside GIF files.

/// Blocks of a GIF (GIF89a, appendix A): an extension, a comment among them, and the first picture.
const EXTENSION: u8 = 0x21;
pub const COMMENT: u8 = 0xfe;

/// Bytes of the head of a GIF before its table of colours, and the place of the byte that says how long that is.
const HEAD: usize = 13;
const FLAGS: usize = 10;

/// The first comment of a GIF, if there is one before its pictures.
///
/// # Errors
/// If it is no GIF, or if it ends early.
pub fn comment(bytes: &[u8]) -> Result<Option<String>, NoGif> {
    let flags = *bytes.get(FLAGS).filter(|_| bytes.starts_with(b"GIF8")).ok_or(NoGif)?;
    let table = if flags & 0x80 == 0 { 0 } else { 3 << ((flags & 7) + 1) };
    let mut rest = bytes.get(HEAD + table..).ok_or(NoGif)?;
    while let [EXTENSION, kind, after @ ..] = rest {
        let mut data = Vec::new();
        rest = after;
        loop {
            let (&length, blocks) = rest.split_first().ok_or(NoGif)?;
            let (block, after) = blocks.split_at_checked(length.into()).ok_or(NoGif)?;
            rest = after;
            if length == 0 {
                break;
            }
            data.extend_from_slice(block);
        }
        if *kind == COMMENT {
            return Ok(String::from_utf8(data).ok());
        }
    }
    Ok(None)
}

/// A file is no GIF, or only the beginning of one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("it is not a whole GIF file")]
pub struct NoGif;
