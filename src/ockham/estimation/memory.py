"""What a scorer may take of memory, said before it starts."""

from ockham.errors import ModelError

__all__ = ["MAX_BYTES", "check_memory"]

MAX_BYTES = 8e9
"""Of the largest arrays of one run together, as they are predicted."""


def check_memory(n_numbers: float, what: str, remedy: str) -> None:
    """Raise a ModelError when so many float64 are more than allowed."""
    if (n_bytes := 8.0 * n_numbers) > MAX_BYTES:
        raise ModelError(f"{what}: {n_bytes / 1e9:,.3g} GB, {MAX_BYTES / 1e9:g} are allowed; {remedy}")
