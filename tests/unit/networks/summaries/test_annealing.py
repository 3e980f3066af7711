"""Acceptance is averaged, averages of runs are held against the bound batch by batch, schedules are told apart.

Source of truth: numbers set by hand.
"""

import json
from dataclasses import replace
from math import log

import numpy as np
import pytest
import xarray as xr

from ockham.networks.summaries import summarise
from ockham.networks.summaries.annealing import annealing, schedule_length
from ockham.papers.beal_ghahramani_2006 import PAPER
from ockham.papers.beal_ghahramani_2006.candidate_check import candidate_check
from ockham.papers.beal_ghahramani_2006.strength_calibration import strength_calibration
from ockham.papers.beal_ghahramani_2006.table_3 import table_3
from ockham.summaries.best import best
from ockham.summaries.posteriors import posteriors
from ockham.summaries.ranks import ranks

RUNS, N, STRUCTURES = 11, [560, 640], ["a", "b", "c"]


def paper(folder):
    """The paper with numbers of ours in place of those that it prints."""
    (folder / "numbers").mkdir()
    (folder / "numbers/table_3.csv").write_text(
        "n,ais_1_below_vb_uncorrected,ais_1_below_vb,rejected,ais_5_below_vb_uncorrected,ais_5_below_vb\n"
        "560,5.7,7.5,40.0,0,1.9\n640,12.3,15.1,41.5,0.0,0.0\n"
    )
    return replace(PAPER, folder=folder)


def ais(values, acceptance=0.5, *, n=N, from_truth=0, role="", **settings):
    """A group of runs; values broadcast to (replicate, n, structure, run), acceptance to its first three."""
    runs = np.shape(values)[-1]
    shape = 1, len(n), len(STRUCTURES), runs
    dims = "replicate", "n", "structure", "run"
    attributes = {"units": "nats", "long_name": "AIS", "bound": "none", "local": 0, "over_runs": "mean"}
    attributes["reference"] = "substitute"
    variables = {"annealed_importance_sampling": (dims, np.array(np.broadcast_to(values, shape)), attributes)}
    rates = np.broadcast_to(np.asarray(acceptance, float)[..., None], shape)
    variables["acceptance"] = (dims, rates)
    variables |= {f"acceptance_quarter_{q}": (dims, rates / q) for q in range(1, 5)}
    coordinates = {"replicate": [0], "n": n, "structure": STRUCTURES, "run": range(runs)}
    settings = {"n_steps": 16, "strength": 2000.0, "strength_per_datum": 0.0} | settings
    about = {"scorer": "ais", "scorer_settings": json.dumps(settings), "from_truth": from_truth, "role": role}
    return xr.Dataset(variables, coordinates, attrs=about)


def tree(**groups):
    root = xr.Dataset(
        {"n_parameters": ("structure", [18, 50, 66]), "log_aliases": ("structure", [0.0, 2.0, 0.0])},
        coords={"structure": STRUCTURES},
        attrs={"study": "by_hand", "condition": "", "true_structure": "b"},
    )
    bound = np.broadcast_to([[-10.0], [-11.0], [-13.0]], (1, len(N), 3, 1))
    vb = xr.Dataset(
        {"variational_bayes": (("replicate", "n", "structure", "run"), np.array(bound),
                               {"units": "nats", "long_name": "VB", "bound": "lower", "local": 1})},
        {"replicate": [0], "n": N, "structure": STRUCTURES, "run": [0]},
    )  # fmt: skip
    return xr.DataTree.from_dict({"/": root, "vb": vb, **groups})


def summaries(**groups):
    return summarise({"by_hand": tree(**groups)}, {})


@pytest.fixture
def runs():
    """Of structure b at n = 560, runs 0 to 3 and 10 are below -11; the average of runs 0 to 4 is, of 5 to 9 is not."""
    values = np.full((1, 2, 3, RUNS), -5.0)
    values[0, 0, 1, [0, 1, 2, 3, 10]] = -12
    values[0, 0, 1, 4:10] = -10
    return values


def test_counts_single_runs_and_disjoint_batches_below_the_bound(runs):
    scores = tree(ais=ais(runs))
    below = annealing(scores, best(scores)).below_vb.sel(group="ais", n=560)
    assert float(below.sel(batch_size=1, alias_correction="none")) == pytest.approx(5 / 33)
    assert float(below.sel(batch_size=1, alias_correction="log_aliases")) == pytest.approx(11 / 33)
    first = log((4 * np.exp(-12) + np.exp(-10)) / 5)
    assert first < -11
    assert float(below.sel(batch_size=5, alias_correction="none")) == pytest.approx(1 / 6)
    assert float(below.sel(batch_size=5, alias_correction="log_aliases")) == pytest.approx(2 / 6)


def test_has_no_batches_of_more_runs_than_there_are(runs):
    scores = tree(ais=ais(runs[..., :4]))
    assert annealing(scores, best(scores)).below_vb.sel(batch_size=5).isnull().all()


def test_averages_acceptance_over_structures(runs):
    rates = np.array([[[0.2, 0.4, 0.9], [0.1, 0.1, 0.1]]])
    scores = tree(ais=ais(runs, rates))
    found = annealing(scores, best(scores)).sel(group="ais")
    np.testing.assert_allclose(found.acceptance, [0.5, 0.1])
    np.testing.assert_allclose(found.acceptance_deviation, [np.std([0.2, 0.4, 0.9], ddof=1), 0], atol=1e-15)
    np.testing.assert_allclose(found.acceptance_quarter.sel(quarter=2), [0.25, 0.05])


