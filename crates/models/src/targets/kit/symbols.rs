//! Symbols of coordinates, as labels of axes.

/// A letter with a number below: β₁₂.
pub(in crate::targets) fn subscripted(letter: char, number: usize) -> String {
    let digit = |digit: u8| char::from_u32(0x2080 + u32::from(digit - b'0')).unwrap_or('?');
    std::iter::once(letter).chain(number.to_string().bytes().map(digit)).collect()
}
