"""The Bethe approximation to the partition function of restricted Boltzmann machines, by loopy belief propagation."""

import numpy as np

from ockham.machines.restricted_boltzmann import RestrictedBoltzmann, softplus

__all__ = ["bethe_log_partition"]


def bethe_log_partition(
    model: RestrictedBoltzmann, thetas: np.ndarray, *, max_iterations: int = 200, tolerance: float = 1e-6
) -> tuple[np.ndarray, np.ndarray]:
    """Bethe's ln Z in nats for several parameters, and whether the messages came to rest; both of shape (n_thetas,).

    ``thetas`` has shape (n_thetas, n_parameters). Exact where a layer has one unit.

    Notes
    -----
    A message is a difference of logs between the states 1 and 0 of the unit it goes to: softplus(W + h) - softplus(h),
    where h is the bias of the unit that it comes from and the messages from all others there. With g and h the sums at
    units i and k, and g' and h' the same without the message along the edge,

        ln Z = sum_i softplus(g) + sum_k softplus(h)
               + sum_ik ln(1 + exp(g') + exp(h') + exp(g' + h' + W)) - softplus(g) - softplus(h),

    minus the Bethe free energy at the fixed point; [YedidiaEtAl2005].
    """
    n_weights = model.n_visible * model.n_hidden
    weights = thetas[:, :n_weights].reshape(-1, model.n_visible, model.n_hidden)
    visible = thetas[:, n_weights : n_weights + model.n_visible, None]
    hidden = thetas[:, None, n_weights + model.n_visible :]
    to_visible, to_hidden = np.zeros_like(weights), np.zeros_like(weights)
    moving = np.arange(len(thetas))
    for _ in range(max_iterations):
        w, old = weights[moving], to_visible[moving]
        up = _messages(w, visible[moving] + old.sum(axis=2, keepdims=True) - old)
        down = _messages(w, hidden[moving] + up.sum(axis=1, keepdims=True) - up)
        to_hidden[moving], to_visible[moving] = up, down
        moving = moving[abs(down - old).max(axis=(1, 2)) > tolerance]
        if not len(moving):
            break
    at_visible = visible + to_visible.sum(axis=2, keepdims=True)
    at_hidden = hidden + to_hidden.sum(axis=1, keepdims=True)
    rest, other = at_visible - to_visible, at_hidden - to_hidden
    edges = _pair(rest, other, weights) - softplus(at_visible) - softplus(at_hidden)
    log_partition = (
        softplus(at_visible).sum(axis=(1, 2)) + softplus(at_hidden).sum(axis=(1, 2)) + edges.sum(axis=(1, 2))
    )
    at_rest = np.ones(len(thetas), dtype=bool)
    at_rest[moving] = False
    return log_partition, at_rest


def _messages(weights: np.ndarray, others: np.ndarray) -> np.ndarray:
    return softplus(weights + others) - softplus(others)


def _pair(first: np.ndarray, second: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """ln(1 + exp(first) + exp(second) + exp(first + second + weights))."""
    return np.logaddexp(softplus(first), second + softplus(first + weights))
