"""Claim: one call gives the evidence of the first n rows for every n that is asked for, each with an error that holds.

Source of truth: the exact sum over completions of the first n rows. Negative control: half of the errors.
"""

import warnings
from itertools import count

import numpy as np
import pandas as pd
import pytest
from scipy.stats import binomtest

import ockham
from ockham.api import growing
from ockham.estimation import memory, waste_free
from ockham.estimation.intervals import interval

NETWORK = ockham.naive_bayes([2], [2, 3, 2])["classes-2"]
SIZES = [2, 6, 12]
ROWS = np.random.default_rng(1).integers(0, [2, 3, 2], (12, 3))
QUICK = {"n_chains": 8, "n_states": 20, "progress": False}


def exact(rows):
    return ockham.score(NETWORK, rows, "exact", progress=False)["exact"].log_evidence


@pytest.fixture(scope="module")
def held():
    """How many of 120 intervals of 95 % hold the exact value, as they are and with half of their errors."""
    tables = np.random.default_rng(2).integers(0, [2, 3, 2], (40, 12, 3))
    whole = half = 0
    for seed, rows in enumerate(tables):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ockham.OckhamWarning)
            found = ockham.evidence_by_size(NETWORK, rows, SIZES, seed=seed, **QUICK)
        for n, evidence in found.items():
            value, error, freedom = evidence.log_evidence, evidence.standard_error, evidence.degrees_of_freedom
            low, high = interval(value, error, freedom, 0.95)
            whole += low <= exact(rows[:n]) <= high
            low, high = interval(value, error / 2, freedom, 0.95)
            half += low <= exact(rows[:n]) <= high
    return whole, half


def test_intervals_hold_at_every_size(held):
    assert binomtest(held[0], 120, 0.95).pvalue > 1e-3


def test_half_of_the_errors_would_not_do(held):
    assert binomtest(held[1], 120, 0.95).pvalue < 1e-3


def test_the_first_rows_are_those_of_the_table():
    """Three that are alike come first, or three of which no two are."""
    rows = np.concatenate([[[0, 0, 0]] * 3, ROWS[:6], [[1, 2, 1], [0, 1, 0], [1, 0, 0]]])
    assert exact(rows[:3]) > exact(rows[-3:]) + 0.5
    forward, back = (ockham.evidence_by_size(NETWORK, each, [3, 12], **QUICK) for each in (rows, rows[::-1]))
    for found, first in ((forward, rows[:3]), (back, rows[-3:])):
        assert found[3].log_evidence == pytest.approx(exact(first), abs=5 * found[3].standard_error)
    assert forward[12].log_evidence == pytest.approx(back[12].log_evidence, abs=0.3)


def test_passes_take_the_rows_size_by_size_each_in_an_order_of_its_own(monkeypatch):
    taken, made, run = [], [], waste_free.run

    def watched(target, **given):
        taken.append((target.distinct[given["rows"]], given["sizes"], given.get("ends")))
        made.append(run(target, **given))
        return made[-1]

    monkeypatch.setattr(growing.waste_free, "run", watched)
    found = ockham.evidence_by_size(NETWORK, ROWS, [12, 2, 6, 6], n_passes=3, **QUICK)
    means = np.logaddexp.reduce([one.log_evidences for one in made[1:]]) - np.log(3)
    assert [each.log_evidence for each in found.values()] == pytest.approx(means)
    assert len(taken) == 4
    for rows, sizes, _ in taken:
        assert sizes == SIZES
        for n in SIZES:
            assert sorted(map(tuple, rows[:n])) == sorted(map(tuple, ROWS[:n]))
    assert len({rows.tobytes() for rows, _, _ in taken}) == 4
    assert taken[0][2] is None  # the pilot's weights choose the batches of the others
    assert all(ends is not None and set(SIZES) <= set(ends) for _, _, ends in taken[1:])


def test_missing_cells_and_columns_in_another_order():
    cells = ROWS.astype(float)
    cells[3, 1] = np.nan
    frame = pd.DataFrame(cells, columns=["y1", "y2", "y3"])[["y3", "y1", "y2"]]
    found = [ockham.evidence_by_size(NETWORK, given, SIZES, **QUICK) for given in (cells, frame)]
    assert str(found[0]) == str(found[1])
    assert found[0][6].log_evidence == pytest.approx(exact(cells[:6]), abs=5 * found[0][6].standard_error)


def test_the_same_seed_gives_the_same_bits_and_another_does_not():
    one, same, other = (
        {n: each.log_evidence for n, each in ockham.evidence_by_size(NETWORK, ROWS, SIZES, seed=k, **QUICK).items()}
        for k in (1, 1, 2)
    )
    assert one == same
    assert all(one[n] != other[n] for n in SIZES[1:])  # of two rows all particles say the same


