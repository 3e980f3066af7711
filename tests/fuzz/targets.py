"""One function for every reader: bytes in, nothing out, and no exception but the refusal that a user sees."""

import os
import re
import tempfile
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import ClassVar

import atheris
import numpy as np
from hypothesis import given
from hypothesis import strategies as st

with atheris.instrument_imports(include=["ockham", "yaml"], enable_loader_override=False):
    import yaml
    from click.testing import CliRunner

    from ockham import families, score
    from ockham.api.verifying import verify_result
    from ockham.cli import main
    from ockham.errors import ConfigError, DataError, OckhamError, StoreError
    from ockham.io import download
    from ockham.io.bif import read_bif
    from ockham.io.frames import read_table
    from ockham.io.netcdf import describe
    from ockham.io.yaml_files import read_yaml
    from ockham.networks.data.real import read
    from ockham.orders.data.structure_data import read_data_set
    from ockham.papers.published import read_published
    from ockham.streams import Stream
    from ockham.studies import records
    from ockham.studies.loading import load
    from ockham.studies.study_files import conditions_of
    from ockham.studies.workflow import load_workflow

from bad_input.support import BIF_FORMS, BIF_HEAD, STUDY, listed, naive, read_content, study_with, write, write_content
from bad_input.test_any_arguments import ANYTHING, ROWS, ends_well, with_changes
from bad_input.test_any_arguments import NETWORK as SMALL
from bad_input.test_any_arguments import SOUND as SOUND_ARGUMENTS
from bad_input.test_data_files import NETWORK
from bad_input.test_order_stores import STUDY as ORDERS

FOLDER = Path(tempfile.mkdtemp(prefix="fuzz-", dir="/dev/shm" if Path("/dev/shm").is_dir() else None))
FILE = FOLDER / "file"
PAPER = families.paper("chickering_heckerman_1997")


class Core(yaml.SafeLoader):
    """YAML as version 1.2 resolves it, where PyYAML's own loaders are of version 1.1."""

    yaml_implicit_resolvers: ClassVar[dict] = {}

    def whole(self, node: yaml.ScalarNode) -> int:
        """Digits are decimal, whatever they begin with."""
        return int(node.value, {"0o": 8, "0x": 16}.get(node.value[:2], 10))


for tag, words in {
    "int": "[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+",
    "float": r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?|[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN)",
    "bool": "true|True|TRUE|false|False|FALSE",
    "null": "~|null|Null|NULL|",
    "merge": "<<",
}.items():
    Core.add_implicit_resolver(f"tag:yaml.org,2002:{tag}", re.compile(f"(?:{words})\\Z"), None)
Core.add_constructor("tag:yaml.org,2002:int", Core.whole)


def study(data: bytes) -> None:
    """The YAML file of a study, and of each of its conditions."""
    FILE.with_suffix(".yaml").write_bytes(data)
    with suppress(ConfigError):
        for source in conditions_of(FILE.with_suffix(".yaml")):
            load(source)


def workflow(data: bytes) -> None:
    """The workflow's configuration, which Snakemake reads as YAML; what is not refused means the same here."""
    try:
        content = yaml.safe_load(data.decode("utf-8", "replace"))
    except Exception:  # Snakemake's own, and told by it
        return
    FILE.with_suffix(".yaml").write_bytes(data)
    with suppress(ConfigError):
        read = read_yaml(FILE.with_suffix(".yaml"))
        assert repr(read) == repr(content) == repr(yaml.load(data.decode("utf-8", "replace"), Core))
    if isinstance(content, dict):
        with suppress(ConfigError):
            load_workflow(content)


def arguments(data: bytes) -> None:
    """Arguments of public functions, made of bytes by Hypothesis."""
    _call.hypothesis.fuzz_one_input(data)


@given(choices=st.data())
def _call(choices: st.DataObject) -> None:
    function = choices.draw(st.sampled_from([*SOUND_ARGUMENTS, score]))
    sound = {"model": SMALL, "data": ROWS, "scorer": "em", "runs": 1, "seed": 0, "max_iterations": 2}
    given_ones = sound if function is score else SOUND_ARGUMENTS[function]
    ends_well(function, with_changes(choices.draw, given_ones, ANYTHING))


