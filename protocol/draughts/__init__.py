"""Draughts in words: formats, protocols and commands."""
