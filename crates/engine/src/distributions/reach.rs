//! How far a box has to reach: it grows until the hottest steps of a run and the first ones lose next to nothing, or no less than before.

use exact::{Masses, Refusal};

use super::NotComputed;
use super::level::{Cut, Level};
use super::plan::{Computable, Kind, PlannedStep};
use super::start::Origin;

/// The lower and upper end along each axis.
type Ends = [(f64, f64); 2];

/// Steps in which it is tried how much leaves a box.
const TRIED: u64 = 48;

/// Mass that may leave a box in those steps.
const LITTLE: f64 = 1e-11;

/// How often a box may grow, and by which factor.
const GROWTHS: usize = 14;
const GROWTH: f64 = 1.18;

/// Nodes of a line along which chains leave, whose distribution ends at the box, of the coarse grid at least.
const LEAKY: usize = 512;

/// Asked now and then whether to go on.
pub(super) type Asked<'g> = dyn FnMut() -> bool + 'g;

/// Ends that are no further out than these limits.
pub(super) fn within(ends: (f64, f64), limits: (f64, f64)) -> (f64, f64) {
    (ends.0.max(limits.0), ends.1.min(limits.1))
}

/// A box in which the hottest steps and the first ones lose little, and the nodes that its steps need at least.
pub(super) fn grown(
    of: &Computable,
    (mut ends, limits): (Ends, Ends),
    start: Option<&Origin>,
    go_on: &mut Asked<'_>,
) -> Result<(Ends, usize), NotComputed> {
    let mut tried = lost(of, ends, start, go_on)?;
    for _ in 0..GROWTHS {
        if tried.0 <= LITTLE {
            break;
        }
        let mut wider = ends;
        for (end, limit) in wider.iter_mut().zip(limits) {
            let more = 0.5 * (GROWTH - 1.0) * (end.1 - end.0);
            *end = within((end.0 - more, end.1 + more), limit);
        }
        // A box that is as wide as it may be, or does not get better.
        let found = match lost(of, wider, start, go_on) {
            Ok(found) => found,
            Err(NotComputed::Ended) => return Err(NotComputed::Ended),
            Err(_) => break,
        };
        if wider == ends || found.0 > 0.7 * tried.0 {
            break;
        }
        (ends, tried) = (wider, found);
    }
    let leaky = tried.0 > LITTLE && of.kind != Kind::Plane;
    Ok((ends, if leaky { tried.1.max(LEAKY) } else { tried.1 }))
}

/// How much leaves a box, and on how many nodes it could be tried.
fn lost(
    of: &Computable,
    ends: Ends,
    start: Option<&Origin>,
    go_on: &mut Asked<'_>,
) -> Result<(f64, usize), NotComputed> {
    let (first, most) = if of.kind == Kind::Plane { (72, 256) } else { (256, 4096) };
    let mut nodes = first;
    loop {
        let tried = lost_on(of, Cut { ends, nodes: [nodes; 2] }, start, go_on);
        match tried {
            Err(NotComputed::Refused(Refusal::Stretch { .. })) if nodes < most => nodes *= 2,
            // Where no more nodes were needed, there is no least number of them.
            found => return found.map(|lost| (lost, if nodes > first { nodes } else { 0 })),
        }
    }
}

fn lost_on(of: &Computable, cut: Cut, start: Option<&Origin>, go_on: &mut Asked<'_>) -> Result<f64, NotComputed> {
    let level = Level::new(of, cut)?;
    let hottest = of.hottest();
    let truth: Vec<Masses> = (0..level.factors())
        .map(|factor| match (level.line(factor, hottest.span), level.plane(hottest.span)) {
            (Some(line), _) => line.truth(),
            (_, Some(plane)) => plane.truth(),
            _ => Err(Refusal::Unsuited("there is no grid")),
        })
        .collect::<Result<_, _>>()?;
    let mut most = after(&level, truth, (1..=TRIED).map(|_| hottest), go_on)?;
    if let Some(first) = start.and_then(|start| level.first(start).ok()) {
        let last = TRIED.min(of.plan.steps);
        most = most.max(after(&level, first, (2..=last).map(|number| of.step(number)), go_on)?);
    }
    Ok(most)
}

fn after(
    level: &Level<'_>,
    mut masses: Vec<Masses>,
    steps: impl Iterator<Item = PlannedStep>,
    go_on: &mut Asked<'_>,
) -> Result<f64, NotComputed> {
    let mut movers = level.movers();
    for step in steps {
        if !go_on() {
            return Err(NotComputed::Ended);
        }
        Level::push(&mut movers, 1, &step, &mut masses)?;
    }
    Ok(masses.iter().map(|masses| masses.lost).fold(0.0, f64::max))
}
