"""The Bayesian information criterion of restricted Boltzmann machines at the ML parameters; [ChenWelling2013]."""

from math import log

from ockham.contracts import Estimator, Evidence
from ockham.machines.data.binary_rows import BinaryRows
from ockham.machines.inference.fit import Fitting, check_fit, search
from ockham.machines.inference.likelihood import check_fits
from ockham.machines.restricted_boltzmann import RestrictedBoltzmann
from ockham.streams import Stream

__all__ = ["ESTIMATES", "Settings", "check", "score"]

ESTIMATES = {
    "bic_ml": Estimator(
        "Bayesian information criterion at the ML parameters", over_runs="median_without_error", uses_prior=False
    ),
    "bic_ml_prior": Estimator(
        "Bayesian information criterion with the prior at the ML parameters", over_runs="median_without_error"
    ),
}


class Settings(Fitting):
    """The fit."""


def check(model: RestrictedBoltzmann, n: int, settings: Settings) -> None:
    """Raise a ModelError for a fit that would cost too much."""
    check_fit(model, n, settings)


def score(model: RestrictedBoltzmann, data: BinaryRows, settings: Settings, stream: Stream) -> dict[str, Evidence]:
    """One ML fit: ln p(D | theta) - F/2 ln N, and the same with ln p(theta) added.

    The second is what section 3.1.5 of [ChenWelling2013] describes, the first four terms of eq. (5). Where the
    likelihood has no maximum, the parameters grow until the fit is stopped, and their penalty with them. Criteria have
    no standard error: that of an annealed partition function is a diagnostic, and above .5 nats they are doubted.
    """
    check_fits(model, data)
    check(model, data.n, settings)
    fit = search(model, data, settings, stream, with_prior=False)
    criterion = fit.log_likelihood - model.n_parameters / 2 * log(data.n)
    values = {"bic_ml": criterion, "bic_ml_prior": criterion + model.log_prior(fit.theta)}
    return {
        name: Evidence(value, n_evaluations=fit.n_evaluations, diagnostics=fit.diagnostics, doubt=fit.doubt)
        for name, value in values.items()
    }
