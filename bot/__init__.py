"""Blot's player: rules, evaluation, decisions and learning; it knows no text."""
