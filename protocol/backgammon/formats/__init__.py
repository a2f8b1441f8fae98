"""Formats: positions, plays, boards and tables as text, both ways."""
