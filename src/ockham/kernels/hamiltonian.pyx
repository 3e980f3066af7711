# Hamiltonian transitions of the parameters of a discrete network given observed data, the hidden states summed out,
# each after sweeps of Gibbs sampling of both.
#
# symbol        name             shape              unit
# lambda        prior            (n_entries,)       1       Dirichlet hyperparameters
# m             masses           (n_entries,)       1       of the momenta
# epsilon       step_sizes       (n_draws,)         1       leapfrog steps
#               n_leapfrog       (n_draws,)                 how many
# ln theta      log_theta        (n_entries,)       nats    in: the present parameters; out: the last
# a             shapes           (n_draws, ...)     1       lambda + N, with the counts N that the completed data are
#                                                           expected to have given theta
# p             momentum         (n_entries,)       1
#
# A trajectory in NumPy, in the softmax basis, with theta = softmax(u) in every row, and l the log likelihood:
#     slope(u) = a - theta * np.add.reduceat(a, row_starts[:-1])[rows]
#     p = rng.standard_normal(n_entries) * sqrt(m); u = ln theta
#     before = l + lambda @ ln theta - p @ (p / m) / 2
#     p += epsilon / 2 * slope(u)
#     for step in range(n_leapfrog):
#         u += epsilon * p / m
#         p += (epsilon if step < n_leapfrog - 1 else epsilon / 2) * slope(u)
#     after = the same as before; theta is the new one if log(uniform()) < after - before
# A number that is added to a whole row of u changes neither theta nor any later step, so it may go where it will: the
# draws of theta are those of p(theta | y).
from libc.math cimport INFINITY, sqrt
from libc.stdint cimport int32_t, int64_t
from libc.string cimport memset
from numpy.random cimport bitgen_t
from numpy.random.c_distributions cimport binomial_t, random_standard_normal_fill

from ockham.kernels.checks cimport ascends
from ockham.kernels.completion cimport add_counts, complete, most_parts
from ockham.kernels.expectation cimport expected_counts
from ockham.kernels.plan cimport Plan, bind, plan_size
from ockham.kernels.sampling cimport draw_dirichlet, generator_of, uniform
from ockham.kernels.special cimport exp_nonpositive, log_positive
from ockham.kernels.sums cimport sum_of


cdef struct Point:                      # arrays of shape (n_entries,), theta two more
    double log_joint                    # l + lambda @ ln theta
    double* log_theta
    double* theta
    double* shape                       # lambda + N
    double* slope


cdef struct Chain:
    Plan* plan
    Py_ssize_t n_entries, n_rows
    const int32_t* row_starts
    const double* prior
    const double* masses
    double* counts                      # (n_entries + 2,)
    double* terms
    double* momentum
    double* log_shape                   # of a sweep
    double* cumulative                  # of a sweep: into how many parts the copies of a row can be divided
    double* below                       # of a sweep: the same


cpdef Py_ssize_t work_size(layout, Py_ssize_t n_entries) except -1:
    """Doubles of work that ``run`` takes."""
    return plan_size(layout) + 12 * n_entries + 6 + 2 * most_parts(layout)


def run(
    bit_generator,
    layout,
    const int32_t[::1] row_starts,      # IN
    const double[::1] prior,            # IN
    const double[::1] masses,           # IN
    const double[::1] step_sizes,       # IN (n_draws,)
    const int64_t[::1] n_leapfrog,      # IN (n_draws,)
    Py_ssize_t n_sweeps,
    double[::1] log_theta,              # INOUT
    double[:, ::1] draws,               # OUT (n_draws, n_entries) ln theta
    double[:, ::1] shapes,              # OUT (n_draws, n_entries)
    double[::1] acceptance,             # OUT (n_draws,) probabilities with which the ends of trajectories were taken
    double[::1] work,                   # work
):
    """So many draws, each by so many sweeps of Gibbs sampling and a trajectory."""
    cdef Plan plan
    cdef Chain chain
    cdef Point now, new
    cdef Py_ssize_t n_entries = prior.shape[0], n_draws = draws.shape[0], used, e, i, _k
    cdef binomial_t memory
    used = bind(&plan, layout, n_entries, work)
    if (log_theta.shape[0] != n_entries or masses.shape[0] != n_entries or draws.shape[1] != n_entries
            or shapes.shape[0] != n_draws or shapes.shape[1] != n_entries or acceptance.shape[0] != n_draws
            or step_sizes.shape[0] != n_draws or n_leapfrog.shape[0] != n_draws
            or work.shape[0] < work_size(layout, n_entries)):
        raise ValueError("the arrays of Hamiltonian transitions do not fit together")
    if not ascends(row_starts, n_entries) or not all_positive(n_leapfrog):
        raise ValueError("an index or a number of steps of Hamiltonian transitions is out of range")
    generator = generator_of(bit_generator)
    chain.plan, chain.n_entries = &plan, n_entries
    chain.n_rows, chain.row_starts = row_starts.shape[0] - 1, &row_starts[0]
    chain.prior, chain.masses, chain.counts = &prior[0], &masses[0], &work[used]
    chain.terms = chain.counts + n_entries + 2
    chain.momentum = chain.terms + n_entries
    chain.log_shape = chain.momentum + n_entries
    chain.below = place(&new, place(&now, chain.log_shape + n_entries, n_entries), n_entries)
    chain.cumulative = chain.below + most_parts(layout)
    memset(&memory, 0, sizeof(memory))
    with nogil:
        for e in range(n_entries):
            now.log_theta[e] = log_theta[e]
        for i in range(n_draws):
            for _k in range(n_sweeps):
                sweep(&chain, generator, &memory, &now)
            acceptance[i] = move(&chain, generator, step_sizes[i], n_leapfrog[i], &now, &new)
            for e in range(n_entries):
                draws[i, e] = now.log_theta[e]
                shapes[i, e] = now.shape[e]
        for e in range(n_entries):
            log_theta[e] = now.log_theta[e]


