"""Backgammon's compiled code: arrays in, arrays out, nothing raised."""
