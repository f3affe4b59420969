//! Engine of the worker: it receives orders, computes steps in sight or out of sight, and publishes frames, one task at a time.

mod edits;
mod recovery;
mod turns;
mod unfinished;

use std::collections::VecDeque;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::mpsc::Receiver;
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use crate::scenario::{Edit, Scenario};
use crate::session::{Command, Measured, Session, Stop};
use base::params::ParamError;
use base::platform::{Instant, ONE_THREAD, drawing_time};

use super::analysis::AnalysisThread;
use super::jobs::Job;
use super::pace::{FRAME, Pace};
use super::{Order, Outlet, Pacing, Refusal, Speed, Status};

/// Time between two refreshes of the measures while playing, and between two progress reports on work out of sight.
const MEASURES: Duration = Duration::from_millis(100);

/// The rest after a picture of progress, in times that drawing takes from the steps.
const REST_OF_DRAWING: u32 = 4;

/// The rest after measures that take long, in lengths of that time: the window and the steps have the most of it.
const REST: u32 = 4;

/// A session at work.
pub struct Engine {
    session: Session,
    analysis_thread: AnalysisThread,
    /// Set by every order that stops a step under way.
    stop: Stop,
    inbox: Receiver<Order>,
    /// Orders that have come and have not been carried out, oldest first.
    orders: VecDeque<Order>,
    outlet: Outlet,
    mode: Pacing,
    playing: bool,
    pace: Pace,
    /// The newest scenario that edits in Instant ask for, until it is loaded.
    wanted: Option<Scenario>,
    /// The run that is computed out of sight.
    job: Option<Job>,
    /// Time at which somebody began to wait for a picture computed out of sight.
    awaited: Option<Instant>,
    refused: Option<Arc<Refusal>>,
    obeyed: u64,
    pictures: u64,
    took: Duration,
    last_frame: Instant,
    last_measures: Instant,
    /// Time that the last measures took.
    measured_in: Duration,
    /// Measures that are computed beside the steps.
    measuring: Option<Pin<Box<dyn Future<Output = Measured> + Send>>>,
    last_word: Instant,
    /// Whether a noise floor is not complete yet.
    floors_incomplete: bool,
    /// Whether the first turn has begun.
    begun: bool,
    /// Whether the session has failed, and no other one has begun.
    failed: bool,
}

impl Engine {
    pub fn new(
        session: Session,
        (analysis_thread, stop): (AnalysisThread, Stop),
        mode: Pacing,
        playing: bool,
        inbox: Receiver<Order>,
        outlet: Outlet,
    ) -> Self {
        let now = Instant::now();
        let mut engine = Self {
            session,
            analysis_thread,
            stop,
            inbox,
            orders: VecDeque::new(),
            outlet,
            mode,
            playing: playing && mode == Pacing::Watch,
            pace: Pace::new(Speed::Full),
            wanted: None,
            job: None,
            awaited: None,
            refused: None,
            obeyed: 0,
            pictures: 0,
            took: Duration::ZERO,
            last_frame: now,
            last_measures: now,
            measured_in: Duration::ZERO,
            measuring: None,
            last_word: now,
            floors_incomplete: false,
            begun: false,
            failed: false,
        };
        if playing && mode == Pacing::Instant {
            engine.aim(u64::MAX, now);
        }
        engine
    }

    /// Carries out the orders that have come, up to one that lets a job be finished first; returns whether there
    /// were any. Orders that have piled up cost one frame, not one each.
    fn obey_all(&mut self) -> bool {
        let before = self.obeyed;
        while let Some(order) = self.orders.pop_front() {
            if self.lets_finish(&order) {
                self.orders.push_front(order);
                break;
            }
            self.show_coarse_picture_before(&order);
            self.obeyed += 1;
            self.obey(order);
        }
        self.load_wanted();
        self.obeyed > before
    }

    /// Whether an order waits until the present job is done: edits and jumps may, everything else is obeyed at once.
    fn lets_finish(&self, order: &Order) -> bool {
        let (Some(job), Order::Session(command)) = (self.job, order) else { return false };
        let now = Instant::now();
        // What takes long makes way at once.
        !matches!(command, Command::Restart)
            && !self.session.has_long_steps()
            && (self.owes_coarse_picture(job, now) || !job.makes_way(self.tick(), self.awaited.unwrap_or(now), now))
    }

