# Draws of independent Dirichlet rows.
from libc.stdint cimport int32_t

from ockham.kernels.checks cimport ascends
from ockham.kernels.sampling cimport draw_dirichlet, generator_of
from ockham.kernels.special cimport log_positive


cpdef Py_ssize_t work_size(Py_ssize_t n_entries) noexcept:
    """Doubles of work that ``sample_log`` takes."""
    return 2 * n_entries


def sample_log(
    bit_generator,
    const int32_t[::1] row_starts,      # IN (n_rows + 1,)
    const double[::1] shape,            # IN (n_entries,) Dirichlet parameters, positive and normal
    double[::1] log_theta,              # OUT (n_entries,) nats
    double[::1] work,                   # work
):
    """Logs of one draw of every row."""
    cdef Py_ssize_t n_rows = row_starts.shape[0] - 1, n_entries = shape.shape[0], e
    if log_theta.shape[0] != n_entries or work.shape[0] < work_size(n_entries) or not ascends(row_starts, n_entries):
        raise ValueError("the arrays of the Dirichlet draw do not fit together")
    generator = generator_of(bit_generator)
    with nogil:
        for e in range(n_entries):
            work[e] = log_positive(shape[e])
        draw_dirichlet(generator, &shape[0], &work[0], &row_starts[0], n_rows, &log_theta[0], &work[n_entries])
