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

from ockham.kernels.checks cimport within
from ockham.kernels.expectation cimport Plan, bind, expected_counts
from ockham.kernels.special cimport digamma_log_gamma, exp_nonpositive


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
    cdef double bound = -INFINITY, before, normaliser = 0.0
    cdef bint converged = False
    used = bind(&plan, layout, n_entries, work)
    n_all = n_entries + n_parameter_rows
    if (rows.shape[0] != n_entries or log_start.shape[0] != n_entries or theta.shape[0] != n_entries + 2
            or counts.shape[0] != n_entries + 2
            or posterior.shape[0] != n_entries or work.shape[0] < used + 3 * n_all):
        raise ValueError("the arrays of variational EM do not fit together")
    if not within(&rows[0], n_entries, n_parameter_rows):
        raise ValueError("a parameter row of variational EM is out of range")
    cdef double* shape = &work[used]            # Dirichlet parameters of every entry, then the total of every row
    cdef double* digamma = shape + n_all
    cdef double* log_gamma = digamma + n_all
    with nogil:
        normaliser = log_normaliser(&rows[0], &prior[0], NULL, shape, digamma, log_gamma, n_entries, n_parameter_rows)
        for e in range(n_entries):
            theta[e] = exp_nonpositive(log_start[e])
        theta[n_entries], theta[n_entries + 1] = 0.0, 1.0
        expected_counts(&plan, &theta[0], &log_start[0], &counts[0])
        while iteration < max_iterations:
            before = bound
            # -KL = log normaliser of q - log normaliser of the prior - sum (a - lambda) E[ln theta]
            bound = log_normaliser(
                &rows[0], &prior[0], &counts[0], shape, digamma, log_gamma, n_entries, n_parameter_rows) - normaliser
            for e in range(n_entries):
                digamma[e] -= digamma[n_entries + rows[e]]
            for e in range(n_entries):
                theta[e] = exp_nonpositive(digamma[e])
            bound -= dot(&counts[0], digamma, n_entries)
            bound += expected_counts(&plan, &theta[0], digamma, &counts[0])
            iteration += 1
            if iteration <= history.shape[0]:
                history[iteration - 1] = bound
            if fabs(bound - before) < tolerance:
                converged = True
                break
        for e in range(n_entries):
            posterior[e] = shape[e]
    return bound, iteration, converged


cdef inline double log_normaliser(
    const int32_t* rows, const double* prior, const double* counts, double* shape, double* digamma, double* log_gamma,
    Py_ssize_t n_entries, Py_ssize_t n_parameter_rows,
) noexcept nogil:
    """sum over rows of ln B(a) with a = prior + counts (prior alone where counts is NULL); fills the three work arrays."""
    cdef Py_ssize_t e, k, n_all = n_entries + n_parameter_rows
    cdef double[4] partial
    cdef double total = 0.0
    for e in range(n_entries, n_all):
        shape[e] = 0.0
    for e in range(n_entries):
        shape[e] = prior[e] if counts == NULL else prior[e] + counts[e]
        shape[n_entries + rows[e]] += shape[e]
    for e in range(n_all):
        digamma_log_gamma(shape[e], &digamma[e], &log_gamma[e])
    for k in range(4):
        partial[k] = 0.0
    for e in range(0, n_entries - 3, 4):
        for k in range(4):
            partial[k] += log_gamma[e + k]
    for e in range(n_entries - n_entries % 4, n_entries):
        total += log_gamma[e]
    total += (partial[0] + partial[1]) + (partial[2] + partial[3])
    for e in range(n_entries, n_all):
        total -= log_gamma[e]
    return total


cdef inline double dot(const double* x, const double* y, Py_ssize_t n) noexcept nogil:
    cdef Py_ssize_t e, k
    cdef double[4] partial
    cdef double total = 0.0
    for k in range(4):
        partial[k] = 0.0
    for e in range(0, n - 3, 4):
        for k in range(4):
            partial[k] += x[e + k] * y[e + k]
    for e in range(n - n % 4, n):
        total += x[e] * y[e]
    return total + ((partial[0] + partial[1]) + (partial[2] + partial[3]))
