//! Second thread of the worker, which computes the slow measures from published frames.
//!
//! It answers one question at a time, run by run. While steps are taken in sight it works for at most a tenth of the time, so that it
//! hardly slows them, and in Instant while orders come for at most a twenty-fifth; at rest it answers as soon as there is a new frame.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, TryRecvError, channel};
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use crate::scenario::Pacing;
use crate::session::{Analyser, Analysis, Frame, RunFrame, Stop};
use base::platform::{Helper, Instant, Turn, spawn};

/// How long a question waits while steps are taken in sight, in multiples of the time that its answer will take.
const REST: f64 = 9.0;

/// How long it waits in Instant while orders come, in the same unit: pictures follow a slider without a break.
const REST_BETWEEN_ORDERS: f64 = 24.0;

/// Assumed time of an answer per draw before the first answer, in seconds: sorting and transforming are of this order.
const PER_DRAW: f64 = 1e-6;

/// With fewer draws than this an answer does not show the time per draw.
const FEWEST: u64 = 20_000;

/// Time without news after which the session counts as being at rest.
const CALM: Duration = Duration::from_millis(150);

/// An analysis of every run of a frame.
#[derive(Debug)]
pub struct FrameAnalyses {
    /// The generation of the frame.
    pub generation: u64,
    /// One for every run.
    pub analyses: Vec<Analysis>,
    /// Time to compute them, for runs that draw and for runs that fit or infer topics.
    took: [Duration; 2],
}

/// What an answer depends on: generation and step of a frame, the draws of its reference, and how many moments of topics
/// are known.
type About = (u64, u64, u64, usize);

fn about(frame: &Frame) -> About {
    let moments = frame.runs.iter().map(|run| run.analysis.topics.len()).sum();
    (frame.generation, frame.step, frame.reference.as_ref().map_or(0, |reference| reference.draws), moments)
}

/// Whether the time that an analysis of a run takes does not depend on the number of its draws.
fn is_of_fits(run: &RunFrame) -> bool {
    run.fits.is_some() || !run.topics.is_empty()
}

/// A question under way: the frame, the answers for its first runs, and how long they took.
type UnderWay = (Arc<Frame>, Vec<Analysis>, [Duration; 2]);

/// An analysis under way, and in the end the analyser that made it.
type Analysing = Pin<Box<dyn Future<Output = (Analyser, Analysis)> + Send>>;

fn analysing(mut analyser: Analyser, frame: Arc<Frame>, run: usize) -> Analysing {
    Box::pin(async move {
        let analysis = analyser.analyse(&frame, &frame.runs[run]).await;
        (analyser, analysis)
    })
}

/// An analyser in a thread of its own.
#[derive(Debug)]
pub struct AnalysisThread {
    questions: Option<Sender<Arc<Frame>>>,
    answers: Receiver<FrameAnalyses>,
    helper: Option<Helper>,
    /// The number of draws of the question under way, and the generation of its frame.
    asked: Option<(u64, u64)>,
    /// Stops measures of topics that nobody waits for any more.
    stop: Stop,
    /// Set when nobody waits for an answer any more.
    end: Arc<AtomicBool>,
    /// When the last answer came.
    answered: Instant,
    /// Time that it took per draw, in seconds.
    per_draw: f64,
    /// Time that it took for fits and topics, whatever their number of steps, in seconds.
    of_fits: f64,
    /// When there last was an order, or a step.
    last_activity: Instant,
    /// Subject of the newest answer, or of the question under way.
    known: Option<About>,
}

