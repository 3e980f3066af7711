"""Numbers of latent classes of tables of mixed items."""
