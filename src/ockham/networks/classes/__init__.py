"""Latent classes of tables of categorical items: how many there are, and what they are."""
