//! The thread around a [`Session`]: orders in, the newest status out, a clock in between.
//!
//! The window never waits for it. Orders go through a channel; the newest [`Status`] lies in a slot
//! that the window reads, and a callback tells the window that there is something new. The thread
//! ends with its [`Worker`]. A panic inside is caught and shown as a failure; the window can then
//! make a new worker from the last scenario.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{Builder, JoinHandle};
use std::time::{Duration, Instant};

use crate::params::ParamError;
use crate::scenario::Scenario;
use crate::session::{Command, Frame, Session};

/// Time between two frames at most while something happens.
const FRAME: Duration = Duration::from_millis(16);

/// Time between two refreshes of the measures while playing.
const MEASURES: Duration = Duration::from_millis(100);

/// Time that one slice of work aims at, so that orders are heard soon.
const SLICE: Duration = Duration::from_millis(6);

/// How fast a session plays.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Speed {
    /// Steps per second, above 0.
    Steps(f64),
    /// As fast as it goes.
    Full,
}

/// What a worker can be told.
#[derive(Clone, Debug)]
pub enum Order {
    /// Something for the session.
    Session(Command),
    /// Go on making steps; starts again from the beginning if the session is finished.
    Play,
    /// Stop making steps.
    Pause,
    /// Go so many steps forward or back, and pause there.
    Step(i64),
    /// Set the speed.
    Speed(Speed),
}

/// What a worker tells: the newest frame, and how it is doing.
#[derive(Clone, Debug)]
pub struct Status {
    /// The session as it was at the newest frame.
    pub frame: Arc<Frame>,
    /// Whether steps are being made.
    pub playing: bool,
    /// How fast.
    pub speed: Speed,
    /// Steps per second actually made, chains counted singly; 0 while pausing.
    pub steps_per_second: f64,
    /// Why the last command was refused; goes up in number with each refusal.
    pub refused: Option<Arc<Refusal>>,
    /// The message of a panic in the thread, which has ended then.
    pub failure: Option<String>,
    /// How many of the orders sent so far have been carried out or refused: the frame shows them.
    pub obeyed: u64,
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
    sent: AtomicU64,
    status: Arc<Mutex<Arc<Status>>>,
    thread: Option<JoinHandle<()>>,
}

impl Worker {
    /// Starts a session in a new thread; `wake` is called there whenever the status has changed.
    ///
    /// # Errors
    /// If the scenario cannot be built, or no thread can be started.
    pub fn start(scenario: Scenario, playing: bool, wake: impl Fn() + Send + 'static) -> Result<Self, Vec<ParamError>> {
        let session = Session::new(scenario)?;
        let status = Arc::new(Mutex::new(Arc::new(Status {
            frame: Arc::new(session.frame()),
            playing,
            speed: Speed::Full,
            steps_per_second: 0.0,
            refused: None,
            failure: None,
            obeyed: 0,
        })));
        let (orders, inbox) = channel();
        let mut inner = Engine::new(session, playing, inbox, status.clone(), Box::new(wake));
        let work = move || inner.guarded();
        let no_thread = |error: std::io::Error| {
            vec![ParamError::new("", format!("no thread could be started: {error}"), "a system with threads left")]
        };
        let thread = Builder::new().name("session".to_owned()).spawn(work).map_err(no_thread)?;
        Ok(Self { orders: Some(orders), sent: AtomicU64::new(0), status, thread: Some(thread) })
    }

    /// Sends an order and returns its number, from 1: once [`Status::obeyed`] is as large, the frame shows
    /// what came of it. A worker that has failed hears nothing any more; its status says so.
    pub fn send(&self, order: Order) -> u64 {
        if let Some(orders) = &self.orders {
            // The only possible error is a thread that has ended, and that is in the status already.
            orders.send(order).ok();
        }
        self.sent.fetch_add(1, Ordering::Relaxed) + 1
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
        if let Some(thread) = self.thread.take() {
            // A panic was caught inside and is in the status; there is nothing left to report.
            thread.join().ok();
        }
    }
}

/// What runs in the thread.
struct Engine {
    session: Session,
    inbox: Receiver<Order>,
    slot: Arc<Mutex<Arc<Status>>>,
    wake: Box<dyn Fn() + Send>,
    playing: bool,
    speed: Speed,
    refused: Option<Arc<Refusal>>,
    obeyed: u64,
    /// Steps owed to the speed so far, with their fraction.
    owed: f64,
    /// Steps in a slice, adapted to what the machine can do.
    slice: u64,
    last_slice: Instant,
    last_frame: Instant,
    last_measures: Instant,
    /// Steps of the longest run and time since the speed was last measured.
    measured: (u64, Instant),
    steps_per_second: f64,
    /// Whether a noise floor is still being made.
    behind: bool,
}

impl Engine {
    fn new(
        session: Session,
        playing: bool,
        inbox: Receiver<Order>,
        slot: Arc<Mutex<Arc<Status>>>,
        wake: Box<dyn Fn() + Send>,
    ) -> Self {
        let now = Instant::now();
        Self {
            session,
            inbox,
            slot,
            wake,
            playing,
            speed: Speed::Full,
            refused: None,
            obeyed: 0,
            owed: 0.0,
            slice: 64,
            last_slice: now,
            last_frame: now,
            last_measures: now,
            measured: (0, now),
            steps_per_second: 0.0,
            behind: false,
        }
    }

