# Completions of the data annealed from a distribution that is near one name only of what is hidden.
#
# symbol   name             shape                   unit
# u        rows             (n,)                            unique row of every case
#          starts           (n_rows + 1,)                   first way to complete each row, then n_ways
# c        cells            (n_ways, n_touched)             cells that count a row in a way
# D        log_steps        (n_cells, n + 1)        nats    what counting one more adds to ln p(s, y | m)
# L        log_factors      (n_cells, n + 1)        nats    log evidence of each cell by what it has counted
# N        position         (n_cells,)                      c (n + 1) + N_c: where L and D are at a cell's present count
# ln q     log_reference    (n_ways,)               nats    of the ways of every row, each row a distribution
# tau      temperatures     (n_steps + 1,)                  from 0 to 1, or back
# s        chosen           (n,)                            way of every case
# pi       names            (n_names, H)                    what each name makes of every hidden configuration
#
# The ways of a row are its fillings, slower, times the H hidden configurations. With n_names = 0 all permutations of
# these are names, the values of one hidden variable. With M[h, j] the sum of ln q over the cases in configuration h,
# had they j in its place, the share of the present name in all names of a completion is
#     ln r(s) = M.trace() - logsumexp over every name of M[range(H), pi].sum(),
# and a chain walks in p(s, y | m) ** tau q(s) ** (1 - tau) r(s). One transition draws the way of a case after another
# given all others, in the order of the cases or against it, either as probable, from
#     p(w) proportional to exp(tau D[c, N].sum() + (1 - tau) ln q[w]),  c the cells of w, N without the case
# so that without r it is reversible, and is accepted with probability min(1, r(new) / r(old)).
from libc.math cimport INFINITY, fabs
from libc.stdint cimport int32_t, int64_t
from numpy.random cimport bitgen_t

from ockham.kernels.annealing cimport anneal
from ockham.kernels.checks cimport ascends, within
from ockham.kernels.sampling cimport generator_of
from ockham.kernels.special cimport exp_nonpositive, log_positive

cdef enum:
    MOST = 20                           # configurations that all permutations are names of

cdef extern from *:
    """
    #define NEGLIGIBLE 32.0
    """
    const double NEGLIGIBLE             # nats below the present name, of all names that begin alike


cdef struct Chain:
    Py_ssize_t n_cases, n_configurations, n_touched, n_cells, n_names
    const int32_t* rows
    const int32_t* starts
    const int32_t* cells
    const int32_t* names
    const double* log_steps
    const double* log_factors
    const double* log_reference
    int32_t* position
    int32_t* chosen
    int32_t* before                     # ways before a transition
    bitgen_t* generator
    double log_share                    # ln r
    double* shares                      # (most ways of a row,)
    double* table                       # M, (H, H)
    double* gaps                        # (H,) nats by which a configuration says less under every other name
    double* beyond                      # (H + 1,) ln of what all from one on may say, whatever names they take
    double* subsets                     # (2^H,) -inf between calls, where names are permutations
    int32_t* reached                    # (2, 2^H) subsets that a number of configurations can have


cpdef Py_ssize_t n_subsets(Py_ssize_t n_configurations, Py_ssize_t n_names) except -1:
    """2^H where names are permutations, and 1 where they are listed."""
    if n_names == 0 and not 1 <= n_configurations <= MOST:
        raise ValueError("all permutations are names of at least one configuration, and at the most 20")
    return 1 if n_names else <Py_ssize_t> 1 << n_configurations


cpdef Py_ssize_t work_size(Py_ssize_t n_configurations, Py_ssize_t n_names, Py_ssize_t most_ways) except -1:
    """Doubles of work, -inf at the start, that ``run`` takes; it leaves them so that it can be called again."""
    return most_ways + n_configurations * (n_configurations + 2) + 1 + n_subsets(n_configurations, n_names)


