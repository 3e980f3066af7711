"""Which of the committed figures and tables today's code and configurations would make.

    python benchmarks/published.py        prints and stores the table, ``benchmarks/published.md``

A manifest has digests of the source that its data, scores, measurements, summaries, figures and tables rest on. Where
all are those of today, and so is the configuration, running the study again with the locked libraries does the same
work, whichever commit it was run at. Seconds are other ones, and so is what ``ockham.evidence`` knows in given seconds.
"""

import json

from budgets import configurations
from cores import REPOSITORY

from ockham.studies.code_of_results import other_code
from ockham.studies.loading import load

TABLE = REPOSITORY / "benchmarks/published.md"


def row(name, places):
    """A study's commits, and what other code has made; nothing of one that is not published."""
    path = REPOSITORY / "figures" / name / "manifest.json"
    if not path.is_file():
        return None
    content = json.loads(path.read_text(encoding="utf-8"))
    parts, studies = content if isinstance(content, list) else [content], [load(place) for place in places]
    commits = ", ".join(sorted({part["figures_commit"] for part in parts}))
    if len(parts) != len(studies):
        return f"| {name} | {commits} | other conditions |"
    found = [other_code(part, study, studies) for part, study in zip(parts, studies, strict=True)]
    if None in found:
        return f"| {name} | {commits} | unknown: made before manifests told |"
    changed = sorted({what for each in found for what in each})
    return f"| {name} | {commits} | {', '.join(changed) or 'nothing'} |"


def main():
    rows = [row(name, places) for name, places in configurations().items()]
    lines = [
        "| study | commit | of other code or configuration than today's |",
        "|---|---|---|",
        *filter(None, rows),
        "",
    ]
    TABLE.write_text("\n".join(lines), encoding="utf-8")
    print(*lines, sep="\n")


if __name__ == "__main__":
    main()
