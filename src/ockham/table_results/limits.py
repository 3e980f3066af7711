"""What can be asked for of a call: errors, seconds and seeds."""

from typing import Any

from ockham.errors import ConfigError
from ockham.io.arguments import real, whole

__all__ = ["ERRORS", "LONGEST", "SEEDS", "SHORTEST", "error_of", "seconds_of", "seed_of"]

ERRORS = (1e-6, 1e6)
"""Standard errors of a log evidence, nats."""
SHORTEST, LONGEST = 1e-3, 1e9
"""Seconds."""
SEEDS = (0, 2**63 - 1)


def error_of(value: Any) -> float:
    """The standard error to reach; a ConfigError for what is none."""
    return real(value, "error", *ERRORS, ConfigError)


def seconds_of(value: Any) -> float:
    """The seconds after which to end; a ConfigError for what are none."""
    return real(value, "seconds", SHORTEST, LONGEST, ConfigError)


def seed_of(value: Any) -> int:
    """The root of random streams; a ConfigError for what is none."""
    return whole(value, "seed", *SEEDS, ConfigError)
