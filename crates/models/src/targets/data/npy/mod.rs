//! Arrays in NumPy's format (`.npy`) as the text of a table: a vector is a column, a matrix has a row in each of its rows, and a structured array has
//! named columns.
//!
//! A file has a header, a dictionary as Python writes it, and then the numbers of all rows
//! (<https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html>). Columns without names are numbers from 1, as in a CSV file.

mod elements;
mod header;

use self::elements::Element;
use self::header::{Field, Header};
use super::header::MAX_COLUMNS;
use super::numbers::is_number;
use super::{MAX_BYTES, MAX_DATA};

/// How such a file begins.
pub(super) const MAGIC: &[u8] = b"\x93NUMPY";

/// Characters of the text at most.
const MOST: usize = 4 * MAX_BYTES as usize;

/// The lines of a table with commas between cells, with a header unless all columns are numbers without names; or what the array is that is none.
pub(super) fn table(bytes: &[u8]) -> Result<String, String> {
    let (header, data) = Header::read(bytes)?;
    let (rows, across) = shape(&header)?;
    let columns = columns(&header.fields, across);
    if columns.len() > MAX_COLUMNS {
        return Err(format!("has {} columns, and {MAX_COLUMNS} are read at most", columns.len()));
    }
    if rows > MAX_DATA {
        return Err(format!("has {rows} rows, and {MAX_DATA} are read at most"));
    }
    let item = header.item();
    let bytes = rows.checked_mul(across).and_then(|items| items.checked_mul(item));
    if bytes.is_none_or(|bytes| bytes > data.len()) {
        return Err(format!("is cut off: the file has {} bytes for {rows} rows", data.len()));
    }
    let mut text = String::new();
    if columns.iter().any(|column| column.name.is_some() || !column.element.is_number()) {
        if columns.iter().all(|column| column.name.as_deref().is_some_and(is_number)) {
            return Err("has fields that are called by numbers: give them names that are none".to_owned());
        }
        let name = |(index, column): (usize, &Column)| {
            quoted(&column.name.clone().unwrap_or_else(|| format!("column {}", index + 1)))
        };
        line(&mut text, columns.iter().enumerate().map(name));
    }
    for row in 0..rows {
        let cell = |column: &Column| {
            let item_at = if header.is_by_columns { column.across * rows + row } else { row * across + column.across };
            let from = item_at * item + column.offset;
            quoted(&column.element.read(&data[from..from + column.element.size]))
        };
        line(&mut text, columns.iter().map(cell));
        if text.len() > MOST {
            return Err("is too large".to_owned());
        }
    }
    Ok(text)
}

/// A column: where its elements are in an item, and in which item of a row.
struct Column {
    name: Option<String>,
    element: Element,
    offset: usize,
    across: usize,
}

/// The numbers of rows and of items in each.
fn shape(header: &Header) -> Result<(usize, usize), String> {
    match header.shape[..] {
        [rows] => Ok((rows, 1)),
        [rows, across] if !header.is_structured() => Ok((rows, across)),
        _ => {
            let shape: Vec<String> = header.shape.iter().map(usize::to_string).collect();
            Err(format!("has the shape ({}): a table has rows, or rows and columns", shape.join(", ")))
        }
    }
}

/// The columns of so many items in a row; a field of several numbers has a column for each.
fn columns(fields: &[Field], across: usize) -> Vec<Column> {
    let mut columns = Vec::new();
    for item in 0..across.min(MAX_COLUMNS + 1) {
        let mut offset = 0;
        for field in fields {
            for number in 0..field.count {
                let name = match &field.name {
                    // Padding between fields.
                    Some(name) if name.is_empty() => continue,
                    Some(name) if field.count > 1 => Some(format!("{name}[{number}]")),
                    name => name.clone(),
                };
                if columns.len() <= MAX_COLUMNS {
                    let at = offset + number * field.element.size;
                    columns.push(Column { name, element: field.element, offset: at, across: item });
                }
            }
            offset += field.count * field.element.size;
        }
    }
    columns
}

/// A cell as CSV has it.
fn quoted(cell: &str) -> String {
    if cell.contains([',', '"', '\n', '\r', ';', '\t', '|', '#']) || cell.trim() != cell {
        return format!("\"{}\"", cell.replace('"', "\"\""));
    }
    cell.to_owned()
}

