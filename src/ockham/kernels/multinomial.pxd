# Multinomial draws: how many of n copies fall into each of some parts, given its cumulative probability.
#
# symbol     name          shape        unit
# n                                     1       copies
# F          cumulative    (n_parts,)   1       probabilities summed up, to any finite total
# N          below         (n_parts,)   1       out: copies in this part and in those before it; the last is n
#
# In NumPy: below = np.cumsum(rng.multinomial(n, np.diff(cumulative, prepend=0.0) / cumulative[-1]))
#
# A copy is in part k or before if its uniform number is below F[k] / F[-1]. A few copies are compared one by one. Many
# are by the first 15 bits of their numbers, of which one number of the generator has four, in vectors; the other bits
# are drawn where the first are those of F[k] / F[-1] as well, which one copy in 32,768 has. Of more copies, each part
# takes a binomial number. All three are exact to the rounding of F and of uniform numbers.
from libc.stdint cimport int16_t, int64_t
from numpy.random cimport bitgen_t
from numpy.random.c_distributions cimport binomial_t, random_binomial

cdef enum:
    FEW = 6
    MANY = 512
    LANES = 16          # of 16 bits in a vector


cdef inline void draw_below(
    bitgen_t* generator, binomial_t* memory, int64_t n, const double* cumulative, Py_ssize_t n_parts, double* below,
) noexcept nogil:
    """One draw; all copies are in the first part where none is possible."""
    cdef Py_ssize_t k
    if not cumulative[n_parts - 1] > 0.0:
        for k in range(n_parts):
            below[k] = n
    elif n <= FEW:
        compare_numbers(generator, n, cumulative, n_parts, below)
    elif n <= MANY:
        compare_bits(generator, n, cumulative, n_parts, below)
    else:
        draw_binomials(generator, memory, n, cumulative, n_parts, below)


cdef inline void compare_numbers(
    bitgen_t* generator, int64_t n, const double* cumulative, Py_ssize_t n_parts, double* below,
) noexcept nogil:
    """A uniform number for every copy."""
    cdef Py_ssize_t _i, k
    cdef double u, total = cumulative[n_parts - 1]
    for k in range(n_parts):
        below[k] = 0.0
    for _i in range(n):
        u = generator.next_double(generator.state) * total      # below the total in rounding, too
        for k in range(n_parts):
            below[k] += 1.0 if u < cumulative[k] else 0.0


cdef inline void compare_bits(
    bitgen_t* generator, int64_t n, const double* cumulative, Py_ssize_t n_parts, double* below,
) noexcept nogil:
    """15 bits for every copy, and all for those that these leave open."""
    cdef Py_ssize_t i, _i, j, k, end, n_padded = (n + LANES - 1) // LANES * LANES
    cdef int16_t[MANY + LANES] bits
    cdef int16_t bound, n_less, n_same
    cdef double u, total = cumulative[n_parts - 1]
    for i in range(0, n, 4):
        add_bits(generator, &bits[i])
    for i in range(n, n_padded):
        bits[i] = -1                    # less than every bound
    for k in range(n_parts):
        below[k] = place_of(cumulative[k], total)
    k = 0
    while k < n_parts and below[k] < 32768.0:
        bound = <int16_t> below[k]
        n_less, n_same = <int16_t> (n - n_padded), 0
        for i in range(n_padded):
            n_less += bits[i] < bound
            n_same += bits[i] == bound
        end = k
        while end < n_parts and below[end] < bound + 1.0:       # parts whose first bits are the same
            below[end] = n_less
            end += 1
        for _i in range(n_same):
            u = bound + generator.next_double(generator.state)
            for j in range(k, end):
                below[j] += 1.0 if u < place_of(cumulative[j], total) else 0.0
        k = end
    for k in range(k, n_parts):
        below[k] = n


cdef inline double place_of(double cumulative, double total) noexcept nogil:
    """Cumulative probability in units of the last of 15 bits: 32768 for the total alone, in rounding too."""
    return cumulative / total * 32768.0


cdef inline void add_bits(bitgen_t* generator, int16_t* bits) noexcept nogil:
    """Four times 15 bits."""
    cdef Py_ssize_t i
    cdef int64_t drawn = <int64_t> generator.next_uint64(generator.state)
    for i in range(4):
        bits[i] = <int16_t> ((drawn >> (16 * i)) & 0x7fff)


cdef inline void draw_binomials(
    bitgen_t* generator, binomial_t* memory, int64_t n, const double* cumulative, Py_ssize_t n_parts, double* below,
) noexcept nogil:
    """A binomial number for every part, of the copies that the parts before it leave."""
    cdef Py_ssize_t k
    cdef int64_t left = n
    cdef double before = 0.0, p, rest
    for k in range(n_parts):
        p, rest = cumulative[k] - before, cumulative[n_parts - 1] - before
        left -= left if p >= rest else random_binomial(generator, p / rest, left, memory)
        before = cumulative[k]
        below[k] = n - left
