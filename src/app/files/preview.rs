//! Preview of the figure in the export dialog.

use std::fmt::{Debug, Formatter};
use std::time::Duration;

use egui::{ColorImage, Context, TextureHandle, TextureOptions};

use crate::platform::Instant;
use draw::kit::background::Same;
use draw::sheet::{ExportOptions, Layers, Told};
use draw::views::coverage::pin::Pin;
use engine::scenario::{Scenario, ViewSpec};
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

/// What a preview is of, but for the moment: all that its picture depends on.
#[derive(Clone, Debug, PartialEq)]
pub struct Wish {
    /// The options of the figure.
    pub options: ExportOptions,
    /// What is shown, with the look that the scenario gives it.
    pub view: ViewSpec,
    /// The layers of the canvases, of which a view does not say all.
    pub layers: Layers,
    /// The scenario.
    pub scenario: Same<Scenario>,
    /// The pins of the coverage plot.
    pub pins: Vec<Pin>,
    /// How many repeats and cells of a sweep there are.
    pub studied: [usize; 2],
}

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
    use base::params::Settings;
    use draw::sheet::Format;
    use engine::scenario::figures::FIGURE;
    use engine::scenario::{LESSONS, view::Axis};
    use std::sync::Arc;

    #[test]
    fn other_options_are_drawn_at_once_and_another_moment_after_a_rest() {
        let scenario = Same(Arc::new(LESSONS[0].scenario().unwrap()));
        let (options, view, layers) = (ExportOptions::default(), ViewSpec::default(), Layers::default());
        let wish = Wish { options, view, layers, scenario, pins: Vec::new(), studied: [0; 2] };
        let mut preview = Preview::default();
        assert!(preview.is_due(&wish, (1, 5)));
        (preview.asked, preview.drawing) = (Some((wish.clone(), (1, 5))), true);
        assert!(!preview.is_due(&wish, (1, 5)) && preview.is_behind(&wish));
        preview.take(&Context::default(), ((1, 5), None));
        assert!(!preview.is_due(&wish, (1, 6)) && !preview.is_behind(&wish));
        preview.since = preview.since.map(|since| since - REST);
        assert!(preview.is_due(&wish, (1, 6)) && !preview.is_due(&wish, (1, 5)));
        let mut others = vec![wish; 5];
        others[0].options.format = Format::Pdf;
        others[1].view.figure = Some(Settings::defaults(&FIGURE));
        others[2].view.axis = Some(Axis::Gradients);
        others[3].layers.truth = false;
        others[4].studied[0] = 1;
        assert!(others.iter().all(|other| preview.is_due(other, (1, 5)) && preview.is_behind(other)));
    }
}
