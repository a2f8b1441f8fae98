"""Draughts' compiled code: arrays in, arrays out, nothing raised."""