def test_what_is_below_a_proven_bound_is_unknown(monkeypatch):
    above = {2: 0.0, 6: 5.0, 12: 5.0}
    monkeypatch.setattr(growing, "bounds_beside", lambda _, rows, root: [exact(ROWS[: rows.n]) - 0.5 + above[rows.n]])
    with pytest.warns(ockham.OckhamWarning, match=r"monte_carlo, (6|12) rows: at least .*proven lower bound"):
        found = ockham.evidence_by_size(NETWORK, ROWS, SIZES, **QUICK)
    assert [found[n].trusted for n in SIZES] == [True, False, False]
    assert [line.split(":")[0] for line in str(found).splitlines()] == ["2", "6", "12"]


@pytest.mark.parametrize(
    ("network", "data", "sizes", "more", "message"),
    [
        (NETWORK, ROWS, [], {}, "sizes: must be 1 to 1000 numbers of rows"),
        (NETWORK, ROWS, [0], {}, "sizes: 0 must be an integer of at least 1"),
        (NETWORK, ROWS, count(1), {}, "sizes: 13 must be an integer of at most 12"),
        (NETWORK, ROWS, [1] * 1001, {}, "sizes: must be 1 to 1000 numbers of rows"),
        (NETWORK, ROWS, [13], {}, "sizes: 13 must be an integer of at most 12"),
        (NETWORK, ROWS, 12, {}, "sizes: 12 must be a list"),
        (NETWORK, ROWS, [12], {"steps": 1}, "settings of smc: steps: unknown key.*; there are n_passes, "),
        (NETWORK, ROWS[:, :2], [12], {}, "the data: has 2 columns, the model observes 3"),
        (NETWORK, ockham.UniqueRows.of(ROWS, [2, 3, 2]), [12], {}, "the data: give an array or a data frame"),
        (ockham.RestrictedBoltzmann(2, 1), ROWS, [12], {}, "network: .* is no DiscreteNetwork"),
        (NETWORK, ROWS, [12], {"n_chains": 10**5, "n_states": 10**5}, "particles of .* GB"),
    ],
)
def test_what_it_cannot_do_is_refused(network, data, sizes, more, message):
    with pytest.raises(ockham.OckhamError, match=message):
        ockham.evidence_by_size(network, data, sizes, **more)


def test_more_sizes_than_memory_has_room_for_are_refused(monkeypatch):
    monkeypatch.setattr(memory, "MAX_BYTES", 100_000)
    few = {"n_chains": 1, "n_states": 2, "n_starts": 1, "progress": False}
    with pytest.raises(ockham.ModelError, match=r"12 sizes of 8 passes: .* take fewer n_passes"):
        ockham.evidence_by_size(NETWORK, ROWS, range(1, 13), **few)
    with pytest.warns(ockham.OckhamWarning, match="a few samples"):
        assert len(ockham.evidence_by_size(NETWORK, ROWS, [12], **few)) == 1


def test_sizes_are_doubted_from_that_on_where_a_batch_left_few_particles(monkeypatch):
    """Fifty rows alike, and ten that differ in four of twenty items, which not every particle has in a class alone."""
    monkeypatch.setattr(waste_free, "FEWEST", 500)
    kind = np.random.default_rng(24).integers(0, 2, 20)
    rows = np.array([kind, np.where(np.arange(20) < 4, 1 - kind, kind)]).repeat([50, 10], axis=0)
    network = ockham.naive_bayes([2], [2] * 20)["classes-2"]
    with pytest.warns(ockham.OckhamWarning, match="60 rows: at least"):
        found = ockham.evidence_by_size(network, rows, [1, 50, 60], progress=False)
    assert found[1].diagnostics["fewest_effective"] > found[50].diagnostics["fewest_effective"] > waste_free.FEWEST
    assert found[60].diagnostics["fewest_effective"] < waste_free.FEWEST
    assert [one.trusted for one in found.values()] == [True, True, False]


def test_sizes_are_doubted_whose_modes_no_pass_has_seen():
    """Rows of two kinds, in turn, of which no single one says that there are two: ten are one kind as well."""
    kind = np.random.default_rng(23).integers(0, 2, 20)
    rows = np.tile([kind, np.where(np.arange(20) < 3, 1 - kind, kind)], (30, 1))
    with pytest.warns(ockham.OckhamWarning, match="60 rows: at least .*proven lower bound"):
        found = ockham.evidence_by_size(ockham.naive_bayes([2], [2] * 20)["classes-2"], rows, [10, 60], progress=False)
    assert [one.trusted for one in found.values()] == [True, False]
    assert found[10].diagnostics["share_missing"] < 0.1 < 0.9 < found[60].diagnostics["share_missing"]
