"""Which of the committed figures and tables today's code and configurations would make.

    python benchmarks/published.py        prints and stores the table, ``benchmarks/published.md``

A manifest has digests of the source that its data, scores, measurements, summaries, figures and tables rest on. Where
all are those of today, and so is the configuration, running the study again with the locked libraries does the same
work, whichever commit it was run at. Seconds are other ones, and so is what ``ockham.evidence`` knows in given seconds.
Where a digest is another one, what was written or deleted since, of the modules that it is of, is named, words apart:
functions, classes and constants, and kernels by their files. It needs the history of the repository.
"""

import ast
import json
import subprocess
from functools import cache

from budgets import configurations
from cores import REPOSITORY

from ockham.studies.code_digests import ROOT
from ockham.studies.code_of_results import files_of, other_code
from ockham.studies.loading import load

TABLE = REPOSITORY / "benchmarks/published.md"
SOURCE = "src/ockham"


def row(name, places):
    """A study's commits, and what other code has made; nothing of one that is not published."""
    path = REPOSITORY / "figures" / name / "manifest.json"
    if not path.is_file():
        return None
    content = json.loads(path.read_text(encoding="utf-8"))
    parts, studies = content if isinstance(content, list) else [content], [load(place) for place in places]
    commits = sorted({part["figures_commit"] for part in parts})
    start = f"| {name} | {', '.join(commits)} |"
    if len(parts) != len(studies):
        return f"{start} other conditions | |"
    changed, why = set(), set()
    for part, study in zip(parts, studies, strict=True):
        found = other_code(part, study, studies)
        if found is None:
            return f"{start} unknown: made before manifests told | |"
        files = files_of(study, studies)
        changed |= {*found}
        why |= {file for each in found for file in files.get(each, ())}
    written = "; ".join(filter(None, (differences(commits[0], file) for file in sorted(why))))
    return f"{start} {', '.join(sorted(changed)) or 'nothing'} | {written} |"


@cache
def differences(commit, path):
    """What of a source file is not as it was at a commit, after the name of its module; empty where nothing is."""
    place = path.relative_to(ROOT).as_posix()
    module = place.rsplit(".", 1)[0].replace("/", ".")
    now, before = path.read_bytes(), files_at(commit)
    if blob(now) in before.values():
        return ""
    then = git("show", f"{commit}:{SOURCE}/{place}") if f"{SOURCE}/{place}" in before else b""
    if path.suffix != ".py":
        return f"`{place}`"
    old, new = definitions(then), definitions(now)
    names = sorted(name for name in {*old, *new} if old.get(name) != new.get(name))
    return f"`{module}`: {', '.join(names)}" if names else ""


def definitions(source):
    """Every statement of a module by the names that it gives, words of its own apart; imports follow from their use."""
    found = {}
    for node in ast.parse(source).body:
        for inner in ast.walk(node):
            body = getattr(inner, "body", None)
            if isinstance(body, list):
                inner.body = [each for each in body if not is_words(each)]
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            names = [node.name]
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            names = [ast.unparse(target) for target in getattr(node, "targets", None) or [node.target]]
        else:
            names = []
        found |= {name: ast.dump(node) for name in names if name != "__all__"}
    return found


def is_words(node):
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


@cache
def files_at(commit):
    """The blob of every source file of a commit, by its path."""
    lines = git("ls-tree", "-r", commit, SOURCE).decode().splitlines()
    return {path: about.split()[2] for about, path in (line.split("\t", 1) for line in lines)}


def blob(content):
    return git("hash-object", "--stdin", given=content).decode().strip()


def git(*arguments, given=None):
    return subprocess.run(["git", *arguments], cwd=REPOSITORY, input=given, capture_output=True, check=True).stdout


def main():
    rows = [row(name, places) for name, places in configurations().items()]
    lines = [
        "| study | commit | of other code or configuration than today's | what differs there |",
        "|---|---|---|---|",
        *filter(None, rows),
        "",
    ]
    TABLE.write_text("\n".join(lines), encoding="utf-8")
    print(*lines, sep="\n")


if __name__ == "__main__":
    main()
