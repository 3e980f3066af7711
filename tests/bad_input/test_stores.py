"""A store that is not what it should be is refused, whichever command reads it, and left as it is.

Each case is a sound file of a small study with one thing changed. The source of truth is the list of what is wrong.
"""

import os
import runpy
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from bad_input.support import (
    BYTES,
    STUDY,
    attribute,
    changed,
    read_content,
    refused,
    resized,
    retyped,
    sealed,
    without,
    write,
    write_content,
)
from click.testing import CliRunner

from ockham.cli import main
from ockham.errors import StoreError
from ockham.studies.collecting import collect
from ockham.studies.loading import load

REPOSITORY = Path(__file__).parents[2]
BLOCK = "replicate-001"
CELLS = ("replicate", "n", "structure", "run")
SHAPE = (1, 2, 2, 2)
ZEROS = np.zeros(SHAPE)


@pytest.fixture(scope="session")
def sound(tmp_path_factory):
    """The bytes of a sound data file and of two sound blocks, and their contents."""
    folder = tmp_path_factory.mktemp("sound")
    config = write(folder / "tiny.yaml", STUDY)
    paths = {kind: folder / f"{kind}.nc" for kind in ("data", "block", "data 2", "block 2")}
    for arguments in (
        ("draw", config, "--replicate", "1", "--output", paths["data"]),
        ("score", config, "em", BLOCK, paths["data"], "--output", paths["block"]),
        ("draw", config, "--replicate", "2", "--output", paths["data 2"]),
        ("score", config, "em", "replicate-002", paths["data 2"], "--output", paths["block 2"]),
    ):
        result = CliRunner().invoke(main, [str(a) for a in arguments])
        assert result.exit_code == 0, result.output
    return {kind: (path.read_bytes(), read_content(path)) for kind, path in paths.items()}


def several(*changes):
    def change(content):
        for one in changes:
            content = one(content)
        return content

    return change


WORDS = np.array(["a", "b"], dtype=object)
AWAY = "move the file away"
AGAIN = "remove the file and draw it again"

