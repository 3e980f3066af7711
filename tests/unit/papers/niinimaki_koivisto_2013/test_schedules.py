"""Forms of the schedule stand beside each other, and each is what its name says.

Sources of truth: values by hand, and harmonic stepping as section 2.3 of the paper prints it.
"""

from pathlib import Path

import numpy as np
import pytest
import xarray as xr

from ockham.estimation.schedules import linear_schedule, schedule
from ockham.papers.claims.stored import read_stored
from ockham.papers.niinimaki_koivisto_2013 import PAPER
from ockham.papers.niinimaki_koivisto_2013.schedules import ROLES, schedules
from ockham.studies.loading import load
from ockham.studies.study_files import conditions_of

CONFIG = Path(__file__).parents[4] / "config"
FOLDERS = (CONFIG, CONFIG / "smoke")


@pytest.fixture
def data():
    """A sampler of the paper that ends at -12, and three runs of AIS and MC3 with forms of the schedule."""
    entries = [("ais", "", np.nan, [-12, -12, -12])]
    entries += [("ais", "linear_schedule", np.nan, [-10, -9, -11]), ("ais", "curved_schedule", 0.2, [-13, -13, -13])]
    entries += [("ais", "harmonic_schedule", 1 / 3, [-14, -13, -18])]
    entries += [("mc3", "linear_schedule", np.nan, [-12, -11, -10]), ("mc3", "curved_schedule", 0.2, [-9, -9, -12])]
    samplers, roles, curvatures, ends = zip(*entries, strict=True)
    values = np.full((1, len(entries), 3, 2), -50.0)
    values[0, ..., -1] = ends
    over = ("prior", "scorer", "run", "fraction")
    return xr.Dataset(
        {
            "log_evidence": (over, values),
            "arc_error": (over, np.where(values > -50, 0.1234, 1.0)),
            "seconds": (over, np.where(values > -50, [[[[1.0]], [[2.0]], [[4.0]], [[8.0]], [[16.0]], [[32.0]]]], 0.1)),
            "effective_sample_size": (("prior", "scorer"), [[9, 100, 123.4, 1.23, 3, 3]]),
            "exact_log_evidence": ("prior", [-11.0]),
        },
        {
            "prior": ["orders"], "scorer": [f"e{i}" for i in range(len(entries))], "fraction": [0.5, 1.0],
            "sampler": ("scorer", list(samplers)), "length": ("scorer", [4, 4, 4, 4, 16, 16]),
            "role": ("scorer", list(roles)), "curvature": ("scorer", list(curvatures)),
        },
    )  # fmt: skip


def table_of(data):
    tree = xr.DataTree.from_dict({"/": xr.Dataset(attrs={"conditions": "mushroom_17"}), "mushroom_17": data})
    return schedules(tree, PAPER)


def test_every_sampler_is_measured_with_every_form(data):
    table = table_of(data)
    about = read_stored(PAPER).tables["schedules"]
    assert {*table.columns} == {*about.rows, *about.columns}
    assert set(table["measure"]) == set(about.rows["measure"])
    assert set(table["sampler"]) == set(about.rows["sampler"])
    assert table.fillna(-1).values.tolist() == [
        ["mushroom_17", "AIS 4", "curvature", -1, 0.2, 0.333],
        ["mushroom_17", "AIS 4", "from reference", 1.0, -2.0, -3.0],
        ["mushroom_17", "AIS 4", "spread", 1.0, 0.0, 2.65],
        ["mushroom_17", "AIS 4", "off by", 1.29, 2.0, 4.55],
        ["mushroom_17", "AIS 4", "effective samples", 100, 123, 1.23],
        ["mushroom_17", "AIS 4", "largest error of an arc", 0.123, 0.123, 0.123],
        ["mushroom_17", "AIS 4", "CPU time (s)", 2.0, 4.0, 8.0],
        ["mushroom_17", "MC3 16", "curvature", -1, 0.2, -1],
        ["mushroom_17", "MC3 16", "from reference", 0.0, 2.0, -1],
        ["mushroom_17", "MC3 16", "spread", 1.0, 1.73, -1],
        ["mushroom_17", "MC3 16", "off by", 0.816, 1.73, -1],
        ["mushroom_17", "MC3 16", "largest error of an arc", 0.123, 0.123, -1],
        ["mushroom_17", "MC3 16", "CPU time (s)", 16.0, 32.0, -1],
    ]


def test_without_an_exact_value_it_is_measured_from_the_samplers_of_the_paper(data):
    """Not from those that are compared."""
    table = table_of(data.assign(exact_log_evidence=("prior", [np.nan]), arc_error=data.arc_error * np.nan))
    ends = table[table["measure"] == "from reference"]
    assert ends[["linear", "curved"]].values.tolist() == [[2, -1], [1, 3]]
    assert "largest error of an arc" not in set(table["measure"])


@pytest.mark.parametrize("n_steps", [1, 16, 88_000])
def test_a_curvature_of_one_over_the_steps_is_harmonic_stepping(n_steps):
    """beta_i = 1 / (r + 1 - i), which begins at 1 / (r + 1), shifted and stretched so that it begins at 0."""
    printed = 1 / (n_steps + 1 - np.arange(n_steps + 1))
    expected = (printed - printed[0]) / (1 - printed[0])
    np.testing.assert_allclose(schedule(n_steps, 1 / n_steps), expected, rtol=1e-10, atol=0)
    if n_steps > 1:
        assert not np.allclose(linear_schedule(n_steps), expected, rtol=1e-3)


def entries_with_roles():
    studies = [load(source) for folder in FOLDERS for source in conditions_of(folder / "niinimaki_koivisto_2013.yaml")]
    return [(study, entry, grid.role) for study in studies for entry, grid in study.scorers.items() if grid.role]


@pytest.mark.parametrize(("study", "entry", "role"), entries_with_roles())
def test_the_schedule_of_an_entry_is_that_of_its_role(study, entry, role):
    settings, sampler = study.scorer_settings[entry], study.scorers[entry].scorer
    n_steps = settings.length * study.n_variables * max(study.sizes) if sampler == "ais" else settings.ratios
    expected = {"linear_schedule": None, "curved_schedule": 0.2, "harmonic_schedule": pytest.approx(1 / n_steps, 1e-4)}
    assert settings.curvature == expected[role]


def test_the_forms_differ_in_nothing_else():
    """Budgets, records and runs are those of the linear schedule."""
    groups = {}
    for study, entry, role in entries_with_roles():
        grid, settings = study.scorers[entry], study.scorer_settings[entry].model_dump() | {"curvature": None}
        groups.setdefault((study.name, max(study.sizes), grid.scorer), []).append((role, grid.runs, settings))
    assert len(groups) == 8
    for entries in groups.values():
        assert {role for role, _, _ in entries} == set(ROLES.values())
        assert all(entry[1:] == entries[0][1:] for entry in entries)
