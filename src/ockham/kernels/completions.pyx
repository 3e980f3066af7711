# The complete-data evidence over every way to complete the data: its sum, organised by counts, and annealing to it.
#
# symbol   name            shape                          meaning
# w        weights         (n_rows,)                      how often each unique row occurs in the data, at least 1
#          starts          (n_rows + 1,)                  first state of each row, then n_states
# s        chosen          (w.sum(),)                     out: the state of every copy of every row, when annealed
# tau(k)   temperatures    (K + 1,)                       inverse temperatures, 0 = tau(0) < ... < tau(K) = 1
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
#
# A sweep of the annealed chain draws the state of one copy of a row after another, given all others, from
#     p(h) proportional to exp(tau (log_factors[c, N + 1] - log_factors[c, N]).sum()),  c the cells of h, N without it
# which at tau = 0 draws all states anew, and at tau = 1 is collapsed Gibbs sampling.
from libc.math cimport INFINITY
from libc.stdint cimport int32_t, int64_t
from numpy.random cimport bitgen_t

from ockham.kernels.annealing cimport anneal
from ockham.kernels.checks cimport ascends, within
from ockham.kernels.sampling cimport generator_of
from ockham.kernels.special cimport exp_nonpositive, log_positive


cdef struct Completions:
    Py_ssize_t n_rows, n_touched, n_cells
    const int64_t* weights
    const int32_t* starts
    const int32_t* cells
    const double* log_factors
    int32_t* position


cdef struct Sum:
    Completions of
    const double* log_factorials
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
    cdef Py_ssize_t u
    bind(&s.of, weights, starts, cells, log_factors, position)
    for u in range(s.of.n_rows):
        if weights[u] >= log_factorials.shape[0]:
            raise ValueError("a weight of the sum over completions is out of range")
    s.log_factorials = &log_factorials[0]
    s.largest, s.total, s.lost = -INFINITY, 0.0, 0.0
    with nogil:
        visit(&s, 0, s.of.starts[0], s.of.weights[0], 0.0)
    return s.largest + log_positive(s.total)


cdef Py_ssize_t bind(
    Completions* of, const int64_t[::1] weights, const int32_t[::1] starts, const int32_t[:, ::1] cells,
    const double[:, ::1] log_factors, int32_t[::1] position,
) except -1:
    """Check the arrays, and keep where they are; the number of copies."""
    cdef Py_ssize_t u, n_copies = 0, n_counts = log_factors.shape[1]
    of.n_rows, of.n_touched, of.n_cells = weights.shape[0], cells.shape[1], log_factors.shape[0]
    if starts.shape[0] != of.n_rows + 1 or position.shape[0] != of.n_cells or not cells.size:
        raise ValueError("the arrays of the sum over completions do not fit together")
    for u in range(of.n_rows):
        if weights[u] < 1:
            raise ValueError("a weight of the sum over completions is out of range")
        n_copies += weights[u]
    if (n_copies >= n_counts or not ascends(starts, cells.shape[0])
            or not within(&cells[0, 0], cells.size, of.n_cells)):
        raise ValueError("an index of the sum over completions is out of range")
    for u in range(of.n_cells):
        if position[u] != u * n_counts:
            raise ValueError("the positions of the sum over completions must start at the counts of 0")
    of.weights, of.starts, of.cells, of.log_factors = &weights[0], &starts[0], &cells[0, 0], &log_factors[0, 0]
    of.position = &position[0]
    return n_copies


cdef void visit(Sum* s, Py_ssize_t row, Py_ssize_t first, Py_ssize_t left, double log_weight) noexcept nogil:
    """Every way to give the copies of ``row`` that are left states from ``first`` on, and all later rows any states."""
    cdef Py_ssize_t state, m, t
    cdef const int32_t* cells
    cdef const double* factor
    cdef double here
    if left == 0:
        row += 1
        if row == s.of.n_rows:
            add(s, log_weight)
            return
        first = s.of.starts[row]
        left = s.of.weights[row]
    for state in range(first, s.of.starts[row + 1]):
        cells = s.of.cells + state * s.of.n_touched
        for m in range(1 if state < s.of.starts[row + 1] - 1 else left, left + 1):     # the last state takes the rest
            here = log_weight + (s.log_factorials[left] - s.log_factorials[m] - s.log_factorials[left - m])
            for t in range(s.of.n_touched):
                factor = s.of.log_factors + s.of.position[cells[t]]
                here += factor[m] - factor[0]
                s.of.position[cells[t]] += m
            visit(s, row, state + 1, left - m, here)
            for t in range(s.of.n_touched):
                s.of.position[cells[t]] -= m


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


