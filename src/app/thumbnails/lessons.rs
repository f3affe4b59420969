//! Pictures of the lessons for the start page: the density of the target with draws and fits, after as many steps as are quick.

use std::time::Duration;

use egui::{Color32, ColorImage, Context, TextureHandle, TextureOptions};

use super::pixels::{curve, function, shades, window};
use super::topics;
use crate::platform::Instant;
use base::math::elementary::ln;
use base::math::{Bounds, Coords, Grid, Point};
use draw::geometry::{DensityImage, KeptVector, thinned, thinned_vectors};
use draw::theme::{Appearance, Theme};
use draw::views::class_maps::geometry::{PredictionSums, middles};
use draw::views::functions::geometry::{places, values};
use draw::views::topics::geometry::point_of;
use engine::scenario::{Lesson, Scenario};
use engine::session::{FitFunctions, Frame, FunctionDraws, RunFrame, Session};
use models::families::{self, Family};

/// Width and height of the density, and of the marks on it, in pixels.
const CELLS: [usize; 2] = [72, 48];
const PIXELS: [usize; 2] = [288, 192];

/// The most work for one picture, in units of about one step of one chain, and the part of it between two looks at the clock.
const WORK: usize = 150_000;
const SLICE: usize = 2_000;

/// The longest time for the steps of one picture: all of them are there within two seconds.
const PATIENCE: Duration = Duration::from_millis(40);

/// The most draws in a picture, over all runs.
const DRAWS: usize = 700;

/// The most functions in a picture, over all runs.
const FUNCTIONS: usize = 36;

/// Points of an ellipse, and its radii in standard deviations.
const ELLIPSE: usize = 720;
const RADII: [f64; 2] = [1.0, 2.0];

/// Opacity of a draw (chosen by eye).
const OPACITY: f32 = 0.75;

/// The picture of a lesson.
#[derive(Debug)]
pub struct LessonPicture {
    /// The lesson, by number.
    pub number: usize,
    /// `None` for a lesson that cannot be built.
    marks: Option<Marks>,
}

/// What is drawn in a picture.
#[derive(Debug)]
struct Marks {
    density: DensityImage,
    /// Whether it is a density of x alone.
    flat: bool,
    bounds: Bounds,
    /// Positions of draws and of points of ellipses, with the number of the run.
    draws: Vec<(usize, Point)>,
    lines: Vec<(usize, Point)>,
    /// Pixels of topics.
    pixels: Vec<topics::Pixel>,
}

type MarksOf = fn(&Frame) -> Option<Marks>;

/// The pictures of families that are not seen by their density in the plane, one line each.
static MARKS: &[(&Family, MarksOf)] = &[
    (&families::FUNCTIONS, Marks::of_functions),
    (&families::CLASSES, Marks::of_classes),
    (&families::TOPICS, Marks::of_topics),
];

impl LessonPicture {
    /// Draws the picture of a lesson.
    #[must_use]
    pub fn of(number: usize, lesson: &Lesson) -> Self {
        let scenario = lesson.scenario().ok();
        Self { number, marks: scenario.and_then(|scenario| Marks::of(scenario, PATIENCE)) }
    }
}

impl Marks {
    /// What is to be seen after some steps, for which there is so much time.
    fn of(scenario: Scenario, patience: Duration) -> Option<Self> {
        let area = scenario.view.area;
        let mut session = Session::new(scenario).ok()?;
        let (begun, work) = (Instant::now(), session.work().max(1));
        for _ in 0..WORK / SLICE {
            session.advance((SLICE / work).max(1) as u64);
            if begun.elapsed() > patience {
                break;
            }
        }
        let frame = session.frame();
        if let Some((_, marks)) = MARKS.iter().find(|(family, _)| *family == frame.target.family()) {
            return marks(&frame);
        }
        let (info, density) = (frame.target.info(), frame.target.density()?);
        let bounds = area.map_or(info.view, |[[left, right], [low, high]]| Bounds::new((left, right), (low, high)));
        let mut marks = Self {
            density: DensityImage::of(density.as_ref(), bounds, CELLS[0], CELLS[1]),
            flat: info.dimension == 1,
            bounds,
            draws: Vec::new(),
            lines: Vec::new(),
            pixels: Vec::new(),
        };
        marks.add_runs(&frame);
        Some(marks)
    }

