"""Moves the topics by noisy gradient steps on a few documents, with steps that shrink with the share that they change.

    {move: ω} ← | ω + α (η − ω + D/B · {gradient: (n_kw − β_kw n_k)}) + {noise: √(2αω) ξ} |
    {position: β_kw} = ω_kw divided by the sum of ω_k over all words

ω     move: positive numbers for each topic and word, from which the topics are made
α     the step size
η     what the prior expects of ω; small η: few words in each topic
D     the number of all documents
B     data: the number of documents in the batch
n_kw  gradient: how often word w has topic k in the batch, on average over a few guesses
n_k   gradient: the sum of n_kw over words
β_kw  position: the share of word w in topic k
ξ     noise: a standard normal number for each entry of ω
"""
import numpy as np


def pick(weights, rng):
    """A topic, with a probability in proportion to its weight."""
    sums = np.cumsum(weights)
    return np.searchsorted(sums, rng.random() * sums[-1], side="right")


def count(document, beta, prior, rng, inner_discarded=8, inner_kept=4):
    """How often each word has each topic in a document, by Gibbs sampling; `prior` is added to counts of topics."""
    counts = np.zeros(beta.shape)
    z = np.array([pick(beta[:, word], rng) for word in document])
    own = np.bincount(z, minlength=len(beta)).astype(float)
    for sweep in range(inner_discarded + inner_kept):
        for index, word in enumerate(document):
            own[z[index]] -= 1
            z[index] = pick((own + prior) * beta[:, word], rng)
            own[z[index]] += 1
        if sweep >= inner_discarded:
            np.add.at(counts, (z, document), 1 / inner_kept)
    return counts


def step(omega, alpha, batch, target, rng):
    # position: Take the topics as they are: shares of words, which add up to 1.
    beta = omega / omega.sum(axis=1, keepdims=True)
    # data: Guess the topic of every word in the batch a few times, and count.
    counts = sum(count(target.documents[d], beta, target.alpha, rng) for d in batch)
    # gradient: Compare with what the present topics expect, and scale up to all documents.
    surplus = counts - beta * counts.sum(axis=1, keepdims=True)
    slope = target.eta - omega + len(target.documents) / len(batch) * surplus
    # noise: Draw a random number for each entry: normal noise. The smaller the entry, the less it is shaken.
    noise = np.sqrt(2 * alpha * omega) * rng.standard_normal(omega.T.shape).T
    # move: Go there. What falls below 0 is reflected, because ω is positive. The shares of words are what is drawn.
    return np.abs(omega + alpha * slope + noise)
