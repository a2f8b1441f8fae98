"""The table of draughts: a game with people, without text."""
