"""Gives every word of every document a new topic: likely one that the document has often, and that the word has often.

    p(z = k) ∝ {data: (n_dk + α)} · {estimate: (n_kw + η)/(n_k + Vη)}
    {decision: z} is drawn with these probabilities by {noise: u}

z     decision: the topic of a word in the text
n_dk  data: how many other words of the document have topic k
n_kw  estimate: how many other copies of the word have topic k
n_k   estimate: how many other words have topic k
V     the number of different words
α     what is added to counts of topics in a document; small α: few topics in each document
η     what is added to counts of words in a topic; small η: few words in each topic
u     noise: a random number between 0 and 1
"""
import numpy as np


def start(documents, z, K, V):
    """Counts of topics z in documents, and of words in topics."""
    n_dk, n_kw = np.zeros((len(documents), K)), np.zeros((K, V))
    for d, document in enumerate(documents):
        for word, topic in zip(document, z[d]):
            n_dk[d, topic] += 1
            n_kw[topic, word] += 1
    return z, n_dk, n_kw


def topics(state, eta):
    """The topics: shares of words."""
    _, _, n_kw = state
    return (n_kw + eta) / (n_kw + eta).sum(axis=1, keepdims=True)


def step(state, documents, alpha, eta, rng):
    # position: Go through all words of all documents. Each of them has a topic.
    z, n_dk, n_kw = state
    V = n_kw.shape[1]
    for d, document in enumerate(documents):
        for index, word in enumerate(document):
            # data: Take the word out of the counts, as if its topic were unknown.
            n_dk[d, z[d][index]] -= 1
            n_kw[z[d][index], word] -= 1
            # estimate: Weigh every topic: how often it is in this document, times how often it has this word.
            weights = (n_dk[d] + alpha) * (n_kw[:, word] + eta) / (n_kw.sum(axis=1) + V * eta)
            # noise: Choose a point on a bar of which every topic takes a length in proportion to its weight.
            sums = np.cumsum(weights)
            point = rng.random() * sums[-1]
            # decision: The topic at this point is the new one. Put the word back into the counts.
            z[d][index] = np.searchsorted(sums, point, side="right")
            n_dk[d, z[d][index]] += 1
            n_kw[z[d][index], word] += 1
    # move: The shares of words in the topics are what is drawn.
    return z, n_dk, n_kw
