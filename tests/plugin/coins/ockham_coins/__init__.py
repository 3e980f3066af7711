"""Coins for Ockham."""
