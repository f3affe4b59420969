//! Commands in the table, by what they are called in the code and by what they are about.

use Command as C;

use super::{Command, Group, Spec, TABLE};

/// The entry of a command.
#[must_use]
pub fn spec(command: Command) -> &'static Spec {
    // A test finds every command in the table.
    TABLE.iter().find(|spec| spec.command == command).unwrap_or(&TABLE[0])
}

/// The tooltip of a command.
#[must_use]
pub fn tip(command: Command) -> String {
    spec(command).tip()
}

/// Menus within the File menu, so that it has space in a low window: each stands where the first of its commands would.
pub const FILE_MENUS: [(&str, &[Command]); 4] = [
    (
        "Copy",
        &[
            C::Link,
            C::CopyCitations,
            C::CopyCaption,
            C::CopyCaptionForLatex,
            C::CopyShortCaption,
            C::CopyShortCaptionForLatex,
            C::CopyFigure,
        ],
    ),
    ("Playlist", &[C::Playlist, C::AddToPlaylist]),
    ("Documents", &[C::Report, C::Worksheet, C::HandOut]),
    ("Draws", &[C::CsvDraws, C::ZarrDraws, C::SaveCells]),
];

/// The commands of a group, in order.
pub fn of(group: Group) -> impl Iterator<Item = &'static Spec> {
    TABLE.iter().filter(move |spec| spec.group == group)
}
