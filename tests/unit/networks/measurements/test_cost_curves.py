"""Cost curves: what is timed, with the clock stopped, and what of a study is needed."""

import pytest

from ockham.estimation import timing
from ockham.networks.family import FAMILY
from ockham.networks.measurements.cost_curves import Settings, check, measure
from ockham.studies.cells import draw_replicate
from ockham.studies.grids import study_class

STUDY = study_class(FAMILY)(
    study="tiny", root_seed=1, true_structure="classes-2", replicates={"prior_draws": 1}, sizes=[4, 8],
    structures={"space": "naive_bayes", "classes": [1, 2, 3], "feature_cardinalities": [2, 3]},
    data={"source": "mixture", "deviation": 1.0},
    scorers={"em": {"settings": {"n_starts": 4}}, "candidate": {"settings": {"n_selection": 20, "n_sweeps": 20}}},
)  # fmt: skip


def test_every_score_and_fit_has_its_time(monkeypatch):
    """A clock that moves by one second at every look: each call of what is timed takes one."""
    ticks = iter(range(10**6))
    monkeypatch.setattr(timing, "process_time", lambda: float(next(ticks)))
    found = measure(STUDY, draw_replicate(STUDY, 1), Settings(repeats=2))
    assert found.structure.values.tolist() == ["classes-2", "classes-3"]
    assert found.n_parameters.values.tolist() == [1 + 2 * 3, 2 + 3 * 3]
    assert int(found.n) == 8
    assert (found.seconds.drop_sel(quantity="candidate") == 1.0).all()
    assert (found.seconds.sel(quantity="candidate") == 0.0).all()  # as long as the fit that is taken off it


@pytest.mark.parametrize(
    "change", [{"scorers": {"em": {}}}, {"scorers": {"candidate": {}}}, {"only": ["classes-1"]}], ids=str
)
def test_a_study_without_what_is_timed_is_refused(change):
    study = study_class(FAMILY)(**STUDY.model_dump() | change)
    with pytest.raises(ValueError, match=r"measurements\.cost_curves: needs entries em and candidate, and a structure"):
        check(study, Settings())
