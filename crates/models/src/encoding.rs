//! Bytes of a file as text: UTF-8, UTF-16 with a mark that says so, as Excel's "Unicode text" has, or else Windows-1252, in which programs of
//! Western languages write, Excel among them.

/// How a file has its characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    /// UTF-8.
    Utf8,
    /// UTF-8 with a byte order mark.
    Utf8WithMark,
    /// UTF-16, the lower byte first.
    Utf16Le,
    /// UTF-16, the higher byte first.
    Utf16Be,
    /// Windows-1252.
    Windows1252,
    /// Not at all: the numbers of a NumPy array.
    NumPy,
}

/// The characters of the bytes 0x80 to 0x9F of Windows-1252 (WHATWG, Encoding Standard); 0 where it has none. Others are those of Unicode.
const WINDOWS_1252: [u16; 32] = [
    0x20AC, 0, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0, 0x017D, 0, 0,
    0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0, 0x017E, 0x0178,
];

impl Encoding {
    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Utf8 => "UTF-8",
            Self::Utf8WithMark => "UTF-8 with a byte order mark",
            Self::Utf16Le => "UTF-16 (little-endian)",
            Self::Utf16Be => "UTF-16 (big-endian)",
            Self::Windows1252 => "Windows-1252",
            Self::NumPy => "a NumPy file",
        }
    }
}

/// The text without its mark and with \n at line ends, and how it is encoded; `None` if it is no text.
#[must_use]
pub fn decode(bytes: Vec<u8>) -> Option<(String, Encoding)> {
    let (text, encoding) = match bytes[..] {
        [0xFF, 0xFE, ..] => (utf16(&bytes[2..], u16::from_le_bytes)?, Encoding::Utf16Le),
        [0xFE, 0xFF, ..] => (utf16(&bytes[2..], u16::from_be_bytes)?, Encoding::Utf16Be),
        _ => match String::from_utf8(bytes) {
            Ok(mut text) => {
                let mark = text.len() - text.trim_start_matches('\u{feff}').len();
                text.drain(..mark);
                (text, if mark > 0 { Encoding::Utf8WithMark } else { Encoding::Utf8 })
            }
            Err(bytes) => (windows_1252(bytes.as_bytes())?, Encoding::Windows1252),
        },
    };
    // One kind of line ends: the reader of rows counts no others.
    let text = if text.contains('\r') { text.replace("\r\n", "\n").replace('\r', "\n") } else { text };
    (!text.contains('\0')).then_some((text, encoding))
}

fn utf16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> Option<String> {
    let (pairs, rest) = bytes.as_chunks::<2>();
    let units = pairs.iter().map(|pair| unit(*pair));
    rest.is_empty().then(|| char::decode_utf16(units).collect::<Result<String, _>>().ok()).flatten()
}

/// Text in Windows-1252; `None` with bytes that stand for no character, as files that are no text have.
#[must_use]
pub fn windows_1252(bytes: &[u8]) -> Option<String> {
    let character = |byte: &u8| match byte {
        b'\t' | b'\n' | b'\x0C' | b'\r' | 0x20..=0x7E | 0xA0.. => Some(char::from(*byte)),
        0x80..0xA0 => {
            char::from_u32(WINDOWS_1252[usize::from(byte - 0x80)].into()).filter(|character| *character != '\0')
        }
        _ => None,
    };
    bytes.iter().map(character).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_with_and_without_marks() {
        let text = "θ,−1\n𝛼,é";
        let units = |bytes: fn(u16) -> [u8; 2]| text.encode_utf16().flat_map(bytes).collect::<Vec<u8>>();
        let cases = [
            (text.as_bytes().to_vec(), Encoding::Utf8),
            ([b"\xEF\xBB\xBF", text.as_bytes()].concat(), Encoding::Utf8WithMark),
            ([vec![0xFF, 0xFE], units(u16::to_le_bytes)].concat(), Encoding::Utf16Le),
            ([vec![0xFE, 0xFF], units(u16::to_be_bytes)].concat(), Encoding::Utf16Be),
        ];
        for (bytes, encoding) in cases {
            assert_eq!(decode(bytes), Some((text.to_owned(), encoding)));
        }
        // As Python's cp1252 has it.
        let western = b"Gr\xF6\xDFe,\x80\x9F\x96\x8E\xFF\n";
        assert_eq!(decode(western.to_vec()), Some(("Größe,€Ÿ–Žÿ\n".to_owned(), Encoding::Windows1252)));
        for none in [
            &b"\xFF\xFEa"[..],
            b"\xFF\xFE\x00\xD8",
            b"\xE9\x81",
            b"\xE9\x07",
            b"\xE9\x7F",
            b"a\0",
            b"\x89PNG\r\n\x1A\n",
        ] {
            assert_eq!(decode(none.to_vec()), None);
        }
    }
}
