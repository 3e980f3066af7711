"""Evidence of graphical models with hidden variables."""
