//! Launch of the window: display, size, icon, and the errors of the window system.

use std::num::NonZeroUsize;
use std::path::Path;

use egui::{Context, IconData, ViewportBuilder};
use thiserror::Error;

use super::window::{App, Named};
use crate::app::view::prefs::{self, Prefs};
use crate::output::{replace_file, set_aside};
use crate::platform::keep_freed_memory;
use base::params::ParamErrors;

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

/// Passes that egui may make in a frame, as eframe has it.
const PASSES: NonZeroUsize = NonZeroUsize::new(2).unwrap();

/// The file in which eframe keeps the preferences, and its largest size in bytes.
const PREFERENCES: &str = "app.ron";
const LARGEST: u64 = 16 << 20;

/// The name under which the system keeps what belongs to the program.
const APP_ID: &str = "sampler-lab";

/// Opens the window, and returns when it is closed. It shows the scenario that is `named`, with the file that it was read from
/// and to which Save writes, or why there is none; without one, what was in the window last time, or the start page.
///
/// # Errors
/// If there is no display, or no window can be opened.
pub fn run(named: Option<Named>) -> Result<(), LaunchError> {
    if !has_display() {
        return Err(LaunchError::NoDisplay);
    }
    keep_freed_memory();
    let folder = eframe::storage_dir(APP_ID);
    let create =
        |cc: &eframe::CreationContext<'_>| -> Result<Box<dyn eframe::App>, Box<dyn std::error::Error + Send + Sync>> {
            match App::start(cc, named, folder.as_deref(), false) {
                Ok(app) => Ok(Box::new(app)),
                Err(errors) => Err(ParamErrors(errors).to_string().into()),
            }
        };
    // A context of our own: what egui keeps of its memory is not checked by it, and one damaged number ends every start.
    let context = Context::default();
    context.set_embed_viewports(false);
    let zoom = folder.as_deref().map(kept).unwrap_or_default().zoom();
    // The size of the window depends on the zoom.
    context.options_mut(|options| (options.max_passes, options.zoom_factor) = (PASSES, zoom));
    eframe::run_native_ext("Sampler Lab", options(), Some(context), Box::new(create))?;
    Ok(())
}

/// The preferences in a folder. What is no file, or larger than preferences are, gets out of the way.
fn kept(folder: &Path) -> Prefs {
    let path = folder.join(PREFERENCES);
    let Ok(about) = std::fs::metadata(&path) else { return Prefs::default() };
    if !about.is_file() || about.len() > LARGEST {
        // Where it cannot be moved, nothing can be kept either.
        set_aside(&path).ok();
        return Prefs::default();
    }
    let Ok(text) = std::fs::read_to_string(&path) else { return Prefs::default() };
    let (prefs, mended) = prefs::read(&text);
    if let Some(mended) = mended {
        // Where it cannot be written, the window is small.
        replace_file(&path, mended.as_bytes()).ok();
    }
    prefs
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
    eframe::icon_data::from_png_bytes(include_bytes!("../../../assets/icon.png")).unwrap_or_default()
}

/// Whether there is a display. On Linux environment variables name it; other systems always have one.
#[must_use]
pub fn has_display() -> bool {
    let named = |variable| std::env::var_os(variable).is_some_and(|value| !value.is_empty());
    !cfg!(target_os = "linux") || ["DISPLAY", "WAYLAND_DISPLAY", "WAYLAND_SOCKET"].into_iter().any(named)
}
