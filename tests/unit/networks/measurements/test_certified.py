"""What is stored of ``ockham.evidence`` is what it says, without the exact sum.

Source of truth: the same samplers called by hand, and the exact evidence.
"""

import numpy as np

from ockham import families
from ockham.contracts import Sampler
from ockham.networks.family import FAMILY, Networks
from ockham.networks.measurements.certified import Settings, measure
from ockham.networks.scorers import exact
from ockham.streams import Stream, cell_stream
from ockham.studies.cells import draw_replicate
from ockham.studies.grids import study_class

STUDY = study_class(FAMILY)(
    study="tiny", root_seed=5, structures={"space": "random", "kind": "graphs"}, sizes=[6],
    replicates={"prior_draws": 2}, scorers={"exact": {"split": {}}},
)  # fmt: skip


def test_a_row_is_what_the_samplers_say_together(monkeypatch):
    plan = Networks.plan._replace(samplers=(Sampler("smc", {"n_passes": 4, "n_chains": 8}),))
    monkeypatch.setattr(families, "plan_of", lambda family, model=None: plan)
    found = measure(STUDY, draw_replicate(STUDY, 1), Settings(networks=2, error=5.0))
    assert found.replicate.values.tolist() == [1, 2]
    assert (found.seconds > 0).all()
    for replicate in (1, 2):
        draw, row = draw_replicate(STUDY, replicate), found.sel(replicate=replicate)
        model, data = FAMILY.model_of(STUDY, draw, "random"), FAMILY.prepare(STUDY, draw, 6)
        stream = cell_stream(5, "tiny", replicate, 6, "random", 0).child("certified")
        (_, first), (_, second) = (families.sources(model, data, stream).samplers[0].run(k) for k in (0, 1))
        values = [run["sequential_monte_carlo"].log_evidence for run in (first, second)]
        truth = exact.score(model, data, exact.Settings(), Stream(0))["exact"].log_evidence
        if row.doubt == 0:
            assert min(values) - 1e-9 <= row.log_evidence <= max(values) + 1e-9
            assert abs(row.log_evidence - truth) < 6 * row.standard_error + 1e-9
        else:
            assert np.isnan(row.log_evidence)
        assert row.log_evidence != truth  # the sum was not made
        assert row.checked == 0  # by one sampler alone


def test_what_another_agrees_with_is_checked():
    """Bridge sampling and tempered sequential Monte Carlo, under priors that are not sparse."""
    found = measure(STUDY, draw_replicate(STUDY, 1), Settings(networks=1, error=0.2))
    assert (found.doubt.item(), found.checked.item()) == (0, 1)
