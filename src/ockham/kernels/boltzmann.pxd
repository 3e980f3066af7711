# The partition function and the likelihood of restricted Boltzmann machines, with their gradients.
#
# symbol        name             shape              unit
# V, K          n_visible, n_hidden
# theta         theta            (V K + V + K,)     nats    W row by row, b, c
# u             outer units                                 the smaller layer, L units, whose states h are summed over
# i             inner units                                 the other ones, summed out in closed form; padded to P
# M             weights          (L, P)             nats    W, or its transpose where the hidden layer is the smaller
# a, d          outer, inner     (L,), (P,)         nats    the layers' biases
# e(h)          levels           (L + 1, P)         1       exp of the inner activations d + h M
# ln F(h)       log_terms        (2 ** L,)          nats    log of the sum over the inner units at h
#
# In NumPy, with all outer states in the rows of H:
#     log_terms = H @ a + np.logaddexp(0, H @ M + d).sum(axis=1); log_total = logsumexp(log_terms)
#     p = np.exp(log_terms - log_total); mu = expit(H @ M + d)
#     means of x_i z_k, of the outer and of the inner units: H.T @ (p[:, None] * mu), p @ H, p @ mu
#
# States are visited in binary order, the last unit fastest. The step to h sets one unit u and clears those behind it,
# so e(h) is exp(M[u]) times the vector of a state seen before, which the level of u keeps. Likewise the sum of p mu
# over the states that have u set grows in the level of u + 1, and is added to the level below once u is cleared. So no
# matrix product is left. Where a product could leave the range of float64, levels hold the activations themselves.
from libc.math cimport fabs
from libc.stdint cimport int32_t

from ockham.kernels.checks cimport within
from ockham.kernels.special cimport exp_nonpositive, log_positive
from ockham.kernels.sums cimport sum_of

cdef enum:
    LANES = 8
    LARGEST = 600                       # exp(LARGEST) is far inside of float64


cdef struct Machine:
    Py_ssize_t n_visible, n_hidden, n_outer, n_inner, n_padded
    Py_ssize_t n_blocks                 # of lanes that are multiplied before their logarithm is taken
    bint hidden_is_outer
    bint in_logs                        # levels hold activations
    const double* outer
    double* steps                       # (L, P): exp(M), or M
    double* levels
    double* sums                        # (L + 1, P): of p mu
    double* totals                      # (L, P): of p mu where u is set
    double* outer_levels                # (L + 1,): of h a
    double* masses                      # (L + 1,): of p
    double* log_terms
    const double** now                  # (L + 1,): the vector of each level


cdef struct Rows:                       # distinct rows of the data
    Py_ssize_t n_rows
    double n                            # rows in all
    const int32_t* starts               # (n_rows + 1,): of each row's units that are 1
    const int32_t* units
    const double* counts
    double* activations                 # work: (n_rows, K)
    double* terms                       # work: (n_rows, K)


cdef inline Py_ssize_t machine_size(Py_ssize_t n_visible, Py_ssize_t n_hidden) noexcept nogil:
    """Doubles that ``place`` needs."""
    cdef Py_ssize_t n_outer = min(n_visible, n_hidden)
    return (4 * n_outer + 2) * padded(max(n_visible, n_hidden)) + 3 * (n_outer + 1) + (<Py_ssize_t> 1 << n_outer)


cdef inline Py_ssize_t padded(Py_ssize_t n) noexcept nogil:
    return (n + LANES - 1) // LANES * LANES


cdef inline void place(Machine* m, Py_ssize_t n_visible, Py_ssize_t n_hidden, double* memory) noexcept nogil:
    m.n_visible, m.n_hidden, m.hidden_is_outer = n_visible, n_hidden, n_hidden < n_visible
    m.n_outer, m.n_inner = min(n_visible, n_hidden), max(n_visible, n_hidden)
    m.n_padded = padded(m.n_inner)
    m.steps = memory
    m.totals = m.steps + m.n_outer * m.n_padded
    m.levels = m.totals + m.n_outer * m.n_padded
    m.sums = m.levels + (m.n_outer + 1) * m.n_padded
    m.outer_levels = m.sums + (m.n_outer + 1) * m.n_padded
    m.masses = m.outer_levels + m.n_outer + 1
    m.now = <const double**> (m.masses + m.n_outer + 1)
    m.log_terms = m.masses + 2 * (m.n_outer + 1)


