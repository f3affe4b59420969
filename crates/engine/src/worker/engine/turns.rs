//! Turns: the work of the engine one task at a time, whoever calls it.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::TryRecvError;

use super::Engine;
use crate::worker::Status;
use crate::worker::pace::FRAME;
use base::platform::{ONE_THREAD, Turn};

impl Engine {
    /// Does a task, the first one of those that wait; a panic becomes a failure in the status. The session that has failed is
    /// left alone; the next order that asks for more begins another one.
    pub fn turn(&mut self) -> Turn {
        catch_unwind(AssertUnwindSafe(|| self.task())).unwrap_or_else(|panic| {
            let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
            let text = text.or_else(|| panic.downcast_ref::<String>().cloned());
            let failure = Some(text.unwrap_or_else(|| "no message".to_owned()));
            self.failed = true;
            let obeyed = self.obeyed;
            self.outlet.put(|before| Status {
                failure,
                obeyed,
                playing: false,
                computing: None,
                stepping: false,
                making: None,
                completing: false,
                steps_per_second: 0.0,
                ..before.clone()
            });
            // Nothing that goes on by itself begins before the next order.
            Turn::Idle
        })
    }

    fn task(&mut self) -> Turn {
        if !self.begun && self.job.is_none() {
            self.publish(true);
        }
        self.begun = true;
        if !self.listen() {
            return Turn::Over;
        }
        if self.failed && !self.begin_again() {
            return Turn::Idle;
        }
        let news = self.obey_all();
        self.analyse();
        if let Some(job) = self.job {
            self.work_out_of_sight(job);
        } else {
            self.work_in_sight(news);
        }
        self.next()
    }

    /// Takes in the orders that have come. Returns whether the worker exists.
    fn listen(&mut self) -> bool {
        // Before the orders are taken in: an order that comes from now on stops what is begun next.
        self.stop.clear();
        loop {
            match self.inbox.try_recv() {
                Ok(order) => self.orders.push_back(order),
                Err(TryRecvError::Empty) => return true,
                Err(TryRecvError::Disconnected) => return false,
            }
        }
    }

    /// When to go on. Every order wakes the engine.
    fn next(&self) -> Turn {
        let measuring = self.playing && self.measuring.is_some();
        if self.job.is_some() || !self.orders.is_empty() || measuring {
            Turn::More
        } else if self.playing {
            Turn::Wait(self.pace.nap())
        } else if ONE_THREAD && self.floors_incomplete {
            Turn::Later
        } else if self.floors_incomplete
            || self.analysis_thread.busy()
            || self.analysis_thread.lags(&self.outlet.newest().frame)
        {
            Turn::Wait(FRAME)
        } else {
            Turn::Idle
        }
    }
}
