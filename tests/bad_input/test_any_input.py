"""Whatever a reader is given, it ends in a value or in a refusal that names the file, and changes nothing.

Inputs are generated: configurations with anything in any place, texts that are nearly YAML, tables and networks with
any characters, stores cut anywhere. The source of truth is the claim itself. Stores with other bytes are left to
``tests/fuzz``, in processes of its own, for a fault in the HDF5 library would end this one.
"""

import copy
from math import prod

import pytest
from bad_input.support import STUDY, listed, naive, study_with, write
from bad_input.test_data_files import NETWORK
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

from ockham.cli import main
from ockham.errors import ConfigError, DataError, OckhamError, StoreError
from ockham.io.bif import read_bif
from ockham.io.frames import read_table
from ockham.io.netcdf import describe
from ockham.orders.data.reading import complete_table
from ockham.studies import records
from ockham.studies.loading import load
from ockham.studies.workflow import load_workflow

often = settings(max_examples=120)
few = settings(often, max_examples=40)

SCALARS = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=8), st.dates(), st.binary(max_size=4),
    st.sampled_from([2**63, -1, 0, 1, 10**30, 1e308, "naive_bayes", "listed", "data", "em", "1-1", "replicate", "n"]),
)  # fmt: skip
ANYTHING = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=5,
)
BASES = [
    STUDY,
    listed(),
    study_with(("structures", naive()), ("only", ["classes-2"]), ("true_structure", "classes-2")),
    study_with(("conditions", {"few": {"sizes": [5]}})),
]


def places(content, path=()):
    """Every path of keys and indices into a nested content."""
    items = content.items() if isinstance(content, dict) else enumerate(content) if isinstance(content, list) else ()
    for key, value in items:
        yield (*path, key)
        yield from places(value, (*path, key))


@st.composite
def configurations(draw):
    """A sound study with one to three places set to anything, removed, or put under another key."""
    content = copy.deepcopy(draw(st.sampled_from(BASES)))
    for _ in range(draw(st.integers(1, 3))):
        *parents, last = draw(st.sampled_from(list(places(content)) or [("study",)]))
        place = content
        for key in parents:
            place = place[key]
        change = draw(st.sampled_from(["set", "remove", "rename"]))
        if change == "set" or isinstance(place, list):
            place[last] = draw(ANYTHING)
        elif last in place:
            value = place.pop(last)
            if change == "rename":
                place[draw(st.text(max_size=8))] = value
    return content


def answer(read, path, refusal):
    """What a reader says of a file: a value, or None when it refuses it by name."""
    before = path.read_bytes()
    value, told = None, f"{path}: "
    try:
        value = read(path)
    except refusal as error:
        told = str(error)
    assert told.startswith(f"{path}")
    assert len(told) < 5000
    assert path.read_bytes() == before
    return value


@often
@given(content=configurations())
def test_any_configuration_is_loaded_or_refused(content, tmp_path):
    try:
        path = write(tmp_path / "tiny.yaml", content)
    except UnicodeEncodeError:  # half a surrogate pair is no text of a file
        return
    study = answer(load, path, ConfigError)
    result = CliRunner().invoke(main, ["check", str(path)])
    assert result.exit_code == (0 if study else 2)
    assert (result.stdout == "") == (study is None)


WORDS = (
    r"study sizes scorers em: tiny {} [ ] { } , &a *a <<: !!int !!set !!omap ? # %YAML --- ... 1 0x 1e400 .nan ~ 1:99 é"
)
PIECES = [
    *WORDS.split(),
    "conditions:",
    "model:",
    "2026-13-01",
    "'",
    '"',
    ": ",
    "\n",
    "  ",
    "- ",
    "|\n",
    ">\n",
    "\t",
    "\x85",
]
YAML = st.lists(st.sampled_from(PIECES) | st.characters(exclude_categories=["Cs"]), max_size=40).map("".join)


@often
@given(text=YAML)
def test_any_text_is_loaded_or_refused(text, tmp_path):
    answer(load, write(tmp_path / "tiny.yaml", text.encode()), ConfigError)


@few
@given(content=st.binary(max_size=60))
def test_any_bytes_are_refused(content, tmp_path):
    path = write(tmp_path / "file", content)
    assert answer(load, path, ConfigError) is None
    assert answer(describe, path, StoreError) is None
    answer(complete_table, path, DataError)
    answer(read_table, path, DataError)


@often
@given(content=st.dictionaries(st.sampled_from(["studies", "config", "pathvars", "other"]), ANYTHING))
def test_any_workflow_configuration_is_accepted_or_refused(content):
    told = ""
    try:
        load_workflow(content)
    except ConfigError as error:
        told = str(error)
    assert all(line.startswith("workflow configuration: ") for line in told.splitlines())


CELLS = st.lists(st.text(st.sampled_from('ab?"0 \t\0\u2028é;')), min_size=1, max_size=3).map(",".join)


@often
@given(lines=st.lists(CELLS, max_size=4), end=st.sampled_from(["\n", "\r\n", "\r"]))
def test_any_table_is_read_or_refused(lines, end, tmp_path):
    data = answer(complete_table, write(tmp_path / "table.csv", end.join(lines).encode()), DataError)
    if data is not None:
        assert data.states.shape == (data.n, len(data.names))
        assert data.states.min() == 0
        assert (data.states.max(axis=0) + 1).tolist() == list(data.cardinalities)
    found = answer(read_table, tmp_path / "table.csv", DataError)
    if found is not None:
        assert (found.states.max(axis=0) + 1).tolist() == list(found.cardinalities)


@few
@given(cut=st.integers(0, len(NETWORK)), gap=st.integers(0, 12), filling=st.binary(max_size=6))
def test_any_network_is_read_or_refused(cut, gap, filling, tmp_path):
    whole = NETWORK.encode()
    content = whole[:cut] + filling + whole[cut + gap :]
    found = answer(read_bif, write(tmp_path / "net.bif", content), OckhamError)
    if found is not None:
        for values, parents, table in zip(found.values, found.parents, found.tables, strict=True):
            assert table.shape == (prod(len(found.values[parent]) for parent in parents), len(values))


@pytest.fixture(scope="module")
def stores(tmp_path_factory):
    folder = tmp_path_factory.mktemp("stores")
    config = write(folder / "tiny.yaml", STUDY)
    for line in (
        f"draw {config} --replicate 1 --output {folder}/data.nc",
        f"score {config} em replicate-001 {folder}/data.nc --output {folder}/block.nc",
    ):
        assert CliRunner().invoke(main, line.split()).exit_code == 0
    return load(config), (folder / "data.nc").read_bytes(), (folder / "block.nc").read_bytes()


@few
@given(part=st.floats(0, 1), kind=st.sampled_from(["data", "block"]))
def test_a_store_cut_anywhere_is_refused(part, kind, stores, tmp_path):
    study, data, block = stores
    whole = data if kind == "data" else block
    path = write(tmp_path / "cut.nc", whole[: int(part * (len(whole) - 1))])
    block = study.blocks("em")["replicate-001"]
    read = {"data": lambda p: records.read_draw(p, study), "block": lambda p: records.read_block(p, study, block)}
    assert answer(read[kind], path, StoreError) is None
    assert answer(describe, path, StoreError) is None
