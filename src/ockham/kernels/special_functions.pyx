# Special functions of arrays.
#
# symbol   name           shape                         unit
# x        values         (n,)                          1     positive; NaN beside
# a, b     a, b           (n_distributions,)            1     parameters of Beta distributions, positive
# ln p     log_lower      (n_probabilities,)            nats  of probabilities
# ln q     log_upper      (n_probabilities,)            nats  ln(1 - p), for p may be too close to 1
# t        logits         (n_distributions, n_prob.)    nats  ln v - ln(1 - v) of the quantiles v
#          nodes, shares  (n_nodes,)                    1     of a quadrature of Gauss and Legendre on (0, 1)
#
# In SciPy: gammaln(values), digamma(values), polygamma(1, values), logit(betaincinv(a, b, p)), gammaincc(a, x).
#
# The logit of a Beta variate has the log density phi(d) + peak at the distance d from its mode ln(a / b), with
#     phi(d) = a d - (a + b) ln(1 - s + s exp(d)),  s = a / (a + b),
# and peak = ln(a b / (2 pi (a + b))) / 2 - e(a) - e(b) + e(a + b), e the error of Stirling's formula, so that nothing
# large cancels. Lower tails are the density times a ratio: below the mode eq. (8.17.22) of [DLMF], without what is in
# front of it. Its terms grow with the root of the smaller parameter, so from some size on the ratio is integrated.
from libc.float cimport DBL_EPSILON
from libc.math cimport INFINITY, NAN, exp, expm1, fabs, log, log1p, sqrt

from ockham.kernels.special cimport digamma_beyond, digamma_log_gamma, log_positive, stirling, stirling_error

cdef enum:
    MOST_STEPS = 100                    # of the search for a quantile: two or three are taken
    MOST_TERMS = 100000

cdef extern from *:
    """
    #define HALF_LOG_2_PI 0.9189385332046727
    #define INTEGRATED_FROM 4000.0
    #define CLOSE 1e-5
    #define RANGE 45.0
    #define FAR 600.0
    """
    const double HALF_LOG_2_PI
    const double INTEGRATED_FROM        # smaller of the two parameters of a Beta distribution
    const double CLOSE                  # in the log of a tail, from where a step of third order ends at rounding
    const double RANGE                  # nats, beyond which a tail is nothing
    const double FAR                    # logit, beyond which its exponential is all of a sum

cdef struct Beta:
    double a, b, share_a, share_b
    double peak                         # log density of the logit at the mode

cdef struct Rule:
    Py_ssize_t n_nodes
    const double* nodes
    const double* shares

cdef struct Point:
    double d                            # distance of the logit from the mode
    double log_tail                     # ln of the probability below
    double ratio                        # of that probability to the density
    double slope                        # of the log density


def log_gamma(const double[::1] values, double[::1] found):
    """ln Gamma, infinite at 0 and at infinity."""
    cdef Py_ssize_t i
    cdef double x, digamma, result
    check_alike(values, found)
    with nogil:
        for i in range(values.shape[0]):
            x = values[i]
            if x >= 8.0:
                result = stirling(x, log_positive(x), 1.0 / x) if x < INFINITY else x
            elif x >= 1e-20:
                digamma_log_gamma(x, &digamma, &result)
            else:
                result = -log(x) if x >= 0.0 else NAN
            found[i] = result


def digamma(const double[::1] values, double[::1] found):
    """The derivative of ln Gamma."""
    cdef Py_ssize_t i
    cdef double x, log_gamma, result
    check_alike(values, found)
    with nogil:
        for i in range(values.shape[0]):
            x = values[i]
            if x >= 8.0:
                result = digamma_beyond(log_positive(x), 1.0 / x) if x < INFINITY else x
            elif x >= 1e-20:
                digamma_log_gamma(x, &result, &log_gamma)
            else:
                result = -1.0 / x if x >= 0.0 else NAN
            found[i] = result


def trigamma(const double[::1] values, double[::1] found):
    """The derivative of digamma: its recurrence to 8, and eq. (5.15.8) of [DLMF] from there on."""
    cdef Py_ssize_t i, k
    cdef double x, w, z, result
    check_alike(values, found)
    with nogil:
        for i in range(values.shape[0]):
            x, result = values[i], 0.0
            if x < 8.0:
                for k in range(8):
                    result += 1.0 / ((x + k) * (x + k))
                x += 8.0
            w = 1.0 / x
            z = w * w
            result += w + 0.5 * z + w * z * (
                1.0 / 6.0 - z * (1.0 / 30.0 - z * (1.0 / 42.0 - z * (1.0 / 30.0 - z * (5.0 / 66.0
                - z * (691.0 / 2730.0 - z * (7.0 / 6.0 - z * (3617.0 / 510.0)))))))
            )
            found[i] = result if values[i] >= 0.0 else NAN


