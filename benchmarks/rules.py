"""How long the jobs of every rule took, and how much memory: what the rules ask of a cluster must be more.

    python benchmarks/rules.py [folder ...]

The folders are those where Snakemake ran, by default this one. Times are from its own records, of the last run of a
job; CPU time and memory are from the benchmark files, which only the jobs that compute have.
"""

import json
import sys
from collections import defaultdict
from pathlib import Path

import pandas as pd


def main(folders):
    seconds, computed = defaultdict(dict), defaultdict(list)
    for folder in folders:
        for file in Path(folder, ".snakemake/metadata").rglob("*"):
            record = json.loads(file.read_text()) if file.is_file() else {}
            if record.get("endtime") and record.get("starttime"):
                job = folder, *record["log"]  # which has a record for each of its files
                seconds[record["rule"]][job] = record["endtime"] - record["starttime"]
        for file in Path(folder, "results/benchmarks").rglob("*.tsv"):
            computed[file.relative_to(folder).parts[2]].append(pd.read_csv(file, sep="\t"))
    print(f"{'rule':20}  jobs  mean s  longest s")
    for rule, times in sorted(seconds.items()):
        print(f"{rule:20} {len(times):5d} {sum(times.values()) / len(times):7.1f} {max(times.values()):10.1f}")
    for study, jobs in sorted(computed.items()):
        largest = pd.concat(jobs)[["cpu_time", "max_rss"]].max()
        print(f"{study}: at most {largest['cpu_time']:.0f} s of CPU time and {largest['max_rss']:.0f} MB in a job")


if __name__ == "__main__":
    main(sys.argv[1:] or ["."])
