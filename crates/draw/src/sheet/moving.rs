//! A figure that moves, drawn piece by piece, so that the window shows how far it is and a person can stop it.

use std::fmt::{Debug, Formatter};

use super::measuring::measure;
use super::motion::with;
use super::{
    Description, Dimensions, DrawError, ExportOptions, Extras, Format, Motion, Over, Poster, SCENARIO_KEY, Told,
    render, render_told,
};
use crate::words::numbers;
use base::params::ParamErrors;
use engine::scenario::{Scenario, write_carried};
use engine::session::{Command, Frame, Session};
use figure::Picture;
use figure::movie::{Movie, MovieError};
use figure::source::Source;

/// Positions computed in a piece, at most.
const PIECE: u64 = 1 << 18;

/// That a figure that moves has fewer pixels than its resolution says.
fn fewer_pixels(size: Dimensions) -> String {
    let [width, height] = size.pixels();
    format!(
        "A figure that moves has {width} × {height} pixels, {} dpi, as files of more are large",
        numbers::exact(size.dpi)
    )
}

/// A figure that moves, in the making.
pub struct Moving {
    scenario: Scenario,
    over: Over,
    values: Vec<f64>,
    options: ExportOptions,
    extras: Extras,
    format: Format,
    per_second: u16,
    poster: Option<Poster>,
    /// The session of the picture that comes next.
    session: Option<Session>,
    /// What that picture shows, once it is known.
    frame: Option<Frame>,
    movie: Option<Movie>,
    /// What stands beside it, as PNG, once it is drawn.
    still: Option<Vec<u8>>,
    /// What its pictures have told, each sentence once.
    warnings: Vec<String>,
    drawn: usize,
}

impl Debug for Moving {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Moving").field("over", &self.over).field("drawn", &self.drawn).finish_non_exhaustive()
    }
}

impl Moving {
    /// The size of each of its pictures.
    #[must_use]
    pub fn size(&self) -> Dimensions {
        self.options.size
    }

    /// Begins a GIF, or an APNG if `format` is any other.
    ///
    /// # Errors
    /// If the parameter cannot have its first or its last value, or the scenario cannot be built.
    pub fn new(
        scenario: &Scenario,
        motion: &Motion,
        (options, extras): (ExportOptions, Extras),
        format: Format,
    ) -> Result<Self, ParamErrors> {
        motion.check(scenario)?;
        let (session, values) = match &motion.over {
            Over::Parameter { .. } => (None, motion.values_of_parameter(scenario)),
            Over::Time(clock) => {
                let mut session = Session::new(scenario.clone()).map_err(ParamErrors)?;
                session.set_clock(*clock);
                let end = session.time().end as f64;
                let values = motion.values([0.0, end], false);
                (Some(session), values.into_iter().map(|tick| tick.clamp(0.0, end)).collect())
            }
        };
        // In a figure that moves through time a plot marks where it is, at the end as well.
        let through_time = matches!(motion.over, Over::Time(_));
        let format_of = if through_time { format } else { Format::Png };
        let (chosen, size) = (options.size, options.size.moving());
        let warnings = if size == chosen { Vec::new() } else { vec![fewer_pixels(size)] };
        let extras = Extras { chosen: extras.chosen.or(Some(chosen)), ..extras };
        let options = ExportOptions { format: format_of, size, ..options };
        Ok(Self {
            scenario: scenario.clone(),
            over: motion.over.clone(),
            values,
            options,
            extras,
            format,
            per_second: motion.per_second,
            poster: motion.poster,
            session,
            frame: None,
            movie: None,
            still: None,
            warnings,
            drawn: 0,
        })
    }

    /// Number of pictures that are drawn.
    #[must_use]
    pub fn drawn(&self) -> usize {
        self.drawn
    }

    /// What was left out, does not fit or cannot be told apart in the pictures so far, a sentence each.
    #[must_use]
    pub fn warnings(&self) -> &[String] {
        &self.warnings
    }

    /// The share of the work that is done, from 0 to 1.
    #[must_use]
    pub fn share(&self) -> f32 {
        self.drawn as f32 / self.values.len().max(1) as f32
    }

