"""The interval that a value, its standard error and its degrees of freedom make."""

import numpy as np

__all__ = ["freedom_of_sum", "interval"]


def interval(
    value: np.ndarray | float,
    standard_error: np.ndarray | float,
    degrees_of_freedom: np.ndarray | float = np.inf,
    probability: float = 0.95,
) -> tuple[np.ndarray, np.ndarray]:
    """Lower and upper end of the central interval of Student's t distribution; NaN without an error."""
    from scipy.special import stdtrit  # slow to import, and scoring processes store errors, not intervals

    deviation = stdtrit(degrees_of_freedom, (1 + probability) / 2) * np.asarray(standard_error)
    return value - deviation, value + deviation


def freedom_of_sum(variances: np.ndarray, degrees_of_freedom: np.ndarray) -> np.ndarray:
    """Degrees of freedom of the sum of independent variances along the last axis ([Satterthwaite1946])."""
    losses = (variances**2 / degrees_of_freedom).sum(axis=-1)
    found: np.ndarray = np.divide(
        variances.sum(axis=-1) ** 2, losses, out=np.full_like(losses, np.inf), where=losses > 0
    )
    return found
