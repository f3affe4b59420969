//! Parameters as data: what can be set, in which range, with which meaning.
//!
//! A target, a method, a schedule or any other thing a scenario can name describes itself with a
//! [`KindSpec`]: its name and the table of its [`ParamSpec`]s. One walk over these tables reads and
//! writes scenario files, another checks them, another lays out the controls in the window, another
//! prints the reference. A new parameter is one new line in one table.
//!
//! The values themselves travel as [`Settings`]: a kind and one [`Value`] per parameter.

mod settings;
mod spec;

pub use settings::{ParamError, ParamErrors, Settings, Value, type_in_words};
pub use spec::{Choice, DefaultValue, Entry, Interval, KindSpec, ParamSpec, ParamType, find_kind, kinds};
