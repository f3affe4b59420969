//! NumPy files (`.npy`, format version 1.0): a matrix of 64-bit floats that grows row by row, and headers of other arrays.
//!
//! A file has a header and then the numbers, little-endian, by rows. The header is the magic string `\x93NUMPY`, the
//! version, the length of the rest as 16 bits, and a Python dictionary with the type, the order and the shape, padded
//! with spaces so that the numbers start at a multiple of 64 bytes
//! (<https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html>).
//!
//! The shape contains the number of rows, which is known at the end only. The header has therefore a fixed length,
//! long enough for any number of rows, and is written twice: first with no rows, at the end with their number.

use std::io::{Result, Seek, SeekFrom, Write};

/// Magic string and version 1.0.
const MAGIC: &[u8; 8] = b"\x93NUMPY\x01\x00";

/// Length of the header in bytes, a multiple of 64: the dictionary takes at most 79 of the 117 bytes left for it.
pub const HEADER: usize = 128;

/// A file of rows with `COLUMNS` numbers each; the file is complete after [`Self::finish`].
#[derive(Debug)]
pub struct NpyFile<W, const COLUMNS: usize> {
    file: W,
    rows: u64,
}

impl<W: Write + Seek, const COLUMNS: usize> NpyFile<W, COLUMNS> {
    /// A matrix without rows, at the start of `file`.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn new(mut file: W) -> Result<Self> {
        file.write_all(&matrix_header(0, COLUMNS))?;
        Ok(Self { file, rows: 0 })
    }

    /// Appends a row.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn push(&mut self, row: [f64; COLUMNS]) -> Result<()> {
        self.rows += 1;
        row.iter().try_for_each(|number| self.file.write_all(&number.to_le_bytes()))
    }

    /// Writes the number of rows into the header, and returns the file.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn finish(mut self) -> Result<W> {
        self.file.seek(SeekFrom::Start(0))?;
        self.file.write_all(&matrix_header(self.rows, COLUMNS))?;
        Ok(self.file)
    }
}

/// The header of a matrix of 64-bit floats in C order, [`HEADER`] bytes.
fn matrix_header(rows: u64, columns: usize) -> Vec<u8> {
    header("'<f8'", &format!("({rows}, {columns})"))
}

/// The header of an array whose type and shape are given as Python writes them: at least [`HEADER`] bytes, a multiple of 64.
pub fn header(descr: &str, shape: &str) -> Vec<u8> {
    let dictionary = format!("{{'descr': {descr}, 'fortran_order': False, 'shape': {shape}, }}");
    let before = MAGIC.len() + 2;
    let length = (before + dictionary.len() + 1).next_multiple_of(64).max(HEADER) - before;
    let mut header = MAGIC.to_vec();
    header.extend(u16::try_from(length).unwrap_or(u16::MAX).to_le_bytes());
    // The last byte is a line feed; the width counts characters, and all of them are ASCII.
    header.extend(format!("{dictionary:<0$}\n", length - 1).into_bytes());
    header
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::*;

    #[test]
    fn the_header_has_its_length_for_any_number_of_rows() {
        for (rows, columns) in [(0, 1), (400, 5), (u64::MAX, 5)] {
            let header = matrix_header(rows, columns);
            assert_eq!((header.len(), header.last()), (HEADER, Some(&b'\n')));
            assert_eq!(&header[..10], b"\x93NUMPY\x01\x00\x76\x00");
        }
        let text = String::from_utf8(matrix_header(400, 5)[10..].to_vec()).unwrap();
        assert_eq!(text.trim_end(), "{'descr': '<f8', 'fortran_order': False, 'shape': (400, 5), }");
    }

    #[test]
    fn the_rows_follow_the_header_and_the_header_counts_them() {
        let mut bytes = Vec::new();
        let mut file = NpyFile::<_, 2>::new(Cursor::new(&mut bytes)).unwrap();
        file.push([1.0, -0.5]).unwrap();
        file.push([f64::NAN, 3.0]).unwrap();
        file.finish().unwrap();
        assert_eq!(bytes[..HEADER], matrix_header(2, 2));
        let numbers: Vec<u64> =
            bytes[HEADER..].chunks(8).map(|number| u64::from_le_bytes(number.try_into().unwrap())).collect();
        assert_eq!(numbers, [1.0, -0.5, f64::NAN, 3.0].map(f64::to_bits));
    }
}
