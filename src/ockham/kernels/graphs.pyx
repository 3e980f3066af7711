# Annealing of node orders with their graphs, from a flat posterior of orders to the posterior of graphs.
#
# symbol       name               shape     unit
# L            nodes              (n,)              a node order
# A            parents            (n,)              mask of the parents of each node; L extends A
# ln p(L, D)   log_likelihood     scalar    nats    the sum over the graphs that L extends; predecessor_sums.pxd has it
# ln q(L | A)  log_draw           scalar    nats    probability of drawing L in n steps, each uniform among the nodes
#                                                   whose parents have all been drawn
# t            draw_powers        (K + 1,)  1       0 = t(0) < ... < t(K) = 1
# b            likelihood_powers  (J + 1,)  1       0 < b(0) < ... < b(J) = 1
#
# The targets are p(A | L, D) p(L, D) ** b q(L | A) ** t, first from t = 0 to 1 at b(0), then from b(0) to 1. At t = 0
# the orders have their posterior to the power b(0). q sums to 1 over the orders that extend a graph, so that at the end
# every graph counts once; no linear extension is counted. A step proposes to change a part of A and L, parents always
# from p(A | L, D), and accepts by what its draw leaves of the target:
#     node      its place before its first child, by its sums at all places to the power b, and its parents; by q ** t
#               and the sums of the other nodes to the power b - 1
#     swap      two neighbours trade places and draw their parents; by p(L, D) ** b q ** t
#     order     L from q(L | A); by p(L, D) ** (b - 1) q ** (t - 1)
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
    double likelihood_power
    double draw_power
    double log_likelihood
    double log_draw
    int32_t[MOST_NODES] nodes
    uint64_t[MOST_NODES] parents
    uint64_t[MOST_NODES] before         # by node, and so are local and the parents
    double[MOST_NODES] local
    int32_t[MOST_NODES] new_nodes       # proposed
    uint64_t[MOST_NODES] new_parents
    uint64_t[MOST_NODES] new_before
    double[MOST_NODES] new_local
    double* cumulative                  # work: the longest list
    uint64_t* inside


def run_annealing(
    bit_generator,
    layout,
    const double[::1] draw_powers,          # IN (n_draw_steps + 1,)
    const double[::1] likelihood_powers,    # IN (n_likelihood_steps + 1,)
    int32_t[::1] nodes,                     # INOUT (n,) the first order, then the last
    uint64_t[::1] parents,                  # INOUT (n,) a graph that it extends, then the last
    double[::1] cumulative,                 # work: at least the longest list
    uint64_t[::1] inside,                   # work: as long
):
    """Log weight of one run, in nats: the sum of (t(k) - t(k - 1)) ln q(L(k) | A(k)), then of (b(j) - b(j - 1))
    ln p(L(j), D)."""
    cdef Sums sums
    cdef Pair pair
    cdef Py_ssize_t n_draw = draw_powers.shape[0] - 1, n_likelihood = likelihood_powers.shape[0] - 1
    cdef Py_ssize_t n = nodes.shape[0], p, v
    cdef uint64_t before = 0
    cdef int64_t[4] accepted = [0, 0, 0, 0]
    cdef double log_weight
    bind(&sums, layout)
    if (n_draw < 0 or n_likelihood < 0 or n != sums.n_nodes or parents.shape[0] != n
            or cumulative.shape[0] != inside.shape[0]):
        raise ValueError("the arrays of annealed graphs do not fit together")
    for p in range(n):
        v = nodes[p]
        if not 0 <= v < n or (before >> v) & 1 or parents[v] & ~before:
            raise ValueError("an order must have every node once, after its parents")
        if cumulative.shape[0] < sums.starts[v + 1] - sums.starts[v]:
            raise ValueError("the arrays of annealed graphs do not fit together")
        pair.nodes[p], pair.parents[v], pair.before[v] = nodes[p], parents[v], before
        pair.local[v] = local_sum(&sums, v, before)
        before |= <uint64_t> 1 << v
    pair.sums, pair.generator = &sums, generator_of(bit_generator)
    pair.cumulative, pair.inside = &cumulative[0], &inside[0]
    with nogil:
        pair.log_likelihood = sum_of(n, pair.local)
        pair.log_draw = log_draw_of(n, pair.nodes, pair.parents)
        pair.likelihood_power = likelihood_powers[0]
        log_weight = anneal(&pair, at_draw_power, present_log_draw, &draw_powers[0], n_draw, 1, accepted)
        pair.draw_power = draw_powers[n_draw]
        log_weight += anneal(
            &pair, at_likelihood_power, present_log_likelihood, &likelihood_powers[0], n_likelihood, 1, accepted)
        for p in range(n):
            nodes[p], parents[p] = pair.nodes[p], pair.parents[p]
    return log_weight


