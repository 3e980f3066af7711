"""Keys of the bibliography in pages and docstrings, as in [BealGhahramani2006], as links to it."""

import re
from collections.abc import Iterator, Sequence

from docutils import nodes
from pybtex.database import Entry
from pybtex.plugin import register_plugin
from pybtex.style.formatting.plain import Style
from pybtex.style.labels import BaseLabelStyle
from sphinx.addnodes import pending_xref
from sphinx.application import Sphinx
from sphinx.transforms import SphinxTransform

__all__ = ["setup"]

KEY = re.compile(r"\[([A-Z][A-Za-z]+\d{4})\]")


class KeyLabels(BaseLabelStyle):
    """Entries are called by their keys."""

    def format_labels(self, sorted_entries: Sequence[Entry]) -> Iterator[str]:
        """Its key, for each."""
        return (entry.key for entry in sorted_entries)


class ByKey(Style):
    """Entries under their keys."""

    default_label_style = KeyLabels


class Citations(SphinxTransform):
    """A citation in place of each key in square brackets, but not in code."""

    default_priority = 5

    def apply(self, **kwargs: object) -> None:
        """Go through all text of a page."""
        for text in list(self.document.findall(nodes.Text)):
            parent = text.parent
            if isinstance(parent, nodes.literal | nodes.literal_block | nodes.FixedTextElement):
                continue
            parts = KEY.split(text.astext())
            if len(parts) > 1:
                parent.replace(text, [self._node(part, is_key=k % 2 == 1) for k, part in enumerate(parts)])

    def _node(self, part: str, *, is_key: bool) -> nodes.Node:
        if not is_key:
            return nodes.Text(part)
        options = {"refdomain": "cite", "reftype": "p", "reftarget": part, "refwarn": True}
        return pending_xref(part, nodes.inline(part, f"[{part}]"), refdoc=self.env.docname, **options)


def setup(app: Sphinx) -> dict[str, bool]:
    """Register both."""
    register_plugin("pybtex.style.formatting", "by_key", ByKey)
    app.add_transform(Citations)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
