"""Training: evaluations and tables learnt by self-play."""
