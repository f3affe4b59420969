//! NPZ files: arrays of NumPy in a ZIP archive, whose entries are neither compressed nor dated.

use std::io::{Cursor, Write};

use zip::ZipWriter;
use zip::result::ZipResult;
use zip::write::SimpleFileOptions;

/// The alignment of the values in a file of NumPy (its format, version 1.0).
const ALIGNED: usize = 64;

/// An array: its name, its shape, its type in the notation of NumPy, and its bytes.
pub(super) struct Array {
    pub name: String,
    pub shape: Vec<usize>,
    pub kind: &'static str,
    pub bytes: Vec<u8>,
}

impl Array {
    /// Points as rows.
    pub fn of_points<'a>(name: String, points: impl Iterator<Item = &'a [f64; 2]>) -> Self {
        let bytes: Vec<u8> = points.flatten().flat_map(|value| value.to_le_bytes()).collect();
        Self { name, shape: vec![bytes.len() / 16, 2], kind: "<f8", bytes }
    }
}

/// The archive of some arrays.
pub(super) fn archive(arrays: &[Array]) -> ZipResult<Vec<u8>> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for Array { name, shape, kind, bytes } in arrays {
        writer.start_file(
            format!("{name}.npy"),
            SimpleFileOptions::default().compression_method(zip::CompressionMethod::Stored),
        )?;
        writer.write_all(&header(shape, kind))?;
        writer.write_all(bytes)?;
    }
    Ok(writer.finish()?.into_inner())
}

/// What an array of NumPy begins with.
fn header(shape: &[usize], kind: &str) -> Vec<u8> {
    let sides: Vec<String> = shape.iter().map(usize::to_string).collect();
    let mut text = format!("{{'descr': '{kind}', 'fortran_order': False, 'shape': ({},), }}", sides.join(", "));
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    let whole = (bytes.len() + 2 + text.len() + 1).next_multiple_of(ALIGNED);
    let length = whole - bytes.len() - 2;
    text.push_str(&" ".repeat(length - text.len() - 1));
    text.push('\n');
    bytes.extend(u16::try_from(length).unwrap_or(u16::MAX).to_le_bytes());
    bytes.extend(text.into_bytes());
    bytes
}
