"""What is changed in a stored result of ``select``, ``compare`` or ``search`` is found by its runs and its table.

Source of truth: ``reference.forging``, which changes every attribute, dimension, variable and coordinate of a file, one
at a time, and seals it again. What is exempt is shown to be found by nothing. Runs are of short samplers, and the exact
sum is refused for all but the smallest models.
"""

import re
import time

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
from ockham.errors import ModelError, StoreError
from ockham.estimation.certifying import LEFT
from ockham.io.netcdf import provenance
from ockham.io.whole_files import seal
from ockham.networks.classes import selecting
from ockham.networks.family import Networks
from ockham.networks.scorers import exact

pytestmark = pytest.mark.filterwarnings("ignore::ockham.errors.OckhamWarning")
PLAN = Plan(
    exact="exact",
    bounds=("vb",),
    samplers=(
        Sampler("bridge", {"n_starts": 8, "n_chains": 2, "n_burn_in": 20, "n_draws": 100, "max_draws": 100}),
        Sampler("smc", {"n_passes": 2, "n_chains": 2, "n_states": 5}),
    ),
)
EXEMPT = {
    "made by": "versions and platform say where a file was made, and no number comes from them; the two that methods "
    "name are compared with what these say",
    "measured": "seconds of a run, and of all: no two share them",
    "asked for": "the error that was asked for says only when to end: what a larger one would have been content with",
}
MODELS = {
    "free": "cardinalities: {a: 2, b: 3, c: 2}\n",
    "class": "cardinalities: {a: 2, b: 3, c: 2, h: 3}\nparents: {a: [h], b: [h], c: [h]}\nhidden: [h]\nprior: 0.5\n",
}
HEAD, *ROWS = "a,b,c,n\n0,0,1,3\n1,2,0,2\n0,1,1,1\n1,0,,2\n1,1,0,4\n".splitlines()


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("results")
    (folder / "table.csv").write_text("\n".join([HEAD, *ROWS]))
    for name, content in MODELS.items():
        (folder / f"{name}.yaml").write_text(content)
    return folder


@pytest.fixture(scope="module")
def table(folder):
    return ockham.read_table(folder / "table.csv", weights="n")


def once(function, key):
    """A function that computes the same thing once: what it is made from is in the key."""
    made = {}

    def call(*arguments):
        at = key(*arguments)
        if at not in made:
            try:
                made[at] = function(*arguments), None
            except ModelError as error:
                made[at] = None, error
        found, refusal = made[at]
        if refusal is not None:
            raise refusal
        return found

    return call


@pytest.fixture(scope="module", autouse=True)
def short():
    """Runs that take milliseconds, and an exact sum that is refused with hidden variables."""

    def refused(network, data, settings, stream):
        if network.hidden and network.cardinalities[network.hidden[0]] > 2:
            raise ModelError("too many: of them, a line")
        return score(network, data, settings, stream)

    def of_run(module, model, data, settings, stream):
        return module, model.digest, data.digest, repr(settings), stream.root, stream.name

    score = exact.score
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Networks, "plan", PLAN)
        patch.setattr(exact, "score", refused)
        patch.setattr(families, "run", once(families.run, of_run))
        patch.setattr(
            selecting, "fit", once(selecting.fit, lambda model, data, root: (model.digest, data.digest, root))
        )
        yield


@pytest.fixture(scope="module", params=["select", "compare", "search"])
def stored(request, folder, table):
    """A store, the files of models that its verification takes, and what kind it is."""
    kind, models = request.param, [folder / f"{name}.yaml" for name in MODELS]
    path, options = folder / f"{kind}.nc", {"error": 5.0, "seconds": 1.5, "seed": 3, "progress": False}
    if kind == "select":
        found = ockham.select(table, [1, 3], priors=[1, "bdeu:1"], **options)
    elif kind == "compare":
        found = ockham.compare(models, table, **options)
    else:
        found = ockham.search(table, climbs=2, judged=2, max_hidden=1, max_values=3, **options)
    found.save(path)
    return path, models if kind == "compare" else [], kind


def wrong(path, table, models, **more):
    """What is said of a file, one that cannot be read included."""
    try:
        return [finding.text for finding in verify_result(path, table, models, **more) if finding.wrong]
    except StoreError as error:
        return [str(error)]


