//! Files of OpenType fonts: adds to a font without characters the table that says which glyph a character has.

use std::collections::BTreeMap;

/// Length of the head of a file, and of an entry of its list of tables.
const HEAD: usize = 12;
const ENTRY: usize = 16;

/// Where `head` has the sum of the file, and what this sum and the entry add up to (OpenType 1.9, *head*).
const ADJUSTMENT: std::ops::Range<usize> = 8..12;
const MAGIC: u32 = 0xB1B0_AFBA;

type Tag = [u8; 4];

/// The font `cut` with a map from characters to its glyphs, and with the metrics for layout (`OS/2`) of the font `original` that it was
/// cut from. `None` if one of them is no font.
pub(super) fn with_characters(cut: &[u8], original: &[u8], map: &[(char, u16)]) -> Option<Vec<u8>> {
    let mut tables: BTreeMap<Tag, Vec<u8>> =
        tables(cut)?.into_iter().map(|(tag, table)| (tag, table.to_vec())).collect();
    if let Some((tag, metrics)) = self::tables(original)?.into_iter().find(|(tag, _)| tag == b"OS/2") {
        tables.insert(tag, metrics.to_vec());
    }
    tables.insert(*b"cmap", character_map(map));
    // The sum of the file counts this entry as zero.
    tables.get_mut(b"head")?.get_mut(ADJUSTMENT)?.fill(0);
    let mut file = assembled(cut.get(..4)?, &tables)?;
    let adjustment = MAGIC.wrapping_sub(sum(&file)).to_be_bytes();
    let head =
        self::tables(&file)?.into_iter().find(|(tag, _)| tag == b"head")?.1.as_ptr() as usize - file.as_ptr() as usize;
    file.get_mut(head + ADJUSTMENT.start..head + ADJUSTMENT.end)?.copy_from_slice(&adjustment);
    Some(file)
}

/// The tables of a font file.
fn tables(file: &[u8]) -> Option<Vec<(Tag, &[u8])>> {
    let count = u16::from_be_bytes(file.get(4..6)?.try_into().ok()?);
    let entry = |number: u16| {
        let entry = file.get(HEAD + usize::from(number) * ENTRY..)?.get(..ENTRY)?;
        let word = |at: usize| entry.get(at..at + 4).and_then(|bytes| bytes.try_into().ok()).map(u32::from_be_bytes);
        let (start, length) = (word(8)? as usize, word(12)? as usize);
        Some((entry.get(..4)?.try_into().ok()?, file.get(start..start.checked_add(length)?)?))
    };
    (0..count).map(entry).collect()
}

/// A `cmap` table with one list of groups (format 12), each a character and its glyph.
fn character_map(map: &[(char, u16)]) -> Vec<u8> {
    let mut sorted = map.to_vec();
    sorted.sort_unstable();
    let groups = u32::try_from(sorted.len()).unwrap_or(u32::MAX);
    let mut table = Vec::new();
    // Version 0 with one list: Windows, all of Unicode, 12 bytes from here.
    for half in [0_u16, 1, 3, 10] {
        table.extend(half.to_be_bytes());
    }
    table.extend(12_u32.to_be_bytes());
    for half in [12_u16, 0] {
        table.extend(half.to_be_bytes());
    }
    for word in [16 + 12 * groups, 0, groups] {
        table.extend(word.to_be_bytes());
    }
    for (character, glyph) in sorted {
        for word in [u32::from(character), u32::from(character), u32::from(glyph)] {
            table.extend(word.to_be_bytes());
        }
    }
    table
}

/// A file with these tables in the order of their names.
fn assembled(version: &[u8], tables: &BTreeMap<Tag, Vec<u8>>) -> Option<Vec<u8>> {
    let count = u16::try_from(tables.len()).ok()?;
    let power = count.checked_ilog2()?;
    let range = 16 * (1_u16 << power);
    let mut file = version.to_vec();
    for half in [count, range, u16::try_from(power).ok()?, 16 * count - range] {
        file.extend(half.to_be_bytes());
    }
    let mut offset = HEAD + ENTRY * tables.len();
    for (tag, table) in tables {
        file.extend(tag);
        for word in [sum(table), u32::try_from(offset).ok()?, u32::try_from(table.len()).ok()?] {
            file.extend(word.to_be_bytes());
        }
        offset += table.len().next_multiple_of(4);
    }
    for table in tables.values() {
        file.extend(table);
        file.resize(file.len().next_multiple_of(4), 0);
    }
    Some(file)
}

/// The sum of a table as words of four bytes.
fn sum(table: &[u8]) -> u32 {
    table.chunks(4).fold(0, |sum: u32, chunk| {
        let mut word = [0; 4];
        word[..chunk.len()].copy_from_slice(chunk);
        sum.wrapping_add(u32::from_be_bytes(word))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use skrifa::{FontRef, MetadataProvider};

    const INTER: &[u8] = include_bytes!("../../../../assets/fonts/Inter-Regular.otf");
    const MONO: &[u8] = include_bytes!("../../../../assets/fonts/DejaVuSansMono.ttf");

    /// Another program's reader finds the same advances in the cut font as in the whole one, and no other characters.
    #[test]
    fn a_cut_font_has_its_characters_and_no_others() {
        for whole in [INTER, MONO] {
            let font = FontRef::new(whole).unwrap();
            let mut glyphs = subsetter::GlyphRemapper::new();
            let glyph = |font: &FontRef<'_>, letter: char| font.charmap().map(letter).unwrap();
            let map: Vec<(char, u16)> = ['x', 'W', 'a', '7']
                .map(|letter| (letter, glyphs.remap(u16::try_from(glyph(&font, letter).to_u32()).unwrap())))
                .to_vec();
            let cut = subsetter::subset(whole, 0, &glyphs).unwrap();
            let file = with_characters(&cut, whole, &map).unwrap();
            assert!(file.len() < 20_000, "{} bytes", file.len());
            assert_eq!(sum(&file), MAGIC);
            let small = FontRef::new(&file).unwrap();
            assert_eq!(small.charmap().map('b'), None);
            let size = skrifa::instance::Size::new(100.0);
            let advance = |font: &FontRef<'_>, letter: char| {
                let metrics = font.glyph_metrics(size, skrifa::instance::LocationRef::default());
                metrics.advance_width(glyph(font, letter)).unwrap()
            };
            for letter in ['x', 'W', 'a', '7'] {
                assert!((advance(&font, letter) - advance(&small, letter)).abs() < 0.01, "{letter}");
            }
        }
    }

    #[test]
    fn what_is_no_font_is_refused() {
        assert_eq!(with_characters(b"", INTER, &[]), None);
        assert_eq!(with_characters(&INTER[..40], INTER, &[]), None);
    }
}
