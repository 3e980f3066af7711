"""Latent classes of a table of one's own, whatever its items: each table goes to the family that has models of it."""
