"""What posterior draws say of the number of classes with the highest evidence, in the time that is left."""

from collections.abc import Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from ockham.errors import ModelError
from ockham.estimation.interrupting import Job, work
from ockham.mixtures.classes.fitted import MixedClasses, fitted
from ockham.mixtures.data.mixed_rows import MixedRows
from ockham.mixtures.finite_mixture import FiniteMixture
from ockham.table_results.fitted.fitting import Chains

if TYPE_CHECKING:
    from ockham.mixtures.classes.checks import MixedChecks

__all__ = ["SHARE", "Description", "describe"]

SHARE = 0.1
"""Of the time for evidences, that is kept for it."""
N_DRAWS, N_CHAINS, N_REPLICATES = 250, 4, 200


class Description(NamedTuple):
    """A fit of one number of classes, and its posterior predictive checks."""

    fit: MixedClasses
    checks: "MixedChecks"


def describe(
    mixture: FiniteMixture, data: MixedRows, labels: Mapping[str, tuple[str, ...]], root: int, seconds: float
) -> Description | None:
    """None where there is no time for it, or no memory, or there are more classes than can be told apart."""
    found: list[Description] = []

    def run() -> Description:
        fit = fitted(mixture, data, labels, Chains(N_DRAWS, N_CHAINS, root, False))
        return Description(fit, fit.checks_now(N_REPLICATES, root))

    def done(outcome: Description, error: BaseException | None, _: float) -> None:
        if error is None:
            found.append(outcome)
        elif not isinstance(error, ModelError | MemoryError):
            raise error

    jobs = iter([Job(run, done)])
    with suppress(TimeoutError):
        work(lambda left: next(jobs, None), seconds)
    return found[0] if found else None
