# The log of the multivariate beta function, which normalises a Dirichlet distribution, over all rows of parameters.
#
# symbol     name         shape                      unit
# a          shape        (n_entries,)               1       Dirichlet parameters, positive
# j          rows         (n_entries,)                       which row (variable, parent configuration) each entry is in
# a_j        totals       (n_parameter_rows,)        1       np.bincount(rows, shape), after the entries' in every array
#
# In NumPy: gammaln(shape).sum() - gammaln(totals).sum()
from libc.stdint cimport int32_t

from ockham.kernels.special cimport digamma_log_gamma
from ockham.kernels.sums cimport sum_of


cdef inline double log_beta(
    double* shape, const int32_t* rows, Py_ssize_t n_entries, Py_ssize_t n_parameter_rows,
    double* digamma, double* log_gamma,
) noexcept nogil:
    """sum over rows of ln B(a), nats; sets the totals, and digamma and ln Gamma of every element and every total.

    The arrays have n_entries + n_parameter_rows elements, and of ``shape`` the first n_entries are given.
    """
    cdef Py_ssize_t e, n_all = n_entries + n_parameter_rows
    for e in range(n_entries, n_all):
        shape[e] = 0.0
    for e in range(n_entries):
        shape[n_entries + rows[e]] += shape[e]
    for e in range(n_all):
        digamma_log_gamma(shape[e], &digamma[e], &log_gamma[e])
    return sum_of(log_gamma, n_entries) - sum_of(log_gamma + n_entries, n_parameter_rows)
