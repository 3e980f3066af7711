"""Latent class models fitted to a table of one's own: what a fit has, whatever its items are."""
