"""Learning models fitted to the trials of single subjects."""
