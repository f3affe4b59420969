//! Opening the window.

use std::path::PathBuf;

use egui::{IconData, ViewportBuilder};
use thiserror::Error;

use super::App;
use super::actions::in_words;
use crate::scenario::Scenario;

/// Size of the window when it is first opened, in points.
const SIZE: [f32; 2] = [1440.0, 900.0];

/// The smallest size that shows everything that is needed, in points.
const MIN_SIZE: [f32; 2] = [800.0, 560.0];

/// Why there is no window.
#[derive(Debug, Error)]
pub enum LaunchError {
    /// There is no display to open a window on.
    #[error(
        "there is no display to open a window on; `sampler-lab render` draws figures without one, `sampler-lab run` runs"
    )]
    NoDisplay,
    /// The window system refused.
    #[error("no window could be opened: {0}; `sampler-lab render` draws figures without one")]
    Window(#[from] eframe::Error),
}

/// Opens the window with `scenario` running, which has been read and so checked, and returns when it is closed. `file` is where the
/// scenario came from and where Save will write it.
///
/// # Errors
/// If there is no display, or no window can be opened.
pub fn run(scenario: Scenario, file: Option<PathBuf>) -> Result<(), LaunchError> {
    if !has_display() {
        return Err(LaunchError::NoDisplay);
    }
    let create = move |cc: &eframe::CreationContext<'_>| -> Result<Box<dyn eframe::App>, Box<dyn std::error::Error + Send + Sync>> {
        match App::new(cc, scenario, file) {
            Ok(app) => Ok(Box::new(app)),
            Err(errors) => Err(in_words(&errors).into()),
        }
    };
    eframe::run_native("Sampler Lab", options(), Box::new(create))?;
    Ok(())
}

fn options() -> eframe::NativeOptions {
    let viewport = ViewportBuilder::default()
        .with_title("Sampler Lab")
        .with_app_id("sampler-lab")
        .with_inner_size(SIZE)
        .with_min_inner_size(MIN_SIZE)
        .with_drag_and_drop(true)
        .with_icon(icon());
    // Dithering costs a fifth of a frame where there is no graphics card, and the shades here need none.
    eframe::NativeOptions { viewport, centered: true, dithering: false, ..eframe::NativeOptions::default() }
}

/// The icon; a picture that cannot be read gives none.
fn icon() -> IconData {
    eframe::icon_data::from_png_bytes(include_bytes!("../../assets/icon.png")).unwrap_or_default()
}

/// Whether there is a display: where there may be none, the variables that name it tell.
fn has_display() -> bool {
    let named = |variable| std::env::var_os(variable).is_some_and(|value| !value.is_empty());
    !cfg!(target_os = "linux") || ["DISPLAY", "WAYLAND_DISPLAY", "WAYLAND_SOCKET"].into_iter().any(named)
}