    fn obey(&mut self, order: Order) {
        match order {
            Order::Session(Command::Edit(edit)) if self.mode == Pacing::Instant => self.edit_out_of_sight(edit),
            Order::Speed(_) | Order::PauseAt(_) => self.pace.obey(order),
            order => {
                self.load_wanted();
                self.obey_loaded(order);
            }
        }
        self.pace.reset(self.tick());
    }

    /// Carries out an order; earlier edits are loaded already.
    fn obey_loaded(&mut self, order: Order) {
        match order {
            Order::Session(Command::Seek(step)) => self.seek(step),
            Order::Session(Command::Edit(edit)) => self.edit_in_sight(edit),
            Order::Session(Command::Clock(clock)) => self.change_clock(clock),
            Order::Session(Command::Restart) => {
                self.playing |= self.session.finished();
                self.job = None;
                self.command(Command::Restart);
            }
            Order::Play => {
                let ending = self.job.take_if(|job| job.to_end).is_some();
                if ending || self.session.finished() {
                    self.command(Command::Restart);
                }
                self.playing = true;
            }
            Order::Pause => self.stop(),
            Order::Step(steps) => {
                self.stop();
                match u64::try_from(steps) {
                    Ok(forward) if self.session.has_long_steps() => self.seek(self.tick().saturating_add(forward)),
                    Ok(forward) => self.session.advance(forward),
                    Err(_) => self.seek(self.tick().saturating_sub(steps.unsigned_abs())),
                }
            }
            Order::Pacing(mode) => self.switch(mode),
            Order::Reference(key, reference) => self.session.set_reference(key, reference),
            Order::Speed(_) | Order::PauseAt(_) => {}
        }
    }

    /// The time of the session.
    fn tick(&self) -> u64 {
        self.session.time().tick
    }

    fn stop(&mut self) {
        self.playing = false;
        self.job = None;
    }

    fn switch(&mut self, mode: Pacing) {
        self.mode = mode;
        match mode {
            Pacing::Instant => {
                self.playing = false;
                self.aim(u64::MAX, Instant::now());
            }
            Pacing::Watch => self.playing |= self.job.take_if(|job| job.to_end).is_some(),
        }
    }

    /// Goes to a step: back at once from the checkpoint before it, forward out of sight.
    fn seek(&mut self, step: u64) {
        if step < self.tick() {
            self.job = None;
            self.command(Command::Seek(step));
        } else {
            self.aim(step, Instant::now());
        }
    }

    /// Goes forward to a step out of sight.
    fn aim(&mut self, goal: u64, asked: Instant) {
        self.job = Some(Job::new(self.tick(), goal, self.session.time().end, asked));
        self.awaited.get_or_insert(asked);
    }

    fn command(&mut self, command: Command) {
        self.announce();
        let makes_targets = matches!(&command, Command::Edit(Edit::Load(_) | Edit::Replace(_) | Edit::Target { .. }));
        if makes_targets {
            self.outlet.put(|before| Status { making: Some(Instant::now()), ..before.clone() });
        }
        if let Err(errors) = self.session.apply(command) {
            self.refuse(errors);
        }
        if makes_targets {
            self.outlet.put(|before| Status { making: None, ..before.clone() });
        }
    }

    fn refuse(&mut self, errors: Vec<ParamError>) {
        let number = self.refused.as_ref().map_or(0, |refusal| refusal.number) + 1;
        self.refused = Some(Arc::new(Refusal { number, errors }));
    }

    /// Says that what begins now may take long.
    fn announce(&self) {
        if self.session.has_long_steps() {
            self.outlet.put(|before| Status { stepping: true, ..before.clone() });
        }
    }

    /// Takes so many steps and records how long they take. An order that comes meanwhile stops steps that take long.
    /// Returns whether they were taken.
    fn advance(&mut self, steps: u64) -> bool {
        let begun = Instant::now();
        self.announce();
        let taken = self.session.advance_unless(&self.stop, steps);
        self.pace.made(steps, self.session.work(), begun.elapsed());
        taken
    }

    /// Takes some steps out of sight, and shows the run if it has reached its goal.
    fn work_out_of_sight(&mut self, job: Job) {
        self.analysis_thread.note_activity();
        let left = job.until(self.session.time().end).goal.saturating_sub(self.tick());
        self.advance(self.pace.steps_per_call(self.session.work()).min(left));
        let job = job.until(self.session.time().end);
        if self.tick() < job.goal {
            self.job = Some(job);
            self.tell(job);
            return;
        }
        self.job = None;
        self.playing &= !self.session.finished();
        self.refresh_measures();
        if job.moves() {
            self.pictures += 1;
            self.took = job.took();
        }
        self.publish(false);
    }