cdef inline Py_ssize_t rows_size(Py_ssize_t n_rows, Py_ssize_t n_hidden) noexcept nogil:
    """Doubles that ``bind_rows`` needs."""
    return 2 * n_rows * n_hidden


cdef inline Py_ssize_t bind(
    Machine* m, Py_ssize_t n_visible, Py_ssize_t n_hidden, const double[::1] theta, double[::1] work,
) except -1:
    """Check the arrays and place the machine; how much of the work it takes."""
    cdef Py_ssize_t used
    if not (0 < n_visible and 0 < n_hidden and min(n_visible, n_hidden) < 60):
        raise ValueError("the layers of a Boltzmann machine are out of range")
    used = machine_size(n_visible, n_hidden)
    if theta.shape[0] != n_visible * n_hidden + n_visible + n_hidden or work.shape[0] < used:
        raise ValueError("the arrays of a Boltzmann machine do not fit together")
    place(m, n_visible, n_hidden, &work[0])
    return used


cdef inline Py_ssize_t bind_rows(
    Rows* rows, const int32_t[::1] starts, const int32_t[::1] units, const double[::1] counts, Py_ssize_t n_visible,
    double[::1] work, Py_ssize_t n_hidden,
) except -1:
    """Check the data and place them; how much of the work they take."""
    cdef Py_ssize_t r, n_rows = counts.shape[0], used = rows_size(n_rows, n_hidden)
    if n_rows < 1 or starts.shape[0] != n_rows + 1 or units.shape[0] < 1 or work.shape[0] < used:
        raise ValueError("the arrays of a Boltzmann machine do not fit together")
    if starts[0] != 0 or starts[n_rows] != units.shape[0] - 1 or not within(&units[0], units.shape[0], n_visible):
        raise ValueError("an index of a Boltzmann machine is out of range")
    rows.n = 0.0
    for r in range(n_rows):
        if starts[r] > starts[r + 1]:
            raise ValueError("an index of a Boltzmann machine is out of range")
        rows.n += counts[r]
    rows.n_rows, rows.starts, rows.units, rows.counts = n_rows, &starts[0], &units[0], &counts[0]
    rows.activations = &work[0]
    rows.terms = rows.activations + n_rows * n_hidden
    return used


cdef inline double log_likelihood(Machine* m, Rows* rows, const double* theta, double* gradient) noexcept nogil:
    """ln p(D | theta) and its gradient."""
    cdef Py_ssize_t j, F = m.n_visible * m.n_hidden + m.n_visible + m.n_hidden
    cdef double log_total = log_partition(m, theta)
    expected_features(m, log_total, gradient)
    for j in range(F):
        gradient[j] *= -rows.n
    return add_rows(m, rows, theta, gradient) - rows.n * log_total


cdef inline double log_partition(Machine* m, const double* theta) noexcept nogil:
    """ln Z; keeps every ln F(h)."""
    cdef Py_ssize_t h, n_states = <Py_ssize_t> 1 << m.n_outer
    cdef double largest, total = 0.0
    load(m, theta)
    rewind(m)
    for h in range(n_states):
        if h:
            advance(m, h)
        m.log_terms[h] = m.outer_levels[m.n_outer] + log_inner_sum(m, m.now[m.n_outer])
    largest = m.log_terms[0]
    for h in range(n_states):
        largest = max(largest, m.log_terms[h])
    for h in range(n_states):
        total += exp_nonpositive(m.log_terms[h] - largest)
    return largest + log_positive(total)


