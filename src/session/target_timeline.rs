//! The targets of a session, one after another, with the truth about each: what runs move in.
//!
//! Most scenarios have a single one. Where an event puts another target in its place, an span begins: chains go on from
//! where they are, and their draws are counted anew, against the new truth.

use std::sync::{Arc, OnceLock};

use crate::diagnostics::Truth;
use crate::math::Simd;
use crate::methods::{FitSpace, Method};
use crate::scenario::TargetSpan;
use crate::targets::{Coordinates, Target, open_target, sampling_target};

use super::history::Pool;

/// Spans whose truth is kept at hand; a few megabytes each. Others are worked out again when somebody goes there.
const KEPT: usize = 4;

/// What all runs of a session share in one span.
#[derive(Clone, Debug)]
pub struct TargetContext {
    /// The density in θ.
    pub target: Arc<dyn Target>,
    /// The density in the coordinates of samplers.
    sampled: Arc<dyn Target>,
    /// The density in coordinates without edges, once somebody has asked for it.
    open: Arc<OnceLock<Arc<dyn Target>>>,
    /// The truth to measure against.
    pub truth: Arc<Truth>,
    /// The instruction set to use; a matter of speed alone.
    pub simd: Simd,
    /// Memory for paths.
    pub pool: Arc<Pool>,
}

/// The density as the chains of a method see it.
#[derive(Clone, Copy, Debug)]
pub struct Space<'a> {
    /// The density in the coordinates of the chains.
    pub target: &'a Arc<dyn Target>,
    /// From these to θ.
    pub coordinates: Coordinates,
}

impl TargetContext {
    /// The coordinates in which chains of `method` live.
    pub fn space(&self, method: &dyn Method) -> Space<'_> {
        let info = self.target.info();
        let coordinates = Coordinates::of(info);
        match method.fitting().map_or(FitSpace::Samplers, |fitting| fitting.space) {
            FitSpace::Open if coordinates != Coordinates::open(info) => {
                let target = self.open.get_or_init(|| open_target(&self.target));
                Space { target, coordinates: Coordinates::open(info) }
            }
            FitSpace::Theta if !coordinates.is_identity() => {
                Space { target: &self.target, coordinates: Coordinates::plain() }
            }
            _ => Space { target: &self.sampled, coordinates },
        }
    }
}

/// All spans of a session.
#[derive(Debug)]
pub struct TargetTimeline {
    spans: Vec<TargetSpan>,
    timeline: Vec<OnceLock<TargetContext>>,
    simd: Simd,
    pool: Arc<Pool>,
}

impl TargetTimeline {
    /// From at least one span, the first of which begins at step 0.
    pub fn new(spans: Vec<TargetSpan>, simd: Simd, pool: Arc<Pool>) -> Self {
        let timeline = spans.iter().map(|_| OnceLock::new()).collect();
        Self { spans, timeline, simd, pool }
    }

    /// The targets and when they begin.
    pub fn spans(&self) -> &[TargetSpan] {
        &self.spans
    }

    /// The instruction set, and the memory for paths.
    pub fn means(&self) -> (Simd, Arc<Pool>) {
        (self.simd, self.pool.clone())
    }

    /// The number of the span that there is after `step` steps.
    pub fn span_at(&self, step: u64) -> usize {
        self.spans.partition_point(|span| span.from <= step).max(1) - 1
    }

    /// The first step after `step` at which another span begins.
    pub fn next_after(&self, step: u64) -> Option<u64> {
        self.spans.iter().map(|span| span.from).find(|&from| from > step)
    }

    /// The world of span number `span`.
    pub fn context(&self, span: usize) -> &TargetContext {
        self.timeline[span].get_or_init(|| {
            let target = self.spans[span].target.clone();
            TargetContext {
                sampled: sampling_target(&target),
                open: Arc::default(),
                truth: Arc::new(Truth::new(target.as_ref())),
                target,
                simd: self.simd,
                pool: self.pool.clone(),
            }
        })
    }

    /// The spans with another one among them, in the place of one that begins at the same step.
    pub fn with(&self, span: &TargetSpan) -> Vec<TargetSpan> {
        let others = self.spans.iter().filter(|other| other.from != span.from);
        let mut spans: Vec<TargetSpan> = others.chain([span]).cloned().collect();
        spans.sort_by_key(|span| span.from);
        spans
    }

    /// Puts other spans in the place of these; what is known of those that stay is kept.
    pub fn replace(&mut self, spans: Vec<TargetSpan>) {
        let known = |span: &TargetSpan| {
            let same = |other: &TargetSpan| other.from == span.from && Arc::ptr_eq(&other.target, &span.target);
            let place = self.spans.iter().position(same)?;
            self.timeline[place].get().cloned()
        };
        self.timeline = spans.iter().map(|span| known(span).map_or_else(OnceLock::new, OnceLock::from)).collect();
        self.spans = spans;
    }

    /// Forgets what is known of spans far from number `span`, if it is much.
    pub fn tidy(&mut self, span: usize) {
        for (number, context) in self.timeline.iter_mut().enumerate() {
            if number.abs_diff(span) >= KEPT {
                context.take();
            }
        }
    }
}
