//! Launch of the window: display, size, icon, and the errors of the window system.

use std::path::PathBuf;

use egui::{IconData, ViewportBuilder};
use thiserror::Error;

use super::window::App;
use crate::params::ParamErrors;
use crate::platform::keep_freed_memory;
use crate::scenario::Scenario;

/// Size of the window at its first start, in points.
const SIZE: [f32; 2] = [1440.0, 900.0];

/// The smallest size of the window, in points: less than a screen of 1024 × 768 pixels with text at 150 %.
const MIN_SIZE: [f32; 2] = [640.0, 440.0];

/// Why there is no window.
#[derive(Debug, Error)]
pub enum LaunchError {
    /// There is no display to open a window on.
    #[error(
        "there is no display to open a window on; without one, `sampler-lab render` draws figures and `sampler-lab run` runs scenarios"
    )]
    NoDisplay,
    /// The window system refused.
    #[error("no window could be opened: {0}; `sampler-lab render` draws figures without one")]
    Window(#[from] eframe::Error),
}

/// The name under which the system keeps what belongs to the program.
const APP_ID: &str = "sampler-lab";

/// Opens the window, and returns when it is closed. It shows the scenario that is `named`, with the file that it was read from
/// and to which Save writes; without one, what was in the window last time, or the start page.
///
/// # Errors
/// If there is no display, or no window can be opened.
pub fn run(named: Option<(Scenario, Option<PathBuf>)>) -> Result<(), LaunchError> {
    if !has_display() {
        return Err(LaunchError::NoDisplay);
    }
    keep_freed_memory();
    let create = move |cc: &eframe::CreationContext<'_>| -> Result<Box<dyn eframe::App>, Box<dyn std::error::Error + Send + Sync>> {
        match App::start(cc, named, eframe::storage_dir(APP_ID).as_deref()) {
            Ok(app) => Ok(Box::new(app)),
            Err(errors) => Err(ParamErrors(errors).to_string().into()),
        }
    };
    eframe::run_native("Sampler Lab", options(), Box::new(create))?;
    Ok(())
}

fn options() -> eframe::NativeOptions {
    let viewport = ViewportBuilder::default()
        .with_title("Sampler Lab")
        .with_app_id(APP_ID)
        .with_inner_size(SIZE)
        .with_min_inner_size(MIN_SIZE)
        .with_clamp_size_to_monitor_size(true)
        .with_drag_and_drop(true)
        .with_icon(icon());
    // Dithering takes a fifth of a frame without a graphics card, and these shades look the same without it.
    eframe::NativeOptions { viewport, centered: true, dithering: false, ..eframe::NativeOptions::default() }
}

/// The icon; none if the picture cannot be read.
fn icon() -> IconData {
    eframe::icon_data::from_png_bytes(include_bytes!("../../assets/icon.png")).unwrap_or_default()
}

/// Whether there is a display. On Linux environment variables name it; other systems always have one.
fn has_display() -> bool {
    let named = |variable| std::env::var_os(variable).is_some_and(|value| !value.is_empty());
    !cfg!(target_os = "linux") || ["DISPLAY", "WAYLAND_DISPLAY", "WAYLAND_SOCKET"].into_iter().any(named)
}
