"""Draughts, Czech on 64 squares and international on 100: rules, evaluation, search, learning."""
