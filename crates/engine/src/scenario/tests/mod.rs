//! Scenario files: read, written, refused, edited, built.

mod bad;
mod bounds;
mod builds;
mod decide;
mod edits;
mod playlists;
mod roundtrip;
mod small;
mod view;