    /// Has the slow measures of the newest frame computed in the second thread, and shows them when they are ready.
    fn analyse(&mut self) {
        self.analysis_thread.give_up_old(self.session.generation());
        let answer = self.analysis_thread.answer().filter(|answer| answer.generation == self.session.generation());
        let known = answer.is_some();
        for (run, analysis) in answer.into_iter().flat_map(|answer| answer.analyses).enumerate() {
            self.session.set_analysis(run, analysis);
        }
        // Slow measures of a job are asked for when it is shown.
        if self.job.is_none() {
            if known {
                self.publish(false);
            }
            self.analysis_thread.ask(&self.outlet.newest().frame, self.mode);
        }
    }

    /// Takes the steps that are due, and shows them. At rest it continues with the noise floors.
    fn work_in_sight(&mut self, news: bool) {
        if self.playing || news {
            self.analysis_thread.note_activity();
        }
        if !self.playing && !news {
            if self.floors_incomplete {
                self.floors_incomplete = self.session.refine_floors();
                if !self.floors_incomplete || self.last_frame.elapsed() >= MEASURES {
                    self.publish(false);
                }
            }
            return;
        }
        if !news {
            self.measure_on();
        }
        let was_playing = self.playing;
        if self.playing {
            let due = self.pace.due(self.session.work(), self.tick());
            let taken = due > 0 && self.advance(due);
            self.playing = !(self.session.finished() || taken && self.pace.pauses_at(self.tick()));
        }
        let news = news || was_playing != self.playing;
        if news || self.last_frame.elapsed() >= FRAME {
            let rest = MEASURES.max(REST * self.measured_in);
            let due = self.measuring.is_none() && self.last_measures.elapsed() >= rest;
            if ONE_THREAD && due && !news {
                self.measured_in = Duration::ZERO;
                self.measuring = Some(Box::pin(self.session.measuring()));
            }
            self.publish(news || due && !ONE_THREAD);
        }
    }

    /// Goes on with the measures that are computed beside the steps.
    fn measure_on(&mut self) {
        let Some(measuring) = &mut self.measuring else { return };
        let begun = Instant::now();
        let measured = measuring.as_mut().poll(&mut Context::from_waker(Waker::noop()));
        self.measured_in += begun.elapsed();
        if let Poll::Ready(measured) = measured {
            self.measuring = None;
            self.floors_incomplete = self.session.put_measures(measured);
            self.last_measures = Instant::now();
        }
    }

    fn refresh_measures(&mut self) {
        let begun = Instant::now();
        self.measuring = None;
        self.floors_incomplete = self.session.refresh_measures();
        self.last_measures = Instant::now();
        self.measured_in = self.last_measures - begun;
    }

    /// Shows the session as it is.
    fn publish(&mut self, measures: bool) {
        if measures {
            self.refresh_measures();
        }
        self.awaited = None;
        let rate = if self.playing { self.pace.steps_per_second(self.tick(), &self.session) } else { 0.0 };
        let status = Status {
            frame: Arc::new(self.session.frame()),
            obeyed: self.obeyed,
            playing: self.playing,
            mode: self.mode,
            computing: None,
            stepping: false,
            making: None,
            completing: self.floors_incomplete,
            pictures: self.pictures,
            took: self.took,
            speed: self.pace.speed,
            steps_per_second: rate,
            refused: self.refused.clone(),
            failure: None,
        };
        self.outlet.put(|_| status);
        self.last_frame = Instant::now();
    }

    /// Reports the progress of a job if it takes long, and other changes; the frame stays the last one shown.
    fn tell(&mut self, job: Job) {
        let now = Instant::now();
        let waiting = self.awaited.unwrap_or(now);
        let computing = Job::is_reported(waiting, now).then(|| job.share(self.tick()));
        let due = computing.is_some() && self.last_word.elapsed() >= MEASURES.max(REST_OF_DRAWING * drawing_time());
        if due && self.shows_unfinished() {
            self.last_word = now;
            return self.show_unfinished(job);
        }
        let before = self.outlet.newest();
        let changed = before.mode != self.mode || before.speed != self.pace.speed || before.playing != self.playing;
        if due || changed {
            self.last_word = now;
            let (mode, speed, playing) = (self.mode, self.pace.speed, self.playing);
            self.outlet.put(|before| Status { mode, speed, playing, computing, ..before.clone() });
        }
    }
}
