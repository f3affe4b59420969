//! Figures that leave the window, drawn in the background: as a file, for the clipboard, and small as a preview.

use std::fmt::{Debug, Formatter};
use std::mem::replace;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use egui::{ColorImage, Context, TextureHandle, TextureOptions};

use super::files::{NewFile, Purpose, SaveError};
use super::slices::{Job, Slice, Slices};
use super::state::State;
use super::tasks::{Done, Task};
use super::work::as_seen;
use crate::draw::sheet::{self, Dimensions, DrawError, ExportOptions, Extras, Format, Moving, Over, RESOLUTIONS};
use crate::figure::Picture;
use crate::platform::Instant;
use crate::scenario::Scenario;
use crate::session::Frame;

/// Time between two previews of a run that moves.
const REST: Duration = Duration::from_millis(700);

/// The preview of the export dialog.
#[derive(Default)]
pub struct Preview {
    /// What is shown, or is being drawn.
    asked: Option<(ExportOptions, Moment)>,
    since: Option<Instant>,
    drawing: bool,
    picture: Option<TextureHandle>,
}

impl Debug for Preview {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Preview").field("asked", &self.asked).field("drawing", &self.drawing).finish_non_exhaustive()
    }
}

/// Generation and tick of the frame that a preview shows.
type Moment = (u64, u64);

impl Preview {
    /// Whether another picture is due: of other options at once, of another moment after a rest.
    #[must_use]
    pub fn is_due(&self, options: &ExportOptions, moment: Moment) -> bool {
        let rested = self.since.is_none_or(|since| since.elapsed() >= REST);
        let other = |(shown, at): &(ExportOptions, Moment)| shown != options || (*at != moment && rested);
        !self.drawing && self.asked.as_ref().is_none_or(other)
    }

    /// Whether a picture is being drawn, or will be.
    #[must_use]
    pub fn is_behind(&self, options: &ExportOptions) -> bool {
        self.drawing || self.asked.as_ref().is_none_or(|(shown, _)| shown != options)
    }

    /// The newest picture.
    #[must_use]
    pub fn picture(&self) -> Option<&TextureHandle> {
        self.picture.as_ref()
    }

    /// Takes a picture that was drawn, if it could be.
    pub fn take(&mut self, context: &Context, drawn: Option<Picture>) {
        (self.drawing, self.since) = (false, Some(Instant::now()));
        self.picture =
            drawn.map(|picture| context.load_texture("preview", premultiplied(&picture), TextureOptions::LINEAR));
    }

    /// Forgets the picture, once the dialog is closed.
    pub fn close(&mut self) {
        (self.asked, self.picture) = (None, None);
    }
}

/// The figure at a resolution at which it has about `most` pixels along its longer side. Its layout is the same.
#[must_use]
pub fn small(size: Dimensions, most: f64) -> Dimensions {
    let longer = size.pixels().into_iter().max().map_or(1.0, f64::from).max(1.0);
    let inches = size.in_inches();
    let dpi = (size.dpi * (most / longer).min(1.0)).max(*RESOLUTIONS.start());
    Dimensions { dpi, ..inches }
}

/// Draws the preview of the figure with `most` pixels along its longer side.
pub fn preview(state: &mut State, most: f64) {
    let (options, frame, extras) = asked(state);
    let preview = &mut state.view.preview;
    (preview.asked, preview.drawing) = (Some((options.clone(), (frame.generation, frame.time.tick))), true);
    state.tasks.start(Task::Preview, move || {
        let options = ExportOptions { size: small(options.size, most), ..options };
        Done::Previewed(sheet::render(&frame, &options, &extras).ok())
    });
}

/// Draws the figure and writes its file.
pub fn export(state: &mut State, path: PathBuf, replace: bool) {
    remember(state);
    if state.view.export.format.moves() {
        return export_moving(state, path, replace);
    }
    let (options, frame, extras) = asked(state);
    state.tasks.start(Task::Export, move || {
        let draw = || {
            Purpose::Export(options.format).check_extension(&path)?;
            let file = NewFile::at(&path, replace)?;
            let format = Format::of(&path).unwrap_or(options.format);
            file.write(&sheet::file(&frame, &options, &extras, format)?)?;
            Ok::<_, SaveError>(options.size.pixels())
        };
        let result = draw();
        Done::Exported { path, job: None, result }
    });
}

/// A figure that moves, which is being drawn; it ends when this is dropped.
#[derive(Debug)]
pub struct Drawing {
    job: Job,
    frames: u32,
}