def is_exempt(place):
    if place[0] == "attribute" and place[2:] == ():
        if place[1] in provenance():
            return "" if place[1] in ("ockham_version", "commit") else "made by"
        return {"seconds": "measured", "error": "asked for"}.get(place[1], "")
    return "measured" if place in [("variable", "run_seconds", change) for change in ("value", "swapped")] else ""


def test_every_forgery_is_found_with_the_table(stored, table):
    path, models, kind = stored
    try_forgeries(path, kind, lambda: wrong(path, table, models, n_runs=100), is_exempt)


def test_without_the_table_what_follows_from_runs_is(stored):
    path, models, kind = stored
    assert wrong(path, None, models) == []
    whole = path.read_bytes()
    names = ["log_evidence", "at_least", "probability", "probability_high", "leads", "run_log_evidence"]
    for name in [*names, *(["log_bayes_factor"] if kind != "select" else [])]:
        with netCDF4.Dataset(path, "a") as file:
            file.set_auto_mask(False)
            file[name][...] = np.nan_to_num(file[name][...]) + 0.125
        seal(path)
        assert wrong(path, None, models), name
        path.write_bytes(whole)


def test_a_run_that_was_never_made_is_found_where_it_is_made_again(folder, table, monkeypatch):
    """Everything else follows from it, so nothing else speaks against it."""
    path = folder / "never.nc"
    with monkeypatch.context() as forger:
        forger.setattr(families, "run", lambda *_: {"exact": Evidence(-20.0)})
        ockham.select(table, [1, 2], priors=[1], progress=False).save(path)
    assert wrong(path, None, []) == wrong(path, table, [], n_runs=0) == []
    assert any("variable log_evidence: at (0, 0) is -20.0, not" in text for text in wrong(path, table, [], n_runs=1))


@pytest.mark.parametrize("kind", ["select", "compare", "search"])
def test_the_command_says_what_it_looked_at(kind, folder, tmp_path):
    models = [folder / f"{name}.yaml" for name in MODELS]
    ran = {
        "select": ["--classes", 2, "--prior", 1],
        "compare": [],
        "search": ["--climbs", 2, "--judged", 1, "--max-hidden", 1, "--start", models[1]],
    }[kind]
    of_table = ["--weights", "n"]
    made = run(kind, *(models if kind == "compare" else []), folder / "table.csv", *of_table, *ran,
               "--seconds", 1, "--output", tmp_path / "a")  # fmt: skip
    assert made.exit_code == 0, made.output
    given = [part for model in {"compare": models, "search": models[1:]}.get(kind, []) for part in ("--model", model)]
    found = run("verify", tmp_path / "a.nc", "--table", folder / "table.csv", *of_table, *given)
    assert found.exit_code == 0, found.output
    assert "runs were made again" in found.output
    assert run("verify", tmp_path / "a.nc").exit_code == 0
    prior = run("verify", tmp_path / "a.nc", "--table", folder / "table.csv", *of_table, *given, "--prior", 1)
    if kind == "compare":
        assert prior.exit_code == 0, prior.output
    else:
        assert (prior.exit_code, prior.stdout) == (2, "")
        assert prior.stderr.startswith("ockham: prior: is of results of ockham compare alone")
    other = run("verify", tmp_path / "a.nc", "--table", folder / "table.csv", *given)
    assert other.exit_code == 1
    assert f"{tmp_path / 'a.nc'}: " in other.output


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (
            ("folder", "--table", "table.csv"),
            "--table: is of a file that .* wrote, and folder is no file; leave it out",
        ),
        (("folder", "--model", "free.yaml"), "--model: is of a file"),
        (("folder", "--drop", "n"), "--drop: is of a file"),
        (("folder", "--no-header"), "--no-header: is of a file"),
        (("a.nc", "--figures", "figures"), "--figures: is of a folder of results, and a.nc is a file; leave it out"),
        (("a.nc", "--config", "config", "--table", "table.csv"), "--config: is of a folder of results"),
        (("a.nc", "--drop", "n"), "--drop: is of the table of a.nc; give --table as well, or leave it out"),
        (("a.nc", "--items", "a=count"), "--items: is of the table"),
        (("a.nc", "--missing", "9"), "--missing: is of the table"),
        (("a.nc", "--weights", "n"), "--weights: is of the table"),
        (("a.nc", "--prior", "1"), "--prior: is of the table"),
        (("a.nc", "--model", "free.yaml"), "--model: is of the table"),
        (
            ("a.nc", "--table", "table.csv", "--model", "free.yaml"),
            "models: are of results of ockham compare and search",
        ),
    ],
)
def test_options_that_say_nothing_of_what_is_verified_are_refused(given, words, folder, table, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    ockham.select(table, [1], priors=[1], progress=False).save(tmp_path / "a.nc")
    for name in ("folder", "config"):
        (tmp_path / name).mkdir()
    for name in ("table.csv", "free.yaml"):
        (tmp_path / name).write_text((folder / name).read_text())
    result = run("verify", *given)
    assert result.exit_code == 2
    assert re.match(f"ockham: {words}", result.stderr)
    assert result.stderr.count("\n") == 1
    assert result.stdout == ""


def run(*arguments):
    return CliRunner().invoke(main, list(map(str, arguments)))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda file: file.renameVariable("run_score", "scores"), "move it away"),
        (lambda file: file.setncattr("root_seed", "-1"), "root_seed is '-1'"),
        (lambda file: file.setncattr("root_seed", "9" * 400), "root_seed is"),
        (lambda file: put(10**9, file["n_classes"], file["run_n_classes"]), "n_classes: 1000000000 must be an integer"),
        (
            lambda file: file["run_index"].__setitem__(0, 7),
            "are not those that scorers of discrete_network make|DIFFERENT",
        ),
        (lambda file: file["run_n_classes"].__setitem__(0, 2), "move it away"),
        (lambda file: file["prior"].__setitem__(0, "flat 1"), "move it away|prior: 'flat 1'"),
        (
            lambda file: file.renameVariable("map_profile", "profile"),
            "is no result of ockham select, compare or",
        ),
    ],
)
def test_what_cannot_be_read_is_refused(change, message, table, tmp_path):
    found = ockham.select(table, [1], priors=[1], progress=False)
    found.save(tmp_path / "a.nc")
    with netCDF4.Dataset(tmp_path / "a.nc", "a") as file:
        change(file)
    seal(tmp_path / "a.nc")
    for read in (None, table):
        (first, *_) = wrong(tmp_path / "a.nc", read, [])
        assert re.search(message, first)