def run(
    bit_generator,
    const int32_t[::1] rows,                # IN
    const int32_t[::1] starts,              # IN
    const int32_t[:, ::1] cells,            # IN
    const int32_t[:, ::1] names,            # IN
    const double[:, ::1] log_steps,         # IN
    const double[:, ::1] log_factors,       # IN
    const double[::1] log_reference,        # IN
    int32_t[::1] position,                  # OUT, the counts of the last ways
    const double[::1] temperatures,         # IN
    int32_t[::1] chosen,                    # INOUT
    int32_t[::1] before,                    # work: (n,)
    double[::1] work,                       # work
    int32_t[:, ::1] reached,                # work: (2, n_subsets)
):
    """Sum of the steps of tau times ln p(s, y | m) - ln q(s), ln r of the first and of the last state, all in nats.

    And how many of the transitions were accepted.
    """
    cdef Chain chain
    cdef Py_ssize_t i, n = rows.shape[0], n_counts = log_factors.shape[1], h = names.shape[1], n_names = names.shape[0]
    cdef Py_ssize_t n_rows = starts.shape[0] - 1, most = 0, n_steps = temperatures.shape[0] - 1
    cdef int64_t[4] accepted = [0, 0, 0, 0]
    cdef double found, first
    if (
        log_steps.shape[0] != log_factors.shape[0] or log_steps.shape[1] != n_counts or not cells.size or not n or not h
        or log_reference.shape[0] != cells.shape[0] or position.shape[0] != log_factors.shape[0]
        or chosen.shape[0] != n or before.shape[0] != n or n_steps < 1 or reached.shape[0] != 2
        or reached.shape[1] != n_subsets(h, n_names)
    ):
        raise ValueError("the arrays of named completions do not fit together")
    if (
        n >= n_counts or not ascends(starts, cells.shape[0]) or not within(&rows[0], n, n_rows)
        or not within(&cells[0, 0], cells.size, log_factors.shape[0])
        or (n_names and not within(&names[0, 0], names.size, h))
    ):
        raise ValueError("an index of named completions is out of range")
    for i in range(n_rows):
        most = max(most, starts[i + 1] - starts[i])
        if (starts[i + 1] - starts[i]) % h:
            raise ValueError("the ways of a row must be its fillings times the hidden configurations")
    for i in range(n):
        if not starts[rows[i]] <= chosen[i] < starts[rows[i] + 1]:
            raise ValueError("an index of named completions is out of range")
    if work.shape[0] != work_size(h, n_names, most):
        raise ValueError("the arrays of named completions do not fit together")
    chain.n_cases, chain.n_configurations, chain.n_touched, chain.n_names = n, h, cells.shape[1], n_names
    chain.n_cells, chain.rows, chain.starts, chain.cells = log_factors.shape[0], &rows[0], &starts[0], &cells[0, 0]
    chain.names = &names[0, 0] if n_names else NULL
    chain.log_steps, chain.log_factors, chain.log_reference = &log_steps[0, 0], &log_factors[0, 0], &log_reference[0]
    chain.position, chain.chosen, chain.before = &position[0], &chosen[0], &before[0]
    chain.generator, chain.reached = generator_of(bit_generator), &reached[0, 0]
    chain.shares = &work[0]
    chain.table = chain.shares + most
    chain.gaps = chain.table + h * h
    chain.beyond = chain.gaps + h
    chain.subsets = chain.beyond + h + 1
    with nogil:
        for i in range(chain.n_cells):
            position[i] = <int32_t> (i * n_counts)
        for i in range(n):
            count(&chain, i, 1)
        chain.log_share = first = log_share(&chain)
        found = anneal(&chain, transition, log_ratio, &temperatures[0], n_steps, 1, accepted)
    return found, first, chain.log_share, accepted[0] + accepted[1] + accepted[2] + accepted[3]


cdef inline void count(Chain* chain, Py_ssize_t i, int32_t times) noexcept nogil:
    """Count a case in its way, or with -1 no longer."""
    cdef const int32_t* cells = chain.cells + chain.chosen[i] * chain.n_touched
    cdef Py_ssize_t t
    for t in range(chain.n_touched):
        chain.position[cells[t]] += times


cdef double log_ratio(void* untyped) noexcept nogil:
    """ln p(s, y | m) - ln q(s)."""
    cdef Chain* chain = <Chain*> untyped
    cdef Py_ssize_t i
    cdef double total = 0.0
    for i in range(chain.n_cells):
        total += chain.log_factors[chain.position[i]]
    for i in range(chain.n_cases):
        total -= chain.log_reference[chain.chosen[i]]
    return total


cdef bint transition(void* untyped, Py_ssize_t k, double temperature) noexcept nogil:
    """Draw the ways of all cases, and take them back where their name is not accepted."""
    cdef Chain* chain = <Chain*> untyped
    cdef Py_ssize_t i
    cdef double share
    for i in range(chain.n_cases):
        chain.before[i] = chain.chosen[i]
    if chain.generator.next_double(chain.generator.state) < 0.5:
        for i in range(chain.n_cases):
            draw(chain, i, temperature)
    else:
        for i in range(chain.n_cases - 1, -1, -1):
            draw(chain, i, temperature)
    share = log_share(chain)
    if share >= chain.log_share or (
            chain.generator.next_double(chain.generator.state) < exp_nonpositive(share - chain.log_share)):
        chain.log_share = share
        return True
    for i in range(chain.n_cases):
        if chain.chosen[i] != chain.before[i]:
            count(chain, i, -1)
            chain.chosen[i] = chain.before[i]
            count(chain, i, 1)
    return False


