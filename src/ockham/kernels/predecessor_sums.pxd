# ln p(D, L) of a node order L: for every node the sum over its parent sets among its predecessors.
#
# symbol        name              shape                unit
# s_v(A)        log_scores        (n_listed,)          nats    of the listed parent sets A of v, node by node
# A             sets              (n_listed,)                  masks over all nodes
# m_v           scales            (n,)                 nats    largest listed score of v
# exp(s - m)    weights           (n_listed,)          1
#               starts            (n + 1,)                     first listed set of every node, multiples of 8
# T_v(S)        table             (n, 2 ** (n - 1))    nats    ln sum over A in S, a set of other nodes; or empty
# L_v           before            (n,)                         mask of the nodes before each position
#
# Eq. (1) of [NiinimakiKoivisto2013] in NumPy, for a node v and the mask of its predecessors:
#     inside = (sets[starts[v] : starts[v + 1]] & ~before) == 0
#     local = logsumexp(log_scores[starts[v] : starts[v + 1]][inside])
# and ln p(D, L) is the sum of the local terms. Swapping the nodes at positions a < b changes the terms from a to b
# only, and between them only those of nodes that have one of the two in a listed set.
from libc.math cimport INFINITY
from libc.stdint cimport int32_t, int64_t, uint64_t
from numpy.random cimport bitgen_t

from ockham.kernels.sampling cimport uniform
from ockham.kernels.special cimport exp_nonpositive, log_positive


cdef enum:
    MOST_NODES = 64


cdef struct Sums:
    Py_ssize_t n_nodes
    const int64_t* starts
    const uint64_t* sets
    const double* log_scores
    const double* weights
    const double* scales
    const uint64_t* relevant        # (n,) union of the listed sets of each node
    const double* table             # NULL: sum over the lists


cdef struct Order:
    const Sums* sums
    bitgen_t* generator
    double log_likelihood           # ln p(D, L)
    int32_t[MOST_NODES] nodes       # by position
    uint64_t[MOST_NODES] before     # by position
    double[MOST_NODES] local        # by position
    double[MOST_NODES] new_local    # work


cdef inline int bind(Sums* sums, layout) except -1:
    """Point the sums at the arrays of a layout, which must outlive them."""
    cdef const int64_t[::1] starts = layout.starts
    cdef const uint64_t[::1] sets = layout.sets
    cdef const double[::1] log_scores = layout.log_scores
    cdef const double[::1] weights = layout.weights
    cdef const double[::1] scales = layout.scales
    cdef const uint64_t[::1] relevant = layout.relevant
    cdef const double[:, ::1] table = layout.table
    cdef Py_ssize_t n = scales.shape[0], v
    if not (1 <= n <= MOST_NODES and starts.shape[0] == n + 1 and relevant.shape[0] == n and starts[0] == 0
            and starts[n] == sets.shape[0] == log_scores.shape[0] == weights.shape[0]):
        raise ValueError("the arrays of the sums of an order do not fit together")
    for v in range(n):
        if starts[v] >= starts[v + 1] or starts[v + 1] % 8:
            raise ValueError("an index of the sums of an order is out of range")
    if table.size and not (n <= 32 and table.shape[0] == n and table.shape[1] == <Py_ssize_t> 1 << (n - 1)):
        raise ValueError("the table of the sums of an order does not fit")
    sums.n_nodes, sums.starts, sums.sets, sums.log_scores = n, &starts[0], &sets[0], &log_scores[0]
    sums.weights, sums.scales, sums.relevant = &weights[0], &scales[0], &relevant[0]
    sums.table = &table[0, 0] if table.size else NULL
    return 0


cdef inline int place(Order* order, const Sums* sums, bitgen_t* generator, const int32_t* nodes) except -1:
    """Begin at the order of these nodes."""
    cdef uint64_t before = 0, bit
    cdef Py_ssize_t p, n = sums.n_nodes
    order.sums, order.generator = sums, generator
    for p in range(n):
        bit = <uint64_t> 1 << nodes[p]
        if not 0 <= nodes[p] < n or before & bit:
            raise ValueError("an order must have every node once")
        order.nodes[p], order.before[p] = nodes[p], before
        order.local[p] = local_sum(sums, nodes[p], before)
        before |= bit
    order.log_likelihood = total(order)
    return 0


cdef inline double total(const Order* order) noexcept nogil:
    cdef Py_ssize_t p
    cdef double result = 0.0
    for p in range(order.sums.n_nodes):
        result += order.local[p]
    return result


