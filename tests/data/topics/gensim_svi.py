#!/usr/bin/env python3
"""λ of stochastic variational inference by gensim, which the tests of crates/models/src/topics compare with: the rows of sklearn_svi.py.

    pip install numpy scikit-learn gensim
    python tests/data/topics/gensim_svi.py > tests/data/topics/gensim_svi.csv

Same corpora, start, minibatches and step sizes. Made with gensim 4.4.0, which begins local steps at random γ: here at γ = 1, as
scikit-learn does without its own random start.
"""

import numpy as np
from gensim.models import LdaModel
from sklearn_svi import CASES, counts, expected_log


class Ones:
    """In the place of gensim's random numbers."""

    def gamma(self, _shape, _scale, size):
        return np.ones(size)


def main():
    print("corpus,batch,step,sum_of_squares,first,last_word,last")
    for name, topics, documents, length, concentration, alpha, eta, batch, shown in CASES:
        data = counts(topics, documents, length, concentration)
        bags = [[(word, int(count)) for word, count in enumerate(row) if count] for row in data]
        k, v = len(topics), len(topics[0])
        model = LdaModel(
            num_topics=k, id2word={word: str(word) for word in range(v)}, alpha=[alpha] * k, eta=eta, dtype=np.float64,
            gamma_threshold=1e-9, iterations=5000,
        )
        model.random_state = Ones()
        topic, word = np.meshgrid(np.arange(k), np.arange(v), indexing="ij")
        found = 1 + 0.5 * ((7 * topic + 3 * word + topic * word) % 11) / 11
        for step in range(1, max(shown) + 1):
            first = (step - 1) * batch % documents
            model.expElogbeta = np.exp(expected_log(found))
            _, statistics = model.inference(bags[first : first + batch], collect_sstats=True)
            rho = (step + 1.0) ** -0.7
            found = (1 - rho) * found + rho * (eta + documents / batch * statistics)
            if step in shown:
                numbers = [(found**2).sum(), found[0, 0], found[0, -1], found[-1, -1]]
                print(f"{name},{batch},{step}," + ",".join(f"{number:.12g}" for number in numbers))


if __name__ == "__main__":
    main()
