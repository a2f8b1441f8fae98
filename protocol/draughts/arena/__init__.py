"""Players of draughts by name, programs among them."""
