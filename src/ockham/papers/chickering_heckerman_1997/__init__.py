"""Chickering & Heckerman (1997)."""
