"""From raw logs, recordings and other laboratories' files to validated trials."""
