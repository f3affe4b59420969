//! What the window system is asked for.

use std::path::{Path, PathBuf};

use egui::{Context, DroppedFileHandle, ViewportCommand};
use rfd::FileDialog;

fn dialog(folder: Option<&Path>) -> FileDialog {
    folder.into_iter().fold(FileDialog::new(), FileDialog::set_directory)
}

/// Whether the system cannot have a file dialog: on Linux one is asked for over the bus of the session, or shown by a program.
#[must_use]
pub fn lacks_file_dialog() -> bool {
    if cfg!(not(target_os = "linux")) {
        return false;
    }
    let has_bus = std::env::var_os("DBUS_SESSION_BUS_ADDRESS").is_some()
        || std::env::var_os("XDG_RUNTIME_DIR").is_some_and(|folder| Path::new(&folder).join("bus").exists());
    let has_program = |folders| std::env::split_paths(folders).any(|folder| folder.join("zenity").is_file());
    !has_bus && !std::env::var_os("PATH").as_ref().is_some_and(has_program)
}

/// Asks for a file to open, of a kind with these extensions. `None` if the person cancels, and at once if the system has no file
/// dialog.
#[must_use]
pub fn file_to_open(folder: Option<&Path>, (kind, extensions): (&str, &[&str])) -> Option<PathBuf> {
    dialog(folder).add_filter(kind, extensions).pick_file()
}

/// Asks for a folder. `None` as in [`file_to_open`].
#[must_use]
pub fn folder_to_open(folder: Option<&Path>) -> Option<PathBuf> {
    dialog(folder).pick_folder()
}

/// Asks for a place for a file of a kind with this extension. `None` as in [`file_to_open`].
#[must_use]
pub fn file_to_write(folder: Option<&Path>, name: &str, (kind, extension): (&str, &str)) -> Option<PathBuf> {
    dialog(folder).add_filter(kind, &[extension]).set_file_name(name).save_file()
}

/// The path of a file that was dropped on the window, if it is there now.
#[must_use]
pub fn received(file: &DroppedFileHandle) -> Option<PathBuf> {
    Some(file.path().to_owned())
}

/// Whether programs can write into the clipboard.
#[must_use]
pub fn has_clipboard() -> bool {
    true
}

/// The address of the page: a window has none.
#[must_use]
pub fn address() -> Option<String> {
    None
}

/// Shows the title of the window.
pub fn show_title(context: &Context, title: &str) {
    context.send_viewport_cmd(ViewportCommand::Title(title.to_owned()));
}

/// Shows the address of what is in the window: a window has none.
pub fn show_address(_fragment: &str, _adds: bool) {}

/// Files that were given since the last call: none without a path.
#[must_use]
pub fn given() -> Vec<PathBuf> {
    Vec::new()
}