fn line(text: &mut String, cells: impl Iterator<Item = String>) {
    for (index, cell) in cells.enumerate() {
        if index > 0 {
            text.push(',');
        }
        text.push_str(&cell);
    }
    text.push('\n');
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A file of format 1.0, or 3.0 if the header needs that.
    fn file(header: &str, data: &[u8]) -> Vec<u8> {
        let length = (header.len() + 1).to_le_bytes();
        let (version, length) = if header.is_ascii() { (1, &length[..2]) } else { (3, &length[..4]) };
        [MAGIC, &[version, 0], length, header.as_bytes(), b"\n", data].concat()
    }

    fn bytes(numbers: &[f64]) -> Vec<u8> {
        numbers.iter().flat_map(|number| number.to_le_bytes()).collect()
    }

    #[test]
    fn vectors_and_matrices_have_rows_of_numbers() {
        let data = bytes(&[1.0, 0.1, -2.5, f64::NAN, 1e-7, 3.0]);
        let read = |header: &str| table(&file(header, &data)).unwrap();
        assert_eq!(
            read("{'descr': '<f8', 'fortran_order': False, 'shape': (6,), }"),
            "1.0\n0.1\n-2.5\nNaN\n1e-7\n3.0\n"
        );
        assert_eq!(
            read("{'descr': '<f8', 'fortran_order': False, 'shape': (3, 2), }"),
            "1.0,0.1\n-2.5,NaN\n1e-7,3.0\n"
        );
        assert_eq!(read("{'shape': (3, 2), 'fortran_order': True, 'descr': '<f8'}"), "1.0,NaN\n0.1,1e-7\n-2.5,3.0\n");
    }

    #[test]
    fn structured_arrays_have_named_columns() {
        let mut data = Vec::new();
        for (name, count, pair) in [('A', 7_i16, [0.5_f32, 2.0]), ('é', -1, [1.5, 4.0])] {
            data.extend(u32::from(name).to_le_bytes());
            data.extend(count.to_be_bytes());
            data.extend([0, 0]);
            data.extend(pair.iter().flat_map(|number| number.to_le_bytes()));
            data.push(u8::from(count > 0));
        }
        let header = "{'descr': [('a, b', '<U1'), ('n', '>i2'), ('', '|V2'), ('θ', '<f4', (2,)), ('yes', '|b1')], \
                      'fortran_order': False, 'shape': (2,), }";
        let expected = "\"a, b\",n,θ[0],θ[1],yes\nA,7,0.5,2.0,True\né,-1,1.5,4.0,False\n";
        assert_eq!(table(&file(header, &data)).unwrap(), expected);
        // Words and truth values without names are no header.
        let header = "{'descr': '|b1', 'fortran_order': False, 'shape': (2,), }";
        assert_eq!(table(&file(header, &[1, 0])).unwrap(), "column 1\nTrue\nFalse\n");
    }

    #[test]
    fn what_is_no_table_says_why() {
        let of = |descr: &str, shape: &str| {
            let header = format!("{{'descr': {descr}, 'fortran_order': False, 'shape': {shape}, }}");
            table(&file(&header, &[0; 64])).unwrap_err()
        };
        for (descr, shape, words) in [
            ("'<f8'", "()", "has the shape ()"),
            ("'<f8'", "(2, 2, 2)", "has the shape (2, 2, 2)"),
            ("'<c16'", "(2,)", "'<c16'"),
            ("'|O'", "(2,)", "Python objects"),
            ("'<f8'", "(9,)", "is cut off"),
            ("'<f8'", "(2000000, 2)", "rows, and 1000000 are read"),
            ("'<f8'", "(2, 99999999999999999999)", "header"),
            ("'<f8'", "(2, 1001)", "1001 columns"),
            ("[('1', '<f8'), ('2', '<f8')]", "(2,)", "called by numbers"),
            ("[('a', [('b', '<f8')])]", "(2,)", "fields within fields"),
            ("'<f8", "(2,)", "header"),
        ] {
            let found = of(descr, shape);
            assert!(found.contains(words), "{descr} {shape}: {found}");
        }
    }
}