    /// The data of a network, and some functions of every run.
    fn of_functions(frame: &Frame) -> Option<Self> {
        let regression = frame.target.regression()?;
        let (bounds, density) = (window(regression), function(regression, None, CELLS));
        let inputs = places(regression);
        let most = FUNCTIONS / frame.runs.len().max(1);
        let functions = |run: &RunFrame| -> Vec<Vec<f64>> {
            let Some(fits) = &run.fits else {
                let kept = some_vectors(run, most);
                return kept.iter().map(|weights| values(regression, weights, &inputs)).collect();
            };
            let functions = FitFunctions::new(fits, regression, &inputs);
            fits.vectors.iter().enumerate().take(most).map(|(draw, weights)| functions.of_draw(draw, weights)).collect()
        };
        let points = frame.runs.iter().enumerate().flat_map(|(number, run)| {
            let all = functions(run).into_iter().flat_map(|values| inputs.clone().into_iter().zip(values));
            all.map(move |(x, y)| (number, Point::new(x, y))).collect::<Vec<_>>()
        });
        Some(Self { draws: points.collect(), density, flat: false, bounds, lines: Vec::new(), pixels: Vec::new() })
    }

    /// Where class 1 is the likelier one, to some vectors of the first run, and the data of both classes.
    fn of_classes(frame: &Frame) -> Option<Self> {
        let model = frame.target.classification()?;
        let Bounds { min, max } = model.shown();
        let wide = 0.5 * (max.y - min.y) * CELLS[0] as f64 / CELLS[1] as f64;
        let middle = 0.5 * (min.x + max.x);
        let bounds = Bounds::new((middle - wide, middle + wide), (min.y, max.y));
        let vectors = frame.runs.first().map(|run| some_vectors(run, FUNCTIONS)).unwrap_or_default();
        let weights = Coords::of(frame.target.dimension(), vectors.iter().map(Vec::as_slice));
        let draws = FunctionDraws::of_vectors(weights, vec![1.0; vectors.len()]);
        let grid = Grid::new(bounds, CELLS[0], CELLS[1]);
        let mut sums = PredictionSums::new(model.classes(), grid.len());
        sums.add(&middles(&grid), |inputs| draws.at(frame.target.as_ref(), inputs));
        let density = DensityImage::by(bounds, CELLS[0], CELLS[1], |at| {
            let probability = grid.cell(at).map_or(0.0, |cell| sums.probability(cell, 1));
            ln((2.0 * probability - 1.0).max(0.0))
        });
        let class = |label: &f64| usize::from(*label > 0.5);
        let data = model.inputs().iter().zip(model.labels());
        let draws = data.map(|(place, label)| (class(label), Point::from(*place))).collect();
        Some(Self { draws, density, flat: false, bounds, lines: Vec::new(), pixels: Vec::new() })
    }

    /// The newest topics of the first run, of bars in their colours; on three words the documents, and the topics of all runs at all steps.
    fn of_topics(frame: &Frame) -> Option<Self> {
        let model = frame.target.topics()?;
        let newest = frame.runs.first().and_then(|run| run.topics.last()).and_then(|at| at.chains.first());
        let newest = newest.map(|chain| chain.mean());
        let density = topics::image(model, newest.as_ref(), CELLS);
        let pixels = newest.map(|topics| topics::pixels(model, &topics, PIXELS)).unwrap_or_default();
        let points = |run: &RunFrame| -> Vec<Point> {
            let means = run.topics.iter().flat_map(|at| &at.chains).map(|chain| chain.mean());
            means
                .flat_map(|mean| (0..mean.count()).map(|topic| point_of(mean.topic(topic))).collect::<Vec<_>>())
                .collect()
        };
        let runs = frame.runs.iter().enumerate().filter(|_| model.model.words == 3);
        let draws = runs.flat_map(|(number, run)| points(run).into_iter().map(move |at| (number, at))).collect();
        Some(Self { draws, density, flat: false, bounds: topics::window(), lines: Vec::new(), pixels })
    }

