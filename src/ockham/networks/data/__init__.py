"""Data of networks: drawn, of public archives, and reduced to their distinct rows."""