cdef bint all_positive(const int64_t[::1] numbers) noexcept:
    cdef Py_ssize_t i
    for i in range(numbers.shape[0]):
        if numbers[i] < 1:
            return False
    return True


cdef inline void sweep(Chain* chain, bitgen_t* generator, binomial_t* memory, Point* now) noexcept nogil:
    """Every hidden state, then every parameter, from their distribution given the others."""
    cdef Py_ssize_t e
    for e in range(chain.n_entries):
        now.theta[e] = exp_nonpositive(now.log_theta[e])
    complete(chain.plan, generator, memory, now.theta, now.log_theta, chain.cumulative, chain.below, chain.counts)
    add_counts(chain.prior, chain.counts, chain.n_entries, now.shape, chain.log_shape)
    draw_dirichlet(
        generator, now.shape, chain.log_shape, chain.row_starts, chain.n_rows, now.log_theta, now.theta)


cdef inline double move(
    Chain* chain, bitgen_t* generator, double step_size, Py_ssize_t n_leapfrog, Point* now, Point* new,
) noexcept nogil:
    """A trajectory; the probability with which its end was taken."""
    cdef Point last
    cdef Py_ssize_t e, step
    cdef double log_ratio, acceptance = 0.0
    evaluate(chain, now)
    random_standard_normal_fill(generator, chain.n_entries, chain.momentum)
    for e in range(chain.n_entries):
        chain.momentum[e] *= sqrt(chain.masses[e])
        new.log_theta[e] = now.log_theta[e]
    log_ratio = kinetic_energy(chain) - now.log_joint
    push(chain, 0.5 * step_size, now.slope)
    for step in range(n_leapfrog):
        for e in range(chain.n_entries):
            new.log_theta[e] += step_size * chain.momentum[e] / chain.masses[e]
        evaluate(chain, new)
        push(chain, step_size if step + 1 < n_leapfrog else 0.5 * step_size, new.slope)
        if not new.log_joint > -INFINITY:
            break                       # nor from there back: it is rejected either way
    else:
        log_ratio += new.log_joint - kinetic_energy(chain)
        acceptance = exp_nonpositive(max(min(log_ratio, 0.0), -700.0))
    if uniform(generator) < acceptance:
        last = now[0]
        now[0], new[0] = new[0], last
    return acceptance


cdef inline double* place(Point* point, double* memory, Py_ssize_t n_entries) noexcept nogil:
    """The arrays of a point in memory, and where it goes on."""
    point.theta = memory
    point.log_theta = memory + n_entries + 2
    point.shape = point.log_theta + n_entries
    point.slope = point.shape + n_entries
    point.theta[n_entries], point.theta[n_entries + 1] = 0.0, 1.0
    return point.slope + n_entries


cdef inline void push(Chain* chain, double by, const double* slope) noexcept nogil:
    cdef Py_ssize_t e
    for e in range(chain.n_entries):
        chain.momentum[e] += by * slope[e]


cdef inline double kinetic_energy(Chain* chain) noexcept nogil:
    cdef Py_ssize_t e
    for e in range(chain.n_entries):
        chain.terms[e] = chain.momentum[e] * chain.momentum[e] / chain.masses[e]
    return 0.5 * sum_of(chain.terms, chain.n_entries)


cdef inline void evaluate(Chain* chain, Point* point) noexcept nogil:
    """Normalise ln theta, and everything that follows from it."""
    cdef Py_ssize_t e, j, first, end
    cdef double largest, total, weight
    for j in range(chain.n_rows):
        first, end = chain.row_starts[j], chain.row_starts[j + 1]
        largest = -INFINITY
        for e in range(first, end):
            largest = max(largest, point.log_theta[e])
        for e in range(first, end):
            point.log_theta[e] -= largest
    for e in range(chain.n_entries):
        point.theta[e] = exp_nonpositive(point.log_theta[e])
    for j in range(chain.n_rows):
        first, end = chain.row_starts[j], chain.row_starts[j + 1]
        total = 0.0
        for e in range(first, end):
            total += point.theta[e]
        largest = log_positive(total)
        for e in range(first, end):
            point.log_theta[e] -= largest
            point.theta[e] /= total
    point.log_joint = expected_counts(chain.plan, point.theta, point.log_theta, chain.counts)
    for e in range(chain.n_entries):
        chain.terms[e] = chain.prior[e] * point.log_theta[e]
    point.log_joint += sum_of(chain.terms, chain.n_entries)
    for j in range(chain.n_rows):
        first, end = chain.row_starts[j], chain.row_starts[j + 1]
        weight = 0.0
        for e in range(first, end):
            point.shape[e] = chain.prior[e] + chain.counts[e]
            weight += point.shape[e]
        for e in range(first, end):
            point.slope[e] = point.shape[e] - point.theta[e] * weight
