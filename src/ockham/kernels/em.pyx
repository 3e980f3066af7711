# EM for the parameters of a discrete network: maximum a posteriori in the softmax basis, or maximum likelihood.
#
# symbol   name          shape              unit
# ln theta log_start     (n_entries,)       nats    in: the starting point
# theta    parameters    (n_entries + 2,)   1       out: the last M step, then two constants, 0 and 1
# lambda   prior         (n_entries,)       1       Dirichlet hyperparameters; all 0 for maximum likelihood
# N        counts        (n_entries + 2,)   1       out: expected counts at the returned theta
# row      rows          (n_entries,)               which row (variable, parent configuration) each entry belongs to
#
# One iteration in NumPy: a = prior + N; theta = a / np.bincount(rows, a)[rows]; log_likelihood, N = E_step(theta)
from libc.math cimport fabs
from libc.stdint cimport int32_t

from ockham.kernels.checks cimport within
from ockham.kernels.expectation cimport Plan, bind, expected_counts
from ockham.kernels.special cimport exp_nonpositive, log_positive


def run(
    layout,
    const int32_t[::1] rows,            # IN
    const double[::1] prior,            # IN
    const double[::1] log_start,        # IN
    double[::1] theta,                  # OUT
    double[::1] counts,                 # OUT
    double[::1] history,                # OUT objective before the first and after each iteration, as far as it reaches
    Py_ssize_t n_parameter_rows,
    Py_ssize_t max_iterations,
    double tolerance,                   # nats
    double[::1] work,                   # work
):
    """Iterate until the objective changes by less than the tolerance.

    Returns (log likelihood, objective, iterations, converged).
    """
    cdef Plan plan
    cdef Py_ssize_t n_entries = prior.shape[0], iteration = 0, used, e
    cdef double log_likelihood, objective, before
    cdef bint converged = False
    used = bind(&plan, layout.entry, layout.left_rows, layout.right_rows, layout.row_start, layout.row_right,
                layout.weights, n_entries, work)
    if (rows.shape[0] != n_entries or log_start.shape[0] != n_entries or theta.shape[0] != n_entries + 2
            or counts.shape[0] != n_entries + 2
            or work.shape[0] < used + n_parameter_rows):
        raise ValueError("the arrays of EM do not fit together")
    if not within(&rows[0], n_entries, n_parameter_rows):
        raise ValueError("a parameter row of EM is out of range")
    cdef double* totals = &work[used]
    with nogil:
        for e in range(n_entries):
            theta[e] = exp_nonpositive(log_start[e])
        theta[n_entries], theta[n_entries + 1] = 0.0, 1.0
        log_likelihood = expected_counts(&plan, &theta[0], &log_start[0], &counts[0])
        objective = log_likelihood
        for e in range(n_entries):
            if prior[e] > 0.0:          # a hyperparameter of 0 leaves its entry out, also where that is 0
                objective += prior[e] * log_start[e]
        if history.shape[0]:
            history[0] = objective
        while iteration < max_iterations:
            before = objective
            maximise(&rows[0], &prior[0], &counts[0], &theta[0], totals, n_entries, n_parameter_rows)
            log_likelihood = expected_counts(&plan, &theta[0], NULL, &counts[0])
            objective = log_likelihood + log_prior(&prior[0], &theta[0], n_entries)
            iteration += 1
            if iteration < history.shape[0]:
                history[iteration] = objective
            if fabs(objective - before) < tolerance:
                converged = True
                break
    return log_likelihood, objective, iteration, converged


cdef inline void maximise(
    const int32_t* rows, const double* prior, const double* counts, double* theta, double* totals,
    Py_ssize_t n_entries, Py_ssize_t n_parameter_rows,
) noexcept nogil:
    """theta = (lambda + N) / row total; a row without any weight (maximum likelihood only) keeps its value."""
    cdef Py_ssize_t e
    for e in range(n_parameter_rows):
        totals[e] = 0.0
    for e in range(n_entries):
        totals[rows[e]] += prior[e] + counts[e]
    for e in range(n_entries):
        if totals[rows[e]] > 0.0:
            theta[e] = (prior[e] + counts[e]) / totals[rows[e]]


cdef inline double log_prior(const double* prior, const double* theta, Py_ssize_t n_entries) noexcept nogil:
    """Log prior density in the softmax basis, up to a constant: sum(lambda * log(theta)); an M step left no 0 under a prior."""
    cdef Py_ssize_t e, k
    cdef double[4] partial
    cdef double total = 0.0
    for k in range(4):
        partial[k] = 0.0
    for e in range(0, n_entries - 3, 4):
        for k in range(4):
            partial[k] += prior[e + k] * log_positive(theta[e + k])
    for e in range(n_entries - n_entries % 4, n_entries):
        total += prior[e] * log_positive(theta[e])
    return total + ((partial[0] + partial[1]) + (partial[2] + partial[3]))
