"""The command ``ockham arcs``: arc posteriors and the evidence of a table of one's own."""

from pathlib import Path

import click

from ockham.contracts import Doubt
from ockham.errors import DataError
from ockham.estimation.wording import in_words
from ockham.orders import arcs
from ockham.orders.data.structure_data import read_csv
from ockham.orders.family import FAMILY
from ockham.orders.space import OrderSpace

__all__ = ["arcs_of_table"]

SHOWN_ARCS = 20


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
@click.option("--samples", type=click.IntRange(9), default=180, show_default=True, help="Orders to sample.")
@click.option(
    "--steps", type=click.IntRange(1), help="Steps of the annealing schedule; by default 4 n m, 200,000 at the most."
)
@click.option("--graphs", type=click.IntRange(1), default=10, show_default=True, help="Graphs to draw for each order.")
@click.option("--seed", type=click.IntRange(0), default=1, show_default=True, help="Root seed of the random streams.")
@click.option(
    "--output", type=click.Path(path_type=Path), help="Path of the results without suffix; by default <data>_arcs."
)
def arcs_of_table(
    data: Path,
    max_indegree: int,
    equivalent_sample_size: float,
    samples: int,
    steps: int | None,
    graphs: int,
    seed: int,
    output: Path | None,
) -> None:
    """Arc posteriors and the evidence of DATA, a CSV file of names and states.

    The most probable arcs are printed; all of them go to a CSV file, everything to netCDF, and the matrix of arc
    probabilities to a picture. The prior is uniform over graphs; values under the order-modular prior stand beside.
    """
    table = read_csv(data)
    n_rows, n = table.states.shape
    if n < 2:
        raise DataError(f"{data}: has one column; arcs need two variables or more")
    stem = output or data.with_name(f"{data.stem}_arcs")
    space = OrderSpace(n, min(max_indegree, n - 1), equivalent_sample_size)
    n_steps = steps or min(4 * n * n_rows, 200_000)
    table_of_states = FAMILY.read(space, table)
    found = arcs.estimate(table_of_states, space, n_samples=samples, n_steps=n_steps, n_graphs=graphs, seed=seed)
    arcs.write_csv(Path(f"{stem}.csv"), found)
    arcs.write_netcdf(Path(f"{stem}.nc"), found)
    from ockham.io.figures import save  # Matplotlib is slow to import, and no other command needs it
    from ockham.orders.plots import figure_arcs

    save(figure_arcs(found.names, found.trusted_arcs(1)), Path(f"{stem}.png"))
    click.echo(f"{data}: {n} variables, {n_rows} rows; {samples} orders, sums from {found.about['method']}")
    for prior, label in ((1, "uniform over graphs"), (0, "order-modular")):
        doubt, bound = Doubt(int(found.doubt[prior])), found.lower_bound[prior]
        said = in_words(found.log_evidence[prior], found.standard_error[prior], doubt, bound, digits=3)
        click.echo(
            f"log evidence, prior {label}: {said} nats, above {bound:.3f} at 95 %, effective sample size "
            f"{found.effective_sample_size[prior]:.1f} of {samples}"
        )
    if doubt := found.arcs_doubt(1):
        click.echo(
            f"arcs, prior uniform over graphs: unknown: {'; '.join(doubt.reasons)}; give more --samples or --steps"
        )
    else:
        click.echo(f"{'parent':>24}  {'child':24}  posterior  standard error")
    for u, v in () if doubt else arcs.by_probability(found)[:SHOWN_ARCS]:
        probability, error = found.arcs[1, u, v], found.arc_errors[1, u, v]
        click.echo(f"{found.names[u]:>24}  {found.names[v]:24}  {probability:9.4f}  {error:14.4f}")
    click.echo(f"written: {stem}.csv, {stem}.nc, {stem}.png")