cdef inline void expected_features(Machine* m, double log_total, double* means) noexcept nogil:
    """E[f] under the model, after ``log_partition``, which returned log_total."""
    cdef Py_ssize_t h, i, u, n_states = <Py_ssize_t> 1 << m.n_outer, level = 0, P = m.n_padded
    cdef Py_ssize_t V = m.n_visible, K = m.n_hidden
    cdef double* outer = means + V * K + (V if m.hidden_is_outer else 0)
    cdef double* inner = means + V * K + (0 if m.hidden_is_outer else V)
    rewind(m)
    for i in range(m.n_outer * P):
        m.totals[i] = 0.0
    for u in range(m.n_outer):
        outer[u] = 0.0
    for h in range(n_states):
        if h:
            close(m, h - 1, outer)
            level = advance(m, h)
        m.masses[level] = exp_nonpositive(m.log_terms[h] - log_total)
        weigh(m, m.now[m.n_outer], m.masses[level], m.sums + level * P)
    close(m, n_states - 1, outer)
    for i in range(m.n_inner):
        inner[i] = m.sums[i]
        for u in range(m.n_outer):
            means[i * K + u if m.hidden_is_outer else u * K + i] = m.totals[u * P + i]


cdef inline void load(Machine* m, const double* theta) noexcept nogil:
    """The levels' steps and the first level."""
    cdef Py_ssize_t u, i, P = m.n_padded, V = m.n_visible, K = m.n_hidden
    cdef const double* visible = theta + V * K
    cdef const double* inner = visible if m.hidden_is_outer else visible + V
    cdef double furthest = 0.0
    m.outer = visible + V if m.hidden_is_outer else visible
    for u in range(m.n_outer):
        for i in range(m.n_inner):
            m.steps[u * P + i] = theta[i * K + u if m.hidden_is_outer else u * K + i]
        for i in range(m.n_inner, P):
            m.steps[u * P + i] = 0.0
    for i in range(P):
        m.levels[i] = inner[i] if i < m.n_inner else -1e300          # no activation: no unit
        m.sums[i] = fabs(m.levels[i]) if i < m.n_inner else 0.0
    for u in range(m.n_outer):
        for i in range(P):
            m.sums[i] += fabs(m.steps[u * P + i])
    for i in range(P):
        furthest = max(furthest, m.sums[i])
    m.in_logs = not furthest < LARGEST - 1
    m.n_blocks = 1 if m.in_logs else <Py_ssize_t> (LARGEST / (furthest + 1.0))
    if not m.in_logs:
        for i in range(P):
            m.levels[i] = exp_of(m.levels[i])
        for i in range(m.n_outer * P):
            m.steps[i] = exp_of(m.steps[i])


cdef inline void rewind(Machine* m) noexcept nogil:
    """To the state in which no outer unit is set."""
    cdef Py_ssize_t level
    for level in range(m.n_outer + 1):
        m.now[level] = m.levels
        m.outer_levels[level] = 0.0


cdef inline Py_ssize_t advance(Machine* m, Py_ssize_t h) noexcept nogil:
    """To state h from the one before; the level behind the unit that is set."""
    cdef Py_ssize_t i, level = m.n_outer, below, P = m.n_padded
    while not h & 1:
        h >>= 1
        level -= 1
    cdef const double* before = m.now[level - 1]
    cdef const double* step = m.steps + (level - 1) * P
    cdef double* after = m.levels + level * P
    if m.in_logs:
        for i in range(P):
            after[i] = before[i] + step[i]
    else:
        for i in range(P):
            after[i] = before[i] * step[i]
    m.outer_levels[level] = m.outer_levels[level - 1] + m.outer[level - 1]
    for below in range(level, m.n_outer + 1):
        m.now[below] = after
        m.outer_levels[below] = m.outer_levels[level]
    return level


