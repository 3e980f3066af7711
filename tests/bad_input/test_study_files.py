"""A study's file that cannot be run is refused before any work, with the file, the field and what is allowed.

Each case is a valid file with one thing changed, or a text that is no such file at all. Both doors are tried: ``load``
and the command line. The source of truth is the list of what is wrong.
"""

import re
from math import inf, nan

import pytest
import yaml
from bad_input.support import LISTED, REMOVED, STUDY, listed, naive, refused, study_with, write

from ockham.errors import ConfigError
from ockham.studies.loading import load

OF_A_PAPER = study_with(
    ("paper", "beal_ghahramani_2006"), ("replicates", {"published": True}), ("scorers.exact", REMOVED)
)


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
    ("replicates.published", True, "replicates.published: only a study of a paper that prints parameters has them"),
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
    (
        "scorers.gibbs",
        {},
        "scorers.gibbs: unknown scorer 'gibbs'; known are ais, ais_completions, ais_from_vb, bridge, candidate, em",
    ),
    ("scorers.em", None, "scorers.em: "),
    ("scorers.em.runs", 0, "scorers.em.runs: .*greater than or equal to 1"),
    ("scorers.em.runs", 2.5, "scorers.em.runs: .*integer"),
    ("scorers.em.settings.tolerance", 0.0, "scorers.em.settings.tolerance: .*greater than 0"),
    ("scorers.em.settings.tolerance", nan, "scorers.em.settings.tolerance: "),
    ("scorers.em.settings.tolerance", inf, "scorers.em.settings.tolerance: "),
    ("scorers.em.settings.max_iterations", 0, "scorers.em.settings.max_iterations: .*greater than or equal to 1"),
    ("scorers.em.settings.max_iterations", 2**63, "scorers.em.settings.max_iterations: .*less than or equal to"),
    ("scorers.em.split", {"replicate": 2**63}, "scorers.em.split.replicate: .*less than or equal to"),
    ("scorers.exact.settings", {"max_completions": 10**15}, "settings.max_completions: .*less than or equal to"),
    ("scorers.ais", {"settings": {"n_steps": 10**15}}, "scorers.ais.settings.n_steps: .*less than or equal to"),
    ("scorers.ais", {"settings": {"n_transitions": 10**15}}, "settings.n_transitions: .*less than or equal to"),
    ("scorers.candidate", {"settings": {"n_gap": 10**15}}, "settings.n_gap: .*less than or equal to"),
    ("scorers.candidate", {"settings": {"n_sweeps": 10**15}}, "settings.n_sweeps: .*less than or equal to"),
    ("scorers.candidate", {"settings": {"n_selection": 10**15}}, "settings.n_selection: .*less than or equal to"),
    ("scorers.laplace", {"settings": {"max_parameters": 10**15}}, "settings.max_parameters: .*less than or equal"),
    ("measurements", {"schedules": {"curvatures": [-1.0]}}, "measurements.schedules.curvatures.0: .*greater than 0"),
    ("scorers.em.settings.max_iterations", 1e3, "scorers.em.settings.max_iterations: .*integer"),
    ("scorers.exact.settings", {"max_completions": "all"}, "scorers.exact.settings.max_completions: .*integer.*all"),
    ("scorers.exact.sizes", [7], r"scorers.exact.sizes: \[7\] not among the study's sizes"),
    ("scorers.exact.sizes", [], "scorers.exact.sizes: .*at least 1 item"),
    ("scorers.exact.sizes", [5, 5], "scorers.exact.sizes: a value is given twice"),
    ("scorers.exact.replicates", [0], r"scorers.exact.replicates: \[0\] not among the study's replicates"),
    ("scorers.exact.replicates", [-1], "scorers.exact.replicates.0: .*greater than or equal to 0"),
    ("scorers.exact.replicates", [1, 1], "scorers.exact.replicates: a value is given twice"),
    ("scorers.em.split", {"cell": 1}, "scorers.em.split.cell.*'replicate', 'n'.*'run'"),
    ("scorers.em.split", {"n": 0}, "scorers.em.split.n: .*greater than or equal to 1"),
    ("scorers.em.structures", ["1-3"], r"scorers.em.structures: \['1-3'\] not among"),
    ("scorers.em.structures", ["1-1", "1-1"], "scorers.em.structures: a value is given twice"),
    ("scorers.em.vary", {"max_iterations": [1, 0]}, "scorers.em_0.settings.max_iterations: .*greater than or equal"),
    ("scorers.em.vary", {"tol": [1.0]}, "scorers.em_1.0: names of entries consist of at most 100 small letters"),
    ("scorers.em.vary", {"max_iterations": [1], "tolerance": [1.0]}, "em.vary: give one setting with a list"),
    ("scorers.em.vary", {"max_iterations": []}, "em.vary: give one setting with a list of one or more values"),
    ("scorers.em.vary", {"max_iterations": [5, 5]}, "em: the entry em_5 is given twice"),
    (
        "scorers.em",
        {"vary": {"max_iterations": [5]}, "settings": {"max_iterations": 6}},
        "em.vary: max_iterations has a value in settings as well",
    ),
    ("scorers.em", {"vary": {"max_iterations": [5]}, "settings": None}, "scorers.em.settings: .*dictionary"),
    ("scorers.em.scorer", "vb", "scorers.em: the name means something else"),
    ("scorers.log_aliases", {"scorer": "em"}, "scorers.log_aliases: the name means something else"),
    (
        "scorers.em.scorer",
        "ml",
        "scorers.em: unknown scorer 'ml'; known are ais, ais_completions, ais_from_vb, bridge, candidate, em",
    ),
    ("scorers.em.from_truth", True, "scorers.em.from_truth: set structures to"),
    ("scorers.em.role", "main", "scorers.em.role: 'main' is unknown; the study's paper has none"),
    ("scorers.em.role", 3, "scorers.em.role: .*string.*3"),
    ("measurements", {"times": {}}, "measurements.times: is unknown; known are certified, cost_curves, schedules"),
    ("measurements", {"linear_extensions": {}}, "measurements.linear_extensions: is unknown; known are certified"),
    ("measurements", {"schedules": {"steps": 3}}, "measurements.schedules.steps: unknown key"),
    ("measurements", {"cost_curves": {}}, "measurements.cost_curves: needs entries em and candidate, and a structure"),
    ("measurements", {"cost_curves": {"sizes": 3}}, "measurements.cost_curves.sizes: "),
    ("measurements", ["schedules"], "measurements: .*dictionary"),
    ("beyond_paper", "yes", "beyond_paper: .*boolean"),
]
BROKEN = {
    f"{path} = {'removed' if value is REMOVED else value}": (study_with((path, value)), m) for path, value, m in ONE
}
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
        study_with(
            ("only", REMOVED), ("true_structure", "h"),
            ("structures", {"space": "listed", "structures": {"h": {"cardinalities": {"h": 2}, "hidden": ["h"]}}}),
        ),
        "structures: .*needs an observed variable",
    ),
    **{
        f"label {shown}": (
            listed([label], LISTED["structures"]["two"]),
            "structures.listed.structures.*: .* cannot be a label; labels consist of at most 100",
        )
        for shown, label in {
            "of a folder": "a/b", "above": "../../x", "of a wildcard": "{x}", "of a command": "$(touch x)",
            "of 300 characters": "a" * 300, "empty": "", "hidden": ".a", "of an option": "-a", "of two words": "a b",
            "of two lines": "a\n", "with an accent": "é",
        }.items()
    },
    "unknown key of a structure": (listed(["one", "priors"], 1.0), "structures.one.priors: unknown key"),
    "a role that the paper has not": (
        {**OF_A_PAPER, "scorers": {"em": {"role": "main"}}}, "em.role: 'main' is unknown; .* has schedule_length",
    ),
    "published parameters of another shape": (OF_A_PAPER, "true_structure: 1-1 needs tables of shape"),
}  # fmt: skip
TEXTS = {
    "key twice": (yaml.safe_dump(STUDY).encode() + b"root_seed: 4\n", "not valid YAML.*'root_seed' is given twice"),
    "key twice inside": (b"study: tiny\nscorers:\n  em: {runs: 1, runs: 2}\n", "not valid YAML.*'runs' is given twice"),
    "a list": (b"[1, 2]\n", "must hold a mapping of keys to values"),
    "a word": (b"hello\n", "must hold a mapping of keys to values"),
    "empty": (b"", "must hold a mapping of keys to values"),
    "comments": (b"# nothing\n", "must hold a mapping of keys to values"),
    "binary": (bytes(range(256)), "not valid YAML"),
    "control characters": (b"study: \x00\x01\n", "not valid YAML"),
    "not UTF-8": (b"study: t\xefny\n", "not valid YAML"),
    "two byte order marks": (b"\xef\xbb\xbf\xef\xbb\xbfstudy: tiny\n", "byte order mark behind the beginning.*remove"),
    "open bracket": (b"sizes: [5, 10\n", "not valid YAML"),
    "tab": (b"replicates:\n\tprior_draws: 2\n", "not valid YAML"),
    "list as a key": (b"study: tiny\n? [a, b]\n: 1\n", "not valid YAML|unknown key|keys"),
    "mapping as a key": (b"study: tiny\n? {a: b}\n: 1\n", "not valid YAML|unknown key|keys"),
    "number as a key": (yaml.safe_dump(STUDY).encode() + b"7: 1\n", "7: "),
    "python object": (b"study: !!python/name:os.system ''\n", "not valid YAML"),
    "merge key that is no mapping": (b"<<: 5\nstudy: tiny\n", "not valid YAML"),
}
HUGE = [
    # Each would need more memory or time than there is; the refusal must not.
    ("sizes", [5, 2**31 - 1], "sizes: 2147483647 rows of 3 variables are more than 1,000,000,000 cells"),
    ("scorers.em.runs", 10**400, "scorers.em.runs: .*"),
    ("study", "a" * 300, "study: .*at most 100 characters"),
    ("structures.observed_cardinalities", [2] * 10**4, "structures: 1 hidden and 10000 observed.*list the structures"),
    ("structures.hidden_cardinalities", [32_767, 32_767], "structures: .*limit of"),
    ("structures", naive(feature_cardinalities={"features": 100_000, "values": 32_767}), "exceed the limit"),
    (
        "structures",
        naive(classes=[*range(2, 2000)], feature_cardinalities=[1000] * 4),
        "30,000,000 parameters together",
    ),
    ("replicates.prior_draws", 10**6, "replicates.prior_draws: .*less than or equal to 999999"),
]
SPLITS = {
    "a job of too many cells": (
        study_with(("replicates.prior_draws", 999_999), ("scorers.em", {"runs": 999_999, "split": {"run": 1000}})),
        "scorers.em.split: a job has 3,999,996,000 cells, over 10,000,000; give smaller parts",
    ),
    "too many jobs": (
        study_with(
            ("replicates.prior_draws", 999_999), ("scorers.em", {"runs": 2, "split": {"replicate": 1, "run": 1}})
        ),
        "scorers.em.split: makes 1,999,998 jobs, over 1,000,000; give larger parts",
    ),
}
MORE = [
    ("model", "rbm", "model: 'rbm' is unknown; known are discrete_network, .*restricted_boltzmann"),
    ("model", ["discrete_network"], "model: .* is unknown"),
    ("condition", "../../elsewhere", "condition: unknown key; conditions are named under `conditions`"),
    ("streams", "few", "streams: only a condition can have it; leave it out"),
    ("conditions", [], "conditions: must map names to the keys"),
    ("conditions", {"few": 5}, "conditions: must map names to the keys"),
    ("conditions", {"../up": {}}, "conditions.../up: names consist of at most 100 small letters"),
    ("conditions", {1: {}}, "conditions.1: names consist of at most 100 small letters"),
    ("conditions", {"a" * 101: {}}, "names consist of at most 100 small letters, digits and _"),
    ("conditions", {"few": {"condition": "other"}}, "conditions.few.condition: unknown key"),
    ("conditions", {"few": {}}, "conditions: give the file with one of its conditions, if it has any: .*tiny.yaml:few"),
    ("structures", naive(classes=[2, 2]), "structures: structure 'classes-2' is given twice"),
    ("structures", naive(feature_cardinalities="data"), "feature_cardinalities: only a real data set or a table"),
    ("structures", naive(feature_cardinalities={"features": 0, "values": 2}), "features: .*greater than or equal to 1"),
    ("structures", naive(feature_cardinalities="few"), "feature_cardinalities.*'data'"),
    ("structures", naive(prior_divided="yes"), "prior_divided: .*boolean"),
    ("structures", None, "structures: "),
    ("data", {"source": "mixture"}, "data: parameters of a mixture need structures of the space naive_bayes"),
    ("data", {"source": "data_set", "name": "audiology"}, "true_structure: .*not allowed with real data"),
    ("data", {"source": "web"}, "data: .*'web'.*'prior', 'mixture', 'data_set'"),
    ("data", {"source": "data_set", "name": "../secret"}, "data.data_set.name: .*'small_soybean'"),
    ("data", {"source": "mixture", "zeros": 1.0}, "data.mixture.zeros: .*less than 1"),
    ("data", {"source": "mixture", "deviation": inf}, "data.mixture.deviation: "),
    ("data", "prior", "data: "),
    ("only", ["1-1", "1-1"], "only: a label is given twice"),
    ("only", [["1-1"]], "only.0: .*string"),
    ("replicates", [1], "replicates: "),
    ("replicates.prior_draws", True, "replicates.prior_draws: .*integer.*True"),
    ("sizes", [True, 5], "sizes.0: .*integer.*True"),
    ("sizes", {"from": 5}, "sizes: .*list"),
    ("structures.prior", True, "structures.bipartite.prior: .*number.*True"),
    ("structures.prior", "1.0", "structures.bipartite.prior: .*number.*'1.0'"),
    ("structures.prior", 1e-11, "structures.bipartite.prior: .*greater than or equal"),
    ("scorers", {7: {}}, "scorers.7.*: .*string"),
    ("scorers", {"EM": {"scorer": "em"}}, "scorers.EM: names of entries consist of at most 100 small letters"),
    ("scorers", {"../em": {"scorer": "em"}}, "scorers.../em: names of entries consist of at most 100 small letters"),
    ("scorers", {"a" * 101: {"scorer": "em"}}, "names of entries consist of at most 100 small letters, digits and _"),
    ("scorers", {"separation": {"scorer": "em"}}, "scorers.separation: the name means something else"),
    ("scorers", {"key": {"scorer": "em"}}, "scorers.key: the name means something else; choose another"),
    ("scorers.em.scorer", 5, "scorers.em.scorer: .*string"),
    ("scorers.em.settings", {7: 1}, "scorers.em.settings.7.*: .*string"),
    ("scorers.em.settings", {"max_iterations": True}, "scorers.em.settings.max_iterations: .*integer.*True"),
    ("scorers.em.settings", {"n_starts": 3}, "scorers.em.settings.n_starts: "),
    ("scorers.em.split", ["n"], "scorers.em.split: .*dictionary"),
    ("scorers.em.split", {"n": 1.5}, "scorers.em.split.n: .*integer"),
    ("scorers.em.vary", 5, "scorers.em.vary: .*dictionary"),
    ("scorers.em.vary", {"max_iterations": 5}, "em.vary: give one setting with a list"),
    ("scorers.em.vary", {"max_iterations": [[1]]}, "names of entries consist of at most 100 small letters"),
    ("scorers.em.from_truth", "yes", "scorers.em.from_truth: .*boolean"),
]
BROKEN |= {
    f"{path} = {str(value)[:40]}: {message}": (study_with((path, value)), message)
    for path, value, message in HUGE + MORE
}
WORDS = yaml.safe_dump(STUDY).encode()
TEXTS |= {
    "byte order mark of UTF-16": ("study: tiny\n".encode("utf-16"), "not valid YAML"),
    "half a character": (b"study: t\xc3\n", "not valid YAML"),
    "two documents": (WORDS + b"---\nstudy: other\n", "not valid YAML: expected a single document"),
    "unknown alias": (b"study: *nobody\n", "not valid YAML: .*undefined alias"),
    "unknown tag": (b"study: !secret tiny\n", "not valid YAML: .*!secret"),
    "python module": (b"study: !!python/module:os ''\n", "not valid YAML"),
    "python call": (b"study: !!python/object/apply:os.system ['touch stolen']\n", "not valid YAML"),
    "date that is none": (b"study: 2026-13-45\n", "not valid YAML: not a valid timestamp.*line 1"),
    "integer that is none": (b"root_seed: !!int many\n", "not valid YAML: not a valid int.*line 1"),
    "empty integer": (b"root_seed: !!int ''\n", "not valid YAML: not a valid int"),
    "empty number": (b"root_seed: !!float ''\n", "not valid YAML: not a valid float"),
    "truth value that is none": (b"a: !!bool perhaps\n", "not valid YAML: not a valid bool"),
    "timestamp that is none": (b"a: !!timestamp soon\n", "not valid YAML: not a valid timestamp"),
    "binary that is none": (b"a: !!binary '\xc3\xa9'\n", "not valid YAML"),
    "integer of 5000 digits": (b"root_seed: " + b"9" * 5000 + b"\n", "not valid YAML: not a valid int"),
    "sexagesimal that overflows": (b"a: 1" + b":59" * 500 + b".5\n", "not valid YAML: not a valid float|unknown key"),
    "integer of 5000 hexadecimal digits": (WORDS + b"a: 0x" + b"f" * 5000 + b"\n", "a: unknown key"),
    "text that rings a bell": (b'study: "\\a"\n', "not valid YAML: text that cannot be printed.*line 1"),
    "text with a zero byte": (b'study: "a\\0b"\n', "not valid YAML: text that cannot be printed"),
    "half a surrogate pair": (b'study: "\\ud800"\n', "not valid YAML: text that cannot be printed"),
    "escape sequence in a key": (b'"\\e[2J": 1\n', "not valid YAML: text that cannot be printed"),
    "text written right to left": (b'study: "tiny\\u202e"\n', "not valid YAML: text that cannot be printed"),
    "10,000 brackets": (b"a: " + b"[" * 10_000 + b"\n", "not valid YAML"),
    "10,000 pairs of brackets": (b"a: " + b"[" * 10**4 + b"]" * 10**4 + b"\n", "nested deeper than 50.*write it flat"),
    "60 levels": (b"a: " + b"[" * 60 + b"]" * 60 + b"\n", "nested deeper than 50"),
    "60 levels through an alias": (
        b"a: &a " + b"[" * 40 + b"]" * 40 + b"\nb: " + b"[" * 20 + b"*a" + b"]" * 20 + b"\n", "nested deeper than 50",
    ),
    "an alias of itself": (b"a: &a [*a]\n", "an alias inside what it names"),
    "a merge of itself": (b"a: &a\n  <<: *a\n", "an alias inside what it names"),
    "a thousand million by aliases": (
        b"a0: &a0 [x]\n" + b"".join(b"a%d: &a%d [%s]\n" % (i, i, b"*a%d," % (i - 1) * 10) for i in range(1, 10)),
        "more than 100,000 values, aliases counted",
    ),
    "more than a megabyte": (b"study: tiny\n" + b"# remark\n" * 120_000, "more than 1,000,000 bytes; give the path of"),
    "100,000 values": (b"a: [" + b"0," * 100_001 + b"]\n", "more than 100,000 values"),
    **{
        f"{value} of YAML 1.1 or 1.2": (
            WORDS + b"a: " + value.encode() + b"\n",
            f"not valid YAML: '{re.escape(value)}' is one thing in YAML 1.1 and another in YAML 1.2: write .*line ",
        )
        for value in ("010", "08", "0o10", "0b11", "-0x1F", "1_000", "1:30", "1:30.5", "1e5", "-.5e3", "yes", "OFF",
                      "2026-01-31")
    },
    "a truth value of YAML 1.1 as a key": (WORDS + b"on: 1\n", "not valid YAML: 'on' is one thing in YAML 1.1"),
    "key twice by another spelling": (b"7: 1\n0x7: 2\n", "not valid YAML: key 7 is given twice"),
    "set as a value": (WORDS + b"a: !!set {b, c}\n", "a: unknown key"),
    "no value at all": (b"study:\nroot_seed:\n", "study: .*string"),
}  # fmt: skip
CORPUS = BROKEN | SPLITS | TEXTS


