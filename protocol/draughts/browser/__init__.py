"""People and bots at a board of draughts in the browser: the game, what thinks, and the page."""
