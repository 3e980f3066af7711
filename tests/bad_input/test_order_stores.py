"""A block with arrays, of runs of node orders or of exact values, that is not what it should be is refused unchanged.

Each case is a sound file of a small study with one thing changed. The source of truth is the list of what is wrong.
"""

import numpy as np
import pytest
from bad_input.support import (
    BYTES,
    attribute,
    changed,
    read_content,
    refused,
    resized,
    retyped,
    snapshot,
    without,
    write,
    write_content,
)
from click.testing import CliRunner
from reference.tiny_study import ORDERS

from ockham.cli import main
from ockham.errors import StoreError
from ockham.studies.collecting import collect
from ockham.studies.loading import load

STUDY = ORDERS | {
    "scorers": {
        "ais_1": {
            "scorer": "ais", "runs": 2, "split": {}, "settings": {"length": 1, "steps": 500, "graphs": 3},
        },
        "mc3_2": {"scorer": "mc3", "runs": 2, "split": {}, "settings": {"ratios": 2, "thin": 2, "steps": 1800}},
        "exact": {"split": {}},
    },
}  # fmt: skip
KINDS = tuple(STUDY["scorers"])
CELLS = ("replicate", "n", "structure", "run")
AWAY = "move the file away"
ANY = {
    "no specification": (without("attributes", "specification"), f"has no attribute 'specification': .*{AWAY}"),
    "specification is a number": (attribute("specification", 1), "attribute 'specification' is .*, not str"),
    "another specification": (attribute("specification", "0" * 64), "attribute specification: .*run the workflow"),
    "no key": (without("variables", "key"), f"has no variable 'key': .*{AWAY}"),
    "a size too many": (
        lambda content: retyped("n", "i4", values=[10, 20, 30])(resized(n=3)(content)),
        "variable key: more cells than the block has",
    ),
}
ANNEALING = {
    **{
        f"no variable {name}": (without("variables", name), f"has no variable '{name}': .*{AWAY}")
        for name in (
            "run", "ais_orders", "seconds", "graph_seconds", "accepted", "log_weight", "parents", "log_extensions",
        )
    },
    "a run twice": (retyped("run", "i4", values=0), f"variable 'run' has a value twice; {AWAY}"),
    "runs are fractions": (retyped("run", "f8", values=0.5), "variable 'run' is of type float64, not i"),
    "times are short": (retyped("seconds", "f4", values=0), "variable 'seconds' is of type float32, not f8"),
    "weights are integers": (retyped("log_weight", "i4", values=0), "variable 'log_weight' is of type int32, not f8"),
    "weights are words": (retyped("log_weight", str), "variable 'log_weight' is of type .*, not f8"),
    "weights have no sample": (
        retyped("log_weight", "f8", CELLS, np.zeros((1, 2, 1, 2))), "variable 'log_weight' has dimensions .*, not",
    ),
    "weights have the sample first": (
        retyped("log_weight", "f8", ("sample", *CELLS), 0.0), "variable 'log_weight' has dimensions .*, not",
    ),
    "graphs are fractions": (retyped("parents", "f8", values=0.0), "variable 'parents' is of type float64, not u8"),
    "graphs are signed": (retyped("parents", "i8", values=0), "variable 'parents' is of type int64, not u8"),
    "graphs have no node": (
        retyped("parents", "u8", (*CELLS, "sample", "graph"), 0), "variable 'parents' has dimensions .*, not",
    ),
    "more than memory holds": (
        lambda content: changed(
            content, ("dimensions.sample", 10**12),
            *((("variables", n), (*v[:2], None)) for n, v in content["variables"].items() if "sample" in v[0]),
        ),
        "variable '(log_weight|seconds|parents|log_extensions|graph_seconds)' has .*,000,000,000,000 values, over",
    ),
}  # fmt: skip
TEMPERING = {
    **{
        f"no variable {name}": (without("variables", name), f"has no variable '{name}': .*{AWAY}")
        for name in ("log_ratio", "arcs", "weighted_arcs", "log_inverse_extensions", "exchanged")
    },
    "arcs have their dimensions mixed": (
        retyped("arcs", "f8", (*CELLS, "parent", "child", "block"), 0.0),
        "variable 'arcs' has dimensions .*, not",
    ),
}
SIZES = {
    ("ais_1", "a node too many"): (resized(node=6), f"dimension 'node' has size 6, not 5; {AWAY}"),
    ("mc3_2", "a parent is missing"): (resized(parent=4), f"dimension 'parent' has size 4, not 5; {AWAY}"),
    ("exact", "a child too many"): (resized(child=6), f"dimension 'child' has size 6, not 5; {AWAY}"),
    ("exact", "a prior is missing"): (resized(prior=1), f"dimension 'prior' has size 1, not 2; {AWAY}"),
}
"""What only the collection can tell: sizes of arrays may be anything in a block, and differ from cell to cell."""
EXACT = {
    **{
        f"no variable {name}": (without("variables", name), f"has no variable '{name}': .*{AWAY}")
        for name in ("exact_log_evidence", "exact_arcs")
    },
    "arcs are short": (retyped("exact_arcs", "f4", values=0.0), "variable 'exact_arcs' is of type float32, not f8"),
    "arcs are one number": (retyped("exact_arcs", "f8", (), 1.0), "variable 'exact_arcs' has dimensions .*, not"),
}
CASES = [
    *((kind, name, *case) for kind in KINDS for name, case in ANY.items()),
    *(("ais_1", name, *case) for name, case in ANNEALING.items()),
    *(("mc3_2", name, *case) for name, case in TEMPERING.items()),
    *(("exact", name, *case) for name, case in EXACT.items()),
    *((kind, name, *case) for (kind, name), case in SIZES.items()),
]


