/* A bare loop of what one step of annealed importance sampling must compute: gamma draws, log-gammas, likelihood.
 *
 * cc -O3 -shared -fPIC with NumPy's headers and libnpyrandom; see annealing.py. Nothing is accepted or kept.
 */
#include <math.h>
#include <stdint.h>
#include "numpy/random/distributions.h"

double bare_steps(bitgen_t *generator, long n_steps, long n_entries, const double *shape, long n_rows, long n_hidden,
                  long n_factors, const int32_t *entries, const double *weights, double *theta)
{
    double total = 0.0;
    for (long k = 0; k < n_steps; k++) {
        for (long e = 0; e < n_entries; e++)
            theta[e] = random_standard_gamma(generator, shape[e]) / 2000.0;
        for (long e = 0; e < n_entries; e++)
            total += lgamma(2000.0 * theta[e]) + log(theta[e]);
        for (long u = 0; u < n_rows; u++) {
            double z = 0.0;
            for (long h = 0; h < n_hidden; h++) {
                double product = 1.0;
                const int32_t *factors = entries + (u * n_hidden + h) * n_factors;
                for (long f = 0; f < n_factors; f++)
                    product *= theta[factors[f]];
                z += product;
            }
            total += weights[u] * log(z);
        }
    }
    return total;
}
