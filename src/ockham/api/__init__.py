"""What a user calls with one model or one table: it goes to the family, and to the estimators, that are for it."""