cdef double present_log_draw(void* pair) noexcept nogil:
    return (<Pair*> pair).log_draw


cdef double present_log_likelihood(void* pair) noexcept nogil:
    return (<Pair*> pair).log_likelihood


cdef bint at_draw_power(void* pair, Py_ssize_t step, double power) noexcept nogil:
    (<Pair*> pair).draw_power = power
    return propose(<Pair*> pair, step)


cdef bint at_likelihood_power(void* pair, Py_ssize_t step, double power) noexcept nogil:
    (<Pair*> pair).likelihood_power = power
    return propose(<Pair*> pair, step)


cdef bint propose(Pair* pair, Py_ssize_t step) noexcept nogil:
    """One step of the kind whose turn it is; whether it was accepted."""
    cdef Py_ssize_t n = pair.sums.n_nodes, turn = step % ROUND, renewed = -1
    cdef double likelihood_power = pair.likelihood_power, draw_power = pair.draw_power
    cdef double log_likelihood, log_draw, difference
    if n < 2:
        return False
    memcpy(pair.new_nodes, pair.nodes, n * sizeof(int32_t))
    memcpy(pair.new_parents, pair.parents, n * sizeof(uint64_t))
    if turn == 7:
        draw_order(pair)
        likelihood_power, draw_power = likelihood_power - 1.0, draw_power - 1.0
    elif turn % 3 == 1:
        swap(pair)
    else:
        renewed = renew(pair)
        likelihood_power -= 1.0
    log_likelihood = placed(pair)
    difference = log_likelihood - pair.log_likelihood
    if renewed >= 0:
        difference -= pair.new_local[renewed] - pair.local[renewed]
    log_draw = log_draw_of(n, pair.new_nodes, pair.new_parents)
    if not log_positive(uniform(pair.generator)) < (
            likelihood_power * difference + draw_power * (log_draw - pair.log_draw)):
        return False
    memcpy(pair.nodes, pair.new_nodes, n * sizeof(int32_t))
    memcpy(pair.parents, pair.new_parents, n * sizeof(uint64_t))
    memcpy(pair.before, pair.new_before, n * sizeof(uint64_t))
    memcpy(pair.local, pair.new_local, n * sizeof(double))
    pair.log_likelihood, pair.log_draw = log_likelihood, log_draw
    return True


cdef double placed(Pair* pair) noexcept nogil:
    """ln p(L, D) of the proposed order, with its sums; only those that can differ are looked up."""
    cdef Py_ssize_t p, v
    cdef uint64_t before = 0
    for p in range(pair.sums.n_nodes):
        v = pair.new_nodes[p]
        pair.new_before[v] = before
        if (before ^ pair.before[v]) & pair.sums.relevant[v]:
            pair.new_local[v] = local_sum(pair.sums, v, before)
        else:
            pair.new_local[v] = pair.local[v]
        before |= <uint64_t> 1 << v
    return sum_of(pair.sums.n_nodes, pair.new_local)


cdef inline double sum_of(Py_ssize_t n, const double* local) noexcept nogil:
    cdef Py_ssize_t v
    cdef double result = 0.0
    for v in range(n):
        result += local[v]
    return result


cdef Py_ssize_t renew(Pair* pair) noexcept nogil:
    """A random node, returned, in a place before its first child, with parents from before that place."""
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
        sums[place] = exp_nonpositive(pair.likelihood_power * (sums[place] - largest))
        sums[place] += sums[place - 1] if place else 0.0
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
    return v


cdef void swap(Pair* pair) noexcept nogil:
    """Two neighbours trade places and draw their parents."""
    cdef Py_ssize_t p = below(pair, pair.sums.n_nodes - 1), place
    cdef int32_t u = pair.nodes[p], v = pair.nodes[p + 1]
    cdef uint64_t before = 0
    for place in range(p):
        before |= <uint64_t> 1 << pair.nodes[place]
    pair.new_nodes[p], pair.new_nodes[p + 1] = v, u
    draw_parents(pair, v, before)
    draw_parents(pair, u, before | <uint64_t> 1 << v)


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
