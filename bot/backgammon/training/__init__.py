"""Training of a network: the learners, and the run that carries one through."""
