# Annealing of node orders with their graphs, from a posterior that counts linear extensions to one that does not.
#
# symbol       name          shape    unit
# L            nodes         (n,)             a node order
# A            parents       (n,)             mask of the parents of each node; L extends A
# ln q(L | A)  log_draw      scalar   nats    probability of drawing L in n steps, each uniform among the nodes whose
#                                             parents have all been drawn
# tau(k)       temperatures  (K + 1,) 1       inverse temperatures, 0 = tau(0) < ... < tau(K) = 1
#
# The targets are p(A, L | D) q(L | A) ** tau, p(A, L | D) being the order-modular posterior, to which all orders that
# extend a graph bring the same. q sums to 1 over them, so that at tau = 1 every graph counts once; no linear extension
# is counted. A step proposes from p(A, L | D) given all but a part of A and L, and accepts by q ** tau:
#     node      its parents and its place before its first child, by the sums at all places
#     swap      two neighbours trade places and draw their parents anew, by the ratio of the sums at both places
#     order     L from q(L | A), by q ** (tau - 1)
# In NumPy: log_draw = -np.log([sum(last[v] < t <= at[v] for v in range(n)) for t in range(n)]).sum(), with at[v] the
# position of v and last[v] the largest of its parents, -1 without any.
from libc.math cimport INFINITY
from libc.stdint cimport int32_t, int64_t, uint64_t
from libc.string cimport memcpy
from numpy.random cimport bitgen_t

from ockham.kernels.annealing cimport anneal
from ockham.kernels.parent_draws cimport accumulate, place_of
from ockham.kernels.predecessor_sums cimport MOST_NODES, Sums, bind, local_sum
from ockham.kernels.sampling cimport generator_of, uniform
from ockham.kernels.special cimport exp_nonpositive, log_positive

cdef enum:
    ROUND = 8                           # steps: an order, two swaps, and five nodes


cdef struct Pair:
    const Sums* sums
    bitgen_t* generator
    double log_draw
    int32_t[MOST_NODES] nodes
    uint64_t[MOST_NODES] parents
    int32_t[MOST_NODES] new_nodes       # proposed
    uint64_t[MOST_NODES] new_parents
    double* cumulative                  # work: the longest list
    uint64_t* inside


def run_annealing(
    bit_generator,
    layout,
    const double[::1] temperatures,     # IN (n_steps + 1,)
    int32_t[::1] nodes,                 # INOUT (n,) the first order, then the last
    uint64_t[::1] parents,              # INOUT (n,) a graph that it extends, then the last
    int64_t[::1] accepted,              # OUT (4,) by quarter of the schedule
    double[::1] cumulative,             # work: at least the longest list
    uint64_t[::1] inside,               # work: as long
):
    """Log weight of one run, in nats: the sum of (tau(k) - tau(k - 1)) ln q(L(k) | A(k))."""
    cdef Sums sums
    cdef Pair pair
    cdef Py_ssize_t n_steps = temperatures.shape[0] - 1, n = nodes.shape[0], p, v
    cdef uint64_t before = 0
    cdef double log_weight
    bind(&sums, layout)
    if (n_steps < 1 or accepted.shape[0] != 4 or n != sums.n_nodes or parents.shape[0] != n
            or cumulative.shape[0] != inside.shape[0]):
        raise ValueError("the arrays of annealed graphs do not fit together")
    for p in range(n):
        v = nodes[p]
        if not 0 <= v < n or (before >> v) & 1 or parents[v] & ~before:
            raise ValueError("an order must have every node once, after its parents")
        if cumulative.shape[0] < sums.starts[v + 1] - sums.starts[v]:
            raise ValueError("the arrays of annealed graphs do not fit together")
        before |= <uint64_t> 1 << v
        pair.nodes[p], pair.parents[p] = nodes[p], parents[p]
    pair.sums, pair.generator = &sums, generator_of(bit_generator)
    pair.cumulative, pair.inside = &cumulative[0], &inside[0]
    with nogil:
        pair.log_draw = log_draw_of(n, pair.nodes, pair.parents)
        for p in range(4):
            accepted[p] = 0
        log_weight = anneal(&pair, propose, present_log_draw, &temperatures[0], n_steps, 1, &accepted[0])
        for p in range(n):
            nodes[p], parents[p] = pair.nodes[p], pair.parents[p]
    return log_weight


cdef double present_log_draw(void* pair) noexcept nogil:
    return (<Pair*> pair).log_draw