BLOCKS = {
    **{
        f"no attribute {name}": (without("attributes", name), f"has no attribute '{name}': .*{AWAY}")
        for name in ("study", "scorer", "block", "specification", "scorer_code")
    },
    "study is a number": (attribute("study", 5), f"attribute 'study' is .*5.*, not str; {AWAY}"),
    "scorer is a list": (attribute("scorer", [1, 2]), "attribute 'scorer' is .*, not str"),
    "block is a fraction": (attribute("block", 0.5), "attribute 'block' is .*, not str"),
    "specification is a number": (attribute("specification", np.int64(1)), "attribute 'specification' is .*, not str"),
    "code is a number": (attribute("scorer_code", 1.5), "attribute 'scorer_code' is .*, not str"),
    "another study": (attribute("study", "other"), f"attribute study is 'other', expected 'tiny'; {AWAY}"),
    "another scorer": (attribute("scorer", "vb"), f"attribute scorer is 'vb', expected 'em'; {AWAY}"),
    "another block": (attribute("block", "replicate-002"), "attribute block is 'replicate-002', expected"),
    "escape sequence as the study": (attribute("study", "\x1b[2Jtiny"), r"attribute study is '\\x1b\[2Jtiny'"),
    **{
        f"no variable {name}": (without("variables", name), f"has no variable '{name}': .*{AWAY}")
        for name in ("replicate", "n", "structure", "run", "key", "map", "cheeseman_stutz")
    },
    "keys are fractions": (retyped("key", "f8", values=ZEROS), "variable 'key' is of type float64, not i8"),
    "keys are short": (retyped("key", "i4", values=ZEROS), "variable 'key' is of type int32, not i8"),
    "scores are integers": (retyped("map", "i4", values=ZEROS), "variable 'map' is of type int32, not f8"),
    "scores are short": (retyped("bic", "f4", values=ZEROS), "variable 'bic' is of type float32, not f8"),
    "scores are words": (retyped("bicp", str), "variable 'bicp' is of type .*, not f8"),
    "diagnostics are words": (retyped("n_iterations", str), "variable 'n_iterations' is of type .*, not f8"),
    "sizes are fractions": (retyped("n", "f8", values=[5, 10]), "variable 'n' is of type float64, not i;"),
    "sizes are words": (retyped("n", str, values=WORDS), "variable 'n' is of type .*, not i;"),
    "structures are numbers": (retyped("structure", "i4", values=[0, 1]), "variable 'structure' is of type int32"),
    "scores lack a dimension": (
        retyped("map", "f8", CELLS[:3], ZEROS[..., 0]), "variable 'map' has dimensions .*'structure'.*, not",
    ),
    "scores have their dimensions mixed": (
        retyped("map", "f8", CELLS[::-1], ZEROS.T), "variable 'map' has dimensions .*'run', 'structure'.*, not",
    ),
    "keys are one number": (retyped("key", "i8", (), 7), r"variable 'key' has dimensions \(\), not"),
    "sizes have two dimensions": (retyped("n", "i4", ("n", "run"), [[5, 5], [10, 10]]), "variable 'n' has dimensions"),
    "a size twice": (retyped("n", "i4", values=[5, 5]), f"variable 'n' has a value twice; {AWAY}"),
    "a structure twice": (
        retyped("structure", str, values=np.array(["1-1"] * 2, dtype=object)), "variable 'structure' has a value twice",
    ),
    "more than memory holds": (
        lambda content: changed(
            content, ("dimensions.run", 10**12), (("variables", "run"), (("run",), "i4", None)),
            *((("variables", name), (v[0], v[1], None)) for name, v in content["variables"].items() if v[0] == CELLS),
        ),
        "variable 'run' has 1,000,000,000,000 values, over 1,000,000,000; move the file away",
    ),
}  # fmt: skip
DATA = {
    "no replicate": (without("attributes", "replicate"), f"has no attribute 'replicate': .*{AWAY}"),
    "no specification": (without("attributes", "specification"), f"has no attribute 'specification': .*{AWAY}"),
    "replicate is a word": (attribute("replicate", "one"), "attribute 'replicate' is 'one', not int"),
    "replicate is a fraction": (attribute("replicate", 1.0), "attribute 'replicate' is .*1.0.*, not int"),
    "replicate is a list": (attribute("replicate", [1, 2]), "attribute 'replicate' is .*, not int"),
    "replicate is empty": (attribute("replicate", []), "attribute 'replicate' is .*, not int"),
    "replicate is negative": (attribute("replicate", -1), "attribute specification: .*under another"),
    "another replicate": (attribute("replicate", 2), f"attribute specification: .*{AGAIN}"),
    "specification of another draw": (attribute("specification", "0" * 64), f"attribute specification: .*{AGAIN}"),
    "specification is a number": (attribute("specification", 3), "attribute 'specification' is .*, not str"),
    "no states": (without("variables", "states"), f"has no variable 'states': .*{AWAY}"),
    "no parameters": (without("variables", "parameters"), f"has no variable 'parameters': .*{AWAY}"),
    "states are fractions": (retyped("states", "f8", values=np.zeros((10, 3))), "variable 'states' is of type float64"),
    "states are long": (retyped("states", "i8", values=np.zeros((10, 3))), "variable 'states' is of type int64"),
    "states are words": (retyped("states", str), "variable 'states' is of type"),
    "parameters are short": (retyped("parameters", "f4", values=np.zeros(12)), "variable 'parameters' is of type"),
    "states are transposed": (
        retyped("states", "i2", ("variable", "row"), np.zeros((3, 10))), "variable 'states' has dimensions",
    ),
    "parameters have the rows' dimension": (
        retyped("parameters", "f8", ("row",), np.zeros(10)), "variable 'parameters' has dimensions",
    ),
    "a row is missing": (resized(row=9), f"'states' and 'parameters' have shapes .9, 3, 12., not .*{AGAIN}"),
    "a row too many": (resized(row=11), "'states' and 'parameters' have shapes .11, 3, 12., not"),
    "no rows": (resized(row=0), "'states' and 'parameters' have shapes .0, 3, 12., not"),
    "a variable too many": (resized(variable=4), "'states' and 'parameters' have shapes .10, 4, 12., not"),
    "a parameter is missing": (resized(entry=11), "'states' and 'parameters' have shapes .10, 3, 11., not"),
    "a state too large": (retyped("states", "i2", values=np.full((10, 3), 2)), f"'states' has values that .*{AGAIN}"),
    "a state too small": (retyped("states", "i2", values=np.full((10, 3), -2)), "'states' has values that"),
    "the largest number as a state": (retyped("states", "i2", values=np.full((10, 3), 32767)), "'states' has values"),
    "more than memory holds": (
        several(
            lambda content: changed(content, ("dimensions.row", 10**12)), retyped("states", "i2"),
        ),
        "variable 'states' has 3,000,000,000,000 values, over 1,000,000,000",
    ),
}  # fmt: skip


