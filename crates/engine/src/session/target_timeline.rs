//! Timeline of the targets of a session, with the truth about each.
//!
//! Most scenarios have a single one. Where an event puts in another target, a span begins: chains continue from
//! where they are, and counts of draws start again, against the new truth.

use std::sync::{Arc, OnceLock};

use crate::diagnostics::{DrawCounts, Truth};
use crate::scenario::TargetSpan;
use base::math::{Pool, Simd};
use models::targets::{Coordinates, Density, Projection, Target};
use samplers::methods::{FitSpace, Method};

/// Spans whose truth is kept at hand; a few megabytes each. Others are computed again when they are needed.
const KEPT: usize = 4;

/// What all runs of a session share in one span.
#[derive(Clone, Debug)]
pub struct TargetContext {
    /// The density in θ.
    pub target: Arc<Target>,
    /// The density in the coordinates of samplers.
    sampled: Arc<Target>,
    /// The density in unbounded coordinates, computed at first use.
    open: Arc<OnceLock<Arc<Target>>>,
    /// The truth to measure against.
    pub truth: Arc<Truth>,
    /// What is left of it once draws have contradicted it.
    withdrawn: Arc<OnceLock<Arc<Truth>>>,
    /// The instruction set to use; a matter of speed alone.
    pub simd: Simd,
    /// Memory for paths.
    pub pool: Arc<Pool<f64>>,
}

/// The density as the chains of a method see it.
#[derive(Clone, Copy, Debug)]
pub struct ChainSpace<'a> {
    /// The density in the coordinates of the chains.
    pub target: &'a Arc<Target>,
    /// From these to θ.
    pub coordinates: Coordinates,
}

impl TargetContext {
    /// The plane in which chains are drawn and counted.
    pub fn projection(&self) -> &Projection {
        self.target.projection()
    }

    /// Coordinates of a chain.
    pub fn dimension(&self) -> usize {
        self.target.space().coordinates()
    }

    /// N, the number of data; 1 for a target without data.
    pub fn data(&self) -> usize {
        self.target.data_count().unwrap_or(1)
    }

    /// The truth, or what is left of it where some draws have contradicted it.
    pub fn truth_unless(&self, refuted: bool) -> &Arc<Truth> {
        if refuted { self.withdrawn.get_or_init(|| Arc::new(self.truth.withdrawn())) } else { &self.truth }
    }

    /// The same where these draws may have.
    pub fn truth_after(&self, draw_counts: &DrawCounts) -> &Arc<Truth> {
        let is_refuted = |density: &Arc<dyn Density>| self.truth.is_refuted_by(density.as_ref(), draw_counts);
        self.truth_unless(self.target.density().is_some_and(is_refuted))
    }

    /// The coordinates that chains of `method` use.
    pub fn space(&self, method: &dyn Method) -> ChainSpace<'_> {
        let info = self.target.info();
        let coordinates = Coordinates::of(info);
        match method.fitting().map_or(FitSpace::Samplers, |fitting| fitting.space) {
            FitSpace::Open if coordinates != Coordinates::open(info) => {
                let target = self.open.get_or_init(|| self.target.open());
                ChainSpace { target, coordinates: Coordinates::open(info) }
            }
            FitSpace::Theta if !coordinates.is_identity() => {
                ChainSpace { target: &self.target, coordinates: Coordinates::plain() }
            }
            _ => ChainSpace { target: &self.sampled, coordinates },
        }
    }
}

/// All spans of a session.
#[derive(Debug)]
pub struct TargetTimeline {
    spans: Vec<TargetSpan>,
    contexts: Vec<OnceLock<TargetContext>>,
    simd: Simd,
    pool: Arc<Pool<f64>>,
}

impl TargetTimeline {
    /// From at least one span, the first of which begins at step 0.
    pub fn new(spans: Vec<TargetSpan>, simd: Simd, pool: Arc<Pool<f64>>) -> Self {
        let contexts = spans.iter().map(|_| OnceLock::new()).collect();
        Self { spans, contexts, simd, pool }
    }

    /// The targets and when they begin.
    pub fn spans(&self) -> &[TargetSpan] {
        &self.spans
    }

    /// The instruction set, and the memory for paths.
    pub fn simd_and_pool(&self) -> (Simd, Arc<Pool<f64>>) {
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

    /// The target and truth of span number `span`, computed at first use.
    pub fn context(&self, span: usize) -> &TargetContext {
        self.contexts[span].get_or_init(|| {
            let target = self.spans[span].target.clone();
            TargetContext {
                sampled: target.sampled(),
                open: Arc::default(),
                truth: Arc::new(Truth::of(target.as_ref())),
                withdrawn: Arc::default(),
                target,
                simd: self.simd,
                pool: self.pool.clone(),
            }
        })
    }

    /// The spans with another one among them instead of one that begins at the same step.
    pub fn with(&self, span: &TargetSpan) -> Vec<TargetSpan> {
        let others = self.spans.iter().filter(|other| other.from != span.from);
        let mut spans: Vec<TargetSpan> = others.chain([span]).cloned().collect();
        spans.sort_by_key(|span| span.from);
        spans
    }

    /// Replaces the spans; contexts of spans that stay are kept.
    pub fn replace(&mut self, spans: Vec<TargetSpan>) {
        let known = |span: &TargetSpan| {
            let same = |other: &TargetSpan| other.from == span.from && Arc::ptr_eq(&other.target, &span.target);
            let index = self.spans.iter().position(same)?;
            self.contexts[index].get().cloned()
        };
        self.contexts = spans.iter().map(|span| known(span).map_or_else(OnceLock::new, OnceLock::from)).collect();
        self.spans = spans;
    }

    /// Drops the contexts of spans far from number `span`.
    pub fn forget_far_from(&mut self, span: usize) {
        for (number, context) in self.contexts.iter_mut().enumerate() {
            if number.abs_diff(span) >= KEPT {
                context.take();
            }
        }
    }
}
