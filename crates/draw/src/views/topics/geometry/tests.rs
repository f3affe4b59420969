//! Pictures of topics against closed forms, and against figures of an independent program (Gibbs sampling of `triangle`).

use std::sync::Arc;

use super::*;
use base::math::{Point, Purpose, Simd, Stream};
use engine::session::{ChainTopics, TopicsKind};
use models::lda::{Gibbs, Model, Moved, Recipe, Tolerance, Topics};
use models::targets::TopicModel;

fn topics(rows: &[[f64; 3]]) -> Topics {
    Topics::from_fn(rows.len(), 3, |topic, word| rows[topic][word])
}

fn dirichlet(parameters: Topics, log_joint: Option<f64>) -> ChainTopics {
    let kind = TopicsKind::Dirichlet;
    ChainTopics {
        documents: 0,
        kind,
        parameters,
        guarded: 0,
        local_steps: 0,
        reflections: 0,
        moved: Moved::default(),
        log_joint,
    }
}

fn triangle() -> TopicModel {
    let corpus = Arc::new(Recipe::triangle().corpus(1));
    let model = Model { topics: 3, words: 3, alpha: 0.3, eta: 0.5 };
    TopicModel::new(corpus, model, Tolerance::default(), None, [(0, 0), (1, 1)])
}

/// With λ = 1 words are in order of probability, with λ = 0 in order of lift: 0.5/0.5, 0.3/0.4 and 0.2/0.1.
#[test]
fn relevance_goes_from_probability_to_lift() {
    let (topics, shares) = (topics(&[[0.5, 0.3, 0.2]]), [0.5, 0.4, 0.1]);
    let order = |weight: f64| ranked(&topics, 0, &shares, Relevance::of(weight), 3);
    assert_eq!(order(1.0), [0, 1, 2]);
    assert_eq!(order(0.0), [2, 0, 1]);
    // ½ ln p + ½ ln p/p(w): ½ ln 0.5, ½ ln 0.225, ½ ln 0.4.
    assert_eq!(order(0.5), [0, 2, 1]);
    assert_eq!(ranked(&topics, 0, &shares, Relevance::of(1.0), 2), [0, 1]);
    assert!((Relevance::of(0.37).weight() - 0.37).abs() < 1e-15);
    let sum: f64 = word_shares(&triangle().corpus, 0.5).iter().sum();
    assert!((sum - 1.0).abs() < 1e-12);
}

#[test]
fn a_grid_has_as_many_columns_as_make_its_pictures_largest() {
    let square = |[width, height]: [f32; 2]| width.min(height);
    assert_eq!(columns(10, [500.0, 200.0], square), 5);
    assert_eq!(columns(10, [200.0, 500.0], square), 2);
    assert_eq!(columns(30, [600.0, 500.0], square), 6);
    assert_eq!(columns(1, [600.0, 100.0], square), 1);
    assert_eq!(columns(0, [600.0, 100.0], square), 1);
}

#[test]
fn a_place_without_a_topic_stays_empty() {
    assert_eq!(topics_by_slot(&[0, 3, 1, 2], 3), [Some(0), Some(2), Some(3), Some(1)]);
    assert_eq!(topics_by_slot(&[2, 0], 3), [Some(1), None, Some(0)]);
}

/// The distribution that is all on one word is at its corner, and the outline of a region has its closed form: a Dirichlet
/// distribution with equal parameters a has variance 1/(9(3a + 1)) · ½ · 3 along both axes of the plane.
#[test]
fn regions_of_dirichlet_distributions_have_their_closed_form() {
    for (word, corner) in CORNERS.into_iter().enumerate() {
        let all_on = (0..3).map(|other| if other == word { 1.0 } else { 0.0 });
        assert!((point_of(all_on) - Point::from(corner)).norm() < 1e-15);
    }
    let spread = Spread::of_dirichlet(&Topics::filled(1, 3, 20.0), &[Some(0)]);
    let region = spread.regions[0];
    // Σ over corners of (1/3) c cᵀ − m mᵀ is 1/6 of the identity for a triangle of side 1.
    let sd = (1.0 / (6.0 * 61.0_f64)).sqrt();
    for point in outline(&region, 2.0) {
        assert!(((point - region.mean).norm() / (2.0 * sd) - 1.0).abs() < 1e-9);
    }
    let wide = Spread::of_dirichlet(&topics(&[[9.0, 0.6, 0.1]]), &[Some(0)]).regions[0];
    let cut = outline(&wide, 2.0);
    let inside =
        |at: &Point| at.y >= -1e-12 && at.y <= 1.732_050_9 * at.x + 1e-9 && at.y <= 1.732_050_9 * (1.0 - at.x) + 1e-9;
    assert!(cut.len() > 10 && cut.iter().all(inside));
    assert!(wide.ellipse(2.0, 96).iter().any(|at| !inside(at)), "something was cut off");
}