cdef inline void close(Machine* m, Py_ssize_t h, double* outer_means) noexcept nogil:
    """Add up what the last units have gathered, all set in h, that the state after h clears."""
    cdef Py_ssize_t i, rest, level = m.n_outer, parent, P = m.n_padded
    cdef double* sums
    cdef double* total
    cdef double* parents
    while h & 1:
        h >>= 1
        parent, rest = (level - 1 if h else 0), h
        while rest and not rest & 1:
            rest >>= 1
            parent -= 1
        sums, total, parents = m.sums + level * P, m.totals + (level - 1) * P, m.sums + parent * P
        for i in range(P):
            total[i] += sums[i]
            parents[i] += sums[i]
        outer_means[level - 1] += m.masses[level]
        m.masses[parent] += m.masses[level]
        level -= 1


cdef inline double log_inner_sum(Machine* m, const double* vector) noexcept nogil:
    """Sum over the inner units of ln(1 + e)."""
    cdef Py_ssize_t i, k, block = 0, end, n_blocks = m.n_padded // LANES
    cdef double total = 0.0
    cdef double[LANES] lanes
    if m.in_logs:
        for i in range(m.n_padded):
            total += softplus(vector[i])
        return total
    while block < n_blocks:
        end = min(block + m.n_blocks, n_blocks)
        for k in range(LANES):
            lanes[k] = 1.0
        for i in range(block, end):
            for k in range(LANES):
                lanes[k] *= 1.0 + vector[LANES * i + k]
        for k in range(LANES):
            lanes[k] = log_positive(lanes[k])
        total += sum_of(lanes, LANES)
        block = end
    return total


cdef inline void weigh(Machine* m, const double* vector, double p, double* result) noexcept nogil:
    """p mu"""
    cdef Py_ssize_t i
    if m.in_logs:
        for i in range(m.n_padded):
            result[i] = p * sigmoid(vector[i])
    else:
        for i in range(m.n_padded):
            result[i] = p * (vector[i] / (1.0 + vector[i]))


cdef inline double add_rows(Machine* m, Rows* rows, const double* theta, double* gradient) noexcept nogil:
    """Sum over rows of ln Z(x, theta); adds the sum of E[f | x] to the gradient."""
    cdef Py_ssize_t r, s, k, i, V = m.n_visible, K = m.n_hidden, n = rows.n_rows * K
    cdef const double* visible = theta + V * K
    cdef const double* hidden = visible + V
    cdef double* activation = rows.activations
    cdef double value = 0.0, count
    for r in range(rows.n_rows):
        activation = rows.activations + r * K
        for k in range(K):
            activation[k] = hidden[k]
        for s in range(rows.starts[r], rows.starts[r + 1]):
            i = rows.units[s]
            value += rows.counts[r] * visible[i]
            gradient[V * K + i] += rows.counts[r]
            for k in range(K):
                activation[k] += theta[i * K + k]
    for i in range(n):
        rows.terms[i] = softplus(rows.activations[i])
        rows.activations[i] = sigmoid(rows.activations[i])
    for r in range(rows.n_rows):
        count, activation = rows.counts[r], rows.activations + r * K
        value += count * sum_of(rows.terms + r * K, K)
        for k in range(K):
            activation[k] *= count
            gradient[V * K + V + k] += activation[k]
        for s in range(rows.starts[r], rows.starts[r + 1]):
            i = rows.units[s]
            for k in range(K):
                gradient[i * K + k] += activation[k]
    return value


cdef inline double exp_of(double x) noexcept nogil:
    """exp x, with |x| up to 700, or 0 for a large negative x."""
    cdef double e = exp_nonpositive(-fabs(x))
    return 1.0 / e if x > 0.0 else e


cdef inline double softplus(double x) noexcept nogil:
    """ln(1 + exp x)"""
    return max(x, 0.0) + log_positive(1.0 + exp_nonpositive(-fabs(x)))


cdef inline double sigmoid(double x) noexcept nogil:
    """1 / (1 + exp -x)"""
    cdef double e = exp_nonpositive(-fabs(x))
    return (1.0 if x >= 0.0 else e) / (1.0 + e)
