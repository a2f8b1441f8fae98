"""Evaluation: what a position is worth: network, bear-off, cube and score."""
