# The BDeu scores of every family up to a largest indegree, by refining partitions of the rows.
#
# symbol      name             shape                 unit
# x           states           (n_nodes, n_rows)             state of each node, counted from 0
# r           cardinalities    (n_nodes,)                    number of values of each node
# alpha       equivalent_sample_size                 1
# C(u, i)     binomials        (65, 65)                      for the positions of sets
#             starts           (k + 2,)                      position of the first parent set of each size
# g(X)                                               nats    log marginal of a set X of nodes, up to a constant
#             log_scores       (n_nodes, n_sets)     nats    out: ln BDeu(v, S) = g(S + v) - g(S)
#
# With R the product of the cardinalities of X, N_c the number of rows in each of its joint states, and a = alpha / R,
#     g(X) = sum(gammaln(a + N[N > 0]) - gammaln(a))
# so a family's score is a difference of two sets' scores, and every set is visited once, after its subset without its
# last node. Its rows are then in blocks of equal states, which the last node divides further. Blocks of one row cannot
# be divided; they are counted and left out.
from libc.stdint cimport int32_t, uint64_t

from ockham.kernels.binomials cimport fill_binomials
from ockham.kernels.checks cimport within
from ockham.kernels.special cimport log_gamma_of, log_positive


cdef enum:
    WIDTH = 65                  # one more than the most nodes


cdef struct Search:
    const int32_t* states
    const int32_t* cardinalities
    uint64_t[WIDTH * WIDTH] binomials
    Py_ssize_t[WIDTH + 1] starts
    double* log_scores
    double equivalent_sample_size
    Py_ssize_t n_nodes
    Py_ssize_t n_rows
    Py_ssize_t n_sets
    Py_ssize_t max_indegree
    int32_t* rows               # (k + 2, n_rows): rows in blocks of two or more, by size of the set
    int32_t* ends               # (k + 2, n_rows): where each block ends
    int32_t* counts             # (largest cardinality,)
    int32_t* members            # (k + 1,): the set, ascending


cpdef Py_ssize_t work_size(Py_ssize_t n_rows, Py_ssize_t max_cardinality, Py_ssize_t max_indegree) noexcept:
    """Integers of work that ``log_scores`` takes."""
    return 2 * (max_indegree + 2) * n_rows + max_cardinality + max_indegree + 1


def log_scores(
    const int32_t[:, ::1] states,               # IN
    const int32_t[::1] cardinalities,           # IN
    double equivalent_sample_size,
    Py_ssize_t max_indegree,
    double[:, ::1] log_scores,                  # OUT zero before
    int32_t[::1] work,                          # work
):
    """Fill the table of scores; its columns are ordered as in ``ockham.orders.parent_sets``."""
    cdef Search search
    cdef Py_ssize_t n_nodes = states.shape[0], n_rows = states.shape[1], v, u, size
    cdef int32_t widest = 0
    if cardinalities.shape[0] != n_nodes or log_scores.shape[0] != n_nodes or not 0 <= max_indegree < n_nodes < WIDTH:
        raise ValueError("the arrays of the family scores do not fit together")
    fill_binomials(search.binomials, WIDTH - 1)
    search.starts[0] = 0
    for size in range(max_indegree + 1):
        search.starts[size + 1] = search.starts[size] + search.binomials[(n_nodes - 1) * WIDTH + size]
    for v in range(n_nodes):
        widest = max(widest, cardinalities[v])
        if n_rows and not within(&states[v, 0], n_rows, cardinalities[v]):
            raise ValueError("a state of the family scores is out of range")
    search.n_sets = search.starts[max_indegree + 1]
    if (log_scores.shape[1] != search.n_sets
            or work.shape[0] < work_size(n_rows, widest, max_indegree)):
        raise ValueError("the arrays of the family scores do not fit together")
    search.states = &states[0, 0] if n_rows else NULL
    search.cardinalities, search.log_scores = &cardinalities[0], &log_scores[0, 0]
    search.equivalent_sample_size = equivalent_sample_size
    search.n_nodes, search.n_rows, search.max_indegree = n_nodes, n_rows, max_indegree
    search.rows = &work[0]
    search.ends = search.rows + (max_indegree + 2) * n_rows
    search.counts = search.ends + (max_indegree + 2) * n_rows
    search.members = search.counts + widest
    with nogil:
        for u in range(n_rows):
            search.rows[u] = u
        if n_rows:
            search.ends[0] = n_rows
        share(&search, 0, log_gamma(equivalent_sample_size + <double> n_rows) - log_gamma(equivalent_sample_size))
        extend(&search, 0, 0, n_rows > 0, 0, 1.0)
    return None