    fn add_runs(&mut self, frame: &Frame) {
        let share = DRAWS / frame.runs.len().max(1);
        for (number, run) in frame.runs.iter().enumerate() {
            match run.fits.as_ref().and_then(|fits| fits.moments) {
                Some(moments) => {
                    let ellipses = RADII.into_iter().flat_map(|radius| moments.ellipse(radius, ELLIPSE));
                    self.lines.extend(ellipses.map(|point| (number, point)));
                }
                None => {
                    let draws = some_draws(run, share).into_iter().map(|point| (number, at_edge(self.bounds, point)));
                    self.draws.extend(draws);
                }
            }
        }
    }

    /// The marks on a transparent ground.
    fn image(&self, theme: &Theme) -> ColorImage {
        let mut image = ColorImage::filled(PIXELS, Color32::TRANSPARENT);
        for pixel in &self.pixels {
            fill(&mut image, pixel, theme);
        }
        // A density of x alone has no draws in the plane: they lie along the bottom.
        let draws = self.draws.iter().filter(|_| !self.flat);
        let dots = draws.map(|mark| (mark, OPACITY)).chain(self.lines.iter().map(|mark| (mark, 1.0)));
        for ((run, point), opacity) in dots {
            let colour = theme.run(*run).colour.gamma_multiply(opacity);
            self.stamp(&mut image, *point, colour);
        }
        image
    }

    /// Colours three pixels by three around a point.
    #[expect(clippy::cast_sign_loss, reason = "pixels")]
    fn stamp(&self, image: &mut ColorImage, point: Point, colour: Color32) {
        let Bounds { min, max } = self.bounds;
        let x = (point.x - min.x) / (max.x - min.x) * PIXELS[0] as f64;
        let y = (max.y - point.y) / (max.y - min.y) * PIXELS[1] as f64;
        if !(0.0..PIXELS[0] as f64).contains(&x) || !(0.0..PIXELS[1] as f64).contains(&y) {
            return;
        }
        let (column, row) = (x as usize, y as usize);
        for row in row.saturating_sub(1)..(row + 2).min(PIXELS[1]) {
            for column in column.saturating_sub(1)..(column + 2).min(PIXELS[0]) {
                image.pixels[row * PIXELS[0] + column] = colour;
            }
        }
    }
}

/// Colours a pixel of a topic.
#[expect(clippy::cast_sign_loss, reason = "pixels")]
fn fill(image: &mut ColorImage, pixel: &topics::Pixel, theme: &Theme) {
    let colour = theme.paper.lerp_to_gamma(theme.topic(pixel.slot), pixel.level as f32);
    let [from, to] = [pixel.part.min, pixel.part.max].map(|at| at.map(|length| length.round() as usize));
    for row in from.y..to.y.min(PIXELS[1]) {
        for column in from.x..to.x.min(PIXELS[0]) {
            image.pixels[row * PIXELS[0] + column] = colour;
        }
    }
}

/// Some of the collected vectors, or the newest of a run that is still within its burn-in.
fn some_vectors(run: &RunFrame, most: usize) -> Vec<Vec<f64>> {
    let kept: Vec<Vec<f64>> = thinned_vectors(run, most).iter().map(KeptVector::weights).collect();
    match &run.newest_vectors {
        Some(at) if kept.is_empty() => {
            (0..at.positions.len()).take(most).map(|chain| at.positions.vector(chain).collect()).collect()
        }
        _ => kept,
    }
}

