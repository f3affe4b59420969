//! Documents of a lesson: the [`report`] that a student hands in, and the [`worksheet`] with its questions. Both are blocks of text as
//! plain data, which [`html`], [`markdown`] and [`pages`] write.

pub mod html;
pub mod markdown;
pub mod pages;
pub mod report;
pub mod worksheet;

/// A document.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Document {
    /// Its title.
    pub title: String,
    /// What is below the title.
    pub blocks: Vec<Block>,
}

/// A part of a document. Texts are as they are read; who writes them escapes what means something else there.
#[derive(Clone, Debug, PartialEq)]
pub enum Block {
    /// A heading.
    Heading(String),
    /// A paragraph; lines stay lines.
    Paragraph(String),
    /// A paragraph in small type.
    Small(String),
    /// What is filled in at the head: a name, and what is known of it already, or nothing.
    Fields(Vec<(&'static str, String)>),
    /// Room to sketch in: the figure, if the document has one, else an empty frame.
    Sketch,
    /// A question, in strong type. What follows up to the next question or heading belongs to it.
    Question(String),
    /// Entries of a list.
    List(Vec<String>),
    /// Options with a box each.
    Options(Vec<String>),
    /// Empty lines to write on.
    Lines(usize),
    /// A table.
    Table(Table),
    /// The figure of the experiment.
    Figure,
}

/// A table.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Table {
    /// The names of the columns.
    pub head: Vec<String>,
    /// The rows, with as many cells.
    pub rows: Vec<Vec<String>>,
}

impl Document {
    /// Adds a block.
    pub fn add(&mut self, block: Block) {
        self.blocks.push(block);
    }

    /// Adds a heading with a paragraph below it, unless the text is empty.
    pub fn section(&mut self, heading: &str, text: &str) {
        if !text.trim().is_empty() {
            self.add(Block::Heading(heading.to_owned()));
            self.add(Block::Paragraph(text.trim().to_owned()));
        }
    }
}
