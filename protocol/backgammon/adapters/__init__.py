"""Adapters: a protocol or program spoken to, line by line, a specification each."""
