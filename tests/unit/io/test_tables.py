"""Tables are written as people read them."""

import pandas as pd

from ockham.io.tables import write_table


def test_markdown_keeps_whole_numbers_whole(tmp_path):
    frame = pd.DataFrame({"quantity": ["scores"], "paper": pd.array([288320.0], dtype="Float64")})
    write_table(frame, tmp_path / "t.csv", tmp_path / "t.md")
    assert "288320" in (tmp_path / "t.md").read_text()
