"""Restricted Boltzmann machines: binary visible and hidden units, every parameter Gaussian a priori.

A visible configuration x and a hidden one z have probability exp(theta . f(x, z)) / Z(theta), where the features f are
x_i z_k, x_i and z_k ([ChenWelling2013], eqs. (1) and (8)). Parameters are one flat vector: the weights W row by row,
then the visible biases b, then the hidden biases c. So are features, their means and both axes of their covariance.
"""

from dataclasses import dataclass
from math import factorial, log, pi
from typing import ClassVar

import numpy as np

from ockham.arguments import real, whole
from ockham.errors import ModelError
from ockham.kernels import boltzmann as kernel

__all__ = [
    "MAX_TERMS",
    "RestrictedBoltzmann",
    "activations",
    "check_enumerable",
    "covariance_given",
    "covariance_over",
    "expected_features",
    "feature_covariance",
    "features_given",
    "log_partition",
    "log_sum",
    "log_unnormalised",
    "sigmoid",
    "softplus",
    "states",
    "visible_distribution",
]

MAX_UNITS = 100_000
"""Of a layer."""
MAX_PARAMETERS = 10**8
DEVIATIONS = 1e-6, 1e6
"""Standard deviations of the prior: beyond them squares lose their digits."""
MAX_TERMS = 2**26
"""Terms, states of the smaller layer times units of the other, that an exact sum takes at the most."""


