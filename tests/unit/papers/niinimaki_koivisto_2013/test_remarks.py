"""What the paper remarks beside its figures is counted and timed as tables say.

Source of truth: values by hand, and the entries of the study.
"""

from pathlib import Path

import numpy as np
import pytest
import xarray as xr

from ockham.orders.scorers.mc3 import N_BLOCKS
from ockham.papers.claims.stored import read_stored
from ockham.papers.niinimaki_koivisto_2013 import PAPER
from ockham.papers.niinimaki_koivisto_2013.bounds_that_hold import bounds_that_hold
from ockham.papers.niinimaki_koivisto_2013.bounds_without_blocks import bounds_without_blocks
from ockham.papers.niinimaki_koivisto_2013.ideal_space import ideal_space
from ockham.papers.niinimaki_koivisto_2013.sampling_costs import RECORDS, samples_per_second, sampling_costs
from ockham.studies.loading import load
from ockham.studies.study_files import conditions_of

CONFIG = Path(__file__).parents[4] / "config"
STUDIES = [load(source) for source in conditions_of(CONFIG / "niinimaki_koivisto_2013_remarks.yaml")]
OVER = ("scorer", "prior", "fraction", "run")


def declared(name):
    about = read_stored(PAPER).tables[name]
    return {*about.rows, *about.columns}


def tree(data):
    return xr.DataTree.from_dict({"/": xr.Dataset(attrs={"conditions": "alarm"}), "alarm": data})


def entries(roles, samplers, lengths):
    return {
        "scorer": [f"e{i}" for i in range(len(roles))], "prior": ["orders", "graphs"], "fraction": [0.5, 1.0],
        "role": ("scorer", roles), "sampler": ("scorer", samplers), "length": ("scorer", lengths),
    }  # fmt: skip


def test_bounds_are_counted_at_the_end_where_the_exact_value_is_known():
    """Of three runs at -12, -11 and -9, two are below -10; a fourth is not there, and halfway all are above."""
    bounds = np.full((2, 2, 2, 4), 0.0)
    bounds[0, 0, 1] = [-12, -11, -9, np.nan]
    data = xr.Dataset(
        {
            "lower_bound": (OVER, bounds),
            "n_samples": (("scorer", "prior"), [[54, 54], [9, 9]]),
            "exact_log_evidence": ("prior", [-10.0, np.nan]),
        },
        entries(["bounded", "timed"], ["ais", "ais"], [4, 1]),
    )
    table = bounds_that_hold(tree(data), PAPER)
    assert set(table.columns) == declared("bounds_that_hold")
    assert table.values.tolist() == [["alarm", "orders", "AIS 4", 3, 18, 2, 66.67, 1.0, -1.0]]


@pytest.fixture
def timed():
    """Two runs of AIS, ten samples together, and one run of MC3, with twice as much at the end as halfway.

    Orders take 2 + 3 seconds, and their graphs 4 more; without counts, of 20 samples, 4 more as well.
    """
    seconds = np.array([[[2, 3], [5, 4]], [[1, 1], [3, 3]], [[5, np.nan], [8, np.nan]]])
    return xr.Dataset(
        {
            "seconds": (OVER, seconds[:, :, None] * [[0.5], [1.0]]),
            "n_samples": (("scorer", "prior"), [[10, 10], [20, 0], [1, 1]]),
        },
        entries(["timed", "uncounted", "timed"], ["ais", "ais", "mc3"], [4, 1, 16]),
    )


def test_a_sample_costs_annealing_drawing_and_counting(timed):
    table = sampling_costs(tree(timed), PAPER)
    assert set(table.columns) == declared("sampling_costs")
    assert table.values.tolist() == [["alarm", "AIS 4", 500.0, 200.0, 200.0, 0.556, 0.286]]


def test_samples_are_by_all_that_they_take(timed):
    """Of MC3 each run has a hundred."""
    assert samples_per_second(tree(timed), PAPER).to_dict("records") == [
        {"condition": "alarm", "AIS 4": 1.11, "MC3 16": 12.5}
    ]


def test_without_blocks_the_median_lower_bound_of_the_middle_length_is_beside_the_upper_bound():
    """Of lengths 1, 4 and 16 that is 4, whose runs end at -14, -12 and -11; under the other prior none is known."""
    bounds = np.full((3, 2, 2, 3), -20.0)
    bounds[1, 0, 1] = [-14, -12, -11]
    data = xr.Dataset(
        {"lower_bound": (OVER, bounds), "upper_bound": ("prior", [-7.5, np.nan])},
        entries(["timed", "timed", "timed"], ["ais", "ais", "ais"], [16, 4, 1]),
    )
    table = bounds_without_blocks(tree(data), PAPER)
    assert set(table.columns) == declared("bounds_without_blocks")
    assert table.values.tolist() == [["alarm", "orders", -12.0, -7.5, 4.5]]


def test_space_is_that_of_the_graph_with_the_most_ideals():
    over = ("max_indegree", "n", "graph")
    group = xr.Dataset(
        {"n_ideals": (over, [[[64.0, 256.0]]]), "table_bytes": (over, [[[1536.0, 6200.0]]])},
        {"max_indegree": [3], "n": [10]},
    )
    table = ideal_space(xr.DataTree.from_dict({"linear_extensions": group}), PAPER)
    assert set(table.columns) == declared("ideal_space")
    assert table.values.tolist() == [[3, 10, 256, 6200, 24.22]]


def timed_entries():
    found = [(study, name, grid) for study in STUDIES for name, grid in study.scorers.items()]
    return [(study, grid.scorer, study.scorer_settings[name]) for study, name, grid in found if grid.role == "timed"]


def test_timed_runs_of_mc3_have_as_many_samples_as_is_said():
    chains = [settings for _, sampler, settings in timed_entries() if sampler == "mc3"]
    assert len(chains) == 9
    for settings in chains:
        of_one = (settings.ratios + 1) * settings.thin
        assert N_BLOCKS * (settings.steps // (of_one * N_BLOCKS)) == RECORDS


def test_timed_samplers_are_those_of_the_paper():
    """Schedules by their length, and records as far apart as in section 3.5."""
    found = {}
    for study, sampler, settings in timed_entries():
        length = settings.length if sampler == "ais" else (settings.ratios, settings.thin)
        found.setdefault(study.condition, []).append(length)
    for condition, lengths in found.items():
        thin = 10 if condition == "promoters" else 100
        assert lengths == [1, 4, 16, (4, thin), (16, thin), (64, thin)]
    assert [*found] == ["mushroom", "alarm", "promoters"]
