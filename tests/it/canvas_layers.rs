//! What is painted on a canvas, in which order and in which colours, as the groups of its figure say.

use sampler_lab::draw::sheet::{Dimensions, ExportOptions, Extras, Format, Parts, Picture, file};
use sampler_lab::draw::theme::Theme;
use sampler_lab::scenario::Lesson;
use sampler_lab::session::Session;

/// The groups of a figure of the first canvas of a lesson, in the order of painting, with what is in them.
fn groups(lesson: &str) -> Vec<(String, String)> {
    let mut session = Session::new(Lesson::find(lesson).unwrap().scenario().unwrap()).unwrap();
    session.advance(400);
    let frame = session.frame();
    let size = Dimensions::of_points([500.0, 400.0], 1.0);
    let options = ExportOptions {
        picture: Picture::Canvas(0),
        parts: Parts::of(Picture::Canvas(0)),
        size,
        ..ExportOptions::default()
    };
    let svg = file(&frame, &options, &Extras::of(frame.scenario.view.clone()), Format::Svg).unwrap();
    let svg = String::from_utf8(svg).unwrap();
    let label = "inkscape:label=\"";
    let parts = svg.split(label).skip(1).map(|part| part.split_once('"').unwrap());
    parts.map(|(name, inside)| (name.to_owned(), inside.to_lowercase())).collect()
}

/// Chains of the first run have neither the colour of the second run nor its marker, though each has a look of its own.
#[test]
fn a_chain_does_not_look_like_another_run() {
    let theme = Theme::default();
    let hex = |run: usize| {
        let [r, g, b, _] = theme.run(run).colour.to_array();
        format!("#{r:02x}{g:02x}{b:02x}")
    };
    let all = groups("burn-in");
    let of = |name: &str| all.iter().find(|(known, _)| known.starts_with(name)).unwrap().1.clone();
    let chains = of("chains of All steps");
    assert!(chains.contains(&hex(0)), "{chains}");
    // The rims of chains are of ink, as one of the runs is.
    for run in (1..8).filter(|run| theme.run(*run).colour != theme.ink) {
        assert!(!chains.contains(&hex(run)) && !of("draws of All steps").contains(&hex(run)), "{}", hex(run));
    }
    let colours: std::collections::BTreeSet<&str> = chains.split("fill=\"#").skip(1).map(|rest| &rest[..6]).collect();
    assert!(colours.len() >= 4, "four chains: {colours:?}");
}

/// What draws are compared with is over draws and trails.
#[test]
fn contours_are_painted_over_trails() {
    let names: Vec<String> = groups("bias-on-a-switch").into_iter().map(|(name, _)| name).collect();
    let at = |name: &str| names.iter().position(|known| known.starts_with(name)).unwrap();
    let contours = at("contours of the target");
    assert!(at("draws of") < contours && at("newest steps of") < contours && contours < at("chains of"), "{names:?}");
}