    /// Takes some steps, or draws a picture. Returns whether all are drawn.
    ///
    /// # Errors
    /// If a picture cannot be drawn, or the scenario cannot be built for a value.
    pub fn piece(&mut self) -> Result<bool, DrawError> {
        let Some(&value) = self.values.get(self.drawn) else { return Ok(true) };
        if let Some(frame) = self.frame.take() {
            self.add(&frame)?;
            self.drawn += 1;
            return Ok(self.drawn == self.values.len());
        }
        let mut session = match self.session.take() {
            Some(session) => session,
            None => Session::new(with(&self.scenario, &self.over, value)?).map_err(ParamErrors)?,
        };
        if approach(&mut session, if let Over::Time(_) = self.over { value } else { f64::INFINITY })? {
            measure(&mut session, [self.options.picture]);
            self.frame = Some(session.frame());
            // Another value needs another session.
            self.session = matches!(self.over, Over::Time(_)).then_some(session);
        } else {
            self.session = Some(session);
        }
        Ok(false)
    }

    /// Adds the picture of a frame.
    fn add(&mut self, frame: &Frame) -> Result<(), DrawError> {
        let (picture, told) = render_told(frame, &self.options, &self.extras)?;
        let new = told.warnings.iter().filter(|sentence| !self.warnings.contains(sentence));
        let new: Vec<String> = new.cloned().collect();
        self.warnings.extend(new);
        let count = self.values.len();
        if self.poster.is_some_and(|poster| poster.is(self.drawn, count)) {
            // For paper it has all of its pixels.
            let size = self.extras.chosen.unwrap_or(self.options.size);
            let whole = (size != self.options.size)
                .then(|| render(frame, &ExportOptions { size, ..self.options.clone() }, &self.extras))
                .transpose()?;
            let still = whole.as_ref().unwrap_or(&picture);
            self.still = Some(self.told((frame, &told), |texts| figure::png::encode(still, texts))?);
        }
        if let Some(movie) = &mut self.movie {
            movie.add(&picture)?;
        } else {
            self.movie = Some(self.begun((frame, &told), &picture)?);
        }
        Ok(())
    }

    /// The movie with its first picture.
    fn begun(&self, of: (&Frame, &Told), picture: &Picture) -> Result<Movie, MovieError> {
        let count = u32::try_from(self.values.len()).unwrap_or(u32::MAX);
        match self.format {
            Format::Gif => Movie::gif(picture, count, self.per_second, &self.carried()),
            _ => self.told(of, |texts| Movie::apng(picture, count, self.per_second, texts)),
        }
    }

    /// The scenario as a figure carries it.
    fn carried(&self) -> String {
        write_carried(&Scenario { view: self.extras.view.clone(), ..self.scenario.clone() })
    }

    /// Makes something of the texts of a PNG: what the picture says in words, and the scenario.
    fn told<T>(&self, (frame, told): (&Frame, &Told), make: impl FnOnce(&[(&str, &str)]) -> T) -> T {
        let (words, text) = (Description::of(frame, &self.options, &self.extras, told), self.carried());
        let texts: Vec<(&str, &str)> =
            words.spoken().texts().into_iter().chain([(SCENARIO_KEY, text.as_str())]).collect();
        make(&texts)
    }

    /// The file, once all pictures are drawn, with its poster beside it.
    ///
    /// # Errors
    /// If there are fewer pictures than were asked for.
    pub fn finish(self) -> Result<Source, DrawError> {
        let beside = self.still.map(|still| ("-poster.png".to_owned(), still)).into_iter().collect();
        Ok(Source { file: self.movie.ok_or(MovieError::Empty)?.finish()?, beside })
    }
}

