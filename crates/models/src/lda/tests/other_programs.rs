//! SVI against scikit-learn 1.9.1 and gensim 4.4.0: the path of λ from the same start and the same minibatches. The figures are made by
//! `sklearn_svi.py` and `gensim_svi.py` in `tests/data/topics`.

use super::super::{Batches, Order, Recipe, Smoothing};
use super::{first_lambda, model, rho, stream, svi, tight};

/// Corpus, minibatch, step, and four numbers of λ.
type Row = (&'static str, usize, usize, [f64; 4]);

fn row(line: &'static str) -> Row {
    let fields: Vec<&str> = line.split(',').collect();
    let [name, batch, step, numbers @ ..] = &fields[..] else { panic!("{line}") };
    let numbers: Vec<f64> = numbers.iter().map(|number| number.parse().unwrap()).collect();
    (name, batch.parse().unwrap(), step.parse().unwrap(), numbers.try_into().unwrap())
}

#[test]
fn the_path_of_svi_is_that_of_scikit_learn() {
    path_is_that_of(include_str!("../../../../../tests/data/topics/sklearn_svi.csv"));
}

#[test]
fn the_path_of_svi_is_that_of_gensim() {
    path_is_that_of(include_str!("../../../../../tests/data/topics/gensim_svi.csv"));
}

#[track_caller]
fn path_is_that_of(figures: &'static str) {
    let rows: Vec<Row> = figures.lines().skip(1).map(row).collect();
    for (name, recipe, (alpha, eta)) in [
        ("bars", Recipe::bars(5), (0.2, 0.1)),
        ("bars4", Recipe::bars(4), (0.2, 0.1)),
        ("triangle", Recipe::triangle(), (0.3, 0.5)),
        ("segment", Recipe::segment(), (0.5, 0.5)),
    ] {
        let own: Vec<&Row> = rows.iter().filter(|row| row.0 == name).collect();
        let corpus = recipe.corpus(1);
        let model = model(&corpus, recipe.topics.count(), alpha, eta);
        let start = first_lambda(model.topics, model.words);
        let mut svi = svi(model, tight(), Smoothing::Statistics { window: 1 }, &start, &corpus.training);
        let mut batches = Batches::new(Order::Cyclic, own[0].1, corpus.training.len());
        let (mut stream, mut taken) = (stream(0), 0);
        for (_, _, step, expected) in own {
            while taken < *step {
                taken += 1;
                svi.step(&corpus.training, batches.next(&mut stream), rho(taken, 1.0, 0.7));
            }
            let (lambda, last) = (svi.lambda(), model.words - 1);
            let found =
                [lambda.square_norm(), lambda.get(0, 0), lambda.get(0, last), lambda.get(model.topics - 1, last)];
            for (found, expected) in found.iter().zip(expected) {
                // All end local steps by the same rule, but with other digamma functions.
                assert!(((found - expected) / expected).abs() < 1e-7, "{name} at {step}: {found}, not {expected}");
            }
        }
    }
}
