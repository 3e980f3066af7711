"""One estimator a file."""