@pytest.mark.parametrize("case", CORPUS)
def test_refused(case, tmp_path):
    content, message = CORPUS[case]
    check_refused(write(tmp_path / "tiny.yaml", content), message)


def check_refused(path, message):
    with pytest.raises(ConfigError, match=rf"(?s){message}") as caught:
        load(path)
    assert str(caught.value).startswith(f"{path}: ")
    assert refused(("check", path), message, path.parent).startswith(f"ockham: {path}: ")


def test_what_is_no_readable_file_is_refused(tmp_path):
    check_refused(tmp_path / "missing.yaml", "cannot be read .*No such file.*give the path of a study's YAML")
    refused(("check", tmp_path / "missing.yaml:few"), "missing.yaml: cannot be read .*No such file", tmp_path)
    check_refused(tmp_path, "cannot be read .*directory")
    (tmp_path / "loop.yaml").symlink_to(tmp_path / "loop.yaml")
    check_refused(tmp_path / "loop.yaml", "cannot be read .*symbolic links")
    check_refused(tmp_path / ("a" * 300), "cannot be read .*name too long")
    write(tmp_path / "file", b"")
    check_refused(tmp_path / "file/tiny.yaml", "cannot be read .*[Nn]ot a directory")


def test_a_device_without_end_is_refused(tmp_path):
    refused(("check", "/dev/zero"), "/dev/zero: more than 1,000,000 bytes", tmp_path)


