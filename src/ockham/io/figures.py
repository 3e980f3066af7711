"""Figures of Matplotlib, made and saved in one look."""

from contextlib import ContextDecorator
from pathlib import Path

import matplotlib as mpl
from matplotlib.figure import Figure

from ockham.io.whole_files import replacing_file

__all__ = ["journal", "save"]


def journal() -> ContextDecorator:
    """Context and decorator in which figures are made and saved; Matplotlib's own settings are left as they were."""
    return mpl.rc_context(
        {
            "font.family": "sans-serif",
            "font.size": 8,
            "axes.labelsize": 8,
            "axes.titlesize": 8,
            "legend.fontsize": 7,
            "axes.linewidth": 0.5,
            "pdf.fonttype": 42,
            "svg.hashsalt": "ockham",
        }
    )


@journal()
def save(figure: Figure, path: Path) -> None:
    """The figure in the format of the suffix, the same bytes every time."""
    undated = {".pdf": {"CreationDate": None}, ".svg": {"Date": None}}
    suffix = Path(path).suffix
    with replacing_file(path) as temporary:
        figure.savefig(temporary, format=suffix.removeprefix("."), dpi=300, metadata=undated.get(suffix))
