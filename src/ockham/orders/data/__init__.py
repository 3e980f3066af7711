"""Tables whose structure is learnt, and random ones."""
