"""Pages of results that stand by themselves."""