@pytest.fixture
def files(sound, tmp_path):
    """The folder of a sound study: configuration, data, block."""
    paths = {"config": write(tmp_path / "tiny.yaml", STUDY)}
    for kind in ("data", "block"):
        paths[kind] = write(tmp_path / f"{kind}.nc", sound[kind][0])
    return paths


def score(files):
    return "score", files["config"], "em", BLOCK, files["data"], "--output", files["block"]


def spoil(files, sound, kind, change, form="NETCDF4"):
    write_content(files[kind], change(sound[kind][1]), form)


def test_the_sound_files_are_accepted(files, sound):
    for kind in ("data", "block"):
        spoil(files, sound, kind, lambda content: content)
    result = CliRunner().invoke(main, [str(a) for a in score(files)])
    assert result.stdout == f"em {BLOCK}: computed 0 of 8 cells\n"


@pytest.mark.parametrize("case", BLOCKS)
def test_a_broken_block_is_refused(case, files, sound):
    change, message = BLOCKS[case]
    spoil(files, sound, "block", change)
    assert refused(score(files), message, files["block"].parent).startswith(f"ockham: {files['block']}: ")


@pytest.mark.parametrize("case", DATA)
def test_broken_data_are_refused(case, files, sound):
    change, message = DATA[case]
    spoil(files, sound, "data", change)
    assert refused(score(files), message, files["data"].parent).startswith(f"ockham: {files['data']}: ")


@pytest.mark.parametrize("case", BYTES)
@pytest.mark.parametrize("kind", ["data", "block"])
def test_what_is_no_whole_netcdf_file_is_refused(kind, case, files, sound):
    write(files[kind], BYTES[case](sound[kind][0]))
    message = f"{files[kind]}: not a readable netCDF file .*digest at its end.*truncated or foreign: move it away"
    refused(score(files), message, files[kind].parent)
    refused(("show", files[kind]), message, files[kind].parent)


@pytest.mark.parametrize("case", [case for case in BYTES if case != "all but one byte"])  # a seal would stand in for it
@pytest.mark.parametrize("kind", ["data", "block"])
def test_what_the_library_cannot_read_is_refused_whatever_its_seal(kind, case, files, sound):
    sealed(files[kind], BYTES[case], sound[kind][0])
    message = f"{files[kind]}: not a readable netCDF file .*truncated or foreign: move it away"
    refused(score(files), message, files[kind].parent)
    refused(("show", files[kind]), message, files[kind].parent)


@pytest.mark.parametrize("kind", ["data", "block"])
def test_a_store_of_the_old_format_is_refused(kind, files, sound):
    """netCDF-3 has neither text of any length nor integers of 64 bits."""
    old = {"attributes": sound[kind][1]["attributes"], "dimensions": {}, "variables": {}}
    write_content(files[kind], old, "NETCDF3_CLASSIC")
    refused(score(files), "has no variable|not int|not str", files[kind].parent)