impl Drawing {
    /// Whether this is the job with that number.
    #[must_use]
    pub fn is(&self, ticket: u64) -> bool {
        self.job.ticket == ticket
    }

    /// How far it is, in words: `37 of 300 pictures`.
    #[must_use]
    pub fn in_words(&self) -> String {
        let drawn = (self.job.share() * self.frames as f32).round();
        let frames = self.frames;
        format!("{drawn} of {frames} {}", if frames == 1 { "picture" } else { "pictures" })
    }
}

/// Draws a figure that moves, picture by picture, and writes its file. An earlier one that is still being drawn is given up.
fn export_moving(state: &mut State, path: PathBuf, replace: bool) {
    let (options, frame, extras) = asked(state);
    let (scenario, frames) = (frame.scenario.clone(), options.motion.frames);
    let job = state.tasks.slices(Task::Export, |ticket| MovingFile {
        ticket,
        path,
        state: Stage::Asked { scenario, options: Box::new(options), extras: Box::new(extras), replace },
    });
    state.view.drawing = Some(Drawing { job, frames });
}

/// The file of a figure that moves.
struct MovingFile {
    ticket: u64,
    path: PathBuf,
    state: Stage,
}

/// How far it is.
enum Stage {
    /// Nothing is there yet.
    Asked { scenario: Arc<Scenario>, options: Box<ExportOptions>, extras: Box<Extras>, replace: bool },
    /// Its place is taken, and pictures are being drawn.
    Drawn { file: NewFile, moving: Box<Moving>, size: [u32; 2] },
    /// Nothing is left to do.
    Over,
}

impl MovingFile {
    /// Takes the place of the file.
    fn begin(
        &self,
        (scenario, options, extras, replace): (&Scenario, ExportOptions, Extras, bool),
    ) -> Result<Stage, SaveError> {
        Purpose::Export(options.format).check_extension(&self.path)?;
        let file = NewFile::at(&self.path, replace)?;
        let (size, motion) = (options.size.pixels(), options.motion.clone());
        let format = Format::of(&self.path).unwrap_or(options.format);
        let moving = Moving::new(scenario, &motion, (options, extras), format).map_err(DrawError::from)?;
        Ok(Stage::Drawn { file, moving: Box::new(moving), size })
    }

    fn ended(&self, result: Result<[u32; 2], SaveError>) -> Slice<Done> {
        Slice::last(Done::Exported { path: self.path.clone(), job: Some(self.ticket), result })
    }
}

impl Slices<Done> for MovingFile {
    fn step(&mut self, budget: Duration) -> Slice<Done> {
        let since = Instant::now();
        match replace(&mut self.state, Stage::Over) {
            Stage::Asked { scenario, options, extras, replace } => {
                match self.begin((&scenario, *options, *extras, replace)) {
                    Err(error) => self.ended(Err(error)),
                    Ok(stage) => {
                        self.state = stage;
                        Slice { done: Some(Done::Begun), ..Slice::after(0.0) }
                    }
                }
            }
            Stage::Drawn { file, mut moving, size } => loop {
                match moving.piece() {
                    Err(error) => return self.ended(Err(error.into())),
                    Ok(true) => {
                        let written = moving.finish().map_err(SaveError::from).and_then(|bytes| file.write(&bytes));
                        return self.ended(written.map(|()| size));
                    }
                    Ok(false) if since.elapsed() < budget => {}
                    Ok(false) => {
                        let slice = Slice::after(moving.share());
                        self.state = Stage::Drawn { file, moving, size };
                        return slice;
                    }
                }
            },
            Stage::Over => Slice::end(),
        }
    }
}

/// Draws the figure for the clipboard.
pub fn copy(state: &mut State) {
    remember(state);
    let (options, frame, extras) = asked(state);
    state.tasks.start(Task::Export, move || {
        Done::Drawn(sheet::render(&frame, &options, &extras).map(|picture| straight(&picture)))
    });
}

/// The options of the last figure are those of the next one, after the next start as well.
fn remember(state: &mut State) {
    state.prefs.figure = state.view.export.clone();
    // The picture belongs to the scenario.
    state.prefs.figure.choose(sheet::Picture::Sheet);
    state.prefs.figure.motion.over = Over::default();
}

/// What is asked for: the options of the figure, the frame, and what the figure shows besides.
fn asked(state: &State) -> (ExportOptions, Arc<Frame>, Extras) {
    (state.view.export.clone(), state.model.frame().clone(), extras(state))
}

