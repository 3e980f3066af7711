"""What is changed in a stored result of ``select`` on a mixed table is found by its runs and its table.

Source of truth: ``reference.forging``, as for results on networks. Runs are of short samplers, and the exact sum is
refused of several classes. What is exempt is what ``docs/start.md`` lists.
"""

import netCDF4
import numpy as np
import pytest
from click.testing import CliRunner
from reference.forging import try_forgeries

import ockham
from ockham import families
from ockham.api.verifying import verify_result
from ockham.cli import main
from ockham.contracts import Evidence, Plan, Sampler
from ockham.errors import ConfigError, ModelError, StoreError
from ockham.io.netcdf import provenance
from ockham.io.whole_files import seal
from ockham.mixtures.classes import selecting
from ockham.mixtures.data.priors import MixedPrior
from ockham.mixtures.family import Mixtures
from ockham.mixtures.scorers import exact

pytestmark = pytest.mark.filterwarnings("ignore::ockham.errors.OckhamWarning")
PLAN = Plan(
    exact="exact", bounds=("vb",), samplers=(Sampler("smc", {"n_passes": 2, "n_chains": 2}, doubled="n_chains"),)
)
TABLE = "colour,height,visits\nred,1.71,0\nblue,1.82,3\n,1.65,1\nred,1.9,14\nred,,2\nblue,1.55,12\n"
ITEMS = {"visits": "count"}
OPTIONS = {"priors": [1, "within=0.1234567"], "error": 5.0, "seconds": 1e6, "seed": 3, "progress": False}
"""The error ends it: what is stored does not depend on how fast the machine is."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("results")
    (folder / "table.csv").write_text(TABLE)
    return folder


@pytest.fixture(scope="module", autouse=True)
def short():
    """Runs that take milliseconds, each made once, and an exact sum that is refused of three classes."""

    def refused(model, data, settings, stream):
        if model.n_classes > 2:
            raise ModelError("too many classes")
        return score(model, data, settings, stream)

    def once(function, key):
        made = {}

        def call(*arguments):
            at = key(*arguments)
            if at not in made:
                try:
                    made[at] = function(*arguments)
                except ModelError as error:
                    made[at] = error
            if isinstance(made[at], ModelError):
                raise made[at]
            return made[at]

        return call

    def of_run(module, model, data, settings, stream):
        return module, model.digest, data.digest, repr(settings), stream.root, stream.name

    score, fit = exact.score, selecting.fit
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Mixtures, "plan", PLAN)
        patch.setattr(exact, "score", refused)
        patch.setattr(families, "run", once(families.run, of_run))
        patch.setattr(selecting, "fit", once(fit, lambda model, data, root: (model.digest, data.digest, root)))
        yield


@pytest.fixture(scope="module")
def stored(folder):
    path = folder / "select.nc"
    ockham.select(folder / "table.csv", [1, 3], items=ITEMS, **OPTIONS).save(path)
    return path


def wrong(path, table, items=ITEMS, **more):
    """What is said of a file, one that cannot be read included."""
    try:
        return [finding.text for finding in verify_result(path, table, items=items, **more) if finding.wrong]
    except StoreError as error:
        return [str(error)]


def is_exempt(place):
    if place[0] == "attribute" and place[2:] == ():
        if place[1] in provenance():
            return place[1] not in ("ockham_version", "commit")
        return place[1] in ("seconds", "error")
    return place in [("variable", "run_seconds", change) for change in ("value", "swapped")]


def test_every_forgery_is_found_with_the_table(stored, folder):
    try_forgeries(stored, "select mixed", lambda: wrong(stored, folder / "table.csv", n_runs=100), is_exempt)


def test_without_the_table_what_follows_from_runs_is(stored):
    assert wrong(stored, None) == []
    whole = stored.read_bytes()
    for name in ("log_evidence", "at_least", "probability", "leads", "run_log_evidence"):
        with netCDF4.Dataset(stored, "a") as file:
            file.set_auto_mask(False)
            file[name][...] = np.nan_to_num(file[name][...]) + 0.125
        seal(stored)
        assert wrong(stored, None), name
        stored.write_bytes(whole)


def test_a_run_that_was_never_made_is_found_where_it_is_made_again(folder, monkeypatch):
    """Everything else follows from it, so nothing else speaks against it."""
    path, table = folder / "never.nc", folder / "table.csv"
    with monkeypatch.context() as forger:
        forger.setattr(families, "run", lambda *_: {"exact": Evidence(-20.0)})
        ockham.select(table, [1, 2], items=ITEMS, priors=[1], progress=False).save(path)
    assert wrong(path, None) == wrong(path, table, n_runs=0) == []
    assert any("variable log_evidence: at (0, 0) is -20.0, not" in text for text in wrong(path, table, n_runs=1))


def test_a_table_that_is_read_as_another_is_no_pass(stored, folder):
    categorical = ["categorical"] * 3
    every = dict(zip(("colour", "height", "visits"), categorical, strict=True))
    assert "every column is read as categories" in wrong(stored, folder / "table.csv", every)[0]
    assert any("DIFFERENT" in text for text in wrong(stored, folder / "table.csv", {"visits": "gaussian"}))
    path = folder / "categories.nc"
    ockham.select(folder / "table.csv", [1], items=every, priors=[1], progress=False).save(path)
    assert wrong(path, folder / "table.csv", every) == []
    assert "a column is read as something else" in wrong(path, folder / "table.csv", {})[0]


def test_the_command_takes_the_types_of_columns(folder, tmp_path):
    of_table = [folder / "table.csv", "--items", "visits=count"]
    made = run("select", *of_table, "--classes", 2, "--prior", 1, "--seconds", 1e6, "--output", tmp_path / "a")
    assert made.exit_code == 0, made.output
    found = run("verify", tmp_path / "a.nc", "--table", *of_table)
    assert found.exit_code == 0, found.output
    assert "runs were made again" in found.output
    assert run("verify", tmp_path / "a.nc").exit_code == 0
    assert (
        run("verify", tmp_path / "a.nc", "--table", folder / "table.csv", "--items", "visits=gaussian").exit_code == 1
    )


def run(*arguments):
    return CliRunner().invoke(main, list(map(str, arguments)))


def test_priors_are_known_by_their_names():
    for prior in (MixedPrior(), MixedPrior(0.1234567), MixedPrior(within=0.25, rates=1e-3), MixedPrior(1e6)):
        assert MixedPrior.named(prior.name) == prior
    for name in ("flat 1", "concentration 1", "concentration 1, within 0.50, rates 1", ""):
        with pytest.raises(ConfigError, match="prior: "):
            MixedPrior.named(name)
