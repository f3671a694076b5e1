"""What the paper says: its worked example, its claims, and its errata."""
