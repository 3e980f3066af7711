"""The interval that a value, its standard error and its degrees of freedom make."""

import numpy as np

__all__ = ["interval"]


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