/// Some of the collected draws, spread evenly over the run. Of a run that collects few of them, the steps between them are shown as
/// well.
fn some_draws(run: &RunFrame, most: usize) -> Vec<Point> {
    let all = run.collected < most as u64;
    let counts = |step: u64| if all { Some(1) } else { run.stands_for(step) };
    thinned(&run.history, counts, most).into_iter().map(|draw| draw.at).collect()
}

/// A point, or the pixel at the edge that is nearest to it.
fn at_edge(bounds: Bounds, point: Point) -> Point {
    let along = |axis: usize| {
        let half = 0.5 * (bounds.max[axis] - bounds.min[axis]) / PIXELS[axis] as f64;
        point[axis].clamp(bounds.min[axis] + half, bounds.max[axis] - half)
    };
    Point::new(along(0), along(1))
}

/// The pictures drawn so far.
#[derive(Default)]
pub struct LessonPictures {
    /// Whether they are being drawn, or are drawn.
    pub begun: bool,
    pictures: Vec<Option<Marks>>,
    textures: Vec<Option<[TextureHandle; 2]>>,
    appearance: Appearance,
}

impl std::fmt::Debug for LessonPictures {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("LessonPictures").field("pictures", &self.pictures.len()).finish_non_exhaustive()
    }
}

impl LessonPictures {
    /// Adds a picture.
    pub fn add(&mut self, picture: LessonPicture) {
        let LessonPicture { number, marks } = picture;
        if self.pictures.len() <= number {
            self.pictures.resize_with(number + 1, || None);
            self.textures.resize_with(number + 1, || None);
        }
        self.pictures[number] = marks;
    }

    /// The density and the marks of a lesson in the colours of the theme, if they are drawn already.
    pub fn textures(&mut self, context: &Context, theme: &Theme, number: usize) -> Option<&[TextureHandle; 2]> {
        if self.appearance != theme.mode {
            self.textures.fill_with(|| None);
            self.appearance = theme.mode;
        }
        let marks = self.pictures.get(number)?.as_ref()?;
        let textures = self.textures.get_mut(number)?;
        Some(textures.get_or_insert_with(|| {
            let paint = if marks.flat { curve } else { shades };
            let ground = paint(&marks.density, CELLS, theme);
            let name = |part: &str| format!("lesson {number} {part}");
            [
                context.load_texture(name("density"), ground, TextureOptions::LINEAR),
                context.load_texture(name("marks"), marks.image(theme), TextureOptions::LINEAR),
            ]
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::scenario::LESSONS;

    /// What lies outside of a picture is at its edge, and what lies inside is where it is.
    #[test]
    fn draws_outside_are_at_the_edge() {
        let bounds = Bounds::new((-3.0, 3.0), (-2.0, 2.0));
        let pixel = 6.0 / PIXELS[0] as f64;
        assert_eq!(at_edge(bounds, Point::new(1.0, -0.5)), Point::new(1.0, -0.5));
        assert_eq!(at_edge(bounds, Point::new(40.0, 0.5)), Point::new(3.0 - 0.5 * pixel, 0.5));
    }

    /// Every lesson has a picture with a density, and with marks inside of it unless it is of one coordinate.
    #[test]
    fn the_picture_of_every_lesson_shows_its_density_and_draws() {
        for lesson in LESSONS {
            let marks = Marks::of(lesson.scenario().unwrap(), Duration::MAX).unwrap();
            let theme = Theme::new(Appearance::Light, draw::theme::Scale::Screen);
            let image = marks.image(&theme);
            let seen = image.pixels.iter().filter(|pixel| pixel.a() > 0).count();
            assert!(marks.flat || seen > 100, "{}: {seen} pixels", lesson.name);
            let cells = CELLS[0] * CELLS[1];
            let dark = (0..cells).filter(|cell| marks.density.relative(*cell) > 0.01).count();
            assert!((cells / 200..cells * 97 / 100).contains(&dark), "{}: {dark} of {cells}", lesson.name);
        }
    }
}
