"""Lab: experiments that are made again, as any game has them; a game has its own in its lab."""
