//! Topics: latent Dirichlet allocation (LDA), its corpora, its inference, and its measures.
//!
//! Topics β_k ~ Dirichlet_V(η), k = 1 … K; shares of a document θ_d ~ Dirichlet_K(α); each token has a topic z ~ θ_d and
//! the word w ~ β_z. Likelihoods are of sequences of tokens, so there are no multinomial coefficients.
//!
//! D. M. Blei, A. Y. Ng and M. I. Jordan (2003), *Latent Dirichlet allocation*, JMLR 3; M. D. Hoffman, D. M. Blei, C. Wang and
//! J. Paisley (2013), *Stochastic variational inference*, JMLR 14, arXiv:1206.7051.
//!
//! Every method is a state that takes one step at a time and is given its random numbers. Costs are documents seen. A method
//! runs on one thread, so that its bits do not depend on the number of threads; runs are independent of one another.
//!
//! `reading` and `generator` make corpora, `local` has the local step of a document; `cavi`, `svi`, `gibbs`, `sgrld` are the methods; `elbo`,
//! `held_out`, `matching` (of topics with true ones), `path` (errors of smoothed steps) and `movement` the measures.

mod batches;
mod cavi;
mod corpus;
mod documents;
mod elbo;
mod generator;
mod gibbs;
mod held_out;
mod left_out;
mod limits;
mod local;
mod matching;
mod matrix;
mod model;
mod movement;
mod path;
pub mod reading;
mod sgrld;
mod statistics;
mod stop;
mod svi;
mod tile;
mod weights;

#[cfg(test)]
mod tests;

pub use batches::{Batches, Order};
pub use cavi::{Cavi, LocalStart};
pub use corpus::{Corpus, Recipe, Truth};
pub use documents::{Bag, Documents};
pub use elbo::Elbo;
pub use gibbs::Gibbs;
pub use held_out::{Completion, uniform_score};
pub use left_out::{Dropped, LeftOut, Rule};
pub use limits::{MOST_TOPICS, check};
pub use local::{Local, Tolerance};
pub use matching::{Matching, bars_found, divergence, hellinger};
pub use matrix::Topics;
pub use model::Model;
pub use movement::{Moved, Movement};
pub use path::{StepError, StepPath, smoothed_variance};
pub use sgrld::{InnerSweeps, Sgrld, SgrldRecord};
pub use statistics::{FullStatistics, Sparse};
pub use stop::Stop;
pub use svi::{Smoothing, Svi, SviRecord};
pub use weights::Weights;
