# Exact sums over all node orders, and over all directed acyclic graphs, by dynamic programming over sets of nodes.
#
# symbol          name         shape                 unit
# ln alpha_v(S)   table        (n, 2 ** (n - 1))     nats    sum over the parent sets of v in S, a set of other nodes
# ln F(S)         forward      (2 ** n,)             nats    orders of the nodes of S, S coming first
# ln B(S)         backward     (2 ** n,)             nats    orders of the nodes not in S, S coming first
# H(S)            mantissas, exponents   (2 ** n,)           H = mantissa * 2 ** exponent, the mantissa in [1, 2)
# p(S)            closed       (2 ** n,)             1       posterior probability that S has no parent outside of it
#
# Orders, with N all nodes:
#     F(S) = sum(alpha_v(S - v) * F(S - v) for v in S)
#     B(S) = sum(alpha_v(S) * B(S + v) for v not in S)
#
# Graphs: H(S) sums over the parents of the nodes not in S, acyclic, S being given. With T the nodes whose parents are
# in S,
#     H(S) = sum((-1) ** (len(T) + 1) * prod(alpha_v(S) for v in T) * H(S + T) for T not empty and outside of S)
# is a polynomial in the alpha_v(S), so it is folded: c = H(S + T) for every T in the order of its bits, c[0] = 0, and
# for every v from the last
#     c, upper = c[: len(c) // 2], c[len(c) // 2 :];  c -= alpha_v(S) * upper
# leaves -H(S). The reverse of these folds, from S small to large, gives the derivatives of ln H(0): p(S) to H(S), and
# g_v(S) to alpha_v(S). With alpha_v(S) H(S + T + v) <= H(S + T) every term is at most 1 in units of H(S). The rounding
# of every set enters the total with its p(S), not with the alternating terms' size, so cancellation costs at most as
# many bits as a set has nodes without parents in the rest, and they are few unless the data say nothing.
from libc.math cimport INFINITY, floor, frexp
from libc.stdint cimport int32_t, uint64_t
from libc.string cimport memcpy

from ockham.kernels.special cimport exp_nonpositive, log_positive
from ockham.kernels.sums cimport sum_of

cdef enum:
    MOST_NODES = 30
    SMALLEST_POWER = -600           # where a term adds nothing any more
    NO_POWER = -(1 << 29)           # of a sum without terms

cdef double LOG_2 = 0.6931471805599453
cdef double LEAST = -1e300          # the log of 0 in tables
cdef double NEGLIGIBLE = 1e-60      # a probability


def sum_orders(
    const double[:, ::1] table,         # IN
    double[::1] forward,                # OUT
    double[::1] backward,               # OUT
):
    """Fill F and B; ``forward[-1]`` and ``backward[0]`` are both the log of the sum over all orders."""
    cdef Py_ssize_t n = table.shape[0], n_sets = forward.shape[0], nodes, v, n_terms
    cdef double[MOST_NODES] terms
    check(table, n_sets)
    if backward.shape[0] != n_sets:
        raise ValueError("the arrays of the exact sums do not fit together")
    with nogil:
        forward[0] = 0.0
        for nodes in range(1, n_sets):
            n_terms = 0
            for v in range(n):
                if (nodes >> v) & 1:
                    terms[n_terms] = table[v, without(nodes, v)] + forward[nodes ^ (<Py_ssize_t> 1 << v)]
                    n_terms += 1
            forward[nodes] = log_sum(terms, n_terms)
        backward[n_sets - 1] = 0.0
        for nodes in range(n_sets - 2, -1, -1):
            n_terms = 0
            for v in range(n):
                if not (nodes >> v) & 1:
                    terms[n_terms] = table[v, without(nodes, v)] + backward[nodes | (<Py_ssize_t> 1 << v)]
                    n_terms += 1
            backward[nodes] = log_sum(terms, n_terms)


