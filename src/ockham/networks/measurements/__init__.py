"""What figures show of networks that is no score, one measurement a file."""
