"""The command ``ockham arcs``: arc posteriors and the evidence of a table of one's own."""

import csv
from pathlib import Path

import click

from ockham.errors import ConfigError
from ockham.io.extras import check_importable
from ockham.io.frames import read_table
from ockham.io.outputs import check_outputs, stem_of
from ockham.orders.arc_estimates import PRIOR_LABELS, by_probability
from ockham.orders.arcs import FEWEST, Effort
from ockham.orders.data.reading import completed
from ockham.orders.graph_files import write_csv, write_netcdf
from ockham.orders.graph_posterior import GraphPosterior
from ockham.orders.learning import graph_posterior, space_of
from ockham.orders.space import PRIORS
from ockham.table_results.commands import FILE, OF_TABLE, options, say_notes, table_arguments
from ockham.table_results.limits import LONGEST, SEEDS

__all__ = ["arcs_of_table"]

SHOWN_ARCS = 20


@click.command("arcs")
@click.argument("data", type=FILE)
@options(OF_TABLE)
@click.option("--max-indegree", type=click.IntRange(0, 63), default=3, show_default=True, help="Parents at the most.")
@click.option(
    "--equivalent-sample-size",
    type=click.FloatRange(0, min_open=True),
    default=1.0,
    show_default=True,
    help="Equivalent sample size of the BDeu scores.",
)
@click.option(
    "--prior",
    type=click.Choice(list(reversed(PRIORS))),
    default="graphs",
    show_default=True,
    help="Prior of what is printed and drawn: uniform over graphs, or over pairs of an order and a graph.",
)
@click.option("--forbid", multiple=True, metavar="A,B", help="An arc, from A to B, that no graph has; repeatable.")
@click.option("--require", multiple=True, metavar="A,B", help="An arc that every graph has; repeatable.")
@click.option(
    "--max-seconds",
    type=click.FloatRange(0.01, LONGEST),
    default=60.0,
    show_default=True,
    help="CPU time that exact sums may be predicted to take, and that sampling may go on for.",
)
@click.option(
    "--max-gigabytes",
    type=click.FloatRange(0.001, 1e6),
    default=2.0,
    show_default=True,
    help="Memory that exact sums, or samples, may be predicted to take.",
)
@click.option("--sample", is_flag=True, help="Sample even where exact sums fit.")
@click.option(
    "--effective-samples",
    type=click.IntRange(FEWEST),
    default=100,
    show_default=True,
    help="Effective samples that sampling goes on to; where it ends before, arcs are unknown.",
)
@click.option(
    "--steps",
    type=click.IntRange(1, 10**8),
    help="Steps of the first schedule of annealing; by default 4 n m, 200,000 at the most, and what leaves time.",
)
@click.option("--graphs", type=click.IntRange(1, 10**6), default=10, show_default=True, help="Graphs of each sample.")
@click.option(
    "--seed", type=click.IntRange(*SEEDS), default=1, show_default=True, help="Root seed of the random streams."
)
@click.option(
    "--output",
    type=click.Path(path_type=Path),
    help="Path of the results without suffix, or a folder that is there; by default <data>_arcs.",
)
def arcs_of_table(
    data: Path,
    missing: tuple[str, ...],
    drop: tuple[str, ...],
    weights: str | None,
    no_header: bool,
    max_indegree: int,
    equivalent_sample_size: float,
    prior: str,
    forbid: tuple[str, ...],
    require: tuple[str, ...],
    max_seconds: float,
    max_gigabytes: float,
    sample: bool,
    effective_samples: int,
    steps: int | None,
    graphs: int,
    seed: int,
    output: Path | None,
) -> None:
    """Arc posteriors, the most probable graph and the evidence of DATA, a CSV file of categories.

    Sums over all structures are taken where they are predicted to stay within the limits, samples of structures where
    not; the output says which. The most probable arcs are printed; all of them go to a CSV file, everything to netCDF,
    and the matrix of arc probabilities to a picture. Values under the other prior stand beside.
    """
    check_importable("matplotlib", "xarray")
    stem = stem_of(output, data.with_name(f"{data.stem}_arcs"))
    files = [Path(f"{stem}.{suffix}") for suffix in ("csv", "nc", "png")]
    check_outputs(files, [data])
    read = read_table(data, **table_arguments(missing, drop, weights, no_header))
    say_notes(read)
    table = completed(read, str(data), 1e9 * max_gigabytes)
    space = space_of(table, max_indegree, equivalent_sample_size, _pairs("forbid", forbid), _pairs("require", require))
    effort = Effort(seed, max_seconds, 1e9 * max_gigabytes, effective_samples, steps, graphs, not sample)
    found = graph_posterior(table, space, prior, PRIORS, effort)
    try:
        write_csv(files[0], found.estimates, prior)
        write_netcdf(files[1], found)
        from ockham.io.figures import save  # Matplotlib is slow to import, and no other command needs it
        from ockham.orders.plots import figure_arcs

        save(figure_arcs(found.names, found.arcs.probability), files[2])
    finally:  # what was found is said, whatever becomes of the files
        click.echo(f"{data}: {space.n_nodes} variables, {table.n} rows")
        _print(found, bool(forbid or require), files[1])
    click.echo(f"written: {', '.join(map(str, files))}")


def _print(found: GraphPosterior, ruled: bool, store: Path) -> None:
    """Evidences, arcs and the best graph; all of them are in the ``store``."""
    for each in reversed(PRIORS):
        evidence = found.estimates.evidence_in_words(each)
        click.echo(f"log evidence, prior {PRIOR_LABELS[each]}: {evidence}")
    _print_arcs(found)
    if found.doubt and not found.best.of_all:
        click.echo(f"best graph found: {len(found.best.arcs)} arcs, of which nothing is known, in {store}")
    else:
        _print_best(found, ruled)


def _print_arcs(found: GraphPosterior) -> None:
    label, names = PRIOR_LABELS[found.prior], found.names
    if found.doubt:
        click.echo(f"arcs, prior {label}: unknown: {'; '.join(found.doubt.reasons)}; allow more --max-seconds")
        return
    click.echo(f"arcs, prior {label}: {'exact' if found.exact else 'from samples'}")
    click.echo(f"{'parent':>24}  {'child':24}  posterior" + ("" if found.exact else "  95 % interval"))
    for u, v in by_probability(found.estimates, found.prior)[:SHOWN_ARCS]:
        probability, low, high = (of[u, v] for of in found.arcs)
        said = "" if found.exact else f"  {low:.3f} to {high:.3f}"
        click.echo(f"{names[u]:>24}  {names[v]:24}  {probability:9.{4 if found.exact else 3}f}{said}")


def _print_best(found: GraphPosterior, ruled: bool) -> None:
    """The arcs of the best graph, and which of them others that fit as well have reversed, if rules let them."""
    click.echo(f"most probable graph, {found.best.in_words()}:" + ("" if found.best.arcs else " no arcs"))
    reversible = set() if ruled else {frozenset(arc) for arc in found.cpdag.undirected}
    for u, v in found.best.arcs:
        click.echo(f"{u:>24}  {v:24}  {'or reversed' if frozenset((u, v)) in reversible else ''}".rstrip())


def _pairs(option: str, arcs: tuple[str, ...]) -> list[list[str]]:
    """Names on both sides of a comma; a name that has one is in quotes."""
    pairs = [next(csv.reader([arc], skipinitialspace=True), []) for arc in arcs]
    for arc, pair in zip(arcs, pairs, strict=True):
        if len(pair) != 2:
            raise ConfigError(f"--{option} {arc}: must be two names with a comma between, a parent and a child")
    return pairs
