"""The commands of studies of node orders, which ``ockham.cli`` has under its own name."""

from pathlib import Path

import click

from ockham import studies
from ockham.errors import DataError
from ockham.orders import arcs
from ockham.orders import records as order_records
from ockham.orders import runs as orders
from ockham.orders.data.structure_data import read_csv
from ockham.orders.family_records import read_family_scores, write_family_scores
from ockham.orders.settings import NODE_ORDER
from ockham.studies.study_files import check_one_of

__all__ = ["COMMANDS"]

CONFIG = click.argument("config", type=click.Path(path_type=Path))
FAMILIES = click.argument("families", type=click.Path(path_type=Path))
SHOWN_ARCS = 20
OUTPUT = click.option("--output", type=click.Path(path_type=Path), required=True, help="netCDF file to write.")


@click.command()
@CONFIG
@OUTPUT
def families(config: Path, output: Path) -> None:
    """Score every family of a study's data."""
    study = studies.load(config, NODE_ORDER)
    scores = orders.scores_of(study, orders.data_of(study))
    write_family_scores(output, scores, order_records.families_specification(study), study.sample_size)
    click.echo(f"{study.name}: {scores.log_scores.size} families of {scores.n_nodes} variables")


@click.command()
@CONFIG
@click.argument("scorer")
@click.argument("block")
@FAMILIES
@OUTPUT
def sample(config: Path, scorer: str, block: str, families: Path, output: Path) -> None:
    """Run one sampler of node orders, for the runs of one job, on the scores of FAMILIES."""
    study = studies.load(config, NODE_ORDER)
    check_one_of(config, "scorers", scorer, list(study.scorers))
    check_one_of(config, f"block of {scorer}", block, list(study.blocks(scorer)))
    scores = read_family_scores(families, order_records.families_specification(study))
    chosen = study.blocks(scorer)[block]
    sums = orders.sums_of(study, scores, study.scorers[scorer].steps * len(chosen.runs))
    order_records.write_samples(output, study, chosen, sums, orders.sample_block(study, chosen, sums), scores.names)
    click.echo(f"{scorer} {block}: {len(chosen.runs)} runs with sums from {sums.method}")


@click.command("exact-orders")
@CONFIG
@FAMILIES
@OUTPUT
def exact_orders(config: Path, families: Path, output: Path) -> None:
    """Find the exact values that a study asks for, on the scores of FAMILIES."""
    study = studies.load(config, NODE_ORDER)
    scores = read_family_scores(families, order_records.families_specification(study))
    order_records.write_exact(output, study, scores.names, orders.exact_values(study, scores))


@click.command("arcs")
@click.argument("data", type=click.Path(path_type=Path))
@click.option("--max-indegree", type=click.IntRange(0, 63), default=3, show_default=True, help="Parents at the most.")
@click.option(
    "--sample-size",
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
    sample_size: float,
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
    found = arcs.estimate(
        table, max_indegree, sample_size, samples, steps or min(4 * n * n_rows, 200_000), graphs, seed
    )
    arcs.write_csv(Path(f"{stem}.csv"), found)
    arcs.write_netcdf(Path(f"{stem}.nc"), found)
    from ockham.papers.niinimaki_koivisto_2013.figures import (
        figure_arcs,
    )  # Matplotlib is slow to import, and no other command needs it
    from ockham.papers.style import save

    save(figure_arcs(found.names, found.arcs[1]), Path(f"{stem}.png"))
    click.echo(f"{data}: {n} variables, {n_rows} rows; {samples} orders, sums from {found.about['method']}")
    for prior, label in ((1, "uniform over graphs"), (0, "order-modular")):
        click.echo(
            f"log evidence, prior {label}: {found.log_evidence[prior]:.3f} +- {found.standard_error[prior]:.3f} nats, "
            f"above {found.lower_bound[prior]:.3f} at 95 %, effective sample size "
            f"{found.effective_sample_size[prior]:.1f} of {samples}"
        )
    click.echo(f"{'parent':>24}  {'child':24}  posterior  standard error")
    for u, v in arcs.by_probability(found)[:SHOWN_ARCS]:
        probability, error = found.arcs[1, u, v], found.arc_errors[1, u, v]
        click.echo(f"{found.names[u]:>24}  {found.names[v]:24}  {probability:9.4f}  {error:14.4f}")
    click.echo(f"written: {stem}.csv, {stem}.nc, {stem}.png")


COMMANDS = (families, sample, exact_orders, arcs_of_table)
