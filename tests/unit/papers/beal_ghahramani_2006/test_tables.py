"""Every table that any study of the paper has is made from stored summaries."""

import pandas as pd
import pytest
import xarray as xr

from ockham import families
from ockham.contracts import Needs
from ockham.io.tables import write_table
from ockham.networks.summaries import summarise
from ockham.papers.beal_ghahramani_2006 import PAPER

TABLES = [name for name, about in PAPER.tables.items() if about.needs == Needs() and not about.costs]


@pytest.mark.parametrize("name", TABLES)
def test_tables_are_written_from_stored_summaries(scores, tmp_path, name):
    summarise({"by_hand": scores}, {}).to_netcdf(tmp_path / "summaries.nc")
    with xr.open_datatree(tmp_path / "summaries.nc") as summaries:
        assert summaries.attrs == {"study": "by_hand", "true_structure": "b"}
        table = families.load(PAPER.tables[name].function)(summaries, PAPER)
    write_table(table, tmp_path / "table.csv", tmp_path / "table.md")
    assert pd.read_csv(tmp_path / "table.csv").columns.tolist() == table.columns.tolist()
    lines = (tmp_path / "table.md").read_text().splitlines()
    assert len(lines) == len(table) + 2
    assert "nan" not in "".join(lines).lower()
    assert "<NA>" not in "".join(lines)
