//! Pictures of topics in a window without a screen: what is said, clicked and kept.

use std::sync::Arc;

use egui::vec2;
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;

use super::cache::TopicsCache;
use super::geometry::Relevance;
use super::input::TopicsInput;
use super::plot::show;
use crate::kit::background::Computing;
use crate::testing::topics_frame;
use crate::theme::{self, Theme};
use engine::session::Frame;

struct State {
    frame: Frame,
    cache: TopicsCache,
}

fn harness(corpus: &str) -> Harness<'static, State> {
    sized(corpus, vec2(900.0, 600.0))
}

fn sized(corpus: &str, size: egui::Vec2) -> Harness<'static, State> {
    let state = State { frame: topics_frame(corpus), cache: TopicsCache::default() };
    let look = Theme::default();
    Harness::builder().with_size(size).with_context_setup(theme::install_fonts).build_ui_state(
        move |ui, state: &mut State| {
            theme::apply(ui.ctx(), &look);
            let State { frame, cache } = state;
            let input = TopicsInput {
                frame,
                runs: &[0],
                truth: true,
                relevance: Relevance::default(),
                chain: 0,
                aligned: true,
                computing: Computing::Now,
            };
            show(ui, &input, &look, cache);
        },
        state,
    )
}

/// A click opens a topic and its documents; a document opens its tokens; back and close undo both.
#[test]
fn topics_and_documents_are_read_by_clicks() {
    let mut harness = harness("corpus = { kind = \"bars\", side = 4, documents = 60 }");
    harness.run_steps(3);
    let topics = harness.query_all_by(|node| node.label().is_some_and(|label| label.starts_with("Topic "))).count();
    assert_eq!(topics, 8);
    harness.get_by(|node| node.label().is_some_and(|label| label.starts_with("Topic 3 of"))).click();
    harness.run_steps(3);
    assert_eq!(harness.state().cache.chosen.as_ref().unwrap().1.topic, Some(2));
    harness
        .query_all_by(|node| node.label().is_some_and(|label| label.starts_with("Document ")))
        .nth(1)
        .unwrap()
        .click();
    harness.run_steps(3);
    assert!(harness.state().cache.chosen.as_ref().unwrap().1.document.is_some());
    harness.get_by_label("◀ Topic 3").click();
    harness.run_steps(3);
    assert_eq!(harness.state().cache.chosen.as_ref().unwrap().1.document, None);
    harness.get_by_label("Close").click();
    harness.run_steps(3);
    assert!(harness.state().cache.chosen.is_none());
}

/// A frame that brings nothing new makes no new picture.
#[test]
fn pictures_are_kept_while_topics_stay_the_same() {
    let mut harness = harness("corpus = { kind = \"triangle\", documents = 60 }");
    harness.run_steps(3);
    let picture = |harness: &mut Harness<'_, State>| {
        let State { frame, cache } = harness.state_mut();
        let input = TopicsInput {
            frame,
            runs: &[0],
            truth: true,
            relevance: Relevance::default(),
            chain: 0,
            aligned: true,
            computing: Computing::Now,
        };
        let facts = cache.facts(frame, frame.target.topics().unwrap());
        cache.shown(&egui::Context::default(), &input, (0, &facts)).unwrap().picture
    };
    let before = picture(&mut harness);
    harness.run_steps(3);
    assert!(Arc::ptr_eq(&before, &picture(&mut harness)));
}

/// All text that is painted.
fn texts(harness: &Harness<'_, State>) -> Vec<String> {
    fn collect(shape: &egui::Shape, found: &mut Vec<String>) {
        match shape {
            egui::Shape::Vec(shapes) => shapes.iter().for_each(|shape| collect(shape, found)),
            egui::Shape::Text(text) => found.push(text.galley.text().to_owned()),
            _ => {}
        }
    }
    let mut found = Vec::new();
    harness.output().shapes.iter().for_each(|shape| collect(&shape.shape, &mut found));
    found
}

#[test]
fn the_legend_explains_distances_where_they_are_shown() {
    let mut seen = Vec::new();
    for size in [[900.0, 600.0], [500.0, 300.0], [300.0, 220.0], [200.0, 240.0], [130.0, 200.0]] {
        let mut harness = sized("corpus = { kind = \"bars\", side = 4, documents = 60 }", size.into());
        harness.run_steps(3);
        let texts = texts(&harness);
        let any = |start: &str| texts.iter().any(|text| text.starts_with(start));
        assert_eq!(any("H: "), any("H 0.") || any("mean H "), "{size:?}: {texts:?}");
        seen.push(any("H: "));
    }
    assert!(seen.contains(&true) && seen.contains(&false), "{seen:?}");
}