def archive(data: bytes) -> None:
    """The files of the archives: tables without a head."""
    os.environ["OCKHAM_DATA"] = str(FOLDER)
    download.DIGESTS.clear()  # which would refuse every other file at once
    for name in ("soybean-small.data", "agaricus-lepiota.data", "promoters.data"):
        (FOLDER / name).write_bytes(data)
    for call in (
        lambda: read("small_soybean"),
        lambda: read_data_set("mushroom", 1, Stream(1)),
        lambda: read_data_set("promoters", 1, Stream(1)),
    ):
        try:
            call()
        except DataError:
            continue
        raise AssertionError("accepted")


def csv(data: bytes) -> None:
    """A user's table."""
    FILE.write_bytes(data)
    with suppress(DataError):
        table = read_table(FILE)
        assert (table.states.max(axis=0) + 1).tolist() == list(table.cardinalities)


def published(data: bytes) -> None:
    """A paper's numbers."""
    (FOLDER / "numbers").mkdir(exist_ok=True)
    (FOLDER / "numbers/table_3.csv").write_bytes(data)
    with suppress(DataError):
        read_published(replace(PAPER, folder=FOLDER), "numbers/table_3.csv")


def bif(data: bytes) -> None:
    """A network in BIF."""
    FILE.write_bytes(data)
    try:
        network = read_bif(FILE)
    except OckhamError:
        return
    assert [table.shape[1] for table in network.tables] == [len(values) for values in network.values]


def netcdf(data: bytes) -> None:
    """Bytes in the place of a store: of all that the search makes of sound ones, only these themselves are read."""
    FILE.write_bytes(data)
    try:
        describe(FILE)
    except StoreError:
        return
    assert data in BYTES.values()


def store(data: bytes) -> None:
    """A sound file of a study with one to three of its attributes, dimensions and variables changed."""
    given = atheris.FuzzedDataProvider(data)
    kind = given.PickValueInList(list(READERS))
    content = _changed(SOUND[kind], given)
    try:
        write_content(FILE, content)
    except Exception:  # what the library does not write, it has not to read
        return
    for reader in (describe, READERS[kind]):
        with suppress(StoreError):
            reader(FILE)


def _changed(content: dict, given: atheris.FuzzedDataProvider) -> dict:
    content = {part: dict(items) for part, items in content.items()}
    for _ in range(given.ConsumeIntInRange(1, 3)):
        part = given.PickValueInList(list(content))
        if not content[part]:
            continue
        name = given.PickValueInList(list(content[part]))
        if given.ConsumeBool():
            del content[part][name]
        elif part == "attributes":
            text, numbers = given.ConsumeUnicodeNoSurrogates(8), given.ConsumeIntList(3, 4)
            content[part][name] = given.PickValueInList([given.ConsumeInt(8), given.ConsumeFloat(), text, numbers])
        elif part == "dimensions":
            content[part][name] = given.ConsumeIntInRange(0, 12)
        else:
            dimensions, kind, values = content[part][name]
            others = [dimensions, dimensions[::-1], dimensions[1:], ("run",), ("row", "entry")]
            dimensions = given.PickValueInList(others)
            kind = given.PickValueInList([kind, "f8", "f4", "i8", "i2", "i1", "u8", "S1", str])
            filling = given.PickValueInList(
                [None, None if values is None else np.ravel(values)[:1], given.ConsumeInt(2), given.ConsumeFloat()]
            )
            content[part][name] = dimensions, kind, filling
    return content


def _sound() -> dict[str, bytes]:
    """The bytes of sound files: a data file and a block; blocks with arrays, of a study of orders."""
    config, orders = write(FOLDER / "tiny.yaml", STUDY), write(FOLDER / "orders.yaml", ORDERS)
    for line in (
        f"draw {config} --replicate 1 --output {FOLDER}/data.nc",
        f"score {config} em replicate-001 {FOLDER}/data.nc --output {FOLDER}/block.nc",
        f"draw {orders} --replicate 1 --output {FOLDER}/table.nc",
        *(f"score {orders} {name} all {FOLDER}/table.nc --output {FOLDER}/{name}.nc" for name in ENTRIES),
    ):
        result = CliRunner().invoke(main, line.split())
        assert result.exit_code == 0, result.output
    return {path.stem: path.read_bytes() for path in FOLDER.glob("*.nc")}


