"""Ockham takes a family, scorers and a paper from a distribution that it does not know, and runs them as its own.

Sources of truth: the rule of succession, which gives the evidence of a coin toss by toss; the numbers of cells, counted
by hand; and the entry points of the distribution. Stages build on each other, so the order of the tests is part of it.
"""

import json
import os
import re
from fractions import Fraction
from itertools import product
from math import log

import netCDF4
import numpy as np
import pandas as pd
import pytest
import xarray as xr
from plugin.conftest import Plugged
from workflow.conftest import STUDY

import ockham
from ockham.streams import Stream

CONFIG = {
    "study": "tiny",
    "model": "coins",
    "paper": "coins_1763",
    "root_seed": 1763,
    "structures": ["aaa", "aab", "abc"],
    "truth": "aab",
    "replicates": {"prior_draws": 2},
    "sizes": [10, 20],
    "scorers": {
        "exact": {"split": {}},
        "monte_carlo": {"runs": 2, "split": {}},
        "rough": {"scorer": "monte_carlo", "role": "few_draws", "settings": {"n_samples": 10}, "split": {}},
    },
    "measurements": {"heads": {}},
}
N_SEEDS = int(os.environ.get("OCKHAM_TEST_SEEDS", "1"))
CHECK = ("ockham", "check", "config/tiny.yaml")


@pytest.fixture(scope="module")
def folder(tmp_path_factory, site):
    """A working copy of the workflow in which a study of coins has run."""
    folder = Plugged(tmp_path_factory.mktemp("plugged"), CONFIG).plug(site)
    folder.first = folder.run("tiny")
    return folder


def succession(sharing, rows):
    """The evidence of coins under a uniform prior, by Laplace's rule of succession, toss by toss."""
    evidence, seen = Fraction(1), {letter: [1, 1] for letter in sharing}
    for row in rows:
        for letter, side in zip(sharing, row, strict=True):
            evidence *= Fraction(seen[letter][side], sum(seen[letter]))
            seen[letter][side] += 1
    return log(evidence.numerator) - log(evidence.denominator)


def expected(folder, replicate, n, structure):
    with netCDF4.Dataset(folder.path / f"results/tiny/data/replicate-{replicate:03d}.nc") as file:
        return succession(structure, file["states"][:n].tolist())


def scores(folder, entry):
    return xr.load_dataset(folder.path / "results/tiny/scores.nc", group=entry)


def cells(array):
    """Coordinates of all cells of a score, runs apart."""
    return product(*(array[dimension].values.tolist() for dimension in ("replicate", "n", "structure")))


def test_the_study_is_understood(folder):
    done = folder.call(*CHECK)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == [
        "config/tiny.yaml: tiny, 3 structures, 2 sizes, 2 replicates",
        "  exact: 12 cells in 1 jobs",
        "  monte_carlo: 24 cells in 1 jobs",
        "  rough: 12 cells in 1 jobs",
    ]


def test_a_broken_setting_of_the_family_is_named(folder):
    folder.write(CONFIG | {"structures": ["aaa", "ab"]})
    assert "config/tiny.yaml: structures: ab has 2 coins, but truth has 3" in folder.refused(*CHECK)
    folder.write(CONFIG)


def test_the_workflow_makes_all_that_the_study_shows(folder):
    assert folder.first == {"exact": 12, "monte_carlo": 24, "rough": 12}
    made = {path.name for path in (folder.path / "figures/tiny").iterdir()}
    assert made == {"figure_1.pdf", "figure_1.png", "table_1.csv", "table_1.md", "manifest.json"}
    manifest = json.loads((folder.path / "figures/tiny/manifest.json").read_text())
    assert manifest["plug_ins"] == {"ockham-coins": "1.0"}
    with xr.open_dataset(folder.path / "results/tiny/heads.nc") as heads:
        assert heads.fraction.shape == (2, 3)


def test_exact_is_the_rule_of_succession(folder):
    stored = scores(folder, "exact").exact.isel(run=0)
    assert stored.size == 12
    for replicate, n, structure in cells(stored):
        value = float(stored.sel(replicate=replicate, n=n, structure=structure))
        assert value == pytest.approx(expected(folder, replicate, n, structure), rel=1e-12)


def test_monte_carlo_is_near_it_and_has_its_log_weights(folder):
    found = scores(folder, "monte_carlo")
    exact = scores(folder, "exact").exact.isel(run=0, drop=True)
    assert found.log_weight.dims == ("replicate", "n", "structure", "run", "sample")
    mean = np.logaddexp.reduce(found.log_weight.values, axis=-1) - log(found.sizes["sample"])
    np.testing.assert_allclose(found.monte_carlo, mean, rtol=1e-12)
    ratio = np.exp(found.monte_carlo - exact)
    z = (ratio - 1) / (ratio * found.monte_carlo_standard_error)
    assert (np.abs(z) < 4).all()


def test_the_table_has_ours_beside_the_paper(folder):
    table = pd.read_csv(folder.path / "figures/tiny/table_1.csv").set_index("n")
    evidence = {c: expected(folder, *c) for c in cells(scores(folder, "exact").exact)}
    factors = [evidence[r, 10, "aab"] - max(evidence[r, 10, "aaa"], evidence[r, 10, "abc"]) for r in (1, 2)]
    assert table.loc[10, "bayes_factor"] == round(np.mean(factors), 2)
    assert table.loc[10, "bayes_factor (paper)"] == 0.5
    assert np.isnan(table.loc[20, "bayes_factor (paper)"])


