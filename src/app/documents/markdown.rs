//! Documents as Markdown.

use super::{Block, Document, Table};
use draw::words::tables::{cell, row};

/// Empty lines in the place of a sketch.
const FOR_SKETCH: usize = 10;

/// The text of a document. A figure is left out: it has no place in a text.
#[must_use]
pub fn text(document: &Document) -> String {
    let mut parts = vec![format!("# {}", cell(&document.title))];
    parts.extend(document.blocks.iter().map(written).filter(|part| !part.is_empty()));
    parts.join("\n\n") + "\n"
}

fn written(block: &Block) -> String {
    let list = |sign: &str, items: &[String]| {
        items.iter().map(|item| format!("- {sign}{}", cell(item))).collect::<Vec<_>>().join("\n")
    };
    match block {
        Block::Heading(text) => format!("## {}", cell(text)),
        Block::Paragraph(text) | Block::Small(text) => lines(text),
        Block::Question(text) => format!("**{}**", cell(text)),
        Block::List(items) => list("", items),
        Block::Options(items) => list("[ ] ", items),
        Block::Lines(count) => {
            vec!["______________________________________________________________"; *count].join("\n\n")
        }
        Block::Table(table) => rows(table),
        Block::Fields(fields) => {
            let one = |(name, value): &(&str, String)| {
                format!("{name}: {}", if value.is_empty() { "______________".to_owned() } else { cell(value) })
            };
            fields.iter().map(one).collect::<Vec<_>>().join("   ")
        }
        Block::Sketch => written(&Block::Lines(FOR_SKETCH)),
        Block::Figure => String::new(),
    }
}

/// A paragraph whose lines stay lines.
fn lines(text: &str) -> String {
    text.lines().map(cell).collect::<Vec<_>>().join("  \n")
}

fn rows(Table { head, rows }: &Table) -> String {
    let rule = row(head.iter().map(|_| "---"));
    [row(head.iter()), rule]
        .into_iter()
        .chain(rows.iter().map(|cells| row(cells.iter())))
        .collect::<Vec<_>>()
        .join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_block_has_its_form() {
        let words = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect::<Vec<String>>();
        let table = Table { head: words(&["a", "b|c"]), rows: vec![words(&["1", "2"])] };
        let blocks = vec![
            Block::Heading("H".to_owned()),
            Block::Paragraph("one\ntwo".to_owned()),
            Block::Question("Why?".to_owned()),
            Block::Options(words(&["A", "B"])),
            Block::Fields(vec![("Name", "Ada".to_owned()), ("Date", String::new())]),
            Block::Lines(1),
            Block::Table(table),
            Block::Figure,
        ];
        let expected = "# T\n\n## H\n\none  \ntwo\n\n**Why?**\n\n- [ ] A\n- [ ] B\n\nName: Ada   Date: ______________\n\n\
                        ______________________________________________________________\n\n| a | b\\|c |\n| --- | --- |\n| 1 | 2 |\n";
        assert_eq!(text(&Document { title: "T".to_owned(), blocks }), expected);
    }
}