cdef inline double local_sum(const Sums* sums, Py_ssize_t v, uint64_t before) noexcept nogil:
    """ln of the sum over the parent sets of v inside a mask of its predecessors."""
    cdef uint64_t below = (<uint64_t> 1 << v) - 1
    if sums.table != NULL:
        return sums.table[(v << (sums.n_nodes - 1)) + <Py_ssize_t> ((before & below) | ((before & ~below) >> 1))]
    return listed_sum(sums, v, before)


cdef inline double listed_sum(const Sums* sums, Py_ssize_t v, uint64_t before) noexcept nogil:
    """The same over the lists; where all of it underflows beside the largest score, it is done again in logs."""
    cdef uint64_t absent = ~before
    cdef double result = sum_inside(sums.sets, sums.weights, sums.starts[v], sums.starts[v + 1], absent)
    cdef double largest = -INFINITY
    cdef Py_ssize_t i
    if result > 1e-250:
        return sums.scales[v] + log_positive(result)
    for i in range(sums.starts[v], sums.starts[v + 1]):
        if (sums.sets[i] & absent) == 0:
            largest = max(largest, sums.log_scores[i])
    result = 0.0
    for i in range(sums.starts[v], sums.starts[v + 1]):
        if (sums.sets[i] & absent) == 0:
            result += exp_nonpositive(sums.log_scores[i] - largest)
    return largest + log_positive(result)


cdef inline double sum_inside(
    const uint64_t* sets, const double* weights, Py_ssize_t start, Py_ssize_t stop, uint64_t absent,
) noexcept nogil:
    """weights[start:stop][(sets[start:stop] & absent) == 0].sum() in eight interleaved parts.

    By a product with 0 or 1: where a choice of the weight or 0 stands here, GCC 12 makes wrong code for AVX2.
    """
    cdef Py_ssize_t i = start, k
    cdef double[8] partial
    for k in range(8):
        partial[k] = 0.0
    while i < stop:
        for k in range(8):
            partial[k] += weights[i + k] * <double> ((sets[i + k] & absent) == 0)
        i += 8
    for k in range(4):
        partial[k] += partial[k + 4]
    return (partial[0] + partial[1]) + (partial[2] + partial[3])


cdef inline bint propose_swap(void* untyped, Py_ssize_t step, double temperature) noexcept nogil:
    """Propose to swap two positions drawn at random, at an inverse temperature; whether it was accepted.

    A transition of ``annealing.pxd``. The pair is the high product bits of one 64-bit word; that no pair has exactly
    its share of words does not matter, for the proposal of a pair is its own reverse.
    """
    cdef Order* order = <Order*> untyped
    cdef const Sums* sums = order.sums
    cdef Py_ssize_t n = sums.n_nodes, a, b, p
    cdef uint64_t word, moved
    cdef int32_t first, last, node
    cdef double difference = 0.0
    if n < 2:
        return False
    word = order.generator.next_uint64(order.generator.state)
    a = <Py_ssize_t> (((word & <uint64_t> 0xFFFFFFFF) * <uint64_t> n) >> 32)
    b = <Py_ssize_t> (((word >> 32) * <uint64_t> (n - 1)) >> 32)
    if b >= a:
        b += 1
    else:
        a, b = b, a
    first, last = order.nodes[a], order.nodes[b]
    moved = (<uint64_t> 1 << first) | (<uint64_t> 1 << last)
    order.new_local[a] = local_sum(sums, last, order.before[a])
    for p in range(a + 1, b):
        node = order.nodes[p]
        if sums.relevant[node] & moved:
            order.new_local[p] = local_sum(sums, node, order.before[p] ^ moved)
        else:
            order.new_local[p] = order.local[p]
    order.new_local[b] = local_sum(sums, first, order.before[b] ^ moved)
    for p in range(a, b + 1):
        difference += order.new_local[p] - order.local[p]
    if not log_positive(uniform(order.generator)) < temperature * difference:
        return False
    order.nodes[a], order.nodes[b] = last, first
    for p in range(a + 1, b + 1):
        order.before[p] ^= moved
    for p in range(a, b + 1):
        order.local[p] = order.new_local[p]
    order.log_likelihood = total(order)
    return True


cdef inline double present_log_likelihood(void* order) noexcept nogil:
    return (<Order*> order).log_likelihood
