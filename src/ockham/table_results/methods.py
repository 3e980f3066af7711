"""Sentences that paragraphs on methods share, and what they cite."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

import numpy as np

from ockham.estimation.certifying import Certified
from ockham.estimation.model_posterior import Label, in_words, listed
from ockham.io.netcdf import provenance

if TYPE_CHECKING:
    from ockham.table_results.results import TableResult
    from ockham.table_results.selection import Selection

__all__ = [
    "REFERENCES", "errors_of", "found_by", "missing_cells", "of_evidences", "of_others", "of_posterior", "of_program",
    "of_scores", "references", "span", "unchecked",
]  # fmt: skip

REFERENCES = {
    "Beal & Ghahramani, 2006": "Beal, M. J., & Ghahramani, Z. (2006). Variational Bayesian learning of directed "
    "graphical models with hidden variables. Bayesian Analysis, 1(4), 793-832.",
    "Cheeseman & Stutz, 1996": "Cheeseman, P., & Stutz, J. (1996). Bayesian classification (AutoClass): Theory and "
    "results. In Advances in Knowledge Discovery and Data Mining (pp. 153-180). AAAI Press.",
    "Chickering & Heckerman, 1997": "Chickering, D. M., & Heckerman, D. (1997). Efficient approximations for the "
    "marginal likelihood of Bayesian networks with hidden variables. Machine Learning, 29(2-3), 181-212.",
    "Dau & Chopin, 2022": "Dau, H.-D., & Chopin, N. (2022). Waste-free sequential Monte Carlo. Journal of the Royal "
    "Statistical Society, Series B, 84(1), 114-148.",
    "Del Moral et al., 2006": "Del Moral, P., Doucet, A., & Jasra, A. (2006). Sequential Monte Carlo samplers. Journal "
    "of the Royal Statistical Society, Series B, 68(3), 411-436.",
    "Elidan et al., 2000": "Elidan, G., Lotner, N., Friedman, N., & Koller, D. (2000). Discovering hidden variables: A "
    "structure-based approach. In Advances in Neural Information Processing Systems 13 (pp. 479-485). MIT Press.",
    "Friedman, 1997": "Friedman, N. (1997). Learning belief networks in the presence of missing values and hidden "
    "variables. In Proceedings of the Fourteenth International Conference on Machine Learning (pp. 125-133). Morgan "
    "Kaufmann.",
    "Friedman, 1998": "Friedman, N. (1998). The Bayesian structural EM algorithm. In Proceedings of the Fourteenth "
    "Conference on Uncertainty in Artificial Intelligence (pp. 129-138). Morgan Kaufmann.",
    "Frühwirth-Schnatter, 2004": "Frühwirth-Schnatter, S. (2004). Estimating marginal likelihoods for mixture and "
    "Markov switching models using bridge sampling techniques. The Econometrics Journal, 7(1), 143-167.",
    "Goodman, 1974": "Goodman, L. A. (1974). Exploratory latent structure analysis using both identifiable and "
    "unidentifiable models. Biometrika, 61(2), 215-231.",
    "Heckerman et al., 1995": "Heckerman, D., Geiger, D., & Chickering, D. M. (1995). Learning Bayesian networks: The "
    "combination of knowledge and statistical data. Machine Learning, 20, 197-243.",
    "Kass & Raftery, 1995": "Kass, R. E., & Raftery, A. E. (1995). Bayes factors. Journal of the American Statistical "
    "Association, 90(430), 773-795.",
    "Kong et al., 1994": "Kong, A., Liu, J. S., & Wong, W. H. (1994). Sequential imputations and Bayesian missing data "
    "problems. Journal of the American Statistical Association, 89(425), 278-288.",
    "Meng & Wong, 1996": "Meng, X.-L., & Wong, W. H. (1996). Simulating ratios of normalizing constants via a simple "
    "identity: A theoretical exploration. Statistica Sinica, 6, 831-860.",
    "Neal, 2001": "Neal, R. M. (2001). Annealed importance sampling. Statistics and Computing, 11(2), 125-139.",
    "Oberski et al., 2013": "Oberski, D. L., van Kollenburg, G. H., & Vermunt, J. K. (2013). A Monte Carlo evaluation "
    "of three methods to detect local dependence in binary data latent class models. Advances in Data Analysis and "
    "Classification, 7(3), 267-279.",
    "Ramaswamy et al., 1993": "Ramaswamy, V., DeSarbo, W. S., Reibstein, D. J., & Robinson, W. T. (1993). An empirical "
    "pooling approach for estimating marketing mix elasticities with PIMS data. Marketing Science, 12(1), 103-124.",
    "Schwarz, 1978": "Schwarz, G. (1978). Estimating the dimension of a model. The Annals of Statistics, 6(2), "
    "461-464.",
    "Tutz, 1991": "Tutz, G. (1991). Sequential models in categorical regression. Computational Statistics & Data "
    "Analysis, 11(3), 275-295.",
}
"""Citation to reference."""
WORTH_NAMING = 0.01
"""p(K | data), from which on it is."""


def references(paragraph: str) -> tuple[str, ...]:
    """Of what a paragraph cites."""
    return tuple(reference for citation, reference in REFERENCES.items() if citation in paragraph)


def missing_cells(missing: np.ndarray, counts: np.ndarray) -> Iterator[str]:
    """What was done about them, if there are some; bool, shape (n_rows, n_items), of rows that occur so often."""
    if missing.any():
        n_cells, n_rows = int((missing * counts[:, None]).sum()), int(counts[missing.any(axis=1)].sum())
        yield (
            f"Missing cells ({n_cells / counts.sum() / missing.shape[1]:.1%} of all, in {n_rows:,} rows) were summed "
            "out, as if missing at random."
        )


def of_evidences(found: "Selection", estimated_by: Mapping[str, str]) -> Iterator[str]:
    """By what the number of classes was judged, and how sure it is; ``estimated_by`` has scorers in words."""
    known = {k: each for k, each in found.evidences.items() if each.trusted}
    ways = found_by(known, estimated_by, lambda of: f"K = {span(of)}")
    how = f" It was found {', '.join(ways)}." if ways else ""
    yield (
        "The number of classes K was judged by the marginal likelihood of each model (its evidence; Chickering & "
        f"Heckerman, 1997).{how}"
    )
    yield from errors_of(known, estimated_by, lambda of: f"K = {span(of)}")
    if unknown := [k for k in found.classes if k not in known]:
        yield f"For K = {span(unknown)} it could not be established, and is treated as unknown."


def found_by(
    known: Mapping[Label, Certified], estimated_by: Mapping[str, str], words: Callable[[list[Label]], str]
) -> list[str]:
    """``for K = 1 and 2 by bridge sampling``: by which scorer evidences are; ``words`` says of which models."""
    by_scorer = _grouped({model: each.scorer for model, each in known.items()})
    return [f"for {words(of)} by {estimated_by.get(name, name)}" for name, of in by_scorer.items()]


def errors_of(
    known: Mapping[Label, Certified], estimated_by: Mapping[str, str], words: Callable[[list[Label]], str]
) -> Iterator[str]:
    """Standard errors of evidences that are not exact, and what agreed with them."""
    sampled = {model: each for model, each in known.items() if each.standard_error > 0}
    if not sampled:
        return
    yield f"Standard errors of its logarithm were {_range([each.standard_error for each in sampled.values()])} nats."
    for name, of in _grouped({model: each.checked_by for model, each in sampled.items() if each.checked_by}).items():
        yield f"For {words(of)} {estimated_by.get(name, name)} agreed within the errors."
    for lack, of in unchecked(sampled).items():
        yield f"For {words(of)} no second estimate was {lack} for a check."


def unchecked(known: Mapping[Label, Certified]) -> dict[str, list[Label]]:
    """Models whose evidence no second estimate checks, by what none was."""
    return _grouped({model: each.unchecked for model, each in known.items() if each.unchecked})


def _grouped(names: Mapping[Label, str]) -> dict[str, list[Label]]:
    found: dict[str, list[Label]] = {}
    for model, name in names.items():
        found.setdefault(name, []).append(model)
    return found


def of_posterior(found: "Selection") -> Iterator[str]:
    """p(K | data) in sentences."""
    of = found.posterior
    if of.unknown:
        yield "As an evidence is unknown, posterior probabilities of K have bounds only."
        if of.leading:
            yield f"Of those that are known, the highest evidence is that of K = {listed(of.leading, 'or')}."
        return
    yield (
        "Posterior probabilities of K, under a uniform prior over these numbers, have 95 % intervals to which the "
        "standard errors were propagated by simulation."
    )
    every = zip(of.models, of.probability, of.low, of.high, strict=True)
    said = [
        f"{in_words(p)} ({in_words(low)} to {in_words(high)}) for K = {k}"
        for k, p, low, high in every
        if p >= WORTH_NAMING
    ]
    if of.chosen is not None:
        yield f"The evidence was highest for K = {of.chosen}."
    else:
        yield f"The errors leave open for which of K = {listed(of.leading, 'or')} the evidence was highest."
    yield f"Probabilities of {WORTH_NAMING:g} and more are {', '.join(said)}."


def of_scores(found: "Selection") -> Iterator[str]:
    """What stands beside the evidence, where there was time for it."""
    if found.fits:
        yield (
            "Beside the evidence stand the BIC (Schwarz, 1978), the Cheeseman-Stutz score (Cheeseman & Stutz, "
            "1996) and the lower bound of variational Bayes (Beal & Ghahramani, 2006), each the best of several starts."
        )


def of_others(found: "Selection", cited: str = "") -> Iterator[str]:
    """Which number of classes has the highest evidence under other priors; ``cited`` is where these are from."""
    if found.others:
        said = "; ".join(
            f"{'unknown' if under.posterior.unknown else f'K = {under.posterior}'} under {under.prior.name}"
            for under in found.others
        )
        yield f"The choice was repeated under other priors{cited}; the highest evidence was {said}."


def of_program(found: "TableResult", by: Mapping[str, str] | None = None) -> Iterator[str]:
    """With its version, and the seed; ``by`` is what ``provenance`` said where it was made, by default here."""
    by = provenance() if by is None else by
    at = f", commit {by['commit']}" if by["commit"] != "unknown" else ""
    yield f"Computations were made with Ockham {by['ockham_version']}{at}, seed {found.seed}."


def span(numbers: Iterable[int]) -> str:
    """``1 to 8``, or a list where some between are left out."""
    given = list(numbers)
    if len(given) > 2 and given == list(range(given[0], given[-1] + 1)):
        return f"{given[0]} to {given[-1]}"
    return listed(given, "and")


def _range(values: list[float]) -> str:
    low, high = (f"{value:.2g}" for value in (min(values), max(values)))
    return low if low == high else f"{low} to {high}"
