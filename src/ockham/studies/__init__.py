"""Studies: models of one family, scored on data sets of growing size by many scorers; whatever the family."""
