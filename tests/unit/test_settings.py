"""A configuration is validated once and whole: what is wrong is told with the file, the field and what is allowed.

Each broken configuration is the valid one with one small change, and must be refused by ``load`` and, with exit status
2, no traceback and nothing written, by the command line. The blocks of a grid partition its cells, and their names
depend on coordinates alone. The sources of truth are written out by hand.
"""

import copy
import json
from itertools import product
from math import inf, nan, prod
from pathlib import Path

import pytest
import yaml
from click.testing import CliRunner

from ockham.cli import main
from ockham.errors import ConfigError
from ockham.scorers import SCORERS
from ockham.settings import Study, schema
from ockham.studies import load
from ockham.study_files import conditions_of

REPOSITORY = Path(__file__).parents[2]
VALID = {
    "study": "tiny",
    "root_seed": 3,
    "structures": {
        "space": "bipartite", "hidden_cardinalities": [2], "observed_cardinalities": [2, 2], "prior": 1.0,
    },
    "only": ["1-1", "0-1"],
    "true_structure": "1-1",
    "replicates": {"prior_draws": 2},
    "sizes": [5, 10],
    "scorers": {"em": {"runs": 2, "settings": {"tolerance": 1e-5}}, "exact": {"sizes": [5], "replicates": [1]}},
}  # fmt: skip
LISTED = {
    "space": "listed",
    "structures": {
        "one": {"cardinalities": {"h": 2, "y": 2, "z": 3}, "parents": {"y": ["h"], "z": ["h"]}, "hidden": ["h"]},
        "two": {"cardinalities": {"y": 2, "z": 3}, "parents": {"z": ["y"]}},
    },
}
REMOVED = object()


def changed(*changes):
    """The valid configuration with values set, or removed, at dotted paths."""
    content = copy.deepcopy(VALID)
    for path, value in changes:
        *parents, last = path.split(".")
        place = content
        for key in parents:
            place = place[key]
        if value is REMOVED:
            del place[last]
        else:
            place[last] = value
    return content


def listed(path=None, value=None):
    content = changed(("only", REMOVED), ("true_structure", "one"), ("structures", copy.deepcopy(LISTED)))
    if path is not None:
        *parents, last = path
        place = content["structures"]["structures"]
        for key in parents:
            place = place[key]
        place[last] = value
    return content


def write(folder, content):
    path = folder / "tiny.yaml"
    path.write_bytes(content if isinstance(content, bytes) else yaml.safe_dump(content).encode())
    return path


def naive(**given):
    return {"space": "naive_bayes", "classes": [2, 3], "feature_cardinalities": [2, 2], **given}


OF_A_PAPER = changed(("paper", "beal_ghahramani_2006"), ("replicates", {"published": True}), ("scorers.exact", REMOVED))


