//! From the path of a run to the series of its collected draws.

use crate::diagnostics::Series;
use crate::scenario::RunPlan;

use super::history::History;

/// Adds the collected draws of a path to a series; steps that it has already are passed over, and those up to `since`.
pub fn extend(series: &mut Series, history: &History, plan: &RunPlan, since: u64) {
    // A schedule that has cycles only until an event changes it has none for a whole series.
    let cyclical = plan.segments.iter().all(|segment| segment.schedule.cycle(segment.from + 1).is_some());
    for row in history.row_from(series.last().max(since) + 1)..history.rows() {
        let step = history.step(row);
        let weight = plan.weight(step);
        if weight > 0.0 {
            let cycle = if cyclical { plan.segment_of(step).schedule.cycle(step) } else { None };
            let draw = |chain| history.position(row, chain).map_or([f64::NAN; 2], |at| [at.x, at.y]);
            series.push(step, cycle, weight, draw);
        }
    }
}
