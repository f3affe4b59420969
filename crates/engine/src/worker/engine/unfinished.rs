//! Unfinished runs in Instant: of topics they give the picture of the finished run, only coarser, from fewer documents. It is shown
//! while the rest is computed, and while a slider moves faster than runs can be finished.

use std::sync::Arc;
use std::time::Duration;

use super::{Engine, MEASURES};
use crate::scenario::Pacing;
use crate::session::Command;
use crate::worker::jobs::Job;
use crate::worker::{Order, Status};
use base::platform::Instant;

/// Work for a coarse picture, before a newer edit is carried out.
const COARSE: Duration = Duration::from_millis(100);

impl Engine {
    /// Whether the run that is computed is shown before it is finished.
    pub(super) fn shows_unfinished(&self) -> bool {
        self.mode == Pacing::Instant && self.session.may_take_long()
    }

    /// Whether a job goes on for a coarse picture.
    pub(super) fn owes_coarse_picture(&self, job: Job, now: Instant) -> bool {
        self.shows_unfinished() && job.worked(now) < COARSE
    }

    /// Before an edit ends the present job: shows what it has led to, unless there was a picture just now.
    pub(super) fn show_coarse_picture_before(&mut self, order: &Order) {
        let ends = matches!(order, Order::Session(Command::Edit(_)));
        if let Some(job) = self.job
            && ends
            && self.shows_unfinished()
            && self.last_frame.elapsed() >= MEASURES
        {
            self.show_unfinished(job);
        }
    }

    /// Shows the session in the midst of a job.
    pub(super) fn show_unfinished(&mut self, job: Job) {
        let (frame, obeyed, share) = (Arc::new(self.session.frame()), self.obeyed, job.share(self.tick()));
        let (mode, speed, playing) = (self.mode, self.pace.speed, self.playing);
        let computing = Some(share);
        self.outlet.put(|before| Status { frame, obeyed, mode, speed, playing, computing, ..before.clone() });
        self.last_frame = Instant::now();
    }
}
