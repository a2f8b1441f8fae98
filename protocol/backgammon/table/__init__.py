"""Table: a game with people, without text."""
