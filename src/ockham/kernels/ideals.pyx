# The number of linear extensions of a partial order, exactly, by dynamic programming over all of its ideals: section
# 3.3 of [NiinimakiKoivisto2013].
#
# symbol   name         shape                     unit
#          ancestors    (n_nodes,)                        masks of the nodes before each, of lower numbers
#          table        (n_slots, 1 + n_limbs)            work, zero: an ideal, and the extensions of the order on it
# l(P)     counts       (n_limbs,)                1       out: number of extensions, least significant limb first
#
#     l(D) = sum of l(D - v) over the maximal elements v of the ideal D,   l(empty set) = 1
# As numbers, ideals come after all that they contain. The next number after D that is an ideal has the lowest node v
# that is not in D: its maximal elements are v and those of D that have higher numbers. So they are a stack, of which
# every step takes some and adds one, and a step costs its look-ups in the table alone: O(n) for each ideal.
from libc.stdint cimport uint64_t
from libc.string cimport memcpy, memset

cdef extern from *:
    """
    typedef unsigned __int128 ockham_two_words;
    #define ockham_lowest_bit(x) __builtin_ctzll(x)
    """
    ctypedef unsigned long long two_words "ockham_two_words"
    int lowest_bit "ockham_lowest_bit"(uint64_t) noexcept nogil

cdef enum:
    MOST_NODES = 64
    MOST_LIMBS = 5                      # 64! has 296 bits


def count(
    const uint64_t[::1] ancestors,      # IN
    uint64_t[:, ::1] table,             # work
    uint64_t[::1] counts,               # OUT
):
    """Count, and return the number of ideals but the empty one; -1 where the table has no slot left."""
    cdef Py_ssize_t n = ancestors.shape[0], n_limbs = counts.shape[0], n_ideals
    if (not 1 <= n <= MOST_NODES or not 1 <= n_limbs <= MOST_LIMBS or table.shape[0] < 1
            or table.shape[1] != 1 + n_limbs):
        raise ValueError("the arrays of ideals do not fit together")
    if not is_closed(ancestors):
        raise ValueError("ancestors have lower numbers, and ancestors of their own that are among them")
    with nogil:
        n_ideals = walk(&ancestors[0], n, &table[0, 0], table.shape[0], n_limbs, &counts[0])
    return n_ideals


cdef bint is_closed(const uint64_t[::1] ancestors) noexcept:
    cdef uint64_t left
    cdef Py_ssize_t v
    for v in range(ancestors.shape[0]):
        if ancestors[v] >> v:
            return False
        left = ancestors[v]
        while left:
            if ancestors[lowest_bit(left)] & ~ancestors[v]:
                return False
            left &= left - 1
    return True


cdef Py_ssize_t walk(
    const uint64_t* ancestors, Py_ssize_t n, uint64_t* table, Py_ssize_t n_slots, Py_ssize_t n_limbs, uint64_t* total,
) noexcept nogil:
    cdef uint64_t[MOST_NODES + 1] ideal         # what is below the first so many maximal elements, and they
    cdef Py_ssize_t[MOST_NODES + 1] maximal     # falling from 1 on
    cdef Py_ssize_t depth = 0, n_ideals = 0, i, v
    cdef uint64_t fewer, whole = ~<uint64_t> 0 >> (MOST_NODES - n)
    cdef uint64_t* slot
    ideal[0] = 0
    while ideal[depth] != whole:
        v = lowest_bit(~ideal[depth])
        while depth and maximal[depth] < v:
            depth -= 1
        depth += 1
        maximal[depth] = v
        ideal[depth] = ideal[depth - 1] | ancestors[v] | <uint64_t> 1 << v
        memset(total, 0, n_limbs * sizeof(uint64_t))
        for i in range(1, depth + 1):
            fewer = ideal[depth] ^ <uint64_t> 1 << maximal[i]
            if fewer:
                add(total, slot_of(table, n_slots, n_limbs, fewer) + 1, n_limbs)
            else:
                total[0] = 1
        n_ideals += 1
        if n_ideals > n_slots:
            return -1
        slot = slot_of(table, n_slots, n_limbs, ideal[depth])
        slot[0] = ideal[depth]
        memcpy(slot + 1, total, n_limbs * sizeof(uint64_t))
    return n_ideals


cdef inline uint64_t* slot_of(uint64_t* table, Py_ssize_t n_slots, Py_ssize_t n_limbs, uint64_t ideal) noexcept nogil:
    """The slot of an ideal, or the one where it should be stored."""
    cdef uint64_t scattered = ideal * <uint64_t> 0x9E3779B97F4A7C15
    cdef Py_ssize_t i = <Py_ssize_t> ((<two_words> scattered * <uint64_t> n_slots) >> 64)
    while table[i * (1 + n_limbs)] != 0 and table[i * (1 + n_limbs)] != ideal:
        i = i + 1 if i + 1 < n_slots else 0
    return table + i * (1 + n_limbs)


cdef inline void add(uint64_t* total, const uint64_t* part, Py_ssize_t n_limbs) noexcept nogil:
    cdef Py_ssize_t i
    cdef two_words sum = 0
    for i in range(n_limbs):
        sum += <two_words> total[i] + part[i]
        total[i] = <uint64_t> sum
        sum >>= 64
