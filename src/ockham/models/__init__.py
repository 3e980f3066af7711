"""Models whose evidence Ockham estimates, and the spaces of structures to choose among."""
