# The evidence and the joint probability of complete data, from counts that may be expected ones and so not integer,
# and the normaliser of the Dirichlet prior.
#
# symbol   name          shape          unit
# lambda   prior         (n_entries,)   1       Dirichlet hyperparameters, positive
# N        counts        (n_entries,)   1       N_ijk
# theta    parameters    (n_entries,)   1       probability of each entry
# row      rows          (n_entries,)           which row (variable, parent configuration) each entry is in, ascending
#
# In NumPy, with a = prior + counts and t(x) = np.bincount(rows, x):
#     log_evidence = (gammaln(a) - gammaln(prior)).sum() - (gammaln(t(a)) - gammaln(t(prior))).sum()
#     log_joint = xlogy(counts, parameters).sum()
#     log_beta = gammaln(prior).sum() - gammaln(t(prior)).sum()
from libc.float cimport DBL_MIN
from libc.math cimport log
from libc.stdint cimport int32_t

from ockham.kernels.beta cimport log_beta as log_beta_of
from ockham.kernels.checks cimport within
from ockham.kernels.special cimport digamma_log_gamma, log_positive


def log_evidence(
    const int32_t[::1] rows,            # IN
    const double[::1] prior,            # IN
    const double[::1] counts,           # IN
    Py_ssize_t n_parameter_rows,
):
    """Log of the integral of prod(theta ** N) over the Dirichlet prior, in nats."""
    cdef Py_ssize_t n_entries = prior.shape[0], e, j
    cdef double prior_total, total, result = 0.0
    if rows.shape[0] != n_entries or counts.shape[0] != n_entries:
        raise ValueError("the arrays of the complete-data evidence do not fit together")
    with nogil:
        for e in range(n_entries):
            result += log_rising(prior[e], counts[e])
        e = 0
        for j in range(n_parameter_rows):
            prior_total = total = 0.0
            while e < n_entries and rows[e] == j:
                prior_total += prior[e]
                total += counts[e]
                e += 1
            result -= log_rising(prior_total, total)
    if e != n_entries:
        raise ValueError("the rows of the complete-data evidence must ascend from 0 to n_parameter_rows - 1")
    return result


def log_joint(
    const double[::1] counts,           # IN
    const double[::1] parameters,       # IN
):
    """sum(N ln theta) in nats; an entry that was never counted contributes 0, whatever its probability."""
    cdef Py_ssize_t e
    cdef double result = 0.0
    if counts.shape[0] != parameters.shape[0]:
        raise ValueError("the arrays of the complete-data joint do not fit together")
    with nogil:
        for e in range(counts.shape[0]):
            if counts[e] != 0.0:
                # log_positive has the same bits everywhere, libc's log also knows 0 and subnormal numbers
                result += counts[e] * (log_positive(parameters[e]) if parameters[e] >= DBL_MIN else log(parameters[e]))
    return result


cpdef Py_ssize_t work_size(Py_ssize_t n_entries, Py_ssize_t n_parameter_rows) noexcept:
    """Doubles of work that ``log_beta`` takes."""
    return 3 * (n_entries + n_parameter_rows)


def log_beta(
    const int32_t[::1] rows,            # IN
    const double[::1] prior,            # IN
    Py_ssize_t n_parameter_rows,
    double[::1] work,                   # work
):
    """ln B(lambda) summed over the rows, in nats: minus the log normaliser of the Dirichlet densities."""
    cdef Py_ssize_t n_entries = prior.shape[0], n_all = n_entries + n_parameter_rows, e
    if rows.shape[0] != n_entries or work.shape[0] < work_size(n_entries, n_parameter_rows):
        raise ValueError("the arrays of the Dirichlet normaliser do not fit together")
    if not within(&rows[0], n_entries, n_parameter_rows):
        raise ValueError("a parameter row of the Dirichlet normaliser is out of range")
    for e in range(n_entries):
        work[e] = prior[e]
    return log_beta_of(&work[0], &rows[0], n_entries, n_parameter_rows, &work[n_all], &work[2 * n_all])


cdef inline double log_rising(double x, double n) noexcept nogil:
    """ln Gamma(x + n) - ln Gamma(x); exactly 0 for n = 0."""
    cdef double digamma, before, after
    digamma_log_gamma(x, &digamma, &before)
    digamma_log_gamma(x + n, &digamma, &after)
    return after - before
