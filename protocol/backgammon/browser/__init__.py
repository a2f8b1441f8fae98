"""A person at a board in the browser: the game, what thinks for it, and the page."""
