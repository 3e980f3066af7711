"""CPU time of a call."""

from collections.abc import Callable
from time import process_time

__all__ = ["cpu_seconds"]


def cpu_seconds(function: Callable, repeats: int) -> float:
    """The shortest of several measurements, each of as many calls as take a hundredth of a second."""
    shortest, calls = float("inf"), 1
    for _ in range(repeats):
        elapsed = 0.0
        while True:
            start = process_time()
            for _ in range(calls):
                function()
            elapsed = process_time() - start
            if elapsed >= 0.01:
                break
            calls *= 10
        shortest = min(shortest, elapsed / calls)
    return shortest
