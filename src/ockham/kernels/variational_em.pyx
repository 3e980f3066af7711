# Variational Bayesian EM for a discrete network with Dirichlet priors.
#
# symbol     name           shape              unit
# ln theta   log_start      (n_entries,)       nats    in: the starting point, for the first E step
# theta~     parameters     (n_entries + 2,)   1       work: exp E[ln theta], then two constants, 0 and 1
# lambda     prior          (n_entries,)       1       Dirichlet hyperparameters, positive
# a          posterior      (n_entries,)       1       out: Dirichlet parameters of q(theta), lambda + N
# N          counts         (n_entries + 2,)   1       out: expected counts of the E step at theta~
# row        rows           (n_entries,)               which row (variable, parent configuration) each entry belongs to
#
# One iteration in NumPy, with t = np.bincount(rows, a):
#     a = prior + N; theta = np.exp(digamma(a) - digamma(t)[rows]); log_z, N = E_step(theta)
#     bound = log_z - sum over rows of KL(Dir(a) || Dir(prior))
from libc.math cimport INFINITY, fabs
from libc.stdint cimport int32_t

from ockham.kernels.beta cimport log_beta
from ockham.kernels.checks cimport within
from ockham.kernels.expectation cimport expected_counts
from ockham.kernels.plan cimport Plan, bind, plan_size
from ockham.kernels.special cimport exp_nonpositive
from ockham.kernels.sums cimport sum_of


cpdef Py_ssize_t work_size(layout, Py_ssize_t n_entries, Py_ssize_t n_parameter_rows) except -1:
    """Doubles of work that ``run`` takes."""
    return plan_size(layout) + 3 * (n_entries + n_parameter_rows)


def run(
    layout,
    const int32_t[::1] rows,            # IN
    const double[::1] prior,            # IN
    const double[::1] log_start,        # IN
    double[::1] theta,                  # work
    double[::1] posterior,              # OUT
    double[::1] counts,                 # OUT
    double[::1] history,                # OUT bound after each iteration, as far as it reaches
    Py_ssize_t n_parameter_rows,
    Py_ssize_t max_iterations,
    double tolerance,                   # nats
    double[::1] work,                   # work
):
    """Iterate until the bound changes by less than the tolerance; returns (bound, iterations, converged)."""
    cdef Plan plan
    cdef Py_ssize_t n_entries = prior.shape[0], n_all, iteration = 0, used, e
    cdef double bound = -INFINITY, before = -INFINITY, log_beta_of_prior, log_z, minus_divergence = 0.0
    cdef bint converged = False
    used = bind(&plan, layout, n_entries, work)
    n_all = n_entries + n_parameter_rows
    if (rows.shape[0] != n_entries or log_start.shape[0] != n_entries or theta.shape[0] != n_entries + 2
            or counts.shape[0] != n_entries + 2
            or posterior.shape[0] != n_entries or work.shape[0] < work_size(layout, n_entries, n_parameter_rows)):
        raise ValueError("the arrays of variational EM do not fit together")
    if not within(&rows[0], n_entries, n_parameter_rows):
        raise ValueError("a parameter row of variational EM is out of range")
    cdef double* shape = &work[used]            # Dirichlet parameters of every entry, then the total of every row
    cdef double* digamma = shape + n_all
    cdef double* log_gamma = digamma + n_all
    cdef double* terms = log_gamma              # of the last sum, when ln Gamma has been used
    with nogil:
        for e in range(n_entries):
            shape[e] = prior[e]
            theta[e] = exp_nonpositive(log_start[e])
        log_beta_of_prior = log_beta(shape, &rows[0], n_entries, n_parameter_rows, digamma, log_gamma)
        theta[n_entries], theta[n_entries + 1] = 0.0, 1.0
        while True:
            log_z = expected_counts(&plan, &theta[0], &log_start[0] if iteration == 0 else digamma, &counts[0])
            if iteration > 0:
                bound = minus_divergence + log_z
                if iteration <= history.shape[0]:
                    history[iteration - 1] = bound
            converged = iteration > 0 and fabs(bound - before) < tolerance
            if converged or iteration >= max_iterations:
                break
            before = bound
            # -KL = ln B(a) - ln B(lambda) - sum (a - lambda) E[ln theta]
            for e in range(n_entries):
                shape[e] = prior[e] + counts[e]
            minus_divergence = (
                log_beta(shape, &rows[0], n_entries, n_parameter_rows, digamma, log_gamma) - log_beta_of_prior)
            for e in range(n_entries):
                digamma[e] -= digamma[n_entries + rows[e]]
            for e in range(n_entries):
                theta[e] = exp_nonpositive(digamma[e])
            for e in range(n_entries):
                terms[e] = counts[e] * digamma[e]
            minus_divergence -= sum_of(terms, n_entries)
            iteration += 1
        for e in range(n_entries):
            posterior[e] = shape[e]
    return bound, iteration, converged
