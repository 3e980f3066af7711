# Priors of the parameters of a finite mixture, updated by sums: how far that is from the prior, means and modes.
#
# kind        prior a                     phi                                             a + S
# DIRICHLET   concentration               ln p of every state                             concentration + S
# ORDERED     concentration               the same, from decisions to stop or go on       + stopped, + gone on
# GAUSSIAN    weight, shape, rate, half   ln(l / 2 pi) / 2 - mu^2 l / 2, mu l, -l / 2,    weight + S_0, shape + S_0 / 2,
#                                         with the precision l                            rate + (S_2 - S_1 mean) / 2
# POISSON     shape, rate                 -r, ln r, with the rate r                       shape + S_1, rate + S_0
#
# The precision at a mode is (half + S_0 / 2) / rate, where half is shape + 1 / 2 in the basis of mean and log variance.
# With a prior of zeros the mode is where the likelihood is largest. mixtures/items has the same for arrays of any
# shape, which tests compare with these. A(a) is the log of the prior's normaliser, so ln m(S) = A(a + S) - A(a).
from libc.stdint cimport int32_t

from ockham.kernels.mixture cimport DIRICHLET, GAUSSIAN, ORDERED, Mixture
from ockham.kernels.special cimport digamma_log_gamma, log_positive
from ockham.kernels.sums cimport sum_of

cdef extern from *:
    """
    #define LOG_2_PI 1.8378770664093453
    #define LEAST 1e-300
    """
    const double LOG_2_PI
    const double LEAST          # of a probability, a rate or cases: the likelihood may be largest where these are 0


cdef inline double update(Mixture* mixture) noexcept nogil:
    """Means of phi and ln pi under the prior updated by S; returns the sum of A(a + S) - S . mean, nats."""
    cdef Py_ssize_t i, n = mixture.n_classes, at
    cdef const double* prior
    cdef int32_t[2] of_classes = [0, <int32_t>n]
    cdef double value = update_states(
        mixture, &mixture.weights_prior, of_classes, 1, mixture.cases, mixture.log_weights, 1)
    for i in range(mixture.n_items):
        at, prior = mixture.first[i] * n, mixture.prior + 4 * i
        if mixture.kinds[i] == DIRICHLET:
            if n_states_from(mixture, i):
                value += update_states(
                    mixture, prior, mixture.first + i, n_states_from(mixture, i), mixture.sums, mixture.natural, n)
        elif mixture.kinds[i] == ORDERED:
            value += update_ordered(
                prior[0], mixture.sums + at, mixture.natural + at, mixture.first[i + 1] - mixture.first[i], n)
        elif mixture.kinds[i] == GAUSSIAN:
            value += update_gaussian(prior, mixture.sums + at, mixture.natural + at, n)
        else:
            value += update_poisson(prior, mixture.sums + at, mixture.natural + at, n)
    return value


cdef inline Py_ssize_t n_states_from(Mixture* mixture, Py_ssize_t i) noexcept nogil:
    """DIRICHLET items side by side from i on, which are updated together: long loops fill vectors; 0 if i is not the
    first of them."""
    cdef Py_ssize_t end = i
    if i > 0 and mixture.kinds[i - 1] == DIRICHLET:
        return 0
    while end < mixture.n_items and mixture.kinds[end] == DIRICHLET:
        end += 1
    return end - i


cdef inline double update_states(
    Mixture* mixture, const double* prior, const int32_t* first, Py_ssize_t n_items, const double* sums,
    double* natural, Py_ssize_t n,
) noexcept nogil:
    """Of items, or of the classes, with their hyperparameters at every fourth of ``prior``."""
    cdef Py_ssize_t i, s, k, e, start = first[0] * n, end = first[n_items] * n, n_totals = n_items * n
    cdef double* shapes = mixture.shapes
    cdef double* log_gammas = mixture.log_gammas
    cdef double* totals = mixture.totals
    cdef double* digammas = totals + n_totals
    cdef double* of_totals = digammas + n_totals
    cdef double value
    for k in range(n_totals):
        totals[k] = 0.0
    for i in range(n_items):
        for s in range(first[i], first[i + 1]):
            for k in range(n):
                shapes[s * n + k] = prior[4 * i] + sums[s * n + k]
                totals[i * n + k] += shapes[s * n + k]
    for e in range(start, end):
        digamma_log_gamma(shapes[e], &natural[e], &log_gammas[e])
    for k in range(n_totals):
        digamma_log_gamma(totals[k], &digammas[k], &of_totals[k])
    value = sum_of(log_gammas + start, end - start) - sum_of(of_totals, n_totals)
    for i in range(n_items):
        for s in range(first[i], first[i + 1]):
            for k in range(n):
                natural[s * n + k] -= digammas[i * n + k]
    for e in range(start, end):
        log_gammas[e] = sums[e] * natural[e]
    return value - sum_of(log_gammas + start, end - start)


