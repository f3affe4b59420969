//! Target densities and statistical models: what is sampled from or approximated. Each module uses only those above it:
//!
//! - [`encoding`]: bytes of files as text.
//! - [`families`]: what kinds of targets mean to people, as data.
//! - [`formula`]: log densities in ordinary notation, with their derivatives.
//! - [`lda`]: latent Dirichlet allocation: corpora, inference and measures.
//! - [`targets`]: densities to sample from or to approximate.

#![warn(missing_docs)]
#![cfg_attr(test, expect(clippy::disallowed_methods, reason = "tests compare with the mathematics of the platform"))]

pub mod encoding;
pub mod families;
pub mod formula;
pub mod lda;
pub mod targets;
