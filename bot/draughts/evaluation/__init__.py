"""Evaluation: what a position is worth, by patterns, by tables of states, by endings solved."""