def upper_gamma(double a, double x):
    """The regularised upper incomplete gamma function Q(a, x): eqs. (8.7.1) and (8.9.2) of [DLMF]."""
    cdef double density, term, total, c, d, factor
    cdef Py_ssize_t k
    if not (a > 0.0 and x >= 0.0):
        return NAN
    if x == 0.0 or x == INFINITY:
        return 1.0 if x == 0.0 else 0.0
    density = exp(                      # of ln of a Gamma variate
        0.5 * log(a) - HALF_LOG_2_PI - error_of_stirling(a)
        + a * ((log1p((x - a) / a) if x < 2.0 * a else log(x / a)) - (x - a) / a)
    )
    if x < a + 1.0:
        term = total = 1.0 / a
        for k in range(1, MOST_TERMS):
            term *= x / (a + k)
            total += term
            if term < DBL_EPSILON * total:
                break
        return 1.0 - density * total
    d = 1.0 / (x + 1.0 - a)
    c, total = INFINITY, d
    for k in range(1, MOST_TERMS):
        factor, term = k * (a - k), x + 2.0 * k + 1.0 - a
        d, c = 1.0 / (term + factor * d), term + factor / c
        total *= c * d
        if fabs(c * d - 1.0) < DBL_EPSILON:
            break
    return density * total


def beta_logits(
    const double[::1] a,                # IN
    const double[::1] b,                # IN
    const double[::1] log_lower,        # IN
    const double[::1] log_upper,        # IN
    const double[::1] nodes,            # IN
    const double[::1] shares,           # IN
    double[:, ::1] logits,              # OUT
):
    """Logits of the quantiles of Beta distributions at every probability; fast where these come in an order."""
    cdef Py_ssize_t n = a.shape[0], m = log_lower.shape[0], i
    cdef Rule rule
    if (
        b.shape[0] != n or logits.shape[0] != n or log_upper.shape[0] != m or logits.shape[1] != m
        or shares.shape[0] != nodes.shape[0] or not nodes.shape[0]
    ):
        raise ValueError("the arrays of the Beta quantiles do not fit together")
    if not n or not m:
        return
    rule.n_nodes, rule.nodes, rule.shares = nodes.shape[0], &nodes[0], &shares[0]
    with nogil:
        for i in range(n):
            if a[i] > 0.0 and b[i] > 0.0 and a[i] < INFINITY and b[i] < INFINITY:
                find(a[i], b[i], 1.0, &log_lower[0], &log_upper[0], m, rule, &logits[i, 0])
                find(b[i], a[i], -1.0, &log_upper[0], &log_lower[0], m, rule, &logits[i, 0])
            else:
                logits[i] = NAN


cdef int check_alike(const double[::1] values, double[::1] found) except -1:
    if values.shape[0] != found.shape[0]:
        raise ValueError("the arrays of the special function do not fit together")
    return 0


cdef inline double error_of_stirling(double x) noexcept nogil:
    """``stirling_error`` of any positive x."""
    cdef double digamma, log_gamma
    if x >= 8.0:
        return stirling_error(1.0 / x)
    if x < 1e-20:
        return -0.5 * log(x) - HALF_LOG_2_PI
    digamma_log_gamma(x, &digamma, &log_gamma)
    return log_gamma - (x - 0.5) * log(x) + x - HALF_LOG_2_PI


cdef void find(
    double a, double b, double sign, const double* log_below, const double* log_above, Py_ssize_t m,
    Rule rule, double* logits,
) noexcept nogil:
    """Logits, times the sign, where less than one half is below; exactly one half is of the sign 1.

    The log of the probability below is concave in the logit: a step of Newton's, or of Halley's to its left, does not
    pass the quantile from below, and none is below ``least``, where the first order of the tail has it.
    """
    cdef Beta beta
    cdef Point point
    cdef double least, target, root, log_share_b
    cdef bint begun = False
    cdef Py_ssize_t i, _step
    beta.a, beta.b, beta.share_a, beta.share_b = a, b, a / (a + b), b / (a + b)
    beta.peak = (
        0.5 * (log(a) + log(beta.share_b)) - HALF_LOG_2_PI
        - error_of_stirling(a) - error_of_stirling(b) + error_of_stirling(a + b)
    )
    log_share_b = log1p(-beta.share_a) if beta.share_a < 0.5 else log(beta.share_b)
    for i in range(m):
        if log_below[i] > log_above[i] or (sign < 0.0 and log_below[i] == log_above[i]):
            continue
        target = log_below[i]
        least = (target - beta.peak + log(a) + (a + b) * log_share_b) / a
        if not begun:
            begun = True
            root = max(least, -sqrt(-2.0 * target * (1.0 / a + 1.0 / b)))
            evaluate(beta, root, rule, &point)
        for _step in range(MOST_STEPS):
            root = max(least, point.d + halley(point, target))
            if fabs(point.log_tail - target) < CLOSE or root == point.d:
                break
            evaluate(beta, root, rule, &point)
        logits[i] = sign * (log(a / b) + root)