def _sound_results() -> None:
    """Files of results on a small table, and what ends each soon."""
    table, ends = FOLDER / "survey.csv", "--seconds 1 --seed 1"
    table.write_text("a,b,c\n" + "".join(f"{k % 2},{k % 3},{(k // 2) % 2}\n" for k in range(8)))
    models = [FOLDER / f"{name}.yaml" for name in ("free", "chain")]
    models[0].write_text("cardinalities: {a: 2, b: 3, c: 2}\n")
    models[1].write_text("cardinalities: {a: 2, b: 3, c: 2}\nparents: {b: [a], c: [b]}\n")
    for line in (
        f"select {table} --classes 1:2 --prior 1 {ends} --output {FOLDER}/select",
        f"compare {models[0]} {models[1]} {table} {ends} --output {FOLDER}/compare",
        f"search {table} --climbs 2 --judged 2 --max-hidden 1 {ends} --output {FOLDER}/search",
    ):
        result = CliRunner().invoke(main, line.split())
        assert result.exit_code == 0, result.output


RESULTS = ("select", "compare", "search")
ENTRIES = list(ORDERS["scorers"])
_sound_results()
BYTES = _sound()
SOUND = {kind: read_content(FOLDER / f"{kind}.nc") for kind in BYTES}
TINY, TINY_ORDERS = load(FOLDER / "tiny.yaml"), load(FOLDER / "orders.yaml")
READERS = {
    "data": lambda path: records.read_draw(path, TINY),
    "block": lambda path: records.read_block(path, TINY, TINY.blocks("em")["replicate-001"]),
    "table": lambda path: records.read_draw(path, TINY_ORDERS),
} | {name: partial(records.read_block, study=TINY_ORDERS, block=TINY_ORDERS.blocks(name)["all"]) for name in ENTRIES}
READERS |= {name: lambda path: list(verify_result(path)) for name in RESULTS}
MACHINES = {
    "study": "tiny", "model": "restricted_boltzmann", "root_seed": 3, "replicates": {"prior_draws": 1}, "sizes": [5],
    "data": {"source": "simulated", "n_visible": 3, "n_hidden": 2}, "n_hidden": [1], "scorers": {"bic": {"runs": 2}},
}  # fmt: skip
STUDIES = [
    STUDY, listed(), study_with(("conditions", {"few": {"sizes": [5]}})),
    study_with(("structures", naive()), ("only", ["classes-2"]), ("true_structure", "classes-2")), ORDERS, MACHINES,
]  # fmt: skip
PLACES = {"studies": ["tiny"], "config": "c", "pathvars": dict.fromkeys(["results", "figures"], "r")}
TARGETS = {
    study: [yaml.safe_dump(content).encode() for content in STUDIES],
    workflow: [yaml.safe_dump(PLACES).encode(), b"a: 1\nb: {c: [1.5, true, x], d: '010'}\n", b"a: &a {b: 1}\nc: *a\n"],
    arguments: [bytes(range(i, i + 100)) for i in (0, 60, 120)],
    archive: [b"0,1,2,?\n1,1,2,0\n", b"+,S10,\t\tacgt\n-,  867,\ttgca\n"],
    csv: [b'a,b\n1,"x"\n2,y\n'],
    published: [(PAPER.folder / "numbers/table_3.csv").read_bytes()],
    bif: [
        NETWORK.encode(),
        *((BIF_HEAD + "probability ( c | a, b ) {" + form + "}").encode() for form in BIF_FORMS.values()),
    ],
    netcdf: list(BYTES.values()),
    store: [bytes(range(i, i + 40)) for i in (0, 80, 160)],
}
"""Function to sound inputs, from which the search starts."""