impl AnalysisThread {
    /// An analyser that waits for questions.
    ///
    /// # Errors
    /// If no thread can be started.
    pub fn start() -> std::io::Result<Self> {
        let (questions, inbox) = channel::<Arc<Frame>>();
        let (outbox, answers) = channel();
        let end = Arc::<AtomicBool>::default();
        let ended = end.clone();
        let stop = Stop::default();
        let stopped = stop.clone();
        let mut analyser = Some(Analyser::unless(stopped));
        let mut run_under_way: Option<Analysing> = None;
        let mut under_way: Option<UnderWay> = None;
        let work = move || {
            let (frame, mut analyses, mut took) = match under_way.take() {
                Some(question) => question,
                None => match inbox.try_recv() {
                    Ok(frame) => (frame, Vec::new(), [Duration::ZERO; 2]),
                    Err(TryRecvError::Empty) => return Turn::Idle,
                    Err(TryRecvError::Disconnected) => return Turn::Over,
                },
            };
            let next = frame.runs.get(analyses.len()).filter(|_| !ended.load(Ordering::Relaxed));
            if let Some(run) = next {
                let begun = Instant::now();
                let begin = || analyser.take().map(|analyser| analysing(analyser, frame.clone(), analyses.len()));
                let Some(mut future) = run_under_way.take().or_else(begin) else { return Turn::Over };
                let mut waker = Context::from_waker(Waker::noop());
                // A panic ends the thread without a word of its own; who asked finds the channel closed and says so.
                let Ok(poll) = catch_unwind(AssertUnwindSafe(|| future.as_mut().poll(&mut waker))) else {
                    return Turn::Over;
                };
                took[usize::from(is_of_fits(run))] += begun.elapsed();
                match poll {
                    Poll::Ready((made_by, analysis)) => {
                        analyser = Some(made_by);
                        analyses.push(analysis);
                    }
                    Poll::Pending => run_under_way = Some(future),
                }
                under_way = Some((frame, analyses, took));
                return Turn::More;
            }
            if run_under_way.take().is_some() {
                // Nobody waits for it any more.
                return Turn::Over;
            }
            let generation = frame.generation;
            if outbox.send(FrameAnalyses { generation, analyses, took }).is_ok() { Turn::More } else { Turn::Over }
        };
        let helper = spawn("analysis", work)?;
        let (questions, helper, now) = (Some(questions), Some(helper), Instant::now());
        Ok(Self {
            questions,
            answers,
            helper,
            asked: None,
            stop,
            end,
            answered: now,
            per_draw: PER_DRAW,
            of_fits: 0.0,
            last_activity: now,
            known: None,
        })
    }

    /// Whether a question is under way.
    pub fn busy(&self) -> bool {
        self.asked.is_some()
    }

    /// Whether something is known of a frame other than this one, or nothing at all.
    pub fn lags(&self, frame: &Frame) -> bool {
        self.known != Some(about(frame))
    }

    /// Notes that an order has come, or that steps are taken.
    pub fn note_activity(&mut self) {
        self.last_activity = Instant::now();
    }

    /// Gives up a question about a frame of another generation.
    pub fn give_up_old(&self, generation: u64) {
        if self.asked.is_some_and(|(_, asked)| asked != generation) {
            self.stop.set();
        }
    }

    /// Asks about a frame if that is due.
    pub fn ask(&mut self, frame: &Arc<Frame>, pacing: Pacing) {
        let now = Instant::now();
        let draws = frame.runs.iter().map(RunFrame::draws_in_series).sum();
        let fits = frame.runs.iter().any(is_of_fits);
        let of_fits = if fits { self.of_fits } else { 0.0 };
        let rest = if pacing == Pacing::Instant { REST_BETWEEN_ORDERS } else { REST };
        let rest = Duration::from_secs_f64(rest * (self.per_draw * draws as f64 + of_fits));
        let due = now.duration_since(self.answered) >= rest || now.duration_since(self.last_activity) >= CALM;
        if self.busy() || !due || !self.lags(frame) {
            return;
        }
        if let Some(questions) = &self.questions {
            // The only possible error is a thread that has ended, which the next look for an answer finds out.
            self.stop.clear();
            questions.send(Arc::clone(frame)).ok();
            self.helper.iter().for_each(Helper::wake);
            self.asked = Some((draws, frame.generation));
            self.known = Some(about(frame));
        }
    }

    /// The answer, if it has come.
    ///
    /// # Panics
    /// If the analyser has broken down; its message is on standard error.
    pub fn answer(&mut self) -> Option<FrameAnalyses> {
        let (draws, _) = self.asked?;
        match self.answers.try_recv() {
            Ok(answer) => {
                self.answered = Instant::now();
                let [of_draws, of_fits] = answer.took.map(|took| took.as_secs_f64());
                self.per_draw = of_draws / draws.max(FEWEST) as f64;
                self.of_fits = of_fits;
                self.asked = None;
                Some(answer)
            }
            Err(TryRecvError::Empty) => None,
            #[expect(clippy::panic, reason = "becomes a failure in the status, as any breakdown of the session does")]
            Err(TryRecvError::Disconnected) => panic!("the measures of the chains could not be computed"),
        }
    }
}

impl Drop for AnalysisThread {
    fn drop(&mut self) {
        self.end.store(true, Ordering::Relaxed);
        self.stop.set();
        self.questions = None;
        if let Some(helper) = self.helper.take() {
            helper.wake();
            helper.join();
        }
    }
}
