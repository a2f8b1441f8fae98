"""Lab: published experiments made again, and those that the constants we ship come from."""
