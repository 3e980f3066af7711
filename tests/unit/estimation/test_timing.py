"""CPU time of a call, with the clock stopped."""

import numpy as np
import pytest

from ockham.estimation import timing


def test_short_calls_are_repeated_until_they_can_be_timed(monkeypatch):
    now, cost = [0.0], 1.5e-4
    monkeypatch.setattr(timing, "process_time", lambda: now[0])

    def function():
        now[0] += cost

    assert timing.cpu_seconds(function, 3) == pytest.approx(cost, rel=1e-9)
    assert np.isclose(now[0], cost * (1 + 10 + 3 * 100))