def test_table_3_sets_ours_beside_the_papers_and_the_remedy(runs, tmp_path):
    smaller = ais(runs, np.full((1, 2, 3), 0.7), role="scaled_proposal")
    table = table_3(summaries(ais=ais(runs), ais_scaled=smaller), paper(tmp_path)).set_index("n")
    assert table.loc[560, "AIS(5) < VB* (%)"] == 16.7
    assert table.loc[560, "AIS(1) < VB (%) (paper)"] == 7.5
    assert table.loc[640, ["rejected (%)", "rejected (%) (paper)", "rejected (%) (scaled)"]].tolist() == [50, 41.5, 30]


def test_the_first_row_of_table_3_is_the_largest_up_to_its_size(runs, tmp_path):
    rates = np.array([[[0.3] * 3, [0.5] * 3, [0.2] * 3]])
    whole = ais(np.full((1, 3, 3, RUNS), -5.0), rates, n=[480, 560, 640])
    table = table_3(summaries(ais=whole), paper(tmp_path)).set_index("n")
    assert table["rejected (%)"].to_dict() == {560: 70, 640: 80}


def test_the_strength_nearest_to_the_paper_is_the_best(runs, tmp_path):
    groups = {
        f"ais_strength_{strength}": ais(
            runs[..., :1], np.full((1, 2, 3), rate), role="strength", strength=float(strength)
        )
        for strength, rate in ((1000, 0.5), (2000, 0.58), (3000, 0.7))
    }
    table = strength_calibration(summaries(**groups), paper(tmp_path)).set_index("strength")
    assert table["rule"].to_dict() == {"1000": "", "2000": "best", "3000": "", "paper": ""}
    assert table.loc["2000", "distance"] == round(float(np.sqrt((2**2 + 0.5**2) / 2)), 2)


def test_groups_of_equal_settings_are_one_score(runs):
    """A cell is the first group's that has it; other settings have a name of their own."""
    first, second = ais(runs), ais(runs + 1, n=[560, 640])
    first["annealed_importance_sampling"][0, 1] = np.nan
    scores = best(tree(ais=first, ais_more=second, ais_other=ais(runs + 2, strength=5.0))).log_evidence
    names = ["variational_bayes", "annealed_importance_sampling", "annealed_importance_sampling_ais_other"]
    assert scores.score.values.tolist() == names
    at = scores.sel(score=names[1], alias_correction="none", replicate=0, structure="a")
    np.testing.assert_allclose(at, [-5, -4])


def test_schedules_of_one_structure_are_no_score_of_all(runs):
    one = runs.copy()
    one[:, :, [0, 2]] = np.nan
    groups = {
        f"ais_length_{k}": ais(one[:, :1, :, :3] + k, n=[560], role="schedule_length", n_steps=k) for k in (16, 64)
    }
    groups["ais_truth_16"] = ais(one[:, :1, :, :1], n=[560], n_steps=16, from_truth=1, role="schedule_length")
    scores = tree(**groups)
    assert best(scores).score.values.tolist() == ["variational_bayes"]
    found = schedule_length(scores)
    assert int(found.n) == 560
    np.testing.assert_allclose(found.log_weight.sel(start="prior", n_steps=64).dropna("run"), -12 + 64)
    assert found.log_weight.sel(start="truth").notnull().sum() == 1


def test_without_ais_there_is_nothing():
    scores = tree()
    assert not annealing(scores, best(scores)).data_vars
    assert not schedule_length(scores).data_vars
    assert posteriors(best(scores)).divergence.isnull().all()
    assert ranks(best(scores))["rank"].notnull().all()


def test_divergence_is_that_of_the_posteriors(runs):
    values = np.broadcast_to(np.log([[1.0], [2.0], [5.0]]), (1, 2, 3, 1))
    found = posteriors(best(tree(ais=ais(values)))).divergence.sel(replicate=0, n=560, alias_correction="none")
    p, q = np.array([1, 2, 5]) / 8, np.exp([-10.0, -11.0, -13.0])
    assert float(found.sel(score="variational_bayes")) == pytest.approx(np.sum(p * np.log(p / (q / q.sum()))))
    assert float(found.sel(score="annealed_importance_sampling")) == pytest.approx(0, abs=1e-12)


def test_candidate_is_set_beside_bridge_and_exact():
    def group(name, values, doubt=0, error=0.25):
        dims = "replicate", "n", "structure", "run"
        about = {"units": "nats", "long_name": name, "bound": "none", "local": 0, "over_runs": "median"}
        values = np.broadcast_to(values, (1, 2, 3, 1))
        beside = {
            f"{name}_standard_error": (dims, np.array(np.broadcast_to(error, values.shape)), {"units": "nats"}),
            f"{name}_doubt": (dims, np.array(np.broadcast_to(doubt, values.shape), dtype=np.uint8)),
        }
        where = {"replicate": [0], "n": N, "structure": STRUCTURES, "run": [0]}
        return xr.Dataset({name: (dims, np.array(values), about), **beside}, where)

    found = summaries(
        candidate=group("candidate", [[-5.0], [-6.0], [-8.0]], error=[[0.0], [0.0], [0.25]]),  # two are exact
        bridge=group("bridge_sampling", [[-5.0], [-5.0], [-5.0]], doubt=[[0], [0], [1]]),
        exact=group("exact", [[-5.0], [-5.0], [-5.5]]),
    )
    row = candidate_check(found, PAPER).set_index("n").loc[560]
    assert row[["standard error of Candidate", "median distance", "largest distance"]].tolist() == [0.25, 0.5, 1]
    assert row[["Candidate from exact", "bridge from exact"]].tolist() == [2.5, 0.5]
