"""The family finite_mixture: latent classes of rows whose items are categories, orderings, numbers or counts."""
