//! A figure that moves, while it is being drawn.

use crate::app::tasks::slices::Job;

/// A figure that moves, which is being drawn; it ends when this is dropped.
#[derive(Debug)]
pub struct Drawing {
    pub(super) job: Job,
    pub(super) frames: u32,
}

impl Drawing {
    /// Whether this is the job with that number.
    #[must_use]
    pub fn is(&self, ticket: u64) -> bool {
        self.job.ticket == ticket
    }

    /// How far it is, in words: `37 of 300 pictures`.
    #[must_use]
    pub fn in_words(&self) -> String {
        let drawn = (self.job.share() * self.frames as f32).round();
        let frames = self.frames;
        format!("{drawn} of {frames} {}", if frames == 1 { "picture" } else { "pictures" })
    }
}