def test_one_cell_is_the_same_bits(folder):
    done = folder.call(
        "ockham", "cell", "config/tiny.yaml", "--scorer", "monte_carlo", "--replicate", "2", "--n", "20",
        "--structure", "aab",
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    assert len(re.findall(r"^log_weight .* same$", done.stdout, re.MULTILINE)) == 2


def test_verification_finds_nothing(folder):
    done = folder.call("ockham", "verify", "results", "--cells", "100")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "monte_carlo: 1 of 1 blocks are sound; 12 of 12 cells" in done.stdout


def test_a_new_size_computes_its_own_cells(folder):
    before = {entry: scores(folder, entry) for entry in CONFIG["scorers"]}
    folder.write(CONFIG | {"sizes": [10, 15, 20]})
    assert folder.run("results/tiny/scores.nc") == {"exact": 6, "monte_carlo": 12, "rough": 6}
    for entry, name in (("exact", "exact"), ("monte_carlo", "log_weight"), ("rough", "monte_carlo")):
        after = scores(folder, entry)[name]
        assert after.n.values.tolist() == [10, 15, 20]
        assert (after.sel(n=[10, 20]).values == before[entry][name].values).all()
    folder.write(CONFIG)


def test_a_model_from_outside_is_scored_without_a_study(folder):
    rows = [[1, 0, 1], [1, 0, 0], [1, 1, 0]]
    start = "import ockham\nfrom ockham_coins.coins import Coins\nmodel = Coins('aab')\n"
    said = folder.python(f"{start}print(ockham.score(model, {rows})['exact'].log_evidence, *ockham.scorers(model))")
    value, *names = said.split()
    assert float(value) == pytest.approx(succession("aab", rows), rel=1e-12)
    assert set(names) == {"exact", "monte_carlo"}
    said = folder.python(f"{start}try: ockham.score(model, [[1, 0]])\nexcept ockham.DataError as error: print(error)")
    assert "need rows of 3 values 0 or 1" in said


def z_score(scorer, module, model, data, exact, seed):
    """How far the mean of exp(estimate - exact) over many streams is from 1, in its standard errors."""
    settings = module.Settings(n_samples=200)
    runs = [module.score(model, data, settings, Stream(seed, "test", i))[scorer].log_evidence for i in range(200)]
    ratios = np.exp(np.array(runs) - exact)
    return (ratios.mean() - 1) / (ratios.std(ddof=1) / np.sqrt(len(ratios)))


@pytest.mark.parametrize("seed", range(N_SEEDS))
def test_monte_carlo_is_unbiased_and_another_prior_is_noticed(seed, site, monkeypatch):
    monkeypatch.syspath_prepend(site)
    from ockham_coins.coins import Coins, Tosses
    from ockham_coins.scorers import monte_carlo

    class Wrong(Coins):
        def sample(self, rng, n):
            return rng.beta(2 * self.prior, 2 * self.prior, size=(n, self.n_biases))

    rows = [[1, 0, 1], [1, 0, 0], [1, 1, 0]]
    given = Tosses.of(rows, 3), succession("aab", rows), seed
    assert abs(z_score("monte_carlo", monte_carlo, Coins("aab"), *given)) < 4
    assert abs(z_score("monte_carlo", monte_carlo, Wrong("aab"), *given)) > 4


@pytest.mark.parametrize("seed", range(N_SEEDS))
def test_importance_sampling_of_a_network_is_unbiased_and_another_prior_is_noticed(seed, site, monkeypatch):
    monkeypatch.syspath_prepend(site)
    from ockham_coins import importance_sampling

    def network(prior):
        parents = {"y1": ["s"], "y2": ["s"]}
        return ockham.DiscreteNetwork.build({"s": 2, "y1": 3, "y2": 3}, parents, hidden=["s"], prior=prior)

    rows = [[0, 1], [2, 2], [0, 1], [1, 0]]
    exact = ockham.score(network(1.0), rows, "exact")["exact"].log_evidence
    given = ockham.UniqueRows.of(rows, (3, 3)), exact, seed
    assert abs(z_score("importance_sampling", importance_sampling, network(1.0), *given)) < 4
    assert abs(z_score("importance_sampling", importance_sampling, network(3.0), *given)) > 4


def test_a_scorer_for_a_family_of_ockham_is_known(folder):
    names = folder.python("from ockham import families; print(*families.scorer_names('discrete_network'))")
    assert {"importance_sampling", "exact", "em"} <= set(names.split())


def test_without_the_distribution_its_study_is_refused_and_others_work(folder):
    stored = folder.stores()
    folder.plug()
    known = r"model: 'coins' is unknown; known are discrete_network, restricted_boltzmann, node_order, finite_mixture"
    assert folder.refused(*CHECK) == f"ockham: config/tiny.yaml: {known}\n"
    assert known in folder.refused("snakemake", "--cores", "1", status=1)
    assert folder.stores() == stored
    folder.write(STUDY | {"paper": "coins_1763"})
    assert "paper: 'coins_1763' is unknown; known are beal_ghahramani_2006, " in folder.refused(*CHECK)
    for name in ("results", "figures"):
        (folder.path / name).rename(folder.path / f"{name}_of_coins")
    folder.write(STUDY | {"replicates": {"prior_draws": 1}, "scorers": {"exact": {}}})
    assert folder.run("tiny") == {"exact": 4}
