"""Errors by leaving out groups are the spread of the estimate, if draws of different groups are independent.

Sources of truth: the closed form for a mean; the spread of estimates over many tables, for a ratio and a logarithm of
means of dependent draws. Groups that cut across the chains miss what the draws of a chain have in common.
"""

import numpy as np
import pytest

from ockham.estimation.jackknife import jackknife_errors

N_CHAINS, N_DRAWS, N_TABLES, KEPT = 10, 200, 400, 0.9


def test_of_the_mean_of_single_draws_it_is_the_classical_error():
    draws = np.random.default_rng(1).normal(size=12)
    found = jackknife_errors(lambda counting: {"mean": draws[counting].mean()}, 12)
    assert found["mean"] == pytest.approx(draws.std(ddof=1) / np.sqrt(12), rel=1e-12)


def chains(rng):
    """Of an autoregressive process, from its stationary distribution."""
    draws = rng.normal(size=(N_CHAINS, N_DRAWS))
    for t in range(1, N_DRAWS):
        draws[:, t] = KEPT * draws[:, t - 1] + np.sqrt(1 - KEPT**2) * draws[:, t]
    return draws


def estimates(groups):
    return {
        "log_mean": float(np.log(np.exp(groups / 2).mean())),
        "ratio": float((groups**2).mean() / np.exp(groups / 2).mean()),
    }


@pytest.mark.parametrize(("across", "holds"), [(False, True), (True, False)])
def test_of_chains_it_is_the_spread_over_tables(across, holds):
    rng = np.random.default_rng(2)
    found, errors = [], []
    for _ in range(N_TABLES):
        draws = chains(rng)
        groups = draws.reshape(-1, N_CHAINS).T if across else draws  # of every tenth draw of all chains
        found.append(estimates(groups))
        errors.append(jackknife_errors(lambda counting, groups=groups: estimates(groups[counting]), N_CHAINS))
    for name in ("log_mean", "ratio"):
        spread = np.std([each[name] for each in found], ddof=1)
        typical = np.sqrt(np.mean([each[name] ** 2 for each in errors]))
        # Standard errors of both: 3.5 % of 400 deviations, and 1.2 % of 400 means of nine squares each.
        assert (abs(typical / spread - 1) < 0.15) == holds


def test_an_infinite_estimate_has_no_error():
    found = jackknife_errors(lambda counting: {"low": -np.inf if counting[0] else 0.0}, 3)
    assert np.isnan(found["low"])
