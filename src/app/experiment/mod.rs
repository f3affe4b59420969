//! Experiment: what is in the window, whatever is seen of it. The [`model`] has the worker and its newest status, the scenario and the steps of
//! [`undo`]; [`origin`] says where the scenario came from, [`param_edit`] how its parameters change.

pub mod model;
pub mod origin;
pub mod param_edit;
pub mod undo;