cdef inline double update_ordered(
    double prior, const double* sums, double* natural, Py_ssize_t n_states, Py_ssize_t n,
) noexcept nogil:
    cdef Py_ssize_t s, k
    cdef double value = 0.0, beyond, before, stop, digamma_stop, digamma_go, digamma_total, of_stop, of_go, of_total
    for k in range(n):
        beyond, before = 0.0, 0.0
        for s in range(1, n_states):
            beyond += sums[s * n + k]
        for s in range(n_states - 1):
            stop = prior / (n_states - s)
            digamma_log_gamma(stop + sums[s * n + k], &digamma_stop, &of_stop)
            digamma_log_gamma(prior - stop + beyond, &digamma_go, &of_go)
            digamma_log_gamma(prior + sums[s * n + k] + beyond, &digamma_total, &of_total)
            natural[s * n + k] = before + (digamma_stop - digamma_total)
            before += digamma_go - digamma_total
            value += of_stop + of_go - of_total - sums[s * n + k] * natural[s * n + k]
            beyond = max(0.0, beyond - sums[(s + 1) * n + k])
        natural[(n_states - 1) * n + k] = before
        value -= sums[(n_states - 1) * n + k] * before
    return value


cdef inline double update_gaussian(
    const double* prior, const double* sums, double* natural, Py_ssize_t n,
) noexcept nogil:
    cdef Py_ssize_t k
    cdef double value = 0.0, weight, mean, shape, rate, precision, digamma, log_gamma, log_rate
    for k in range(n):
        weight = prior[0] + sums[k]
        mean = sums[n + k] / weight
        shape = prior[1] + 0.5 * sums[k]
        rate = rate_of(prior[2], sums[n + k], sums[2 * n + k], mean)
        precision = shape / rate
        log_rate = log_positive(rate)
        digamma_log_gamma(shape, &digamma, &log_gamma)
        natural[k] = 0.5 * (digamma - log_rate - LOG_2_PI - mean * mean * precision - 1.0 / weight)
        natural[n + k] = mean * precision
        natural[2 * n + k] = -0.5 * precision
        value += normaliser_of_gaussian(sums[k], weight, shape, log_rate, log_gamma)
        value -= sums[k] * natural[k] + sums[n + k] * natural[n + k] + sums[2 * n + k] * natural[2 * n + k]
    return value


cdef inline double rate_of(double prior, double total, double squares, double mean) noexcept nogil:
    """Of the precision of numbers."""
    return prior + 0.5 * max(0.0, squares - total * mean)       # at least 0 but for rounding


cdef inline double normaliser_of_gaussian(
    double cases, double weight, double shape, double log_rate, double log_gamma,
) noexcept nogil:
    return log_gamma - shape * log_rate - 0.5 * (log_positive(weight) + LOG_2_PI * cases)


cdef inline double update_poisson(
    const double* prior, const double* sums, double* natural, Py_ssize_t n,
) noexcept nogil:
    cdef Py_ssize_t k
    cdef double value = 0.0, shape, rate, log_rate, digamma, log_gamma
    for k in range(n):
        shape, rate = prior[0] + sums[n + k], prior[1] + sums[k]
        log_rate = log_positive(rate)
        digamma_log_gamma(shape, &digamma, &log_gamma)
        natural[k] = -shape / rate
        natural[n + k] = digamma - log_rate
        value += normaliser_of_poisson(shape, log_rate, log_gamma) - sums[k] * natural[k] - sums[n + k] * natural[n + k]
    return value


cdef inline double normaliser_of_poisson(double shape, double log_rate, double log_gamma) noexcept nogil:
    return log_gamma - shape * log_rate


cdef inline double maximise(Mixture* mixture) noexcept nogil:
    """phi and ln pi at the mode of the prior updated by S; returns the prior's log density there plus A(a), nats."""
    cdef Py_ssize_t i, n = mixture.n_classes, at
    cdef const double* prior
    cdef int32_t[2] of_classes = [0, <int32_t>n]
    cdef double value = modes_of_states(
        mixture, &mixture.weights_prior, of_classes, 1, mixture.cases, mixture.log_weights, 1)
    for i in range(mixture.n_items):
        at, prior = mixture.first[i] * n, mixture.prior + 4 * i
        if mixture.kinds[i] == DIRICHLET:
            if n_states_from(mixture, i):
                value += modes_of_states(
                    mixture, prior, mixture.first + i, n_states_from(mixture, i), mixture.sums, mixture.natural, n)
        elif mixture.kinds[i] == ORDERED:
            value += mode_of_ordered(
                prior[0], mixture.sums + at, mixture.natural + at, mixture.first[i + 1] - mixture.first[i], n)
        elif mixture.kinds[i] == GAUSSIAN:
            value += mode_of_gaussian(
                prior, mixture.sums + at, mixture.natural + at, mixture.largest_precision, n)
        else:
            value += mode_of_poisson(prior, mixture.sums + at, mixture.natural + at, n)
    return value


