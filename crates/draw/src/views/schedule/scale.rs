//! Scale of the axis of step sizes.

use engine::scenario::figures::OwnAxis;

/// Decades shown below the largest step size on a logarithmic axis: cycles end near 0.
const DECADES: f64 = 4.0;

/// The limit of stability is within the plot if it is at most this many times the largest step size.
const NEAR: f64 = 3.0;

/// Upper end of a linear axis, in multiples of the highest value shown.
const HEADROOM: f64 = 1.12;

/// Scale of the vertical axis.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scale {
    pub(super) log: bool,
    /// The largest step size of all.
    pub(super) largest: f64,
    /// The smallest limit of stability.
    pub(super) stable: Option<f64>,
    /// The number on the axis of a step size α = 1: 1, or 2 for ε.
    pub(super) unit: f64,
}

impl Scale {
    /// The position of a step size on the axis.
    pub(super) fn position(self, alpha: f64) -> f64 {
        let size = self.unit * alpha;
        if self.log { size.max(self.floor()).log10() } else { size }
    }

    /// The step size at a position on the axis.
    pub(super) fn alpha(self, position: f64) -> f64 {
        (if self.log { 10f64.powf(position) } else { position }) / self.unit
    }

    /// The smallest number on a logarithmic axis.
    pub(super) fn floor(self) -> f64 {
        self.top() * 10f64.powf(-DECADES)
    }

    pub(super) fn top(self) -> f64 {
        let near = self.stable.filter(|&stable| stable <= NEAR * self.largest).unwrap_or(0.0);
        let top = self.largest.max(near);
        self.unit * if top > 0.0 { top } else { 1.0 }
    }

    /// Whether a step size is on the axis, which has the limits of a figure if it gives some.
    pub(super) fn shows(self, alpha: f64, own: Option<&OwnAxis>) -> bool {
        let place = |value: f64| if self.log { value.log10() } else { value };
        let bounds = own.and_then(|own| own.limits).map(|ends| ends.map(place));
        let bounds = bounds.map_or_else(|| self.bounds(), |[low, high]| low..high);
        (bounds.start..=bounds.end).contains(&self.position(alpha))
    }

    pub(super) fn bounds(self) -> std::ops::Range<f64> {
        if self.log { self.floor().log10()..self.top().log10() + 0.15 } else { 0.0..HEADROOM * self.top() }
    }
}
