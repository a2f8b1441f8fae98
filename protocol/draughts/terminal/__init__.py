"""One person at a keyboard, and a board of draughts."""
