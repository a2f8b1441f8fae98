"""Seed: the number that chance comes from."""

MAX_SEED = 2**31 - 1
"""The highest seed taken, as gnubg reads it into an int."""
