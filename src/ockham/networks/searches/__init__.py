"""Searches over structures with hidden variables on a table: structural EM, and evidences of the best graphs."""
