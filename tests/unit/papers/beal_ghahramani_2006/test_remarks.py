"""Tables of what the text says in passing: numbers of parameters, distances, drops, lags and seconds.

Source of truth: stores and jobs set by hand, and what the paper prints.
"""

import json

import numpy as np
import pandas as pd
import pytest
import xarray as xr

from ockham.networks.structure_space import bipartite
from ockham.networks.summaries import summarise
from ockham.papers.beal_ghahramani_2006 import PAPER
from ockham.papers.beal_ghahramani_2006.annealing_seconds import annealing_seconds
from ockham.papers.beal_ghahramani_2006.remarks import (
    distances_over_draws,
    structure_sizes,
    top_structures,
    true_model,
)
from ockham.papers.beal_ghahramani_2006.remarks_of_annealing import (
    acceptance_by_doubling,
    schedule_shapes,
    table_3_smaller,
)
from ockham.papers.beal_ghahramani_2006.seconds_at_480 import seconds_at_480
from ockham.papers.claims.stored import read_stored

DIMENSIONS = "replicate", "n", "structure", "run"
LABELS = ["1-12-12-2", "1-12-12-0", "12-12-12-12"]
N = [640, 1280, 2560]
AIS = "annealed_importance_sampling"


def declared(name):
    about = read_stored(PAPER).tables[name]
    return {*about.rows, *about.columns}


def group(scores, replicates=(0,), n=N, local=0, **attributes):
    """Scores by name, each of a shape that fits (replicate, n, structure, run)."""
    runs = max(np.shape(values)[-1] for values in scores.values())
    shape = len(replicates), len(n), len(LABELS), runs
    variables = {
        name: (
            DIMENSIONS, np.array(np.broadcast_to(values, shape), dtype=float),
            {"units": "nats", "long_name": name, "bound": "none", "local": local},
        )
        for name, values in scores.items()
    }  # fmt: skip
    coordinates = {"replicate": list(replicates), "n": n, "structure": LABELS, "run": range(runs)}
    return xr.Dataset(variables, coordinates, {"role": "remarks", "scorer_settings": "", "from_truth": 0, **attributes})


def ais(values, role, rates=(0.5, 0.5, 0.5), n=N, curvature=0.2):
    settings = {"n_steps": 16, "strength": 1.0, "strength_per_datum": 0.0, "curvature": curvature}
    one = group({AIS: values}, n=n, role=role, scorer="ais", scorer_settings=json.dumps(settings))
    one[AIS].attrs["over_runs"] = "mean"
    accepted = one[AIS].drop_attrs() * 0 + xr.DataArray(list(rates), {"n": n}, "n")
    return one.assign(acceptance=accepted, **{f"acceptance_quarter_{q}": accepted for q in range(1, 5)})


@pytest.fixture
def summaries():
    """MAP has the structure of 66 parameters on top with more runs only; draws 1 to 3 differ in their distances."""
    root = xr.Dataset(
        {"n_parameters": ("structure", [50, 46, 66]), "log_aliases": ("structure", [0.0, 0.0, 0.0])},
        {"structure": LABELS},
        {"study": "by_hand", "condition": "", "true_structure": LABELS[0]},
    )
    bic = np.full((4, 3, 3, 1), -20.0)
    bic[1:, :, 1, 0] = np.array([-10.0, -14.0, -20.0])[:, None]
    fits = {"map": [[-10.0], [-9.0], [-11.0]], "bic": bic, "bicp": -1.0 * bic, "cheeseman_stutz": [[-5.0]]}
    groups = {
        "em": group(fits, range(4), scorer="em", scorer_settings="1000"),
        "vb": group({"variational_bayes": [[-10.0], [-9.5], [-11.0]]}, range(4), scorer="vb"),
        "em_restarts": group({"map": [[-10.0], [-9.0], [-8.0]]}, n=[2560], scorer="em", scorer_settings="10000"),
        "ais": ais(np.array([[-20.0, -5.0, -5.0, -5.0, -5.0]]), "smaller_sizes"),
        "ais_doubled": ais([[-5.0]], "doubled_sizes", (0.6, 0.5, 0.35)),
        "ais_curvature_0_2": ais([[-10.0], [-9.5], [-8.0]], "schedule_shape", curvature=0.25),
        "ais_curvature_linear": ais([[-16.0], [-9.5], [-11.0]], "schedule_shape", curvature=1e9),
    }
    return summarise({"by_hand": xr.DataTree.from_dict({"/": root, **groups})}, {})


