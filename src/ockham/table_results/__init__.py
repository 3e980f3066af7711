"""What families share in results on a user's table: the clock, evidences, numbers, sentences, pages, commands."""
