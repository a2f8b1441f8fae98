"""Backgammon: the public names are in the modules, one noun of the game each."""