def test_structures_are_counted_by_their_parameters_and_by_the_arcs_of_the_true_one():
    networks = bipartite([2, 2], [5, 5, 5, 5])
    sizes = xr.DataArray([n.n_parameters for n in networks.values()], {"structure": list(networks)}, "structure")
    root = xr.DataTree.from_dict({"best": sizes.to_dataset(name="n_parameters")})
    root.attrs["true_structure"] = "1-12-12-2"
    table = structure_sizes(root, PAPER).set_index("parameters")
    assert {"parameters", *table.columns} == declared("structure_sizes")
    assert table["structures"].sum() == 136
    assert table.loc[[18, 66], "structures"].tolist() == [1, 1]
    above = table["with all arcs of the true one"]
    assert above[above > 0].to_dict() == {58: 2, 66: 1}  # as section 4 says


def test_rows_that_the_published_parameters_draw():
    table = true_model(xr.DataTree(), PAPER).set_index("hidden variables")["expected (%)"]
    assert table["2 2"] == round(88 * 0.92, 1)
    assert table.sum() == pytest.approx(100, abs=0.2)
    assert table["1 2"] == round(12 * 0.92, 1)


def test_the_structure_on_top(summaries):
    table = top_structures(summaries, PAPER).set_index("n")
    assert {"n", *table.columns} <= declared("top_structures")
    assert table["MAP"].tolist() == [46, 46, 46]
    assert table["MAP (30 runs)"].isna().tolist() == [True, True, False]
    assert table.loc[2560, ["MAP (30 runs)", "VB"]].tolist() == [66, 46]


def test_distances_are_over_draws_of_the_prior(summaries):
    table = distances_over_draws(summaries, PAPER).set_index("n")
    assert {"n", *table.columns} == declared("distances_over_draws")
    assert table.loc[640, ["draws", "median BIC", "mean BIC"]].tolist() == [3, 6.0, 5.33]
    assert table.loc[640, ["median BICp", "median CS", "median VB"]].tolist() == [0.0, 0.0, 0.5]


def test_the_first_column_of_table_3_by_size(summaries):
    table = table_3_smaller(summaries, PAPER).set_index("n")
    assert {"n", *table.columns} == declared("table_3_smaller")
    assert table.loc[640].tolist() == [20.0, 20.0, 0.0, 0.0]


def test_a_drop_is_that_from_half_the_data(summaries):
    table = acceptance_by_doubling(summaries, PAPER).set_index("n")
    assert {"n", *table.columns} == declared("acceptance_by_doubling")
    assert table.index.tolist() == [1280, 2560]
    assert table["drop (%)"].tolist() == [10.0, 15.0]
    assert table["over the mean"].tolist() == [0.8, 1.2]
    assert table["drop (%) (paper)"].tolist() == pytest.approx([49.6 - 41.5, 59.2 - 49.6])


def test_what_a_run_is_above_the_bound_by_its_schedule(summaries):
    table = schedule_shapes(summaries, PAPER).set_index("n")
    assert {"n", *table.columns} <= declared("schedule_shapes")
    assert table.loc[640].to_dict() == {"e_tau 0.2": 1.0, "linear": -2.0}


def test_seconds_are_of_one_data_set_or_run():
    """A job of another size does not count, and one that found cells computed tells nothing."""
    rows = [("em", 480, 40, 1, 8.0, 10), ("vb", 480, 40, 1, 12.0, 10), ("vb", 10, 40, 1, 1.0, 10)]
    rows += [("vb_true", 480, 40, 3, 4.0, 9), ("ais_half", 480, 1, 20, 1.0, 10)]
    jobs = pd.DataFrame(rows, columns=["entry", "n", "replicates", "runs", "cpu_time", "computed"]).assign(cells=10)
    table = seconds_at_480(jobs, PAPER).set_index("quantity")
    assert {"quantity", *table.columns} == declared("seconds_at_480")
    assert table["paper"].tolist() == [200, 575, 1.5, 100]
    assert table["Ockham"].isna().tolist() == [False, False, True, False]
    assert table["Ockham"].dropna().tolist() == [0.2, 0.3, 0.05]


def test_milliseconds_are_of_one_run_on_one_structure():
    """A job that found cells computed tells nothing, and other entries are left out."""
    rows = [("ais_completions", 40, 2.0, 10), ("ais_completions", 1280, 4.0, 10), ("ais", 40, 1.0, 9)]
    rows += [("ais_as_long", 1280, 6.0, 10), ("em", 40, 1.0, 10)]
    jobs = pd.DataFrame(rows, columns=["entry", "n", "cpu_time", "computed"]).assign(cells=10)
    table = annealing_seconds(jobs, PAPER).set_index("n")
    assert {"n", *table.columns} == declared("annealing_seconds")
    assert table["AIS over completions (ms)"].tolist() == [200, 400]
    assert table["AIS (ms)"].isna().all()
    assert table["AIS, as long as over completions (ms)"].dropna().tolist() == [600]
