"""Processes that tests start, and look for after their end."""

import os


def group_is_gone(process):
    """Whether no process of the group is left."""
    try:
        os.killpg(process, 0)
    except ProcessLookupError:
        return True
    return False
