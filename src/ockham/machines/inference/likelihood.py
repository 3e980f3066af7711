"""The log likelihood of a restricted Boltzmann machine with its derivatives, exact where a layer can be enumerated."""

import numpy as np

from ockham.errors import DataError
from ockham.kernels import boltzmann as kernel
from ockham.machines.data.binary_rows import BinaryRows
from ockham.machines.restricted_boltzmann import RestrictedBoltzmann, check_enumerable, log_partition, log_unnormalised

__all__ = ["check_fits", "gradient", "log_likelihood"]


def log_likelihood(model: RestrictedBoltzmann, theta: np.ndarray, data: BinaryRows) -> float:
    """ln p(D | theta) in nats; eq. (2) of [ChenWelling2013]."""
    return float(data.counts @ log_unnormalised(model, theta, data.rows)) - data.n * log_partition(model, theta)


def gradient(model: RestrictedBoltzmann, theta: np.ndarray, data: BinaryRows) -> np.ndarray:
    """Gradient of ln p(D | theta), shape (n_parameters,); kappa of eq. (3) of [ChenWelling2013]."""
    check_enumerable(model)
    found = np.empty(model.n_parameters)
    starts, units, counts = data.sparse
    kernel.likelihood(
        model.n_visible,
        model.n_hidden,
        np.ascontiguousarray(theta, dtype=float),
        starts=starts,
        units=units,
        counts=counts,
        gradient=found,
        work=np.empty(kernel.work_size(model.n_visible, model.n_hidden, len(data.rows))),
    )
    return found


def check_fits(model: RestrictedBoltzmann, data: BinaryRows) -> None:
    """Raise a DataError unless the data have a column for every visible unit."""
    if data.rows.shape[1] != model.n_visible:
        n_columns = data.rows.shape[1]
        raise DataError(
            f"the data have {n_columns} columns, the model {model.n_visible} visible units: take a machine with "
            f"n_visible={n_columns}, or as many columns as it has units"
        )
