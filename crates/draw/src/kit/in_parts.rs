//! What is computed in parts beside the window, one after the other: each brings a picture nearer to what it will be.

use std::sync::mpsc::{Receiver, TryRecvError};

use egui::Context;

use super::background::{Asker, Computing, Wanted, spawned};
use base::platform::now;

/// Why there is nothing to show after a panic.
pub const FAILED: &str = "its computation has failed";

/// Something that is computed in parts.
pub trait Parts {
    /// What a part brings.
    type Part: Send + 'static;

    /// The next part; `None` if nothing is missing. One that takes long asks whether it is still wanted.
    fn next(&mut self, wanted: Wanted) -> Option<impl Future<Output = Self::Part> + Send + 'static>;

    /// Takes over a part.
    fn take(&mut self, part: Self::Part);

    /// A part has panicked: it shall not be asked for again.
    fn fail(&mut self);
}

/// Such a thing with the part that is being computed. Whoever computes it ends when this is gone.
#[derive(Debug)]
pub struct InParts<P: Parts> {
    /// What there is so far.
    pub so_far: P,
    running: Option<Receiver<P::Part>>,
    asker: Asker,
}

impl<P: Parts> InParts<P> {
    /// Something of which no part is being computed.
    pub fn new(so_far: P) -> Self {
        Self { so_far, running: None, asker: Asker::default() }
    }

    /// Takes over what is ready, and asks for the next part; returns whether something is missing.
    pub fn go_on(&mut self, ctx: &Context, computing: Computing) -> bool {
        if let Some(receiver) = self.running.take() {
            match receiver.try_recv() {
                Ok(part) => self.so_far.take(part),
                Err(TryRecvError::Empty) => self.running = Some(receiver),
                Err(TryRecvError::Disconnected) => self.so_far.fail(),
            }
        }
        while self.running.is_none() {
            let Some(part) = self.so_far.next(self.asker.wanted()) else { return false };
            match computing {
                Computing::Background => self.running = Some(spawned(ctx.clone(), part)),
                Computing::Now => {
                    let part = now(part);
                    self.so_far.take(part);
                }
            }
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Counts to a number; panics at another one.
    #[derive(Debug)]
    struct Count {
        at: u32,
        to: u32,
        breaks: u32,
    }

    impl Parts for Count {
        type Part = u32;

        fn next(&mut self, _wanted: Wanted) -> Option<impl Future<Output = u32> + Send + 'static> {
            let (at, breaks) = (self.at, self.breaks);
            (at < self.to).then_some(async move {
                assert_ne!(at, breaks, "on purpose");
                at + 1
            })
        }

        fn take(&mut self, part: u32) {
            self.at = part;
        }

        fn fail(&mut self) {
            self.to = 0;
        }
    }

    fn counted(to: u32, breaks: u32, computing: Computing) -> u32 {
        let mut count = InParts::new(Count { at: 0, to, breaks });
        while count.go_on(&Context::default(), computing) {
            std::thread::yield_now();
        }
        count.so_far.at
    }

    #[test]
    fn all_parts_are_computed_here_and_beside() {
        assert_eq!(counted(5, 9, Computing::Now), 5);
        assert_eq!(counted(5, 9, Computing::Background), 5);
    }

    #[test]
    fn after_a_panic_there_are_no_other_parts() {
        assert_eq!(counted(5, 3, Computing::Background), 3);
    }
}