cdef inline double halley(Point at, double target) noexcept nogil:
    """A step to the target of the log of the tail, whose derivatives are 1 / ratio and (slope - 1 / ratio) / ratio."""
    cdef double newton = (target - at.log_tail) * at.ratio
    return newton / max(0.5, 1.0 + 0.5 * newton * (at.slope - 1.0 / at.ratio))


cdef void evaluate(
    Beta beta, double d, Rule rule, Point* at,
) noexcept nogil:
    """Beyond the mode, and where eq. (8.17.22) would need many terms, by what is above."""
    cdef Beta other
    cdef double log_density = beta.peak + phi(beta, d), above
    at.d = d
    if d <= 0.0 and (
        beta.b >= 1.0 or fraction(beta.share_b, beta.share_a, -d) * (beta.a + beta.b + 2.0) >= beta.b + 1.0
    ):
        at.ratio = ratio(beta, d, rule)
        at.log_tail = log_density + log(at.ratio)
    else:
        other.a, other.b, other.share_a, other.share_b = beta.b, beta.a, beta.share_b, beta.share_a
        above = exp(log_density) * ratio(other, -d, rule)
        at.log_tail = log1p(-min(above, 1.0 - DBL_EPSILON))
        at.ratio = exp(at.log_tail - log_density)
    at.slope = beta.a - (beta.a + beta.b) * fraction(beta.share_a, beta.share_b, d)


cdef inline double phi(Beta beta, double d) noexcept nogil:
    """ln of the density of the logit over that at the mode."""
    if beta.share_a <= 0.5:
        return phi_of_smaller(beta.a, beta.b, beta.share_a, d)
    return phi_of_smaller(beta.b, beta.a, beta.share_b, -d)


cdef inline double phi_of_smaller(double a, double b, double share, double d) noexcept nogil:
    """``phi`` where the share of a is at most one half, so that neither a d nor b d has to cancel."""
    if d > FAR:
        return -b * d - (a + b) * log(share)
    return a * d - (a + b) * log1p(share * expm1(d))


cdef inline double fraction(double share_a, double share_b, double d) noexcept nogil:
    """The Beta variate."""
    return share_a / (share_a + share_b * exp(-d))


cdef inline double ratio(Beta beta, double d, Rule rule) noexcept nogil:
    """The probability below over the density, at or below the mode."""
    if min(beta.a, beta.b) > INTEGRATED_FROM:
        return integrated(beta, d, rule)
    return continued(beta, d)


cdef double continued(Beta beta, double d) noexcept nogil:
    """Eq. (8.17.22) of [DLMF], of which every second approximant is taken: its even part, by Lentz's recurrence."""
    cdef double a = beta.a, b = beta.b, x = fraction(beta.share_a, beta.share_b, d)
    cdef double y = fraction(beta.share_b, beta.share_a, -d), odd, even, numerator, term, c, e, total
    cdef Py_ssize_t k
    odd = -(a + b) * x / (a + 1.0)
    e = 1.0 / (1.0 + odd if x < 0.5 else (1.0 - b + (a + b) * y) / (a + 1.0))
    c, total = INFINITY, e
    for k in range(1, MOST_TERMS):
        even = k * (b - k) * x / ((a + 2.0 * k - 1.0) * (a + 2.0 * k))
        numerator = -odd * even
        odd = -(a + k) * (a + b + k) * x / ((a + 2.0 * k) * (a + 2.0 * k + 1.0))
        if x < 0.5:
            term = 1.0 + even + odd
        else:                           # 1 + odd of 1 - x, for both may be small
            term = even + ((a + k) * (k + 1.0 - b + (a + b + k) * y) + k * (a + 2.0 * k + 1.0)) / (
                (a + 2.0 * k) * (a + 2.0 * k + 1.0)
            )
        e, c = 1.0 / (term + numerator * e), term + numerator / c
        total *= c * e
        if fabs(c * e - 1.0) < DBL_EPSILON:
            break
    return total / a


cdef double integrated(Beta beta, double d, Rule rule) noexcept nogil:
    """The integral of the density over where it is something, of large parameters, which make it nearly normal."""
    cdef double x = fraction(beta.share_a, beta.share_b, d), here = phi(beta, d), slope, curvature, length, total = 0.0
    cdef Py_ssize_t k
    slope, curvature = max(0.0, beta.a - (beta.a + beta.b) * x), (beta.a + beta.b) * x * (1.0 - x)
    length = 2.0 * RANGE / (slope + sqrt(slope * slope + 2.0 * RANGE * curvature))
    for k in range(rule.n_nodes):
        total += rule.shares[k] * exp(phi(beta, d - length * rule.nodes[k]) - here)
    return length * total
