"""Laboratory of the cube: what its numbers come from, and how they fare by rollouts."""
