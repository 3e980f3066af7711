"""What families of models share of method: combining runs, schedules, convergence, diagnostics."""