def sum_graphs(
    double[:, ::1] table,               # INOUT out: ln g_v(S) / alpha_v(S), -1e300 for 0
    double[::1] mantissas,              # OUT
    int32_t[::1] exponents,             # OUT
    double[::1] closed,                 # OUT
    double[:, ::1] work,                # work (3, 2 ** n)
    int32_t[::1] powers,                # work (2 ** n,)
):
    """The log of the sum over all graphs, nats, and the table of derivatives. ``closed[-1]`` is 1 up to rounding."""
    cdef Py_ssize_t n = table.shape[0], n_sets = mantissas.shape[0], nodes, v, j, i, t, m, half, into
    cdef Py_ssize_t[MOST_NODES] free
    cdef double[MOST_NODES] alpha
    cdef int32_t[MOST_NODES] power
    cdef double* values
    cdef double* adjoints
    cdef double* terms
    cdef double derivative, total
    check(table, n_sets)
    if (exponents.shape[0] != n_sets or closed.shape[0] != n_sets or work.shape[0] != 3 or work.shape[1] != n_sets
            or powers.shape[0] != n_sets):
        raise ValueError("the arrays of the exact sums do not fit together")
    values, adjoints, terms = &work[0, 0], &work[1, 0], &work[2, 0]
    with nogil:
        mantissas[n_sets - 1], exponents[n_sets - 1] = 1.0, 0
        for nodes in range(n_sets - 2, -1, -1):
            m = gather(table, n, nodes, &mantissas[0], &exponents[0], free, alpha, power, values, &powers[0])
            powers[0] = power[0] + powers[1]
            for j in range(1, m):
                powers[0] = max(powers[0], power[j] + powers[<Py_ssize_t> 1 << j])
            fold(m, alpha, power, values, &powers[0])
            normalise(-values[0], powers[0], &mantissas[nodes], &exponents[nodes])
        total = log_positive(mantissas[0])
        for nodes in range(n_sets):
            closed[nodes] = 0.0
        closed[0] = 1.0                         # until the end p(S) H(0) / H(S), of mantissas
        for nodes in range(n_sets - 1):
            if closed[nodes] < NEGLIGIBLE:
                for v in range(n):
                    if not (nodes >> v) & 1:
                        table[v, without(nodes, v)] = LEAST
                continue
            m = gather(table, n, nodes, &mantissas[0], &exponents[0], free, alpha, power, values, &powers[0])
            adjoints[0] = -closed[nodes]
            powers[0] = exponents[nodes]
            fold(m, alpha, power, values, &powers[0])
            for j in range(m):
                half = <Py_ssize_t> 1 << j
                for i in range(half):
                    adjoints[half + i] = -alpha[j] * power_of_two(power[j] + powers[half + i] - powers[i]) * adjoints[i]
                for i in range(half):
                    terms[i] = adjoints[half + i] * values[half + i]
                derivative = sum_of(terms, half)
                v = without(nodes, free[j])
                table[free[j], v] = (
                    log_positive(derivative) - total - table[free[j], v] if derivative > NEGLIGIBLE else LEAST)
            into = nodes
            for t in range(1, <Py_ssize_t> 1 << m):
                into = (into + 1) | nodes
                closed[into] += adjoints[t]
        for nodes in range(n_sets):
            closed[nodes] *= mantissas[nodes] / mantissas[0]
    return total + <double> exponents[0] * LOG_2


cdef int check(const double[:, ::1] table, Py_ssize_t n_sets) except -1:
    cdef Py_ssize_t n = table.shape[0]
    if not (1 <= n <= MOST_NODES and n_sets == <Py_ssize_t> 1 << n and 2 * table.shape[1] == n_sets):
        raise ValueError("the arrays of the exact sums do not fit together")
    return 0


cdef inline Py_ssize_t without(Py_ssize_t nodes, Py_ssize_t v) noexcept nogil:
    """A set as a mask over the nodes other than v."""
    cdef Py_ssize_t below = (<Py_ssize_t> 1 << v) - 1
    return (nodes & below) | ((nodes >> 1) & ~below)


cdef inline double log_sum(const double* terms, Py_ssize_t n) noexcept nogil:
    """logsumexp(terms)"""
    cdef Py_ssize_t i
    cdef double largest = -INFINITY, total = 0.0
    for i in range(n):
        largest = max(largest, terms[i])
    for i in range(n):
        total += exp_nonpositive(terms[i] - largest)
    return largest + log_positive(total)


cdef inline Py_ssize_t gather(
    const double[:, ::1] table, Py_ssize_t n, Py_ssize_t nodes, const double* mantissas, const int32_t* exponents,
    Py_ssize_t* free, double* alpha, int32_t* power, double* values, int32_t* powers,
) noexcept nogil:
    """H(S + T) for all T, but 0 for the empty one, and alpha_v(S) = alpha * 2 ** power; the number of free nodes.

    alpha_v(S) is 0 where S lacks a parent that v must have. Some node has none in the rest, for they make no cycle.
    """
    cdef Py_ssize_t v, m = 0, t, union = nodes
    cdef double x
    for v in range(n):
        if not (nodes >> v) & 1:
            x = table[v, without(nodes, v)]
            free[m] = v
            if x <= LEAST / 2.0:
                power[m], alpha[m] = NO_POWER, 0.0
            else:
                x = x / LOG_2
                power[m] = <int32_t> floor(x)
                alpha[m] = 2.0 * exp_nonpositive((x - <double> power[m] - 1.0) * LOG_2)
            m += 1
    values[0] = 0.0
    for t in range(1, <Py_ssize_t> 1 << m):
        union = (union + 1) | nodes
        values[t] = mantissas[union]
        powers[t] = exponents[union]
    return m


cdef inline void fold(
    Py_ssize_t m, const double* alpha, const int32_t* power, double* values, const int32_t* powers,
) noexcept nogil:
    """Leave -H(S) in the first value; the upper half of every fold stays where it is."""
    cdef Py_ssize_t j = m, half, i
    while j > 0:
        j -= 1
        half = <Py_ssize_t> 1 << j
        for i in range(half):
            values[i] -= alpha[j] * power_of_two(power[j] + powers[half + i] - powers[i]) * values[half + i]


cdef inline double power_of_two(int32_t k) noexcept nogil:
    """2 ** k for k up to 1000, and 2 ** -600 for all below."""
    cdef uint64_t bits = <uint64_t> (max(k, <int32_t> SMALLEST_POWER) + 1023) << 52
    cdef double result
    memcpy(&result, &bits, 8)
    return result


cdef inline void normalise(double value, int32_t power, double* mantissa, int32_t* exponent) noexcept nogil:
    """Write value * 2 ** power, positive, as mantissa * 2 ** exponent with the mantissa in [1, 2)."""
    cdef int k
    mantissa[0] = 2.0 * frexp(value, &k)
    exponent[0] = power + k - 1
