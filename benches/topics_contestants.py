"""Online variational Bayes for topics, for compare.py: with scikit-learn and gensim.

Two corpora, made here and handed to all programs as files of the UCI format: `topics-bars`, 1000 documents of 100 pixels of ten bars, and
`topics-text`, 1000 documents with 200 words of 5000 under 50 topics. Batches of 50 documents in epochs, tau = 1, kappa = 0.7, local steps
until gamma moves by less than 10^-3 on average, 100 at most. One thread and 64 bits everywhere.
"""

import time
from pathlib import Path

import numpy as np

BATCH, TAU, KAPPA, CHANGE, MOST_STEPS = 50, 1.0, 0.7, 1e-3, 100
# Topics, words, alpha, eta, tokens of a document.
SIZES = {"topics-bars": (10, 25, 0.2, 0.1, 100), "topics-text": (50, 5000, 0.1, 0.05, 200)}
DOCUMENTS = 1000


def corpus(workload):
    """Counts of words, a row per document."""
    topics, words, alpha, eta, length = SIZES[workload]
    rng = np.random.default_rng(1)
    if workload == "topics-bars":
        rows = np.kron(np.eye(5), np.full(5, 0.2))
        beta = np.concatenate([rows, rows.reshape(5, 5, 5).swapaxes(1, 2).reshape(5, 25)])
    else:
        beta = rng.dirichlet(np.full(words, eta), topics)
    shares = rng.dirichlet(np.full(topics, alpha), DOCUMENTS)
    return np.array([rng.multinomial(length, share @ beta) for share in shares])


def write(workload, folder):
    """Writes the corpus as `docword.txt` and `vocab.txt`."""
    counts = corpus(workload)
    documents, words = np.nonzero(counts)
    lines = [*counts.shape, len(words), *(f"{d + 1} {w + 1} {counts[d, w]}" for d, w in zip(documents, words))]
    Path(folder, "docword.txt").write_text("".join(f"{line}\n" for line in lines))
    Path(folder, "vocab.txt").write_text("".join(f"w{word}\n" for word in range(counts.shape[1])))


def score(workload, topics):
    """Log probability per token of the corpus for these topics (rows), with the likeliest shares of every document."""
    counts = corpus(workload)
    beta = topics / topics.sum(1, keepdims=True) + 1e-12
    shares = np.full((len(counts), len(beta)), 1 / len(beta))
    for _ in range(60):
        weights = shares * ((counts / (shares @ beta)) @ beta.T)
        shares = weights / weights.sum(1, keepdims=True)
    return float((counts * np.log(shares @ beta)).sum() / counts.sum())


def epochs(rng, count):
    """Batches of shuffled epochs."""
    for _ in range(count):
        yield from rng.permutation(DOCUMENTS).reshape(-1, BATCH)


def scikit_learn(workload, passes):
    from scipy.sparse import csr_matrix
    from sklearn.decomposition import LatentDirichletAllocation

    topics, _, alpha, eta, _ = SIZES[workload]
    counts = csr_matrix(corpus(workload).astype(float))
    seed = iter(range(1, 1_000_000))

    def run():
        model = LatentDirichletAllocation(
            topics, doc_topic_prior=alpha, topic_word_prior=eta, learning_method="online", learning_decay=KAPPA, learning_offset=TAU,
            batch_size=BATCH, total_samples=DOCUMENTS, mean_change_tol=CHANGE, max_doc_update_iter=MOST_STEPS, random_state=next(seed),
        )
        batches = list(epochs(np.random.default_rng(next(seed)), passes))
        before = time.perf_counter()
        for batch in batches:
            model.partial_fit(counts[batch])
        return time.perf_counter() - before, len(batches) * BATCH, model.components_

    return run


def gensim(workload, passes):
    from gensim.models import LdaModel

    topics, words, alpha, eta, _ = SIZES[workload]
    bags = [[(int(word), int(row[word])) for word in np.nonzero(row)[0]] for row in corpus(workload)]
    seed = iter(range(1, 1_000_000))

    def run():
        model = LdaModel(
            num_topics=topics, id2word={word: str(word) for word in range(words)}, chunksize=BATCH, passes=1, update_every=1,
            alpha=[alpha] * topics, eta=eta, decay=KAPPA, offset=TAU + 1, eval_every=None, iterations=MOST_STEPS, gamma_threshold=CHANGE,
            random_state=next(seed), dtype=np.float64,
        )
        before = time.perf_counter()
        model.update(bags, passes=passes)
        return time.perf_counter() - before, passes * len(bags), model.state.get_lambda()

    return run
