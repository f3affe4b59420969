//! What comes after a failure: another session, as soon as an order asks for something.

use std::time::Duration;

use super::Engine;
use crate::scenario::{Edit, Pacing, Scenario};
use crate::session::{Command, Session};
use crate::worker::analysis::AnalysisThread;
use crate::worker::{Order, Status, stopwatch};
use base::platform::Instant;

impl Engine {
    /// Replaces the session that has failed, once an order asks for something: on the newest scenario that
    /// an order names, otherwise on the last one, before its first step. Orders are obeyed after it. Returns whether there is one.
    ///
    /// A panic on the way leaves the engine as it was, without the orders that led to it.
    pub(super) fn begin_again(&mut self) -> bool {
        let waits = |order: &Order| {
            matches!(order, Order::Speed(_) | Order::PauseAt(_) | Order::Reference(..) | Order::Pause)
                || matches!(order, Order::Session(Command::Clock(_)))
        };
        if self.orders.iter().all(waits) {
            return false;
        }
        let orders = std::mem::take(&mut self.orders);
        self.obeyed += orders.len() as u64;
        let named = orders.iter().rev().find_map(scenario_of).or(self.wanted.take());
        let scenario = named.unwrap_or_else(|| self.session.scenario().as_ref().clone());
        let begun = AnalysisThread::start().map_err(|error| format!("no thread could be started: {error}"));
        let analysis_thread = match begun {
            Ok(thread) => thread,
            Err(failure) => {
                let obeyed = self.obeyed;
                self.outlet.put(|before| Status { failure: Some(failure), obeyed, ..before.clone() });
                return false;
            }
        };
        match Session::timed(scenario, stopwatch::of_thread()) {
            Ok(mut session) => {
                session.follow(self.session.generation());
                (self.session, self.analysis_thread) = (session, analysis_thread);
            }
            Err(errors) => {
                self.refuse(errors);
                let (refused, obeyed) = (self.refused.clone(), self.obeyed);
                self.outlet.put(|before| Status { refused, obeyed, ..before.clone() });
                return false;
            }
        }
        self.obeyed -= orders.len() as u64;
        self.orders = orders;
        (self.failed, self.playing, self.floors_incomplete) = (false, false, false);
        (self.job, self.measuring, self.measured_in) = (None, None, Duration::ZERO);
        self.publish(true);
        if self.mode == Pacing::Instant {
            self.aim(u64::MAX, Instant::now());
        }
        true
    }
}

/// The scenario that an order names.
fn scenario_of(order: &Order) -> Option<Scenario> {
    match order {
        Order::Session(Command::Edit(Edit::Load(scenario) | Edit::Replace(scenario))) => Some((**scenario).clone()),
        _ => None,
    }
}
