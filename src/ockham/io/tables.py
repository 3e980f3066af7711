"""Tables for people: as CSV, and as Markdown."""

from pathlib import Path

import pandas as pd

from ockham.io.whole_files import replacing_file

__all__ = ["write_table"]


def write_table(frame: pd.DataFrame, csv_path: Path, md_path: Path) -> None:
    """The table as CSV and as Markdown, missing values blank."""
    with replacing_file(csv_path) as temporary:
        frame.to_csv(temporary, index=False)
    text = frame.map(lambda value: "" if pd.isna(value) else f"{value:.6g}" if isinstance(value, float) else str(value))
    align = ["right" if pd.api.types.is_numeric_dtype(kind) else "left" for kind in frame.dtypes]
    with replacing_file(md_path) as temporary:
        temporary.write_text(text.to_markdown(index=False, disable_numparse=True, colalign=align) + "\n")
