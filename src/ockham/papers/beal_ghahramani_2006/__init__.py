"""Beal & Ghahramani (2006), and their Valencia 7 paper (2003)."""
