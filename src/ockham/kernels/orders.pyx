# Node orders: sums over their graphs, annealing, tempered chains, and graphs sampled from an order.
#
# The sums are in predecessor_sums.pxd, which has the notation; the annealing loop is in annealing.pxd.
#
# A sweep of the tempered chains in Python, with f = ln p(D, L) of the order at each inverse temperature tau:
#     for i in range(n_chains): orders[i] = propose_swap(orders[i], tau[i])
#     i = rng.integers(n_chains - 1); j = i + 1
#     if log(uniform) < (tau[i] - tau[j]) * (f[j] - f[i]): orders[i], orders[j] = orders[j], orders[i]
from libc.stdint cimport int32_t, int64_t, uint64_t
from libc.stdlib cimport free, malloc

from ockham.kernels.annealing cimport anneal
from ockham.kernels.parent_draws cimport accumulate, place_of
from ockham.kernels.predecessor_sums cimport Order, Sums, bind, place, present_log_likelihood, propose_swap
from ockham.kernels.sampling cimport generator_of, uniform
from ockham.kernels.special cimport exp_nonpositive, log_positive


def fill_table(double[:, ::1] table):  # INOUT (n, 2 ** (n - 1)) nats
    """Turn scores of parent sets, one row a node, into the logs of their sums over subsets; NumPy, for every bit u:
    ``table.reshape(n, -1, 2, 2 ** u)[:, :, 1] = logaddexp(...[:, :, 1], ...[:, :, 0])``. Scores must be finite."""
    cdef Py_ssize_t size = table.shape[1], v, start, chunk = min(size, 1 << 14), width
    if size < 1 or size & (size - 1):
        raise ValueError("a table of sums has a power of two of columns")
    with nogil:
        for v in range(table.shape[0]):
            start = 0
            while start < size:
                width = 1
                while width < chunk:
                    add_lower_halves(&table[v, start], chunk, width)
                    width *= 2
                start += chunk
            width = chunk
            while width < size:
                add_lower_halves(&table[v, 0], size, width)
                width *= 2


cdef inline void add_lower_halves(double* values, Py_ssize_t size, Py_ssize_t width) noexcept nogil:
    cdef Py_ssize_t block = 0, i
    cdef double* low
    cdef double* high
    while block < size:
        low, high = values + block, values + block + width
        block += 2 * width
        for i in range(width):
            high[i] = max(high[i], low[i]) + log_positive(1.0 + exp_nonpositive(-abs(high[i] - low[i])))


def log_likelihoods(layout, const int32_t[:, ::1] orders, double[::1] result):
    """ln p(D, L) of every row of ``orders``, nats."""
    cdef Sums sums
    cdef Order order
    cdef Py_ssize_t t
    bind(&sums, layout)
    if orders.shape[1] != sums.n_nodes or result.shape[0] != orders.shape[0]:
        raise ValueError("the arrays of orders do not fit together")
    for t in range(orders.shape[0]):
        place(&order, &sums, NULL, &orders[t, 0])
        result[t] = order.log_likelihood


def run_annealing(
    bit_generator,
    layout,
    const double[::1] temperatures,     # IN (n_steps + 1,)
    int32_t[::1] nodes,                 # INOUT (n,) the first order, then the last
    int64_t[::1] accepted,              # OUT (4,) by quarter of the schedule
):
    """Log weight of one run, in nats."""
    cdef Sums sums
    cdef Order order
    cdef Py_ssize_t n_steps = temperatures.shape[0] - 1, p
    cdef double log_weight
    bind(&sums, layout)
    if n_steps < 1 or accepted.shape[0] != 4 or nodes.shape[0] != sums.n_nodes:
        raise ValueError("the arrays of annealing do not fit together")
    place(&order, &sums, generator_of(bit_generator), &nodes[0])
    with nogil:
        for p in range(4):
            accepted[p] = 0
        log_weight = anneal(
            &order, propose_swap, present_log_likelihood, &temperatures[0], n_steps, 1, &accepted[0])
        for p in range(sums.n_nodes):
            nodes[p] = order.nodes[p]
    return log_weight


