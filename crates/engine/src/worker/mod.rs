//! Worker: the background thread around a [`Session`]. It receives orders (play, pause, edit), keeps the speed, and publishes its
//! newest status with the newest frame.
//!
//! The window never waits for it. Orders go through a channel; the newest [`Status`] lies in a slot
//! that the window reads, and a callback tells the window that there is something new. The thread
//! ends with its [`Worker`], or with the process after [`Worker::leave`]. A panic inside is caught and shown as a failure; the next order that asks
//! for more begins with another session.
//!
//! There are two ways to run. In [`Pacing::Watch`] steps are shown as they are taken, and a parameter that changes
//! during a run is an event of the scenario. In [`Pacing::Instant`] an edit changes the scenario from step 0, the whole
//! run is computed out of sight, and only the finished picture is shown; until then the last picture stays. The
//! `engine` decides what is done next, `jobs` when work out of sight is given up for newer orders, `pace` how many
//! steps are taken at a time; `analysis` computes the slow measures in a second thread.

mod analysis;
mod engine;
mod jobs;
mod pace;
mod stopwatch;
#[cfg(test)]
mod tests;

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use crate::diagnostics::hmc_reference::Reference;
use crate::scenario::Scenario;
pub use crate::scenario::{Pacing, Speed};
use crate::session::{Command, Frame, ReferenceKey, Session, Stop};
use base::params::ParamError;
use base::platform::{Helper, Instant, spawn};

use analysis::AnalysisThread;
use engine::Engine;

/// What a worker can be asked to do.
#[derive(Clone, Debug)]
pub enum Order {
    /// A command for the session. The [`Pacing`] decides how an edit is carried out.
    Session(Command),
    /// Take steps in sight; starts again at step 0 if the session is finished, or computes its end out of sight.
    Play,
    /// Stop taking steps, in sight or out of sight. A run that is computed out of sight is shown as far as it is.
    Pause,
    /// Go so many steps, or ticks by gradients, forward or back, and pause there.
    Step(i64),
    /// Set the speed of playing.
    Speed(Speed),
    /// Stop playing in sight at each of these steps.
    PauseAt(Vec<u64>),
    /// Run another way. To Instant: the run is finished at once, out of sight. To Watch: a run that is computed out of
    /// sight continues in sight; a finished run stays.
    Pacing(Pacing),
    /// Show a reference that was computed elsewhere with the target that it belongs to.
    Reference(ReferenceKey, Arc<Reference>),
}

/// Status of a worker: the newest frame, and what the worker is doing.
#[derive(Clone, Debug)]
pub struct Status {
    /// The session as it was at the newest frame.
    pub frame: Arc<Frame>,
    /// Number of orders that have been carried out or refused; the frame shows them.
    pub obeyed: u64,
    /// Whether steps are being taken in sight.
    pub playing: bool,
    /// The way to run.
    pub mode: Pacing,
    /// Share of the work out of sight that is done, from 0 to 1, if the work takes long. The frame is older then.
    pub computing: Option<f32>,
    /// Whether a step is under way that takes long.
    pub stepping: bool,
    /// Time at which the worker began to make targets, which may take long; `None` while it makes none.
    pub making: Option<Instant>,
    /// Whether noise floors beside the measures of the frame are still being computed.
    pub completing: bool,
    /// Number of runs computed out of sight to their goal so far.
    pub pictures: u64,
    /// Time that the newest of them took.
    pub took: Duration,
    /// Speed of playing.
    pub speed: Speed,
    /// Steps of single chains per second, or by gradients evaluations of a run per second; 0 while pausing.
    pub steps_per_second: f64,
    /// Why the last command was refused; goes up in number with each refusal.
    pub refused: Option<Arc<Refusal>>,
    /// The message of a panic in the session, which does nothing more; the next order that asks for something begins with another one.
    pub failure: Option<String>,
}

/// A command that was refused.
#[derive(Clone, Debug, PartialEq)]
pub struct Refusal {
    /// Number of the refusal, from 1.
    pub number: u64,
    /// Every reason.
    pub errors: Vec<ParamError>,
}

