"""Claims that name what is not stored, and printed numbers under unknown names, are refused with file and field.

Each case is a file of the project's own with one thing changed.
"""

import re
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

from ockham import families
from ockham.cli import main
from ockham.errors import OckhamError
from ockham.papers.claims.files import check_claims, claim_files
from ockham.papers.claims.stored import read_stored

ROOT = Path(__file__).parents[2]

BEAL, CHICKERING = (families.paper(name) for name in ("beal_ghahramani_2006", "chickering_heckerman_1997"))
NIINIMAKI = families.paper("niinimaki_koivisto_2013")
CLAIMS, STORED, NUMBERS = "claims.yaml", "stored.yaml", "numbers/numbers.csv"
CASES = {
    "a table of another name": (
        BEAL, CLAIMS, "{table: section_4_2, columns: [Ockham], rows: {quantity: structures}",
        "{table: section_42, columns: [x]",
        "claims.distinct_structures.judged_by.ours.table: 'section_42' is no table that claims may name",
    ),
    "a column of another name": (
        BEAL, CLAIMS, "columns: [trend MAP], rows", "columns: [trends MAP], rows",
        "claims.figure_2_map_upward.judged_by.ours.columns: 'figure_numbers_by_size' has no column 'trends MAP'",
    ),
    "a size that no study has": (
        BEAL, CLAIMS, "rows: {n: 960}", "rows: {n: 961}",
        "claims.ais_finds_at_960.judged_by.ours.rows.n: 'table_2' has no row 961; it has 10, 20,",
    ),
    "a condition that no study has": (
        NIINIMAKI, CLAIMS, "rows: {condition: alarm, prior: graphs}", "rows: {condition: alarms, prior: graphs}",
        "claims.bound_alarm_corrected.judged_by.ours.rows.condition: 'evidence' has no row 'alarms'; it has mushroom",
    ),
    "another study": (
        BEAL, CLAIMS, "study: beal_ghahramani_2006_longer", "study: beal_ghahramani_2006_longest",
        "'beal_ghahramani_2006_longest' is no other study of the paper; these are: beal_ghahramani_2006_restarts",
    ),
    "a figure of another name": (
        BEAL, CLAIMS, "figure: figure_2\n", "figure: figure_22\n",
        "claims.figure_2_map_upward.figure: 'figure_22' is none of figure_2, figure_2_from_truth",
    ),
    "a kind that there is not": (
        BEAL, CLAIMS, "kind: within", "kind: inside", "claims.figure_2_map_upward.judged_by: Input tag 'inside'",
    ),
    "a verdict by hand": (
        BEAL, CLAIMS, "    figure: figure_2\n", "    verdict: same\n",
        "claims.figure_2_map_upward.verdict: unknown key",
    ),
    "a cause without a test": (
        BEAL, CLAIMS, "    figure: figure_2\n", "    cause: {says: chance}\n",
        "claims.figure_2_map_upward.cause.tested_by: Field required",
    ),
    "what is not stored, with a cause": (
        CHICKERING, "claims_remarks.yaml", "    judged_by: {kind: not_stored",
        "    pattern: {kind: trend, ours: {table: candidate_noise, columns: [median range]}, direction: rising}\n"
        "    judged_by: {kind: not_stored",
        "judged_by: nothing is stored, so leave out pattern, trusted_if and cause",
    ),
    "a quote of more than a line": (
        BEAL, CLAIMS, "the pronounced downward trend", "the pronounced downward trend " * 9,
        "claims.figure_2_bic_downward.quote: String should have at most 120 characters",
    ),
    "a claim twice": (
        BEAL, CLAIMS, "  figure_2_map_upward:", "  distinct_structures:",
        "not valid YAML: key 'distinct_structures' is given twice",
    ),
    "a claim of another file": (
        BEAL, "claims_valencia_2003.yaml", "  valencia_map_upward:", "  distinct_structures:",
        "claims.distinct_structures: another file has a claim of this name; rename one",
    ),
    "no claims": (BEAL, CLAIMS, None, "claims: {}", "claims: Dictionary should have at least 1 item"),
    "a table that the record lacks": (
        BEAL, STORED, "  table_2:", "  table_22:", "tables.table_22: is not in the paper's record, which has table_2",
    ),
    "numbers that the record lacks": (
        BEAL, STORED, "numbers/numbers.csv", "numbers/number.csv", "numbers.numbers/number.csv: is not in the paper's",
    ),
    "a misspelt quantity in the printed numbers": (
        BEAL, NUMBERS, "vb_below_cs_percent", "vb_below_cs_per_cent",
        "column 'quantity' has 'vb_below_cs_per_cent', which is none of structures, data_set_sizes",
    ),
    "a quantity less": (BEAL, NUMBERS, "prior_draws,106,section 4.2\n", "", "column 'quantity' has no 'prior_draws'"),
    "a printed row of a condition that the study lacks": (
        CHICKERING, "numbers/table_1.csv", "features_128,", "features_256,",
        "column 'condition' has 'features_256', which is none of features_32, features_64",
    ),
    "a printed row of a data set that the study lacks": (
        CHICKERING, "numbers/table_3.csv", "audiology,", "audiometry,",
        "column 'condition' has 'audiometry', which is none of small_soybean",
    ),
}  # fmt: skip