def run_tempering(
    bit_generator,
    layout,
    const double[::1] temperatures,     # IN (n_chains,)
    Py_ssize_t n_sweeps,
    int32_t[:, ::1] nodes,              # INOUT (n_chains, n) the first orders, then the last
    double[:, ::1] likelihoods,         # OUT (n_records, n_chains) nats
    int32_t[:, ::1] coldest,            # OUT (n_records, n) the order of the last chain
    int64_t[::1] accepted,              # INOUT (n_chains,) proposals of each chain that were accepted
    int64_t[::1] exchanged,             # INOUT (n_chains - 1,) exchanges with the next chain
):
    """Sweep the chains, and record them after every ``n_sweeps`` of them, likelihoods.shape[0] times."""
    cdef Sums sums
    cdef Py_ssize_t n_chains = temperatures.shape[0], n_records = likelihoods.shape[0], i, p, t, _
    bind(&sums, layout)
    if (n_chains < 1 or n_sweeps < 1 or nodes.shape[0] != n_chains or nodes.shape[1] != sums.n_nodes
            or likelihoods.shape[1] != n_chains or coldest.shape[0] != n_records or coldest.shape[1] != sums.n_nodes
            or accepted.shape[0] != n_chains or exchanged.shape[0] != n_chains - 1):
        raise ValueError("the arrays of tempered chains do not fit together")
    generator = generator_of(bit_generator)
    cdef Order* orders = <Order*> malloc(n_chains * sizeof(Order))
    cdef Order** at = <Order**> malloc(n_chains * sizeof(Order*))
    cdef Order* other
    cdef double log_ratio
    try:
        if orders == NULL or at == NULL:
            raise MemoryError
        for i in range(n_chains):
            place(&orders[i], &sums, generator, &nodes[i, 0])
            at[i] = &orders[i]
        with nogil:
            for t in range(n_records):
                for _ in range(n_sweeps):
                    for i in range(n_chains):
                        accepted[i] += propose_swap(at[i], 0, temperatures[i])
                    if n_chains > 1:
                        i = <Py_ssize_t> (
                            ((generator.next_uint64(generator.state) >> 32) * <uint64_t> (n_chains - 1)) >> 32)
                        log_ratio = (temperatures[i] - temperatures[i + 1]) * (
                            at[i + 1].log_likelihood - at[i].log_likelihood)
                        if log_positive(uniform(generator)) < log_ratio:
                            other = at[i]
                            at[i] = at[i + 1]
                            at[i + 1] = other
                            exchanged[i] += 1
                for i in range(n_chains):
                    likelihoods[t, i] = at[i].log_likelihood
                for p in range(sums.n_nodes):
                    coldest[t, p] = at[n_chains - 1].nodes[p]
            for i in range(n_chains):
                for p in range(sums.n_nodes):
                    nodes[i, p] = at[i].nodes[p]
    finally:
        free(orders)
        free(at)


def sample_graphs(
    bit_generator,
    layout,
    const int32_t[::1] nodes,           # IN (n,) an order
    uint64_t[:, ::1] parents,           # OUT (n_graphs, n) mask of the parents of each node
    double[::1] cumulative,             # work: at least the longest list
    uint64_t[::1] inside,               # work: as long
):
    """Graphs from their posterior given an order, independent of each other; each parent set by inverting its
    cumulative distribution over the listed sets among the predecessors."""
    cdef Sums sums
    cdef Py_ssize_t g, p, v, n_inside
    cdef uint64_t before = 0
    bind(&sums, layout)
    if nodes.shape[0] != sums.n_nodes or parents.shape[1] != sums.n_nodes or cumulative.shape[0] != inside.shape[0]:
        raise ValueError("the arrays of sampled graphs do not fit together")
    for v in range(sums.n_nodes):
        if cumulative.shape[0] < sums.starts[v + 1] - sums.starts[v] or not 0 <= nodes[v] < sums.n_nodes:
            raise ValueError("an index of sampled graphs is out of range")
    generator = generator_of(bit_generator)
    with nogil:
        for p in range(sums.n_nodes):
            v = nodes[p]
            n_inside = accumulate(&sums, v, before, &cumulative[0], &inside[0])
            for g in range(parents.shape[0]):
                parents[g, v] = inside[place_of(&cumulative[0], n_inside, uniform(generator))]
            before |= <uint64_t> 1 << v
