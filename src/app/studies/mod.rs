//! Studies: what is computed or asked beside the runs, each with what it has found so far. Repeats with other seeds ([`convergence`]), short
//! runs over many step sizes ([`range_test`]), the posterior by a long HMC run ([`reference`]), a grid over parameters ([`sweep`]), and
//! questions about the runs ([`challenge`]).

pub mod challenge;
pub mod convergence;
pub mod range_test;
pub mod reference;
pub mod sweep;
pub mod sweep_news;
