"""Backgammon's identifiers, notations, protocols and programs."""
