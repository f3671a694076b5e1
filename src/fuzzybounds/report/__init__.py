"""The report: one HTML file that shows every result beside what the paper says of it."""
