"""Support for the rules outside the library: data sets, figures, sharing, scheduling, dates."""