ONE = [
    # (path, value, what the message has besides the file: the field, then what is wrong or allowed)
    ("studdy", 1, "studdy: unknown key"),
    ("structures.hidden", [2], "structures.bipartite.hidden: unknown key"),
    ("replicates.draws", 3, "replicates.draws: unknown key"),
    ("scorers.em.restarts", 3, "scorers.em.restarts: unknown key"),
    ("scorers.em.settings.iterations", 3, "scorers.em.settings.iterations: unknown key"),
    ("scorers.exact.settings", {"tolerance": 1.0}, "scorers.exact.settings.tolerance: unknown key"),
    ("study", REMOVED, "study: Field required"),
    ("root_seed", REMOVED, "root_seed: Field required"),
    ("structures", REMOVED, "structures: Field required"),
    ("structures.space", REMOVED, "space"),
    ("structures.hidden_cardinalities", REMOVED, "hidden_cardinalities: Field required"),
    ("true_structure", REMOVED, "true_structure: needed for drawn data"),
    ("replicates", REMOVED, "replicates: Field required"),
    ("sizes", REMOVED, "sizes: Field required"),
    ("scorers", REMOVED, "scorers: Field required"),
    ("study", 7, "study: .*string.*7"),
    ("study", "no such/name", "study: .*match.*no such/name"),
    ("study", "", "study: .*match"),
    ("study", "../up", "study: .*match"),
    ("root_seed", -1, "root_seed: .*greater than or equal to 0.*-1"),
    ("root_seed", 1.5, "root_seed: .*integer.*1.5"),
    ("root_seed", "3", "root_seed: .*integer.*'3'"),
    ("root_seed", True, "root_seed: .*integer.*True"),
    ("root_seed", 2**63, "root_seed: .*less than"),
    ("paper", "nobody_1900", "paper: 'nobody_1900' is unknown; known are beal_ghahramani_2006"),
    ("structures", [], "structures: "),
    ("structures.space", "tripartite", "structures: .*tripartite.*'bipartite', 'naive_bayes', 'listed'"),
    ("structures.prior", 0.0, "structures.bipartite.prior: .*greater than or equal to 0.0000000001"),
    ("structures.prior", -1.0, "structures.bipartite.prior: .*greater than or equal to 0.0000000001"),
    ("structures.prior", nan, "structures.bipartite.prior: "),
    ("structures.prior", inf, "structures.bipartite.prior: .*less than or equal to 1000000"),
    ("structures.prior", "flat", "structures.bipartite.prior: .*number.*flat"),
    ("structures.hidden_cardinalities", [1], "hidden_cardinalities.0: .*greater than or equal to 2"),
    ("structures.hidden_cardinalities", [], "hidden_cardinalities: .*at least 1 item"),
    ("structures.hidden_cardinalities", 2, "hidden_cardinalities: .*list"),
    ("structures.observed_cardinalities", [2, 2.0], "observed_cardinalities.1: .*integer"),
    ("structures.observed_cardinalities", [2, 40_000], "observed_cardinalities.1: .*less than or equal to 32767"),
    ("structures.observed_cardinalities", [2] * 17, "structures: .*2.17 bipartite graphs.*list the structures"),
    ("structures", naive(classes=[]), "structures.naive_bayes.classes: .*at least 1 item"),
    ("structures", naive(classes=[0]), "structures.naive_bayes.classes.0: .*greater than or equal to 1"),
    ("structures", naive(prior=-inf), "structures.naive_bayes.prior: "),
    ("true_structure", "1-2", "structure '1-2' is not in the space of 4 structures; labels look like '1-1'"),
    ("true_structure", 11, "true_structure: .*string"),
    ("only", ["1-1", "9-9"], "structure '9-9' is not in the space of 4 structures; labels look like"),
    ("only", [], "only: .*at least 1 item"),
    ("only", "1-1", "only: .*list"),
    ("replicates", {}, "replicates: give published: true, prior_draws"),
    ("replicates.prior_draws", 0, "replicates: give published: true, prior_draws"),
    ("replicates.prior_draws", -1, "replicates.prior_draws: .*greater than or equal to 0"),
    ("replicates.prior_draws", "all", "replicates.prior_draws: .*integer"),
    ("replicates.published", 1, "replicates.published: .*boolean"),
    ("replicates.published", True, "replicates.published: only a study of a paper has them; set paper or prior_draws"),
    ("sizes", [], "sizes: .*at least 1 item"),
    ("sizes", 10, "sizes: .*list"),
    ("sizes", [10, 5], "sizes: sizes must increase: 5 follows 10"),
    ("sizes", [5, 5, 10], "sizes: sizes must increase: 5 follows 5"),
    ("sizes", [0, 5], "sizes.0: .*greater than or equal to 1"),
    ("sizes", [-5, 5], "sizes.0: .*greater than or equal to 1"),
    ("sizes", [5, 10.0], "sizes.1: .*integer"),
    ("sizes", [5, "10"], "sizes.1: .*integer"),
    ("sizes", [5, None], "sizes.1: .*integer"),
    ("sizes", [5, 2**31], "sizes.1: .*less than or equal to 2147483647"),
    ("scorers", {}, "scorers: .*at least 1 item"),
    ("scorers", ["em"], "scorers: .*dictionary"),
    ("scorers.gibbs", {}, "scorers.gibbs: unknown scorer 'gibbs'; known are em, em_ml, vb"),
    ("scorers.em", None, "scorers.em: "),
    ("scorers.em.runs", 0, "scorers.em.runs: .*greater than or equal to 1"),
    ("scorers.em.runs", 2.5, "scorers.em.runs: .*integer"),
    ("scorers.em.settings.tolerance", 0.0, "scorers.em.settings.tolerance: .*greater than 0"),
    ("scorers.em.settings.tolerance", nan, "scorers.em.settings.tolerance: "),
    ("scorers.em.settings.tolerance", inf, "scorers.em.settings.tolerance: "),
    ("scorers.em.settings.max_iterations", 0, "scorers.em.settings.max_iterations: .*greater than or equal to 1"),
    ("scorers.em.settings.max_iterations", 1e3, "scorers.em.settings.max_iterations: .*integer"),
    ("scorers.exact.settings", {"max_completions": "all"}, "scorers.exact.settings.max_completions: .*integer.*all"),
    ("scorers.exact.sizes", [7], r"scorers.exact.sizes: \[7\] not among the study's sizes"),
    ("scorers.exact.sizes", [], "scorers.exact.sizes: .*at least 1 item"),
    ("scorers.exact.sizes", [5, 5], "scorers.exact.sizes: a value is given twice"),
    ("scorers.exact.replicates", [0], r"scorers.exact.replicates: \[0\] not among the study's replicates"),
    ("scorers.exact.replicates", [-1], "scorers.exact.replicates.0: .*greater than or equal to 0"),
    ("scorers.exact.replicates", [1, 1], "scorers.exact.replicates: a value is given twice"),
    ("scorers.em.split", {"structure": 1}, "scorers.em.split.structure.*'replicate', 'n' or 'run'"),
    ("scorers.em.split", {"n": 0}, "scorers.em.split.n: .*greater than or equal to 1"),
    ("scorers.em.structures", ["1-3"], r"scorers.em.structures: \['1-3'\] not among"),
    ("scorers.em.structures", ["1-1", "1-1"], "scorers.em.structures: a value is given twice"),
    ("scorers.em.vary", {"max_iterations": [1, 0]}, "scorers.em_0.settings.max_iterations: .*greater than or equal"),
    ("scorers.em.vary", {"tol": [1.0]}, "scorers.em_1.0: names of entries have small letters"),
    ("scorers.em.vary", {"max_iterations": [1], "tolerance": [1.0]}, "em.vary: give one setting with a list"),
    ("scorers.em.vary", {"max_iterations": []}, "em.vary: give one setting with a list of one or more values"),
    ("scorers.em.vary", {"max_iterations": [5, 5]}, "em: the entry em_5 is there twice"),
    ("scorers.em", {"vary": {"max_iterations": [5]}, "settings": None}, "scorers.em.settings: .*dictionary"),
    ("scorers.em.scorer", "vb", "scorers.em: the name means something else"),
    ("scorers.schedules", {"scorer": "em"}, "scorers.schedules: the name means something else"),
    ("scorers.em.scorer", "ml", "scorers.em: unknown scorer 'ml'; known are em, em_ml, vb"),
    ("scorers.em.from_truth", True, "scorers.em.from_truth: set structures to"),
]
BROKEN = {f"{path} = {'removed' if value is REMOVED else value}": (changed((path, value)), m) for path, value, m in ONE}
BROKEN |= {
    "no variables": (listed(["one"], {"cardinalities": {}}), "one.cardinalities: .*at least 1 item"),
    "cycle": (listed(["one", "parents"], {"y": ["z"], "z": ["y"]}), "'one': the parents form a cycle among y, z"),
    "own parent": (listed(["one", "parents"], {"y": ["y"]}), "structure 'one': the parents form a cycle among y"),
    "unknown parent": (listed(["one", "parents"], {"y": ["x"]}), "structure 'one': unknown variable 'x'.*has h, y, z"),
    "unknown child": (listed(["one", "parents"], {"x": ["y"]}), "structure 'one': unknown variable 'x'.*has h, y, z"),
    "unknown hidden": (listed(["one", "hidden"], ["g"]), "structure 'one': unknown variable 'g'.*has h, y, z"),
    "parent twice": (listed(["one", "parents"], {"y": ["h", "h"]}), "structure 'one': .*same parent twice"),
    "hidden twice": (listed(["one", "hidden"], ["h", "h"]), "structure 'one': .*hidden twice"),
    "prior of a stranger": (listed(["one", "prior"], {"g": 1.0}), "structure 'one': unknown variable 'g' in the prior"),
    "negative prior": (listed(["one", "prior"], {"h": -1.0}), "one.prior.*h: .*greater than or equal to 0.0000000001"),
    "infinite prior": (listed(["one", "prior"], {"h": inf}), "prior"),
    "other observed": (listed(["two", "cardinalities", "z"], 4), "structures: .*same observed variables"),
    "all hidden": (
        {**listed(["one", "hidden"], ["h", "y", "z"]), "only": ["one"]}, "structures: .*needs an observed variable",
    ),
    "only one structure, all of it hidden": (
        changed(
            ("only", REMOVED), ("true_structure", "h"),
            ("structures", {"space": "listed", "structures": {"h": {"cardinalities": {"h": 2}, "hidden": ["h"]}}}),
        ),
        "structures: .*needs an observed variable",
    ),
    "unknown key of a structure": (listed(["one", "priors"], 1.0), "structures.one.priors: unknown key"),
    "published parameters of another shape": (OF_A_PAPER, "true_structure: 1-1 needs tables of shape"),
}  # fmt: skip
TEXTS = {
    "key twice": (yaml.safe_dump(VALID).encode() + b"root_seed: 4\n", "not valid YAML.*'root_seed' is given twice"),
    "key twice inside": (b"study: tiny\nscorers:\n  em: {runs: 1, runs: 2}\n", "not valid YAML.*'runs' is given twice"),
    "a list": (b"[1, 2]\n", "must hold a mapping of keys to values"),
    "a word": (b"hello\n", "must hold a mapping of keys to values"),
    "empty": (b"", "must hold a mapping of keys to values"),
    "comments": (b"# nothing\n", "must hold a mapping of keys to values"),
    "binary": (bytes(range(256)), "not valid YAML"),
    "control characters": (b"study: \x00\x01\n", "not valid YAML"),
    "not UTF-8": (b"study: t\xefny\n", "not valid YAML"),
    "open bracket": (b"sizes: [5, 10\n", "not valid YAML"),
    "tab": (b"replicates:\n\tprior_draws: 2\n", "not valid YAML"),
    "list as a key": (b"study: tiny\n? [a, b]\n: 1\n", "not valid YAML|unknown key|keys"),
    "mapping as a key": (b"study: tiny\n? {a: b}\n: 1\n", "not valid YAML|unknown key|keys"),
    "number as a key": (yaml.safe_dump(VALID).encode() + b"7: 1\n", "7: "),
    "python object": (b"study: !!python/name:os.system ''\n", "not valid YAML"),
    "merge key that is no mapping": (b"<<: 5\nstudy: tiny\n", "not valid YAML"),
}
CORPUS = BROKEN | TEXTS


