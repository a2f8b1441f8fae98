"""Lab: where the constants that Blot ships come from, each experiment to be run again."""