def elsewhere(paper, folder):
    """A paper whose files are copies in another folder."""
    for path in (*claim_files(paper), paper.folder / STORED, *(paper.folder / name for name in paper.numbers)):
        copy = folder / path.relative_to(paper.folder)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, copy)
    return replace(paper, folder=folder)


@pytest.mark.parametrize("case", CASES)
def test_refused(case, tmp_path):
    paper, name, old, new, message = CASES[case]
    there = elsewhere(paper, tmp_path)
    check_claims(there)
    text = (tmp_path / name).read_text(encoding="utf-8")
    assert old is None or old in text
    (tmp_path / name).write_text(new if old is None else text.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(OckhamError, match=f"{re.escape(str(tmp_path / name))}: .*{re.escape(message)}"):
        check_claims(there)


@pytest.mark.parametrize("command", ["check", "claims"])
def test_commands_refuse_them_before_any_work(command, tmp_path, monkeypatch):
    there = elsewhere(NIINIMAKI, tmp_path / "paper")
    name, columns = next(iter(read_stored(there).numbers.items()))
    numbers, (label, *_) = tmp_path / "paper" / name, next(iter(columns.values()))
    given = {"check": ROOT / "config" / f"{NIINIMAKI.name}.yaml:alarm", "claims": tmp_path / "figures"}[command]
    (tmp_path / "figures" / NIINIMAKI.name).mkdir(parents=True)
    monkeypatch.setattr(families, "paper", lambda name: there)
    monkeypatch.setattr(families, "paper_names", lambda: [NIINIMAKI.name])
    numbers.write_text(numbers.read_text(encoding="utf-8").replace(label, f"{label}s", 1), encoding="utf-8")
    done = CliRunner().invoke(main, [command, str(given)])
    assert done.exit_code
    assert f"{numbers}: column" in str(done.exception) + done.output
    assert not any((tmp_path / "figures").rglob("*.md"))


@settings(max_examples=60)
@given(name=st.sampled_from((CLAIMS, STORED)), position=st.floats(0, 1, exclude_max=True), piece=st.binary(max_size=6))
def test_any_change_is_read_or_refused(name, position, piece, tmp_path):
    there = elsewhere(NIINIMAKI, tmp_path)
    content = (NIINIMAKI.folder / name).read_bytes()
    index = int(position * len(content))
    (tmp_path / name).write_bytes(content[:index] + piece + content[index + 3 :])
    try:
        check_claims(there)
    except OckhamError as error:
        message = str(error)
    else:
        return
    assert message.startswith(str(tmp_path))