cdef inline void draw(Chain* chain, Py_ssize_t i, double temperature) noexcept nogil:
    """Draw the way of a case given those of all others."""
    cdef Py_ssize_t first = chain.starts[chain.rows[i]], n_ways = chain.starts[chain.rows[i] + 1] - first, w, t
    cdef const int32_t* cells = chain.cells + first * chain.n_touched
    cdef double here, largest = -INFINITY, total = 0.0, left
    if n_ways == 1:
        return
    count(chain, i, -1)
    for w in range(n_ways):
        here = 0.0
        for t in range(chain.n_touched):
            here += chain.log_steps[chain.position[cells[t]]]
        here = temperature * here + (1.0 - temperature) * chain.log_reference[first + w]
        chain.shares[w] = here
        largest = max(largest, here)
        cells += chain.n_touched
    for w in range(n_ways):
        chain.shares[w] = exp_nonpositive(chain.shares[w] - largest)
        total += chain.shares[w]
    left = total * chain.generator.next_double(chain.generator.state)
    w = 0
    while w < n_ways - 1 and left >= chain.shares[w]:
        left -= chain.shares[w]
        w += 1
    chain.chosen[i] = <int32_t> (first + w)
    count(chain, i, 1)


cdef double log_share(Chain* chain) noexcept nogil:
    """ln r of the present ways."""
    cdef Py_ssize_t h = chain.n_configurations, i, k, other, own
    cdef double* of_configuration
    cdef double present = 0.0, here, found = -INFINITY
    if chain.n_names == 1:
        return 0.0
    for k in range(h * h):
        chain.table[k] = 0.0
    for i in range(chain.n_cases):
        own = (chain.chosen[i] - chain.starts[chain.rows[i]]) % h
        of_configuration = chain.table + own * h
        for other in range(h):
            of_configuration[other] += chain.log_reference[chain.chosen[i] - own + other]
    if chain.n_names == 0:
        return log_share_in_permutations(chain)
    for k in range(h):
        present += chain.table[k * h + k]
    for i in range(chain.n_names):
        here = 0.0
        for k in range(h):
            here += chain.table[k * h + chain.names[i * h + k]]
        found = log_add(found, here)
    return present - found


cdef double log_share_in_permutations(Chain* chain) noexcept nogil:
    """The same where all permutations are names: their sum is the permanent of exp(M).

    It is taken over the names that configurations take one after another, those first that hardly can have another.
    Names that begin alike are left out where all of them, by the sums of the configurations that follow, are nothing
    beside the present one. Those without a case come last, and can share what is left in any way.
    """
    cdef Py_ssize_t h = chain.n_configurations, i, k, other, n_reached, n_next, n_full = 0
    cdef int32_t* reached = chain.reached
    cdef int32_t* following = reached + (<Py_ssize_t> 1 << h)
    cdef int32_t subset, larger
    cdef int32_t[MOST] order
    cdef double* of_one
    cdef double own = 0.0, value, term, found = -INFINITY
    for k in range(h):
        if chain.table[k * h] == 0.0:       # the sum of no ln q, which are below 0
            continue
        of_one, value = chain.table + k * h, -INFINITY
        for other in range(h):
            if other != k:
                value = max(value, of_one[other])
        chain.gaps[k] = of_one[k] - value
        i = n_full
        while i > 0 and chain.gaps[order[i - 1]] < chain.gaps[k]:
            order[i] = order[i - 1]
            i -= 1
        order[i] = <int32_t> k
        n_full += 1
    chain.beyond[n_full] = 0.0
    for i in range(2, h - n_full + 1):
        chain.beyond[n_full] += log_positive(<double> i)
    for i in range(n_full - 1, -1, -1):
        of_one, value = chain.table + order[i] * h, -INFINITY
        own += of_one[order[i]]
        for other in range(h):
            value = log_add(value, of_one[other])
        chain.beyond[i] = chain.beyond[i + 1] + value
    reached[0], n_reached, chain.subsets[0] = 0, 1, 0.0
    for k in range(n_full):
        of_one, n_next = chain.table + order[k] * h, 0
        for i in range(n_reached):
            subset = reached[i]
            value, chain.subsets[subset] = chain.subsets[subset], -INFINITY
            for other in range(h):
                term = value + of_one[other]
                if (subset >> other) & 1 or term + chain.beyond[k + 1] < own - NEGLIGIBLE:
                    continue
                larger = subset | <int32_t> (1 << other)
                if chain.subsets[larger] == -INFINITY:
                    following[n_next] = larger
                    n_next += 1
                chain.subsets[larger] = log_add(chain.subsets[larger], term)
        reached, following, n_reached = following, reached, n_next
    for i in range(n_reached):
        found = log_add(found, chain.subsets[reached[i]])
        chain.subsets[reached[i]] = -INFINITY
    return own - found - chain.beyond[n_full]


cdef inline double log_add(double a, double b) noexcept nogil:
    """ln(exp(a) + exp(b)), of which b is finite."""
    if a == -INFINITY:
        return b
    return max(a, b) + log_positive(1.0 + exp_nonpositive(-fabs(a - b)))
