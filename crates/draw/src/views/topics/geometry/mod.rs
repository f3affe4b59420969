//! Topics as pictures: their words in order of relevance, the pixels of bars, the triangle of three words, how much topics
//! spread over draws, and what a document is made of.
//!
//! Pictures are in the order of slots. A topic keeps its slot, its number and its colour: it is matched to a true topic, or to
//! the topics of the moment before.

mod documents;
mod grid;
mod picture;
mod relevance;
mod spread;
mod triangle;

pub use documents::{DocumentShares, TokenTopics, document_shares, token_topics};
pub use grid::columns;
pub use picture::{TopicsPicture, topics_by_slot};
pub use relevance::{Relevance, ranked, word_shares};
pub use spread::{Spread, collected_draws, is_draw};
pub use triangle::{CORNERS, outline, point_of};

#[cfg(test)]
mod tests;