def score(paths, kind):
    return "score", paths["data"].with_name("tiny.yaml"), kind, "all", paths["data"], "--output", paths[kind]


@pytest.fixture(scope="module")
def sound(tmp_path_factory):
    """A folder with a sound study, and the contents of its files."""
    folder = tmp_path_factory.mktemp("sound")
    config = write(folder / "tiny.yaml", STUDY)
    paths = {kind: folder / f"{kind}.nc" for kind in ("data", *KINDS)}
    draw = "draw", config, "--replicate", 1, "--output", paths["data"]
    for arguments in (draw, *(score(paths, kind) for kind in KINDS)):
        result = CliRunner().invoke(main, [str(argument) for argument in arguments])
        assert result.exit_code == 0, result.output
    return {kind: (path.read_bytes(), read_content(path)) for kind, path in paths.items()}


@pytest.fixture
def paths(sound, tmp_path):
    write(tmp_path / "tiny.yaml", STUDY)
    return {kind: write(tmp_path / f"{kind}.nc", whole) for kind, (whole, _) in sound.items()}


def collected(paths):
    study = load(paths["data"].with_name("tiny.yaml"))
    return collect(study, {kind: [paths[kind]] for kind in KINDS}, [paths["data"]])


def check(paths, kind, message):
    before = snapshot(paths[kind].parent)
    with pytest.raises(StoreError, match=f"(?s){message}") as caught:
        collected(paths)
    assert str(caught.value).startswith(f"{paths[kind]}: ")
    assert snapshot(paths[kind].parent) == before


def test_sound_files_are_collected(paths):
    tree = collected(paths)
    assert (tree["ais_1"].sizes["run"], tree["mc3_2"].sizes["run"]) == (2, 2)
    assert np.isfinite(tree["exact"].exact_log_evidence).all()
    assert tree["ais_1"]["parents"].dtype == np.uint64


@pytest.mark.parametrize(
    ("kind", "change", "message"), [(k, *rest) for k, _, *rest in CASES], ids=[f"{k}: {n}" for k, n, *_ in CASES]
)
def test_a_changed_file_is_refused(kind, change, message, sound, paths):
    write_content(paths[kind], change(sound[kind][1]))
    check(paths, kind, message)


OF_ANOTHER_SHAPE = [
    (kind, name, *case)
    for kind, cases in (("ais_1", ANNEALING), ("mc3_2", TEMPERING), ("exact", EXACT))
    for name, case in cases.items()
]


@pytest.mark.parametrize(
    ("kind", "change", "message"),
    [(kind, *rest) for kind, _, *rest in OF_ANOTHER_SHAPE],
    ids=[f"{kind}: {name}" for kind, name, *_ in OF_ANOTHER_SHAPE],
)
def test_it_is_not_completed_either(kind, change, message, sound, paths):
    write_content(paths[kind], change(sound[kind][1]))
    refused(score(paths, kind), f"{paths[kind]}: {message}", paths[kind].parent)


@pytest.mark.parametrize("kind", ["data", *KINDS])
@pytest.mark.parametrize("damage", BYTES)
def test_a_damaged_file_is_refused(kind, damage, sound, paths):
    paths[kind].write_bytes(BYTES[damage](sound[kind][0]))
    check(paths, kind, "not a readable netCDF file .*move it away")
