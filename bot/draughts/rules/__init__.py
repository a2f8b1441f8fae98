"""The rules of draughts: variants, positions, moves and games."""
