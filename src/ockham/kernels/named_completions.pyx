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
# had they j in its place, the share of the present name in all listed names of a completion is
#     ln r(s) = M.trace() - logsumexp over every name of M[range(H), pi].sum().
# All permutations are too many for that. There the parts that s makes of the cases draw their names, one after another,
#     p(j | h) proportional to exp(M[h, j]) times, for every part g that follows, sum of exp(M[g, k]) over free k but j,
# which is above what all ways to go on say, or 1 where the best name of h is better by 40 nats. ln r(s) is the sum of
# ln p(h | h), and of -ln(number of empty parts)!. Parts are in the order of how much their best name is better than the
# next, and so draw alike whatever they are called: then r has the sum 1 over all names of s, as it must.
#
# A chain walks in p(s, y | m) ** tau q(s) ** (1 - tau) r(s). A transition draws the ways of some cases, and then of
# others, of each one after another given all others, in their order or against it, either as probable, from
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
    TOGETHER = 64                       # cases at the least that are drawn between two looks at a name of many
    LOOKS = 8                           # at it in a transition, at the most
    CLEAR = 40                          # nats by which a name is better, so that the next is nothing beside it


cdef struct Chain:
    Py_ssize_t n_cases, n_configurations, n_touched, n_cells, n_names, together
    const int32_t* rows
    const int32_t* starts
    const int32_t* cells
    const int32_t* names
    const double* log_steps
    const double* log_factors
    const double* log_reference
    int32_t* position
    double* adds                        # (n_cells,) D at the present counts
    int32_t* chosen
    int32_t* before                     # ways before those of some cases are drawn
    bitgen_t* generator
    int64_t n_accepted
    double log_share                    # ln r
    double* shares                      # (most ways of a row,)
    double* table                       # M, (H, H)
    double* gaps                        # (H,) nats by which the best name of a part is better than the next
    double* says                        # (H,) what it and all that follow say, if it takes a name
    double* weights                     # (H,) of the names of a part but the best, which has 1
    int32_t* order                      # (H,) parts that have cases
    int32_t* taken                      # (H,) whether one has a case, or its name is taken; 0 between calls


