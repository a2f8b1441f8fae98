"""How a network comes to be: the learners, and the run that carries one through."""
