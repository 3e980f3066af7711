"""The mean of a positive function along chains, such as a density given what they completed, with an error."""

from collections.abc import Sequence

import numpy as np

from ockham.estimation.combining import Combined, combine

__all__ = ["N_BATCHES", "log_mean_of_chains"]

N_BATCHES = 20
"""Of the draws of a chain."""


def log_mean_of_chains(chains: Sequence[np.ndarray]) -> Combined:
    """The log of the mean of exp(values) over all draws of chains, each of shape (n_draws,), in nats.

    The error is that of means over batches of draws or, if that is larger, of the chains' means, for batches of a chain
    that seldom leaves a mode are too much alike. Chains that differ by more than their errors are doubted, and so are
    those of which a few draws, or a few batches, make most of the mean.
    """
    means = [combine(chain, "mean") for chain in chains]
    batches = [
        combine(np.array([combine(part, "mean").value for part in np.array_split(chain, N_BATCHES)]), "mean")
        for chain in chains
    ]
    if len(chains) == 1:
        return means[0]._replace(
            standard_error=batches[0].standard_error,
            doubt=means[0].doubt | batches[0].doubt,
            degrees_of_freedom=batches[0].degrees_of_freedom,
        )
    values = np.array([mean.value for mean in means])
    together = combine(
        values,
        "mean",
        np.array([batch.standard_error for batch in batches]),
        np.array(
            [
                np.fmin(mean.effective_sample_size, batch.effective_sample_size)
                if batch.doubt
                else mean.effective_sample_size
                for mean, batch in zip(means, batches, strict=True)
            ]
        ),
        np.array([mean.doubt | batch.doubt for mean, batch in zip(means, batches, strict=True)]),
    )
    apart = combine(values, "mean")
    return together._replace(
        standard_error=np.fmax(together.standard_error, apart.standard_error),
        degrees_of_freedom=apart.degrees_of_freedom,
    )
