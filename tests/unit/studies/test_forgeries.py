"""Whatever is changed in a store that is sealed again, a verification finds.

Source of truth: ``reference.forging``, which changes every attribute, dimension, variable, coordinate and group of a
file, one at a time. The stores are of one small study of each family; every cell is recomputed. What is exempt stands
in ``EXEMPT``, and is shown to be found by nothing, so that the list is as short as it can be.
"""

import json
import shutil
from functools import partial

import pytest
from reference.forging import try_forgeries
from reference.stored_studies import compute, summarise
from reference.tiny_study import MACHINES, NETWORKS, ORDERS, write

from ockham.io.netcdf import provenance
from ockham.machines.measurements import posterior_histograms
from ockham.studies import verifying, verifying_shown
from ockham.studies.cells import draw_replicate
from ockham.studies.loading import load
from ockham.studies.pages import write_page
from ockham.studies.products import write_cost_table, write_figure, write_manifest, write_summary_table
from ockham.studies.shown import PAGE, record_of, shown_by, shows_page
from ockham.studies.verifying_shown import EXEMPT as EXEMPT_OF_MANIFEST
from ockham.studies.verifying_shown import MANIFEST

PARTICLES = {"n_passes": 2, "n_chains": 2, "n_states": 20}
STUDIES = {
    "networks": NETWORKS
    | {
        "replicates": {"prior_draws": 1},
        "measurements": {"schedules": {"n_steps": 3, "curvatures": [0.2, 0.5]}},
        "scorers": {"em": {"runs": 2}, "vb": {"runs": 2}, "ais": {"settings": {"n_steps": 4}}},
    },
    "machines": MACHINES | {"replicates": {"prior_draws": 1}, "measurements": {"posterior_histograms": {}}},
    "orders": ORDERS
    | {
        "paper": "niinimaki_koivisto_2013",
        "measurements": {
            "linear_extensions": {"sizes": [4], "indegrees": [2], "graphs": 2},
            "order_bias": {"variables": 3, "rows": [5], "orders": [1, 2], "draws": [1.0], "others": 4, "repeats": 3},
        },
        "scorers": ORDERS["scorers"] | {"exact": {"split": {}}, "blocks": {"settings": {"most_nodes": 3}}},
    },
    "both sides": NETWORKS
    | {
        "replicates": {"prior_draws": 1},
        "sizes": [5],
        "scorers": {
            "em": {"runs": 4, "settings": {"n_starts": 1}},
            "bridge": {"settings": {"n_starts": 8, "n_chains": 2, "n_burn_in": 20, "n_draws": 100, "max_draws": 100}},
            "smc": {"settings": PARTICLES},
            "smc_from_truth": {"scorer": "smc", "structures": ["1-1"], "from_truth": True, "settings": PARTICLES},
        },
    },
    "table": {
        "study": "tiny",
        "root_seed": 3,
        "data": {"source": "table", "file": "survey.csv"},
        "structures": {"space": "naive_bayes", "classes": [1, 2]},
        "replicates": {"prior_draws": 1},
        "sizes": [4, 8],
        "scorers": {"em": {"runs": 2}, "vb": {}},
    },
}
STUDIES["mixtures"] = {
    "study": "tiny",
    "model": "finite_mixture",
    "root_seed": 3,
    "items": {"kind": {"type": "categorical", "n_values": 3}, "number": {"type": "gaussian"}},
    "classes": [1, 2],
    "true_classes": 2,
    "missing": 0.1,
    "replicates": {"prior_draws": 1},
    "sizes": [4, 6],
    "scorers": {"exact": {"split": {}}, "em": {"runs": 2}},
}
TABLE = "q1,q2,weight\nyes,a,1\nno,b,2\nyes,,1\nno,a,1\nyes,b,1\nno,b,3\nyes,a,1\nno,b,1\n"
KINDS = {
    "networks": ("draw", "block em", "block ais", "scores", "schedules", "summaries"),
    "machines": ("draw", "block ais", "scores", "posterior_histograms", "summaries"),
    "orders": (
        "draw",
        "block ais",
        "block mc3",
        "block exact",
        "block blocks",
        "scores",
        "linear_extensions",
        "order_bias",
        "summaries",
    ),
    "both sides": ("block bridge", "block smc", "block smc_from_truth", "scores", "summaries"),
    "table": ("draw", "block em", "scores", "summaries"),
    "mixtures": ("draw", "block exact", "block em", "scores", "summaries"),
}
EXEMPT = {
    "provenance": "where and by which versions a file was made; another place has others, and no number comes from it",
    "times": "measured seconds of a block's runs or of a measurement: no two runs share them. What follows from them, "
    "in the scores, in summaries, figures and tables, is compared",
}


