"""The subcommands of `blot draughts`."""
