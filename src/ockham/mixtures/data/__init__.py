"""Data of mixtures: rows of mixed items, drawn from mixtures or read from tables."""
