//! Elements of an array as the cells of a table. Numbers of 64 bits keep all of their digits, smaller ones are those that they stand for.

/// What the bytes of an element say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Float,
    Signed,
    Unsigned,
    Flag,
    /// Code points of 32 bits.
    Text,
    /// Letters of one byte.
    Bytes,
    /// Padding.
    Nothing,
}

/// An element of an array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Element {
    pub(super) kind: Kind,
    /// Its bytes.
    pub(super) size: usize,
    /// Whether the highest byte is the first.
    pub(super) is_big: bool,
}

impl Element {
    /// The element with this name, such as `<f8`; or what it is.
    pub(super) fn of(name: &str) -> Result<Self, String> {
        let unknown = || format!("has elements of the type '{name}': numbers, truth values and words are read");
        let order = name.chars().next().filter(|order| "<>|=".contains(*order));
        let mut letters = name[order.map_or(0, char::len_utf8)..].chars();
        let letter = letters.next().ok_or_else(unknown)?;
        let number: usize = match letters.as_str() {
            "" => 0,
            digits => digits.parse().map_err(|_| unknown())?,
        };
        let (kind, size) = match (letter, number) {
            ('f', 2 | 4 | 8) => (Kind::Float, number),
            ('i', 1 | 2 | 4 | 8) => (Kind::Signed, number),
            ('u', 1 | 2 | 4 | 8) => (Kind::Unsigned, number),
            ('b', 1) | ('?', 0) => (Kind::Flag, 1),
            ('U', ..=LONGEST) => (Kind::Text, 4 * number),
            ('S' | 'a', ..=LONGEST) => (Kind::Bytes, number),
            ('V', ..=LONGEST) => (Kind::Nothing, number),
            ('O', _) => {
                return Err("has Python objects: make them numbers, as with array.astype(float)".to_owned());
            }
            _ => return Err(unknown()),
        };
        Ok(Self { kind, size, is_big: order == Some('>') })
    }

    /// Whether it is a number.
    pub(super) fn is_number(self) -> bool {
        matches!(self.kind, Kind::Float | Kind::Signed | Kind::Unsigned)
    }

    /// The cell of its bytes.
    pub(super) fn read(self, bytes: &[u8]) -> String {
        match self.kind {
            Kind::Float => format!("{:?}", float(self.size, self.bits(bytes))),
            Kind::Signed => {
                let unused = 64 - 8 * self.size;
                (self.bits(bytes).cast_signed() << unused >> unused).to_string()
            }
            Kind::Unsigned => self.bits(bytes).to_string(),
            Kind::Flag => if self.bits(bytes) == 0 { "False" } else { "True" }.to_owned(),
            Kind::Text => {
                let letters = bytes.chunks(4).map(|letter| u32::try_from(self.bits(letter)).unwrap_or(0));
                let letters = letters.map(|letter| char::from_u32(letter).unwrap_or(char::REPLACEMENT_CHARACTER));
                letters.collect::<String>().trim_end_matches('\0').to_owned()
            }
            Kind::Bytes => String::from_utf8_lossy(bytes).trim_end_matches('\0').to_owned(),
            Kind::Nothing => String::new(),
        }
    }

    /// At most eight bytes as a number.
    fn bits(self, bytes: &[u8]) -> u64 {
        let add = |sum: u64, byte: &u8| sum << 8 | u64::from(*byte);
        if self.is_big { bytes.iter().fold(0, add) } else { bytes.iter().rev().fold(0, add) }
    }
}

/// Letters of a word at most.
const LONGEST: usize = 1 << 16;

/// A float of so many bytes.
fn float(size: usize, bits: u64) -> f64 {
    match size {
        2 => half(bits),
        4 => u32::try_from(bits).map_or(f64::NAN, |bits| f32::from_bits(bits).into()),
        _ => f64::from_bits(bits),
    }
}

/// A float of 16 bits: a sign, 5 bits of an exponent, 10 of a fraction.
fn half(bits: u64) -> f64 {
    let sign = if bits >> 15 & 1 == 1 { -1.0 } else { 1.0 };
    let (exponent, fraction) = (bits >> 10 & 31, (bits & 1023) as f64);
    let power = |exponent: u64| f64::from_bits((exponent + 1023 - 25) << 52);
    sign * match exponent {
        0 => fraction * power(1),
        31 if fraction > 0.0 => f64::NAN,
        31 => f64::INFINITY,
        _ => (1024.0 + fraction) * power(exponent),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_are_the_numbers_that_they_stand_for() {
        let read = |name: &str, bytes: &[u8]| Element::of(name).unwrap().read(bytes);
        assert_eq!(read("<f2", &0x3C00_u16.to_le_bytes()), "1.0");
        assert_eq!(read(">f2", &0xC100_u16.to_be_bytes()), "-2.5");
        assert_eq!(read("<f2", &0x0001_u16.to_le_bytes()), format!("{:?}", 2.0_f64.powi(-24)));
        assert_eq!(read("<f2", &0x7BFF_u16.to_le_bytes()), "65504.0");
        assert_eq!(read("<f4", &0.1_f32.to_le_bytes()), "0.10000000149011612");
        assert_eq!(read("<i8", &i64::MIN.to_le_bytes()), i64::MIN.to_string());
        assert_eq!(read("|i1", &[0xFE]), "-2");
        assert_eq!(read(">u4", &u32::MAX.to_be_bytes()), u32::MAX.to_string());
        assert_eq!(read("|S4", b"ab\0\0"), "ab");
        assert_eq!(read("|b1", &[1]), "True");
    }
}
