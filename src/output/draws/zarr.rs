//! Zarr stores (format version 3), uncompressed: a folder with a `zarr.json` for every group and array, and the numbers of a
//! chunk of an array in a file of their own, little-endian, by rows
//! (<https://zarr-specs.readthedocs.io/en/latest/v3/core/index.html>).
//!
//! Chunks of an array have one shape; the last one is filled up. The metadata are written at the end, when shapes are known, and
//! once more together in the root (`consolidated_metadata`), where zarr-python looks first.

use std::io::Write;

use anyhow::Context;
use serde_json::{Map, Value as Json, json};

use super::Destination;

/// The file with the metadata of a group or an array.
const METADATA: &str = "zarr.json";

/// Type of the numbers of an array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Type {
    /// 64-bit floats; NaN where nothing was written.
    Float,
    /// 64-bit integers with a sign.
    Integer,
    /// Truth values, a byte each.
    Flag,
}

impl Type {
    /// Bytes of a number.
    pub fn width(self) -> usize {
        match self {
            Self::Float | Self::Integer => 8,
            Self::Flag => 1,
        }
    }
}

/// An array: its place in the store, the names and lengths of its dimensions, and the lengths of its chunks.
#[derive(Clone, Debug)]
pub struct Array<'a> {
    /// Its path, with `/` between groups.
    pub path: &'a str,
    /// Type of its numbers.
    pub ty: Type,
    /// Name, length and length of chunks ≥ 1 of every dimension.
    pub dimensions: &'a [(&'static str, u64, u64)],
    /// Its name, where that is not its path; else empty.
    pub long_name: &'a str,
}

/// A store in the making.
#[derive(Debug)]
pub struct Store {
    name: String,
    nodes: Vec<(String, Json)>,
}

impl Store {
    /// A store without anything in it; `name` is its folder, or empty for the place itself.
    pub fn new(name: String) -> Self {
        Self { name, nodes: Vec::new() }
    }

    /// Writes a chunk of the array at `path`: its place among the chunks, and its bytes.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn chunk(&self, files: &mut impl Destination, path: &str, index: &[u64], bytes: &[u8]) -> anyhow::Result<()> {
        let index: String = index.iter().map(|number| format!("/{number}")).collect();
        let name = self.within(&format!("{path}/c{index}"));
        write(files, &name, bytes)
    }

    /// Adds a group at `path`; the root is the empty path.
    pub fn group(&mut self, path: &str, attributes: &Json) {
        self.nodes.push((path.to_owned(), group(attributes)));
    }

    /// Adds the array whose chunks have been written.
    pub fn array(&mut self, array: &Array<'_>) {
        let of = |part: fn(&(&'static str, u64, u64)) -> Json| array.dimensions.iter().map(part).collect::<Vec<_>>();
        let (name, fill) = match array.ty {
            Type::Float => ("float64", json!("NaN")),
            Type::Integer => ("int64", json!(0)),
            Type::Flag => ("bool", json!(false)),
        };
        let metadata = json!({
            "zarr_format": 3,
            "node_type": "array",
            "shape": of(|dimension| json!(dimension.1)),
            "data_type": name,
            "chunk_grid": { "name": "regular", "configuration": { "chunk_shape": of(|dimension| json!(dimension.2)) } },
            "chunk_key_encoding": { "name": "default", "configuration": { "separator": "/" } },
            "fill_value": fill,
            "codecs": [{ "name": "bytes", "configuration": { "endian": "little" } }],
            "dimension_names": of(|dimension| json!(dimension.0)),
            "attributes": if array.long_name.is_empty() { json!({}) } else { json!({ "long_name": array.long_name }) },
            "storage_transformers": [],
        });
        self.nodes.push((array.path.to_owned(), metadata));
    }

    /// Writes the metadata of all groups and arrays.
    ///
    /// # Errors
    /// If they cannot be written.
    pub fn finish(self, files: &mut impl Destination) -> anyhow::Result<()> {
        let below: Map<String, Json> = self.nodes.iter().filter(|(path, _)| !path.is_empty()).cloned().collect();
        for (path, metadata) in &self.nodes {
            let slash = if path.is_empty() { "" } else { "/" };
            let mut metadata = metadata.clone();
            if path.is_empty() {
                metadata["consolidated_metadata"] = consolidated(&below);
            }
            let name = self.within(&format!("{path}{slash}{METADATA}"));
            write(files, &name, format!("{metadata:#}\n").as_bytes())?;
        }
        Ok(())
    }

    fn within(&self, path: &str) -> String {
        if self.name.is_empty() { path.to_owned() } else { format!("{}/{path}", self.name) }
    }
}

/// A file with the metadata of a group of stores, which are among `files`.
#[must_use]
pub fn group_of(files: &[(String, Vec<u8>)]) -> (String, Vec<u8>) {
    let mut below = Map::new();
    for (name, bytes) in files {
        let node = name.strip_suffix(METADATA).and_then(|path| path.strip_suffix('/'));
        if let (Some(path), Ok(Json::Object(mut metadata))) = (node, serde_json::from_slice(bytes)) {
            metadata.remove("consolidated_metadata");
            below.insert(path.to_owned(), Json::Object(metadata));
        }
    }
    let mut root = group(&json!({}));
    root["consolidated_metadata"] = consolidated(&below);
    (METADATA.to_owned(), format!("{root:#}\n").into_bytes())
}

fn group(attributes: &Json) -> Json {
    json!({ "zarr_format": 3, "node_type": "group", "attributes": attributes })
}

fn consolidated(below: &Map<String, Json>) -> Json {
    json!({ "kind": "inline", "must_understand": false, "metadata": below })
}

fn write(files: &mut impl Destination, name: &str, bytes: &[u8]) -> anyhow::Result<()> {
    let mut file = files.file(name)?;
    file.write_all(bytes).with_context(|| name.to_owned())?;
    files.close(name, file)
}