    /// Works until the worker is dropped; a panic becomes a failure in the status.
    fn guarded(&mut self) {
        let outcome = catch_unwind(AssertUnwindSafe(|| self.work()));
        if let Err(panic) = outcome {
            let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
            let text = text.or_else(|| panic.downcast_ref::<String>().cloned());
            let failure = Some(text.unwrap_or_else(|| "no message".to_owned()));
            let mut slot = self.slot.lock().unwrap_or_else(PoisonError::into_inner);
            *slot = Arc::new(Status { failure, playing: false, steps_per_second: 0.0, ..slot.as_ref().clone() });
            drop(slot);
            (self.wake)();
        }
    }

    fn work(&mut self) {
        self.publish(true);
        loop {
            let heard = match self.wait() {
                Ok(order) => Some(order),
                Err(RecvTimeoutError::Timeout) => None,
                Err(RecvTimeoutError::Disconnected) => return,
            };
            let heard_any = heard.is_some();
            if let Some(order) = heard {
                self.obey(order);
                // Whatever has piled up meanwhile is obeyed before the next frame, so that a dragged slider costs one.
                while let Ok(order) = self.inbox.try_recv() {
                    self.obey(order);
                }
            }
            let was_playing = self.playing;
            if self.playing {
                self.play();
            }
            let news = heard_any || was_playing != self.playing;
            if news || self.last_frame.elapsed() >= FRAME {
                self.publish(news || !self.playing);
            }
        }
    }

    /// Waits for an order: until the next slice of work if there is any, for ever if not.
    fn wait(&self) -> Result<Order, RecvTimeoutError> {
        if self.playing {
            self.inbox.recv_timeout(self.nap())
        } else if self.behind {
            self.inbox.recv_timeout(FRAME)
        } else {
            self.inbox.recv().map_err(RecvTimeoutError::from)
        }
    }

    /// How long to wait for orders before the next slice of work.
    fn nap(&self) -> Duration {
        match self.speed {
            Speed::Full => Duration::ZERO,
            Speed::Steps(rate) => {
                let due = Duration::try_from_secs_f64((1.0 - self.owed).max(0.0) / rate).unwrap_or(FRAME);
                due.saturating_sub(self.last_slice.elapsed()).min(FRAME)
            }
        }
    }

    fn obey(&mut self, order: Order) {
        self.obeyed += 1;
        match order {
            Order::Play => {
                if self.session.finished() {
                    self.command(Command::Restart);
                }
                self.playing = true;
                self.reset_clock();
            }
            Order::Pause => self.playing = false,
            Order::Speed(speed) => {
                self.speed = speed;
                self.reset_clock();
            }
            Order::Step(steps) => {
                self.playing = false;
                match u64::try_from(steps) {
                    Ok(forward) => self.session.advance(forward),
                    Err(_) => self.command(Command::Seek(self.session.step().saturating_sub(steps.unsigned_abs()))),
                }
            }
            Order::Session(command) => {
                let starts_again = matches!(command, Command::Load(_))
                    || (self.session.finished() && !matches!(command, Command::Seek(_)));
                self.command(command);
                if starts_again {
                    self.playing = true;
                }
                self.reset_clock();
            }
        }
    }

    fn command(&mut self, command: Command) {
        if let Err(errors) = self.session.apply(command) {
            let number = self.refused.as_ref().map_or(0, |refusal| refusal.number) + 1;
            self.refused = Some(Arc::new(Refusal { number, errors }));
        }
    }

    fn reset_clock(&mut self) {
        self.owed = 0.0;
        self.last_slice = Instant::now();
        self.measured = (self.session.step(), self.last_slice);
    }

    /// Makes one slice of steps.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        clippy::cast_precision_loss,
        reason = "steps owed in one slice are few and not negative"
    )]
    fn play(&mut self) {
        let begun = Instant::now();
        let steps = match self.speed {
            Speed::Full => self.slice,
            Speed::Steps(rate) => {
                self.owed = (self.owed + rate * (begun - self.last_slice).as_secs_f64()).min(self.slice as f64 + 1.0);
                self.owed as u64
            }
        };
        self.last_slice = begun;
        if steps == 0 {
            return;
        }
        self.owed = (self.owed - steps as f64).max(0.0);
        self.session.advance(steps);
        let spent = begun.elapsed();
        let full = steps >= self.slice;
        if spent > SLICE {
            self.slice = (self.slice / 2).max(1);
        } else if full && spent < SLICE / 2 {
            self.slice = (self.slice * 2).min(1 << 20);
        }
        if self.session.finished() {
            self.playing = false;
        }
    }

    #[expect(clippy::cast_precision_loss, reason = "a speed is shown to three digits")]
    fn publish(&mut self, measures: bool) {
        if measures || self.last_measures.elapsed() >= MEASURES {
            self.behind = self.session.refresh_measures();
            self.last_measures = Instant::now();
        }
        let (step, since) = self.measured;
        let elapsed = since.elapsed();
        if self.playing && elapsed > Duration::from_millis(250) {
            let made = self.session.step().saturating_sub(step) as f64 * self.session.chains() as f64;
            self.steps_per_second = made / elapsed.as_secs_f64();
            self.measured = (self.session.step(), Instant::now());
        }
        let status = Status {
            frame: Arc::new(self.session.frame()),
            playing: self.playing,
            speed: self.speed,
            steps_per_second: if self.playing { self.steps_per_second } else { 0.0 },
            refused: self.refused.clone(),
            failure: None,
            obeyed: self.obeyed,
        };
        *self.slot.lock().unwrap_or_else(PoisonError::into_inner) = Arc::new(status);
        self.last_frame = Instant::now();
        (self.wake)();
    }
}
