"""The commands for networks on a table of one's own: ``ockham compare`` and ``search``."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ockham.io.extras import check_importable
from ockham.io.frames import read_table
from ockham.networks.comparisons.comparing import compare
from ockham.networks.searches.fits import SCORES
from ockham.networks.searches.searching import MOST, search
from ockham.networks.searches.structure_search import StructureSearch
from ockham.table_results.commands import FILE, OF_OUTPUT, OF_RUNS, OF_TABLE, in_text, options, run, table_arguments

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["compare_models", "search_structures"]


@click.command("compare")
@click.argument("models", type=FILE, nargs=-1, required=True)
@click.argument("data", type=FILE)
@options(OF_TABLE)
@click.option(
    "--prior",
    default="1",
    show_default=True,
    help="Hyperparameter of the Dirichlet priors of models that have none, or bdeu: and an equivalent sample size.",
)
@options((*OF_RUNS, *OF_OUTPUT))
def compare_models(
    models: tuple[Path, ...],
    data: Path,
    missing: tuple[str, ...],
    drop: tuple[str, ...],
    weights: str | None,
    no_header: bool,
    html: Path | None,
    output: Path | None,
    **arguments: Any,
) -> None:
    """Which of some MODELS the table DATA, a CSV file, speaks for.

    Each model is a network in a BIF file, whose probabilities do not count, or a YAML file with the keys of a listed
    structure (config/README.md). For each its evidence, with an error that is borne out or said to be unknown; the log
    Bayes factor against the best; and p(model | data). Everything goes to netCDF and to a page that stands by itself
    as well. Ctrl-C ends it with what is known.
    """
    check_importable("xarray")
    run(
        [data, *models],
        lambda: read_table(data, **table_arguments(missing, drop, weights, no_header)),
        lambda table: compare(models, table, **arguments),
        lambda found: [in_text(found.rows)],
        output,
        data.with_name(f"{data.stem}_models"),
        html,
        {},
    )


@click.command("search")
@click.argument("data", type=FILE)
@options(OF_TABLE)
@click.option(
    "--start", "starts", type=FILE, multiple=True, help="BIF or YAML file of a graph to start from; may be repeated."
)
@click.option(
    "--max-hidden",
    type=click.IntRange(0, MOST["max_hidden"]),
    default=2,
    show_default=True,
    help="Hidden variables at the most.",
)
@click.option(
    "--max-values",
    type=click.IntRange(2, MOST["max_values"]),
    default=4,
    show_default=True,
    help="Values of a hidden variable at the most.",
)
@click.option(
    "--max-indegree",
    type=click.IntRange(0, MOST["max_indegree"]),
    default=3,
    show_default=True,
    help="Parents of a variable at the most.",
)
@click.option(
    "--score",
    type=click.Choice(list(SCORES)),
    default="cheeseman_stutz",
    show_default=True,
    help="Lower bound of the evidence that the search climbs.",
)
@click.option(
    "--climbs", type=click.IntRange(1, MOST["climbs"]), default=20, show_default=True, help="How often it starts anew."
)
@click.option(
    "--judged",
    type=click.IntRange(1, MOST["judged"]),
    default=5,
    show_default=True,
    help="How many graphs have their evidence computed.",
)
@click.option(
    "--prior",
    default="1",
    show_default=True,
    help="Hyperparameter of the Dirichlet priors, or bdeu: and an equivalent sample size.",
)
@options((*OF_RUNS, *OF_OUTPUT))
def search_structures(
    data: Path,
    missing: tuple[str, ...],
    drop: tuple[str, ...],
    weights: str | None,
    no_header: bool,
    starts: tuple[Path, ...],
    html: Path | None,
    output: Path | None,
    **arguments: Any,
) -> None:
    """Networks with hidden variables for DATA, a CSV file of names and answers.

    Structural EM over arcs and hidden variables from several starts; of the best graphs, those without hidden variables
    among them, the evidence, with an error that is borne out or said to be unknown, and p(model | data). Everything
    goes to netCDF, to a page that stands by itself and to a picture, and the first graph to a YAML file that ockham
    compare takes. Ctrl-C ends it with what is known.
    """
    check_importable("matplotlib", "xarray")

    def shown(found: StructureSearch) -> list[str]:
        from ockham.networks.searches.showing import arc_lines

        name, network = next(iter(found.models.items()))
        return [in_text(found.rows), "\n".join([f"{name}:", *(arc_lines(network) or ["no arcs"])])]

    def picture(found: StructureSearch) -> "Figure":
        from ockham.networks.searches.drawing import figure

        return figure(found)

    run(
        [data, *starts],
        lambda: read_table(data, **table_arguments(missing, drop, weights, no_header)),
        lambda table: search(table, starts=starts or None, **arguments),
        shown,
        output,
        data.with_name(f"{data.stem}_search"),
        html,
        {"png": picture, "yaml": StructureSearch.to_yaml},
    )
