#!/usr/bin/env python3
"""λ of stochastic variational inference by scikit-learn, which the tests of crates/models/src/topics compare with.

    pip install numpy scikit-learn
    python tests/data/topics/sklearn_svi.py > tests/data/topics/sklearn_svi.csv

Generated corpora of seed 1, λ of the first step by a formula, minibatches in the order of the documents, ρ = (t + 1)^-0.7, local
steps until γ changes by less than 1e-9 on average. A row has corpus, batch size, step, Σλ², and λ of the first and the last word
in the first topic and of the last word in the last topic. Made with scikit-learn 1.9.1.
"""

import math

import numpy as np
from scipy.special import psi
from sklearn.decomposition import LatentDirichletAllocation

MASK = (1 << 64) - 1


class Generator:
    """SplitMix64, and the draws that are made of it."""

    def __init__(self, seed):
        self.x = seed

    def uniform(self):
        self.x = (self.x + 0x9E3779B97F4A7C15) & MASK
        z = self.x
        z = ((z ^ z >> 30) * 0xBF58476D1CE4E5B9) & MASK
        z = ((z ^ z >> 27) * 0x94D049BB133111EB) & MASK
        return (((z ^ z >> 31) >> 12) + 0.5) * 2.0**-52

    def gamma(self, a):
        if a == 1.0:
            return -math.log(self.uniform())
        while True:
            x, y = self.uniform() ** (1 / a), self.uniform() ** (1 / (1 - a))
            if x + y <= 1.0:
                return x / (x + y) * -math.log(self.uniform())

    def categorical(self, p):
        u, total = self.uniform(), 0.0
        for index, share in enumerate(p):
            total += share
            if total > u:
                return index
        return len(p) - 1


def counts(topics, documents, length, concentration):
    """Documents as rows of counts."""
    generator, out = Generator(1), np.zeros((documents, len(topics[0])))
    for row in out:
        theta = np.array([generator.gamma(concentration) for _ in topics])
        theta /= theta.sum()
        for _ in range(length):
            row[generator.categorical(topics[generator.categorical(theta)])] += 1
    return out


def expected_log(lambda_):
    """E log β under Dirichlet distributions."""
    return psi(lambda_) - psi(lambda_.sum(1))[:, None]


def bars(side):
    rows = [[1 / side if pixel // side == r else 0.0 for pixel in range(side * side)] for r in range(side)]
    columns = [[1 / side if pixel % side == c else 0.0 for pixel in range(side * side)] for c in range(side)]
    return rows + columns


TRIANGLE = [[0.8, 0.15, 0.05], [0.1, 0.75, 0.15], [0.1, 0.1, 0.8]]
SEGMENT = [[0.85, 0.1, 0.05], [0.1, 0.15, 0.75]]

# Name, topics, documents, tokens of each, concentration; α and η of the model; batch size; steps that are printed.
CASES = [
    ("bars", bars(5), 1000, 100, 0.2, 0.2, 0.1, 50, [1, 10, 60]),
    ("bars4", bars(4), 200, 40, 0.2, 0.2, 0.1, 10, [10, 100]),
    ("triangle", TRIANGLE, 300, 60, 0.3, 0.3, 0.5, 10, [1, 10, 100]),
    ("segment", SEGMENT, 200, 50, 0.5, 0.5, 0.5, 10, [1, 10, 100]),
]


def main():
    print("corpus,batch,step,sum_of_squares,first,last_word,last")
    for name, topics, documents, length, concentration, alpha, eta, batch, shown in CASES:
        data = counts(topics, documents, length, concentration)
        k, v = len(topics), len(topics[0])
        model = LatentDirichletAllocation(
            n_components=k, doc_topic_prior=alpha, topic_word_prior=eta, mean_change_tol=1e-9, max_doc_update_iter=5000
        )
        model._init_latent_vars(v)
        topic, word = np.meshgrid(np.arange(k), np.arange(v), indexing="ij")
        model.components_ = 1 + 0.5 * ((7 * topic + 3 * word + topic * word) % 11) / 11
        model.exp_dirichlet_component_ = np.exp(expected_log(model.components_))
        for step in range(1, max(shown) + 1):
            first = (step - 1) * batch % documents
            # The local steps begin at γ = 1; in scikit-learn's own step at random.
            _, found = model._e_step(data[first : first + batch], cal_sstats=True, random_init=False)
            rho = (step + 1.0) ** -0.7
            model.components_ = (1 - rho) * model.components_ + rho * (eta + documents / batch * found)
            model.exp_dirichlet_component_ = np.exp(expected_log(model.components_))
            if step in shown:
                found = model.components_
                numbers = [(found**2).sum(), found[0, 0], found[0, -1], found[-1, -1]]
                print(f"{name},{batch},{step}," + ",".join(f"{number:.12g}" for number in numbers))


if __name__ == "__main__":
    main()
