# Particles of sequential Monte Carlo over growing data: completions of the rows so far, the parameters integrated out.
#
# symbol        name         shape                     unit
# N             counts       (n_particles, n_entries)  1      inout: of the completed rows
# lambda        prior        (n_entries,)              1      Dirichlet hyperparameters
#               rows         (n_added,)                       which distinct row each further one is
#               starts       (n_distinct + 1,)                first filling of each distinct row, then n_fillings
# b             bases        (n_fillings, n_variables)        entry of every variable where all hidden ones are 0, or
#                                                             n_entries where the variable is left out
# s             shifts       (n_variables, H)                 what a hidden configuration adds to that
# ln w          log_weights  (n_particles,)            nats   out: ln of the predictive probability of all further rows
#
# In NumPy, for every particle and further row u, with theta the posterior mean given N, and 1 for what is left out:
#     entries = b[starts[u] : starts[u + 1], :, None] + s               # ways to complete the row: fillings x H
#     p = theta[entries].prod(axis=1).ravel()
#     ln w += log(p.sum()); way = rng.choice(len(p), p=p / p.sum()); N[entries of the way] += 1
# ([KongEtAl1994]). A sweep draws parameters given N, and completes all rows given these.
from libc.math cimport INFINITY
from libc.stdint cimport int32_t
from libc.string cimport memset
from numpy.random cimport bitgen_t
from numpy.random.c_distributions cimport binomial_t

from ockham.kernels.checks cimport ascends, within
from ockham.kernels.completion cimport add_counts, complete, most_parts
from ockham.kernels.plan cimport Plan, bind, plan_size
from ockham.kernels.sampling cimport draw_dirichlet, generator_of
from ockham.kernels.special cimport exp_nonpositive, log_positive

cdef double TINY = 1e-250               # below which a sum of probabilities is computed in logs


cdef struct Network:
    Py_ssize_t n_entries, n_rows, n_variables, width
    const int32_t* row_of
    const int32_t* row_starts
    const double* prior
    const int32_t* starts
    const int32_t* bases
    const int32_t* shifts
    double* totals                      # (n_rows,) lambda + N summed over each row of the parameters
    double* theta                       # (n_entries,) posterior mean
    double* shares                      # (most ways of a row,)


cpdef Py_ssize_t extension_work_size(Py_ssize_t n_entries, Py_ssize_t n_rows, Py_ssize_t most_ways) noexcept:
    """Doubles of work that ``extend`` takes, with rows that can be completed in so many ways at the most."""
    return n_entries + n_rows + most_ways


def extend(
    bit_generator,
    const int32_t[::1] row_of,          # IN which row of the parameters each entry is in
    const int32_t[::1] row_starts,      # IN
    const double[::1] prior,            # IN
    const int32_t[::1] rows,            # IN
    const int32_t[::1] starts,          # IN
    const int32_t[:, ::1] bases,        # IN
    const int32_t[:, ::1] shifts,       # IN
    double[:, ::1] counts,              # INOUT
    double[::1] log_weights,            # OUT
    double[::1] work,                   # work
):
    """Weight every particle by each further row in turn, and complete that."""
    cdef Network network
    cdef Py_ssize_t n_particles = counts.shape[0], n_added = rows.shape[0], n_distinct = starts.shape[0] - 1
    cdef Py_ssize_t i, k, most = 0, highest = 0
    network.n_entries, network.n_rows, network.n_variables = prior.shape[0], row_starts.shape[0] - 1, bases.shape[1]
    network.width = shifts.shape[1]
    for i in range(n_distinct):
        most = max(most, network.width * (starts[i + 1] - starts[i]))
    if (counts.shape[1] != network.n_entries or row_of.shape[0] != network.n_entries
            or shifts.shape[0] != network.n_variables or not shifts.size or log_weights.shape[0] != n_particles
            or work.shape[0] < extension_work_size(network.n_entries, network.n_rows, most)):
        raise ValueError("the arrays of particles do not fit together")
    if (not ascends(row_starts, network.n_entries) or not ascends(starts, bases.shape[0])
            or not within(&row_of[0], network.n_entries, network.n_rows)
            or (n_added and not within(&rows[0], n_added, n_distinct))
            or (bases.size and not within(&bases[0, 0], bases.size, network.n_entries + 1))):
        raise ValueError("an index of particles is out of range")
    for k in range(network.n_variables):
        highest = 0
        for i in range(network.width):
            if shifts[k, i] < 0:
                raise ValueError("an index of particles is out of range")
            highest = max(highest, shifts[k, i])
        for i in range(bases.shape[0]):
            if bases[i, k] < network.n_entries <= bases[i, k] + highest:
                raise ValueError("an index of particles is out of range")
    network.row_of, network.row_starts, network.prior = &row_of[0], &row_starts[0], &prior[0]
    network.starts, network.bases, network.shifts = &starts[0], &bases[0, 0] if bases.size else NULL, &shifts[0, 0]
    network.theta = &work[0]
    network.totals = network.theta + network.n_entries
    network.shares = network.totals + network.n_rows
    generator = generator_of(bit_generator)
    with nogil:
        for i in range(n_particles):
            begin(&network, &counts[i, 0])
            log_weights[i] = 0.0
            for k in range(n_added):
                log_weights[i] += add(&network, rows[k], generator, &counts[i, 0])


cdef inline void begin(Network* network, const double* counts) noexcept nogil:
    """The posterior mean given counts."""
    cdef Py_ssize_t j, e
    for j in range(network.n_rows):
        network.totals[j] = 0.0
        for e in range(network.row_starts[j], network.row_starts[j + 1]):
            network.totals[j] += network.prior[e] + counts[e]
        renew(network, j, counts)


