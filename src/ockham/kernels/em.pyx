# EM for the parameters of a discrete network: maximum a posteriori in the softmax basis, or maximum likelihood.
#
# symbol   name          shape              unit
# ln theta log_start     (n_entries,)       nats    in: the starting point
# theta    parameters    (n_entries + 2,)   1       out: the last M step, then two constants, 0 and 1
# lambda   prior         (n_entries,)       1       Dirichlet hyperparameters; all 0 for maximum likelihood
# N        counts        (n_entries + 2,)   1       out: expected counts at the returned theta
# row      row_starts    (n_rows + 1,)              first entry of every row (variable, parent configuration); n_entries
#
# One iteration in NumPy:
#     a = prior + N; theta = a / np.add.reduceat(a, row_starts[:-1])[rows]; log_likelihood, N = E_step(theta)
from libc.math cimport INFINITY, fabs
from libc.stdint cimport int32_t

from ockham.kernels.checks cimport ascends
from ockham.kernels.expectation cimport expected_counts
from ockham.kernels.plan cimport Plan, bind, plan_size
from ockham.kernels.special cimport exp_nonpositive, log_positive
from ockham.kernels.sums cimport terms_fit, weighted_sum_of_logs


cpdef Py_ssize_t work_size(layout, terms) except -1:
    """Doubles of work that ``run`` takes."""
    return plan_size(layout) + len(terms.weights)


def run(
    layout,
    const int32_t[::1] row_starts,      # IN
    const double[::1] prior,            # IN
    terms,                              # IN the entries in groups of equal hyperparameter
    const double[::1] log_start,        # IN
    double[::1] theta,                  # OUT
    double[::1] counts,                 # OUT
    double[::1] history,                # OUT objective before the first and after each iteration, as far as it reaches
    Py_ssize_t max_iterations,
    double tolerance,                   # nats
    double relative_tolerance,          # in units of the objective
    double[::1] work,                   # work
):
    """Iterate until the objective changes by less than the sum of the tolerances.

    Returns (log likelihood, objective, iterations, converged).
    """
    cdef Plan plan
    cdef Py_ssize_t n_entries = prior.shape[0], n_rows = row_starts.shape[0] - 1, iteration = 0, used, e
    cdef double log_likelihood = 0.0, objective = 0.0, before = 0.0, smallest_prior = INFINITY, n = 0.0
    cdef bint converged = False, shared
    used = bind(&plan, layout, n_entries, work)
    cdef const int32_t[:, ::1] products = terms.products
    cdef const int32_t[::1] singles = terms.singles
    cdef const double[::1] term_prior = terms.weights
    if (log_start.shape[0] != n_entries or theta.shape[0] != n_entries + 2 or counts.shape[0] != n_entries + 2
            or term_prior.shape[0] != products.shape[0] + singles.shape[0]
            or work.shape[0] < work_size(layout, terms)):
        raise ValueError("the arrays of EM do not fit together")
    if not (ascends(row_starts, n_entries) and terms_fit(products, singles, n_entries, n_entries + 2)):
        raise ValueError("an index of EM is out of range")
    cdef double* log_terms = &work[used]
    cdef const int32_t* shared_terms = &products[0, 0] if products.shape[0] else NULL
    with nogil:
        for e in range(n_entries):
            theta[e] = exp_nonpositive(log_start[e])
        theta[n_entries], theta[n_entries + 1] = 0.0, 1.0
        for e in range(n_entries):
            smallest_prior = min(smallest_prior, prior[e])
            n += prior[e]
        for e in range(plan.n_rows + plan.n_incomplete):
            n += plan.weights[e]
        shared = smallest_prior > 1e-62 * n        # no M step then gives a theta of which four underflow
        while True:
            log_likelihood = expected_counts(&plan, &theta[0], &log_start[0] if iteration == 0 else NULL, &counts[0])
            if iteration == 0:
                objective = log_likelihood + log_prior(&prior[0], &log_start[0], NULL, n_entries)
            elif shared:
                objective = log_likelihood + weighted_sum_of_logs(
                    &theta[0], shared_terms, products.shape[0], &singles[0], singles.shape[0], &term_prior[0],
                    log_terms)
            else:
                objective = log_likelihood + log_prior(&prior[0], NULL, &theta[0], n_entries)
            if iteration < history.shape[0]:
                history[iteration] = objective
            converged = iteration > 0 and fabs(objective - before) < tolerance + relative_tolerance * fabs(objective)
            if converged or iteration >= max_iterations:
                break
            before = objective
            maximise(&row_starts[0], n_rows, &prior[0], &counts[0], &theta[0])
            iteration += 1
    return log_likelihood, objective, iteration, converged


cdef inline void maximise(
    const int32_t* row_starts, Py_ssize_t n_rows, const double* prior, const double* counts, double* theta,
) noexcept nogil:
    """theta = (lambda + N) / row total; a row without any weight (maximum likelihood only) stays."""
    cdef Py_ssize_t e, j
    cdef double total
    for j in range(n_rows):
        total = 0.0
        for e in range(row_starts[j], row_starts[j + 1]):
            total += prior[e] + counts[e]
        if total > 1e-300:
            total = 1.0 / total
            for e in range(row_starts[j], row_starts[j + 1]):
                theta[e] = (prior[e] + counts[e]) * total


cdef inline double log_prior(
    const double* prior, const double* log_theta, const double* theta, Py_ssize_t n_entries,
) noexcept nogil:
    """Log prior density in the softmax basis, up to a constant: sum(lambda * ln theta) where lambda is not 0.

    The logs are given, or NULL and the parameters.
    """
    cdef Py_ssize_t e
    cdef double total = 0.0
    for e in range(n_entries):
        if prior[e] > 0.0:
            total += prior[e] * (log_theta[e] if log_theta != NULL else log_positive(theta[e]))
    return total
