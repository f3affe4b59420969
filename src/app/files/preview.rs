//! Preview of the figure in the export dialog.

use std::fmt::{Debug, Formatter};
use std::time::Duration;

use egui::{ColorImage, Context, TextureHandle, TextureOptions};

use crate::platform::Instant;
use base::params::Settings;
use draw::sheet::{ExportOptions, Told};
use figure::Picture;

/// Time between two previews of a run that moves.
const REST: Duration = Duration::from_millis(700);

/// The preview of the export dialog.
#[derive(Default)]
pub struct Preview {
    /// What is shown, or is being drawn.
    asked: Option<(Wish, Moment)>,
    since: Option<Instant>,
    drawing: bool,
    picture: Option<TextureHandle>,
    told: Told,
}

impl Debug for Preview {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Preview").field("asked", &self.asked).field("drawing", &self.drawing).finish_non_exhaustive()
    }
}

/// What a preview is of: options of the figure, and the look that the scenario gives it.
pub type Wish = (ExportOptions, Option<Settings>);

/// Generation and tick of the frame that a preview shows.
type Moment = (u64, u64);

impl Preview {
    /// Notes that a picture of a moment is being drawn.
    pub fn begin(&mut self, wish: Wish, moment: Moment) {
        (self.asked, self.drawing) = (Some((wish, moment)), true);
    }

    /// Whether another picture is due: of other options or another look at once, of another moment after a rest.
    #[must_use]
    pub fn is_due(&self, wish: &Wish, moment: Moment) -> bool {
        let rested = self.since.is_none_or(|since| since.elapsed() >= REST);
        let other = |(shown, at): &(Wish, Moment)| shown != wish || (*at != moment && rested);
        !self.drawing && self.asked.as_ref().is_none_or(other)
    }

    /// Whether a picture is being drawn, or will be.
    #[must_use]
    pub fn is_behind(&self, wish: &Wish) -> bool {
        self.drawing || self.asked.as_ref().is_none_or(|(shown, _)| shown != wish)
    }

    /// The newest picture.
    #[must_use]
    pub fn picture(&self) -> Option<&TextureHandle> {
        self.picture.as_ref()
    }

    /// Whether the last picture could not be drawn.
    #[must_use]
    pub fn failed(&self) -> bool {
        self.picture.is_none() && !self.drawing && self.since.is_some() && self.asked.is_some()
    }

    /// What the figure tells beside its picture.
    #[must_use]
    pub fn told(&self) -> &Told {
        &self.told
    }

    /// Takes a picture of a moment that was drawn, if it could be. Another one may be asked for by now.
    pub fn take(&mut self, context: &Context, (of, drawn): (Moment, Option<(Picture, Told)>)) {
        (self.drawing, self.since) = (false, Some(Instant::now()));
        if self.asked.as_ref().is_none_or(|(_, asked)| *asked != of) {
            return;
        }
        let (picture, told) = drawn.unzip();
        self.told = told.unwrap_or_default();
        self.picture =
            picture.map(|picture| context.load_texture("preview", premultiplied(&picture), TextureOptions::LINEAR));
    }

    /// Forgets the picture, once the dialog is closed.
    pub fn close(&mut self) {
        (self.asked, self.picture) = (None, None);
    }
}

/// The picture for the screen.
fn premultiplied(picture: &Picture) -> ColorImage {
    image(picture, &picture.pixels().concat())
}

/// Bytes of a picture, red, green, blue and opacity of each pixel, as egui takes them.
pub(super) fn image(picture: &Picture, bytes: &[u8]) -> ColorImage {
    let size = [picture.width(), picture.height()].map(|side| side as usize);
    ColorImage::from_rgba_premultiplied(size, bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use draw::sheet::Format;
    use engine::scenario::figures::FIGURE;

    #[test]
    fn other_options_are_drawn_at_once_and_another_moment_after_a_rest() {
        let wish = (ExportOptions::default(), None);
        let mut preview = Preview::default();
        assert!(preview.is_due(&wish, (1, 5)));
        (preview.asked, preview.drawing) = (Some((wish.clone(), (1, 5))), true);
        assert!(!preview.is_due(&wish, (1, 5)) && preview.is_behind(&wish));
        preview.take(&Context::default(), ((1, 5), None));
        assert!(!preview.is_due(&wish, (1, 6)) && !preview.is_behind(&wish));
        preview.since = preview.since.map(|since| since - REST);
        assert!(preview.is_due(&wish, (1, 6)) && !preview.is_due(&wish, (1, 5)));
        let look = (wish.0.clone(), Some(Settings::defaults(&FIGURE)));
        assert!(preview.is_due(&look, (1, 5)));
        let (options, _) = wish;
        let other = ExportOptions { format: Format::Pdf, ..options };
        assert!(preview.is_due(&(other, None), (1, 5)));
    }
}