def check_refused(path, message, folder):
    """Through both doors: the error of ``load``, and the command line's status, message and restraint."""
    before = sorted(folder.rglob("*"))
    with pytest.raises(ConfigError, match=rf"(?s){message}") as caught:
        load(path)
    assert str(caught.value).startswith(f"{path}: ")
    result = CliRunner().invoke(main, ["check", str(path)])
    assert result.exit_code == 2
    assert isinstance(result.exception, SystemExit)
    assert result.stderr.startswith(f"ockham: {path}: ")
    assert "Traceback" not in result.output
    assert len(result.stderr.splitlines()) <= 8
    assert result.stdout == ""
    assert sorted(folder.rglob("*")) == before


@pytest.mark.parametrize("case", CORPUS)
def test_refused(case, tmp_path):
    content, message = CORPUS[case]
    check_refused(write(tmp_path, content), message, tmp_path)


def test_what_is_no_readable_file_is_refused(tmp_path):
    check_refused(tmp_path / "missing.yaml", "cannot be read .*No such file.*give the path of a study's YAML", tmp_path)
    check_refused(tmp_path, "cannot be read .*directory", tmp_path)


def test_every_problem_is_told_at_once(tmp_path):
    path = write(tmp_path, changed(("root_seed", -1), ("sizes", [0]), ("extra", 1)))
    with pytest.raises(ConfigError) as caught:
        load(path)
    lines = str(caught.value).splitlines()
    assert [line.split(": ")[1] for line in lines] == ["root_seed", "sizes.0", "extra"]


