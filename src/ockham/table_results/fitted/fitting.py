"""What a fit is asked for, and what a user is told of one that is not to be trusted."""

import warnings
from collections.abc import Callable
from time import monotonic
from typing import Any, NamedTuple, TypeVar

from ockham.errors import ConfigError, OckhamWarning
from ockham.estimation.interrupting import interruptible
from ockham.estimation.memory import check_memory
from ockham.io.arguments import flag, whole
from ockham.io.progress import progress_bar
from ockham.table_results.fitted.classes import FittedClasses
from ockham.table_results.limits import seed_of

__all__ = ["Chains", "warn_of_untrusted"]

N_COPIES = 8
"""Of all draws."""
Fit = TypeVar("Fit", bound=FittedClasses)


class Chains(NamedTuple):
    """How many chains and draws of each there are to be, the root seed, and whether progress is shown."""

    n_draws: int
    n_chains: int
    root: int
    progress: bool

    @classmethod
    def of(cls, n_draws: Any, n_chains: Any, seed: Any, progress: Any) -> "Chains":
        """With everything checked; a ConfigError for what cannot be."""
        return cls(
            whole(n_draws, "n_draws", 100, 10**6, ConfigError),
            whole(n_chains, "n_chains", 2, 256, ConfigError),
            seed_of(seed),
            flag(progress, "progress", ConfigError),
        )

    def check_room(self, n_entries: int) -> None:
        """Raise a ModelError for draws of so many parameters that memory has no room for."""
        check_memory(
            N_COPIES * self.n_chains * self.n_draws * n_entries,
            f"{self.n_draws:,} draws of {self.n_chains} chains of {n_entries:,} parameters",
            "take fewer n_chains or n_draws",
        )

    def run(self, fit: Callable[[], Fit]) -> Fit:
        """What a function fits, while progress is shown and Ctrl-C is heard."""
        begun = monotonic()
        with progress_bar(None, shown=self.progress) as tell:
            return interruptible(fit, lambda: tell(0.0, f"{monotonic() - begun:.0f} s"))


def warn_of_untrusted(found: FittedClasses, stacklevel: int) -> None:
    """Warn the caller of what is not known, and why."""
    if not found.trusted:
        warnings.warn(
            f"not all of the fit is known: {'; '.join(found.reasons)}", OckhamWarning, stacklevel=stacklevel + 1
        )
