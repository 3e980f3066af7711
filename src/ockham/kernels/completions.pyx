# The sum of the complete-data evidence over every way to complete the data, organised by counts.
#
# symbol   name            shape                          meaning
# w        weights         (n_rows,)                      how often each unique row occurs in the data, at least 1
#          starts          (n_rows + 1,)                  first state of each row, then n_states
# c        cells           (n_states, n_touched)          cells that count a row in a state of what it does not have
# L        log_factors     (n_cells, n + 1)               log evidence (nats) of each cell by what it has counted
# N        position        (n_cells,)                     c (n + 1) + N_c: where L is for a cell's present count
# ln m!    log_factorials  (max(w) + 1,)
#
# A cell is an entry ijk, with L[N] = ln Gamma(lambda_ijk + N) - ln Gamma(lambda_ijk), or a parameter row ij, with
# L[N] = ln Gamma(lambda_ij) - ln Gamma(lambda_ij + N). The copies of a unique row are alike, so it matters only how
# many of them, m_h, take each of its states h. In NumPy, with N the counts that the m of one term add up to:
#     result = logsumexp over every m with m.sum(axis=1) == w of
#         (log_factorials[w].sum() - log_factorials[m].sum()) + log_factors[range(n_cells), N].sum()
# The m are visited depth first, row by row and state by state, so a node costs two look-ups per cell that it counts.
from libc.math cimport INFINITY
from libc.stdint cimport int32_t, int64_t

from ockham.kernels.checks cimport ascends, within
from ockham.kernels.special cimport exp_nonpositive, log_positive


cdef struct Sum:
    Py_ssize_t n_rows, n_touched
    const int64_t* weights
    const int32_t* starts
    const int32_t* cells
    const double* log_factors
    const double* log_factorials
    int32_t* position
    double largest                  # the largest log weight so far
    double total                    # sum of exp(log weight - largest)
    double lost                     # what rounding took from the total (Kahan): there may be 1e8 terms


def log_sum(
    const int64_t[::1] weights,         # IN
    const int32_t[::1] starts,          # IN
    const int32_t[:, ::1] cells,        # IN
    const double[:, ::1] log_factors,   # IN
    const double[::1] log_factorials,   # IN
    int32_t[::1] position,              # INOUT, the same after as before
):
    """Log of the sum, in nats."""
    cdef Sum s
    cdef Py_ssize_t u, n_copies = 0, n_cells = log_factors.shape[0], n_counts = log_factors.shape[1]
    s.n_rows, s.n_touched = weights.shape[0], cells.shape[1]
    if starts.shape[0] != s.n_rows + 1 or position.shape[0] != log_factors.shape[0] or not cells.size:
        raise ValueError("the arrays of the sum over completions do not fit together")
    for u in range(s.n_rows):
        if weights[u] < 1 or weights[u] >= log_factorials.shape[0]:
            raise ValueError("a weight of the sum over completions is out of range")
        n_copies += weights[u]
    if n_copies >= n_counts or not ascends(starts, cells.shape[0]) or not within(&cells[0, 0], cells.size, n_cells):
        raise ValueError("an index of the sum over completions is out of range")
    for u in range(n_cells):
        if position[u] != u * n_counts:
            raise ValueError("the positions of the sum over completions must start at the counts of 0")
    s.weights, s.starts, s.cells, s.log_factors = &weights[0], &starts[0], &cells[0, 0], &log_factors[0, 0]
    s.log_factorials, s.position = &log_factorials[0], &position[0]
    s.largest, s.total, s.lost = -INFINITY, 0.0, 0.0
    with nogil:
        visit(&s, 0, s.starts[0], s.weights[0], 0.0)
    return s.largest + log_positive(s.total)


cdef void visit(Sum* s, Py_ssize_t row, Py_ssize_t first, Py_ssize_t left, double log_weight) noexcept nogil:
    """Every way to give the copies of ``row`` that are left states from ``first`` on, and all later rows any states."""
    cdef Py_ssize_t state, m, t
    cdef const int32_t* cells
    cdef const double* factor
    cdef double here
    if left == 0:
        row += 1
        if row == s.n_rows:
            add(s, log_weight)
            return
        first = s.starts[row]
        left = s.weights[row]
    for state in range(first, s.starts[row + 1]):
        cells = s.cells + state * s.n_touched
        for m in range(1 if state < s.starts[row + 1] - 1 else left, left + 1):     # the last state takes the rest
            here = log_weight + (s.log_factorials[left] - s.log_factorials[m] - s.log_factorials[left - m])
            for t in range(s.n_touched):
                factor = s.log_factors + s.position[cells[t]]
                here += factor[m] - factor[0]
                s.position[cells[t]] += m
            visit(s, row, state + 1, left - m, here)
            for t in range(s.n_touched):
                s.position[cells[t]] -= m


cdef inline void add(Sum* s, double log_weight) noexcept nogil:
    cdef double term, total
    if log_weight > s.largest:
        term = exp_nonpositive(s.largest - log_weight)
        s.total *= term
        s.lost *= term
        s.largest = log_weight
    term = exp_nonpositive(log_weight - s.largest) - s.lost
    total = s.total + term
    s.lost = (total - s.total) - term
    s.total = total
