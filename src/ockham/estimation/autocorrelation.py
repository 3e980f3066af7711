"""How many draws of Markov chains are worth one independent draw."""

from collections.abc import Sequence

import numpy as np

__all__ = ["autocorrelation_time"]

WINDOW = 5.0
"""Autocorrelations are summed over this many autocorrelation times, [Sokal1997]: beyond, they are noise."""


def autocorrelation_time(chains: Sequence[np.ndarray]) -> float:
    """Integrated autocorrelation time of one function along several chains, in draws; at least 1.

    Parameters
    ----------
    chains : sequence of ndarray, shapes (n_draws,)
        Of one distribution. Deviations are taken from the mean of all, so chains that disagree have a long time.

    Notes
    -----
    1 + 2 sum_k rho_k up to the first lag of ``WINDOW`` times the sum so far; [Sokal1997], section 3.
    """
    longest = max(len(chain) for chain in chains)
    mean = np.concatenate(chains).mean()
    sums, counts = np.zeros(longest), np.zeros(longest)
    for chain in chains:
        n = len(chain)
        spectrum = np.fft.rfft(chain - mean, 2 * n)
        sums[:n] += np.fft.irfft(spectrum * spectrum.conj())[:n]
        counts[:n] += np.arange(n, 0, -1)
    covariances = sums / counts
    if covariances[0] <= 0:
        return 1.0
    times = 2 * np.cumsum(covariances / covariances[0]) - 1
    beyond = np.flatnonzero(np.arange(longest) >= WINDOW * times)
    return max(float(times[beyond[0] if len(beyond) else -1]), 1.0)
