# Branch-free special functions for positive float64 arguments, written so that a compiler can vectorise a loop of them.
#
# symbol   meaning                                              unit
# x        argument, normal and positive                        1
# result   logarithm, digamma or log-gamma                      nats
#
# Why not scipy.special.cython_special: its digamma and gammaln branch and call libm, so a loop of them cannot
# vectorise, and variational EM needs both at every parameter in every iteration. tests/unit/kernels/test_special.py
# checks the error against scipy.special over the whole range used. No fused multiply-add is allowed
# (-ffp-contract=off), so that every vector width gives the same bits.
from libc.stdint cimport uint64_t
from libc.string cimport memcpy


cdef inline double log_positive(double x) noexcept nogil:
    """ln x as exponent * ln 2 + 2 artanh((m - 1) / (m + 1)) with m in [sqrt(1/2), sqrt(2)); NumPy: np.log(x).

    The tail is (artanh(s) / s - 1) / s ** 2, by the Chebyshev fit of degree six in s ** 2 (error below 2e-16).
    """
    cdef uint64_t bits, shifted, exponent_bits
    cdef double m, exponent, s, z, tail
    memcpy(&bits, &x, 8)
    # Adding a bias first makes the exponent non-negative, so the shift may be logical (signed ones do not vectorise).
    shifted = bits - <uint64_t>0x3FE6A09E667F3BCD + (<uint64_t>1024 << 52)
    exponent_bits = (shifted >> 52) | <uint64_t>0x4330000000000000
    memcpy(&exponent, &exponent_bits, 8)
    exponent = exponent - 4503599627371520.0            # 2**52 + 1024
    bits = bits - ((shifted >> 52) << 52) + (<uint64_t>1024 << 52)
    memcpy(&m, &bits, 8)
    s = (m - 1.0) / (m + 1.0)
    z = s * s
    tail = 0.07665855309105386 + z * 0.07308292712444311
    tail = 0.09091444727837474 + z * tail
    tail = 0.11111105565129939 + z * tail
    tail = 0.14285714313001635 + z * tail
    tail = 0.19999999999949722 + z * tail
    tail = 0.3333333333333335 + z * tail
    return exponent * 0.6931471803691238 + (2.0 * s + (2.0 * s * z * tail + exponent * 1.9082149292705877e-10))


cdef inline double exp_nonpositive(double x) noexcept nogil:
    """exp x for x <= 0, and 0 below -700; NumPy: np.where(x < -700, 0, np.exp(x))."""
    cdef double k, r, p, scale, clipped
    cdef uint64_t bits
    clipped = x if x > -700.0 else -700.0
    k = clipped * 1.4426950408889634 + 6755399441055744.0   # 1.5 * 2**52 rounds to the nearest integer
    memcpy(&bits, &k, 8)
    bits = (bits + 1023) << 52
    memcpy(&scale, &bits, 8)
    k = k - 6755399441055744.0
    r = (clipped - k * 0.6931471803691238) - k * 1.9082149292705877e-10
    p = 1.0 / 479001600.0 + r * (1.0 / 6227020800.0)
    p = 1.0 / 39916800.0 + r * p
    p = 1.0 / 3628800.0 + r * p
    p = 1.0 / 362880.0 + r * p
    p = 1.0 / 40320.0 + r * p
    p = 1.0 / 5040.0 + r * p
    p = 1.0 / 720.0 + r * p
    p = 1.0 / 120.0 + r * p
    p = 1.0 / 24.0 + r * p
    p = 1.0 / 6.0 + r * p
    p = 0.5 + r * p
    p = 1.0 + r * p
    p = 1.0 + r * p
    return p * scale if x >= -700.0 else 0.0


cdef inline double stirling_error(double w) noexcept nogil:
    """ln Gamma(y) less (y - 1/2) ln y - y + ln(2 pi) / 2 for y = 1 / w >= 8, by its asymptotic series."""
    cdef double z = w * w
    return (
        w * (1.0 / 12.0 - z * (1.0 / 360.0 - z * (1.0 / 1260.0 - z * (1.0 / 1680.0 - z * (1.0 / 1188.0
        - z * (691.0 / 360360.0 - z * (1.0 / 156.0 - z * (3617.0 / 122400.0)))))))))


cdef inline double stirling(double y, double log_y, double w) noexcept nogil:
    """ln Gamma(y) for y >= 8, with ln y and w = 1 / y given."""
    return (y - 0.5) * log_y - y + 0.9189385332046727 + stirling_error(w)


cdef inline double digamma_beyond(double log_y, double w) noexcept nogil:
    """digamma(y) for y = 1 / w >= 8 by its asymptotic series, with ln y given."""
    cdef double z = w * w
    return (
        log_y - 0.5 * w
        - z * (1.0 / 12.0 - z * (1.0 / 120.0 - z * (1.0 / 252.0 - z * (1.0 / 240.0 - z * (1.0 / 132.0
        - z * (691.0 / 32760.0 - z * (1.0 / 12.0 - z * (3617.0 / 8160.0))))))))
    )


cdef inline void digamma_log_gamma(double x, double* digamma, double* log_gamma) noexcept nogil:
    """digamma(x) and ln Gamma(x): recurrence from x + 8, where the asymptotic series holds to rounding."""
    cdef double y, t, u, v, log_y, w, product
    y = x + 8.0
    t = x * (x + 7.0)
    u = t * (t + 6.0)
    v = (t + 10.0) * (t + 12.0)
    product = u * v                                      # x (x + 1) ... (x + 7)
    log_y = log_positive(y)
    w = 1.0 / y
    digamma[0] = digamma_beyond(log_y, w) - (2.0 * x + 7.0) * ((2.0 * t + 6.0) * v + u * (2.0 * t + 22.0)) / product
    log_gamma[0] = stirling(y, log_y, w) - log_positive(product)


cdef inline double log_gamma_of(double x, double log_x) noexcept nogil:
    """ln Gamma(x) for x >= 0 with its logarithm given, which may be below the range of x: ln Gamma(x + 1) - ln x."""
    cdef double y, t
    y = x + 8.0
    t = x * (x + 8.0)                                    # (x + 1) ... (x + 7) by pairs around x + 4
    return (
        stirling(y, log_positive(y), 1.0 / y)
        - log_positive((t + 7.0) * (t + 12.0) * ((t + 15.0) * (x + 4.0))) - log_x
    )
