"""Servers: what all game servers have in common, whatever they speak."""
