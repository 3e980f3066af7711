# EM for the parameters of a finite mixture of conjugate items: maximum a posteriori, or maximum likelihood.
#
# symbol   name           shape                        unit
# ln pi    log_weights    (n_classes,)                 nats    in: the starting point; out: of the last M step
# phi      natural        (n_statistics, n_classes)            in and out as well
# N        cases          (n_classes,)                 1       out: expected rows of every class at these parameters
# S        sums           (n_statistics, n_classes)            out: expected sums
#
# One iteration in NumPy, in the notation of mixture.pxd and conjugate.pxd:
#     phi, log_weights = modes of the priors updated by S and N; log_likelihood, S, N = E_step(phi, log_weights)
from libc.math cimport fabs

from ockham.kernels.conjugate cimport maximise, update
from ockham.kernels.mixture cimport Mixture, bind_mixture, expect, mixture_size
from ockham.kernels.plan cimport Plan


cpdef Py_ssize_t work_size(layout) except -1:
    """Doubles of work that ``run`` takes."""
    return mixture_size(layout)


def run(
    layout,
    double[::1] log_weights,            # INOUT
    double[:, ::1] natural,             # INOUT
    double[::1] cases,                  # OUT
    double[:, ::1] sums,                # OUT
    double log_prior,                   # log prior density of the starting point, nats; 0 for maximum likelihood
    Py_ssize_t max_iterations,
    double tolerance,                   # nats
    double relative_tolerance,          # in units of the objective
    double[::1] work,                   # work
):
    """Iterate until the objective changes by less than the sum of the tolerances.

    Returns (log likelihood, objective, iterations, converged), the first two but for base measures.
    """
    cdef Mixture mixture
    cdef Plan plan
    cdef Py_ssize_t iteration = 0
    cdef double log_likelihood = 0.0, objective = 0.0, before = 0.0, log_normaliser = 0.0
    cdef bint converged = False
    cdef double[::1] weights_at_nothing = log_weights.copy()
    cdef double[:, ::1] natural_at_nothing = natural.copy()
    bind_mixture(&mixture, &plan, layout, weights_at_nothing, natural_at_nothing, cases, sums, work)
    cases[:] = 0.0
    sums[:, :] = 0.0
    if mixture.weights_prior > 0.0:
        log_normaliser = update(&mixture)
    mixture.log_weights, mixture.natural = &log_weights[0], &natural[0, 0]
    with nogil:
        while True:
            log_likelihood = expect(&mixture, &plan)
            objective = log_likelihood + log_prior
            converged = iteration > 0 and fabs(objective - before) < tolerance + relative_tolerance * fabs(objective)
            if converged or iteration >= max_iterations:
                break
            before = objective
            log_prior = maximise(&mixture) - log_normaliser
            if mixture.weights_prior == 0.0:
                log_prior = 0.0
            iteration += 1
    return log_likelihood, objective, iteration, converged
