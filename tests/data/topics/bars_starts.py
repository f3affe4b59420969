#!/usr/bin/env python3
"""Stochastic variational inference of bars from many random starts with the local steps of scikit-learn, for docs/experiments.md.

    pip install numpy scikit-learn
    python tests/data/topics/bars_starts.py 40

Batches of 50 in shuffled epochs, ρ = (t + 1)^-0.7, local steps until γ changes by less than 1e-4 on average, 100 at most. Prints the
mean and the standard deviation over starts of the held-out value per word, and the mean number of bars found, after 200 and 1000
documents: with an order of the documents of its own for each start, and with one order for all of them.
"""

import sys

import numpy as np
from sklearn.decomposition import LatentDirichletAllocation
from sklearn_svi import Generator, bars, expected_log

DOCUMENTS, HELD_OUT, LENGTH, BATCH, AT = 1000, 200, 100, 50, (200, 1000)
TOPICS = np.array(bars(5))
K, V = TOPICS.shape


def corpus():
    """Counts of the training documents, and of the observed and the predicted halves of those held out."""
    generator = Generator(1)
    training, observed, predicted = np.zeros((DOCUMENTS, V)), np.zeros((HELD_OUT, V)), np.zeros((HELD_OUT, V))
    for document in range(DOCUMENTS + HELD_OUT):
        theta = np.array([generator.gamma(0.2) for _ in range(K)])
        theta /= theta.sum()
        for position in range(LENGTH):
            word = generator.categorical(TOPICS[generator.categorical(theta)])
            if document < DOCUMENTS:
                training[document, word] += 1
            else:
                (predicted if position % 2 else observed)[document - DOCUMENTS, word] += 1
    return training, observed, predicted


def one_start(data, seed, order):
    """Held-out value and bars found at each of AT."""
    training, observed, predicted = data
    rng = np.random.default_rng(seed)
    orders = rng if order is None else np.random.default_rng(order)
    model = LatentDirichletAllocation(
        n_components=K, doc_topic_prior=0.2, topic_word_prior=0.1, mean_change_tol=1e-4, max_doc_update_iter=100
    )
    model._init_latent_vars(V)
    found, left, out = rng.gamma(100, 0.01, (K, V)), [], []
    for step in range(1, max(AT) // BATCH + 1):
        if not left:
            left = list(orders.permutation(DOCUMENTS))
        batch, left = left[:BATCH], left[BATCH:]
        model.components_, model.exp_dirichlet_component_ = found, np.exp(expected_log(found))
        _, statistics = model._e_step(training[batch], cal_sstats=True, random_init=False)
        rho = (step + 1.0) ** -0.7
        found = (1 - rho) * found + rho * (0.1 + DOCUMENTS / BATCH * statistics)
        if step * BATCH in AT:
            model.components_, model.exp_dirichlet_component_ = found, np.exp(expected_log(found))
            gamma, _ = model._e_step(observed, cal_sstats=False, random_init=False)
            beta = found / found.sum(1, keepdims=True)
            probabilities = gamma / gamma.sum(1, keepdims=True) @ beta
            seen = sum((beta[:, topic > 0].sum(1) >= 0.8).any() for topic in TOPICS)
            out.append(((predicted * np.log(probabilities)).sum() / predicted.sum(), seen))
    return out


def main():
    data, starts = corpus(), int(sys.argv[1])
    for name, order in [("own orders", None), ("one order", 7), ("another", 8), ("a third", 9)]:
        found = np.array([one_start(data, seed, order) for seed in range(starts)])
        for index, documents in enumerate(AT):
            values, seen = found[:, index].T
            print(f"{name}, {documents} documents: {values.mean():.4f} (sd {values.std(ddof=1):.4f}), {seen.mean():.2f} bars", flush=True)


if __name__ == "__main__":
    main()