@pytest.mark.skipif("os.geteuid() == 0", reason="root reads everything")
def test_a_file_without_permission_is_refused(tmp_path):
    path = write(tmp_path / "tiny.yaml", STUDY)
    path.chmod(0)
    check_refused(path, "cannot be read .*Permission denied")


CONDITIONS = study_with(("conditions", {"few": {"sizes": [5]}, "more": {"sizes": [5, 50], "streams": "few"}}))


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("few", {"sizes": [0]}, "tiny.yaml:few: sizes.0: .*greater than or equal to 1"),
        ("few", {"conditions": {}}, "tiny.yaml:few: conditions: unknown key"),
        ("few", {"streams": "none"}, "tiny.yaml:few: streams: 'none' is not one of the conditions"),
        ("few", {"streams": ["more"]}, "tiny.yaml:few: streams: .*string"),
        ("none", {}, "tiny.yaml:none: conditions: give the file with one of its conditions.*tiny.yaml:few"),
        ("", {}, "tiny.yaml:: conditions: give the file with one of its conditions"),
    ],
)
def test_conditions_are_refused(name, value, message, tmp_path):
    content = study_with(("conditions", CONDITIONS["conditions"] | ({name: value} if name == "few" else {})))
    path = write(tmp_path / "tiny.yaml", content)
    refused(("check", f"{path}:{name}"), message, tmp_path)