def put(value, *variables):
    for variable in variables:
        variable[0] = value


def test_models_that_are_not_given_are_named(folder, table):
    path, models = folder / "compare.nc", [folder / f"{name}.yaml" for name in MODELS]
    ockham.compare(models, table, seconds=0.5, progress=False).save(path)
    assert "name every file that was compared" in wrong(path, table, models[:1])[0]
    (folder / "other.yaml").write_text(MODELS["free"])
    assert "has a model 'free'" in wrong(path, table, [models[1], folder / "other.yaml"])[0]


def test_a_search_that_time_ended_is_judged_by_its_own_graphs(folder, table):
    found = ockham.search(table, climbs=200, judged=2, max_hidden=1, seconds=0.4, progress=False)
    assert found.n_climbs < found.n_starts
    path = folder / "short.nc"
    found.save(path)
    findings = list(verify_result(path, table))
    assert [finding.text for finding in findings if finding.wrong] == []
    assert "the search is not done again" in findings[-1].text
    (text,) = wrong(path, folder / "table.csv", [])  # whose weights are a column then
    assert "is of columns of (2, 3, 2) states, the table of (2, 3, 2, 4); read it as then" in text


def test_an_exact_sum_that_was_left_is_not_asked_again(folder, table, monkeypatch):
    """It would be known where there is more time; that it was refused for another reason is looked at."""
    path, models = folder / "left.nc", [folder / f"{name}.yaml" for name in MODELS]
    with monkeypatch.context() as patch:
        patch.setattr(exact, "score", lambda *given: time.sleep(60))
        found = ockham.compare(models, table, seconds=2, seed=11, progress=False)  # no run of another test
    assert found.evidences["class"].refused == {"exact": LEFT}
    assert found.evidences["class"].runs  # of others
    found.save(path)
    assert wrong(path, table, models) == []
    with netCDF4.Dataset(path, "a") as file:
        refused = file["refused"]
        refused[:] = np.array([text.replace(LEFT, "refused") for text in refused[:]], dtype=object)
    seal(path)
    assert wrong(path, table, models)
