"""Comparisons of networks on a table: models of any kind, their evidences and Bayes factors."""
