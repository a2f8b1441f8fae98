"""Commands: the subcommands of blot and the options they share."""
