//! The pictures of weight space: what they are made of, and that the last one stays.

use std::path::Path;

use egui::Context;

use super::cache::WeightsCache;
use super::geometry::{Loss, WeightPicture};
use super::input::WeightsInput;
use super::made::{Made, NO_DRAWS, Scatter, Shown};
use super::names::name;
use super::points;
use crate::canvas::pointing::Pointed;
use crate::kit::background::Computing;
use crate::words::word::Word;
use engine::diagnostics::weight_line::PLACES;
use engine::scenario::read;
use engine::session::{Frame, Session};

fn session(data: &str, steps: u64) -> Session {
    let text = format!(
        "format = 1\ntitle = \"x\"\nseed = 3\n[target]\nkind = \"network\"\nhidden = 4\n[target.data]\nkind = \"{data}\"\n\
         [[run]]\nname = \"A\"\nmethod = \"sgld\"\nsteps = 4000\nchains = 3\nstart = {{ kind = \"prior\" }}\n\
         step_size = {{ kind = \"constant\", value = 1e-5 }}\n\
         [[run]]\nname = \"B\"\nmethod = \"gaussian-vi\"\nsteps = 4000\n"
    );
    let mut session = Session::new(read(&text, "x", Path::new("")).unwrap()).unwrap();
    session.advance(steps);
    session
}

fn input(frame: &Frame, picture: WeightPicture) -> WeightsInput<'_> {
    static NOWHERE: Pointed = Pointed { canvas: None, draw: None, phase: None };
    WeightsInput {
        frame,
        runs: &[0, 1],
        picture,
        threshold: 0.2,
        surface: Loss::Posterior,
        direction: 1,
        pointed: &NOWHERE,
        by_chain: false,
        computing: Computing::Now,
    }
}

fn updated(cache: &mut WeightsCache, frame: &Frame, picture: WeightPicture) -> std::sync::Arc<Made> {
    cache.update(&Context::default(), &input(frame, picture), 1.5);
    cache.now.clone().unwrap()
}

#[test]
fn every_picture_is_made_of_the_draws_of_all_runs() {
    for data in ["gap-sine", "moons"] {
        let frame = session(data, 900).frame();
        let mut cache = WeightsCache::default();
        for &picture in WeightPicture::ALL {
            let made = updated(&mut cache, &frame, picture);
            assert!([0, 1].into_iter().all(|run| made.names.iter().any(|name| name.run == run)));
            assert!(made.names.len() > 100 && made.weights.len() == made.names.len());
            match &made.shown {
                Shown::Scatter(Scatter { components, tree }) => {
                    assert_eq!((components.points.len(), made.ends.len()), (made.names.len(), 0));
                    assert_eq!(tree.is_some(), picture == WeightPicture::Functions);
                    assert!(tree.iter().all(|tree| tree.within(f64::INFINITY).len() + 1 == made.names.len()));
                    assert!(components.shares[0] >= components.shares[1] && components.shares[1] > 0.0);
                }
                Shown::Plane(surface) => {
                    assert_eq!((surface.points.len(), made.ends.len()), (made.names.len(), 3));
                    for (end, corner) in made.ends.iter().zip(surface.plane.corners) {
                        assert!((surface.points[*end].0 - corner).norm() < 1e-9 * (1.0 + corner.norm()));
                    }
                    assert!(surface.heights.image.peak.is_finite() && !surface.heights.contours.is_empty());
                }
                Shown::Line(line) => {
                    assert_eq!(line.error, if data == "moons" { "test error" } else { "test RMSE" });
                    match &line.aligned {
                        Some(aligned) => {
                            // Both lines end at the same function.
                            let [a, b] = [&line.straight, aligned].map(|path| path.losses[PLACES - 1]);
                            assert!(made.ends.len() == 2 && (a - b).abs() <= 1e-9 * a.abs(), "{a} {b}");
                        }
                        None => assert_eq!((picture, made.ends.len()), (WeightPicture::Direction, 1)),
                    }
                }
                Shown::Nothing(words) => panic!("{words}"),
            }
        }
    }
}

#[test]
fn a_frame_without_new_draws_costs_nothing_and_the_last_picture_stays() {
    let mut session = session("gap-sine", 600);
    let frame = session.frame();
    let mut cache = WeightsCache::default();
    let first = updated(&mut cache, &frame, WeightPicture::Plane);
    let version = cache.version;
    let again = updated(&mut cache, &session.frame(), WeightPicture::Plane);
    assert!(std::sync::Arc::ptr_eq(&first, &again) && cache.version == version);
    session.advance(1000);
    let later = session.frame();
    let background = WeightsInput { computing: Computing::Background, ..input(&later, WeightPicture::Plane) };
    cache.update(&Context::default(), &background, 1.5);
    assert!(std::sync::Arc::ptr_eq(cache.now.as_ref().unwrap(), &first) || cache.version > version);
    // Draws of another generation are forgotten.
    let other = Frame { generation: later.generation + 1, ..later.clone() };
    let background = WeightsInput { frame: &other, ..background };
    let mut empty = WeightsCache::default();
    empty.update(&Context::default(), &background, 1.5);
    assert!(empty.now.is_none());
}

