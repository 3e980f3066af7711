"""The command ``ockham arcs``: arc posteriors and the evidence of a table of one's own."""

import warnings
from pathlib import Path

import click

from ockham.contracts import Doubt
from ockham.errors import DataError, OckhamWarning
from ockham.estimation.wording import in_words
from ockham.orders import arcs
from ockham.orders.data.structure_data import read_csv
from ockham.orders.family import FAMILY
from ockham.orders.space import OrderSpace

__all__ = ["arcs_of_table"]

SHOWN_ARCS = 20
LABELS = {1: "uniform over graphs", 0: "order-modular"}


@click.command("arcs")
@click.argument("data", type=click.Path(path_type=Path))
@click.option("--max-indegree", type=click.IntRange(0, 63), default=3, show_default=True, help="Parents at the most.")
@click.option(
    "--equivalent-sample-size",
    type=click.FloatRange(0, min_open=True),
    default=1.0,
    show_default=True,
    help="Equivalent sample size of the BDeu scores.",
)
@click.option(
    "--max-seconds",
    type=click.FloatRange(0.01, 1e9),
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
    type=click.IntRange(arcs.FEWEST),
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
@click.option("--seed", type=click.IntRange(0), default=1, show_default=True, help="Root seed of the random streams.")
@click.option(
    "--output", type=click.Path(path_type=Path), help="Path of the results without suffix; by default <data>_arcs."
)
def arcs_of_table(
    data: Path,
    max_indegree: int,
    equivalent_sample_size: float,
    max_seconds: float,
    max_gigabytes: float,
    sample: bool,
    effective_samples: int,
    steps: int | None,
    graphs: int,
    seed: int,
    output: Path | None,
) -> None:
    """Arc posteriors and the evidence of DATA, a CSV file of names and states.

    Sums over all structures are taken where they are predicted to stay within the limits, samples of structures where
    not; the output says which. The most probable arcs are printed; all of them go to a CSV file, everything to netCDF,
    and the matrix of arc probabilities to a picture. The prior is uniform over graphs; values under the order-modular
    prior stand beside.
    """
    table = read_csv(data)
    n_rows, n = table.states.shape
    if n < 2:
        raise DataError(f"{data}: has one column; arcs need two variables or more")
    stem = output or data.with_name(f"{data.stem}_arcs")
    space = OrderSpace(n, min(max_indegree, n - 1), equivalent_sample_size)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", OckhamWarning)  # what is unknown is said below
        found = arcs.estimate(
            FAMILY.read(space, table), space, seed=seed, max_seconds=max_seconds, max_bytes=1e9 * max_gigabytes,
            n_effective=effective_samples, n_steps=steps, n_graphs=graphs, exact=not sample,
        )  # fmt: skip
    arcs.write_csv(Path(f"{stem}.csv"), found)
    arcs.write_netcdf(Path(f"{stem}.nc"), found)
    from ockham.io.figures import save  # Matplotlib is slow to import, and no other command needs it
    from ockham.orders.plots import figure_arcs

    save(figure_arcs(found.names, found.arcs[1]), Path(f"{stem}.png"))
    click.echo(f"{data}: {n} variables, {n_rows} rows")
    for prior, label in LABELS.items():
        click.echo(f"log evidence, prior {label}: {_evidence(found, prior)}")
    if doubt := Doubt(int(found.arcs_doubt[1])):
        click.echo(f"arcs, prior {LABELS[1]}: unknown: {'; '.join(doubt.reasons)}; allow more --max-seconds")
    else:
        click.echo(f"arcs, prior {LABELS[1]}: {'exact' if found.exact[1] else 'from samples'}")
        click.echo(f"{'parent':>24}  {'child':24}  posterior" + ("" if found.exact[1] else "  95 % interval"))
    for u, v in () if doubt else arcs.by_probability(found)[:SHOWN_ARCS]:
        probability, low, high = (of[1, u, v] for of in (found.arcs, found.low, found.high))
        said = "" if found.exact[1] else f"  {low:.3f} to {high:.3f}"
        click.echo(f"{found.names[u]:>24}  {found.names[v]:24}  {probability:9.{4 if found.exact[1] else 3}f}{said}")
    click.echo(f"written: {stem}.csv, {stem}.nc, {stem}.png")


def _evidence(found: arcs.ArcEstimates, prior: int) -> str:
    """The log evidence under a prior, with how it was found."""
    value, bound = found.log_evidence[prior], found.lower_bound[prior]
    if found.exact[prior]:
        return f"{value:.3f} nats, exact"
    said = in_words(value, found.standard_error[prior], Doubt(int(found.doubt[prior])), bound, digits=3)
    return (
        f"{said} nats, above {bound:.3f} at 95 %, sampled: effective sample size "
        f"{found.effective_sample_size[prior]:.1f} of {found.about['samples']}"
    )
