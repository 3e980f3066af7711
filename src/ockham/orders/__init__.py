"""Structures of fully observed data, by way of node orders."""
