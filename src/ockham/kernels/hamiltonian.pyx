# A Hamiltonian transition of the parameters of a discrete network given observed data, the hidden states summed out.
#
# symbol        name             shape              unit
# lambda        prior            (n_entries,)       1       Dirichlet hyperparameters
# m             masses           (n_entries,)       1       of the momenta
# epsilon       step_size                           1       leapfrog step
#               n_leapfrog                                  leapfrog steps
# ln theta      log_theta        (n_entries,)       nats    in: the present parameters; out: the next
# a             shape            (n_entries,)       1       lambda + N, with the counts N that the completed data are
#                                                           expected to have given theta
# p             momentum         (n_entries,)       1
#
# In NumPy, in the softmax basis, with theta = softmax(u) in every row, and l the log likelihood:
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
from libc.stdint cimport int32_t
from numpy.random.c_distributions cimport random_standard_normal_fill

from ockham.kernels.checks cimport ascends
from ockham.kernels.expectation cimport expected_counts
from ockham.kernels.plan cimport Plan, bind, plan_size
from ockham.kernels.sampling cimport generator_of, uniform
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


cpdef Py_ssize_t work_size(layout, Py_ssize_t n_entries) except -1:
    """Doubles of work that ``run`` takes."""
    return plan_size(layout) + 11 * n_entries + 6


def run(
    bit_generator,
    layout,
    const int32_t[::1] row_starts,      # IN
    const double[::1] prior,            # IN
    const double[::1] masses,           # IN
    double step_size,
    Py_ssize_t n_leapfrog,
    double[::1] log_theta,              # INOUT
    double[::1] shape,                  # OUT (n_entries,) of the next parameters
    double[::1] work,                   # work
):
    """The probability with which the end of the trajectory was taken."""
    cdef Plan plan
    cdef Chain chain
    cdef Point now, new
    cdef Py_ssize_t n_entries = prior.shape[0], used, e, step
    cdef double log_ratio, acceptance = 0.0
    used = bind(&plan, layout, n_entries, work)
    if (log_theta.shape[0] != n_entries or masses.shape[0] != n_entries or shape.shape[0] != n_entries
            or n_leapfrog < 1 or work.shape[0] < work_size(layout, n_entries)):
        raise ValueError("the arrays of a Hamiltonian transition do not fit together")
    if not ascends(row_starts, n_entries):
        raise ValueError("an index of a Hamiltonian transition is out of range")
    generator = generator_of(bit_generator)
    chain.plan, chain.n_entries = &plan, n_entries
    chain.n_rows, chain.row_starts = row_starts.shape[0] - 1, &row_starts[0]
    chain.prior, chain.masses, chain.counts = &prior[0], &masses[0], &work[used]
    chain.terms = chain.counts + n_entries + 2
    chain.momentum = chain.terms + n_entries
    place(&new, place(&now, chain.momentum + n_entries, n_entries), n_entries)
    with nogil:
        for e in range(n_entries):
            now.log_theta[e] = log_theta[e]
        evaluate(&chain, &now)
        random_standard_normal_fill(generator, n_entries, chain.momentum)
        for e in range(n_entries):
            chain.momentum[e] *= sqrt(masses[e])
            new.log_theta[e] = now.log_theta[e]
        log_ratio = kinetic_energy(&chain) - now.log_joint
        push(&chain, 0.5 * step_size, now.slope)
        for step in range(n_leapfrog):
            for e in range(n_entries):
                new.log_theta[e] += step_size * chain.momentum[e] / masses[e]
            evaluate(&chain, &new)
            push(&chain, step_size if step + 1 < n_leapfrog else 0.5 * step_size, new.slope)
            if not new.log_joint > -INFINITY:
                break                   # nor from there back: it is rejected either way
        else:
            log_ratio += new.log_joint - kinetic_energy(&chain)
            acceptance = exp_nonpositive(max(min(log_ratio, 0.0), -700.0))
        if uniform(generator) < acceptance:
            now = new
        for e in range(n_entries):
            log_theta[e] = now.log_theta[e]
            shape[e] = now.shape[e]
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
