"""Restricted Boltzmann machines by scikit-learn: weights row by row, visible and hidden biases."""

import numpy as np

__all__ = ["sklearn"]


def sklearn(given, **settings):
    from sklearn.neural_network import BernoulliRBM

    def work():
        return BernoulliRBM(n_components=int(given["n_hidden"]), random_state=0, **settings).fit(given["rows"])

    def read(found):
        parts = found.components_.T.ravel(), found.intercept_visible_, found.intercept_hidden_
        return np.concatenate(parts).tolist()

    return work, read
