# Variational Bayesian EM for a finite mixture of conjugate items.
#
# symbol      name                shape                        unit
# N_q, S_q    posterior_cases,    (n_classes,),                1       in: what q(theta) is the prior updated by;
#             posterior_sums      (n_statistics, n_classes)            out: of the last VBM step
# N, S        cases, sums         as these                     1       out: of the VBE step after it
# <phi>       natural             (n_statistics, n_classes)            work: means under q(theta)
# <ln pi>     log_weights         (n_classes,)                 nats    work
#
# One iteration in NumPy, in the notation of mixture.pxd and conjugate.pxd:
#     N_q, S_q = N, S; <phi>, <ln pi> = means under the priors updated by these
#     log_z, S, N = E_step(<phi>, <ln pi>)
#     bound = log_z - S_q . <phi> - N_q . <ln pi> + ln m(N_q, S_q)
from libc.math cimport fabs
from libc.string cimport memcpy

from ockham.kernels.conjugate cimport update
from ockham.kernels.mixture cimport Mixture, bind_mixture, expect, mixture_size
from ockham.kernels.plan cimport Plan


cpdef Py_ssize_t work_size(layout) except -1:
    """Doubles of work that ``run`` takes."""
    return mixture_size(layout)


def run(
    layout,
    double[::1] posterior_cases,        # INOUT
    double[:, ::1] posterior_sums,      # INOUT
    double[::1] log_weights,            # work
    double[:, ::1] natural,             # work
    double[::1] cases,                  # OUT
    double[:, ::1] sums,                # OUT
    Py_ssize_t max_iterations,
    double tolerance,                   # nats
    double relative_tolerance,          # in units of the bound
    double[::1] work,                   # work
):
    """Iterate until the bound changes by less than the sum of the tolerances.

    Returns (bound, iterations, converged), the bound but for base measures. The first is that of the given q(theta).
    """
    cdef Mixture mixture
    cdef Plan plan
    cdef Py_ssize_t iteration = 0, n_classes, n_sums
    cdef double bound = 0.0, before = 0.0, of_prior, of_posterior
    cdef bint converged = False
    bind_mixture(&mixture, &plan, layout, log_weights, natural, cases, sums, work)
    n_classes, n_sums = mixture.n_classes, mixture.n_statistics * mixture.n_classes
    if (posterior_cases.shape[0] != n_classes or posterior_sums.shape[0] != mixture.n_statistics
            or posterior_sums.shape[1] != n_classes):
        raise ValueError("the arrays of a mixture do not fit together")
    if not mixture.weights_prior > 0.0:
        raise ValueError("variational EM needs a prior")
    cases[:] = 0.0
    sums[:, :] = 0.0
    of_prior = update(&mixture)
    memcpy(&cases[0], &posterior_cases[0], n_classes * sizeof(double))
    memcpy(&sums[0, 0], &posterior_sums[0, 0], n_sums * sizeof(double))
    with nogil:
        while True:
            of_posterior = update(&mixture)
            bound = expect(&mixture, &plan) + of_posterior - of_prior
            converged = iteration > 0 and fabs(bound - before) < tolerance + relative_tolerance * fabs(bound)
            if converged or iteration >= max_iterations:
                break
            before = bound
            memcpy(&posterior_cases[0], mixture.cases, n_classes * sizeof(double))
            memcpy(&posterior_sums[0, 0], mixture.sums, n_sums * sizeof(double))
            iteration += 1
    return bound, iteration, converged
