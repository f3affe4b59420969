//! Controls in the row of tabs that several views share.

pub mod beside;
pub mod option;
pub mod reference;
pub mod study;
pub mod time_axis;
