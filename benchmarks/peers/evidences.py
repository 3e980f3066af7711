"""The log evidence of a network by the peers, nats; the likelihood takes many points at once where a peer can."""

import numpy as np
from likelihood import cube_to_log, log_likelihood, log_prior, real_to_log, sticks

__all__ = ["blackjax", "dynesty", "harmonic", "nautilus", "particles", "pymc"]

AT_ONCE = 500
"""Parameters in one product of matrices."""


def _many(of_parameters, given):
    """The log likelihood of any number of points, a part of them at a time."""

    def function(points):
        parts = [points[i : i + AT_ONCE] for i in range(0, len(points), AT_ONCE)]
        return np.concatenate([log_likelihood(of_parameters(part), given) for part in parts])

    return function


def particles(given, n_particles, len_chain):
    """Waste-free SMC: tempering with a random walk, both adaptive."""
    from particles import SMC
    from particles import distributions as dists
    from particles.smc_samplers import AdaptiveTempering, TemperingBridge

    maps = sticks(given["sizes"])
    height = _many(lambda z: real_to_log(z, maps), given)

    class Bridge(TemperingBridge):
        def logtarget(self, theta):
            return height(theta) + log_prior(theta)

    def work():
        np.random.seed(0)  # noqa: NPY002, the peer draws from it
        base = dists.IndepProd(*[dists.Logistic() for _ in maps["after"]])
        smc = SMC(fk=AdaptiveTempering(model=Bridge(base_dist=base), len_chain=len_chain), N=n_particles)
        smc.run()
        return smc.logLt

    return work, float


def blackjax(given, n_particles, n_steps, n_leapfrog, step_size):
    """Adaptive tempering with Hamiltonian moves, whose masses are fitted to the particles; compiled before."""
    import jax

    jax.config.update("jax_enable_x64", True)
    import blackjax
    import jax.numpy as jnp
    from blackjax.smc import extend_params
    from blackjax.smc.resampling import systematic
    from blackjax.smc.tuning.from_particles import particles_stds

    maps = {name: jnp.asarray(value) for name, value in sticks(given["sizes"]).items()}
    arrays = {name: jnp.asarray(given[name]) for name in ("cells", "counts", "entries")}

    def moves(particles):
        return extend_params({"step_size": step_size, "num_integration_steps": n_leapfrog,
                              "inverse_mass_matrix": particles_stds(particles) ** 2})  # fmt: skip

    start = jax.random.logistic(jax.random.key(0), (n_particles, len(maps["after"])))
    smc = blackjax.inner_kernel_tuning(
        smc_algorithm=blackjax.adaptive_tempered_smc,
        logprior_fn=lambda z: log_prior(z, jnp),
        loglikelihood_fn=lambda z: log_likelihood(real_to_log(z, maps, jnp), arrays, jnp),
        mcmc_step_fn=blackjax.hmc.build_kernel(),
        mcmc_init_fn=blackjax.hmc.init,
        resampling_fn=systematic,
        mcmc_parameter_update_fn=lambda key, state, info: moves(state.particles),
        initial_parameter_value=moves(start),
        num_mcmc_steps=n_steps,
        target_ess=0.5,
    )
    step = jax.jit(smc.step).lower(jax.random.key(0), smc.init(start)).compile()

    def work():
        state, total = smc.init(start), 0.0
        key = jax.random.key(1)
        while state.sampler_state.tempering_param < 1:
            key, now = jax.random.split(key)
            state, info = step(now, state)
            total += float(info.log_likelihood_increment)
        return total

    return work, float


def dynesty(given, **settings):
    from dynesty import NestedSampler

    maps = sticks(given["sizes"])

    def work():
        sampler = NestedSampler(
            lambda u: float(log_likelihood(cube_to_log(u, maps), given)), lambda u: u, len(maps["after"]),
            rstate=np.random.default_rng(0), **settings,
        )  # fmt: skip
        sampler.run_nested(print_progress=False)
        return sampler.results.logz[-1]

    return work, float


def nautilus(given, **settings):
    from nautilus import Sampler

    maps = sticks(given["sizes"])
    height = _many(lambda u: cube_to_log(u, maps), given)

    def work():
        sampler = Sampler(lambda u: u, height, n_dim=len(maps["after"]), vectorized=True, seed=0, **settings)
        sampler.run(verbose=False)
        return sampler.log_z

    return work, float


def pymc(given, kernel, draws=2000, chains=1):
    """A chain of ``sample_smc``, the hidden variables summed out; a short one before compiles it."""
    import logging
    import warnings

    import pymc as pm
    import pytensor.tensor as pt

    logging.getLogger("pymc").setLevel(logging.ERROR)
    warnings.simplefilter("ignore")
    with pm.Model() as model:
        first, tables = 0, []
        for r in given["sizes"]:
            tables.append(pm.Dirichlet(f"table {first}", np.ones(r)))
            first += int(r)
        logs = pt.log(pt.concatenate(tables))
        joint = logs[given["entries"]] @ given["cells"].T
        pm.Potential("rows", (pt.logsumexp(joint, axis=0) * given["counts"]).sum())

    def run(n):
        return pm.sample_smc(
            n, getattr(pm.smc.kernels, kernel), model=model, chains=chains, cores=1, random_seed=0, progressbar=False,
            compute_convergence_checks=False,
        )  # fmt: skip

    def read(found):
        return float(np.mean([np.ravel(chain)[-1] for chain in found.sample_stats["log_marginal_likelihood"].values]))

    run(4)
    return lambda: run(draws), read


def harmonic(given, model, **settings):
    """The learnt harmonic mean of our draws, half of the chains to learn from, half to average over; with compiling."""
    import harmonic as hm
    import jax

    jax.config.update("jax_enable_x64", True)

    def work():
        chains = hm.Chains(given["draws"].shape[2])
        chains.add_chains_3d(given["draws"], given["heights"])
        learn, rest = hm.utils.split_data(chains, training_proportion=0.5)
        flow = getattr(hm.model, model)(given["draws"].shape[2], **settings)
        flow.fit(learn.samples, verbose=False)
        evidence = hm.Evidence(rest.nchains, flow)
        evidence.add_chains(rest)
        return -evidence.ln_evidence_inv

    return work, lambda found: float(found + given["log_copies"])
