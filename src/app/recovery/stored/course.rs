//! What Page Down follows, in the file of a session: the key of a path, and a playlist as the text of its file.

use std::path::PathBuf;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::lenient::lenient;
use crate::app::recovery::session::Course;
use crate::app::view::playlist::OpenPlaylist;
use engine::scenario::{PATHS, Playlist};

/// What Page Down follows; what of it is damaged is left out.
#[derive(Debug, Default, Deserialize, Serialize)]
pub(super) struct StoredCourse {
    #[serde(default, deserialize_with = "lenient")]
    path: Option<String>,
    #[serde(default, deserialize_with = "lenient")]
    playlist: Option<StoredPlaylist>,
}

/// A playlist that is open.
#[derive(Debug, Deserialize, Serialize)]
struct StoredPlaylist {
    text: String,
    folder: PathBuf,
    file: Option<PathBuf>,
    position: Option<usize>,
    changed: bool,
}

impl StoredCourse {
    pub(super) fn of(course: &Course) -> Self {
        let stored = |open: &Arc<OpenPlaylist>| StoredPlaylist {
            text: open.playlist.write(),
            // The next start may be in another folder.
            folder: std::path::absolute(&open.playlist.folder).unwrap_or_else(|_| open.playlist.folder.clone()),
            file: open.file.clone(),
            position: open.position,
            changed: open.changed,
        };
        // An empty playlist cannot be read again, and nothing is lost with it.
        let playlist = course.playlist.as_ref().filter(|open| !open.playlist.items.is_empty()).map(stored);
        Self { path: course.path.map(|path| path.key.to_owned()), playlist }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.path.is_none() && self.playlist.is_none()
    }

    pub(super) fn course(self) -> Course {
        let path = self.path.and_then(|key| PATHS.iter().find(|path| path.key == key));
        let opened = |stored: StoredPlaylist| {
            let StoredPlaylist { text, folder, file, position, changed } = stored;
            let playlist = Playlist::read(&text, "session", folder).ok()?;
            Some(Arc::new(OpenPlaylist { playlist, file, position, changed, removed: None }))
        };
        Course { path, playlist: self.playlist.and_then(opened) }
    }
}