/// The surface of a plane is computed once, however many draws come, as long as its three draws are chosen.
#[test]
fn chosen_draws_span_the_plane_until_they_are_released() {
    let mut session = session("gap-sine", 600);
    let frame = session.frame();
    let mut cache = WeightsCache::default();
    let made = updated(&mut cache, &frame, WeightPicture::Weights);
    let picks = [3, 70, 20].map(|number| made.names[number]);
    for name in picks {
        cache.choose(&input(&frame, WeightPicture::Weights), name);
    }
    let ends = |made: &Made| made.ends.iter().map(|end| made.names[*end]).collect::<Vec<_>>();
    let before = updated(&mut cache, &frame, WeightPicture::Plane);
    assert!(ends(&before) == picks && cache.has_chosen());
    session.advance(1200);
    let frame = session.frame();
    let later = updated(&mut cache, &frame, WeightPicture::Plane);
    let (Shown::Plane(a), Shown::Plane(b)) = (&before.shown, &later.shown) else { panic!("no plane") };
    assert_ne!(later.names, before.names);
    assert_eq!(ends(&later), picks);
    assert!(std::sync::Arc::ptr_eq(&a.heights.image, &b.heights.image), "the same surface");
    // A fourth takes the place of the first; a second click releases one.
    cache.choose(&input(&frame, WeightPicture::Plane), later.names[40]);
    assert_eq!(ends(&updated(&mut cache, &frame, WeightPicture::Path)), picks[1..]);
    cache.choose(&input(&frame, WeightPicture::Plane), picks[1]);
    assert_eq!(ends(&updated(&mut cache, &frame, WeightPicture::Path)), [picks[2], later.names[40]]);
    cache.release();
    assert!(!cache.has_chosen());
    assert!(!ends(&updated(&mut cache, &frame, WeightPicture::Path)).contains(&picks[2]));
}

/// Another loss is another surface on the same plane, another number another direction through the same draw.
#[test]
fn surfaces_and_directions_are_those_that_are_chosen() {
    let frame = session("moons", 900).frame();
    let mut cache = WeightsCache::default();
    let mut made = |input: WeightsInput<'_>| {
        cache.update(&Context::default(), &input, 1.5);
        cache.now.clone().unwrap()
    };
    let mut heights: Vec<Vec<f64>> = Vec::new();
    for &surface in Loss::ALL {
        let made = made(WeightsInput { surface, ..input(&frame, WeightPicture::Plane) });
        let Shown::Plane(plane) = &made.shown else { panic!("no plane") };
        let image = &plane.heights.image.log_density;
        assert!(!heights.contains(image), "{surface:?}");
        heights.push(image.clone());
    }
    // −log p is the loss of the data and that of the prior.
    assert!(heights[0].iter().zip(&heights[1]).all(|(posterior, likelihood)| posterior < likelihood));
    let along = |made: &Made| match &made.shown {
        Shown::Line(line) => line.straight.losses.clone(),
        _ => panic!("no line"),
    };
    let of = |direction| WeightsInput { direction, ..input(&frame, WeightPicture::Direction) };
    let (one, two) = (along(&made(of(1))), along(&made(of(2))));
    assert!(one != two && (one[PLACES / 2] - two[PLACES / 2]).abs() < 1e-9 && along(&made(of(1))) == one);
    // A target without test data says so.
    let frame = session("cubic", 900).frame();
    let mut cache = WeightsCache::default();
    let plane = WeightsInput { surface: Loss::TestError, ..input(&frame, WeightPicture::Plane) };
    cache.update(&Context::default(), &plane, 1.5);
    assert!(matches!(cache.now.as_deref().unwrap().shown, Shown::Nothing("this target has no test data")));
}

#[test]
fn clusters_are_told_in_words() {
    let frame = session("gap-sine", 900).frame();
    let made = updated(&mut WeightsCache::default(), &frame, WeightPicture::Functions);
    let Shown::Scatter(Scatter { tree: Some(tree), .. }) = &made.shown else { panic!("no tree") };
    let told = |threshold: f64| points::count_words(&tree.clusters(threshold));
    assert_eq!(told(1e9), "1 cluster");
    let longest = tree.within(f64::INFINITY)[made.names.len() - 2].length;
    let few = told(0.999 * longest);
    assert!(few.starts_with("2 clusters, ") && few.ends_with(" % of the draws in the largest"), "{few}");
    assert!(told(-1.0).starts_with(&format!("{} clusters, ", made.names.len())));
}

#[test]
fn few_draws_are_said_in_words() {
    let mut session = session("gap-sine", 0);
    let frame = session.frame();
    let mut cache = WeightsCache::default();
    let none = updated(&mut cache, &Frame { runs: frame.runs[..1].to_vec(), ..frame }, WeightPicture::Weights);
    assert!(matches!(none.shown, Shown::Nothing(NO_DRAWS)));
    session.advance(1);
    let frame = session.frame();
    let one = Frame { runs: frame.runs[..1].to_vec(), ..frame };
    let made = updated(&mut cache, &one, WeightPicture::Weights);
    assert!(!made.names.is_empty(), "the first draw of every chain");
    assert_eq!(name(&one, made.names[0]), "chain 1, step 1");
}
