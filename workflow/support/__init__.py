"""What the rules need besides the library: data sets, figures, sharing, scheduling, dates."""
