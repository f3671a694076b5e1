"""Simulated subjects whose truth is known."""
