"""Subcommands: what every command adds its own parser to."""

import argparse
from typing import TypeAlias

Parsers: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"
"""The subcommands of a command, as argparse has them."""