/// Takes the session towards a tick, forward or back; the end if it is infinite. Returns whether it is there.
#[expect(clippy::cast_sign_loss, reason = "between 0 and the end of the run")]
fn approach(session: &mut Session, tick: f64) -> Result<bool, ParamErrors> {
    let now = session.time();
    let goal = if tick.is_finite() { tick.round() as u64 } else { now.end };
    if goal < now.tick {
        session.apply(Command::Seek(goal)).map_err(ParamErrors)?;
    } else if goal > now.tick {
        let piece = (PIECE / session.work().max(1) as u64).max(1);
        session.advance(piece.min(goal - now.tick));
    }
    let time = session.time();
    Ok(time.tick == goal || (!tick.is_finite() && session.finished()) || time.tick == now.tick)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sheet::{Dimensions, Picture};
    use engine::scenario::read;

    const TEXT: &str = "format = 1\n[target]\nkind = \"banana\"\n[[run]]\nname = \"A.B\"\nmethod = \"sgld\"\nsteps = 100\n\
                        step_size = { kind = \"constant\", value = 0.01 }\n";

    fn scenario() -> Scenario {
        read(TEXT, "test", std::path::Path::new(".")).unwrap()
    }

    fn moving(motion: &Motion, format: Format) -> Result<Moving, ParamErrors> {
        let size = Dimensions::of_points([200.0, 150.0], 1.0);
        let options = ExportOptions { picture: Picture::Canvas(0), size, ..ExportOptions::default() };
        Moving::new(&scenario(), motion, (options, Extras::default()), format)
    }

    /// The still is the picture of the moment at which the figure begins or ends.
    #[test]
    fn a_poster_is_a_picture_of_its_figure() {
        let made = |motion: Motion, format| {
            let mut moving = moving(&motion, format).unwrap();
            while !moving.piece().unwrap() {}
            moving.finish().unwrap().beside
        };
        let motion = Motion { from: Some(20.0), to: Some(90.0), frames: 3, ..Motion::default() };
        assert!(made(motion.clone(), Format::Gif).is_empty());
        for (poster, tick) in [(Poster::First, 20.0), (Poster::Last, 90.0)] {
            let alone = Motion { from: Some(tick), to: Some(tick), frames: 2, poster: Some(poster), ..motion.clone() };
            let [first, apng] = [Format::Gif, Format::Apng]
                .map(|format| made(Motion { poster: Some(poster), ..motion.clone() }, format));
            assert_eq!(first[0].0, "-poster.png");
            assert!(first == made(alone, Format::Gif) && first == apng, "{poster:?}");
        }
    }

    /// Every picture is that of a session at its moment.
    #[test]
    fn a_moment_is_the_same_forward_and_back() {
        let drawn = |from, to| {
            let motion = Motion { from: Some(from), to: Some(to), frames: 2, ..Motion::default() };
            let mut moving = moving(&motion, Format::Apng).unwrap();
            let mut frames = Vec::new();
            while !moving.piece().unwrap() {
                frames.extend(
                    moving
                        .frame
                        .iter()
                        .map(|frame| (frame.step, frame.runs[0].series().coordinate(0)[0].last().copied())),
                );
            }
            assert_eq!((moving.drawn(), moving.share()), (2, 1.0));
            moving.finish().unwrap();
            frames
        };
        let (forward, mut back) = (drawn(20.0, 90.0), drawn(90.0, 20.0));
        back.reverse();
        assert_eq!(forward, back);
        assert_eq!(forward.iter().map(|(step, _)| *step).collect::<Vec<_>>(), [20, 90]);
    }

    /// What a picture has no space for is told once, as a figure that does not move tells it.
    #[test]
    fn lost_space_is_told_as_of_a_still_figure() {
        let size = Dimensions::of_points([200.0, 140.0], 1.0);
        let picture = Picture::Plot(crate::views::SCHEDULE);
        let options = ExportOptions { picture, size, ..ExportOptions::default() };
        let mut session = Session::new(scenario()).unwrap();
        session.advance(u64::MAX);
        let (_, still) = render_told(&session.frame(), &options, &Extras::default()).unwrap();
        assert!(!still.warnings.is_empty());
        let motion = Motion { from: Some(100.0), to: Some(100.0), frames: 3, ..Motion::default() };
        for format in [Format::Gif, Format::Apng] {
            let mut moving = Moving::new(&scenario(), &motion, (options.clone(), Extras::default()), format).unwrap();
            while !moving.piece().unwrap() {}
            assert_eq!(moving.warnings(), still.warnings);
        }
    }

    #[test]
    fn a_value_that_is_not_allowed_is_refused_before_the_first_picture() {
        let over = Over::parameter("A.B.step_size.value", &scenario()).unwrap();
        let motion =
            |to| Motion { over: over.clone(), from: Some(0.01), to: Some(to), frames: 2, per_second: 5, poster: None };
        let error = moving(&motion(-1.0), Format::Gif).unwrap_err().to_string();
        assert!(error.contains("A.B.step_size.value"), "{error}");
        let mut good = moving(&motion(0.02), Format::Gif).unwrap();
        while !good.piece().unwrap() {}
        assert_eq!(
            Format::Gif.scenario(&good.finish().unwrap().file).unwrap().unwrap().lines().next(),
            Some("format = 1")
        );
    }
}
