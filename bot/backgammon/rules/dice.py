"""Dice: a generator of rolls for every seed."""

from bot.generator import new_generator

__all__ = ["new_generator"]
