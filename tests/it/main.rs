//! The integration tests, one binary.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]
#![expect(clippy::disallowed_methods, reason = "tests make files and threads of their own")]

mod algorithm_cases;
mod algorithms;
mod algorithms_fits;
mod app;
mod approximations;
mod architecture;
mod chains;
mod challenges;
mod changes;
mod cite;
mod cli;
mod clicks;
mod coordinates;
mod data;
mod data_window;
mod densities;
mod determinism;
mod documents;
mod exact;
mod exactness;
mod experiments;
mod failures;
#[cfg(target_os = "linux")]
mod faults;
mod formula_mutations;
mod formula_window;
mod formulas;
mod formulas_in_vectors;
mod functions;
mod glossary;
mod golden;
mod hand_out;
mod hands;
mod import_graph;
mod layout;
mod links;
mod manual;
mod maps;
mod mutations;
mod networks;
mod own_data;
mod own_schedules;
mod pairs;
mod playlists;
mod populations;
mod rates;
mod resvg;
mod rust_source;
mod schedule_editor;
mod screen;
mod serve;
mod server;
mod slider_ends;
mod standard_errors;
mod starts;
mod sweep;
mod sweep_window;
mod topics;
mod topics_lessons;
mod tour;
mod trials;
mod views;
mod weights;