cdef void extend(
    Search* search, Py_ssize_t size, Py_ssize_t first, Py_ssize_t n_blocks, Py_ssize_t n_single, double n_states,
) noexcept nogil:
    """Visit the supersets of the present set whose further nodes are ``first`` or later.

    Its ``n_blocks`` blocks of rows are in ``rows`` and ``ends``, ``n_single`` rows are alone; ``n_states`` is R.
    """
    cdef int32_t* rows = search.rows + size * search.n_rows
    cdef int32_t* ends = search.ends + size * search.n_rows
    cdef int32_t* finer_rows = rows + search.n_rows
    cdef int32_t* finer_ends = ends + search.n_rows
    cdef const int32_t* states
    cdef int32_t* counts = search.counts
    cdef Py_ssize_t node, block, u, k, begin, place, finer, alone, r
    cdef int32_t count
    cdef double a, log_gamma_a, total
    for node in range(first, search.n_nodes):
        states = search.states + node * search.n_rows
        r = search.cardinalities[node]
        a = search.equivalent_sample_size / (n_states * <double> r)
        log_gamma_a = log_gamma(a)
        total, finer, alone, begin, place = 0.0, 0, n_single, 0, 0
        for block in range(n_blocks):
            for k in range(r):
                counts[k] = 0
            for u in range(begin, ends[block]):
                counts[states[rows[u]]] += 1
            for k in range(r):
                count = counts[k]
                if count == 1:
                    alone += 1
                    counts[k] = -1
                elif count > 1:
                    total += log_gamma(a + <double> count) - log_gamma_a
                    counts[k] = place
                    place += count
                    finer_ends[finer] = place
                    finer += 1
            if size < search.max_indegree:
                for u in range(begin, ends[block]):
                    k = states[rows[u]]
                    if counts[k] >= 0:
                        finer_rows[counts[k]] = rows[u]
                        counts[k] += 1
            begin = ends[block]
        total += <double> alone * log_positive(a)
        search.members[size] = node
        share(search, size + 1, total)
        if size < search.max_indegree:
            extend(search, size + 1, node + 1, finer, alone, n_states * <double> r)


cdef void share(Search* search, Py_ssize_t size, double total) noexcept nogil:
    """Add g(X) to the families that are X, and take it from those whose parents are X."""
    cdef Py_ssize_t node, i, below, position
    cdef const uint64_t* binomials = search.binomials
    below = 0                                   # members of X that are smaller than the node
    for node in range(search.n_nodes):
        if below < size and search.members[below] == node:
            below += 1
            position = search.starts[size - 1]
            for i in range(below - 1):
                position += binomials[search.members[i] * WIDTH + i + 1]
            for i in range(below, size):
                position += binomials[(search.members[i] - 1) * WIDTH + i]
            search.log_scores[node * search.n_sets + position] += total
        elif size <= search.max_indegree:
            position = search.starts[size]
            for i in range(below):
                position += binomials[search.members[i] * WIDTH + i + 1]
            for i in range(below, size):
                position += binomials[(search.members[i] - 1) * WIDTH + i + 1]
            search.log_scores[node * search.n_sets + position] -= total


cdef inline double log_gamma(double x) noexcept nogil:
    return log_gamma_of(x, log_positive(x))
