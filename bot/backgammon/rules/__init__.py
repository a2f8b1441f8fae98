"""Rules: what stands on and around the board, and what may be done."""
