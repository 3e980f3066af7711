# Annealed importance sampling over the classes of all cases of a finite mixture, from any alike to their posterior.
#
# symbol   name          shape                          unit
# t        statistics    (n_cases, n_statistics)                of every case, 0 for those of a missing cell
# tau      temperatures  (K + 1,)                       1       inverse temperatures, 0 = tau(0) < ... < tau(K) = 1
# z        classes       (n_cases,)                             out: the last class of every case
# S        sums          (n_classes, n_statistics)              work: of the cases in every class
# N        cases         (n_classes,)                           work: how many these are
#
# With p_h the probability of a case in class h given all others, (a + N_h) / (n_classes a + n_cases - 1) times that of
# predictive.pxd, a sweep draws the class of one case after another from p ** tau. Moving a case from class g to h makes
# the evidence of the completed rows p_h / p_g times as large, so that the log of it is kept by sums. Sums are made anew
# in every sweep, for what is added to them and taken off again leaves rounding behind.
from libc.math cimport INFINITY
from libc.stdint cimport int32_t, int64_t
from numpy.random cimport bitgen_t

from ockham.kernels.annealing cimport anneal
from ockham.kernels.mixture cimport check_items
from ockham.kernels.predictive cimport log_predictive
from ockham.kernels.sampling cimport generator_of
from ockham.kernels.special cimport exp_nonpositive, log_positive


cdef struct Chain:
    Py_ssize_t n_cases, n_classes, n_items, n_statistics
    const int32_t* kinds
    const int32_t* first
    const double* prior
    double weights_prior
    const double* statistics
    bitgen_t* generator
    int32_t* classes
    double* sums                        # (n_classes, n_statistics)
    double* cases                       # (n_classes,)
    double* logs                        # work: (n_classes,)
    double* shares                      # work: (n_classes,)
    double log_joint                    # ln p(z, y) but for base measures, nats


def log_weight(
    bit_generator,
    const int32_t[::1] kinds,           # IN, of the items, as mixture.pxd has them
    const int32_t[::1] first,           # IN
    const double[:, ::1] prior,         # IN
    double weights_prior,
    const double[:, ::1] statistics,    # IN
    const double[::1] temperatures,     # IN
    int32_t[::1] classes,               # OUT
    double[:, ::1] work,                # work: (n_classes, n_statistics + 3)
):
    """Log weight of a run in nats, but for base measures, less ln of the number of completions."""
    cdef Chain chain
    cdef Py_ssize_t i, n_steps = temperatures.shape[0] - 1, n_classes = work.shape[0]
    cdef int64_t[4] moved = [0, 0, 0, 0]
    cdef double found
    check_items(kinds, first, prior, statistics.shape[1])
    if (classes.shape[0] != statistics.shape[0] or n_steps < 1 or n_classes < 1
            or work.shape[1] != statistics.shape[1] + 3):
        raise ValueError("the arrays of annealed classes do not fit together")
    chain.n_cases, chain.n_classes, chain.n_items = statistics.shape[0], n_classes, kinds.shape[0]
    chain.n_statistics, chain.weights_prior = statistics.shape[1], weights_prior
    chain.kinds, chain.first, chain.prior = &kinds[0], &first[0], &prior[0, 0]
    chain.generator = generator_of(bit_generator)
    chain.log_joint = 0.0
    if chain.n_cases == 0:
        return 0.0
    chain.statistics, chain.classes = &statistics[0, 0], &classes[0]
    chain.sums = &work[0, 0]
    chain.cases = chain.sums + n_classes * chain.n_statistics
    chain.logs, chain.shares = chain.cases + n_classes, chain.cases + 2 * n_classes
    classes[:] = 0
    with nogil:
        clear(&chain)
        for i in range(chain.n_cases):
            chain.log_joint += log_of(&chain, 0, i) - log_positive(n_classes * weights_prior + i)
            put(&chain, 0, i)
        found = anneal(&chain, sweep, log_joint, &temperatures[0], n_steps, 1, moved)
    return found


cdef double log_joint(void* untyped) noexcept nogil:
    return (<Chain*> untyped).log_joint


cdef bint sweep(void* untyped, Py_ssize_t k, double temperature) noexcept nogil:
    """Draw the class of every case."""
    cdef Chain* chain = <Chain*> untyped
    cdef Py_ssize_t i, s, h
    cdef const double* case
    cdef double* sums
    cdef double largest, total, left
    clear(chain)
    for i in range(chain.n_cases):
        put(chain, chain.classes[i], i)
    for i in range(chain.n_cases):
        case = chain.statistics + i * chain.n_statistics
        sums = chain.sums + chain.classes[i] * chain.n_statistics
        chain.cases[chain.classes[i]] -= 1.0
        for s in range(chain.n_statistics):
            sums[s] = sums[s] - case[s] if chain.cases[chain.classes[i]] > 0.0 else 0.0
        largest = -INFINITY
        for h in range(chain.n_classes):
            chain.logs[h] = log_of(chain, h, i)
            largest = max(largest, chain.logs[h])
        total = 0.0
        for h in range(chain.n_classes):
            chain.shares[h] = exp_nonpositive(temperature * (chain.logs[h] - largest))
            total += chain.shares[h]
        left = total * chain.generator.next_double(chain.generator.state)
        h = 0
        while h < chain.n_classes - 1 and left >= chain.shares[h]:
            left -= chain.shares[h]
            h += 1
        chain.log_joint += chain.logs[h] - chain.logs[chain.classes[i]]
        chain.classes[i] = <int32_t> h
        put(chain, h, i)
    return True


cdef inline double log_of(Chain* chain, Py_ssize_t h, Py_ssize_t i) noexcept nogil:
    """ln of the probability of a case in a class given the others there, but for what all classes share."""
    return log_positive(chain.weights_prior + chain.cases[h]) + log_predictive(
        chain.kinds, chain.first, chain.prior, chain.n_items, chain.sums + h * chain.n_statistics,
        chain.statistics + i * chain.n_statistics)


cdef inline void put(Chain* chain, Py_ssize_t h, Py_ssize_t i) noexcept nogil:
    """Put a case into a class."""
    cdef Py_ssize_t s
    cdef double* sums = chain.sums + h * chain.n_statistics
    chain.cases[h] += 1.0
    for s in range(chain.n_statistics):
        sums[s] += chain.statistics[i * chain.n_statistics + s]


cdef inline void clear(Chain* chain) noexcept nogil:
    """Empty all classes."""
    cdef Py_ssize_t s
    for s in range(chain.n_classes * (chain.n_statistics + 1)):
        chain.sums[s] = 0.0