def test_the_valid_ones_are_valid(tmp_path):
    study = load(write(tmp_path, VALID))
    assert list(study.networks) == ["1-1", "0-1"]
    assert study.replicates.indices() == [1, 2]
    assert study.scorer_settings["em"] == SCORERS["em"].Settings(tolerance=1e-5)
    assert list(load(write(tmp_path, listed())).networks) == ["one", "two"]
    mixtures = changed(("structures", naive()), ("only", REMOVED), ("true_structure", "classes-3"))
    assert list(load(write(tmp_path, mixtures)).networks) == ["classes-2", "classes-3"]
    with pytest.raises(ValueError, match="frozen"):
        study.root_seed = 4


@pytest.mark.parametrize("path", sorted(REPOSITORY.glob("config/**/*.yaml")), ids=str)
def test_the_configurations_of_the_repository_load(path):
    if path.name == "workflow.yaml":
        studies = yaml.safe_load(path.read_text())["studies"]
        assert all((path.parent / f"{name}.yaml").is_file() for name in studies)
    else:
        names = [load(source).name for source in conditions_of(path)]
        assert names == [path.stem] or [name.split("/")[0] for name in names] == [path.stem] * len(names)


def test_the_small_twin_differs_in_its_extent_alone():
    """The same entries with the same scorers, and every structure, of fewer replicates, sizes, runs and steps."""
    full, small = (load(REPOSITORY / folder / "beal_ghahramani_2006.yaml") for folder in ("config", "config/smoke"))
    extent = {"replicates", "sizes", "scorers"}
    assert full.model_dump(exclude=extent) == small.model_dump(exclude=extent)
    assert set(small.sizes) <= set(full.sizes)
    assert set(small.replicates.indices()) <= set(full.replicates.indices())
    for study in (full, small):
        assert list(study.scorers)[:6] == ["em", "vb", "vb_from_cs", "exact", "ais", "ais_replicates"]
    for name, grid in small.scorers.items():
        extent = {"replicates", "sizes", "split", "settings"}
        assert grid.model_dump(exclude=extent) == full.scorers[name].model_dump(exclude=extent)
        assert grid.settings.keys() == full.scorers[name].settings.keys()


