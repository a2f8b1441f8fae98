"""Garbage: how often Python looks for objects that hold each other and nobody else does."""

import gc

_OBJECTS_BETWEEN_COLLECTIONS = 200_000


def collect_seldom() -> None:
    """Have Python look after 200,000 new objects, in this process from now on.

    It looks after 700 by itself, 2,000 since 3.13. A start makes 110,000 to 130,000 that stay, and
    compiling many more: a tenth of the time that either takes would go into looking at them.
    """
    gc.set_threshold(_OBJECTS_BETWEEN_COLLECTIONS)
