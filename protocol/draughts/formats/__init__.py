"""Texts of draughts to values and back: positions, moves and games."""
