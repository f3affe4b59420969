//! Texts inside SVG files.

/// Why no text was read from an SVG file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReadError {
    /// It is not UTF-8.
    #[error("it is not a text in UTF-8")]
    NoText,
    /// It is no XML.
    #[error("it is not an SVG file: {0}")]
    NoXml(String),
}

/// The text with a name in an SVG file, as it was written, if there is one.
///
/// # Errors
/// If this is no SVG file.
pub fn read_text(bytes: &[u8], name: &str) -> Result<Option<String>, ReadError> {
    let file = std::str::from_utf8(bytes).map_err(|_| ReadError::NoText)?;
    let options = roxmltree::ParsingOptions { allow_dtd: true, ..roxmltree::ParsingOptions::default() };
    let document = roxmltree::Document::parse_with_options(file, options);
    let document = document.map_err(|error| ReadError::NoXml(error.to_string()))?;
    let named =
        |node: &roxmltree::Node<'_, '_>| node.tag_name().name() == "metadata" && node.attribute("id") == Some(name);
    Ok(document.descendants().find(named).and_then(|node| node.text()).map(str::to_owned))
}