/// Means and standard deviations of an independent program, each row from 2500 draws; labels are aligned.
#[test]
fn the_spread_over_draws_of_gibbs_sampling_is_that_of_the_posterior() {
    const MEANS: [[f64; 3]; 3] = [[0.8002, 0.1477, 0.0521], [0.0958, 0.7716, 0.1326], [0.1012, 0.0991, 0.7997]];
    const SDS: [[f64; 3]; 3] = [[0.0112, 0.0088, 0.0069], [0.0082, 0.0112, 0.0087], [0.0081, 0.0083, 0.0117]];
    let model = triangle();
    let documents = &model.corpus.training;
    let mut stream = Stream::derive(3, Purpose::Chain, 0, 0);
    let mut gibbs = Gibbs::new(Simd::widest(), model.model, documents, &mut stream);
    (0..200).for_each(|_| gibbs.sweep(documents, &mut stream));
    let draws: Vec<Arc<ChainTopics>> = (0..120)
        .map(|number| {
            (0..8).for_each(|_| gibbs.sweep(documents, &mut stream));
            // Draws come in different orders.
            let order = [[0, 1, 2], [2, 0, 1], [1, 2, 0]][number % 3];
            Arc::new(dirichlet(gibbs.lambda().reordered(&order), Some(0.0)))
        })
        .collect();
    let truth = &model.corpus.truth.as_ref().unwrap().topics;
    let order = [Some(0), Some(1), Some(2)];
    let spread = Spread::of_draws(&draws, truth, &order, true).unwrap();
    for (slot, (means, sds)) in MEANS.iter().zip(SDS).enumerate() {
        for word in 0..3 {
            // 120 draws, some 60 of them independent: a mean has a standard error of 0.13 sd, an sd one of 9 %.
            let (mean, sd) = (spread.mean.get(slot, word), spread.sd.get(slot, word));
            assert!((mean - means[word]).abs() < 0.6 * sds[word], "mean {slot} {word}: {mean}");
            assert!((sd / sds[word] - 1.0).abs() < 0.4, "sd {slot} {word}: {sd}");
        }
        let along = spread.regions[slot].mean - point_of(means.iter().copied());
        assert!(along.norm() < 0.01);
        // Var of the height, √3/2 β_3.
        let height = spread.regions[slot].covariance[(1, 1)].sqrt() / CORNERS[2][1];
        assert!((height / spread.sd.get(slot, 2) - 1.0).abs() < 1e-9);
    }
    let raw = Spread::of_draws(&draws, truth, &order, false).unwrap();
    assert!(raw.sd.get(0, 0) > 0.2, "without alignment labels mix");
    assert!(Spread::of_draws(&draws[..1], truth, &order, true).is_none());
}

/// Under the true topics shares of documents are near those that they were generated with, and φ of a token is a distribution.
#[test]
fn documents_are_read_by_the_local_step() {
    let model = triangle();
    let truth = model.corpus.truth.as_ref().unwrap();
    let drawn = ChainTopics { kind: TopicsKind::Draw, ..dirichlet(truth.topics.clone(), None) };
    let shares = document_shares(&model, &drawn);
    assert_eq!(shares.len(), 300);
    let error: f64 =
        (0..300).map(|document| (shares.of(document)[0] - truth.shares[3 * document]).abs()).sum::<f64>() / 300.0;
    assert!(error < 0.1, "{error}");
    let most = shares.largest(1, 5);
    assert!(most.windows(2).all(|pair| shares.of(pair[0])[1] >= shares.of(pair[1])[1]));
    let read = token_topics(&model, &drawn, most[0]);
    assert_eq!(read.tokens.len(), 60);
    assert_eq!(read.shares, shares.of(most[0]));
    assert!(read.tokens.iter().all(|(_, phi)| (phi.iter().sum::<f64>() - 1.0).abs() < 1e-9));
}

#[test]
fn pictures_are_in_the_order_of_places() {
    let model = triangle();
    let parameters = topics(&[[1.5, 1.5, 97.5], [97.5, 1.5, 1.5], [11.5, 81.5, 7.5]]);
    let shares = word_shares(&model.corpus, 0.5);
    let picture = TopicsPicture::of(&dirichlet(parameters, None), &model, None, (&shares, Relevance::of(1.0)));
    assert_eq!(picture.order, [Some(1), Some(2), Some(0)]);
    let distances = picture.distances.unwrap();
    assert!(distances.len() == 3 && distances.iter().all(|distance| (0.01..0.5).contains(distance)), "{distances:?}");
    assert_eq!(picture.bars, None);
    assert_eq!(picture.words.iter().map(|words| words[0]).collect::<Vec<_>>(), [0, 1, 2]);
    assert!((picture.mean.get(0, 0) - 97.5 / 100.5).abs() < 1e-15);
    let prevalence = picture.prevalence.unwrap();
    assert!(prevalence.iter().zip([1.0, 1.0, 1.0]).all(|(share, one)| (share * 3.0 - one).abs() < 0.02));
}