cdef inline double modes_of_states(
    Mixture* mixture, const double* prior, const int32_t* first, Py_ssize_t n_items, const double* sums,
    double* natural, Py_ssize_t n,
) noexcept nogil:
    """Of items, or of the classes, with their hyperparameters at every fourth of ``prior``."""
    cdef Py_ssize_t i, e, start = first[0] * n, end = first[n_items] * n
    cdef double* terms = mixture.log_gammas
    for i in range(n_items):
        if n == 2:                                  # a constant unrolls short loops
            probabilities(prior[4 * i], first[i], first[i + 1], sums, mixture.totals, natural, mixture.shapes, 2)
        else:
            probabilities(prior[4 * i], first[i], first[i + 1], sums, mixture.totals, natural, mixture.shapes, n)
    for e in range(start, end):
        natural[e] = log_positive(natural[e])
        terms[e] = mixture.shapes[e] * natural[e]
    return sum_of(terms + start, end - start)


cdef inline void probabilities(
    double prior, Py_ssize_t first, Py_ssize_t end, const double* sums, double* totals, double* found, double* priors,
    Py_ssize_t n,
) noexcept nogil:
    """Those of the states of one item at the mode, and the prior beside each."""
    cdef Py_ssize_t s, k
    for k in range(n):
        totals[k] = 0.0
    for s in range(first, end):
        for k in range(n):
            totals[k] += prior + sums[s * n + k]
    for k in range(n):
        totals[k] = 1.0 / max(totals[k], LEAST)
    for s in range(first, end):
        for k in range(n):
            found[s * n + k] = max((prior + sums[s * n + k]) * totals[k], LEAST)
            priors[s * n + k] = prior


cdef inline double mode_of_ordered(
    double prior, const double* sums, double* natural, Py_ssize_t n_states, Py_ssize_t n,
) noexcept nogil:
    cdef Py_ssize_t s, k
    cdef double value = 0.0, beyond, before, stop, go, total, log_stop, log_go
    for k in range(n):
        beyond, before = 0.0, 0.0
        for s in range(1, n_states):
            beyond += sums[s * n + k]
        for s in range(n_states - 1):
            stop = prior / (n_states - s)
            go = prior - stop
            total = max(prior + sums[s * n + k] + beyond, LEAST)
            log_stop = log_positive(max((stop + sums[s * n + k]) / total, LEAST))
            log_go = log_positive(max((go + beyond) / total, LEAST))
            natural[s * n + k] = before + log_stop
            before += log_go
            value += stop * log_stop + go * log_go
            beyond = max(0.0, beyond - sums[(s + 1) * n + k])
        natural[(n_states - 1) * n + k] = before
    return value


cdef inline double mode_of_gaussian(
    const double* prior, const double* sums, double* natural, double largest_precision, Py_ssize_t n,
) noexcept nogil:
    cdef Py_ssize_t k
    cdef double value = 0.0, weight, mean, rate, precision, log_precision
    for k in range(n):
        weight = max(prior[0] + sums[k], LEAST)
        mean = sums[n + k] / weight
        rate = rate_of(prior[2], sums[n + k], sums[2 * n + k], mean)
        precision = min((prior[3] + 0.5 * sums[k]) / max(rate, LEAST), largest_precision)
        precision = max(precision, LEAST)
        log_precision = log_positive(precision)
        natural[k] = 0.5 * (log_precision - LOG_2_PI - mean * mean * precision)
        natural[n + k] = mean * precision
        natural[2 * n + k] = -0.5 * precision
        value += prior[3] * log_precision - prior[2] * precision - 0.5 * (prior[0] * precision * mean * mean + LOG_2_PI)
    return value


cdef inline double mode_of_poisson(
    const double* prior, const double* sums, double* natural, Py_ssize_t n,
) noexcept nogil:
    cdef Py_ssize_t k
    cdef double value = 0.0, rate
    for k in range(n):
        rate = max((prior[0] + sums[n + k]) / max(prior[1] + sums[k], LEAST), LEAST)
        natural[k] = -rate
        natural[n + k] = log_positive(rate)
        value += prior[0] * natural[n + k] - prior[1] * rate
    return value