@dataclass(frozen=True)
class RestrictedBoltzmann:
    """The numbers of units, and the prior.

    Attributes
    ----------
    n_visible : int
        V.
    n_hidden : int
        K.
    deviation : float
        sigma, standard deviation of every parameter a priori, around 0.
    """

    family_name: ClassVar[str] = "restricted_boltzmann"
    n_visible: int
    n_hidden: int
    deviation: float = 1.0

    def __post_init__(self) -> None:
        for name in ("n_visible", "n_hidden"):
            object.__setattr__(self, name, whole(getattr(self, name), name, 1, MAX_UNITS, ModelError))
        object.__setattr__(self, "deviation", real(self.deviation, "deviation", *DEVIATIONS, ModelError))
        if self.n_parameters > MAX_PARAMETERS:
            raise ModelError(f"{self.n_parameters:,} parameters, over {MAX_PARAMETERS:,}: take fewer units")

    @property
    def n_parameters(self) -> int:
        """F = V K + V + K."""
        return self.n_visible * self.n_hidden + self.n_visible + self.n_hidden

    @property
    def n_aliases(self) -> int:
        """Relabellings of the hidden units, which leave likelihood and prior as they are: K!."""
        return factorial(self.n_hidden)

    @property
    def digest(self) -> str:
        """What distinguishes one machine from another."""
        return f"{self.n_visible} {self.n_hidden} {self.deviation!r}"

    def unpack(self, theta: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Views of W, shape (n_visible, n_hidden), of b, (n_visible,), and of c, (n_hidden,)."""
        n_weights = self.n_visible * self.n_hidden
        weights = theta[:n_weights].reshape(self.n_visible, self.n_hidden)
        return weights, theta[n_weights : n_weights + self.n_visible], theta[n_weights + self.n_visible :]

    def log_prior(self, theta: np.ndarray) -> float:
        """Log density of the parameters a priori, in nats."""
        scaled = theta / self.deviation
        return -0.5 * float(scaled @ scaled) - self.n_parameters * (log(self.deviation) + 0.5 * log(2 * pi))

    def sample(self, rng: np.random.Generator) -> np.ndarray:
        """One draw of the prior, shape (n_parameters,)."""
        return rng.normal(0.0, self.deviation, self.n_parameters)

    @property
    def swapped(self) -> "RestrictedBoltzmann":
        """The same machine with the names of its layers exchanged."""
        return RestrictedBoltzmann(self.n_hidden, self.n_visible, self.deviation)

    @property
    def swap(self) -> np.ndarray:
        """Where each parameter of ``swapped`` stands in this machine's; shape (n_parameters,)."""
        weights, visible, hidden = self.unpack(np.arange(self.n_parameters))
        return np.concatenate([weights.T.ravel(), hidden, visible])


def states(n_units: int) -> np.ndarray:
    """Every configuration of some binary units, the first unit slowest; shape (2 ** n_units, n_units)."""
    return (np.arange(2**n_units)[:, None] >> np.arange(n_units)[::-1] & 1).astype(np.float64)


def log_unnormalised(model: RestrictedBoltzmann, theta: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """ln Z(x, theta), the log of the sum over z of exp(theta . f(x, z)), in nats; shape (n_rows,).

    ``rows``, shape (n_rows, n_visible), are floats 0 and 1.
    """
    return log_sum(*activations(model, theta, rows))


def activations(model: RestrictedBoltzmann, theta: np.ndarray, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """b . x, shape (n_rows,), and W'x + c, (n_rows, n_hidden), of every row; both are linear in theta."""
    weights, visible, hidden = model.unpack(theta)
    return rows @ visible, rows @ weights + hidden


def log_sum(visible_part: np.ndarray | float, activation: np.ndarray) -> np.ndarray:
    """ln Z(x, theta), shape (n_rows,), from b . x and W'x + c."""
    return visible_part + softplus(activation).sum(axis=1)


def softplus(values: np.ndarray) -> np.ndarray:
    """ln(1 + exp(values)), several times as fast as ``np.logaddexp``."""
    result = np.abs(values)
    np.negative(result, out=result)
    np.exp(result, out=result)
    np.log1p(result, out=result)
    result += np.maximum(values, 0.0)
    return result


def log_partition(model: RestrictedBoltzmann, theta: np.ndarray) -> float:
    """ln Z(theta) in nats, by the sum over the states of the smaller layer.

    Raises
    ------
    ModelError
        When the sum has more than ``MAX_TERMS`` terms.
    """
    return _partition(model, theta, np.empty(0))


def expected_features(model: RestrictedBoltzmann, theta: np.ndarray) -> tuple[float, np.ndarray]:
    """ln Z in nats, and its gradient: the features' means under the model, shape (n_parameters,); exact."""
    means = np.empty(model.n_parameters)
    return _partition(model, theta, means), means


def _partition(model: RestrictedBoltzmann, theta: np.ndarray, means: np.ndarray) -> float:
    check_enumerable(model)
    work = np.empty(kernel.work_size(model.n_visible, model.n_hidden, n_rows=0))
    theta = np.ascontiguousarray(theta, dtype=float)
    return kernel.partition(model.n_visible, model.n_hidden, theta, means=means, work=work)


def features_given(
    model: RestrictedBoltzmann, theta: np.ndarray, rows: np.ndarray, row_weights: np.ndarray
) -> np.ndarray:
    """Sum over rows of a row's weight times the features' means given the row; shape (n_parameters,)."""
    weights, _, hidden = model.unpack(theta)
    weighted = row_weights[:, None] * sigmoid(rows @ weights + hidden)
    return np.concatenate([(rows.T @ weighted).ravel(), row_weights @ rows, weighted.sum(axis=0)])


def covariance_given(
    model: RestrictedBoltzmann, theta: np.ndarray, rows: np.ndarray, row_weights: np.ndarray
) -> np.ndarray:
    """Sum over rows of a row's weight times the features' covariance given the row, (n_parameters, n_parameters).

    Given x, features of different hidden units are independent, and those of unit k vary with z_k only.
    """
    weights, _, hidden = model.unpack(theta)
    active = sigmoid(rows @ weights + hidden)
    variance = row_weights[:, None] * active * (1 - active)
    with_one = np.column_stack([rows, np.ones(len(rows))])
    indices, n_weights = np.arange(model.n_parameters), model.n_visible * model.n_hidden
    covariance = np.zeros((model.n_parameters, model.n_parameters))
    for k in range(model.n_hidden):
        own = np.append(indices[k : n_weights : model.n_hidden], n_weights + model.n_visible + k)
        covariance[np.ix_(own, own)] = with_one.T @ (variance[:, k : k + 1] * with_one)
    return covariance


def covariance_over(
    model: RestrictedBoltzmann, theta: np.ndarray, rows: np.ndarray, probabilities: np.ndarray
) -> np.ndarray:
    """Covariance of the features where rows have these probabilities, (n_parameters, n_parameters).

    It is the mean of the covariance given the row plus the covariance of the mean.
    """
    weights, _, hidden = model.unpack(theta)
    active = sigmoid(rows @ weights + hidden)
    means = np.column_stack([(rows[:, :, None] * active[:, None, :]).reshape(len(rows), -1), rows, active])
    means -= probabilities @ means
    means *= np.sqrt(probabilities)[:, None]
    return covariance_given(model, theta, rows, probabilities) + means.T @ means


def feature_covariance(model: RestrictedBoltzmann, theta: np.ndarray) -> np.ndarray:
    """Covariance of the features under the model, (n_parameters, n_parameters); exact."""
    model, theta, back = _smaller_visible(model, theta)
    rows = states(model.n_visible)
    log_terms = log_unnormalised(model, theta, rows)
    probabilities = np.exp(log_terms - np.logaddexp.reduce(log_terms))
    covariance = covariance_over(model, theta, rows, probabilities)
    return covariance[np.ix_(back, back)]


def visible_distribution(model: RestrictedBoltzmann, theta: np.ndarray) -> np.ndarray:
    """Probability of every visible configuration, in the order of ``states``; shape (2 ** n_visible,)."""
    _check_cost(model.n_visible, model.n_hidden)
    log_terms = log_unnormalised(model, theta, states(model.n_visible))
    return np.exp(log_terms - np.logaddexp.reduce(log_terms))


def check_enumerable(model: RestrictedBoltzmann) -> None:
    """Raise a ModelError, with the cost, when the smaller layer has too many states to sum over."""
    _check_cost(min(model.n_visible, model.n_hidden), max(model.n_visible, model.n_hidden))


def sigmoid(values: np.ndarray) -> np.ndarray:
    """1 / (1 + exp(-values))."""
    return 0.5 * (1 + np.tanh(0.5 * values))


def _smaller_visible(
    model: RestrictedBoltzmann, theta: np.ndarray
) -> tuple[RestrictedBoltzmann, np.ndarray, np.ndarray]:
    """The machine with its smaller layer as the visible one, its parameters, and where the given one's stand there."""
    check_enumerable(model)
    if model.n_visible <= model.n_hidden:
        return model, theta, np.arange(model.n_parameters)
    return model.swapped, theta[model.swap], model.swapped.swap


def _check_cost(n_summed: int, n_other: int) -> None:
    if n_summed >= 60 or 2**n_summed * n_other > MAX_TERMS:
        raise ModelError(
            f"an exact sum over {n_summed} binary units has 2^{n_summed} x {n_other} terms, more than {MAX_TERMS:,}: "
            "estimate the partition function by annealed importance sampling (partition: annealed, of the scorers that "
            "have it), or take fewer units"
        )
