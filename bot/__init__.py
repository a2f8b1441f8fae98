"""Blot's player: rules, evaluation, decisions and learning; it knows no text."""

VERSION = "0.1.0"
"""As in pyproject.toml, which a test compares."""
