//! Posteriors of data in the plane and regressions in d dimensions, one per file.

pub(super) mod beta_pair;
pub(super) mod beta_posterior;
pub(super) mod bivariate_mixture;
pub(super) mod hierarchical;
pub(super) mod linear_regression;
pub(super) mod logistic_regression;
pub(super) mod normal_gamma;
pub(super) mod regression;
pub(super) mod two_weight;