cdef bint propose(void* untyped, Py_ssize_t step, double temperature) noexcept nogil:
    """One step of the kind whose turn it is; whether it was accepted."""
    cdef Pair* pair = <Pair*> untyped
    cdef Py_ssize_t n = pair.sums.n_nodes, turn = step % ROUND
    cdef double log_ratio = 0.0, power = temperature, log_draw
    if n < 2:
        return False
    memcpy(pair.new_nodes, pair.nodes, n * sizeof(int32_t))
    memcpy(pair.new_parents, pair.parents, n * sizeof(uint64_t))
    if turn == 7:
        draw_order(pair)
        power = temperature - 1.0
    elif turn % 3 == 1:
        log_ratio = swap(pair)
    else:
        renew(pair)
    log_draw = log_draw_of(n, pair.new_nodes, pair.new_parents)
    if not log_positive(uniform(pair.generator)) < log_ratio + power * (log_draw - pair.log_draw):
        return False
    memcpy(pair.nodes, pair.new_nodes, n * sizeof(int32_t))
    memcpy(pair.parents, pair.new_parents, n * sizeof(uint64_t))
    pair.log_draw = log_draw
    return True


cdef void renew(Pair* pair) noexcept nogil:
    """A random node in a place before its first child, with parents from before that place."""
    cdef Py_ssize_t n = pair.sums.n_nodes, v = below(pair, n), p = 0, end, place
    cdef uint64_t before = 0
    cdef double[MOST_NODES] sums
    cdef double largest = -INFINITY
    while pair.nodes[p] != v:
        p += 1
    end = p + 1
    while end < n and not (pair.parents[pair.nodes[end]] >> v) & 1:
        end += 1
    for place in range(p, n - 1):
        pair.new_nodes[place] = pair.nodes[place + 1]      # the others, of which end - 1 come before the first child
    for place in range(end):
        sums[place] = local_sum(pair.sums, v, before)
        largest = max(largest, sums[place])
        if place < end - 1:
            before |= <uint64_t> 1 << pair.new_nodes[place]
    for place in range(end):
        sums[place] = exp_nonpositive(sums[place] - largest) + (sums[place - 1] if place else 0.0)
    p = place_of(sums, end, uniform(pair.generator))
    place = n - 1
    while place > p:
        pair.new_nodes[place] = pair.new_nodes[place - 1]
        place -= 1
    pair.new_nodes[p] = <int32_t> v
    before = 0
    for place in range(p):
        before |= <uint64_t> 1 << pair.new_nodes[place]
    draw_parents(pair, v, before)


cdef double swap(Pair* pair) noexcept nogil:
    """Two neighbours trade places and draw their parents; the log ratio of the sums."""
    cdef Py_ssize_t p = below(pair, pair.sums.n_nodes - 1), place
    cdef int32_t u = pair.nodes[p], v = pair.nodes[p + 1]
    cdef uint64_t before = 0, with_u, with_v
    for place in range(p):
        before |= <uint64_t> 1 << pair.nodes[place]
    with_u, with_v = before | <uint64_t> 1 << u, before | <uint64_t> 1 << v
    pair.new_nodes[p], pair.new_nodes[p + 1] = v, u
    draw_parents(pair, v, before)
    draw_parents(pair, u, with_v)
    return (local_sum(pair.sums, v, before) - local_sum(pair.sums, v, with_u)
            + local_sum(pair.sums, u, with_v) - local_sum(pair.sums, u, before))


cdef void draw_order(Pair* pair) noexcept nogil:
    """The nodes one after another, uniformly among those whose parents have all been drawn."""
    cdef Py_ssize_t n = pair.sums.n_nodes, p, v, n_free, chosen
    cdef uint64_t drawn = 0
    cdef int32_t[MOST_NODES] free
    for p in range(n):
        n_free = 0
        for v in range(n):
            if not (drawn >> v) & 1 and pair.parents[v] & ~drawn == 0:
                free[n_free] = <int32_t> v
                n_free += 1
        chosen = below(pair, n_free)
        pair.new_nodes[p] = free[chosen]
        drawn |= <uint64_t> 1 << free[chosen]


cdef inline Py_ssize_t below(Pair* pair, Py_ssize_t n) noexcept nogil:
    """A whole number from 0 to n - 1."""
    return <Py_ssize_t> (pair.generator.next_double(pair.generator.state) * <double> n)


cdef inline void draw_parents(Pair* pair, Py_ssize_t v, uint64_t before) noexcept nogil:
    cdef Py_ssize_t n_inside = accumulate(pair.sums, v, before, pair.cumulative, pair.inside)
    pair.new_parents[v] = pair.inside[place_of(pair.cumulative, n_inside, uniform(pair.generator))]


cdef double log_draw_of(Py_ssize_t n, const int32_t* nodes, const uint64_t* parents) noexcept nogil:
    """ln q(L | A): how many nodes there are to choose from, place by place; their product is at most 64!."""
    cdef uint64_t drawn = 0
    cdef Py_ssize_t p, v, n_free
    cdef double choices = 1.0
    for p in range(n):
        n_free = 0
        for v in range(n):
            n_free += not (drawn >> v) & 1 and (parents[v] & ~drawn) == 0
        choices *= <double> n_free
        drawn |= <uint64_t> 1 << nodes[p]
    return -log_positive(choices)
