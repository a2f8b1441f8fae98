"""Blot's conversation: text on lines turned into requests, decisions into text."""