def is_exempt(kind, place):
    if place[0] == "attribute" and place[1] in provenance():
        return "provenance"
    if kind in ("block ais", "block mc3", "linear_extensions") and place[1] in (
        "seconds",
        "graph_seconds",
        "table_seconds",
    ):
        return "times" if place[2:] == ("value",) else ""
    return ""


class Stored:
    """A study with all its stores, and how each kind is verified."""

    def __init__(self, folder, content):
        self.config, self.results = write(folder, content), folder / "results"
        (self.config.parent / "survey.csv").write_text(TABLE)
        self.scratch = folder / "scratch"
        compute(self.results, self.config)
        summarise(self.results, [self.config])
        self.study = load(self.config)
        self.folder = self.results / "tiny"
        self.draws = {r: draw_replicate(self.study, r) for r in self.study.replicates.indices()}

    def path(self, kind):
        if kind == "draw":
            return self.folder / "data/replicate-001.nc"
        entry = kind.removeprefix("block ")
        if entry == kind:
            return self.folder / f"{kind}.nc"
        return self.folder / f"scores/{entry}/{next(iter(self.study.blocks(entry)))}.nc"

    def findings(self, kind):
        """What a verification finds wrong with the files of a kind."""
        about, scratch = (self.study, self.folder), self.scratch
        if kind == "draw":
            found = verifying.verify_draw(*about, self.draws[1], scratch)
        elif kind.startswith("block "):
            found = verifying.verify_entry(*about, kind.removeprefix("block "), self.draws, 1000, 0, scratch)
        elif kind == "scores":
            found = verifying.verify_scores(*about, scratch)
        elif kind == "summaries":
            found = verifying.verify_summaries(self.results, self.path(kind), [self.study], scratch)
        else:
            found = verifying.verify_measured(*about, kind, again=True, scratch=scratch)
        return [finding.text for finding in found if finding.wrong]


def once(function):
    """A function that writes a file the first time, and copies it from then on: what it is made from stays."""
    made = {}

    def write_once(path, *arguments):
        if path not in made:
            function(path, *arguments)
            made[path] = path.read_bytes()
        path.write_bytes(made[path])

    return write_once