cdef inline void renew(Network* network, Py_ssize_t j, const double* counts) noexcept nogil:
    """The posterior mean in a row of the parameters."""
    cdef double inverse = 1.0 / network.totals[j]
    cdef Py_ssize_t e
    for e in range(network.row_starts[j], network.row_starts[j + 1]):
        network.theta[e] = (network.prior[e] + counts[e]) * inverse


cdef inline double add(Network* network, Py_ssize_t row, bitgen_t* generator, double* counts) noexcept nogil:
    """Complete a row, and count it; the log of its predictive probability."""
    cdef Py_ssize_t width = network.width, first = network.starts[row], n_fillings = network.starts[row + 1] - first
    cdef Py_ssize_t n_ways = n_fillings * width, k, way = 0, e
    cdef const int32_t* base
    cdef double total = 0.0, log_scale = 0.0, left
    for k in range(n_fillings):
        multiply(network, first + k, network.shares + k * width)
    for k in range(n_ways):
        total += network.shares[k]
    if total < TINY:
        log_scale = rescale(network, first, n_fillings)
        total = 0.0
        for k in range(n_ways):
            total += network.shares[k]
    left = total * generator.next_double(generator.state)
    while way < n_ways - 1 and left >= network.shares[way]:
        left -= network.shares[way]
        way += 1
    base = network.bases + (first + way // width) * network.n_variables
    for k in range(network.n_variables):
        if base[k] < network.n_entries:
            e = base[k] + network.shifts[k * width + way % width]
            counts[e] += 1.0
            network.totals[network.row_of[e]] += 1.0
            renew(network, network.row_of[e], counts)
    return log_scale + log_positive(total)


cdef inline void multiply(Network* network, Py_ssize_t filling, double* shares) noexcept nogil:
    """Probabilities of a row that is filled in, with every hidden configuration."""
    cdef Py_ssize_t width = network.width, k, c
    cdef const int32_t* base = network.bases + filling * network.n_variables
    cdef const int32_t* shift
    cdef const double* theta
    for c in range(width):
        shares[c] = 1.0
    for k in range(network.n_variables):
        if base[k] < network.n_entries:
            theta, shift = network.theta + base[k], network.shifts + k * width
            for c in range(width):
                shares[c] *= theta[shift[c]]


cdef double rescale(Network* network, Py_ssize_t first, Py_ssize_t n_fillings) noexcept nogil:
    """The probabilities of all ways to complete a row beside the largest, of which the log is returned."""
    cdef Py_ssize_t width = network.width, i, k, c, e
    cdef const int32_t* base
    cdef double largest = -INFINITY
    for i in range(n_fillings):
        base = network.bases + (first + i) * network.n_variables
        for c in range(width):
            network.shares[i * width + c] = 0.0
            for k in range(network.n_variables):
                if base[k] < network.n_entries:
                    e = base[k] + network.shifts[k * width + c]
                    network.shares[i * width + c] += log_positive(network.theta[e])
            largest = max(largest, network.shares[i * width + c])
    for c in range(n_fillings * width):
        network.shares[c] = exp_nonpositive(network.shares[c] - largest)
    return largest


cpdef Py_ssize_t sweep_work_size(layout, Py_ssize_t n_entries) except -1:
    """Doubles of work that ``sweep`` takes."""
    return plan_size(layout) + 2 * most_parts(layout) + 5 * n_entries + 4


def sweep(
    bit_generator,
    layout,                             # of the E step for all rows so far
    const int32_t[::1] row_starts,      # IN
    const double[::1] prior,            # IN
    const double[:, ::1] counts,        # IN (n_chains, n_entries) N where each chain begins
    double[:, ::1] found,               # OUT (n_chains * n_sweeps, n_entries) N after each sweep, chain after chain
    double[::1] work,                   # work
):
    """Sweep every chain as many times as there is room for what is found."""
    cdef Plan plan
    cdef Py_ssize_t n_entries = prior.shape[0], n_rows = row_starts.shape[0] - 1, n_chains = counts.shape[0]
    cdef Py_ssize_t used = bind(&plan, layout, n_entries, work), n_sweeps, i, k, e
    cdef const double* present
    cdef binomial_t memory
    if (counts.shape[1] != n_entries or found.shape[1] != n_entries or not n_chains or found.shape[0] % n_chains
            or not ascends(row_starts, n_entries) or work.shape[0] < sweep_work_size(layout, n_entries)):
        raise ValueError("the arrays of chains of particles do not fit together")
    n_sweeps = found.shape[0] // n_chains
    cdef double* completed = &work[used]
    cdef double* theta = completed + n_entries + 2
    cdef double* log_theta = theta + n_entries + 2
    cdef double* shape = log_theta + n_entries
    cdef double* log_shape = shape + n_entries
    cdef double* cumulative = log_shape + n_entries
    cdef double* below = cumulative + most_parts(layout)
    generator = generator_of(bit_generator)
    memset(&memory, 0, sizeof(memory))
    with nogil:
        theta[n_entries], theta[n_entries + 1] = 0.0, 1.0
        for i in range(n_chains):
            present = &counts[i, 0]
            for k in range(i * n_sweeps, (i + 1) * n_sweeps):
                add_counts(&prior[0], present, n_entries, shape, log_shape)
                draw_dirichlet(generator, shape, log_shape, &row_starts[0], n_rows, log_theta, theta)
                complete(&plan, generator, &memory, theta, log_theta, cumulative, below, completed)
                for e in range(n_entries):
                    found[k, e] = completed[e]
                present = &found[k, 0]
