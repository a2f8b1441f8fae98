"""The arena of draughts: players against each other, and how strong they are."""