@pytest.fixture(scope="module", params=STUDIES)
def stored(request, tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(posterior_histograms, "N_DRAWS", 20)
        patch.setattr(posterior_histograms, "N_BURN_IN", 5)
        stored = Stored(tmp_path_factory.mktemp(request.param), STUDIES[request.param])
        stored.name = request.param
        for name in ("write_scores", "write_measured", "write_summaries"):
            patch.setattr(verifying, name, once(getattr(verifying, name)))
        yield stored


def test_every_forgery_is_found(stored):
    for kind in KINDS[stored.name]:
        try_forgeries(
            stored.path(kind), f"{stored.name}, {kind}", partial(stored.findings, kind), partial(is_exempt, kind)
        )


SHOWN = {
    "orders": {"figure_1.pdf", "figure_3.png", "evidence.csv", "evidence.md", MANIFEST},
    "table": {"evidence.pdf", "probability.png", "evidences.csv", "cost.csv", "cost.md", PAGE, MANIFEST},
}
"""Of a paper, and of none."""


@pytest.fixture(scope="module", params=SHOWN)
def shown(request, tmp_path_factory):
    """A study with its figures and tables, as ``figures/tiny``, and what its jobs cost."""
    stored = Stored(tmp_path_factory.mktemp("shown"), STUDIES[request.param])
    stored.name = request.param
    paper, folder = record_of([stored.study]), stored.results.parent / "figures/tiny"
    figures, tables = shown_by(paper, [stored.study])
    benchmarks = stored.results / "benchmarks/tiny"
    for entry in stored.study.scorers:
        for block in stored.study.blocks(entry):
            path = benchmarks / entry / f"{block}.tsv"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text("s\tcpu_time\tmax_rss\n2.0\t1.5\t50.0\n")
            path.with_suffix(".cells").write_text("8\n")
    summaries = stored.folder / "summaries.nc"
    for name in figures:
        function = paper.figures[name].function
        write_figure([folder / f"{name}.pdf", folder / f"{name}.png"], function, summaries)
    for name in tables:
        csv, md, about = folder / f"{name}.csv", folder / f"{name}.md", paper.tables[name]
        if about.costs:
            write_cost_table(csv, md, about.function, paper, [stored.study], [benchmarks])
        else:
            write_summary_table(csv, md, about.function, paper, summaries)
    if shows_page([stored.study]):
        pictures = {name: folder / f"{name}.png" for name in figures}
        write_page(folder / PAGE, "tiny", paper, pictures, {name: folder / f"{name}.csv" for name in tables})
    write_manifest(folder / MANIFEST, [stored.study], ["config/tiny.yaml"], [stored.folder / "scores.nc"], [benchmarks])
    stored.scratch.mkdir()
    shutil.copy(summaries, stored.scratch)  # beside it figures and tables are made anew
    stored.made = made_once(verifying_shown._make)
    return stored, folder


def made_once(function):
    made = []
    return lambda *arguments: made[0] if made else made.append(function(*arguments)) or made[0]


def findings_of_shown(stored):
    """With everything made anew just once."""
    folder, studies = stored.results.parent / "figures/tiny", {str(stored.config): stored.study}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(verifying_shown, "_make", stored.made)
        found = [*verifying_shown.verify_shown(folder, stored.results, studies, stored.scratch / "summaries.nc")]
    return [finding.text for finding in found if finding.wrong]


def test_every_forgery_of_what_is_shown_is_found(shown):
    """One byte of every figure, one digit of every table, and every value of the manifest."""
    stored, folder = shown
    assert findings_of_shown(stored) == []
    files = sorted(folder.iterdir())
    assert {path.name for path in files} >= SHOWN[stored.name]
    for path in files:
        whole = path.read_bytes()
        if path.name != MANIFEST:
            digit = whole.rfind(b"1")
            path.write_bytes(whole[:digit] + b"2" + whole[digit + 1 :])
            assert findings_of_shown(stored) == [f"{path}: DIFFERENT from what is made anew; run the workflow again"]
        path.unlink()
        assert findings_of_shown(stored) == [f"{path}: is missing; run the workflow again"]
        path.write_bytes(whole)
    (folder / "figure_9.pdf").touch()
    assert findings_of_shown(stored) == [
        f"{folder}/figure_9.pdf: belongs to none of the study's figures and tables; move it away"
    ]
    (folder / "figure_9.pdf").unlink()


def test_every_forgery_of_a_manifest_is_found(shown):
    stored, folder = shown
    path, content = folder / MANIFEST, json.loads((folder / MANIFEST).read_text())
    assert set(EXEMPT_OF_MANIFEST) < content.keys()
    for forged in (*({**content, name: "other"} for name in content), [content, content], [], "", 1, None):
        path.write_text(json.dumps(forged))
        changed = [name for name in content if isinstance(forged, dict) and forged[name] != content[name]]
        exempt = bool(changed) and changed[0] in EXEMPT_OF_MANIFEST
        assert findings_of_shown(stored) == [f"{path}: DIFFERENT from what is made anew; run the workflow again"] * (
            not exempt
        ), changed
    path.write_text("{")
    assert len(findings_of_shown(stored)) == 1
    path.write_text(json.dumps(content))


def test_without_what_jobs_cost_the_manifest_is_not_looked_at_and_a_line_says_so(shown):
    stored, folder = shown
    benchmarks = stored.results / "benchmarks"
    benchmarks.rename(stored.results.parent / "elsewhere")
    found = [*verifying.verify(stored.results, [str(stored.config)], 0, 0, folder.parent)]
    (stored.results.parent / "elsewhere").rename(benchmarks)
    timed = {MANIFEST, *({PAGE, "cost.csv", "cost.md"} & SHOWN[stored.name])}  # the page has the table of costs
    told = [f"{folder}/{name}: not looked at, for {benchmarks} does not have its jobs" for name in sorted(timed)]
    assert sorted(finding.text for finding in found if "not looked at" in finding.text) == told
    assert [finding.text for finding in found if finding.wrong] == []
