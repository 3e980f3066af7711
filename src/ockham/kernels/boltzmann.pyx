# The log partition function and the log likelihood of a restricted Boltzmann machine, with their gradients.
#
# symbol   name       shape               unit
# theta    theta      (V K + V + K,)      nats    W row by row, b, c
#          starts     (n_rows + 1,)               of the units that are 1 in each distinct row of the data
#          units      (starts[-1] + 1,)           the last is not used
#          counts     (n_rows,)           1       how often each row occurs
#          gradient   (V K + V + K,)      1       out
#
# boltzmann.pxd has the equations and the equivalent NumPy.
from libc.stdint cimport int32_t

from ockham.kernels.boltzmann cimport (
    Machine, Rows, bind, bind_rows, expected_features, log_likelihood, log_partition, machine_size, rows_size)


def work_size(Py_ssize_t n_visible, Py_ssize_t n_hidden, Py_ssize_t n_rows):
    """Doubles of work that the other functions take; ``partition`` has no rows."""
    return machine_size(n_visible, n_hidden) + rows_size(n_rows, n_hidden)


def partition(
    Py_ssize_t n_visible,
    Py_ssize_t n_hidden,
    const double[::1] theta,        # IN
    double[::1] means,              # OUT (V K + V + K,) E[f], or empty where it is not wanted
    double[::1] work,               # work
):
    """ln Z in nats."""
    cdef Machine machine
    cdef double log_total
    bind(&machine, n_visible, n_hidden, theta, work)
    if means.shape[0] and means.shape[0] != theta.shape[0]:
        raise ValueError("the arrays of a Boltzmann machine do not fit together")
    with nogil:
        log_total = log_partition(&machine, &theta[0])
        if means.shape[0]:
            expected_features(&machine, log_total, &means[0])
    return log_total


def likelihood(
    Py_ssize_t n_visible,
    Py_ssize_t n_hidden,
    const double[::1] theta,        # IN
    const int32_t[::1] starts,      # IN
    const int32_t[::1] units,       # IN
    const double[::1] counts,       # IN
    double[::1] gradient,           # OUT (V K + V + K,)
    double[::1] work,               # work
):
    """ln p(D | theta) in nats."""
    cdef Machine machine
    cdef Rows rows
    cdef double value
    bind_rows(
        &rows, starts, units, counts, n_visible, work[bind(&machine, n_visible, n_hidden, theta, work):], n_hidden)
    if gradient.shape[0] != theta.shape[0]:
        raise ValueError("the arrays of a Boltzmann machine do not fit together")
    with nogil:
        value = log_likelihood(&machine, &rows, &theta[0], &gradient[0])
    return value
