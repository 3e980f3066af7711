"""What figures show of machines that is no score, one measurement a file."""
