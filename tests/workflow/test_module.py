"""Another workflow takes this one as a module, and goes on from what it makes.

The source of truth is a run of the same study by itself.
"""

from reference.tiny_study import NETWORKS

OUTER = """
configfile: "config/workflow.yaml"


module ockham:
    snakefile:
        "ockham/Snakefile"
    config:
        config


use rule * from ockham as ockham_*


rule size_of_summaries:
    default_target: True
    input:
        "results/tiny/summaries.nc",
    output:
        "size.txt",
    shell:
        "wc -c < {input} > {output}"
"""


def test_another_workflow_goes_on_from_the_summaries(new_folder):
    alone, within = new_folder(NETWORKS), new_folder(NETWORKS)
    alone.snakemake("results/tiny/summaries.nc")
    (within.path / "ockham").mkdir()
    for name in ("Snakefile", "workflow"):
        (within.path / name).rename(within.path / "ockham" / name)
    (within.path / "Snakefile").write_text(OUTER)

    said = within.snakemake()
    assert "rule ockham_collect:" in said
    assert int((within.path / "size.txt").read_text()) == (within.path / "results/tiny/summaries.nc").stat().st_size
    assert within.differences(alone.stores()) == []
    assert "Nothing to be done" in within.snakemake()

    other = within.path / "ockham/src/ockham"
    other.mkdir(parents=True)
    (other / "api.py").write_text("a = 1\n")
    assert f"was built from other sources than {other}" in within.snakemake(status=1)
