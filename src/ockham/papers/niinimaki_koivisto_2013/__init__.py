"""Niinimäki & Koivisto (2013)."""
