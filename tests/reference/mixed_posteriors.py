"""Slow twin of fitted mixtures: posterior means over every assignment of the rows to classes, in closed forms."""

from itertools import product

import numpy as np

from ockham.mixtures.finite_mixture import Sums

__all__ = ["MixedPosterior", "closed_means"]


class MixedPosterior:
    """Every assignment of cells, NaN where one is missing, with its exact probability."""

    def __init__(self, model, cells):
        self.model, self.cells = model, cells
        self.assignments = np.array(list(product(range(model.n_classes), repeat=len(cells))))
        statistics = np.zeros((len(cells), model.n_statistics))
        for column, (item, at) in zip(cells.T, model.slices, strict=True):
            known = ~np.isnan(column)
            statistics[known, at] = item.statistics(column[known])
        members = np.eye(model.n_classes)[self.assignments].swapaxes(1, 2)
        logs = model.log_marginal(Sums(members.sum(axis=2), members @ statistics))
        self.weights = np.exp(logs - logs.max())
        self.weights /= self.weights.sum()

    def mean(self, of_assignment):
        """The posterior mean of a function of the class of each row."""
        return np.tensordot(self.weights, [of_assignment(each) for each in self.assignments], axes=1)

    def together(self):
        """Probability that two rows are of one class."""
        return self.mean(lambda classes: (classes[:, None] == classes).astype(float))

    def squared_sizes(self):
        """Mean of the sum of the squares of the sizes."""

        def of_assignment(classes):
            alpha = self.model.concentration + np.bincount(classes, minlength=self.model.n_classes)
            return (alpha * (alpha + 1)).sum() / (alpha.sum() * (alpha.sum() + 1))

        return self.mean(of_assignment)

    def over_classes(self, quantity):
        """Mean of the sum over classes of size times a quantity, whose mean given a class's cells is given."""

        def of_assignment(classes):
            alpha = self.model.concentration + np.bincount(classes, minlength=self.model.n_classes)
            return sum(a * quantity(self.cells[classes == k]) for k, a in enumerate(alpha)) / alpha.sum()

        return self.mean(of_assignment)


def closed_means(items):
    """Functions of the cells of a class, by item and quantity: posterior means, written out by kind."""

    def known(cells, name):
        column = cells[:, list(items).index(name)]
        return column[~np.isnan(column)]

    def category(cells):
        item, x = items["category"], known(cells, "category")
        return (item.concentration + (x == 1).sum()) / (item.n_values * item.concentration + len(x))

    def ordering(cells):
        """Goes on from the first two states of four, and stops at the third."""
        item, x = items["ordering"], known(cells, "ordering")
        c, found = item.concentration, 1.0
        for state in range(3):
            stop = c / (4 - state)
            n_stop, n_there = (x == state).sum(), (x >= state).sum()
            p = (stop + n_stop) / (c + n_there)
            found *= p if state == 2 else 1 - p
        return found

    def number(cells):
        item, x = items["number"], known(cells, "number")
        return (item.mean_weight * item.centre + x.sum()) / (item.mean_weight + len(x))

    def precision(cells):
        item, x = items["number"], known(cells, "number")
        n, mean = len(x), x.mean() if len(x) else 0.0
        spread = ((x - mean) ** 2).sum() + n * item.mean_weight / (n + item.mean_weight) * (mean - item.centre) ** 2
        return (item.shape + n / 2) / (item.shape * item.deviation**2 + spread / 2)

    def count(cells):
        item, x = items["count"], known(cells, "count")
        return (item.shape + x.sum()) / (item.shape / item.mean + len(x))

    def share(cells):
        item, x = items["share"], known(cells, "share")
        return (item.concentration + x.sum()) / (2 * item.concentration + item.total * len(x))

    return {
        ("category", "probability of 1"): category, ("ordering", "probability of 2"): ordering,
        ("number", "mean"): number, ("number", "precision"): precision, ("count", "rate"): count,
        ("share", "probability"): share,
    }  # fmt: skip
