"""Chen & Welling (2013)."""
