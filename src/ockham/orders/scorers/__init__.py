"""Estimators of the evidence over structures of fully observed data, one a file."""