@pytest.mark.parametrize("kind", ["data", "block"])
def test_a_folder_a_loop_and_the_other_store_are_refused(kind, files):
    other = files["block" if kind == "data" else "data"].read_bytes()
    files[kind].write_bytes(other)
    refused(score(files), "has no attribute '(replicate|scorer)'", files[kind].parent)
    files[kind].unlink()
    files[kind].mkdir()
    refused(score(files), "is a directory|not a readable netCDF file", files[kind].parent)
    if kind == "data":
        files[kind].rmdir()
        os.symlink(files[kind], files[kind])
        refused(score(files), "data.nc: not a readable netCDF file", files[kind].parent)


@pytest.mark.parametrize("case", ["sound", "a size too many", *BLOCKS])
def test_broken_blocks_are_not_collected(case, files, sound):
    study = load(files["config"])
    first, second = (files["block"].with_name(f"{name}.nc") for name in study.blocks("em"))
    write(second, sound["block 2"][0])
    change, message = {
        "sound": (lambda content: content, ""),
        "a size too many": (several(resized(n=3), retyped("n", "i4", values=[5, 10, 20])), "more cells than the block"),
        **BLOCKS,
    }[case]
    write_content(first, change(sound["block"][1]))
    if case == "sound":
        assert collect(study, {"em": [first, second]})["em"].sizes["replicate"] == 2
        return
    with pytest.raises(StoreError, match=message) as caught:
        collect(study, {"em": [first, second]})
    assert str(caught.value).startswith(f"{first}: ")


def test_a_store_that_cannot_be_written_is_told(files):
    """Below a file, where no folder can be."""
    below = files["config"] / "draw.nc"
    message = f"{below}: cannot be written .*choose another place"
    refused(("draw", files["config"], "--replicate", 1, "--output", below), message, files["config"].parent)


@pytest.mark.parametrize("command", ["score", "show", "verify"])
def test_the_real_process_ends_as_the_tested_one(command, files):
    files["data"].write_bytes(b"")
    (files["data"].parent / "results").mkdir()
    arguments = {
        "score": score(files), "show": ("show", files["data"]),
        "verify": ("verify", files["data"].parent / "results", "--config", files["data"].parent / "nowhere"),
    }[command]  # fmt: skip
    done = subprocess.run(
        [sys.executable, "-c", "from ockham.cli import main; main()", *map(str, arguments)],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.startswith("ockham: ")
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.parametrize("script", ["summarise", "plot", "tabulate", "collect", "measure"])
def test_the_workflows_scripts_end_in_one_line(script, files, tmp_path):
    """As Snakemake runs them, with a global ``snakemake``."""
    files["block"].write_bytes(b"")
    path = str(files["block"])
    given = SimpleNamespace(
        input=SimpleNamespace(scores=[path], measured=[], summaries=path, data=[]),
        output=["nowhere"],
        log=[str(tmp_path / "script.log")],
        config={"unclean": True},
        params=SimpleNamespace(
            config=files["config"],
            configs=[files["config"]],
            specification="",
            blocks={"em": [path, path]},
            names=["tiny"],
            measurements=[],
            model="discrete_network",
            function="",
            paper="beal_ghahramani_2006",
        ),
        wildcards=SimpleNamespace(measurement="schedules"),
    )
    given.input = [path] if script in ("plot", "measure") else given.input
    given.output = SimpleNamespace(csv="nowhere", md="nowhere") if script == "tabulate" else given.output
    with pytest.raises(SystemExit) as caught:
        runpy.run_path(str(REPOSITORY / f"workflow/scripts/{script}.py"), {"snakemake": given})
    assert str(caught.value).startswith(f"ockham: {path}: not a readable netCDF file")
    assert (tmp_path / "script.log").read_text() == f"{caught.value}\n"
