"""What ``benchmarks/peers.py`` runs: problems, our work, and that of the peers, who know nothing of Ockham."""