def test_the_stored_schema_is_the_models():
    stored = json.loads((REPOSITORY / "config/schema.json").read_text())
    assert stored == schema() == json.loads(CliRunner().invoke(main, ["schema"]).stdout)


def grid_cells(study, scorer):
    """Every cell of every block of a scorer, structures apart."""
    return [c for b in study.blocks(scorer).values() for c in product(b.replicates, b.sizes, b.runs)]


@pytest.mark.parametrize(
    "split",
    [{}, {"replicate": 1}, {"n": 1}, {"run": 1}, {"run": 1, "replicate": 1}, {"n": 2, "run": 1},
     {"replicate": 4, "n": 3, "run": 2}, {"replicate": 1, "n": 1, "run": 1}],
    ids=str,
)  # fmt: skip
def test_blocks_partition_the_cells(split):
    study = Study(**changed(("scorers.em.split", split), ("sizes", [5, 10, 100_000]), ("replicates.prior_draws", 1001)))
    cells = grid_cells(study, "em")
    expected = set(product(range(1, 1002), [5, 10, 100_000], range(2)))
    assert len(cells) == len(expected)
    assert set(cells) == expected
    extents = {"replicate": 1001, "n": 3, "run": 2}
    blocks = study.blocks("em")
    assert len(blocks) == prod(-(-extents[dimension] // step) for dimension, step in split.items())
    assert all(block.name == name and block.scorer == "em" for name, block in blocks.items())


def test_a_scorer_may_take_a_part_of_the_grid():
    study = Study(**VALID)
    assert grid_cells(study, "exact") == [(1, 5, 0)]
    assert list(study.blocks("exact")) == ["replicate-001"]


@pytest.mark.parametrize("split", [{}, {"replicate": 1}, {"replicate": 1, "n": 1, "run": 1}], ids=str)
def test_names_of_blocks_survive_additions(split):
    first = {0: "all", 1: "replicate-001", 3: "replicate-001_n-00005_run-00"}[len(split)]
    before = Study(**changed(("scorers.em.split", split))).blocks("em")
    assert next(iter(before)) == first
    more = [("sizes", [2, 5, 7, 10, 20_000]), ("replicates.prior_draws", 1001), ("scorers.em.runs", 3)]
    after = Study(**changed(("scorers.em.split", split), *more)).blocks("em")
    assert set(before) <= set(after)
    for name, block in before.items():
        for field in ("replicates", "sizes", "runs"):
            assert set(getattr(block, field)) <= set(getattr(after[name], field))


def test_the_digest_follows_what_the_numbers_depend_on():
    digest = Study(**VALID).digest
    assert Study(**VALID).digest == digest
    for path, value in (
        ("root_seed", 4), ("structures.prior", 0.5), ("sizes", [5]), ("scorers.em.runs", 3), ("true_structure", "0-1")
    ):  # fmt: skip
        assert Study(**changed((path, value))).digest != digest


CONDITIONS = {name: value for name, value in VALID.items() if name != "sizes"} | {
    "conditions": {"few": {"sizes": [5]}, "more": {"sizes": [5, 50], "streams": "few"}}
}


def test_a_condition_gives_its_keys_in_place_of_the_files(tmp_path):
    path = write(tmp_path, CONDITIONS)
    few, more = (load(source) for source in conditions_of(path))
    assert (few.sizes, more.sizes) == ([5], [5, 50])
    assert (few.name, more.name) == (f"{few.study}/few", f"{few.study}/more")
    assert few.stream_name == more.stream_name == f"{few.study}/few"


@pytest.mark.parametrize(
    ("conditions", "name", "message"),
    [
        ({"few": {"sizes": [5]}}, "", r"conditions: give the file with one of its conditions.*tiny\.yaml:few"),
        ({"few": {"sizes": [5]}}, ":many", r"conditions: give the file with one of its conditions.*tiny\.yaml:few"),
        ({"few": [5]}, ":few", "conditions: must map names to the keys"),
        ({}, ":few", "conditions: must map names to the keys"),
        ({"Few": {"sizes": [5]}}, ":Few", r"conditions\.Few: names have small letters"),
        ({"few": {"sizes": [5], "streams": "nope"}}, ":few", "streams: 'nope' is none of the conditions"),
    ],
)
def test_conditions_that_are_refused(tmp_path, conditions, name, message):
    path = write(tmp_path, CONDITIONS | {"conditions": conditions})
    with pytest.raises(ConfigError, match=message):
        load(f"{path}{name}")


def test_the_model_of_a_file(tmp_path):
    """Absent means discrete networks; a command of one model refuses the others."""
    assert load(write(tmp_path, VALID | {"model": "discrete_network"})) == load(write(tmp_path, VALID))
    path = write(tmp_path, VALID | {"model": "discrete"})
    with pytest.raises(ConfigError, match="model: 'discrete' is unknown; known are discrete_network"):
        load(path)
    with pytest.raises(ConfigError, match="model: is 'discrete_network'; give a study of the model 'other' here"):
        load(write(tmp_path, VALID), "other")
