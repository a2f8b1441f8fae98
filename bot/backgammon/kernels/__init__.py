"""Backgammon's compiled code: arrays in, arrays out, nothing raised."""

import bot.kernels  # noqa: F401  (sets numba's cache folder before anything is compiled)
