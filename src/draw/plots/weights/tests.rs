//! The pictures of weight space: what they are made of, and that the last one stays.

use std::path::Path;

use egui::Context;

use super::cache::Shown;
use super::*;
use crate::diagnostics::weight_path::PLACES;
use crate::scenario::read;
use crate::session::Session;

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
    WeightsInput { frame, runs: &[0, 1], picture, by_chain: false, computing: Computing::Now }
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
        for picture in WeightPicture::ALL {
            let made = updated(&mut cache, &frame, picture);
            assert!([0, 1].into_iter().all(|run| made.names.iter().any(|name| name.run == run)));
            assert!(made.names.len() > 100 && made.on_canvas.len() == made.names.len());
            match &made.shown {
                Shown::Scatter(components) => {
                    assert_eq!((components.places.len(), made.ends.len()), (made.names.len(), 0));
                    assert!(components.shares[0] >= components.shares[1] && components.shares[1] > 0.0);
                }
                Shown::Plane(surface) => {
                    assert_eq!((surface.places.len(), made.ends.len()), (made.names.len(), 3));
                    for (end, corner) in made.ends.iter().zip(surface.plane.corners) {
                        assert!((surface.places[*end].0 - corner).norm() < 1e-9 * (1.0 + corner.norm()));
                    }
                    assert!(surface.image.peak.is_finite() && !surface.contours.is_empty());
                }
                Shown::Path(line) => {
                    // Both lines end at the same function.
                    let [a, b] = [&line.straight, &line.aligned].map(|path| path.losses[PLACES - 1]);
                    assert!(made.ends.len() == 2 && (a - b).abs() <= 1e-9 * a.abs(), "{a} {b}");
                    assert_eq!(line.error, if data == "moons" { "error on the data" } else { "test RMSE" });
                }
                Shown::Few(words) => panic!("{words}"),
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
    assert!(std::sync::Arc::ptr_eq(&a.image, &b.image), "the same surface");
    // A fourth takes the place of the first; a second click releases one.
    cache.choose(&input(&frame, WeightPicture::Plane), later.names[40]);
    assert_eq!(ends(&updated(&mut cache, &frame, WeightPicture::Path)), picks[1..]);
    cache.choose(&input(&frame, WeightPicture::Plane), picks[1]);
    assert_eq!(ends(&updated(&mut cache, &frame, WeightPicture::Path)), [picks[2], later.names[40]]);
    cache.release();
    assert!(!cache.has_chosen());
    assert!(!ends(&updated(&mut cache, &frame, WeightPicture::Path)).contains(&picks[2]));
}

#[test]
fn few_draws_are_said_in_words() {
    let mut session = session("gap-sine", 0);
    let frame = session.frame();
    let mut cache = WeightsCache::default();
    let none = updated(&mut cache, &Frame { runs: frame.runs[..1].to_vec(), ..frame }, WeightPicture::Weights);
    assert!(matches!(none.shown, Shown::Few(NO_DRAWS)));
    session.advance(1);
    let frame = session.frame();
    let one = Frame { runs: frame.runs[..1].to_vec(), ..frame };
    let made = updated(&mut cache, &one, WeightPicture::Weights);
    assert!(!made.names.is_empty(), "the first draw of every chain");
    assert_eq!(name(&one, made.names[0]), "chain 1, step 1");
}
