# Which vector instructions this processor and its operating system offer.

cdef extern from *:
    """
    #if defined(__x86_64__) && (defined(__GNUC__) || defined(__clang__))
    static int ockham_has_avx2(void) { __builtin_cpu_init(); return __builtin_cpu_supports("avx2") != 0; }
    #else
    static int ockham_has_avx2(void) { return 0; }
    #endif
    """
    int ockham_has_avx2()


def has_avx2():
    return bool(ockham_has_avx2())
