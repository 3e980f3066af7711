"""What figures show of structures of fully observed data that is no score, one measurement a file."""
