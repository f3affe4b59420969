//! Settings as data: description (name, range, default, help) and value of every parameter of targets, methods and schedules.
//!
//! Everything that a scenario can name, e.g. a target, a method or a schedule, describes itself with a [`KindSpec`]:
//! its name and the table of its [`ParamSpec`]s. These tables are used to read, write and check scenario files, to lay
//! out the controls in the window, and to print the reference. A new parameter is one new line in one table.
//!
//! The values are [`Settings`]: a kind and one [`Value`] per parameter.
//! Some values are numbers with names of their own, or a [`Picture`]: levels on a grid.

mod error;
mod named;
mod picture;
mod printable;
mod settings;
mod spec;

pub use error::{MOST_ERRORS, ParamError, ParamErrors, more_errors};
pub use named::{MOST_NAMES, NamedNumber};
pub use picture::Picture;
pub use printable::{excerpt, message, printable, printable_lines};
pub use settings::{MOST_POINTS, Settings, Value};
pub use spec::{Choice, DefaultValue, Entry, Interval, KindSpec, ParamSpec, ParamType, find_kind, type_in_words};
