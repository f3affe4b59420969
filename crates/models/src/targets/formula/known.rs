//! Whether what integration finds counts as known, or why it does not, in words.

use super::faults::plain;
use super::integral::MOST_ERROR;
use super::search::Failure;
use super::survey::{AGREEMENT, Survey};
use super::tails;
use crate::targets::Support;
use base::math::Matrix;

/// Errors and differences that are evidence without bounds.
const CLOSE: f64 = 1e-8;

/// How far they may be apart where the density is of use all the same, though its truth is not known.
const FAR_APART: f64 = 1.0;

impl Survey<'_> {
    /// Why there is no result.
    pub(super) fn failure(&self) -> Option<Failure> {
        let [first, second] = &self.integrals;
        if first.improper || second.improper {
            return Some(Failure::Improper);
        }
        (!self.is_known() && self.apart() > FAR_APART).then_some(Failure::Uneven)
    }

    /// How far the results of both orders are apart.
    pub(super) fn apart(&self) -> f64 {
        let [first, second] = &self.integrals;
        (first.log_normaliser - second.log_normaliser).abs()
    }

    /// Whether the integrals are right, and bounds leave no room for more.
    pub(super) fn is_known(&self) -> bool {
        let first = &self.integrals[0];
        let is_accurate = self.apart() <= AGREEMENT && first.error <= MOST_ERROR;
        // Bounds of long formulas and of quotients may be of no use: then many more digits of both orders have to agree.
        let is_close = first.error <= CLOSE && self.apart() <= CLOSE;
        let is_complete = first.hidden <= MOST_ERROR || is_close;
        is_complete && (is_accurate || self.lattice.is_some()) && !tails::has_no_end(self.bare, self.highest())
    }

    /// Why the truth is not known, or which entries of the reported covariance do not exist.
    pub(super) fn unknown(&self, covariance: &Matrix) -> Option<String> {
        let first = &self.integrals[0];
        if self.is_known() {
            let is_missing = |covariance: &Matrix| covariance.iter().any(|entry| entry.is_nan());
            let words = || {
                let is_seen = self.integrals.iter().all(|integrals| !is_missing(&integrals.covariance));
                if is_seen && is_missing(&self.all_moments().1) {
                    "two rules of quadrature disagree about the covariance"
                } else {
                    "tails are too heavy for a covariance, or for quadrature of it"
                }
            };
            return is_missing(covariance).then(|| words().to_owned());
        }
        let apart = self.apart();
        let percent = |share: f64| format!("{} %", plain(100.0 * share, 2));
        let Support { min, max } = self.bare.info.support;
        let has_ends = (0..self.bare.info.dimension).all(|axis| min[axis].is_finite() && max[axis].is_finite());
        let help = if has_ends { "" } else { "; a support may help" };
        let reason = if tails::has_no_end(self.bare, self.highest()) {
            "far out the density falls too slowly for an integral".to_owned()
        } else if first.error >= 1.0 && self.lattice.is_none() {
            "quadrature does not converge".to_owned()
        } else if self.integrals.iter().any(|integrals| integrals.cut > MOST_ERROR) {
            "mass goes on where coordinates are too near to an end of the support, or too far from it, to be numbers"
                .to_owned()
        } else if apart > AGREEMENT && self.lattice.is_none() {
            format!("two rules of quadrature disagree about log Z by {apart:.1e}")
        } else if first.error > MOST_ERROR && self.lattice.is_none() {
            format!("quadrature may be off by {}", percent(first.error))
        } else if first.hidden < 1.0 {
            format!("bounds of the density leave room for {} more mass", percent(first.hidden))
        } else if first.hidden.is_finite() {
            format!("bounds of the density are too loose to say that no more mass is anywhere{help}")
        } else {
            format!("the density has no bound in places, where there may be more mass than was found{help}")
        };
        Some(reason)
    }
}
