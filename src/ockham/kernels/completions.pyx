# The sum of the complete-data evidence over every way to complete the data, organised by counts.
#
# symbol   name          shape                               meaning
# w        weights       (n_rows,)                           how often each unique row occurs in the data, at least 1
# c        cells         (n_rows, n_states, n_touched)       cells counted when a unique row takes a joint hidden state
# f        log_factors   (n_cells, n)                        change of the log evidence (nats) when a cell counts one more
# N        position      (n_cells,)                          c n + N_c: where f stands for the present count of each cell
# ln m     log_integers  (max(w) + 1,)                       for the multinomial coefficients; entry 0 is not read
#
# A cell is an entry ijk, with f = ln(lambda_ijk + N_ijk), or a parameter row ij, with f = -ln(lambda_ij + N_ij): a Dirichlet's
# predictive probability. The copies of a unique row are alike, so it matters only how many of them, m_h, take each state h:
#     result = logsumexp over every m with m[u].sum() == w[u] of
#         sum over u of (gammaln(w[u] + 1) - gammaln(m[u] + 1).sum()), plus every f on the way from no counts to all of them
# The m are visited depth first: row by row, state by state, one more copy at a time.
from libc.math cimport INFINITY, exp, log
from libc.stdint cimport int32_t, int64_t


cdef struct Sum:
    Py_ssize_t n_rows, n_states, n_touched
    const int64_t* weights
    const int32_t* cells
    const double* log_factors
    const double* log_integers
    int32_t* position
    double largest                  # the largest log weight so far
    double total                    # sum of exp(log weight - largest)
    double lost                     # what rounding took from the total (Kahan): there may be 1e8 terms


def log_sum(
    const int64_t[::1] weights,         # IN
    const int32_t[:, :, ::1] cells,     # IN
    const double[:, ::1] log_factors,   # IN
    const double[::1] log_integers,     # IN
    int32_t[::1] position,              # INOUT, the same after as before
):
    """Log of the sum, in nats."""
    cdef Sum s
    s.n_rows, s.n_states, s.n_touched = cells.shape[0], cells.shape[1], cells.shape[2]
    if weights.shape[0] != s.n_rows or position.shape[0] != log_factors.shape[0] or not cells.size:
        raise ValueError("the arrays of the sum over completions do not fit together")
    s.weights, s.cells, s.log_factors = &weights[0], &cells[0, 0, 0], &log_factors[0, 0]
    s.log_integers, s.position = &log_integers[0], &position[0]
    s.largest, s.total, s.lost = -INFINITY, 0.0, 0.0
    with nogil:
        visit(&s, 0, 0, s.weights[0], 0.0)
    return s.largest + log(s.total)


cdef void visit(Sum* s, Py_ssize_t row, Py_ssize_t first, Py_ssize_t left, double log_weight) noexcept nogil:
    """Every way to give the copies of ``row`` that are left states from ``first`` on, and all later rows any states."""
    cdef Py_ssize_t state, m, t
    cdef const int32_t* cells
    cdef double here
    if left == 0:
        row += 1
        if row == s.n_rows:
            add(s, log_weight)
            return
        first = 0
        left = s.weights[row]
    for state in range(first, s.n_states):
        cells = s.cells + (row * s.n_states + state) * s.n_touched
        here = log_weight
        for m in range(1, left + 1):    # binomial(left, m) = binomial(left, m - 1) (left - m + 1) / m
            here += s.log_integers[left - m + 1] - s.log_integers[m]
            for t in range(s.n_touched):
                here += s.log_factors[s.position[cells[t]]]
                s.position[cells[t]] += 1
            if m == left or state < s.n_states - 1:
                visit(s, row, state + 1, left - m, here)
        for t in range(s.n_touched):
            s.position[cells[t]] -= left


cdef inline void add(Sum* s, double log_weight) noexcept nogil:
    cdef double term, total
    if log_weight > s.largest:
        term = exp(s.largest - log_weight)
        s.total *= term
        s.lost *= term
        s.largest = log_weight
    term = exp(log_weight - s.largest) - s.lost
    total = s.total + term
    s.lost = (total - s.total) - term
    s.total = total