/// A session in a thread of its own.
#[derive(Debug)]
pub struct Worker {
    orders: Option<Sender<Order>>,
    /// Stops a step that takes long when an order comes.
    stop: Stop,
    sent: AtomicU64,
    status: Arc<Mutex<Arc<Status>>>,
    helper: Option<Helper>,
}

impl Worker {
    /// Starts a session in a new thread; `wake` is called there whenever the status has changed. With `playing` it
    /// starts to run: in sight, or to its end out of sight, as `mode` says.
    ///
    /// # Errors
    /// If the scenario cannot be built, or no thread can be started.
    pub fn start(
        scenario: Scenario,
        mode: Pacing,
        playing: bool,
        wake: impl Fn() + Send + 'static,
    ) -> Result<Self, Vec<ParamError>> {
        Self::of(Session::timed(scenario, stopwatch::of_thread())?, mode, playing, wake)
    }

    /// Starts a worker with an existing session.
    fn of(
        session: Session,
        mode: Pacing,
        playing: bool,
        wake: impl Fn() + Send + 'static,
    ) -> Result<Self, Vec<ParamError>> {
        let status = Arc::new(Mutex::new(Arc::new(Status {
            frame: Arc::new(session.frame()),
            obeyed: 0,
            playing: playing && mode == Pacing::Watch,
            mode,
            computing: None,
            stepping: false,
            making: None,
            completing: false,
            pictures: 0,
            took: Duration::ZERO,
            speed: Speed::Full,
            steps_per_second: 0.0,
            refused: None,
            failure: None,
        })));
        let (orders, inbox) = channel();
        let outlet = Outlet { slot: status.clone(), wake: Box::new(wake) };
        let no_thread = |error: std::io::Error| {
            vec![ParamError::new("", format!("no thread could be started: {error}"), "a system with threads left")]
        };
        let analysis_thread = AnalysisThread::start().map_err(no_thread)?;
        let stop = Stop::default();
        let mut engine = Engine::new(session, (analysis_thread, stop.clone()), mode, playing, inbox, outlet);
        let helper = spawn("session", move || engine.turn()).map_err(no_thread)?;
        Ok(Self { orders: Some(orders), stop, sent: AtomicU64::new(0), status, helper: Some(helper) })
    }

    /// Sends an order and returns its number, from 1: once [`Status::obeyed`] is as large, the frame shows
    /// its result.
    pub fn send(&self, order: Order) -> u64 {
        let patient = matches!(order, Order::Speed(_) | Order::PauseAt(_) | Order::Reference(..));
        if let Some(orders) = &self.orders {
            // The only possible error is a thread that has ended, and that is in the status already.
            orders.send(order).ok();
        }
        // After the order: whoever stops for it finds it.
        if !patient {
            self.stop.set();
        }
        self.helper.iter().for_each(Helper::wake);
        self.sent.fetch_add(1, Ordering::Relaxed) + 1
    }

    /// Gives up the thread: nobody waits for the end of its work, which can be long. It ends with the process.
    pub fn leave(&mut self) {
        self.helper = None;
    }

    /// The newest status.
    #[must_use]
    pub fn status(&self) -> Arc<Status> {
        self.status.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        self.orders = None;
        self.stop.set();
        if let Some(helper) = self.helper.take() {
            helper.wake();
            helper.join();
        }
    }
}

/// The slot in which the thread puts its status, and the callback that announces a new one.
struct Outlet {
    slot: Arc<Mutex<Arc<Status>>>,
    wake: Box<dyn Fn() + Send>,
}

impl Outlet {
    /// The present status.
    fn newest(&self) -> Arc<Status> {
        self.slot.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Replaces the status.
    fn put(&self, change: impl FnOnce(&Status) -> Status) {
        let mut slot = self.slot.lock().unwrap_or_else(PoisonError::into_inner);
        *slot = Arc::new(change(&slot));
        drop(slot);
        (self.wake)();
    }
}