cdef struct Chain:
    Completions of
    bitgen_t* generator
    int32_t* chosen
    double* shares                  # work: (most states of a row,)


def log_weight(
    bit_generator,
    const int64_t[::1] weights,         # IN
    const int32_t[::1] starts,          # IN
    const int32_t[:, ::1] cells,        # IN
    const double[:, ::1] log_factors,   # IN
    int32_t[::1] position,              # INOUT, the counts of the last states
    const double[::1] temperatures,     # IN
    Py_ssize_t n_transitions,
    int32_t[::1] chosen,                # OUT
    double[::1] work,                   # work: (most states of a row,)
):
    """Log weight of a run from all completions alike to their posterior, in nats, less ln of their number."""
    cdef Chain chain
    cdef Py_ssize_t u, _copy, i = 0, t, n_steps = temperatures.shape[0] - 1, most = 0
    cdef int64_t[4] moved
    cdef double found
    if chosen.shape[0] != bind(&chain.of, weights, starts, cells, log_factors, position):
        raise ValueError("the arrays of annealed completions do not fit together")
    for u in range(chain.of.n_rows):
        most = max(most, starts[u + 1] - starts[u])
    if n_steps < 1 or n_transitions < 1 or work.shape[0] < most:
        raise ValueError("the arrays of annealed completions do not fit together")
    chain.generator, chain.chosen, chain.shares = generator_of(bit_generator), &chosen[0], &work[0]
    with nogil:
        for u in range(chain.of.n_rows):
            for _copy in range(weights[u]):
                chosen[i] = starts[u]
                i += 1
                for t in range(chain.of.n_touched):
                    position[cells[starts[u], t]] += 1
        for u in range(4):
            moved[u] = 0
        found = anneal(&chain, sweep, log_joint, &temperatures[0], n_steps, n_transitions, moved)
    return found


cdef double log_joint(void* untyped) noexcept nogil:
    """The complete-data evidence at the present states, in nats."""
    cdef Completions* of = &(<Chain*> untyped).of
    cdef Py_ssize_t c
    cdef double total = 0.0
    for c in range(of.n_cells):
        total += of.log_factors[of.position[c]]
    return total


cdef bint sweep(void* untyped, Py_ssize_t k, double temperature) noexcept nogil:
    """Draw the state of every copy of every row."""
    cdef Chain* chain = <Chain*> untyped
    cdef Completions* of = &chain.of
    cdef Py_ssize_t u, h, t, n_states, i = 0
    cdef int64_t _copy
    cdef const int32_t* cells
    cdef const double* factor
    cdef double here, largest, total, left
    for u in range(of.n_rows):
        n_states = of.starts[u + 1] - of.starts[u]
        for _copy in range(of.weights[u]):
            cells = of.cells + chain.chosen[i] * of.n_touched
            for t in range(of.n_touched):
                of.position[cells[t]] -= 1
            largest = -INFINITY
            cells = of.cells + of.starts[u] * of.n_touched
            for h in range(n_states):
                here = 0.0
                for t in range(of.n_touched):
                    factor = of.log_factors + of.position[cells[t]]
                    here += factor[1] - factor[0]
                chain.shares[h] = here
                largest = max(largest, here)
                cells += of.n_touched
            total = 0.0
            for h in range(n_states):
                chain.shares[h] = exp_nonpositive(temperature * (chain.shares[h] - largest))
                total += chain.shares[h]
            left = total * chain.generator.next_double(chain.generator.state)
            h = 0
            while h < n_states - 1 and left >= chain.shares[h]:
                left -= chain.shares[h]
                h += 1
            chain.chosen[i] = of.starts[u] + h
            cells = of.cells + chain.chosen[i] * of.n_touched
            for t in range(of.n_touched):
                of.position[cells[t]] += 1
            i += 1
    return True
