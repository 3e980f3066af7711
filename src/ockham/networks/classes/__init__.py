"""Latent class models: what is known of the classes of a data set, and of their number."""