/// What the figure shows besides the frame: what the window shows.
fn extras(state: &State) -> Extras {
    let State { model, view, prefs, .. } = state;
    Extras {
        choice: view.study.choice,
        repeats: view.study.repeats().to_vec(),
        sweep: view.sweep.swept(model.scenario()),
        path: view.path.clone(),
        trail: view.coverage.trail.clone(),
        pins: prefs.pins.clone(),
        layers: view.layers,
        options: view.options,
        view: as_seen(model, view).view,
        ..Extras::default()
    }
}

/// The picture for the screen.
fn premultiplied(picture: &Picture) -> ColorImage {
    image(picture, &picture.pixels().concat())
}

/// The picture as other programs expect it in the clipboard.
fn straight(picture: &Picture) -> ColorImage {
    image(picture, &picture.straight())
}

fn image(picture: &Picture, bytes: &[u8]) -> ColorImage {
    let size = [picture.width(), picture.height()].map(|side| side as usize);
    ColorImage::from_rgba_premultiplied(size, bytes)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::draw::sheet::{Motion, Preset};
    use crate::scenario::read;

    #[test]
    fn a_preview_has_the_layout_of_its_figure() {
        for preset in Preset::ALL {
            let preview = small(preset.size, 600.0);
            let points = |size: Dimensions| size.pixels().map(|side| f64::from(side) / size.scale());
            for (whole, part) in points(preset.size).into_iter().zip(points(preview)) {
                assert!((whole - part).abs() < 1.0 / preview.scale(), "{}: {whole} and {part}", preset.key);
            }
            assert!(preview.pixels().into_iter().max().unwrap() <= 1200, "{}", preset.key);
            preview.figure().unwrap();
        }
    }

    fn moving_file(path: &Path) -> MovingFile {
        let text = "format = 1\n[target]\nkind = \"banana\"\n[[run]]\nname = \"A\"\nmethod = \"sgld\"\nsteps = 50\n";
        let scenario = Arc::new(read(text, "test", Path::new(".")).unwrap());
        let motion = Motion { frames: 3, ..Motion::default() };
        let size = Dimensions::of_points([200.0, 150.0], 1.0);
        let options = ExportOptions { format: Format::Gif, size, motion, ..ExportOptions::default() };
        let (options, extras) = (Box::new(options), Box::new(Extras::default()));
        let state = Stage::Asked { scenario, options, extras, replace: false };
        MovingFile { ticket: 1, path: path.to_owned(), state }
    }

    #[test]
    fn a_figure_that_moves_is_there_at_its_end_and_not_at_all_if_it_is_given_up() {
        let folder = tempfile::tempdir().unwrap();
        let [whole, part] = ["whole.gif", "part.gif"].map(|name| folder.path().join(name));
        let mut file = moving_file(&whole);
        assert!(matches!(file.step(Duration::ZERO), Slice { done: Some(Done::Begun), over: false, .. }));
        let mut shares = Vec::new();
        let last = loop {
            let slice = file.step(Duration::ZERO);
            if slice.over {
                break slice;
            }
            assert!(!whole.exists());
            shares.push(slice.share);
        };
        assert!(matches!(last.done, Some(Done::Exported { result: Ok([200, 150]), job: Some(1), .. })));
        assert!(whole.exists() && shares.is_sorted() && shares.iter().any(|share| (share - 2.0 / 3.0).abs() < 1e-6));
        let refused = moving_file(&whole).step(Duration::ZERO).done;
        assert!(matches!(refused, Some(Done::Exported { result: Err(SaveError::Exists(_)), .. })));
        let mut file = moving_file(&part);
        (0..4).for_each(|_| assert!(!file.step(Duration::ZERO).over));
        drop(file);
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn other_options_are_drawn_at_once_and_another_moment_after_a_rest() {
        let options = ExportOptions::default();
        let mut preview = Preview::default();
        assert!(preview.is_due(&options, (1, 5)));
        (preview.asked, preview.drawing) = (Some((options.clone(), (1, 5))), true);
        assert!(!preview.is_due(&options, (1, 5)) && preview.is_behind(&options));
        preview.take(&Context::default(), None);
        assert!(!preview.is_due(&options, (1, 6)) && !preview.is_behind(&options));
        preview.since = preview.since.map(|since| since - REST);
        assert!(preview.is_due(&options, (1, 6)) && !preview.is_due(&options, (1, 5)));
        let other = ExportOptions { format: Format::Pdf, ..options };
        assert!(preview.is_due(&other, (1, 5)));
    }
}
