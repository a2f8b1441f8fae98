"""Engines: players that search."""