cpdef Py_ssize_t work_size(Py_ssize_t n_configurations, Py_ssize_t most_ways, Py_ssize_t n_cells) except -1:
    """Doubles of work that ``run`` takes."""
    return most_ways + n_cells + n_configurations * (n_configurations + 3)


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
    int32_t[:, ::1] parts,                  # work: (2, H)
):
    """Sum of the steps of tau times ln p(s, y | m) - ln q(s), ln r of the first and of the last state, all in nats.

    And the share of what was drawn together that was accepted.
    """
    cdef Chain chain
    cdef Py_ssize_t i, n = rows.shape[0], n_counts = log_factors.shape[1], h = names.shape[1], n_names = names.shape[0]
    cdef Py_ssize_t n_rows = starts.shape[0] - 1, most = 0, n_steps = temperatures.shape[0] - 1
    cdef int64_t[4] ended = [0, 0, 0, 0]
    cdef double found, first
    if (
        log_steps.shape[0] != log_factors.shape[0] or log_steps.shape[1] != n_counts or not cells.size or not n or not h
        or log_reference.shape[0] != cells.shape[0] or position.shape[0] != log_factors.shape[0]
        or chosen.shape[0] != n or before.shape[0] != n or n_steps < 1 or parts.shape[0] != 2 or parts.shape[1] != h
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
    if work.shape[0] != work_size(h, most, log_factors.shape[0]):
        raise ValueError("the arrays of named completions do not fit together")
    chain.n_cases, chain.n_configurations, chain.n_touched, chain.n_names = n, h, cells.shape[1], n_names
    chain.n_cells, chain.rows, chain.starts, chain.cells = log_factors.shape[0], &rows[0], &starts[0], &cells[0, 0]
    chain.names = &names[0, 0] if n_names else NULL
    chain.log_steps, chain.log_factors, chain.log_reference = &log_steps[0, 0], &log_factors[0, 0], &log_reference[0]
    chain.position, chain.chosen, chain.before = &position[0], &chosen[0], &before[0]
    chain.generator, chain.order, chain.taken = generator_of(bit_generator), &parts[0, 0], &parts[1, 0]
    chain.shares = &work[0]
    chain.adds = chain.shares + most
    chain.table = chain.adds + chain.n_cells
    chain.gaps = chain.table + h * h
    chain.says = chain.gaps + h
    chain.weights = chain.says + h
    chain.together = n if n_names else max(TOGETHER, over(n, LOOKS))
    chain.n_accepted, parts[:] = 0, 0
    with nogil:
        for i in range(chain.n_cells):
            position[i] = <int32_t> (i * n_counts)
            chain.adds[i] = chain.log_steps[position[i]]
        for i in range(n):
            count(&chain, i, 1)
        chain.log_share = first = log_share(&chain)
        found = anneal(&chain, transition, log_ratio, &temperatures[0], n_steps, 1, ended)
    return found, first, chain.log_share, <double> chain.n_accepted / (n_steps * over(n, chain.together))


cdef inline Py_ssize_t over(Py_ssize_t a, Py_ssize_t b) noexcept nogil:
    """a / b, rounded up."""
    return (a + b - 1) // b


cdef inline void count(Chain* chain, Py_ssize_t i, int32_t times) noexcept nogil:
    """Count a case in its way, or with -1 no longer."""
    cdef const int32_t* cells = chain.cells + chain.chosen[i] * chain.n_touched
    cdef Py_ssize_t t
    for t in range(chain.n_touched):
        chain.position[cells[t]] += times
        chain.adds[cells[t]] = chain.log_steps[chain.position[cells[t]]]


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
    """Draw the ways of all cases, some after others."""
    cdef Chain* chain = <Chain*> untyped
    cdef Py_ssize_t first = 0
    while first < chain.n_cases:
        chain.n_accepted += draw_some(chain, first, min(first + chain.together, chain.n_cases), temperature)
        first += chain.together
    return True


cdef bint draw_some(Chain* chain, Py_ssize_t first, Py_ssize_t end, double temperature) noexcept nogil:
    """Draw the ways of some cases, and take them back where their name is not accepted."""
    cdef Py_ssize_t i
    cdef double share
    for i in range(first, end):
        chain.before[i] = chain.chosen[i]
    if chain.generator.next_double(chain.generator.state) < 0.5:
        for i in range(first, end):
            draw(chain, i, temperature)
    else:
        for i in range(end - 1, first - 1, -1):
            draw(chain, i, temperature)
    share = log_share(chain)
    if share >= chain.log_share or (
            chain.generator.next_double(chain.generator.state) < exp_nonpositive(share - chain.log_share)):
        chain.log_share = share
        return True
    for i in range(first, end):
        if chain.chosen[i] != chain.before[i]:
            count(chain, i, -1)
            chain.chosen[i] = chain.before[i]
            count(chain, i, 1)
    return False


cdef inline void draw(Chain* chain, Py_ssize_t i, double temperature) noexcept nogil:
    """Draw the way of a case given those of all others."""
    cdef Py_ssize_t first = chain.starts[chain.rows[i]], n_ways = chain.starts[chain.rows[i] + 1] - first, w = 0, t
    cdef const int32_t* cells = chain.cells + first * chain.n_touched
    cdef double here, second, third, fourth, largest = -INFINITY, total = 0.0, left
    if n_ways == 1:
        return
    count(chain, i, -1)
    while w < n_ways - 3:                   # four sums at a time, for each waits for its last term
        here = second = third = fourth = 0.0
        for t in range(chain.n_touched):
            here += chain.adds[cells[t]]
            second += chain.adds[cells[chain.n_touched + t]]
            third += chain.adds[cells[2 * chain.n_touched + t]]
            fourth += chain.adds[cells[3 * chain.n_touched + t]]
        chain.shares[w], chain.shares[w + 1], chain.shares[w + 2], chain.shares[w + 3] = here, second, third, fourth
        w += 4
        cells += 4 * chain.n_touched
    while w < n_ways:
        here = 0.0
        for t in range(chain.n_touched):
            here += chain.adds[cells[t]]
        chain.shares[w] = here
        w += 1
        cells += chain.n_touched
    for w in range(n_ways):
        chain.shares[w] = temperature * chain.shares[w] + (1.0 - temperature) * chain.log_reference[first + w]
        largest = max(largest, chain.shares[w])
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
    cdef Py_ssize_t h = chain.n_configurations, n_full = 0, i, k, other, own
    cdef double* of_configuration
    cdef double present = 0.0, here, found = -INFINITY
    if chain.n_names == 1:
        return 0.0
    for k in range(h * h):
        chain.table[k] = 0.0
    for i in range(chain.n_cases):
        own = (chain.chosen[i] - chain.starts[chain.rows[i]]) % h
        of_configuration = chain.table + own * h
        if not chain.taken[own]:
            chain.taken[own], chain.order[n_full], n_full = 1, <int32_t> own, n_full + 1
        for other in range(h):
            of_configuration[other] += chain.log_reference[chain.chosen[i] - own + other]
    for k in range(n_full):
        chain.taken[chain.order[k]] = 0
    if chain.n_names == 0:
        return log_share_in_permutations(chain, n_full)
    for k in range(h):
        present += chain.table[k * h + k]
    for i in range(chain.n_names):
        here = 0.0
        for k in range(h):
            here += chain.table[k * h + chain.names[i * h + k]]
        found = log_add(found, here)
    return present - found


cdef double log_share_in_permutations(Chain* chain, Py_ssize_t n_full) noexcept nogil:
    """The same where all permutations are names, of so many parts that have cases, in the order of their first."""
    cdef Py_ssize_t h = chain.n_configurations, i, k, other
    cdef int32_t* order = chain.order
    cdef int32_t part
    cdef double* of_part
    cdef double found = 0.0, best, second
    for k in range(n_full):
        part, best, second = order[k], -INFINITY, -INFINITY
        of_part = chain.table + part * h
        for other in range(h):
            second = max(second, min(best, of_part[other]))
            best = max(best, of_part[other])
        chain.gaps[part] = best - second
        i = k
        while i > 0 and chain.gaps[order[i - 1]] < chain.gaps[part]:
            order[i] = order[i - 1]
            i -= 1
        order[i] = part
    for k in range(n_full):
        part, of_part = order[k], chain.table + order[k] * h
        for other in range(h):
            chain.says[other] = of_part[other]
        for i in range(k + 1 if chain.gaps[part] < CLEAR else n_full, n_full):
            add_without_each(chain, chain.table + order[i] * h)
        found += chain.says[part] - log_sum(chain, chain.says, h)
        chain.taken[part] = 1
    for k in range(n_full):
        chain.taken[order[k]] = 0
    for i in range(2, h - n_full + 1):
        found -= log_positive(<double> i)
    return found


cdef inline double log_sum(Chain* chain, const double* says, Py_ssize_t without) noexcept nogil:
    """ln of the sum of exp(says) over the names that are free, without one, or with H without none."""
    cdef Py_ssize_t other
    cdef double best = -INFINITY, total = 0.0
    for other in range(chain.n_configurations):
        if other != without and not chain.taken[other]:
            best = max(best, says[other])
    for other in range(chain.n_configurations):
        if other != without and not chain.taken[other]:
            total += weight(says[other] - best)
    return best + log_positive(total)


cdef inline void add_without_each(Chain* chain, const double* of_part) noexcept nogil:
    """Add to what is said of each free name what a part says in all others that are free."""
    cdef Py_ssize_t h = chain.n_configurations, place = 0, other
    cdef double best = -INFINITY, others = 0.0
    for other in range(h):
        if not chain.taken[other] and of_part[other] > best:
            best, place = of_part[other], other
    for other in range(h):
        chain.weights[other] = 0.0 if chain.taken[other] or other == place else weight(of_part[other] - best)
        others += chain.weights[other]
    for other in range(h):
        if other != place:
            chain.says[other] += best
            if others > 0.0:
                chain.says[other] += log_positive(1.0 + max(0.0, others - chain.weights[other]))
    chain.says[place] += log_sum(chain, of_part, place)


cdef inline double weight(double log_weight) noexcept nogil:
    """exp of what is not positive; 0 where that is nothing beside 1."""
    return exp_nonpositive(log_weight) if log_weight > -CLEAR else 0.0


cdef inline double log_add(double a, double b) noexcept nogil:
    """ln(exp(a) + exp(b)), of which b is finite."""
    if a == -INFINITY:
        return b
    return max(a, b) + log_positive(1.0 + exp_nonpositive(-fabs(a - b)))
