"""What figures draw is in tables too, in columns that claims may name.

Source of truth: the summaries, and a rank correlation by hand.
"""

import numpy as np
import pytest

from ockham.papers.beal_ghahramani_2006 import PAPER
from ockham.papers.beal_ghahramani_2006.figure_numbers import acceptance, figure_numbers_by_size, schedule_lengths
from ockham.papers.claims.stored import read_stored

AIS, VB = "annealed_importance_sampling", "variational_bayes"
CORRECTED = {"alias_correction": "log_aliases"}


def declared(name):
    about = read_stored(PAPER).tables[name]
    return {*about.rows, *about.columns}


def test_by_size(summaries):
    table = figure_numbers_by_size(summaries, PAPER).set_index("n")
    assert {"n", *table.columns} <= declared("figure_numbers_by_size")
    best = summaries["best"].to_dataset().sel(replicate=0, **CORRECTED)
    over = summaries["over_replicates"].to_dataset().sel(CORRECTED)
    for n in table.index:
        scores = best.log_evidence.sel(score="bic", n=n).values
        sizes = best.n_parameters.values
        by_hand = np.corrcoef(np.argsort(np.argsort(scores)), np.argsort(np.argsort(sizes)))[0, 1]
        assert table.loc[n, "trend BIC"] == pytest.approx(by_hand, abs=1e-4)
        below = (best.log_evidence.sel(score=AIS, n=n) < best.log_evidence.sel(score=VB, n=n)).mean()
        assert table.loc[n, "AIS below VB (%)"] == pytest.approx(100 * float(below), abs=0.05)
        assert table.loc[n, "best rank VB"] == float(over.rank_best.sel(score=VB, n=n))
        divergence = summaries["posteriors"].divergence.sel(score="bicp", n=n, replicate=0, **CORRECTED)
        assert table.loc[n, "divergence BICp"] == pytest.approx(float(divergence), abs=1e-4)


def test_schedule_lengths(summaries):
    table = schedule_lengths(summaries, PAPER).set_index("steps")
    assert {"steps", *table.columns} == declared("schedule_lengths")
    runs = summaries["schedule_length"].log_weight.sel(start="prior", n_steps=256).dropna("run")
    assert table.loc[256, ["AIS lowest", "AIS median", "AIS highest"]].tolist() == pytest.approx(
        np.quantile(runs, [0, 0.5, 1]), abs=0.005
    )
    truth = summaries["schedule_length"].log_weight.sel(start="truth", n_steps=64).dropna("run")
    assert table.loc[64, "AIS from truth"] == pytest.approx(float(truth[0]), abs=0.005)
    assert table["VB"].nunique() == 1


def test_acceptance(summaries):
    table = acceptance(summaries, PAPER).set_index("n")
    assert {"n", *table.columns} == declared("acceptance")
    assert table["accepted (%)"].tolist() == pytest.approx([40.0] * len(table))
    assert table[[f"quarter {q} (%)" for q in range(1, 5)]].iloc[0].tolist() == pytest.approx([40, 20, 13.3, 10])
