"""Finds topics by turns: first the topics of the words in all documents, then the words of all topics.

    {data: γ_dk} = α + sum over words w of n_dw φ_dwk,  {data: φ_dwk} ∝ exp( mean of log θ_dk + mean of log β_kw )
    {fit: λ_kw} ← η + {estimate: sum over all documents d of n_dw φ_dwk}

γ_dk   data: the weight of topic k in document d, of which θ_dk is uncertain
φ_dwk  data: the probability that word w in document d has topic k
n_dw   how often word w is in document d
λ_kw   fit: the weight of word w in topic k, of which β_kw is uncertain: it has a Dirichlet distribution with these numbers
θ_dk   the share of topic k in document d
β_kw   the share of word w in topic k
α      what is added to every topic of a document; small α: few topics in each document
η      what is added to every word of a topic; small η: few words in each topic
"""
import numpy as np


def digamma(x):
    """The derivative of log Γ: by its series at x + 10, and back from there."""
    below = sum(1 / (x + step) for step in range(10))
    x = x + 10
    y = 1 / x**2
    series = 1 / 12 - y * (1 / 120 - y * (1 / 252 - y * (1 / 240 - y * (1 / 132 - y * (691 / 32760 - y / 12)))))
    return np.log(x) - 1 / (2 * x) - y * series - below


def mean_logs(lam):
    """exp of the means of log β."""
    return np.exp(digamma(lam) - digamma(lam.sum(axis=1, keepdims=True)))


def expected(n, b, target):
    """How often each topic has each word of a document, whose words are counted by n."""
    gamma = np.full(len(b), target.alpha + n.sum() / len(b))
    for _ in range(target.local_steps):
        before, t = gamma, np.exp(digamma(gamma))
        gamma = target.alpha + t * (b @ (n / (t @ b)))
        if np.mean(np.abs(gamma - before)) < target.local_tolerance:
            break
    t = np.exp(digamma(gamma))
    return n * t[:, None] * b / (t @ b)


def step(lam, target):
    # position: Take the weights of words in topics as they are.
    b = mean_logs(lam)
    # data: Go through all documents. Find how likely each of their words has each topic, while the topics stay.
    counts = [expected(n, b, target) for n in target.counts]
    # estimate: Add up over the documents: so often each topic has each word.
    total = sum(counts)
    # fit: While the topics of words stay, these weights are the best ones. The bound rises with each of the two turns.
    lam = target.eta + total
    # move: The mean shares of words in the topics follow from the weights: they are what is drawn.
    return lam
